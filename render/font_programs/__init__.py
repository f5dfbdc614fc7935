"""Font programs as they stand in a PDF: which glyphs they have, how wide these are, and where their ink is.

Only what a font in use needs is read, piece by piece; whatever a damaged program holds ends in `Unreadable`.
"""
