"""Sheets that were corrected for a printer, and are about to be replaced by others that are not."""

from __future__ import annotations

import mmap
import re
from contextlib import suppress
from pathlib import Path

from render.base.findings import Refused
from render.base.geometry import IDENTITY

_MARK = b'"correction":['  # of the ticket, which is in the file as it is
_NUMBERS = re.compile(rb'"correction":\[([-+.e0-9, ]{11,200})\]')


def lost_correction(file: Path) -> str:
    """Return what to say if sheets without a correction replace a file; "" if it has none that would be lost."""
    numbers = _correction_in(file)
    if numbers is None or numbers == tuple(IDENTITY):
        return ""
    name = _printer_of(numbers)
    whose = f"`{name}`" if name else "a printer"
    flag = f'--printer "{name}"' if name and " " in name else f"--printer {name or 'NAME'}"
    again = f"{flag} corrects it again, and `printer: {name or 'NAME'}` under `sheet` does so always"
    return f"{file} was corrected for {whose} before, and is not any more: {again}"


def _correction_in(file: Path) -> tuple[float, ...] | None:
    """Return the correction of the sheets in a file; None if it has none, or is no file of sheets."""
    try:
        with file.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
            place = data.rfind(_MARK)  # from the end: the ticket is written last
            found = _NUMBERS.match(data, place) if place >= 0 else None
            return tuple(float(number) for number in found[1].split(b",")) if found else None
    except (OSError, ValueError):  # there is no such file, or it is empty
        return None


def _printer_of(numbers: tuple[float, ...]) -> str:
    from render.sheets.calibration import printers

    with suppress(Refused, OSError):
        for each in printers.calibrations():
            if tuple(each.correction) == numbers:
                return each.printer
    return ""
