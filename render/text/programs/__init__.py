"""Font programs as values: TrueType, CFF and Type 1."""
