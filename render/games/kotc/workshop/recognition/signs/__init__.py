"""Lines of text in known type, read sign by sign. Nothing of cards."""
