"""Deck files: the cards of a deck and their counts, as written; cards/README.md is the reference."""

from __future__ import annotations

import os
from collections.abc import Iterator
from collections.abc import Mapping as MappingOf
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from render.base.findings import Finding, Problem, Refused, Span, quoted
from render.base.reach import describe_escape, real_path
from render.game import registry
from render.game.cards import CardBacks, DeckLine
from render.game.folder import GAME_FILE, is_game
from render.game.home import Home
from render.game.registry import AnyGame
from render.game.sets.named_games import game_of_file, game_of_sets
from render.game.sets.set_keys import read_backs, sheet_values
from render.sheets.options import KEYS as SHEET_KEYS
from render.source import reader
from render.source.fields import Fields, fields_of
from render.source.file_kinds import FileKind
from render.source.nodes import Mapping, Node, Scalar, Sequence, describe_node, first_key

DECK = FileKind("B", "deck", {"name": "The Lamplit Coast", "sets": "[starter]", "cards": "{storm-hammer: 2}"})
KEYS = ("name", "sets", "cards", "back", "game", "sheet", "outputs")
"""The keys that a deck has in every game; the first three must be given."""

MAX_COPIES = 999  # of one card in a deck
NO_BACKS = CardBacks(every="")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckFile:
    """A deck as written. `sets` are paths from the working folder; `place` is that of `cards`.

    `backs` are those that it gives instead of its sets', "" for none. `sheet` are the values of the options of sheets that it gives. `fields` has everything else, and all findings.
    """

    file: Path
    name: str
    game: AnyGame
    sets: tuple[Path, ...]
    lines: tuple[DeckLine, ...]
    backs: CardBacks
    sheet: MappingOf[str, Any]
    place: Span
    fields: Fields


def read(file: Path) -> DeckFile:
    """Return the deck that a file describes, and everything wrong in it; Refused if it has no keys."""
    document = reader.read(file)
    fields = fields_of(DECK, document, document.root)
    sets = tuple(_sets(fields))
    game = _game(fields, sets) or registry.game_named(registry.DEFAULT)
    fields.check_keys((*KEYS, *game.deck_keys))
    fields.note_cut_off(("name", "back"))
    for key in DECK.examples:
        fields.given(key)
    sheet = fields.inner("sheet")
    if sheet is not None:
        sheet.check_keys(SHEET_KEYS)
    return DeckFile(
        file=file,
        name=fields.words("name") if "name" in fields.values else "",
        game=game,
        sets=sets,
        lines=tuple(_lines(fields)),
        backs=read_backs(fields, Home(sets[0] if sets else file.parent), game, NO_BACKS),
        sheet=sheet_values(sheet) if sheet else {},
        place=key_place(fields, "cards"),
        fields=fields,
    )


def _game(fields: Fields, sets: tuple[Path, ...]) -> AnyGame | None:
    """Return the game that a deck names, or should name as its sets do; None if neither tells."""
    if "game" in fields.values or is_game(fields.document.file.parent / GAME_FILE):
        return game_of_file(fields) or game_of_sets(fields, sets)
    return game_of_sets(fields, sets) or game_of_file(fields)


def read_sets(file: Path) -> tuple[Path, ...]:
    """Return the folders of sets that a deck names and that are there; none if it cannot be read."""
    try:
        document = reader.read(file)
        return tuple(_sets(fields_of(DECK, document, document.root)))
    except Refused:
        return ()


def key_place(fields: Fields, key: str) -> Span:
    """Return the place of a key; of the first one if it is not given."""
    given = [name for name, _ in fields.node.entries if name.value == key]
    return fields.document.span(given[0] if given else first_key(fields.node))


def _sets(fields: Fields) -> Iterator[Path]:
    """Yield the folders of the sets, which are given relative to the deck file."""
    node = fields.values.get("sets")
    if node is None:
        return
    items = node.items if isinstance(node, Sequence) else (node,)
    for item in items:
        if not isinstance(item, Scalar) or not item.value.strip():
            fields.expected("sets", "folders of sets", "write for example `sets: [starter]`")
            return
        folder = _short(fields.document.file.parent / item.value)
        code, message = "B020", f"there is no folder {quoted(str(folder))}"
        hint = "folders of sets are given from the folder of the deck file"
        if folder.is_dir():
            if _is_reached(fields.document.file.parent, item.value):
                yield folder
                continue
            code, message = "B028", f"the set `{folder}` {describe_escape(folder, 'the folder of the deck')}"
            hint = "name the folder itself"
        fields.findings.append(Problem(code, message, hint).at(fields.document.span(item), field="sets"))
    if not items:
        fields.expected("sets", "folders of sets", "write for example `sets: [starter]`")


def _is_reached(home: Path, name: str) -> bool:
    """Return whether a deck may name a folder this way: without a link, or with one that does not lead away."""
    plain = os.path.normpath(Path(os.path.realpath(home)) / name)
    return os.path.realpath(home / name) == plain or real_path(home / name, home) is not None


def _short(folder: Path) -> Path:
    """Return the path without `..`, unless a link makes that another folder."""
    short = Path(os.path.normpath(folder))
    return short if os.path.realpath(short) == os.path.realpath(folder) else folder  # also of links in a circle


def _lines(fields: Fields) -> Iterator[DeckLine]:
    node = fields.values.get("cards")
    if node is None:
        return
    seen: dict[str, DeckLine] = {}
    for key, value in _entries(fields, node):
        if _is_upside_down(fields, key, value):
            continue
        line = DeckLine(key.value, _count(fields, key, value), fields.document.span(key))
        other = seen.setdefault(key.value, line)
        if other is line:
            yield line
        else:
            fields.findings.append(twice(line, other.span))


def _is_upside_down(fields: Fields, key: Scalar, value: Node | None) -> bool:
    """Note a number that stands before its card, as in `2: Dog`; return whether it does."""
    if not (key.value.isdecimal() and isinstance(value, Scalar) and value.value and not value.value.isdecimal()):
        return False
    message = f"expected a card and how many of it, found {quoted(f'{key.value}: {value.value}')}"
    hint = f"write {quoted(f'{value.value}: {key.value}')}"
    fields.findings.append(Problem("B005", message, hint).at(fields.document.span(key), field="cards"))
    return True


def twice(line: DeckLine, first: Span) -> Finding:
    """Return the finding about a card that a deck lists twice."""
    message = f"{quoted(line.card)} is listed twice, first at {first}"
    return Problem("B021", message, "write it once, with the sum of both").at(line.span, field="cards")


def _entries(fields: Fields, node: Node) -> Iterator[tuple[Scalar, Node | None]]:
    """Yield ids and counts from a mapping, or from a list of ids and of `id: count`."""
    if isinstance(node, Mapping):
        yield from node.entries
    elif isinstance(node, Sequence):
        for item in node.items:
            if isinstance(item, Mapping):
                yield from item.entries
            elif isinstance(item, Scalar) and item.value:
                yield item, None
            else:
                _expected_card(fields, item)
    else:
        fields.expected("cards", "ids of cards and how many of each", "write for example `storm-hammer: 2`")


def _expected_card(fields: Fields, node: Node) -> None:
    message = f"expected a card and how many of it, found {describe_node(node)}"
    hint = "write for example `storm-hammer: 2`"
    fields.findings.append(Problem("B005", message, hint).at(fields.document.span(node), field="cards"))


def _count(fields: Fields, key: Scalar, value: Node | None) -> int:
    if value is None:
        return 1
    line = Mapping(((key, value),), key.start, value.end)
    return fields.within("cards", line).whole(key.value, 1, MAX_COPIES) or 1
