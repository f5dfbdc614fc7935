"""Schemas as files in the folder `.kotc` of a set, and the comment at the head of a file by which editors find its own.

An editor looks for the schema from the file, so it finds it offline and on every machine to which the set is copied,
and no address and no path of one machine stands in a file. Readers of sets pass over what begins with a dot.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from render.base.files import replace_files
from render.base.findings import Refused
from render.game.folder import GAME_FILE, SET_FILE
from render.source.nodes import BOM
from render.source.reader import read_text

if TYPE_CHECKING:
    from render.game.cards import CardKind, GameSet
    from render.game.registry import AnyGame
    from render.source.key_tables import KeyTable
    from render.source.shapes import Shape

FOLDER = ".kotc"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
_MARK = "yaml-language-server:"


def all_schemas(game: AnyGame, edition: int | None = None, kinds: Sequence[CardKind] = ()) -> dict[str, Shape]:
    """Return the schemas of a game's files by their names; with an edition, for cards that name no other.

    `kinds` are those that only the rules of a set have.
    """
    from render.game.card_reading import card_file, common_card
    from render.game.decks.deck_file import DECK_KEYS
    from render.game.sets.set_keys import SET_KEYS

    cards = game.card_file_schema(edition, kinds) or card_file(common_card(game.kinds))
    return {
        "cards": {"title": "Card file", **cards},
        "set": {"title": "Set", **_with_game(game, SET_KEYS + game.set_table, kinds)},
        "deck": {"title": "Deck", **_with_game(game, DECK_KEYS + game.deck_table, kinds)},
        **game.other_schemas(),
    }


def _with_game(game: AnyGame, table: KeyTable, kinds: Sequence[CardKind]) -> Shape:
    """Return the schema of these keys, of which files name the game unless it is the usual one."""
    from render.game.registry import DEFAULT
    from render.game.sets.set_keys import back_shape
    from render.source.key_tables import KeyTable

    is_usual = game.name == DEFAULT or game.folder
    keys = (key if is_usual or key.name != "game" else replace(key, needed=True) for key in table.keys)
    shape = KeyTable(*keys, also=table.also).shape_in(game)
    if not kinds:
        return shape
    properties = cast("Mapping[str, Shape]", shape["properties"])
    back = {**properties["back"], **back_shape(game, (str(kind.value) for kind in kinds))}
    return {**shape, "properties": {**properties, "back": back}}


def schema_text(shape: Shape) -> str:
    """Return the text of a schema's file, the same for the same schema."""
    return json.dumps({"$schema": DIALECT, **shape}, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def schema_file_name(name: str) -> str:
    """Return the name of a schema's file."""
    return f"{name}.schema.json"


def schemas_of_set(card_set: GameSet) -> dict[Path, str]:
    """Return the texts of the schema files of a set, by their paths."""
    from render.game.registry import game_of

    game = game_of(card_set)
    shapes = all_schemas(game, game.edition_of(card_set), game.new_kinds(card_set))
    names = ("cards", "set", "game") if game.folder == card_set.folder else ("cards", "set")
    return {card_set.folder / FOLDER / schema_file_name(name): schema_text(shapes[name]) for name in names}


def write_schemas(texts: Mapping[Path, str], below: Path | None = None) -> list[Path]:
    """Write the files that do not have these texts, all or none, and return them; OSError.

    `below` is as in `replace_files`.
    """
    contents = {file: text.encode() for file, text in texts.items()}
    stale = [file for file, data in contents.items() if not (file.is_file() and _holds(file, data))]
    replace_files([(file, partial(bytes, contents[file])) for file in stale], below)
    return stale


def _holds(file: Path, data: bytes) -> bool:
    return file.stat().st_size == len(data) and file.read_bytes() == data


# --- the line at the head of a file ---------------------------------------------------------------------------------


def schema_line(file: str) -> str:
    """Return the line for a file in the folder of a set, given by its name."""
    name = schema_file_name({SET_FILE: "set", GAME_FILE: "game"}.get(file, "cards"))
    return f"# {_MARK} $schema={FOLDER}/{name}"


def begin_with_line(file: str, text: str) -> str:
    """Return the text of a file that begins with its line, unless it has one; everything else stays."""
    if _MARK in text:
        return text
    newline = re.search(r"\r\n|\r|\n", text)
    mark = BOM if text.startswith(BOM) else ""
    return f"{mark}{schema_line(file)}{newline[0] if newline else chr(10)}{text.removeprefix(BOM)}"


def head_of_new(folder: Path) -> str:
    """Return what a new card file of a set begins with: its line, if the set has schemas."""
    has_schemas = (folder / FOLDER / schema_file_name("cards")).is_file()
    return begin_with_line("", "") if has_schemas else ""


def without_line(files: Iterable[Path], home: Path) -> dict[Path, str]:
    """Return the texts of those files of the set in the folder `home` that name no schema to editors.

    Files that cannot be read are left out: every other command says what is wrong with them.
    """
    texts = {}
    for file in files:
        with suppress(Refused):
            texts[file] = read_text(file, home)
    return {file: text for file, text in texts.items() if _MARK not in text}
