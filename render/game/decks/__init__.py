"""What a PATH on the command line stands for: sets, and decks of their cards, found and read the same way."""
