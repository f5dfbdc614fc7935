"""The header of a sheet: which key each column gives, and whether the rows are cards at all."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from render.base.findings import Diagnostic, nearest_word, quoted
from render.base.limits import YAML_LEVELS
from render.source.tables.cells import TableCell, TableRow, TableSheet, cell_span

# Keys that cards of every game have. Other sheets may have one of them by chance.
_OF_CARDS = ("id", "name", "kind", "copies", "art", "back", "text", "faces", "template")
_MAX_DIGITS = 4  # of the number of an item
_PART = re.compile(r'"((?:[^"]|"")*)"|([^."]+)')
_OF_PICTURES = ("front", "back")  # the last columns of the table that `kotc table --for folder` writes


@dataclass(frozen=True, slots=True)
class Heading:
    """A cell of the header, and the keys on the way to the value: `("art", "file")` for `art.file`."""

    cell: TableCell
    path: KeyPath


KeyPath = tuple[str | int, ...]
"""Keys and, of items of lists, numbers from 1."""


def path_of(words: str) -> KeyPath | None:
    """Return the keys of a heading such as `art.file`, `faces.1.name` or `words.de."1.b"`; None if it is no heading.

    Capitals count only within quotes: keys of cards have none.
    """
    path: list[str | int] = []
    at = 0
    if words.count(".") >= YAML_LEVELS.most:
        return None
    while match := _PART.match(words, at):
        path.append(_key(match[2].strip()) if match[1] is None else match[1].replace('""', '"'))
        at = match.end()
        if at == len(words):
            return tuple(path) if all(part != "" for part in path) else None
        if words[at] != ".":
            return None
        at += 1
    return None


def _key(words: str) -> str | int:
    return int(words) if words.isascii() and words.isdecimal() and len(words) <= _MAX_DIGITS else words.lower()


_FACE = re.compile(
    r"(?:faces?|sides?|cards?)?[ _.-]*(?P<number>[1-9])[ _.-]*(?P<key>[a-z_ ]+)"
    r"|(?P<first>[a-z_]+?)[ _.-]?(?P<last>[12])"
)


def face_heading(words: str, known: Collection[str]) -> str:
    """Return the heading that `face2.name`, `Face 2 name` and `name2` are meant for; "" for other words.

    `known` are the keys of the card: of one that shows small cards, `faces` is among them.
    """
    match = _FACE.fullmatch(words.lower())
    if match is None or "faces" not in known:
        return ""
    key = nearest_word((match["key"] or match["first"]).strip().replace(" ", "_"), known)
    return f"faces.{match['number'] or match['last']}.{key}" if key else ""


def heading_for(path: KeyPath) -> str:
    """Return the heading that names these keys: the way back of `path_of`."""
    return ".".join(_quoted_key(str(part)) if _is_odd(part) else str(part) for part in path)


def _is_odd(part: str | int) -> bool:
    return path_of(str(part)) != (part,) or (isinstance(part, str) and not part[:1].isalnum())


def _quoted_key(key: str) -> str:
    return '"' + key.replace('"', '""') + '"'


def without_columns(sheet: TableSheet, ignored: Collection[str]) -> TableSheet:
    """Return a sheet without the columns whose headings begin with `#` or are `ignored`, and without rows that say
    nothing else; capitals do not count."""
    names = {name.strip().casefold() for name in ignored}
    headings = ((cell, cell.text.strip()) for cell in (sheet.rows[0] if sheet.rows else ()) if not cell.flaw)
    columns = {cell.column for cell, words in headings if words.startswith("#") or words.casefold() in names}
    if not columns:
        return sheet
    rows = (tuple(cell for cell in row if cell.column not in columns) for row in sheet.rows)
    return TableSheet(sheet.name, tuple(row for row in rows if row))


def holds_cards(sheet: TableSheet) -> bool:
    """Return whether the rows of a sheet seem to be cards: it has a column `name`, or two others that cards have."""
    if not sheet.rows or _is_of_pictures(sheet.rows):
        return False
    words = [cell.text.strip().lower() for cell in sheet.rows[0]]
    lasts = {part for word in words for part in (word.partition(".")[0], word.rpartition(".")[2])}
    return "name" in lasts or len({nearest_word(each, _OF_CARDS) for each in words} - {""}) > 1


def _is_of_pictures(rows: Sequence[TableRow]) -> bool:
    """Return whether it is the table of a folder of pictures, which `kotc table` writes."""
    words = tuple(cell.text for cell in rows[0])
    fronts = [cell.text for row in rows[1:] for cell in row if cell.column == rows[0][-2].column] if words[1:] else []
    return words[-2:] == _OF_PICTURES and all(each.endswith(".png") for each in fronts)


def read_header(file: Path, sheet: TableSheet) -> tuple[dict[int, Heading], list[Diagnostic]]:
    """Return the headings of a sheet by column, and what is wrong with them."""
    found: dict[int, Heading] = {}
    findings: list[Diagnostic] = []
    for cell in sheet.rows[0]:
        if cell.flaw:
            continue  # said with the other cells
        words = normalize("NFC", cell.text.strip())
        path = path_of(words)
        problem = None
        if path is None:
            hint = "a heading is a key such as `name`, or keys with dots between them such as `art.file`"
            problem = Diagnostic("N006", f"{quoted(words)} is no heading", hint)
        elif earlier := next((each.cell for each in found.values() if each.path == path), None):
            message = f"the key {quoted(words)} is given twice, first in cell {earlier.name}"
            problem = Diagnostic("Y012", message, "remove one of the two columns")
        else:
            found[cell.column] = Heading(cell, path)
        if problem:
            findings.append(problem.at(cell_span(file, sheet.name, cell, words, (0, len(words)))))
    return found, findings


def said_once(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the findings, one for each heading that is no key: of what its rows say, which helps most."""
    found: dict[object, Diagnostic] = {}
    for index, finding in enumerate(findings):
        unknown = finding.span is not None and finding.span.cell is not None and finding.code.endswith("002")
        key = (finding.message, finding.span) if unknown else index
        known = found.get(key)
        if known is None or (finding.hint.startswith(_HELPS) and not known.hint.startswith(_HELPS)):
            found[key] = finding
    return list(found.values())


_HELPS = "did you mean"
