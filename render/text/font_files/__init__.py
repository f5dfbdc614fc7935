"""The fonts of a set or a game: files found by family or role, judged before use, and opened as one face each."""
