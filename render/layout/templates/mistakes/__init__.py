"""What is said of a template that is wrong, and where in its file: places, and the words about Jinja2 and SVG."""
