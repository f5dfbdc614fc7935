"""Schemas as files: which there are, and their texts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from render.base.files import replace_files
from render.game.cards import GameSet
from render.game.registry import AnyGame, game_of
from render.game.schemas.card_schema import card_file, common_card
from render.game.schemas.schema_line import FOLDER, schema_file_name
from render.game.schemas.set_schema import deck_schema, set_schema
from render.source.shapes import Shape

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TITLES = {"cards": "Card file", "set": "Set", "deck": "Deck"}
OF_SETS = ("cards", "set")
"""The schemas that a set's own files need."""


def all_schemas(game: AnyGame, edition: int | None = None) -> dict[str, Shape]:
    """Return the schemas of a game's files by their names; with an edition, for cards that name no other."""
    cards = game.card_file_schema(edition) or card_file(common_card(game.kinds))
    found = {"cards": cards, "set": set_schema(game), "deck": deck_schema(game)}
    return {name: {"title": TITLES[name], **shape} for name, shape in found.items()} | dict(game.other_schemas())


def schema_text(shape: Shape) -> str:
    """Return the text of a schema's file, the same for the same schema."""
    return json.dumps({"$schema": DIALECT, **shape}, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def schemas_of_set(card_set: GameSet) -> dict[Path, str]:
    """Return the texts of the schema files of a set, by their paths."""
    game = game_of(card_set)
    shapes = all_schemas(game, game.edition_of(card_set))
    names = (*OF_SETS, "game") if game.folder == card_set.folder else OF_SETS
    return {card_set.folder / FOLDER / schema_file_name(name): schema_text(shapes[name]) for name in names}


def write_schemas(texts: Mapping[Path, str], below: Path | None = None) -> list[Path]:
    """Write the files that do not have these texts, all or none, and return them; OSError.

    `below` is as in `replace_files`.
    """
    stale = {file: text.encode() for file, text in texts.items() if not _holds(file, text.encode())}
    replace_files([(file, partial(bytes, data)) for file, data in stale.items()], below)
    return [*stale]


def _holds(file: Path, data: bytes) -> bool:
    return file.is_file() and file.stat().st_size == len(data) and file.read_bytes() == data
