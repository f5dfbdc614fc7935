"""Read a spreadsheet as a card file: which format it is, and what of it can be read.

What unpacks or is large is read by a worker under the guard, and only its cells come back. A small text is read here,
where even a file of commas alone takes 0.5 s and 40 MB.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from render.base import guard
from render.base.findings import Diagnostic, Refused, Severity, Span, quoted, reason
from render.base.limits import CELL, CSV_FILE, SPREADSHEET, TABLE_CELLS, TO_READ_TABLE
from render.base.patterns import regex
from render.source import reader
from render.source.nodes import Document, line_starts
from render.source.tables.cells import (
    ERRORS,
    SPLIT,
    RowCollector,
    TableCell,
    TableSheet,
    begins_formula,
    cell_span,
    too_large,
    unreadable,
)
from render.source.tables.documents import Columns, document_of, holds_cards, with_keys

_SMALL = 1 << 18  # bytes of a text
_OF_TEXT = (".csv", ".tsv")
_PACKAGE, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # how zip files, and those of old Excel, begin


class TableReading(Struct, frozen=True):
    """A table as read, None if nothing in it is a card, and what is wrong; `others` are the sheets without cards."""

    document: Document | None
    findings: tuple[Diagnostic, ...]
    others: tuple[str, ...] = ()


def read_table(
    file: Path, home: Path | None = None, columns: Columns = (), languages: Sequence[str] = ()
) -> TableReading:
    """Return what can be read of a spreadsheet, whose headings mean what `columns` says. `home` is as in `reader.read`.

    They may end in one of the `languages`, of which the first is the set's own.
    """
    try:
        sheets, doubts = sheets_of(file, home)
    except Refused as refused:
        return TableReading(None, tuple(each if each.span else each.at(Span(file=file)) for each in refused.findings))
    sheets = [with_keys(sheet, columns, languages) for sheet in sheets]
    cards = [sheet for sheet in sheets if holds_cards(sheet)]
    others = tuple(sheet.name for sheet in sheets if sheet.rows and sheet not in cards)
    if not cards:
        return TableReading(None, (), others)
    document, findings = document_of(file, cards)
    return TableReading(document, (*doubts, *findings), others)


def sheets_of(file: Path, home: Path | None = None) -> tuple[list[TableSheet], list[Diagnostic]]:
    """Return the sheets of a spreadsheet, and what is doubtful about them; Refused."""
    limit = CSV_FILE if file.suffix.lower() in _OF_TEXT else SPREADSHEET
    sheets, is_foreign = sheets_in(reader.read_bytes(file, limit.most, home), file.suffix)
    return sheets, [*_foreign(file, sheets[0])] if is_foreign else []


def sheets_in(content: bytes, suffix: str) -> tuple[list[TableSheet], bool]:
    """Return what `read_sheets` does, under the guard unless it is a small text; Refused, without the place."""
    if suffix.lower() in _OF_TEXT and len(content) < _SMALL:
        return read_sheets(content, suffix)
    try:
        sheets: tuple[list[TableSheet], bool] = guard.run(
            read_sheets, content, suffix, limits=TO_READ_TABLE, gives=tuple[list[TableSheet], bool]
        )
        return sheets
    except guard.TooMuchError as error:
        hint = f"{SPLIT}, and delete the empty rows and columns below and beside the cards"
        raise too_large(f"it takes more than {TO_READ_TABLE} to be read: too much {error.what}", hint) from None
    except guard.WorkFailedError as error:
        raise unreadable(f"the file is damaged: {reason(str(error))}") from None


def read_sheets(content: bytes, suffix: str) -> tuple[list[TableSheet], bool]:
    """Return the sheets of a file, and whether its encoding was guessed; Refused, without the place."""
    sheets, is_foreign = _sheets_in(content, suffix)
    if sum(len(row) for sheet in sheets for row in sheet.rows) > TABLE_CELLS.most:
        raise too_large(f"the table has more than {TABLE_CELLS}")
    return sheets, is_foreign


def _sheets_in(content: bytes, suffix: str) -> tuple[list[TableSheet], bool]:
    """Return what is in a file. It is known by how it begins: programs save one format under the name of another."""
    from render.source.tables.workbooks import LOCKED, UNLOCK, read_workbook  # with lxml, which CSV files need not

    if content.startswith(_PACKAGE):
        return read_workbook(content), False
    if content.startswith(_OLE):
        if "EncryptedPackage".encode("utf-16-le") in content:
            raise unreadable(LOCKED, UNLOCK)
        raise unreadable("the file is of the Excel of 1997 to 2003")
    if suffix.lower() not in _OF_TEXT:
        raise unreadable(f"the file is no {suffix.lower()[1:].upper()} file")
    text, is_foreign = decoded(content)
    if text is None:
        hint = "in the spreadsheet program, save it as CSV in UTF-8, or as .ods or .xlsx"
        raise Refused([Diagnostic("N001", "the file is no text", hint)])
    if misread(text):
        hint = "open the first file there again as UTF-8, and save it as .xlsx or .ods, which keep all letters"
        message = "another program misread the letters of this file, and saved `Ã©` for `é`"
        raise Refused([Diagnostic("N011", message, hint)])
    sheet = csv_sheet(text)
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


# --- CSV: in any usual encoding, with commas, semicolons, tabs or bars between the cells -------------------------------

SEPARATORS = ",;\t|"

_LINE_END = regex(r"\r\n|\r|\n")
_BOMS = (
    (b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"),
)  # fmt: skip
_MARK_MISREAD = "ï»¿"  # the byte order mark of UTF-8, as Windows-1252 reads it
_SEP_LINE = regex(r'"?sep=(?P<separator>[^\r\n"])"?(?:\r\n|\r|\n)', re.IGNORECASE)  # that Excel looks for


def decoded(content: bytes) -> tuple[str | None, bool]:
    """Return the text of a CSV file, without byte order mark, None if it is no text, and whether it is not Unicode.

    Then it was read as Windows of western Europe writes it.
    """
    for mark, name in _BOMS:
        if content.startswith(mark):
            return _read_as(content, name), False
    if b"\0" in content:
        text = _read_as(content, _without_mark(content))
        return None if text and "\0" in text else text, False
    text = _read_as(content, "utf-8")
    return (text, False) if text is not None else (_read_as(content, "cp1252"), True)


def _read_as(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return None


def _without_mark(content: bytes) -> str:
    """Return which UTF-16 it seems to be: of the letters of Europe, the upper byte is nought."""
    head = content[:4096]
    return "utf-16-be" if head[::2].count(0) > head[1::2].count(0) else "utf-16-le"


def misread(text: str) -> bool:
    """Return whether another program took the UTF-8 of this file for Windows-1252, and saved what it saw."""
    if text.startswith(_MARK_MISREAD):
        return True
    if text.isascii():
        return False
    try:
        text.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return False
    return True


def csv_sheet(text: str) -> TableSheet:
    """Return the cells of a text; Refused."""
    sep = _SEP_LINE.match(text)
    start = sep.end() if sep else 0
    separator = sep["separator"] if sep else _separator(text)
    collector = RowCollector()
    for row in _rows(text, start, separator):
        collector.add(row)
    return TableSheet("", collector.found)


def _separator(text: str) -> str:
    """Return what stands between the cells: what is most frequent in the header, which has no other sign of these."""
    lines = _LINE_END.split(text, 100)  # empty ones may stand before the header
    header = next((line for line in lines if line.strip(f"{SEPARATORS} ")), "")
    return max(SEPARATORS, key=re.sub(r'"[^"]*"', "", header).count)


def _rows(text: str, at: int, separator: str) -> Iterator[list[TableCell]]:
    cell = re.compile(rf'[ ]*"(?P<quoted>[^"]*(?:""[^"]*)*)"[ ]*|(?P<plain>[^{re.escape(separator)}\r\n]*)')
    starts = line_starts(text)
    row: list[TableCell] = []
    number = column = line = 1
    while at < len(text):
        while line < len(starts) and starts[line] <= at:
            line += 1
        match = cell.match(text, at)
        assert match is not None, "an empty cell is one, too"
        found, at = _cell(
            text,
            match,
            separator,
            TableCell(row=number, column=column, text="", line=line, at=at - starts[line - 1] + 1),
        )
        row.append(found)
        end = _LINE_END.match(text, at)
        if end or at >= len(text):
            yield row
            row, number, column = [], number + 1, 1
            at = end.end() if end else at
        else:
            column, at = column + 1, at + 1
    if row:
        yield row


def _cell(text: str, match: re.Match[str], separator: str, place: TableCell) -> tuple[TableCell, int]:
    """Return the cell at its place, and where it ends."""
    at, words, flaw = match.end(), match["plain"], None
    if match["quoted"] is not None:
        words = match["quoted"].replace('""', '"')
        if at < len(text) and text[at] != separator and not _LINE_END.match(text, at):
            rest = re.compile(rf"[^{re.escape(separator)}\r\n]*").match(text, at)
            at = rest.end() if rest else at
            hint = 'in a cell in quotes, write `""` for each `"` of the text'
            flaw = Diagnostic("N003", "something stands behind the quote that ends the cell", hint)
    elif words.lstrip().startswith('"'):
        # No quote ends it: the rest of the file would be one cell, so its line is.
        flaw = Diagnostic("N003", "no quote ends this cell", 'write `"` behind its last word')
    words = _LINE_END.sub("\n", words)
    if flaw is None and begins_formula(words):
        message = f"the cell holds the formula {quoted(words)} and no value of it"
        flaw = Diagnostic("N004", message, "write its value; if it is a text, write `'` before the `=`")
    if flaw is None and words.strip() in ERRORS:
        message = f"the cell holds the error {quoted(words)} of a formula"
        flaw = Diagnostic(
            "N005", message, "mend the formula, or write the value; before a text that says so, write `'`"
        )
    if flaw is None and len(words) > CELL.most:
        flaw = Diagnostic("N010", f"the cell has more than {CELL}", "shorten it")
    return replace(place, text=words, flaw=flaw), at
