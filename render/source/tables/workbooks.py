"""XLSX and ODS files as cells, as Excel, LibreOffice, Google and others write them: zip files of XML.

XLSX is ECMA-376, part 1 (SpreadsheetML), ODS is OASIS OpenDocument 1.3, part 3. Only the parts that hold cells are
looked at, row by row, whatever else lies in the package. A document type, and with it every entity, is refused, so that
nothing outside the file is read.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO
from posixpath import dirname, join, normpath

from lxml import etree
from msgspec.structs import replace

from render.base.findings import quoted
from render.base.limits import TABLE_COLUMNS, TABLE_ROWS
from render.base.patterns import regex
from render.source.tables.cells import (
    MergedArea,
    RowCollector,
    TableCell,
    TableSheet,
    checked_length,
    date_text,
    duration_text,
    filled_areas,
    is_date_format,
    iso_text,
    number_text,
    unreadable,
    without_value,
    wrong_value,
)

LOCKED = "the file is protected by a password"
UNLOCK = "save it without a password"

_ENCRYPTED = 0x1  # a flag of an entry
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError)


def read_workbook(content: bytes) -> list[TableSheet]:
    """Return the sheets of a package, hidden ones too; Refused, without the place."""
    package = _Package(content)
    if package.has("content.xml"):
        return _ods_sheets(package)
    if package.has("_rels/.rels"):
        return _xlsx_sheets(package)
    raise unreadable("the file is a package, and no spreadsheet")


class _Package:
    """The parts of a spreadsheet; Refused if the file is no package."""

    def __init__(self, content: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(BytesIO(content))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
            raise unreadable("the file is damaged: it is no whole package") from None
        self._entries = {entry.filename: entry for entry in self._zip.infolist()}

    def has(self, name: str) -> bool:
        return name in self._entries

    def open(self, name: str) -> zipfile.ZipExtFile:
        entry = self._entries.get(name)
        if entry is None:
            raise unreadable(f"the file is damaged: it has no `{name[:60]}`")
        if entry.flag_bits & _ENCRYPTED:
            raise unreadable(LOCKED, UNLOCK)
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise unreadable("the file is packed in an unusual way")
        try:
            return self._zip.open(entry)  # type: ignore[return-value]  # it is one if it is read
        except _DAMAGED:
            raise unreadable("the file is damaged: it cannot be unpacked") from None

    def head(self, name: str) -> bytes:
        """Return the beginning of a part, where a manifest tells of encryption."""
        with self.open(name) as stream:
            try:
                return stream.read(1 << 20)
            except _DAMAGED:
                raise unreadable("the file is damaged: it cannot be unpacked") from None

    def elements(self, name: str, *tags: str) -> Iterator[etree._Element]:
        """Yield the elements of a part that have these names, each as it ends; it is emptied behind."""
        with self.open(name) as stream:
            context = etree.iterparse(
                stream,
                tag=[f"{{*}}{tag}" for tag in tags],
                resolve_entities=False,
                no_network=True,
                remove_comments=True,
                remove_pis=True,
            )
            try:
                is_checked = False
                for _, element in context:
                    if not is_checked:
                        _check_document(element)
                        is_checked = True
                    yield element
                    element.clear()
                    before = element.getprevious()
                    if before is not None and before.tag == element.tag:
                        before.getparent().remove(before)
            except etree.XMLSyntaxError:
                raise unreadable("the file is damaged: a part of it is no XML") from None
            except _DAMAGED:
                raise unreadable("the file is damaged: it cannot be unpacked") from None
            _check_document(context.root)


def _check_document(element: etree._Element) -> None:
    document = element.getroottree().docinfo
    if document.doctype:
        raise unreadable("the file has a document type, which spreadsheets do not have")
    encoding = document.encoding or "utf-8"
    if encoding.lower() not in ("utf-8", "utf-16", "iso-8859-1", "us-ascii"):
        raise unreadable(f"the file is damaged: a part of it is in the encoding {quoted(encoding)}")


def _name(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _text(element: etree._Element | None) -> str:
    return "" if element is None else element.text or ""


def _whole(written: str | None, otherwise: int = 0) -> int:
    return int(written) if written and len(written) < 8 and written.isascii() and written.isdecimal() else otherwise


# --- XLSX -----------------------------------------------------------------------------------------------------------

_ESCAPE = regex(r"_x([0-9A-Fa-f]{4})_")  # of a character in a text (ECMA-376, 22.9.2.19)
_CELL = regex(r"([A-Z]{1,3})([0-9]{1,7})")
_AREA = regex(rf"{_CELL.pattern}:{_CELL.pattern}")


def _xlsx_sheets(package: _Package) -> list[TableSheet]:
    book = next((target for _, kind, target in _relations(package, "") if kind == "officeDocument"), "xl/workbook.xml")
    sheets, from_1904 = list[tuple[str, str]](), False
    for element in package.elements(book, "sheet", "workbookPr"):
        if _name(element) == "sheet":
            relation = next((value for key, value in element.items() if key.endswith("}id")), "")
            sheets.append((element.get("name", ""), relation))
        else:
            from_1904 = element.get("date1904") in ("1", "true", "on")
    relations = list(_relations(package, book))
    strings, dates = list[str](), set[int]()
    for _, kind, target in relations:
        if kind == "sharedStrings" and package.has(target):
            strings += [_shared_text(element) for element in package.elements(target, "si")]
        elif kind == "styles" and package.has(target):
            dates |= _date_styles(package, target)
    reader = _XlsxReader(strings, dates, from_1904=from_1904)
    worksheets = {name: target for name, kind, target in relations if kind == "worksheet"}
    return [reader.sheet(package, name, worksheets[relation]) for name, relation in sheets if relation in worksheets]


def _relations(package: _Package, part: str) -> Iterator[tuple[str, str, str]]:
    """Yield what a part refers to, by its name, kind and path; that of "" is the package."""
    folder = dirname(part)
    name = join(folder, "_rels", f"{part.rpartition('/')[2]}.rels")
    for element in package.elements(name, "Relationship") if package.has(name) else ():
        if element.get("TargetMode") != "External":
            target = element.get("Target", "")
            path = target[1:] if target.startswith("/") else normpath(join(folder, target))
            yield element.get("Id", ""), element.get("Type", "").rpartition("/")[2], path


def _shared_text(element: etree._Element) -> str:
    """Return a text that cells share or one of them has; what tells how Japanese words are spoken is left out."""
    texts = (_text(each) for each in element.iter("{*}t") if _name(each.getparent()) != "rPh")
    return _unescaped("".join(texts))


def _unescaped(text: str) -> str:
    if "_x" not in text:
        return text
    text = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # one half of a pair alone is nothing


def _date_styles(package: _Package, part: str) -> set[int]:
    """Return which styles of cells show dates, by their numbers."""
    codes: dict[int, str] = {}
    dates: set[int] = set()
    for element in package.elements(part, "numFmt", "cellXfs"):
        if _name(element) == "numFmt":
            codes[_whole(element.get("numFmtId"))] = element.get("formatCode", "")
            continue
        for number, style in enumerate(element.iterfind("{*}xf")):
            used = _whole(style.get("numFmtId"))
            if is_date_format(used, codes.get(used)):
                dates.add(number)
    return dates


class _XlsxReader:
    """Reads the sheets of a file, which share texts, styles of dates, and the first day of all dates."""

    def __init__(self, strings: list[str], dates: set[int], *, from_1904: bool) -> None:
        self._strings, self._dates, self._from_1904 = strings, dates, from_1904

    def sheet(self, package: _Package, name: str, part: str) -> TableSheet:
        rows, areas, row = RowCollector(), list[MergedArea](), 0
        for element in package.elements(part, "row", "mergeCell"):
            if _name(element) == "row":
                row = _whole(element.get("r")) or row + 1
                rows.add(self._cells(element, row))
            elif area := _AREA.fullmatch(element.get("ref", "")):
                areas.append((int(area[2]), _column(area[1]), int(area[4]), _column(area[3])))
        return TableSheet(name, filled_areas(rows.found, areas))

    def _cells(self, row: etree._Element, number: int) -> Iterator[TableCell]:
        column = 0
        for element in row.iterchildren("{*}c"):
            match = _CELL.fullmatch(element.get("r", ""))
            column = _column(match[1]) if match else column + 1
            parts = {_name(part): part for part in element}
            if parts.keys() & {"v", "f", "is"}:
                yield self._cell(TableCell(row=number, column=column, text=""), element, parts)

    def _cell(self, place: TableCell, element: etree._Element, parts: dict[str, etree._Element]) -> TableCell:
        kind, said = element.get("t", "n"), _text(parts.get("v"))
        if "f" in parts and not said and not (kind == "str" and "v" in parts):
            formula = _text(parts["f"])
            return without_value(place, f"={formula}" if formula else "")
        if kind == "e":
            return wrong_value(place, said)
        if kind == "inlineStr":
            text = _shared_text(parts["is"]) if "is" in parts else ""
        else:
            text = self._value(kind, said, _whole(element.get("s")))
        return checked_length(replace(place, text=text))

    def _value(self, kind: str, said: str, style: int) -> str:
        match kind:
            case "s":
                index = _whole(said.strip())
                if index >= len(self._strings):
                    raise unreadable("the file is damaged: it lacks the text of a cell")
                return self._strings[index]
            case "str":
                return _unescaped(said)
            case "b":
                return "true" if said.strip() in ("1", "true") else "false"
            case "d":
                return iso_text(said)
        if not said.strip():
            return ""
        return date_text(said, from_1904=self._from_1904) if style in self._dates else number_text(said)


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


# --- ODS ------------------------------------------------------------------------------------------------------------

_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
_TABLE, _OFFICE, _WORDS = (f"{{{_OASIS}{part}:1.0}}" for part in ("table", "office", "text"))
_CALC_TYPE = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}value-type"
# In cells, but none of their words is that of the cell: comments, drawings, how words are spoken.
_UNSEEN = frozenset("annotation frame custom-shape shapes ruby-text note g control table".split())
_SAYS_NOTHING = frozenset((f"{_TABLE}number-columns-repeated", f"{_TABLE}style-name"))


def _ods_sheets(package: _Package) -> list[TableSheet]:
    manifest = "META-INF/manifest.xml"
    if package.has("encrypted-package") or (package.has(manifest) and b"encryption-data" in package.head(manifest)):
        raise unreadable(LOCKED, UNLOCK)
    sheets: list[TableSheet] = []
    rows, areas, number = RowCollector(), list[MergedArea](), 0
    for element in package.elements("content.xml", "table-row", "table"):
        table = element if _name(element) == "table" else next(element.iterancestors("{*}table"), None)
        parent = None if table is None else table.getparent()
        if table is None or parent is None or _name(parent) != "spreadsheet":
            continue
        if table is element:
            sheets.append(TableSheet(table.get(f"{_TABLE}name", ""), filled_areas(rows.found, areas)))
            rows, areas, number = RowCollector(), [], 0
            continue
        alike = _whole(element.get(f"{_TABLE}number-rows-repeated"), 1)
        cells = list(_ods_cells(element, number + 1, areas))
        for by in range(min(alike, TABLE_ROWS.most + 1) if cells else 0):
            rows.add(replace(cell, row=cell.row + by) for cell in cells)
        number += alike
    return sheets


def _ods_cells(row: etree._Element, number: int, areas: list[MergedArea]) -> Iterator[TableCell]:
    column = 1
    for element in row.iterchildren("{*}table-cell", "{*}covered-table-cell"):
        alike = _whole(element.get(f"{_TABLE}number-columns-repeated"), 1)
        paragraphs = ["".join(_pieces(each)) for each in _paragraphs(element)]
        if paragraphs or not _SAYS_NOTHING.issuperset(element.keys()):
            cell = _ods_cell(TableCell(row=number, column=column, text=""), element, paragraphs)
            if cell.text or cell.flaw:
                for by in range(min(alike, TABLE_COLUMNS.most + 1)):
                    yield replace(cell, column=column + by)
                tall, wide = (_whole(element.get(f"{_TABLE}number-{each}-spanned"), 1) for each in ("rows", "columns"))
                if tall * wide > 1:
                    areas.append((number, column, number + tall - 1, column + wide - 1))
        column += alike


def _paragraphs(element: etree._Element) -> Iterator[etree._Element]:
    """Yield the paragraphs of a cell, those of lists too."""
    for child in element:
        name = _name(child)
        if name in ("p", "h"):
            yield child
        elif name not in _UNSEEN:
            yield from _paragraphs(child)


def _pieces(element: etree._Element) -> Iterator[str]:
    """Yield the words of a paragraph; those behind an element within it are its tail."""
    yield element.text or ""
    for child in element:
        name = _name(child)
        if name == "s":
            yield " " * _whole(child.get(f"{_WORDS}c"), 1)
        elif name in ("tab", "line-break"):
            yield "\t" if name == "tab" else "\n"
        elif name not in _UNSEEN:
            yield from _pieces(child)
        yield child.tail or ""


def _ods_cell(place: TableCell, element: etree._Element, paragraphs: Iterable[str]) -> TableCell:
    kind, shown = element.get(f"{_OFFICE}value-type"), "\n".join(paragraphs)
    formula = element.get(f"{_TABLE}formula")
    if element.get(_CALC_TYPE) == "error":
        return wrong_value(place, shown)
    if formula is not None and kind is None:
        return without_value(place, f"={formula.partition('=')[2]}")
    match kind:
        case "float" | "percentage" | "currency":
            text = number_text(element.get(f"{_OFFICE}value", shown))
        case "boolean":
            text = element.get(f"{_OFFICE}boolean-value", shown).lower()
        case "date":
            text = iso_text(element.get(f"{_OFFICE}date-value", shown))
        case "time":
            text = duration_text(element.get(f"{_OFFICE}time-value", shown))
        case _:
            text = shown if paragraphs else element.get(f"{_OFFICE}string-value", "")
    return checked_length(replace(place, text=text))
