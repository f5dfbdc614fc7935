"""Deck files: the cards of a deck and their counts, as written; cards/reference/decks.md is the reference."""

from __future__ import annotations

import os
from collections.abc import Iterator
from collections.abc import Mapping as MappingOf
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import Diagnostic, Span, nearest_word, quoted
from render.base.reach import describe_escape, real_path
from render.game import registry
from render.game.cards import CardBacks, DeckLine
from render.game.folder import GAME_FILE, SET_FILE, is_game
from render.game.home import Home
from render.game.registry import AnyGame
from render.game.sets.named_games import game_of_file, game_of_sets
from render.game.sets.set_keys import (
    SetAround,
    back_shape,
    game_shape,
    outputs_shape,
    read_backs,
    sheet_shape,
    sheet_values,
)
from render.sheets.options import KEYS as SHEET_KEYS
from render.source import reader, shapes
from render.source.fields import Fields, fields_of
from render.source.file_kinds import FileKind
from render.source.key_tables import FULL_LINE, Key, KeyTable, Value
from render.source.nodes import Mapping, Node, Scalar, Sequence, describe_node, first_key
from render.source.scalar_values import write_anywhere
from render.source.shapes import Shape

DECK = FileKind("B", "deck", {"name": "The Lamplit Coast", "sets": "[starter]", "cards": "{storm-hammer: 2}"})
MAX_COPIES = 999  # of one card in a deck
_FROM_DECK = "folders of sets are given from the folder of the deck file"
NO_BACKS = CardBacks(every="")


class DeckFile(Struct, frozen=True, kw_only=True):
    """A deck as written. `sets` are paths from the working folder.

    `backs` are those that it gives instead of its sets', "" for none. `sheet` are the values of the options of sheets that it gives, and `of_game` those of keys of its game. `fields` has everything else, and all findings.
    """

    file: Path
    name: str
    game: AnyGame
    sets: tuple[Path, ...]
    lines: tuple[DeckLine, ...]
    backs: CardBacks
    sheet: MappingOf[str, Any]
    of_game: MappingOf[str, Any]
    fields: Fields


def read(file: Path) -> DeckFile:
    """Return the deck that a file describes, and everything wrong in it; Refused if it has no keys."""
    document = reader.read(file)
    is_lacking = isinstance(document.root, Mapping) and document.root.get("sets") is None
    examples = {**DECK.examples, "sets": _example(file.parent)} if is_lacking else DECK.examples
    fields = fields_of(replace(DECK, examples=examples), document, document.root)
    sets = tuple(_sets(fields))
    game = _game(fields, sets) or registry.game_named(registry.DEFAULT)
    table = DECK_KEYS + game.deck_table
    home = Home(sets[0] if sets else file.parent)
    given = table.read(fields, SetAround(game, home, NO_BACKS))
    fields.note_cut_off(("name", "back"))
    sheet = fields.inner("sheet")
    if sheet is not None:
        sheet.check_keys(SHEET_KEYS)
    return DeckFile(
        file=file,
        name=given["name"],
        game=game,
        sets=sets,
        lines=given["cards"],
        backs=given["back"],
        sheet=sheet_values(sheet) if sheet else {},
        of_game={name: given[name] for name in game.deck_table.attributes},
        fields=fields,
    )


def _game(fields: Fields, sets: tuple[Path, ...]) -> AnyGame | None:
    """Return the game that a deck names, or should name as its sets do; None if neither tells."""
    if "game" in fields.values or is_game(fields.document.file.parent / GAME_FILE):
        return game_of_file(fields) or game_of_sets(fields, sets)
    return game_of_sets(fields, sets) or game_of_file(fields)


def read_sets(file: Path) -> tuple[Path, ...]:
    """Return the folders of sets that a deck names and that are there, as far as it can be read."""
    document, _ = reader.read_partly(file)
    if document is None or not isinstance(document.root, Mapping):
        return ()
    return tuple(_sets(fields_of(DECK, document, document.root)))


def key_place(fields: Fields, key: str) -> Span:
    """Return the place of a key; of the first one if it is not given."""
    given = [name for name, _ in fields.node.entries if name.value == key]
    return fields.document.span(given[0] if given else first_key(fields.node))


def _sets(fields: Fields) -> Iterator[Path]:
    """Yield the folders of the sets, which are given relative to the deck file."""
    node = fields.values.get("sets")
    home = fields.document.file.parent
    items = () if node is None else node.items if isinstance(node, Sequence) else (node,)
    if node is not None and not items:
        fields.expected("sets", "folders of sets", f"write for example `sets: {_example(home)}`")
    for item in items:
        if not isinstance(item, Scalar) or not item.value.strip():
            fields.expected("sets", "folders of sets", f"write for example `sets: {_example(home)}`")
            return
        folder = _short(home / item.value)
        if not folder.is_dir():
            message = f"there is no folder {quoted(str(folder))}"
            near = nearest_word(folder.name, sets_beside(folder))
            hint = f"did you mean `{Path(item.value).with_name(near).as_posix()}`?" if near else _FROM_DECK
            problem = Diagnostic("B020", message, hint)
        elif _leads_away(home, item.value):
            message = f"the set `{folder}` {describe_escape(folder, 'the folder of the deck')}"
            problem = Diagnostic("B028", message, "name the folder itself")
        else:
            yield folder
            continue
        fields.findings.append(problem.at(fields.document.span(item), field="sets"))


def _example(home: Path) -> str:
    """Return what a deck in a folder may say of its sets, with one that is there if there is any."""
    near = next(iter(sets_near(home)), "starter")
    name = near.removeprefix("../")
    return f"[{near if write_anywhere(name) == name else write_anywhere(near)}]"


def sets_near(home: Path) -> list[str]:
    """Return the sets in a folder, and then those beside it, as a deck in that folder names them."""
    home = home.resolve()
    return [*sets_beside(home / SET_FILE), *(f"../{name}" for name in sets_beside(home))]


def sets_beside(folder: Path) -> list[str]:
    """Return the names of the folders beside one that have a `set.yaml`."""
    try:
        return sorted(each.parent.name for each in folder.parent.glob(f"*/{SET_FILE}"))
    except OSError:
        return []


def _leads_away(home: Path, name: str) -> bool:
    """Return whether the way to a folder has a link that leads out of the folder of the deck."""
    plain = os.path.normpath(Path(os.path.realpath(home)) / name)
    return os.path.realpath(home / name) != plain and real_path(home / name, home) is None


def _short(folder: Path) -> Path:
    """Return the path without `..`, unless a link makes that another folder."""
    short = Path(os.path.normpath(folder))
    return short if os.path.realpath(short) == os.path.realpath(folder) else folder  # also of links in a circle


def _lines(fields: Fields, key: str, _: SetAround) -> tuple[DeckLine, ...]:
    lines: dict[str, DeckLine] = {}
    for name, value in _entries(fields, key):
        if name.value.isdecimal() and isinstance(value, Scalar) and value.value and not value.value.isdecimal():
            # The number stands before its card, as in `2: Dog`.
            message = f"expected a card and how many of it, found {quoted(f'{name.value}: {value.value}')}"
            hint = f"write {quoted(f'{value.value}: {name.value}')}"
            fields.findings.append(Diagnostic("B005", message, hint).at(fields.document.span(name), field=key))
            continue
        count = 1
        if value is not None:
            line = Mapping(((name, value),), name.start, value.end)
            count = fields.within(key, line).whole(name.value, 1, MAX_COPIES) or 1
        line_of_deck = DeckLine(name.value, count, fields.document.span(name))
        other = lines.setdefault(name.value, line_of_deck)
        if other is not line_of_deck:
            fields.findings.append(twice(line_of_deck, other.span))
    return tuple(lines.values())


def twice(line: DeckLine, first: Span) -> Diagnostic:
    """Return the finding about a card that a deck lists twice."""
    message = f"{quoted(line.card)} is listed twice, first at {first}"
    return Diagnostic("B021", message, "write it once, with the sum of both").at(line.span, field="cards")


def _entries(fields: Fields, key: str) -> Iterator[tuple[Scalar, Node | None]]:
    """Yield ids and counts from a mapping, or from a list of ids and of `id: count`."""
    node = fields.values[key]
    hint = "write for example `storm-hammer: 2`"
    if isinstance(node, Scalar):
        fields.expected(key, "ids of cards and how many of each", hint)
    items = node.items if isinstance(node, Sequence) else (node,) if isinstance(node, Mapping) else ()
    for item in items:
        if isinstance(item, Mapping):
            yield from item.entries
        elif isinstance(item, Scalar) and item.value:
            yield item, None
        else:
            message = f"expected a card and how many of it, found {describe_node(item)}"
            fields.findings.append(Diagnostic("B005", message, hint).at(fields.document.span(item), field=key))


_COUNTED: Shape = {"type": "object", "additionalProperties": shapes.whole(1, MAX_COPIES)}
_FOLDER: Shape = {**shapes.WORD, "pattern": r"\S"}
DECK_KEYS = KeyTable(
    Key(
        "name",
        FULL_LINE,
        "the name of the deck, printed in the margin of its sheets",
        "text in one line",
        needed=True,
        default="",
    ),
    Key(
        "sets",
        Value(shapes.either(_FOLDER, shapes.listing(_FOLDER, least=1)), lambda *_: ()),
        "where its cards are: folders of sets, or folders that hold several sets, relative to the deck file",
        "folders",
        needed=True,
    ),
    Key(
        "cards",
        Value(shapes.either(_COUNTED, shapes.listing(shapes.either(shapes.WORD, _COUNTED))), _lines),
        "ids or exact names: `paper-boat: 4`, `Paper Boat: 4`, or with the set's folder, `starter/paper-boat: 4`, if "
        "several sets have the card; or a list, in which a card without a count counts once",
        "cards and counts, 1 to 999",
        needed=True,
        default=(),
    ),
    Key(
        "back",
        Value(back_shape, read_backs),
        "the back of those cards that name none themselves, instead of the back of their set; its file lies in the sets",
        "as in `set.yaml`",
        default=NO_BACKS,
    ),
    Key(
        "sheet",
        Value(sheet_shape),
        "how its sheets are made; what it leaves out comes from its sets",
        "as in `set.yaml`",
    ),
    Key(
        "outputs",
        Value(outputs_shape),
        "what `kotc build` makes; the default is PNGs and sheets",
        "as in `set.yaml`",
    ),
    Key("game", Value(game_shape), "the game of its sets", "`kotc`"),
)
"""The keys that a deck has in every game."""
