"""Single values of YAML: how each is written, what numbers are meant, and where its characters stand. No node."""
