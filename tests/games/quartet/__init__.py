"""A game of two kinds of card, made by `render/game/protocol` alone."""
