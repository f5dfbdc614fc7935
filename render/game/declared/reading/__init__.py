"""`game.yaml` as values: what it declares, how it is read, and everything that is wrong in it."""
