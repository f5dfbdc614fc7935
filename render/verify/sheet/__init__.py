"""A page of a sheet: boxes, slots, backs, copies, edges, marks. Nothing of card files."""
