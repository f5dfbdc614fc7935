"""Content streams followed: instructions, the graphics state, resources, fonts. No verdict."""
