"""Cards, ability texts and editions as values."""
