"""What a person sees in a terminal: color, messages fitted to its width, help. Nothing of cards."""
