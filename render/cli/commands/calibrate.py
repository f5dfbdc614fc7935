"""The command `calibrate`: prints a calibration sheet, takes its readings, and stores the correction of the printer."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import Diagnostic, Refused, Severity, Span
from render.base.geometry import IDENTITY, Flip, Size
from render.base.sizes import PAPERS
from render.cli.command import kotc_command
from render.cli.console import say, say_findings, tell
from render.cli.options import sheet_flag
from render.cli.selection import out_option, outputs_here, pdf_file
from render.sheets.calibration import printers
from render.sheets.calibration.dots import fits
from render.sheets.calibration.fit import (
    CONFIRMED,
    confirms,
    doubts,
    explained,
    fit,
    in_words,
    left_over,
    parse_offset,
    parse_readings,
)
from render.sheets.calibration.printers import Calibration
from render.sheets.option_values import clean_name
from render.sheets.options import Orientation, SheetOptions

if TYPE_CHECKING:
    from render.sheets.calibration.photo import Measured

_DEFAULT_FILE = Path("out", "calibration.pdf")


class _Asked(Struct, frozen=True, kw_only=True):
    """What the command line says."""

    paper: Size | None
    orientation: Orientation | None
    flip: Flip | None
    printer: str | None
    tray: str | None
    readings: tuple[str, ...]
    offset: str | None
    photos: tuple[Path, ...]
    check: str | None
    replace: bool
    out: Path | None
    listing: bool
    remove: str | None

    @property
    def measures(self) -> bool:
        return bool(self.readings or self.photos) or self.offset is not None

    @property
    def page(self) -> Size | None:
        """The paper in its orientation, if one is given."""
        orientation = self.orientation or Orientation.AS_GIVEN
        return SheetOptions(paper=self.paper, orientation=orientation).page if self.paper else None


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
    "--photo",
    "photos",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="A picture of the sheet against the light, or a scan, instead of --read.",
)
@click.option(
    "--check", "--refine", "check", metavar="CODE", help="Code of the check sheet that the readings come from."
)
@click.option("--replace", is_flag=True, help="Replace the printer's correction by one from a new sheet.")
@out_option(f"File of the sheet.  [default: {_DEFAULT_FILE}]", callback=pdf_file)
@click.option("--list", "listing", is_flag=True, help="List the calibrated printers.")
@click.option("--remove", metavar="NAME", help="Delete the correction of this printer.")
def calibrate(**given: object) -> None:
    """Align backs with fronts on your printer.

    \b
    1. Print the calibration sheet; it says how to read it:
         kotc calibrate --paper a4
    2. Photograph it against a window, which is all that is needed:
         kotc calibrate --printer NAME --photo IMG.JPG
       Or read its scales, and type what you read:
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
            say(f"{printers.remove(asked.remove)}: the correction is deleted")
        elif asked.photos:
            _take_photo(asked, asked.photos[0])
        elif asked.measures:
            _take_measures(asked)
        else:
            _print(asked)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _check_together(asked: _Asked) -> None:
    """Refuse options that contradict each other, or have no effect beside --list, --remove, --read or --offset."""
    if sum((asked.listing, asked.remove is not None, asked.measures)) > 1:
        raise click.UsageError("use only one of --list, --remove and --read")
    if asked.photos and (asked.readings or asked.offset is not None):
        raise click.UsageError("--photo is instead of --read and --offset: give one of them")
    if len(asked.photos) > 1:
        why = "one against the light shows both sides, and each sheet is taken by a run of its own"
        raise click.UsageError(f"--photo takes one picture, and {len(asked.photos)} are given: {why}")
    if asked.readings and asked.offset is not None:
        raise click.UsageError("--read and --offset say the same: give one of them")
    if asked.measures:
        what = "--read" if asked.readings else "--offset" if asked.offset is not None else "--photo"
        unheard: dict[str, object] = {"--out": asked.out}
    else:
        what = "--list" if asked.listing else "--remove" if asked.remove is not None else ""
        sheet = {"--paper": asked.paper, "--orientation": asked.orientation, "--flip": asked.flip}
        unheard = {**sheet, "--printer": asked.printer, "--out": asked.out} if what else {}
    flag = next((flag for flag, value in unheard.items() if value is not None), "")
    if flag:
        raise click.UsageError(f"{flag} does not go with {what}")
    if asked.offset is not None and asked.check is not None:
        raise click.UsageError("--check needs --read, not --offset")
    if not asked.measures and (asked.check is not None or asked.replace or asked.tray is not None):
        raise click.UsageError("--replace and --tray need --read, --offset or --photo, and --check needs --read")
    if asked.orientation is not None and asked.paper is None:
        raise click.UsageError("--orientation needs --paper")


def _list() -> None:
    known = printers.calibrations()
    if not known:
        say("no printer is calibrated yet; start with kotc calibrate --paper a4")
    for one in known:
        tray = f", tray {one.tray}" if one.tray else ""
        distance, corner = one.farthest
        tell(
            f"{one.printer}{tray}: {one.paper}, {one.flip.value},"
            f" moves backs by up to {distance:.2f} mm ({corner}),"
            f" {'confirmed' if one.confirmed else 'not confirmed'}, code {one.code}"
        )


def _print(asked: _Asked) -> None:
    """Write the sheet, with the correction of the printer applied if one is named."""
    from render.base.files import replace_file
    from render.pdf import document
    from render.sheets.calibration.page import Instruction, pages

    if asked.printer is not None:
        applied = printers.calibration(asked.printer)
        _check_same(applied, asked)
        sheet = Instruction(applied.paper, applied.flip, applied)
        name = f"check sheet {applied.code}, with the correction of {applied.printer} applied,"
    else:
        sheet = Instruction(
            _needed(asked.page, "the crosses stand in the corners of your paper"), asked.flip or Flip.LONG_EDGE
        )
        name = "calibration sheet"
    file = asked.out or outputs_here() / _DEFAULT_FILE.name
    data = document.write(pages(sheet), document.PdfOptions("Calibration sheet", sheet.flip))
    replace_file(file, data, None if asked.out else outputs_here())
    say(f"{name} in {file}")
    say(f"  print at 100 % (actual size), both sides, flipped on the {sheet.flip.words}; the sheet says how to read it")


def _needed(page: Size | None, why: str) -> Size:
    if page is None:
        raise click.UsageError(f"--paper is missing: {why}")
    return page


def _take_measures(asked: _Asked) -> None:
    """Take measurements: from a sheet without correction, with a ruler, or from a check sheet."""
    if asked.printer is None:
        raise click.UsageError("--printer is missing: under which name should the correction be saved?")
    former = _former(asked.printer, asked)
    tray = clean_name(asked.tray) if asked.tray and asked.tray.strip() else ""
    if former is not None:
        _check(former if asked.tray is None else replace(former, tray=tray), asked.readings)
        return
    new = Calibration(
        tray=tray,
        paper=_needed(asked.page, "which paper does it print on?"),
        flip=asked.flip or Flip.LONG_EDGE,
        printer=clean_name(asked.printer),
        correction=IDENTITY,
    )
    if asked.offset is not None:
        lands = parse_offset(asked.offset)
        new = new.refined(lands)
        _keep(new, _made_up_for(new, in_words(lands, new.paper)[:1]), [])  # a ruler shows a shift and nothing else
        return
    fitted = fit(new.paper, parse_readings(asked.readings))
    new = new.refined(fitted.lands)
    lines = _made_up_for(new, in_words(fitted.lands, new.paper))
    # Three crosses or fewer fit every set of readings exactly, so their misses would tell nothing.
    if len(fitted.misses) > 3:
        lines.append(f"  no reading is more than {fitted.worst_miss:.2f} mm away from the best fit")
    _keep(new, lines, doubts(fitted))


def _former(name: str, asked: _Asked) -> Calibration | None:
    """Return the calibration that the readings check, if any; ValueError if that is unclear.

    Readings of a sheet without correction that were added to a correction, or the other way round, would make a printer
    twice as bad, or lose what was known of it. So the sheet bears the code of the correction applied to it.
    """
    if asked.check is not None:
        if asked.replace:
            raise ValueError("--check and --replace contradict each other")
        former = printers.calibration(name)
        _check_same(former, asked)
        # Typed from paper, perhaps in capitals.
        if asked.check.strip().lower() != former.code:
            anew = f'print a new one with kotc calibrate --printer "{former.printer}"'
            message = f"the code of the sheet is {asked.check}, but the correction of `{former.printer}` has the code"
            raise ValueError(f"{message} {former.code}: {anew}")
        return former
    known = printers.existing(name)
    if known is None or asked.replace:
        return None
    hint = (
        "if you measured a print without its correction, add --replace; otherwise read a check sheet"
        if asked.offset is not None
        else "if you read a check sheet, add --check and the code on the sheet;"
        " if you read a sheet without a correction, add --replace"
    )
    raise ValueError(f"`{known.printer}` is calibrated already: {hint}")


def _check_same(known: Calibration, asked: _Asked) -> None:
    """Refuse a paper or flip that the printer was not calibrated for; what is not given stays as it was."""
    reason = known.check(asked.page or known.paper, asked.flip or known.flip)
    if reason is not None:
        raise ValueError(reason)


def _check(former: Calibration, texts: Sequence[str]) -> None:
    """Take the readings of a check sheet: confirm the correction, or improve it and say what was wrong."""
    readings = parse_readings(texts)
    fitted = fit(former.paper, readings)
    left = left_over(fitted.lands, former.paper)
    if confirms(fitted, former.paper):
        line = f"{former.printer}: confirmed: no more than {left:.2f} mm is left in the corners of the cards"
        _keep(replace(former, confirmed=True), [line], [])
        return
    # Crosses are missing, or readings disagree: too little to confirm it, and no reason to change it.
    if left <= CONFIRMED:
        _keep(former, [f"{former.printer}: nothing is changed"], doubts(fitted))
        return
    # Readings with all signs wrong fit as well as correct ones. Only a second sheet shows which slip fits both.
    slip = explained(former.paper, former.lands, readings)
    new = former.refined(slip.lands if slip else fitted.lands)
    sheet = f'`kotc calibrate --printer "{new.printer}"` prints'
    if slip:
        where = "in the earlier readings and in these" if slip.on_both else "in the earlier readings"
        hint = (
            f"the correction is fixed: {sheet} its check sheet{'; read it without that slip' if slip.on_both else ''}"
        )
        doubtful = [
            Diagnostic("R015", f"{left:.2f} mm is left, because {where} {slip.slip.words}", hint, Severity.WARNING)
        ]
    else:
        before = left_over(former.lands, former.paper)  # what the correction should have removed
        message = f"{left:.2f} mm is left in the corners of the cards"
        hint = f"the correction is adjusted: {sheet} the next check sheet"
        if left >= before:
            message += f", no less than the {before:.2f} mm before the correction, and no known slip explains it"
            hint = "start over: print a sheet without a correction, and type its readings with --replace"
        doubtful = [*doubts(fitted), Diagnostic("R016", message, hint, Severity.WARNING)]
    _keep(new, _made_up_for(new, in_words(new.lands, new.paper)), doubtful)


def _take_photo(asked: _Asked, photo: Path) -> None:
    """Take what a picture of a sheet says. Its dots tell for what it was printed, so nothing of it need be given.

    No slip is possible, so the correction counts at once.
    """
    found = _measured(asked, photo)
    flip, code = found.code
    lines = [
        f"  of the picture, {found.front[0]} of {found.front[1]} dots of the front and {found.back[0]} of"
        f" {found.back[1]} of the back were used"
    ]
    if asked.flip not in (None, flip):
        raise ValueError(f"the sheet in the picture was made for flipping on the {flip.words}: leave out --flip")
    former = _former_of_photo(asked, code)
    lies = in_words(found.lands, found.paper, found.errors)
    if former is not None and left_over(found.lands, former.paper) <= CONFIRMED:
        say(f"{former.printer}: on the check sheet, the back lies", *(f"  {line}" for line in lies), *lines)
        say(
            f"  confirmed: no more than {left_over(found.lands, former.paper):.2f} mm is left in the corners of the cards"
        )
        _keep(replace(former, confirmed=True), [], [])
        return
    new = former or Calibration(
        printer=clean_name(asked.printer or ""), tray="", paper=found.paper, flip=flip, correction=IDENTITY
    )
    tray = new.tray if asked.tray is None else clean_name(asked.tray) if asked.tray.strip() else ""
    new = replace(new.refined(found.lands), tray=tray, confirmed=True)
    _keep(new, [*_made_up_for(new, lies), *lines], [])


def _measured(asked: _Asked, photo: Path) -> Measured:
    """Return what the picture says; Refused, with the file as its place, if it says nothing."""
    from render.images.files.parts import UnusablePicture
    from render.images.photos import read_photo
    from render.sheets.calibration.photo import measure

    named = [*PAPERS.values(), *(one.paper for one in printers.calibrations())]
    known = [paper for size in named for paper in (size, Size(size.height, size.width))]
    papers = [asked.page] if asked.page else [*dict.fromkeys(paper for paper in known if fits(paper))]
    try:
        return measure(read_photo(photo), papers)
    except UnusablePicture as error:
        problem = replace(error.problem, message=f"`{photo.name}` {error.problem.message}")
        raise Refused([problem.at(Span(file=photo))]) from None
    except Refused as error:
        raise Refused(one.at(Span(file=photo)) for one in error.findings) from None


def _former_of_photo(asked: _Asked, code: str) -> Calibration | None:
    """Return the calibration whose check sheet is in the picture; None for a sheet without a correction; ValueError."""
    if asked.check is not None and asked.check.strip().lower() != code:
        says = f"has the code {code}" if code else "has no correction applied"
        raise ValueError(f"the code is {asked.check}, but the sheet in the picture {says}: leave out --check")
    if not code:
        if asked.printer is None:
            raise click.UsageError("--printer is missing: under which name should the correction be saved?")
        known = printers.existing(asked.printer)
        if known is not None and not asked.replace:
            hint = "the sheet in the picture has no correction applied: add --replace to start over with it"
            raise ValueError(f"`{known.printer}` is calibrated already, and {hint}")
        return None
    if asked.replace:
        raise ValueError("--replace needs a sheet without a correction, and that in the picture is a check sheet")
    former = next((one for one in printers.calibrations() if one.code == code), None)
    named = printers.calibration(asked.printer) if asked.printer is not None else former
    if former is None or named != former:
        whose = (
            f"`{named.printer}` has a correction with the code {named.code}" if named else "no printer here has that"
        )
        message = f"the picture shows the check sheet of the correction {code}, and {whose}"
        raise ValueError(f"{message}: print a new check sheet with `kotc calibrate --printer NAME`")
    return former


def _made_up_for(new: Calibration, lies: Sequence[str]) -> list[str]:
    """Return the words for where backs lie, and how far they are moved because of it."""
    distance, corner = new.farthest
    return [
        f"{new.printer}: seen from the front, the back lies",
        *(f"  {line}" for line in lies),
        f"  to correct this, backs are moved by up to {distance:.2f} mm, at their {corner} corner",
    ]


def _keep(new: Calibration, lines: Sequence[str], doubtful: Sequence[Diagnostic]) -> None:
    """Store a calibration that is not confirmed, and say what was found, what is doubtful and what comes next."""
    file = printers.keep(new)
    near: list[Diagnostic] = []
    with suppress(ValueError):  # no card fits
        # Backs may come too near to the edge of sheets with default options.
        near += new.doubts_of_edges(SheetOptions(paper=new.paper, flip=new.flip))
    say(*lines)
    say_findings([*doubtful, *near])
    if new.confirmed:
        say(f"saved in {file}; print with", f'  kotc pdf --printer "{new.printer}"')
    else:
        say(f"saved in {file}, not confirmed yet: print the check sheet and type what you read on it")
        say(f'  kotc calibrate --printer "{new.printer}"')
