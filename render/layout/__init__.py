"""From a template and values to a scene, and from a scene to its bleed. No output format."""
