"""From a template and values to a scene, from a scene to its bleed, and to the inks of a press. No output format."""
