"""Values of cells as texts: numbers, dates, times and truth values as people write them in YAML."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from msgspec.structs import replace

from render.base.findings import Diagnostic, quoted
from render.base.limits import CELL
from render.source.tables.cells import TableCell

_LAST_DAY = 2_958_466  # days from the first to the last day of the year 9999
_LEAP_OF_1900 = 60  # days: Excel counts a 29 February of 1900, which Lotus had (ECMA-376, 18.17.4.1)
_DAY = 86_400  # seconds
_MAX_DIGITS = 40  # of a number that is written out

_BUILT_IN = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))  # ECMA-376, 18.8.30
_NOT_FORMAT = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!(?:h+|m+|s+)\])[^\]]*\]', re.IGNORECASE)
_DATE_LETTERS = re.compile(r"[ymdhs]", re.IGNORECASE)
_DURATION = re.compile(r"(?P<sign>-?)PT(?:(?P<h>\d{1,6})H)?(?:(?P<m>\d{1,6})M)?(?:(?P<s>\d{1,6})(?:[.,]\d+)?S)?")
_MIDNIGHT = re.compile(r"[T ]00:00(?::00(?:\.0+)?)?Z?\Z")


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
