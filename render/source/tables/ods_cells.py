"""ODS files as cells (OASIS OpenDocument 1.3, part 3, sections 9 and 19), as LibreOffice and others write them."""

from __future__ import annotations

from msgspec.structs import replace

from render.base.limits import TABLE_COLUMNS, TABLE_ROWS
from render.source.tables.cell_values import (
    checked_length,
    duration_text,
    iso_text,
    number_text,
    without_value,
    wrong_value,
)
from render.source.tables.cells import (
    MergedArea,
    RowCollector,
    TableCell,
    TableSheet,
    filled_areas,
    unreadable,
)
from render.source.tables.packages import LOCKED, UNLOCK, Attributes, PartHandler, TablePackage

CONTENT = "content.xml"
"""The part that holds the cells."""

_MANIFEST = "META-INF/manifest.xml"
_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
_TABLE, _OFFICE, _TEXT = (f"{_OASIS}{part}:1.0 " for part in ("table", "office", "text"))
_CALC_TYPE = "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0 value-type"
# In cells, but none of their words is that of the cell: comments, drawings, how words are spoken.
_UNSEEN = frozenset(("annotation", "frame", "custom-shape", "shapes", "ruby-text", "note", "g", "control"))
_SAYS_NOTHING = frozenset((f"{_TABLE}number-columns-repeated", f"{_TABLE}style-name"))


def ods_sheets(package: TablePackage) -> list[TableSheet]:
    """Return the sheets of a spreadsheet, hidden ones too; Refused."""
    if package.has("encrypted-package") or (package.has(_MANIFEST) and b"encryption-data" in package.head(_MANIFEST)):
        raise unreadable(LOCKED, UNLOCK)
    handler = _Content()
    package.parse(CONTENT, handler)
    return handler.sheets


class _Content(PartHandler):
    """The sheets of the part, as they are told."""

    def __init__(self) -> None:
        self.sheets: list[TableSheet] = []
        self._open: list[str] = []
        self._unseen = 0  # how deep in what is passed over
        self._name = ""
        self._rows = RowCollector()
        self._areas: list[MergedArea] = []
        self._row = self._column = self._rows_alike = 0
        self._cells: list[TableCell] = []
        self._cell: Attributes | None = None
        self._words: list[str] = []
        self._paragraphs = 0
        self._in_paragraph = False

    def start(self, name: str, attributes: Attributes) -> None:
        above = self._open[-1] if self._open else ""
        self._open.append(name)
        if self._unseen or name in _UNSEEN or (name == "table" and above != "spreadsheet"):
            self._unseen += 1
        elif self._cell is not None:
            self._in_cell(name, attributes)
        elif name == "table":
            self._name = attributes.get(f"{_TABLE}name", "")
            self._rows, self._areas, self._row = RowCollector(), [], 0
        elif name == "table-row":
            self._rows_alike = _count(attributes.get(f"{_TABLE}number-rows-repeated"))
            self._cells, self._column = [], 0
        elif name in ("table-cell", "covered-table-cell") and above == "table-row":
            self._cell, self._words, self._paragraphs = attributes, [], 0

    def _in_cell(self, name: str, attributes: Attributes) -> None:
        if name in ("p", "h"):
            self._words.append("\n" if self._paragraphs else "")
            self._paragraphs += 1
            self._in_paragraph = True
        elif name == "s":
            self._words.append(" " * _count(attributes.get(f"{_TEXT}c")))
        elif name in ("tab", "line-break"):
            self._words.append("\t" if name == "tab" else "\n")

    def characters(self, words: str) -> None:
        if self._in_paragraph and not self._unseen:
            self._words.append(words)

    def end(self, name: str) -> None:
        self._open.pop()
        if self._unseen:
            self._unseen -= 1
        elif name in ("p", "h"):
            self._in_paragraph = False
        elif name in ("table-cell", "covered-table-cell") and self._cell is not None:
            self._end_cell(self._cell)
        elif name == "table-row":
            self._end_row()
        elif name == "table":
            self.sheets.append(TableSheet(self._name, filled_areas(self._rows.found, self._areas)))

    def _end_cell(self, attributes: Attributes) -> None:
        self._cell = None
        alike = _count(attributes.get(f"{_TABLE}number-columns-repeated"))
        if not self._words and (not attributes or attributes.keys() <= _SAYS_NOTHING):
            self._column += alike
            return
        cell = self._read(TableCell(row=self._row + 1, column=self._column + 1, text=""), attributes)
        if cell.text or cell.flaw:
            self._cells += [replace(cell, column=cell.column + by) for by in range(min(alike, TABLE_COLUMNS.most + 1))]
            rows, columns = (_count(attributes.get(f"{_TABLE}number-{each}-spanned")) for each in ("rows", "columns"))
            if rows * columns > 1:
                self._areas.append((cell.row, cell.column, cell.row + rows - 1, cell.column + columns - 1))
        self._column += alike

    def _end_row(self) -> None:
        for by in range(min(self._rows_alike, TABLE_ROWS.most + 1) if self._cells else 0):
            self._rows.add(replace(cell, row=cell.row + by) for cell in self._cells)
        self._row += self._rows_alike
        self._cells = []

    def _read(self, place: TableCell, attributes: Attributes) -> TableCell:
        kind, shown = attributes.get(f"{_OFFICE}value-type"), "".join(self._words)
        formula = attributes.get(f"{_TABLE}formula")
        if attributes.get(_CALC_TYPE) == "error":
            return wrong_value(place, shown)
        if formula is not None and kind is None:
            return without_value(place, f"={formula.partition('=')[2]}")
        return checked_length(replace(place, text=self._value(kind or "string", shown, attributes)))

    def _value(self, kind: str, shown: str, attributes: Attributes) -> str:
        match kind:
            case "float" | "percentage" | "currency":
                return number_text(attributes.get(f"{_OFFICE}value", shown))
            case "boolean":
                return attributes.get(f"{_OFFICE}boolean-value", shown).lower()
            case "date":
                return iso_text(attributes.get(f"{_OFFICE}date-value", shown))
            case "time":
                return duration_text(attributes.get(f"{_OFFICE}time-value", shown))
        return shown if self._paragraphs else attributes.get(f"{_OFFICE}string-value", "")


def _count(written: str | None) -> int:
    return int(written) if written and len(written) < 8 and written.isascii() and written.isdecimal() else 1
