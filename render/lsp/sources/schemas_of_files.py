"""Which schema describes a file."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import cast

from render.base.caches import cached
from render.game.folder import GAME_FILE, SET_FILE, is_deck, is_game
from render.game.registry import DEFAULT, AnyGame, game_named, written_games
from render.game.schemas.schema_files import all_schemas
from render.lsp.sources.edited_set import EditedSet
from render.lsp.sources.schema_walk import SchemaWalk


def schema_of(file: Path, view: EditedSet | None) -> SchemaWalk | None:
    """Return the schema of a set's file, of a deck, or of a card file in a set; None for other files."""
    game = cast(Hashable, view.game if view else game_named(DEFAULT))  # mypy takes no protocol for hashable
    if file.name == GAME_FILE and is_game(file):
        return _game_schema()
    if file.name == SET_FILE:
        return _schema(game, "set")
    if is_deck(file):
        return _schema(game, "deck")
    return _schema(game, "cards", view.game.edition_of(view.card_set)) if view else None


@cached(1)
def _game_schema() -> SchemaWalk:
    return SchemaWalk(written_games().game_shape())


@cached(32)
def _schema(game: Hashable, kind: str, edition: int | None = None) -> SchemaWalk:
    return SchemaWalk(all_schemas(cast("AnyGame", game), edition)[kind])
