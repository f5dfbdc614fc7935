"""Templates as files and as programs: found, compiled, run within a budget. They know no card."""
