"""The game's own pages, read into the rules of an edition."""
