"""kotc: trading cards of *Keeper of the Cards* from YAML to PNG and print-ready duplex PDF.

The map of the package is `render/README.md`.
"""

__version__ = "0.1.0"
