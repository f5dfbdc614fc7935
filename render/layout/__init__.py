"""From a template and values to a scene, and from a scene to its bleed and its proofs. No output format."""
