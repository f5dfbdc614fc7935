"""Levels and Ultra Points, component by component."""
