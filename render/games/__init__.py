"""The games that the renderer knows: each a package of its own, on top of the core."""
