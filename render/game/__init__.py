"""What the core knows of cards: sets in folders, cards and faces as values, and what is asked of a game."""
