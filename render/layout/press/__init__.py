"""Scenes in the inks of a press: what is printed in black alone, and over what it lies."""
