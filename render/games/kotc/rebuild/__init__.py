"""Taking sets to another edition as a whole."""
