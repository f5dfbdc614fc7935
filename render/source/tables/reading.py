"""Read a spreadsheet as a card file: which format it is, and what of it can be read."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from render.base.findings import Diagnostic, Refused, Severity, Span
from render.source import reader
from render.source.nodes import Document
from render.source.tables import csv_cells, ods_cells, packages, xlsx_cells
from render.source.tables.cells import TableSheet, TableTooLarge, cell_span
from render.source.tables.documents import document_of
from render.source.tables.headings import holds_cards, without_columns
from render.source.tables.packages import TablePackage, UnreadableTable

_OF_TEXT = (".csv", ".tsv")
_PACKAGE, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # how zip files, and those of old Excel, begin


@dataclass(frozen=True, slots=True)
class TableReading:
    """A table as read, None if nothing in it is a card, and what is wrong; `others` are the sheets without cards."""

    document: Document | None
    findings: tuple[Diagnostic, ...]
    others: tuple[str, ...] = ()


def read_table(file: Path, home: Path | None = None, ignored: Collection[str] = ()) -> TableReading:
    """Return what can be read of a spreadsheet, without the columns of `ignored` headings. `home` is as in `reader.read`."""
    try:
        sheets, doubts = _sheets(file, home)
    except Refused as refused:
        return TableReading(None, refused.findings)
    sheets = [without_columns(sheet, ignored) for sheet in sheets]
    cards = [sheet for sheet in sheets if holds_cards(sheet)]
    others = tuple(sheet.name for sheet in sheets if sheet.rows and sheet not in cards)
    if not cards:
        return TableReading(None, (), others)
    document, findings = document_of(file, cards)
    return TableReading(document, (*doubts, *findings), others)


def _sheets(file: Path, home: Path | None) -> tuple[list[TableSheet], list[Diagnostic]]:
    is_text = file.suffix.lower() in _OF_TEXT
    content = reader.read_bytes(file, csv_cells.MAX_FILE if is_text else packages.MAX_PACKED, home)
    try:
        # A file is known by how it begins: programs save one format under the name of another.
        if content.startswith(_PACKAGE):
            return _of_package(content), []
        if content.startswith(_OLE):
            raise _of_ole(content)
        if not is_text:
            raise UnreadableTable(f"the file is no {file.suffix.lower()[1:].upper()} file", packages.DAMAGED)
        return _of_text(file, content)
    except TableTooLarge as error:
        raise _refused("N010", file, str(error), error.hint) from None
    except UnreadableTable as error:
        raise _refused("N009", file, str(error), error.hint) from None


def _of_package(content: bytes) -> list[TableSheet]:
    package = TablePackage(content)
    if package.has(ods_cells.CONTENT):
        return ods_cells.ods_sheets(package)
    if package.has(xlsx_cells.RELATIONS):
        return xlsx_cells.xlsx_sheets(package)
    raise UnreadableTable("the file is a package, and no spreadsheet", packages.DAMAGED)


def _of_ole(content: bytes) -> UnreadableTable:
    if "EncryptedPackage".encode("utf-16-le") in content:
        return UnreadableTable(packages.LOCKED, packages.UNLOCK)
    return UnreadableTable("the file is of the Excel of 1997 to 2003", packages.DAMAGED)


def _of_text(file: Path, content: bytes) -> tuple[list[TableSheet], list[Diagnostic]]:
    read = csv_cells.decoded(content)
    if read is None:
        hint = "in the spreadsheet program, save it as CSV in UTF-8, or as .ods or .xlsx"
        raise _refused("N001", file, "the file is no text", hint)
    if csv_cells.misread(read.text):
        hint = "open the first file there again as UTF-8, and save it as .xlsx or .ods, which keep all letters"
        message = "another program misread the letters of this file, and saved `Ã©` for `é`"
        raise _refused("N011", file, message, hint)
    sheet = csv_cells.csv_sheet(read.text)
    if not sheet.rows:
        raise _refused("Y006", file, "the file is empty", "write a card, or remove the file")
    return [sheet], [*_foreign(file, sheet)] if read.foreign else []


def _foreign(file: Path, sheet: TableSheet) -> Iterable[Diagnostic]:
    """Yield the warning about an encoding that was guessed, at the first cell where another guess would differ."""
    cell = next((cell for row in sheet.rows for cell in row if not cell.text.strip().isascii()), None)
    if cell is None:  # only the space around the cells would differ
        return
    words = cell.text.strip()
    at = next(index for index, char in enumerate(words) if ord(char) > 127)
    message = f"the file is not UTF-8; as Windows-1252 this is `{words[at]}`"
    hint = "save it as CSV in UTF-8: other programs read other letters"
    yield Diagnostic("N002", message, hint, Severity.WARNING).at(cell_span(file, "", cell, words, (at, at + 1)))


def _refused(code: str, file: Path, message: str, hint: str) -> Refused:
    return Refused([Diagnostic(code, message, hint).at(Span(file=file))])
