"""XLSX files as cells (ECMA-376, part 1, SpreadsheetML), as Excel, LibreOffice, Google and others write them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from posixpath import dirname, join, normpath

from render.source.tables.cell_values import (
    checked_length,
    date_text,
    is_date_format,
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
from render.source.tables.packages import (
    Attributes,
    PartHandler,
    TablePackage,
)

RELATIONS = "_rels/.rels"
"""The part with which a package of this kind begins."""

_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")  # of a character in a text (ECMA-376, 22.9.2.19)
_NAME = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_AREA = re.compile(rf"{_NAME.pattern}:{_NAME.pattern}")


def xlsx_sheets(package: TablePackage) -> list[TableSheet]:
    """Return the sheets of a workbook, hidden ones too; Refused."""
    book = next((each.target for each in _relations(package, "") if each.is_a("officeDocument")), "xl/workbook.xml")
    workbook = _Workbook()
    package.parse(book, workbook)
    relations = {each.id: each for each in _relations(package, book)}
    strings, styles = _Strings(), _Styles()
    for each in relations.values():
        for kind, handler in (("sharedStrings", strings), ("styles", styles)):
            if each.is_a(kind) and package.has(each.target):
                package.parse(each.target, handler)
    shared = _Shared(tuple(strings.found), styles.dates, workbook.from_1904)
    found = []
    for name, relation in workbook.sheets:
        target = relations.get(relation)
        if target is not None and target.is_a("worksheet"):
            sheet = _Sheet(shared)
            package.parse(target.target, sheet)
            found.append(TableSheet(name, filled_areas(sheet.rows.found, sheet.areas)))
    return found


@dataclass(frozen=True, slots=True)
class _Relation:
    id: str
    type: str
    target: str

    def is_a(self, kind: str) -> bool:
        return self.type.rpartition("/")[2] == kind


@dataclass(slots=True)
class _Relations(PartHandler):
    folder: str
    found: list[_Relation] = field(default_factory=list)

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "Relationship" and attributes.get("TargetMode") != "External":
            target = attributes.get("Target", "")
            path = target[1:] if target.startswith("/") else normpath(join(self.folder, target))
            self.found.append(_Relation(attributes.get("Id", ""), attributes.get("Type", ""), path))


def _relations(package: TablePackage, part: str) -> list[_Relation]:
    """Return what a part refers to; that of "" is the package."""
    folder = dirname(part)
    name = join(folder, "_rels", f"{part.rpartition('/')[2]}.rels")
    handler = _Relations(folder)
    if package.has(name):
        package.parse(name, handler)
    return handler.found


@dataclass(slots=True)
class _Workbook(PartHandler):
    sheets: list[tuple[str, str]] = field(default_factory=list)
    from_1904: bool = False

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "sheet":
            relation = next((value for key, value in attributes.items() if key.endswith(" id")), "")
            self.sheets.append((attributes.get("name", ""), relation))
        elif name == "workbookPr":
            self.from_1904 = attributes.get("date1904") in ("1", "true", "on")


@dataclass(slots=True)
class _Strings(PartHandler):
    """The texts that cells share; what tells how Japanese words are spoken is left out."""

    found: list[str] = field(default_factory=list)
    _words: list[str] = field(default_factory=list)
    _in_text: bool = False
    _spoken: bool = False

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "t":
            self._in_text = not self._spoken
        elif name == "rPh":
            self._spoken = True

    def characters(self, words: str) -> None:
        if self._in_text:
            self._words.append(words)

    def end(self, name: str) -> None:
        if name == "t":
            self._in_text = False
        elif name == "rPh":
            self._spoken = False
        elif name == "si":
            self.found.append(_unescaped("".join(self._words)))
            self._words = []


def _unescaped(text: str) -> str:
    if "_x" not in text:
        return text
    text = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # one half of a pair alone is nothing


@dataclass(slots=True)
class _Styles(PartHandler):
    """Which styles of cells show dates, by their numbers."""

    dates: set[int] = field(default_factory=set)
    _codes: dict[int, str] = field(default_factory=dict)
    _in_cells: bool = False
    _number: int = 0

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "numFmt":
            self._codes[_whole(attributes.get("numFmtId"))] = attributes.get("formatCode", "")
        elif name == "cellXfs":
            self._in_cells = True
        elif name == "xf" and self._in_cells:
            used = _whole(attributes.get("numFmtId"))
            if is_date_format(used, self._codes.get(used)):
                self.dates.add(self._number)
            self._number += 1

    def end(self, name: str) -> None:
        if name == "cellXfs":
            self._in_cells = False


def _whole(written: str | None) -> int:
    return int(written) if written and len(written) < 8 and written.isascii() and written.isdecimal() else 0


@dataclass(frozen=True, slots=True)
class _Shared:
    """What the sheets of a file share."""

    strings: tuple[str, ...]
    dates: set[int]
    from_1904: bool


class _Sheet(PartHandler):
    """The rows of a sheet."""

    def __init__(self, shared: _Shared) -> None:
        self.rows = RowCollector()
        self.areas: list[MergedArea] = []
        self._shared = shared
        self._row = self._column = self._style = 0
        self._type = ""
        self._cells: list[TableCell] = []
        self._texts: dict[str, list[str]] = {}  # of the cell: those in `v`, `f` and `t`
        self._in: list[str] | None = None
        self._spoken = False

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "c":
            self._begin_cell(attributes)
        elif name == "row":
            self._row, self._column = _whole(attributes.get("r")) or self._row + 1, 0
        elif name in ("v", "f", "t") and self._column and not self._spoken:
            self._in = self._texts.setdefault(name, [])
        elif name == "rPh":
            self._spoken = True
        elif name == "mergeCell" and (area := _AREA.fullmatch(attributes.get("ref", ""))):
            self.areas.append((int(area[2]), _column(area[1]), int(area[4]), _column(area[3])))

    def _begin_cell(self, attributes: Attributes) -> None:
        match = _NAME.fullmatch(attributes.get("r", ""))
        self._column = _column(match[1]) if match else self._column + 1
        self._type, self._style = attributes.get("t", "n"), _whole(attributes.get("s"))
        self._texts = {}

    def characters(self, words: str) -> None:
        if self._in is not None:
            self._in.append(words)

    def end(self, name: str) -> None:
        if name == "c" and self._texts:
            self._cells.append(self._cell())
        elif name == "row":
            self.rows.add(self._cells)
            self._cells = []
        elif name == "rPh":
            self._spoken = False
        self._in = None

    def _cell(self) -> TableCell:
        place = TableCell(row=self._row, column=self._column, text="")
        said = "".join(self._texts.get("v", ()))
        if "f" in self._texts and not said and not (self._type == "str" and "v" in self._texts):
            return without_value(place, f"={''.join(self._texts['f'])}" if self._texts["f"] else "")
        if self._type == "e":
            return wrong_value(place, said)
        return checked_length(TableCell(row=place.row, column=place.column, text=self._text(said)))

    def _text(self, said: str) -> str:
        match self._type:
            case "s":
                index = _whole(said.strip())
                if index >= len(self._shared.strings):
                    raise unreadable("the file is damaged: it lacks the text of a cell")
                return self._shared.strings[index]
            case "inlineStr":
                return _unescaped("".join(self._texts.get("t", ())))
            case "str":
                return _unescaped(said)
            case "b":
                return "true" if said.strip() in ("1", "true") else "false"
            case "d":
                return iso_text(said)
        if not said.strip():
            return ""
        if self._style in self._shared.dates:
            return date_text(said, from_1904=self._shared.from_1904)
        return number_text(said)


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number
