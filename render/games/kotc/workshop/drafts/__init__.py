"""Proposals for cards that have no way to another edition: their ideas in its words, at a level that its rules give."""
