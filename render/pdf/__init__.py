"""Scenes on pages as a PDF, and the standards of such files. Measures no text."""
