"""A second, small reading of the published guides, which shares no code with the program that it judges."""
