"""The cards of sheets as a card file: keys by the headings, values by the cells, each node with the place of its cell."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from collections.abc import Mapping as MappingOf
from collections.abc import Sequence as SequenceOf
from pathlib import Path
from typing import ClassVar
from unicodedata import normalize

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import Diagnostic, Span, listed, nearest_word, quoted
from render.base.limits import CELLS_OF_LIST, YAML_LEVELS
from render.base.patterns import regex
from render.source.building import REPLACEMENT, UNPRINTABLE
from render.source.nodes import Document, Mapping, Node, Scalar, Sequence
from render.source.scalar_values import Range, ScalarStyle
from render.source.tables.cells import (
    EMPTIES,
    TableCell,
    TableRow,
    TableSheet,
    cell_span,
    column_name,
    flaw_of,
    said_by_cell,
)

# Keys that cards of every game have. Other sheets may have one of them by chance.
_OF_CARDS = ("id", "name", "kind", "copies", "art", "back", "text", "faces", "template")
_MAX_DIGITS = 4  # of the number of an item
_PART = regex(r'"((?:[^"]|"")*)"|([^."]+)')
_OF_PICTURES = ("front", "back")  # the last columns of the table that `kotc table --for folder` writes


class Heading(Struct, frozen=True):
    """A cell of the header, and the keys on the way to the value: `("art", "file")` for `art.file`."""

    cell: TableCell
    path: KeyPath


KeyPath = tuple[str | int, ...]
"""Keys and, of items of lists, numbers from 1."""


Columns = Iterable[tuple[str, str]]
"""The keys that headings stand for, "" for those of columns that are left out; capitals do not count."""


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


_FACE = regex(
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


def with_keys(sheet: TableSheet, columns: Columns, languages: SequenceOf[str] = ()) -> TableSheet:
    """Return a sheet with keys in place of the headings that `columns` names, and without the columns that are left out.

    These are those with "" as their key, and those whose headings begin with `#`; rows that say nothing else go, too.
    Of a heading that ends in one of the `languages`, such as `name.ja`, the key is `words.ja.name`; in the first, `name`.
    """
    keys = {name.strip().casefold(): key for name, key in columns}
    header = sheet.rows[0] if sheet.rows else ()
    given = {cell.column: _key_of(cell.text, keys, languages) for cell in header if not cell.flaw}
    out = {column for column, words in given.items() if not words.strip() or words.strip().startswith("#")}
    named = [replace(cell, text=given.get(cell.column, cell.text)) for cell in header]
    rows = (tuple(cell for cell in row if cell.column not in out) for row in (named, *sheet.rows[1:]))
    return TableSheet(sheet.name, tuple(row for row in rows if row))


def _key_of(heading: str, keys: MappingOf[str, str], languages: SequenceOf[str]) -> str:
    """Return the key that a heading stands for, whole or without the language in which it ends."""
    own = keys.get(heading.strip().casefold())
    name = heading if own is None else own
    stem, _, language = name.strip().rpartition(".")
    if not stem or language.lower() not in languages or stem.lower().startswith("words."):
        return name
    key = keys.get(stem.casefold(), stem) if own is None else stem
    return key if not key or language.lower() == languages[0] else f"words.{language}.{key}"


def holds_cards(sheet: TableSheet) -> bool:
    """Return whether the rows of a sheet seem to be cards: it has a column `name`, or two others that cards have."""
    if not sheet.rows or _is_of_pictures(sheet.rows):
        return False
    words = [cell.text.strip().lower() for cell in sheet.rows[0]]
    lasts = {part for word in words for part in (word.partition(".")[0], word.rpartition(".")[2])}
    return "name" in lasts or len({nearest_word(each, _OF_CARDS) for each in words} - {""}) > 1


def _is_of_pictures(rows: tuple[TableRow, ...]) -> bool:
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


# --- cards ------------------------------------------------------------------------------------------------------------


_ITEM = regex(r"(?<=\.)[0-9]{1,4}(?=\.)")
_OF_EVERY_CARD = ("name", "kind")


class _Filled(Struct, frozen=True):
    """A cell in the text of its document: where its key begins, and where its value does."""

    key_start: int
    value: Range
    sheet: str
    cell: TableCell
    heading: TableCell


class TableDocument(Document, frozen=True):
    """A table as read. Its text is made of its cells, `key: value` for each, so places in it lead back to the cells."""

    has_comments: ClassVar[bool] = False

    filled: tuple[_Filled, ...] = ()
    starts: tuple[int, ...] = ()
    keys: frozenset[str] = frozenset()

    def between(self, start: int, end: int) -> Span:
        """Return the place of the cell whose key or value begins at `start`, or that it is in."""
        found = self._at(start)
        first, last = found.value
        mark = (start - first, min(end, last) - first) if start >= first else (0, last - first)
        return cell_span(self.file, found.sheet, found.cell, self.text[first:last], mark)

    def findings_of_card(self, node: Mapping, findings: Iterable[Diagnostic]) -> Iterable[Diagnostic]:
        """Return what is said of a row: one finding for a row that lacks what every card needs.

        Section headings and totals are such rows, and what else is wrong with them is of no interest.
        """
        findings = tuple(findings)
        missing = [each for each in findings if each.code.endswith("004")]
        lone = len(node.entries) == 1 and isinstance(node.entries[0][1], Scalar)
        lack = next(
            (each for each in missing if lone or (each.field in _OF_EVERY_CARD and each.field in self.keys)), None
        )
        if lack is None:
            return findings
        row = self._at(node.entries[0][0].start)
        message = f"row {row.cell.row} has {quoted(row.cell.text.strip())}, and no `{lack.field}`: it is no card"
        hint = (
            f"{lack.hint}; a heading or a total stands in a column whose heading begins with `#`, or outside the table"
        )
        return [replace(lack, message=message, hint=hint)]

    def heading(self, key: Scalar) -> Span:
        """Return the place of the cell of the header that names a key."""
        found = self._at(key.start)
        words = found.heading.text.strip()
        return cell_span(self.file, found.sheet, found.heading, words, (0, len(words)))

    def named(self, path: str) -> str:
        """Return the keys of a path as the header names them: the items of lists are counted from 1."""
        return _ITEM.sub(lambda match: str(int(match[0]) + 1), path)

    def adding(self, key: str, example: str, path: str = "") -> str:
        """Return the hint for a key that is missing below the keys of `path`."""
        if example.startswith("[{"):  # small cards, which no single cell holds
            return self.small_cards(example.count("{"))
        key = f"{self.named(path)}{key}"
        example = f", such as `{example}`" if example else ""
        return f"write it in the column `{key}`{example}" if key in self.keys else f"add a column `{key}`{example}"

    @property
    def leaving_out(self) -> str:
        return "to leave the column out, begin its heading with `#`"

    def heading_meant(self, key: Scalar, known: Collection[str]) -> str:
        """Return the heading that a key is meant for, such as `faces.2.name` of `face2.name`; "" if there is none."""
        return face_heading(self._at(key.start).heading.text.strip(), known)

    def small_cards(self, count: int) -> str:
        """Return the hint for cards that show so many small cards."""
        columns = [f"faces.{number}.name" for number in range(1, count + 1)]
        return f"give each its own columns, such as {listed(columns, 'and')}"

    def listing(self, key: str, items: Iterable[str]) -> str:
        """Return the hint for texts that stand in one cell, with commas between them."""
        columns = [f"{key}.{number}" for number, _ in enumerate(items, 1)]
        return f"give each its own column, {listed(columns, 'and')}; if it is one text, call the column `{key}.1`"

    def pair(self, key: str, value: str) -> str:
        """Return a value as its cell has it."""
        return value

    def breaking(self, key: str) -> str:
        """Return the hint for a text that should have a new line."""
        return "begin a new line within the cell: Alt+Enter in Excel, Ctrl+Enter in LibreOffice"

    def giving(self, key: str, value: str, path: str = "") -> str:
        """Return the hint for a single value of a key below the keys of `path`."""
        words = value.strip('"')  # a cell needs no quotes
        return f"write `{words}` into one column `{self.named(path)}{key}`"

    def places(self, scalar: Scalar) -> list[Range]:
        """Return the range of the text from which each character of the value came."""
        return [(at, at + 1) for at in range(scalar.start, scalar.start + len(scalar.value))]

    def _at(self, offset: int) -> _Filled:
        return self.filled[max(bisect_right(self.starts, offset) - 1, 0)]


def document_of(file: Path, sheets: list[TableSheet]) -> tuple[Document, list[Diagnostic]]:
    """Return the rows of all these sheets as a list of cards, and what is wrong with single cells."""
    writer = _Writer(file)
    items = [item for sheet in sheets for item in writer.cards(sheet)]
    text = "".join(writer.pieces)
    root = Sequence(tuple(items), 0, len(text))
    starts = tuple(each.key_start for each in writer.filled)
    keys = frozenset(writer.keys)
    return TableDocument(
        file=file, text=text, root=root, filled=tuple(writer.filled), starts=starts, keys=keys
    ), writer.findings


class _Writer:
    """Writes the text of a document, and makes its nodes meanwhile."""

    def __init__(self, file: Path) -> None:
        self.pieces: list[str] = []
        self.filled: list[_Filled] = []
        self.findings: list[Diagnostic] = []
        self.keys: set[str] = set()
        self._file = file
        self._length = 0

    def cards(self, sheet: TableSheet) -> Iterator[Mapping]:
        headings, wrong = read_header(self._file, sheet)
        self.findings += [flaw_of(self._file, sheet.name, cell) for cell in sheet.rows[0] if cell.flaw]
        self.findings += wrong
        self.keys |= {heading_for(heading.path) for heading in headings.values()}
        # A column whose heading is wrong is said once, and not for each row.
        passed_over = {cell.column for cell in sheet.rows[0]} - headings.keys()
        for row in sheet.rows[1:]:
            card = self._card(sheet.name, row, headings, passed_over)
            if card.entries:  # of all others, what is wrong with each cell was said
                yield card
                self._write("\n")

    def _card(self, sheet: str, row: TableRow, headings: dict[int, Heading], passed_over: set[int]) -> Mapping:
        values: _Values = []
        start, lost = self._length, list[KeyPath]()
        for cell in row:
            heading = headings.get(cell.column)
            if heading is None:
                lost.append(("",))
                if cell.column not in passed_over:
                    passed_over.add(cell.column)
                    self._note_without_heading(sheet, cell)
            elif cell.flaw:
                self.findings.append(flaw_of(self._file, sheet, cell))
                lost.append(heading.path)
            else:
                values.append(self._value(sheet, cell, heading))
        return self._mapping(sheet, values, lost, 0, start)

    def _value(self, sheet: str, cell: TableCell, heading: Heading) -> _Value:
        said, style = said_by_cell(cell.text)
        said = unicodedata.normalize("NFC", said)
        if UNPRINTABLE.search(said):
            self._note_unprintable(sheet, cell, said)
            said = UNPRINTABLE.sub(REPLACEMENT, said)
        key_start, key = self._length, heading.cell.text.strip()
        start = key_start + len(key) + 2
        self._write(f"{key}: {said}\n")
        self.filled.append(_Filled(key_start, (start, start + len(said)), sheet, cell, heading.cell))
        return heading.path, Scalar(said, style, start, start + len(said)), key_start, cell

    def _write(self, words: str) -> None:
        self.pieces.append(words)
        self._length += len(words)

    # --- from columns to nodes -----

    def _mapping(self, sheet: str, values: _Values, lost: _Lost, depth: int, start: int) -> Mapping:
        """Return the mapping of the values whose paths, and those that are lost, begin with the same `depth` keys."""
        entries = []
        end = start
        groups: dict[str, _Values] = {}
        for value in values:
            groups.setdefault(str(value[0][depth]), []).append(value)
        for name, group in groups.items():
            _, first, key_start, _ = group[0]
            key = Scalar(name, ScalarStyle.PLAIN, key_start, first.start)
            node = self._node(sheet, group, _below(lost, depth, name), depth + 1)
            entries.append((key, node))
            end = max(end, *(scalar.end for _, scalar, _, _ in group))
        return Mapping(tuple(entries), start, end, tuple(str(path[depth]) for path in lost))

    def _node(self, sheet: str, group: _Values, lost: _Lost, depth: int) -> Node:
        """Return the node at the keys that the group has in common."""
        ended = next((value for value in group if len(value[0]) == depth), None)
        if ended is not None:
            for path, _, _, cell in group:
                if len(path) > depth:
                    self._note_both(sheet, cell, heading_for(path[:depth]), ended[3])
            return _plain(ended[1], ended[3].text.strip())
        start = group[0][2]
        if not all(isinstance(path[depth], int) for path, _, _, _ in group):
            return self._mapping(sheet, group, lost, depth, start)
        return self._list(sheet, group, lost, depth, start)

    def _list(self, sheet: str, group: _Values, lost: _Lost, depth: int, start: int) -> Sequence:
        items: dict[int, _Values] = {}
        for value in group:
            items.setdefault(int(value[0][depth]), []).append(value)
        numbers = {*items, *(path[depth] for path in lost if isinstance(path[depth], int))}
        wanted = range(1, len(numbers) + 1)
        for number, inside in items.items():
            if number not in wanted[: CELLS_OF_LIST.most]:
                self._note_gap(sheet, inside[0], depth, next((each for each in wanted if each not in numbers), 1))
        nodes: list[Node] = []
        for number in sorted(map(int, numbers)):
            inner = _below(lost, depth, str(number))
            if number in items:
                nodes.append(self._node(sheet, items[number], inner, depth + 1))
            elif inner:
                nodes.append(self._mapping(sheet, [], inner, depth + 1, start))
        return Sequence(tuple(nodes), start, max(scalar.end for _, scalar, _, _ in group))

    # --- findings -----

    def _note(self, sheet: str, cell: TableCell, problem: Diagnostic, words: str = "") -> None:
        words = words or cell.text.strip()
        self.findings.append(problem.at(cell_span(self._file, sheet, cell, words, (0, len(words)))))

    def _note_without_heading(self, sheet: str, cell: TableCell) -> None:
        message = f"nothing stands above this cell: column {column_name(cell.column)} has no heading"
        hint = "write the key into the header, or `#` to leave the column out"
        if not sheet:  # of a CSV file
            hint += "; if it is the rest of a text, write that text in quotes"
        self._note(sheet, cell, Diagnostic("N007", message, hint))

    def _note_unprintable(self, sheet: str, cell: TableCell, said: str) -> None:
        char = next(iter(UNPRINTABLE.findall(said)))
        at = said.index(char)
        problem = Diagnostic("Y005", f"the character U+{ord(char):04X} cannot be printed", "remove it")
        self.findings.append(problem.at(cell_span(self._file, sheet, cell, said, (at, at + 1))))

    def _note_both(self, sheet: str, cell: TableCell, name: str, other: TableCell) -> None:
        message = f"{quoted(name)} has a value in cell {other.name}, so it cannot have keys"
        self._note(sheet, cell, Diagnostic("N008", message, "empty one of the two cells"))

    def _note_gap(self, sheet: str, value: _Value, depth: int, missing: int) -> None:
        path, _, _, cell = value
        hint = f"lists are counted from 1 without gaps: fill `{heading_for((*path[:depth], missing))}` first"
        name = heading_for(path[: depth + 1])
        self._note(sheet, cell, Diagnostic("N008", f"{quoted(name)} is filled, and one before it is not", hint))


_Value = tuple[KeyPath, Scalar, int, TableCell]
_Values = list[_Value]
"""What a row says: keys on the way, the value, where its key begins in the text, and its cell."""

_Lost = list[KeyPath]
"""The keys on the way to what a row does not say because something is wrong with a cell."""


def _below(lost: _Lost, depth: int, key: str) -> _Lost:
    """Return those of the paths that go on behind a key, which stands behind `depth` others."""
    return [path for path in lost if len(path) > depth + 1 and str(path[depth]) == key]


def _plain(scalar: Scalar, said: str) -> Node:
    """Return the value of a cell; an empty list or mapping where it says so."""
    if said == EMPTIES[1]:
        return Sequence((), scalar.start, scalar.end)
    if said == EMPTIES[2]:
        return Mapping((), scalar.start, scalar.end)
    return scalar
