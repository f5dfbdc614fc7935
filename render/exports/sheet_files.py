"""Print sheets as files on disk, all of a job or none; the ink they take, and corrections that their files lose."""

from __future__ import annotations

import mmap
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from render.base.files import replace_files
from render.base.findings import Finding, Refused, has_errors
from render.base.geometry import IDENTITY, MM_PER_INCH, Edges
from render.exports.print_files import ImposedJob, PrintJob, print_files, shared_options, sheet_options, sheets
from render.game.cards import GameSet, for_press
from render.game.faces import Faces, lay_out_set
from render.scene.items import Scene
from render.sheets.options import SheetOptions


def write_job(job: PrintJob, imposed: ImposedJob, file: Path, below: Path | None = None) -> list[Path]:
    """Write the files of a job, all or none, and return them; `below` is as in `base/files`. OSError."""
    files = print_files(job, imposed, file)
    replace_files(files, below)
    return [name for name, _ in files]


def write_sheets(sets: Sequence[GameSet], file: Path | str, options: SheetOptions | None = None) -> list[Path]:
    """Lay the cards of sets out on sheets, each back behind its front, and write these as a PDF.

    `options` say how the sheets are made; without them, `sheet:` of the sets does. Return the files: one, or several
    beside `file` if the backs are separate or the sheets are split. Refused with all errors of all cards; ValueError if
    the sets ask for different sheets, the grid does not fit the paper, or there is no set or no card with a copy;
    OSError.
    """
    if not sets:
        raise ValueError("there are no sets to print")
    made = options or shared_options(sheet_options(sets))
    faces: list[Faces] = []
    findings: list[Finding] = []
    for card_set in sets:
        # The card's size is one of these options, and decides how its text is set.
        sized = replace(card_set, sheet=made)
        try:
            faces += lay_out_set(for_press(sized) if made.for_press else sized).faces
        except Refused as refused:
            findings += refused.findings
    if has_errors(findings):
        raise Refused(findings)
    job = PrintJob(tuple(sets), tuple(faces))
    if not any(face.card.copies for face in job.faces):
        raise ValueError(f"{job.title}: no card has a copy to print")
    return write_job(job, sheets(job, made), Path(file))


# --- corrections that are lost ----------------------------------------------------------------------------------------

_MARK = b'"correction":['  # of the ticket, which is in the file as it is
_NUMBERS = re.compile(rb'"correction":\[([-+.e0-9, ]{11,200})\]')


def lost_correction(file: Path) -> str:
    """Return what to say if sheets without a correction replace a file; "" if it has none that would be lost."""
    numbers = _correction_in(file)
    if numbers is None or numbers == tuple(IDENTITY):
        return ""
    from render.sheets.calibration import printers

    name = ""
    with suppress(Refused, OSError):
        name = next((each.printer for each in printers.calibrations() if tuple(each.correction) == numbers), "")
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


# --- how much ink sheets take ----------------------------------------------------------------------------------------

# Every printer mixes colors in its own way, so this is an estimate: cyan, magenta and yellow are what red, green and
# blue lack, and what all three have in common is black. Marks, ruler and slug are left out; they take less than 1 %.
TEXT_PAGE = 0.05  # of a page: the coverage of the letter by which the yield of cartridges is stated (ISO/IEC 19752)
_DPI = 50.0

Inks = tuple[float, float, float, float]
"""Cyan, magenta, yellow and black: 0 to 1 each."""


@dataclass(frozen=True, slots=True)
class InkUse:
    """The mean share of a page that each ink covers, over all printed pages, and the number of these."""

    mean: Inks
    pages: int

    @property
    def text_pages(self) -> float:
        """How many pages of text take as much ink."""
        return sum(self.mean) * self.pages / TEXT_PAGE


def ink_use(imposed: ImposedJob) -> InkUse:
    """Return the ink that imposed sheets take. OSError if a picture has changed since it was laid out."""
    page = imposed.grid.paper.width * imposed.grid.paper.height
    of_faces: dict[tuple[int, Edges], Inks] = {}  # each face is painted once
    total, pages = [0.0, 0.0, 0.0, 0.0], 0
    for sheet in imposed.sheets:
        for side in filter(None, (sheet.front, sheet.back)):
            pages += 1
            for placement in side:
                key = (id(placement.face), placement.bleed)
                if key not in of_faces:
                    of_faces[key] = _inks(placement.face, placement.bleed)
                total = [sum_of_ink + share / page for sum_of_ink, share in zip(total, of_faces[key], strict=True)]
    cyan, magenta, yellow, black = (share / max(pages, 1) for share in total)
    return InkUse((cyan, magenta, yellow, black), pages)


def _inks(face: Scene, bleed: Edges) -> Inks:
    """Return how many square mm of each ink a face takes with its bleed."""
    from render.png.canvas import Canvas
    from render.png.paint import ink_shares, paint

    edges = bleed.left, bleed.top, bleed.right, bleed.bottom
    most = max(edges)
    image = paint(face, Canvas(_DPI, most))
    left, top, right, bottom = (round((most - edge) * _DPI / MM_PER_INCH) for edge in edges)
    shown = image.crop((left, top, image.width - right, image.height - bottom))
    area = (face.size.width + bleed.left + bleed.right) * (face.size.height + bleed.top + bleed.bottom)
    cyan, magenta, yellow, black = ink_shares(shown)
    return cyan * area, magenta * area, yellow * area, black * area
