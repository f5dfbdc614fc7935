"""Jinja2 as templates run in it: a sandbox with what it offers, a budget, and the code that it compiles."""
