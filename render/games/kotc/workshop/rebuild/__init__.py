"""Rewriting sets for another edition and building them, in one step."""
