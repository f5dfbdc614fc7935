"""Deck files: the cards of a deck and their counts, as written; cards/reference/decks.md is the reference."""

from __future__ import annotations

import os
from collections.abc import Iterator
from collections.abc import Mapping as MappingOf
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from render.base.findings import Diagnostic, Refused, Span, nearest_word, quoted
from render.base.reach import describe_escape, real_path
from render.game import registry
from render.game.cards import CardBacks, DeckLine
from render.game.folder import GAME_FILE, SET_FILE, is_game
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
_FROM_DECK = "folders of sets are given from the folder of the deck file"
NO_BACKS = CardBacks(every="")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckFile:
    """A deck as written. `sets` are paths from the working folder.

    `backs` are those that it gives instead of its sets', "" for none. `sheet` are the values of the options of sheets that it gives. `fields` has everything else, and all findings.
    """

    file: Path
    name: str
    game: AnyGame
    sets: tuple[Path, ...]
    lines: tuple[DeckLine, ...]
    backs: CardBacks
    sheet: MappingOf[str, Any]
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
    home = fields.document.file.parent
    items = () if node is None else node.items if isinstance(node, Sequence) else (node,)
    if node is not None and not items:
        fields.expected("sets", "folders of sets", "write for example `sets: [starter]`")
    for item in items:
        if not isinstance(item, Scalar) or not item.value.strip():
            fields.expected("sets", "folders of sets", "write for example `sets: [starter]`")
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


def _lines(fields: Fields) -> Iterator[DeckLine]:
    seen: dict[str, DeckLine] = {}
    for key, value in _entries(fields):
        if key.value.isdecimal() and isinstance(value, Scalar) and value.value and not value.value.isdecimal():
            # The number stands before its card, as in `2: Dog`.
            message = f"expected a card and how many of it, found {quoted(f'{key.value}: {value.value}')}"
            hint = f"write {quoted(f'{value.value}: {key.value}')}"
            fields.findings.append(Diagnostic("B005", message, hint).at(fields.document.span(key), field="cards"))
            continue
        count = 1
        if value is not None:
            line = Mapping(((key, value),), key.start, value.end)
            count = fields.within("cards", line).whole(key.value, 1, MAX_COPIES) or 1
        line_of_deck = DeckLine(key.value, count, fields.document.span(key))
        other = seen.setdefault(key.value, line_of_deck)
        if other is line_of_deck:
            yield line_of_deck
        else:
            fields.findings.append(twice(line_of_deck, other.span))


def twice(line: DeckLine, first: Span) -> Diagnostic:
    """Return the finding about a card that a deck lists twice."""
    message = f"{quoted(line.card)} is listed twice, first at {first}"
    return Diagnostic("B021", message, "write it once, with the sum of both").at(line.span, field="cards")


def _entries(fields: Fields) -> Iterator[tuple[Scalar, Node | None]]:
    """Yield ids and counts from a mapping, or from a list of ids and of `id: count`."""
    node = fields.values.get("cards")
    hint = "write for example `storm-hammer: 2`"
    if isinstance(node, Scalar):
        fields.expected("cards", "ids of cards and how many of each", hint)
    items = node.items if isinstance(node, Sequence) else (node,) if isinstance(node, Mapping) else ()
    for item in items:
        if isinstance(item, Mapping):
            yield from item.entries
        elif isinstance(item, Scalar) and item.value:
            yield item, None
        else:
            message = f"expected a card and how many of it, found {describe_node(item)}"
            fields.findings.append(Diagnostic("B005", message, hint).at(fields.document.span(item), field="cards"))
