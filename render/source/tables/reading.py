"""Read a spreadsheet as a card file: which format it is, and what of it can be read.

What unpacks or is large is read by a worker under the guard, and only its cells come back. A small text is read here,
where even a file of commas alone takes 0.5 s and 40 MB.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from render.base import guard
from render.base.findings import Diagnostic, Refused, Severity, Span, reason
from render.base.limits import CSV_FILE, SPREADSHEET, TABLE_CELLS, TO_READ_TABLE
from render.source import reader
from render.source.nodes import Document
from render.source.tables import csv_cells, ods_cells, packages, xlsx_cells
from render.source.tables.cells import SPLIT, TableSheet, cell_span, too_large, unreadable
from render.source.tables.documents import document_of
from render.source.tables.headings import holds_cards, without_columns

_SMALL = 1 << 18  # bytes of a text
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
        return TableReading(None, tuple(each if each.span else each.at(Span(file=file)) for each in refused.findings))
    sheets = [without_columns(sheet, ignored) for sheet in sheets]
    cards = [sheet for sheet in sheets if holds_cards(sheet)]
    others = tuple(sheet.name for sheet in sheets if sheet.rows and sheet not in cards)
    if not cards:
        return TableReading(None, (), others)
    document, findings = document_of(file, cards)
    return TableReading(document, (*doubts, *findings), others)


def _sheets(file: Path, home: Path | None) -> tuple[list[TableSheet], list[Diagnostic]]:
    is_text = file.suffix.lower() in _OF_TEXT
    content = reader.read_bytes(file, (CSV_FILE if is_text else SPREADSHEET).most, home)
    if is_text and len(content) < _SMALL:
        sheets, is_foreign = read_sheets(content, file.suffix)
    else:
        try:
            sheets, is_foreign = guard.run(
                read_sheets, content, file.suffix, limits=TO_READ_TABLE, gives=tuple[list[TableSheet], bool]
            )
        except guard.TooMuchError as error:
            hint = f"{SPLIT}, and delete the empty rows and columns below and beside the cards"
            raise too_large(f"it takes more than {TO_READ_TABLE} to be read: too much {error.what}", hint) from None
        except guard.WorkFailedError as error:
            raise unreadable(f"the file is damaged: {reason(str(error))}") from None
    return sheets, [*_foreign(file, sheets[0])] if is_foreign else []


def read_sheets(content: bytes, suffix: str) -> tuple[list[TableSheet], bool]:
    """Return the sheets of a file, and whether its encoding was guessed; Refused, without the place."""
    sheets, is_foreign = _sheets_in(content, suffix)
    if sum(len(row) for sheet in sheets for row in sheet.rows) > TABLE_CELLS.most:
        raise too_large(f"the table has more than {TABLE_CELLS}")
    return sheets, is_foreign


def _sheets_in(content: bytes, suffix: str) -> tuple[list[TableSheet], bool]:
    """Return what is in a file. It is known by how it begins: programs save one format under the name of another."""
    if content.startswith(_PACKAGE):
        package = packages.TablePackage(content)
        if package.has(ods_cells.CONTENT):
            return ods_cells.ods_sheets(package), False
        if package.has(xlsx_cells.RELATIONS):
            return xlsx_cells.xlsx_sheets(package), False
        raise unreadable("the file is a package, and no spreadsheet")
    if content.startswith(_OLE):
        if "EncryptedPackage".encode("utf-16-le") in content:
            raise unreadable(packages.LOCKED, packages.UNLOCK)
        raise unreadable("the file is of the Excel of 1997 to 2003")
    if suffix.lower() not in _OF_TEXT:
        raise unreadable(f"the file is no {suffix.lower()[1:].upper()} file")
    text, is_foreign = csv_cells.decoded(content)
    if text is None:
        hint = "in the spreadsheet program, save it as CSV in UTF-8, or as .ods or .xlsx"
        raise Refused([Diagnostic("N001", "the file is no text", hint)])
    if csv_cells.misread(text):
        hint = "open the first file there again as UTF-8, and save it as .xlsx or .ods, which keep all letters"
        message = "another program misread the letters of this file, and saved `Ã©` for `é`"
        raise Refused([Diagnostic("N011", message, hint)])
    sheet = csv_cells.csv_sheet(text)
    if not sheet.rows:
        raise Refused([Diagnostic("Y006", "the file is empty", "write a card, or remove the file")])
    return [sheet], is_foreign


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
