"""A card and its templates, as scenes."""
