"""A scene as pixels, and many of them by many processes. Measures no text."""
