"""The calibration that options of sheets ask for: of the printer that they name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from render.base.findings import Finding
from render.base.geometry import IDENTITY, Affine
from render.sheets.options import Backs, SheetOptions

if TYPE_CHECKING:
    from render.sheets.calibration.fit import Calibration


def calibration_of(options: SheetOptions) -> Calibration | None:
    """Return the calibration for sheets; None if they name no printer, or have no back side to correct.

    ValueError if the printer is unknown here, or was calibrated for other sheets; Refused if the file of printers is
    damaged; OSError.
    """
    if not options.printer or options.backs in (Backs.FOLD, Backs.NONE):
        return None
    from render.sheets.calibration import printers

    found = printers.calibration(options.printer)
    reason = found.check(options.page, options.flip)
    if reason:
        raise ValueError(reason)
    return found


def correction_by(calibration: Calibration | None) -> Affine:
    """Return what a calibration does to back pages; nothing without one."""
    return calibration.correction if calibration else IDENTITY


def doubts_about(options: SheetOptions, calibration: Calibration | None) -> Iterator[Finding]:
    """Yield what is doubtful about sheets that are corrected for a printer."""
    if calibration is None:
        return
    from render.sheets import printable

    if calibration.unconfirmed:
        yield calibration.unconfirmed
    too_near = printable.doubt(printable.fit_printable(options, calibration.correction), calibration.printer)
    if too_near:
        yield too_near
