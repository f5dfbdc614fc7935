"""What a printer does to the backs of sheets, and the correction of it."""
