"""Print sheets as files on disk: all of a job, or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from render.base.files import replace_files
from render.base.findings import Finding, Refused, has_errors
from render.exports.print_files import ImposedJob, PrintJob, print_files, shared_options, sheets
from render.game.cards import GameSet, for_press
from render.game.faces import Faces, lay_out_set
from render.sheets.options import SheetOptions


def write_job(job: PrintJob, imposed: ImposedJob, file: Path, below: Path | None = None) -> list[Path]:
    """Write the files of a job, all or none, and return them; `below` is as in `base/files`. OSError."""
    parts = [(part.beside(file), part.data) for part in print_files(job, imposed)]
    replace_files(parts, below)
    return [name for name, _ in parts]


def write_sheets(sets: Sequence[GameSet], file: Path | str, options: SheetOptions | None = None) -> list[Path]:
    """Lay the cards of sets out on sheets, each back behind its front, and write these as a PDF.

    `options` say how the sheets are made; without them, `sheet:` of the sets does. Return the files: one, or several
    beside `file` if the backs are separate or the sheets are split. Refused with all errors of all cards; ValueError if
    the sets ask for different sheets, the grid does not fit the paper, or there is no set or no card with a copy;
    OSError.
    """
    if not sets:
        raise ValueError("there are no sets to print")
    made = options or shared_options(sets, {})
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
