"""Templates as files and as drawings: found, filled in, checked against the subset of SVG. They know no card."""
