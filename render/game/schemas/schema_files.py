"""Schemas as files: their texts, and the folder of a set in which editors find them.

That folder is `.kotc`, and a comment at the head of each file names the schema in it. So an editor finds it offline and
on every machine to which the set is copied, and no address and no path of one machine stands in a file. Readers of sets
pass over what begins with a dot.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from render.base.files import replace_files
from render.game.cards import GameSet
from render.game.folder import SET_FILE
from render.game.registry import AnyGame, game_of
from render.game.schemas.card_schema import card_file, common_card
from render.game.schemas.set_schema import deck_schema, set_schema
from render.source.shapes import Shape

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FOLDER = ".kotc"
TITLES = {"cards": "A card, or a list of cards", "set": "A set: set.yaml", "deck": "A deck"}
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


def schema_file_name(name: str) -> str:
    """Return the name of a schema's file."""
    return f"{name}.schema.json"


def schema_line(file: str) -> str:
    """Return the comment by which a file in the folder of a set, given by its name, names its schema to editors."""
    name = schema_file_name("set" if file == SET_FILE else "cards")
    return f"# yaml-language-server: $schema={FOLDER}/{name}"


def schemas_of_set(card_set: GameSet) -> dict[Path, str]:
    """Return the texts of the schema files of a set, by their paths."""
    game = game_of(card_set)
    shapes = all_schemas(game, game.edition_of(card_set))
    return {card_set.folder / FOLDER / schema_file_name(name): schema_text(shapes[name]) for name in OF_SETS}


def write_schemas(texts: Mapping[Path, str], below: Path | None = None) -> int:
    """Write the files that do not have these texts, all or none, and return how many; OSError.

    `below` is as in `replace_files`.
    """
    stale = {file: text.encode() for file, text in texts.items() if not _holds(file, text.encode())}
    replace_files([(file, lambda data=data: data) for file, data in stale.items()], below)  # type: ignore[misc] # mypy: a default
    return len(stale)


def _holds(file: Path, data: bytes) -> bool:
    return file.is_file() and file.stat().st_size == len(data) and file.read_bytes() == data


def without_line(files: Iterator[Path]) -> list[Path]:
    """Return those of these files that name no schema to editors."""
    return [file for file in files if _MARK not in file.read_bytes()]


_MARK = b"yaml-language-server:"
