"""What is painted on a page, and what a scene paints. Nothing of sheets."""
