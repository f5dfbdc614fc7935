"""How faces lie on sheets: options, grid, imposition, marks, cuts. Arithmetic in mm; writes nothing."""
