"""Objects of a PDF as values: streams, instructions, functions, color spaces, pictures, ink. Nothing is drawn."""
