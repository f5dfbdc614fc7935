"""Sets and cards written for their authors: folders that begin a set, cards added to a file, files changed together."""
