"""Rich text: the notation of authors, read into values that templates print as elements. It knows no card."""
