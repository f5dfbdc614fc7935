"""The cards of a set in one file of another format, with every key that they have: reading it gives the same cards."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from render.base.findings import Diagnostic, Refused
from render.base.limits import CELL, CSV_FILE, TABLE_COLUMNS, YAML_FILE, Limit
from render.base.patterns import regex
from render.game.cards import GameSet
from render.game.folder import TABLES
from render.source.nodes import Mapping, Node, Scalar
from render.source.nodes import Sequence as NodeList
from render.source.scalar_values import ScalarStyle
from render.source.tables.cells import EMPTIES, cell_for
from render.source.tables.documents import KeyPath, heading_for
from render.source.tables.writing import WRITERS
from render.source.writing import write_item

ENDINGS = (".xlsx", ".ods", ".csv", ".json", ".yaml")
"""The formats that cards are exported to, by the endings of their files."""

_SHEET = "Cards"
_RUNS_FORMULAS = (".csv",)  # the other formats tell texts from formulas
_NUMBER = regex(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")  # of JSON, without powers of ten


def exported(card_set: GameSet, ending: str) -> bytes:
    """Return a file with all cards of a set; Refused if the format cannot hold them."""
    return file_of_cards([card.node for card in card_set.cards], ending)


def file_of_cards(nodes: Sequence[Mapping], ending: str) -> bytes:
    """Return a file with these cards; Refused if the format cannot hold them."""
    if ending == ".json":
        return f"[{','.join(_json(node, 1) for node in nodes)}\n]\n".encode()
    if ending == ".yaml":
        data = "\n".join("".join(f"{line}\n" for line in write_item(node)) for node in nodes).encode()
        return _within(data, YAML_FILE, "export to .csv, .ods or .xlsx, or split the set")
    data = WRITERS[ending](_rows(nodes, ending), _SHEET)
    return _within(data, CSV_FILE, "export to .xlsx, or split the set") if ending == ".csv" else data


def _within(data: bytes, limit: Limit, hint: str) -> bytes:
    if len(data) > limit.most:
        raise _refused(f"the file would be larger than {limit}, which is not read again", hint)
    return data


def _refused(message: str, hint: str) -> Refused:
    return Refused([Diagnostic("N014", message, hint).at()])


def check_place(card_set: GameSet, file: Path) -> None:
    """Raise Refused if the set would read the file as well as the cards that it is made of."""
    if file.suffix.lower() not in (*TABLES, ".yaml") or file.parent.resolve() != card_set.folder.resolve():
        return
    others = sorted({card.document.file.name for card in card_set.cards} - {file.name})
    if others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        message = f"with `{file}` the set would have each card twice: they are in `{others[0]}`{more}"
        place = card_set.folder.parent / file.name
        hint = f"export to another folder, such as `--to {place}`; then move the file here in place of the others"
        raise Refused([Diagnostic("N013", message, hint).at()])


# --- rows -----------------------------------------------------------------------------------------------------------


def _rows(nodes: Sequence[Mapping], ending: str) -> list[list[str]]:
    """Return the header and a row for each card."""
    cards = [dict(_cells(node, (), ending)) for node in nodes]
    columns = _columns(cards)
    if len(columns) > TABLE_COLUMNS.most:
        message = f"the cards have {len(columns)} keys together, and a table may have {TABLE_COLUMNS.most} columns"
        raise _refused(message, "export to .json or .yaml")
    if any(len(text) > CELL.most for card in cards for text in card.values()):
        raise _refused(f"a text has more than {CELL}", "export to .json or .yaml")
    return [[heading_for(path) for path in columns], *([card.get(path, "") for path in columns] for card in cards)]


def _cells(node: Node, path: KeyPath, ending: str) -> Iterator[tuple[KeyPath, str]]:
    """Yield the cells of a value, each with the keys on the way to it."""
    match node:
        case Scalar():
            yield path, cell_for(node.value, runs_formulas=ending in _RUNS_FORMULAS)
        case Mapping(entries=entries):
            yield from () if entries else [(path, EMPTIES[2])]
            for key, value in entries:
                yield from _cells(value, (*path, key.value), ending)
        case NodeList(items=items):
            yield from () if items else [(path, EMPTIES[1])]
            for number, item in enumerate(items, start=1):
                yield from _cells(item, (*path, number), ending)


def _columns(cards: Sequence[dict[KeyPath, str]]) -> list[KeyPath]:
    """Return the columns of all cards: each behind the one that stands before it in a card."""
    columns: list[KeyPath] = []
    known: set[KeyPath] = set()
    for card in cards:
        behind = 0
        for path in card:
            if path not in known:
                known.add(path)
                columns.insert(behind, path)
                behind += 1
            else:
                behind = columns.index(path) + 1
    return columns


# --- JSON -----------------------------------------------------------------------------------------------------------


def _json(node: Node, depth: int) -> str:
    """Return a value, behind a line break and its indentation if it is an item of the file."""
    lead = "\n" + "  " * depth if depth == 1 else ""
    match node:
        case Scalar(value=value, style=ScalarStyle.PLAIN) if _NUMBER.fullmatch(value) or value in ("true", "false"):
            return value
        case Scalar(value=value):
            return json.dumps(value, ensure_ascii=False)
        case Mapping(entries=entries):
            keys = (json.dumps(key.value, ensure_ascii=False) for key, _ in entries)
            values = (_json(value, depth + 1) for _, value in entries)
            return f"{lead}{{{', '.join(map(': '.join, zip(keys, values, strict=True)))}}}"
    return f"[{', '.join(_json(item, depth + 1) for item in node.items)}]"
