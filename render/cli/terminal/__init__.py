"""What a person meets in a terminal: help, color, messages fitted to its width, what was meant. Nothing of cards."""
