"""Picture files by their parts, before anything is decoded."""
