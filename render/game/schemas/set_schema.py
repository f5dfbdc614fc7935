"""The schemas of `set.yaml` and of deck files: the keys that every game has, and those of the game."""

from __future__ import annotations

from render.game import registry
from render.game.decks.deck_file import DECK_KEYS
from render.game.registry import AnyGame
from render.game.sets.set_keys import SET_KEYS
from render.source.key_tables import KeyTable
from render.source.shapes import Shape


def set_schema(game: AnyGame) -> Shape:
    """Return the schema of the `set.yaml` of a game's sets."""
    return _with_game(game, SET_KEYS + game.set_table)


def deck_schema(game: AnyGame) -> Shape:
    """Return the schema of the deck files of a game."""
    return _with_game(game, DECK_KEYS + game.deck_table)


def _with_game(game: AnyGame, table: KeyTable) -> Shape:
    """Return the schema of these keys, of which files name the game unless it is the usual one."""
    is_usual = game.name == registry.DEFAULT or game.folder
    keys = (key if is_usual or key.name != "game" else key._replace(needed=True) for key in table.keys)
    return KeyTable(*keys, also=table.also).shape_in(game)
