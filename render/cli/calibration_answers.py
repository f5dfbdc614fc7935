"""Readings of a printer: taken, fitted, confirmed or explained, and stored, with the answers to the user."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from render.base.findings import Finding, Problem, Severity
from render.base.geometry import Affine
from render.cli.console import say, say_findings
from render.sheets import printable
from render.sheets.calibration import slips
from render.sheets.calibration.fit import (
    Calibration,
    correct_back,
    doubts,
    fit,
    in_words,
    parse_offset,
    parse_readings,
)
from render.sheets.calibration.page import map_through
from render.sheets.calibration.printers import clean_tray, keep
from render.sheets.calibration.slips import Explanation
from render.sheets.options import SheetOptions


def read(new: Calibration, texts: Sequence[str]) -> None:
    """Take the readings of a sheet without correction; ValueError or Refused if they are impossible."""
    found = fit(new.paper, parse_readings(texts))
    new = replace(new, correction=correct_back(found.lands, map_through(new.paper, new.flip)))
    said = _where_it_lies(new, found.lands)
    # Three crosses or fewer fit every set of readings exactly, so their misses would tell nothing.
    if len(found.misses) > 3:
        said.append(f"  no reading is more than {found.worst_miss:.2f} mm away from the best fit")
    _keep(new, said, doubts(found))


def offset(new: Calibration, text: str) -> None:
    """Take an offset of backs measured with a ruler; ValueError if it is impossible."""
    lands = parse_offset(text)
    new = replace(new, correction=correct_back(lands, map_through(new.paper, new.flip)))
    _keep(new, _made_up_for(new, in_words(lands, new.paper)[:1]), [])  # a ruler shows a shift and nothing else


def check(former: Calibration, texts: Sequence[str], tray: str | None) -> None:
    """Take the readings of a check sheet: confirm the correction, or improve it and say what was wrong."""
    former = former if tray is None else replace(former, tray=clean_tray(tray))
    readings = parse_readings(texts)
    found, behind = fit(former.paper, readings), map_through(former.paper, former.flip)
    left = slips.left_over(found.lands, former.paper)
    if slips.confirms(found, former.paper):
        _confirm(former, left)
        return
    # Crosses are missing, or readings disagree: too little to confirm it, and no reason to change it.
    if left <= slips.CONFIRMED:
        _keep(former, [f"{former.printer}: nothing is changed"], doubts(found))
        return
    # Readings with all signs wrong fit as well as correct ones. Only a second sheet shows which slip fits both.
    explained = slips.explained(former.paper, former.said(behind), readings)
    if explained is not None:
        new = former.refined(correct_back(explained.lands(former.paper), behind))
        _keep(new, _where_it_lies(new, new.said(behind)), [_slipped(explained, left, new.printer)])
        return
    new = former.refined(correct_back(found.lands, behind))
    before = slips.left_over(former.said(behind), former.paper)
    _keep(new, _where_it_lies(new, new.said(behind)), [*doubts(found), _unexplained(left, before, new.printer)])


def _confirm(former: Calibration, left: float) -> None:

    file = keep(replace(former, confirmed=True))
    say(f"{former.printer}: confirmed: no more than {left:.2f} mm is left in the corners of the cards")
    say(f"saved in {file}; print with")
    say(f'  kotc pdf --printer "{former.printer}"')


def _where_it_lies(new: Calibration, lands: Affine) -> list[str]:
    """Return what the printer does, in words."""
    return _made_up_for(new, in_words(lands, new.paper))


def _made_up_for(new: Calibration, lies: Sequence[str]) -> list[str]:
    """Return the words for where backs lie, and how far they are moved because of it."""
    distance, corner = new.farthest
    return [
        f"{new.printer}: seen from the front, the back lies",
        *(f"  {line}" for line in lies),
        f"  to correct this, backs are moved by up to {distance:.2f} mm, at their {corner} corner",
    ]


def _keep(new: Calibration, said: Sequence[str], doubtful: Sequence[Finding]) -> None:
    """Store a calibration that is not confirmed, and say what was found, what is doubtful and what comes next."""
    file = keep(new)
    for line in said:
        say(line)
    warnings = [*doubtful, *_too_near(new)]
    say_findings(warnings)
    if new.confirmed:
        return
    say(f"saved in {file}, not confirmed yet: print the check sheet and type what you read on it")
    say(f'  kotc calibrate --printer "{new.printer}"')


# --- what is doubtful -----------------------------------------------------------------------------------------------


def _slipped(explained: Explanation, left: float, printer: str) -> Finding:

    where = "in the earlier readings and in these" if explained.on_both else "in the earlier readings"
    hint = f'the correction is fixed: `kotc calibrate --printer "{printer}"` prints its check sheet'
    if explained.on_both:
        hint += "; read it without that slip"
    message = f"{left:.2f} mm is left, because {where} {explained.slip.words}"
    return Problem("R015", message, hint, severity=Severity.WARNING).at()


def _unexplained(left: float, before: float, printer: str) -> Finding:
    """Return the warning that something is left, of `before` mm that the correction should have removed."""
    message = f"{left:.2f} mm is left in the corners of the cards"
    hint = f'the correction is adjusted: `kotc calibrate --printer "{printer}"` prints the next check sheet'
    if left >= before:
        message += f", no less than the {before:.2f} mm before the correction, and no known slip explains it"
        hint = "start over: print a sheet without a correction, and type its readings with --replace"
    return Problem("R016", message, hint, severity=Severity.WARNING).at()


def _too_near(new: Calibration) -> Iterator[Finding]:
    """Yield the warning that backs come too near to the edge of sheets with default options, if they do."""
    with suppress(ValueError):  # no card fits
        options = SheetOptions(paper=new.paper, flip=new.flip)
        doubt = printable.doubt(printable.fit_printable(options, new.correction), new.printer)
        if doubt:
            yield doubt
