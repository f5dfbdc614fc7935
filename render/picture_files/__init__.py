"""What picture files say of themselves, read before a decoder sees them: sizes, colour profile, which way up.

What comes out is the file without all that is not needed to draw it: no camera data, no places, no thumbnails.
"""
