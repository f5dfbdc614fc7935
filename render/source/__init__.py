"""YAML files as nodes that know their place, typed values taken from them, edits of them. No card."""
