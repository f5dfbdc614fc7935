"""Cards for a wish: found by an exact search over the components of an edition and their numbers."""
