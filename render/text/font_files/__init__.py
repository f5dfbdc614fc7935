"""Font files of a set or a game: judged before use, and opened as one face each."""
