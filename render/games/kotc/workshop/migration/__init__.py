"""Sets rewritten for another edition."""
