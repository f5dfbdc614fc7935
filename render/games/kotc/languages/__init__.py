"""The words of editions in other languages: their files, read and searched, and their notation."""
