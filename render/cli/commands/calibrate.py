"""The command `calibrate`: prints a calibration sheet, takes its readings, and stores the correction of the printer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.cli.console import reporting, say, tell
from render.cli.selection import pdf_file
from render.cli.sheet_flags import sheet_flag
from render.cli.standing import outputs_here
from render.cli.terminal.command import kotc_command

if TYPE_CHECKING:
    from render.base.geometry import Flip, Size
    from render.sheets.calibration.fit import Calibration
    from render.sheets.calibration.page import Instruction
    from render.sheets.options import Orientation

_DEFAULT_FILE = Path("out", "calibration.pdf")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What the command line says."""

    paper: Size | None
    orientation: Orientation | None
    flip: Flip | None
    printer: str | None
    tray: str | None
    readings: tuple[str, ...]
    offset: str | None
    check: str | None
    replace: bool
    out: Path | None
    listing: bool
    remove: str | None

    @property
    def measures(self) -> bool:
        """Whether it gives measurements."""
        return bool(self.readings) or self.offset is not None

    @property
    def page(self) -> Size | None:
        """The paper in its orientation, if one is given."""
        from render.sheets.options import Orientation, SheetOptions

        if self.paper is None:
            return None
        return SheetOptions(paper=self.paper, orientation=self.orientation or Orientation.AS_GIVEN).page


@kotc_command()
@sheet_flag("paper", default="")
@sheet_flag("orientation")
@sheet_flag("flip")
@click.option("--printer", metavar="NAME", help="Name that you give to this printer, paper and tray.")
@click.option("--tray", metavar="TEXT", help="A note about the paper tray, shown by --list.")
@click.option(
    "--read", "readings", multiple=True, metavar="READINGS", help='What you read on the sheet: "A 0.3 -0.2, B ..."'
)
@click.option(
    "--offset",
    "--backs-lie",
    "offset",
    metavar="WORDS",
    help="How far off backs lie by your ruler, seen from the front, instead of --read: "
    '"2 mm right, 1 mm down", or RIGHT,DOWN in mm.',
)
@click.option(
    "--check", "--refine", "check", metavar="CODE", help="Code of the check sheet that the readings come from."
)
@click.option("--replace", is_flag=True, help="Replace the printer's correction by one from a new sheet.")
@click.option(
    "--out",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    callback=pdf_file,
    help=f"File of the sheet.  [default: {_DEFAULT_FILE}]",
)
@click.option("--list", "listing", is_flag=True, help="List the calibrated printers.")
@click.option("--remove", metavar="NAME", help="Delete the correction of this printer.")
@reporting
def calibrate(**given: object) -> None:
    """Align backs with fronts on your printer.

    \b
    1. Print the calibration sheet; it says how to read it:
         kotc calibrate --paper a4
    2. Type what you read:
         kotc calibrate --paper a4 --printer NAME --read "A 0.3 -0.2, B ..."
    3. Print the check sheet, which has the correction applied:
         kotc calibrate --printer NAME
    4. Type what you read on it; this confirms or improves the correction:
         kotc calibrate --printer NAME --check CODE --read "A 0.1 0.0, B ..."
    5. From then on, print corrected sheets:
         kotc pdf --printer NAME

    With a ruler alone: hold a print against the light, its front towards you, and type how far its backs lie off:
    kotc calibrate --paper a4 --printer NAME --backs-lie "2 mm right, 1 mm down". This corrects a shift only.
    """
    asked = _Asked(**given)  # type: ignore[arg-type] # click has read each
    _check_together(asked)
    try:
        if asked.listing:
            _list()
        elif asked.remove is not None:
            _remove(asked.remove)
        elif asked.measures:
            _measured(asked)
        else:
            _print(asked)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _check_together(asked: _Asked) -> None:
    """Refuse options that contradict each other."""
    if sum((asked.listing, asked.remove is not None, asked.measures)) > 1:
        raise click.UsageError("use only one of --list, --remove and --read")
    if asked.readings and asked.offset is not None:
        raise click.UsageError("--read and --offset say the same: give one of them")
    _check_alone(asked)
    if asked.offset is not None and asked.check is not None:
        raise click.UsageError("--check needs --read, not --offset")
    if not asked.measures and (asked.check is not None or asked.replace or asked.tray is not None):
        raise click.UsageError("--replace and --tray need --read or --offset, and --check needs --read")
    if asked.orientation is not None and asked.paper is None:
        raise click.UsageError("--orientation needs --paper")


def _check_alone(asked: _Asked) -> None:
    """Refuse options without effect beside --list, --remove, --read or --offset."""
    sheet = {
        "--paper": asked.paper is not None,
        "--orientation": asked.orientation is not None,
        "--flip": asked.flip is not None,
    }
    given = {**sheet, "--printer": asked.printer is not None, "--out": asked.out is not None}
    if asked.measures:
        what, given = "--read" if asked.readings else "--offset", {"--out": asked.out is not None}
    elif asked.listing or asked.remove is not None:
        what = "--list" if asked.listing else "--remove"
    else:
        return
    unheard = [flag for flag, is_given in given.items() if is_given]
    if unheard:
        raise click.UsageError(f"{unheard[0]} does not go with {what}")


def _print(asked: _Asked) -> None:
    """Write the sheet, with the correction of the printer applied if one is named."""
    from render.base.files import replace_file
    from render.base.geometry import Flip
    from render.pdf import document
    from render.sheets.calibration import printers
    from render.sheets.calibration.page import Instruction, pages

    if asked.printer is not None:
        applied = printers.calibration(asked.printer)
        _check(applied, asked)
        sheet = Instruction(applied.paper, applied.flip, applied)
    else:
        sheet = Instruction(_needed(asked.page), asked.flip or Flip.LONG_EDGE)
    file = asked.out or outputs_here() / _DEFAULT_FILE.name
    replace_file(
        file,
        document.write(pages(sheet), document.PdfOptions("Calibration sheet", sheet.flip)),
        None if asked.out else outputs_here(),
    )
    say(f"{_sheet_name(sheet)} in {file}")
    edge = sheet.flip.value.replace("-", " ")
    say(f"  print at 100 % (actual size), both sides, flipped on the {edge}; the sheet says how to read it")


def _sheet_name(sheet: Instruction) -> str:
    if sheet.applied is None:
        return "calibration sheet"
    return f"check sheet {sheet.applied.code}, with the correction of {sheet.applied.printer} applied,"


def _measured(asked: _Asked) -> None:
    """Take measurements: from a sheet without correction, with a ruler, or from a check sheet."""
    from render.cli import calibration_answers

    if asked.printer is None:
        raise click.UsageError("--printer is missing: under which name should the correction be saved?")
    former = _former(asked)
    if former is not None:
        calibration_answers.check(former, asked.readings, asked.tray)
    elif asked.offset is not None:
        calibration_answers.offset(_new(asked), asked.offset)
    else:
        calibration_answers.read(_new(asked), asked.readings)


def _new(asked: _Asked) -> Calibration:
    """Return a printer of which only name, paper and flip are known."""
    from render.base.geometry import IDENTITY, Flip
    from render.sheets.calibration import printers
    from render.sheets.calibration.fit import Calibration
    from render.sheets.printer_names import clean_name

    tray = printers.clean_tray(asked.tray) if asked.tray is not None else ""
    paper, flip = _needed(asked.page, "which paper does it print on?"), asked.flip or Flip.LONG_EDGE
    return Calibration(printer=clean_name(asked.printer or ""), tray=tray, paper=paper, flip=flip, correction=IDENTITY)


def _former(asked: _Asked) -> Calibration | None:
    """Return the calibration that the readings check, if any; ValueError if that is unclear.

    Readings of a sheet without correction that were added to a correction, or the other way round, would make a printer
    twice as bad, or lose what was known of it. So the sheet bears the code of the correction applied to it.
    """
    from render.sheets.calibration import printers

    name = asked.printer or ""
    if asked.check is not None:
        if asked.replace:
            raise ValueError("--check and --replace contradict each other")
        former = printers.calibration(name)
        _check(former, asked)
        # Typed from paper, perhaps in capitals.
        if asked.check.strip().lower() != former.code:
            anew = f'print a new one with kotc calibrate --printer "{former.printer}"'
            message = f"the code of the sheet is {asked.check}, but the correction of `{former.printer}` has the code"
            raise ValueError(f"{message} {former.code}: {anew}")
        return former
    known = printers.existing(name)
    if known is not None and not asked.replace:
        raise ValueError(f"`{known.printer}` is calibrated already: {_what_to_type(asked)}")
    return None


def _what_to_type(asked: _Asked) -> str:
    """Return what to type if something is already known of the printer."""
    if asked.offset is not None:
        return "if you measured a print without its correction, add --replace; otherwise read a check sheet"
    return (
        "if you read a check sheet, add --check and the code on the sheet;"
        " if you read a sheet without a correction, add --replace"
    )


def _check(known: Calibration, asked: _Asked) -> None:
    """Refuse a paper or flip that the printer was not calibrated for; what is not given stays as it was."""
    reason = known.check(asked.page or known.paper, asked.flip or known.flip)
    if reason is not None:
        raise ValueError(reason)


def _needed(page: Size | None, why: str = "the crosses stand in the corners of your paper") -> Size:
    if page is None:
        raise click.UsageError(f"--paper is missing: {why}")
    return page


def _list() -> None:
    from render.sheets.calibration import printers

    known = printers.calibrations()
    if not known:
        say("no printer is calibrated yet; start with kotc calibrate --paper a4")
    for one in known:
        tray = f", tray {one.tray}" if one.tray else ""
        distance, corner = one.farthest
        tell(
            f"{one.printer}{tray}: {one.paper.width:g} x {one.paper.height:g} mm, {one.flip.value},"
            f" moves backs by up to {distance:.2f} mm ({corner}),"
            f" {'confirmed' if one.confirmed else 'not confirmed'}, code {one.code}"
        )


def _remove(name: str) -> None:
    from render.sheets.calibration import printers

    say(f"{printers.remove(name)}: the correction is deleted")
