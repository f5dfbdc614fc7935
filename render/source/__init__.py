"""YAML files as nodes that know their place, and typed values taken from them. No card."""
