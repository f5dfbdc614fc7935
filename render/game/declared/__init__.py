"""Games that are written in YAML: `game.yaml` read and checked, and the cards of such a game."""
