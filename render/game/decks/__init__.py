"""Deck files, and decks as sets of the cards that their lines mean."""
