"""The cells of a table as they are read, whatever the format of its file."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import CellPlace, Diagnostic, Refused, Span, printable
from render.base.limits import TABLE_COLUMNS, TABLE_ROWS
from render.source.scalars.scalar_ranges import ScalarStyle

EMPTIES = ('""', "[]", "{}")
"""What a cell says that gives an empty text, list or mapping: nothing in a cell means that the key is left out."""

ERRORS = frozenset(("#REF!", "#N/A", "#NAME?", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!"))
"""What spreadsheets save in CSV files for formulas that end in an error."""

_TRUTHS = {"TRUE": "true", "FALSE": "false"}  # as spreadsheets save them in CSV files
# Behind these a spreadsheet expects a formula; those of full width count, too (OWASP, "CSV Injection").
_FORMULA = "=+\\-@＝＋－＠"
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_RISKY = re.compile(rf"[{_FORMULA}]")
_SPECIAL = re.compile(rf"""[\s{_FORMULA}']|(?:""|\[\]|\{{\}}|TRUE|FALSE)\Z""")


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
