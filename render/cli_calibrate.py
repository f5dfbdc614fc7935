"""The command `calibrate`: print a calibration sheet, take what was read on it, and keep that for the printer."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.choosing import OUT
from render.console import reporting, say, tell
from render.sheet_flags import sheet_flag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from render.calibration import Calibration, Found
    from render.diag import Diagnostic
    from render.geometry import Flip, Size
    from render.sheet_options import Orientation

_DEFAULT_FILE = OUT / "calibration.pdf"


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the command line says."""

    paper: Size | None
    orientation: Orientation | None
    flip: Flip | None
    printer: str | None
    tray: str | None
    readings: tuple[str, ...]
    refine: str | None
    replace: bool
    out: Path | None
    listing: bool
    remove: str | None

    @property
    def page(self) -> Size | None:
        """The paper as it stands or lies, if one is given."""
        from render.sheet_options import Orientation, SheetOptions

        if self.paper is None:
            return None
        return SheetOptions(paper=self.paper, orientation=self.orientation or Orientation.AS_GIVEN).page


@click.command()
@sheet_flag("paper")
@sheet_flag("orientation")
@sheet_flag("flip")
@click.option("--printer", metavar="NAME", help="The name under which the printer is kept.")
@click.option("--tray", metavar="TEXT", help="The tray that the paper lies in, for you to remember.")
@click.option("--read", "readings", multiple=True, metavar="READINGS", help='Such as "A 0.3 -0.2, B 0.1 0.0, ..."')
@click.option("--refine", metavar="CODE", help="The readings are of a sheet on which this correction is applied.")
@click.option("--replace", is_flag=True, help="Forget what was known of the printer: no correction was applied.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help=f"File.  [default: {_DEFAULT_FILE}]")
@click.option("--list", "listing", is_flag=True, help="List the printers that are calibrated.")
@click.option("--remove", metavar="NAME", help="Forget a printer.")
@reporting
def calibrate(**given: object) -> None:
    """Make fronts and backs meet on your printer.

    First print the sheet: kotc calibrate --paper a4. It says how it is read, and what to type then: the same command
    with --printer NAME and --read. From then on kotc pdf --printer NAME makes up for what the printer does to backs.
    With --printer alone, the sheet is printed with the correction applied, to see how good it is.
    """
    asked = _Asked(**given)  # type: ignore[arg-type] # click has read each
    _check_together(asked)
    try:
        if asked.listing:
            _list()
        elif asked.remove is not None:
            _remove(asked.remove)
        elif asked.readings:
            _read(asked)
        else:
            _print(asked)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _check_together(asked: _Asked) -> None:
    """Refuse options that say different things."""
    if sum((asked.listing, asked.remove is not None, bool(asked.readings))) > 1:
        raise click.UsageError("--list, --remove and --read are done one at a time")
    _check_alone(asked)
    if not asked.readings and (asked.refine is not None or asked.replace or asked.tray is not None):
        raise click.UsageError("--refine, --replace and --tray go with --read")
    if asked.orientation is not None and asked.paper is None:
        raise click.UsageError("--orientation goes with --paper")


def _check_alone(asked: _Asked) -> None:
    """Refuse options that would go unheard beside --list, --remove or --read."""
    sheet = {
        "--paper": asked.paper is not None,
        "--orientation": asked.orientation is not None,
        "--flip": asked.flip is not None,
    }
    given = {**sheet, "--printer": asked.printer is not None, "--out": asked.out is not None}
    if asked.readings:
        what, given = "--read", {"--out": asked.out is not None}
    elif asked.listing or asked.remove is not None:
        what = "--list" if asked.listing else "--remove"
    else:
        return
    unheard = [flag for flag, is_given in given.items() if is_given]
    if unheard:
        raise click.UsageError(f"{unheard[0]} does not go with {what}")


def _print(asked: _Asked) -> None:
    """Write the sheet, with the correction of the printer applied if one is named."""
    from render import pdf, printers
    from render.calibration_page import Instruction, pages
    from render.files import replace_file
    from render.geometry import Flip

    if asked.printer is not None:
        applied = printers.calibration(asked.printer)
        _check(applied, asked)
        sheet = Instruction(applied.paper, applied.flip, applied)
    else:
        sheet = Instruction(_needed(asked.page), asked.flip or Flip.LONG_EDGE)
    file = asked.out or _DEFAULT_FILE
    replace_file(
        file, pdf.write(pages(sheet), pdf.PdfOptions("Calibration sheet", sheet.flip)), None if asked.out else OUT
    )
    with_it = f", with the correction of {sheet.applied.printer} applied" if sheet.applied else ""
    say(f"calibration sheet in {file}{with_it}")
    edge = sheet.flip.value.replace("-", " ")
    say(f"  print at 100 % (actual size), both sides, flipped on the {edge}; the sheet says how it is read")


def _read(asked: _Asked) -> None:
    """Fit the readings, say what was found, and keep it."""
    from render import printers
    from render.calibration import Calibration, correction, fit, parse_readings
    from render.calibration_page import through
    from render.geometry import Flip

    if asked.printer is None:
        raise click.UsageError("--printer is missing: under which name is this to be kept?")
    former = _former(asked)
    paper = former.paper if former else _needed(asked.page)
    flip = former.flip if former else asked.flip or Flip.LONG_EDGE
    found = fit(paper, parse_readings(asked.readings))
    further = correction(found.lands, through(paper, flip))
    name = former.printer if former else printers.clean_name(asked.printer)
    tray = printers.clean_tray(asked.tray) if asked.tray is not None else former.tray if former else ""
    new = Calibration(name, tray, paper, flip, former.refined(further) if former else further)
    file = printers.keep(new)
    _say_found(found, new)
    say(f'kept in {file}: print with kotc pdf --printer "{name}", or see how good it is with')
    say(f'  kotc calibrate --printer "{name}"')


def _say_found(found: Found, new: Calibration) -> None:
    from render.calibration import doubts, in_words
    from render.diag import as_text

    say(f"{new.printer}: seen from the front, the back lies")
    for line in in_words(found.lands, new.paper):
        say(f"  {line}")
    if len(found.misses) > 3:
        say(f"  no reading is more than {found.worst_miss:.2f} mm off what fits all of them best")
    distance, corner = new.farthest
    say(f"  to make up for it, backs are moved by up to {distance:.2f} mm, at their {corner} corner")
    doubtful = [*doubts(found), *_too_near(new)]
    if doubtful:
        say(as_text(doubtful))


def _too_near(new: Calibration) -> Iterator[Diagnostic]:
    """Yield the warning that backs come too near to the edge of sheets as the paper has them by default, if they do."""
    from render import printable
    from render.sheet_options import SheetOptions

    with suppress(ValueError):  # no card fits
        options = SheetOptions(paper=new.paper, flip=new.flip)
        doubt = printable.doubt(printable.fitted(options, new.correction), new.printer)
        if doubt:
            yield doubt


def _former(asked: _Asked) -> Calibration | None:
    """Return the calibration that the readings refine, if they do; ValueError if it is unclear whether they do.

    Readings of a sheet without a correction that were added to one, or the other way round, would make a printer twice
    as bad or forget what was known of it. So the sheet bears the code of the correction applied to it.
    """
    from render import printers

    name = asked.printer or ""
    if asked.refine is not None:
        if asked.replace:
            raise ValueError("--refine and --replace contradict each other")
        former = printers.calibration(name)
        _check(former, asked)
        if asked.refine.strip().lower() != former.code:
            anew = f'print it anew with kotc calibrate --printer "{former.printer}"'
            message = f"the code of the sheet is {asked.refine}, and what is known of `{former.printer}` has the code"
            raise ValueError(f"{message} {former.code}: {anew}")
        return former
    known = printers.existing(name)
    if known is not None and not asked.replace:
        raise ValueError(
            f"`{known.printer}` is calibrated already: if its correction was applied to the sheet that you read, type"
            " --refine and the code on the sheet; if no correction was applied, type --replace"
        )
    return None


def _check(known: Calibration, asked: _Asked) -> None:
    """Refuse a paper or flip that the printer was not calibrated for; nothing asked for is as it was."""
    reason = known.check(asked.page or known.paper, asked.flip or known.flip)
    if reason is not None:
        raise ValueError(reason)


def _needed(page: Size | None) -> Size:
    if page is None:
        raise click.UsageError("--paper is missing: the crosses stand in the corners of your paper")
    return page


def _list() -> None:
    from render import printers

    known = printers.calibrations()
    if not known:
        say("no printer is calibrated yet: kotc calibrate --paper a4 prints the sheet for it")
    for one in known:
        tray = f", tray {one.tray}" if one.tray else ""
        distance, corner = one.farthest
        tell(
            f"{one.printer}{tray}: {one.paper.width:g} x {one.paper.height:g} mm, {one.flip.value},"
            f" moves backs by up to {distance:.2f} mm ({corner}), code {one.code}"
        )


def _remove(name: str) -> None:
    from render import printers

    say(f"{printers.remove(name)} is forgotten")
