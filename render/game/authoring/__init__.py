"""Sets and cards written for their authors: folders that begin a set, cards added to a file. Nothing is overwritten."""
