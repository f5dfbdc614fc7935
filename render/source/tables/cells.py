"""The cells of a table as they are read, whatever the format of its file, and what they say as people write it in YAML."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import CellPlace, Diagnostic, Refused, Span, printable, quoted
from render.base.limits import CELL, TABLE_COLUMNS, TABLE_ROWS
from render.base.patterns import regex
from render.source.scalar_values import ScalarStyle

EMPTIES = ('""', "[]", "{}")
"""What a cell says that gives an empty text, list or mapping: nothing in a cell means that the key is left out."""

ERRORS = frozenset(("#REF!", "#N/A", "#NAME?", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!"))
"""What spreadsheets save in CSV files for formulas that end in an error."""

_TRUTHS = {"TRUE": "true", "FALSE": "false"}  # as spreadsheets save them in CSV files
# Behind these a spreadsheet expects a formula; those of full width count, too (OWASP, "CSV Injection").
_FORMULA = "=+\\-@＝＋－＠"
_NUMBER = regex(r"-?[0-9]+(?:\.[0-9]+)?")
_RISKY = regex(rf"[{_FORMULA}]")
_SPECIAL = regex(rf"""[\s{_FORMULA}']|(?:""|\[\]|\{{\}}|TRUE|FALSE)\Z""")


class TableCell(Struct, frozen=True, kw_only=True, array_like=True):
    """A cell that is not empty; rows and columns count from 1.

    `line` and `at` are its line and column in a file of text; 0 in others. `flaw` says why it has no value.
    """

    row: int
    column: int
    text: str
    line: int = 0
    at: int = 0
    flaw: Diagnostic | None = None

    @property
    def name(self) -> str:
        """Its name in a spreadsheet, such as `C1`."""
        return f"{column_name(self.column)}{self.row}"


TableRow = tuple[TableCell, ...]
"""The filled cells of a row, from left to right."""


class TableSheet(Struct, frozen=True, array_like=True):
    """A sheet by its name, "" in a file that has no sheets, and those of its rows that are not empty."""

    name: str
    rows: tuple[TableRow, ...]


SPLIT = "split it into several files or sets"
DAMAGED = "open it in the spreadsheet program, and save it as .xlsx or .ods"


def too_large(message: str, hint: str = SPLIT) -> Refused:
    """Return the refusal of a file that has more than a table of cards; its place is still to be given."""
    return Refused([Diagnostic("N010", message, hint)])


def unreadable(message: str, hint: str = DAMAGED) -> Refused:
    """Return the refusal of a file that is no spreadsheet that can be read; its place is still to be given."""
    return Refused([Diagnostic("N009", message, hint)])


def column_name(column: int) -> str:
    """Return the letters of a column: `A` for 1, `AA` for 27."""
    letters = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


class RowCollector:
    """Takes the rows of a sheet one by one, without what is empty; Refused as soon as there are too many."""

    def __init__(self) -> None:
        self._rows: list[TableRow] = []

    @property
    def found(self) -> tuple[TableRow, ...]:
        """The rows so far."""
        return tuple(self._rows)

    def add(self, row: Iterable[TableCell]) -> None:
        """Take a row."""
        filled = tuple(cell for cell in row if cell.flaw or cell.text.strip())
        if not filled:
            return
        self._rows.append(filled)
        if len(filled) > TABLE_COLUMNS.most:
            message = f"row {filled[0].row} has more than {TABLE_COLUMNS}"
            raise too_large(message, "one row is one card; a table of cards has some twenty columns")
        if len(self._rows) > TABLE_ROWS.most:
            raise too_large(f"the table has more than {TABLE_ROWS}")


MergedArea = tuple[int, int, int, int]
"""The first row and column of cells that are merged into one, and the last of each."""


def filled_areas(rows: tuple[TableRow, ...], areas: Iterable[MergedArea]) -> tuple[TableRow, ...]:
    """Return rows in which merged cells say in each column with a heading what the first of them says.

    A row with nothing beside them stays as it is: a heading of a section, or an empty one. So does the header.
    """
    numbers = [row[0].row for row in rows]
    headings = [cell.column for cell in rows[0]] if rows else []
    added: dict[int, dict[int, TableCell]] = {}
    for top, left, bottom, right in areas:
        first = bisect_left(numbers, top)
        within = range(max(first, 1), bisect_right(numbers, bottom))
        source = next((cell for cell in rows[first] if cell.column == left), None) if within and first else None
        if source is None or source.row != top:
            continue
        columns = headings[bisect_left(headings, left) : bisect_right(headings, right)]
        for index in within:
            row = rows[index]
            if all(left <= cell.column <= right for cell in row):
                continue
            filled = {cell.column for cell in row}
            new = {column: replace(source, row=row[0].row, column=column) for column in columns if column not in filled}
            added.setdefault(index, {}).update(new)
    return tuple(
        tuple(sorted((*row, *added[index].values()), key=lambda cell: cell.column)) if index in added else row
        for index, row in enumerate(rows)
    )


def cell_span(file: Path, sheet: str, cell: TableCell, words: str = "", mark: tuple[int, int] = (0, 0)) -> Span:
    """Return the place of a cell; `words` is its text in a message, of which the characters in `mark` are meant."""
    start, end = mark
    first = words.rfind("\n", 0, start) + 1
    line = words[first:].partition("\n")[0]
    place = CellPlace(name=cell.name, sheet=sheet, start=start - first, end=min(end - first, len(line)))
    at = (cell.line, cell.at) if cell.line else (cell.row, cell.column)
    excerpt = printable(line)
    return Span(file=file, line=at[0], column=at[1], end_line=at[0], end_column=at[1], excerpt=excerpt, cell=place)


def flaw_of(file: Path, sheet: str, cell: TableCell) -> Diagnostic:
    """Return the finding of a cell that has a flaw."""
    assert cell.flaw is not None, "it is asked for only then"
    return cell.flaw.at(cell_span(file, sheet, cell, cell.text, (0, len(cell.text))))


# --- what a cell says -----------------------------------------------------------------------------------------------


def said_by_cell(text: str) -> tuple[str, ScalarStyle]:
    """Return the value that the text of a cell means, without space around it, and how YAML would write it.

    A `'` at the beginning is left out where the words behind it would mean something else: `'=A`, `' x`, `'TRUE`.
    """
    text = text.strip()
    if text in _TRUTHS:
        return _TRUTHS[text], ScalarStyle.PLAIN
    if text == EMPTIES[0]:
        return "", ScalarStyle.DOUBLE
    return (text[1:] if _is_marked(text) else text), ScalarStyle.PLAIN


def cell_for(value: str, *, runs_formulas: bool) -> str:
    """Return the text of a cell that means a value: the way back of `said_by_cell`. Space at its end is left out.

    `runs_formulas` says that programs that open the file take what begins like a formula for one.
    """
    text = value.rstrip()
    if not text:
        return EMPTIES[0]
    risky = runs_formulas and (text in ERRORS or (_RISKY.match(text) and not _NUMBER.fullmatch(text)))
    return f"'{text}" if risky or said_by_cell(text) != (text, ScalarStyle.PLAIN) or text in EMPTIES else text


def begins_formula(text: str) -> bool:
    """Return whether a cell of a CSV file holds a formula."""
    return text.lstrip().startswith("=")


def _is_marked(text: str) -> bool:
    return text.startswith("'") and (_SPECIAL.match(text, 1) is not None or text[1:] in ERRORS)


# --- numbers, dates and times ---------------------------------------------------------------------------------------

_LAST_DAY = 2_958_466  # days from the first to the last day of the year 9999
_LEAP_OF_1900 = 60  # days: Excel counts a 29 February of 1900, which Lotus had (ECMA-376, 18.17.4.1)
_DAY = 86_400  # seconds
_MAX_DIGITS = 40  # of a number that is written out

_BUILT_IN = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))  # ECMA-376, 18.8.30
_NOT_FORMAT = regex(r'"[^"]*"|\\.|_.|\*.|\[(?!(?:h+|m+|s+)\])[^\]]*\]', re.IGNORECASE)
_DATE_LETTERS = regex(r"[ymdhs]", re.IGNORECASE)
_DURATION = regex(r"(?P<sign>-?)PT(?:(?P<h>\d{1,6})H)?(?:(?P<m>\d{1,6})M)?(?:(?P<s>\d{1,6})(?:[.,]\d+)?S)?")
_MIDNIGHT = regex(r"[T ]00:00(?::00(?:\.0+)?)?Z?\Z")


def number_text(written: str) -> str:
    """Return a number without what no one wrote: `3` for 3.0, `0.1` for 0.10000000000000001."""
    try:
        number = float(written)
    except ValueError:
        return written.strip()
    if not -1e15 < number < 1e15:
        return written.strip() if len(written) <= _MAX_DIGITS else repr(number)
    if number == int(number):
        return str(int(number))
    return format(Decimal(repr(number)), "f")


def is_date_format(number: int, code: str | None) -> bool:
    """Return whether a number format shows dates or times; `code` is None for a built-in one."""
    if code is None:
        return number in _BUILT_IN
    return _DATE_LETTERS.search(_NOT_FORMAT.sub("", code.split(";", 1)[0])) is not None


def date_text(serial: str, *, from_1904: bool) -> str:
    """Return the date or time that a number stands for in a spreadsheet, such as `2026-05-01`; `09:30:00` below 1."""
    try:
        days = float(serial)
    except ValueError:
        return serial.strip()
    if not 0 <= days < _LAST_DAY:
        return number_text(serial)
    seconds = round(days * _DAY)
    if seconds < _DAY:
        return str((datetime(2000, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).time())
    # Up to the day that never was, Excel's days are one too few for the date that it counts from otherwise.
    first = datetime(1904, 1, 1, tzinfo=UTC) if from_1904 else datetime(1899, 12, 30, tzinfo=UTC)
    if not from_1904 and days < _LEAP_OF_1900:
        first += timedelta(days=1)
    return iso_text((first + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S"))


def iso_text(written: str) -> str:
    """Return a date as `2026-05-01`, with its time if that is not midnight."""
    return _MIDNIGHT.sub("", written.strip()).replace("T", " ")


def duration_text(written: str) -> str:
    """Return a time such as `09:30:00` for `PT09H30M00S`; what is no such thing stays."""
    match = _DURATION.fullmatch(written.strip())
    if match is None:
        return written.strip()
    hours, minutes, seconds = (int(match[part] or 0) for part in "hms")
    return f"{match['sign']}{hours:02}:{minutes:02}:{seconds:02}"


def without_value(cell: TableCell, formula: str) -> TableCell:
    """Return a cell with a formula of which the file holds no result."""
    message = f"the formula {quoted(formula)} has no stored value" if formula else "the formula has no stored value"
    hint = "open the file in a spreadsheet program and save it there, or write the value"
    return replace(cell, text=formula, flaw=Diagnostic("N004", message, hint))


def wrong_value(cell: TableCell, error: str) -> TableCell:
    """Return a cell whose formula ends in an error such as `#REF!`."""
    problem = Diagnostic("N005", f"the formula gives the error {quoted(error)}", "mend the formula, or write the value")
    return replace(cell, text=error, flaw=problem)


def checked_length(cell: TableCell) -> TableCell:
    """Return the cell with a flaw if its text is longer than any."""
    if len(cell.text) <= CELL.most:
        return cell
    problem = Diagnostic("N010", f"the cell has more than {CELL}", "shorten it")
    return replace(cell, text=cell.text[: CELL.most], flaw=problem)
