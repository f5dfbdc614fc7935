"""JSON Schemas (2020-12) of the game's files, for editors, and the words of the reference about their keys."""
