"""Sets as they are read and judged: `set.yaml`, the game that it names, its card files, and all that is wrong."""
