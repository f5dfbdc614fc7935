"""The rules of editions: finding, reading, writing and matching them; their data files."""
