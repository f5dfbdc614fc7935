"""CSV files as cells: in any usual encoding, with commas, semicolons, tabs or bars between the cells."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from render.base.findings import Diagnostic, quoted
from render.base.limits import CELL
from render.source.nodes import line_starts
from render.source.tables.cells import (
    ERRORS,
    RowCollector,
    TableCell,
    TableSheet,
    begins_formula,
)

SEPARATORS = ",;\t|"

_LINE_END = re.compile(r"\r\n|\r|\n")
_BOMS = (
    (b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"),
)  # fmt: skip
_MARK_MISREAD = "ï»¿"  # the byte order mark of UTF-8, as Windows-1252 reads it
_SEP_LINE = re.compile(r'"?sep=(?P<separator>[^\r\n"])"?(?:\r\n|\r|\n)', re.IGNORECASE)  # that Excel looks for


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
