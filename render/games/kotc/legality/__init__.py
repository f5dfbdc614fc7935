"""Whether cards and decks may be played."""
