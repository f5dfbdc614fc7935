"""The command `cut`: the cuts of a sheet for a cutting machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.base.findings import plural
from render.cli.command import kotc_command
from render.cli.commands.pdf import calibration_for
from render.cli.console import say
from render.cli.options import Asked, SheetCommand, sheet_flags
from render.cli.selection import CardSelection, default_folder, job_of, options_for, outputs_here, wanted_cards

if TYPE_CHECKING:
    from collections.abc import Iterator

    from render.base.geometry import Size
    from render.exports.print_files import PrintJob
    from render.sheets.cutting import CutSheet
    from render.sheets.imposition import Grid
    from render.sheets.options import SheetOptions

FORMATS = ("svg", "dxf")


@kotc_command(
    cls=SheetCommand,
    examples=("kotc cut cards/starter", "kotc cut cards/starter -o cuts.dxf --gutter 2"),
)
@click.option(
    "--out",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File for the cuts.  [default: out/<set>/cuts.svg, or .dxf by --format]",
)
@click.option(
    "--format", "style", type=click.Choice(FORMATS), help="File format.  [default: from the ending of --out, else svg]"
)
@click.option(
    "--sheet",
    "number",
    type=click.IntRange(min=1),
    help="Cut only the slots that sheet N fills.  [default: all]",
    metavar="N",
)
@wanted_cards
@sheet_flags
def cut(asked: Asked, wanted: CardSelection, out: Path | None, style: str | None, number: int | None) -> None:
    """Write a sheet's cuts for a cutting machine, as SVG or DXF.

    Give the same options as you gave `kotc pdf`, --printer included, since a correction can move all cards. The sheet
    is cut with its fronts up.
    """
    from render.base.files import replace_file
    from render.exports import cut_files

    kind = style or (_by_ending(out) if out else FORMATS[0])
    found = wanted.in_one_language().chosen(asked.get("card_size"))  # type: ignore[arg-type] # read as a Size
    job = job_of(found)
    options = options_for([card_set for card_set, _ in found], asked)
    sheet, count = _cut_sheet(job, _grid(options, asked), number)
    file = out or default_folder(found[0][0]) / f"cuts.{kind}"
    replace_file(file, {"svg": cut_files.svg, "dxf": cut_files.dxf}[kind](sheet), None if out else outputs_here())
    say(f"{job.title}: {plural(count, 'card')} of a sheet of {_mm(sheet.paper)} in {file}")
    for line in _advice(sheet):
        say(f"  {line}")


def _by_ending(out: Path) -> str:
    ending = out.suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        raise click.UsageError(f"`{out.name}` ends neither in .svg nor in .dxf: choose with --format")
    return ending


def _grid(options: SheetOptions, asked: Asked) -> Grid:
    """Return the slots of the sheets made with these options, for a printer if one is named."""
    from render.base.geometry import IDENTITY
    from render.sheets.printable import fit_printable

    known = calibration_for(options, asked)
    return fit_printable(options, known.correction if known else IDENTITY).grid


def _cut_sheet(job: PrintJob, grid: Grid, number: int | None) -> tuple[CutSheet, int]:
    """Return the cuts of a sheet of a job, and its number of cards; wrong usage if there is no such sheet."""
    from render.sheets.cutting import cut_sheet

    slots, copies = len(grid.slots), sum(face.card.copies for face in job.faces)
    last = -(-copies // slots)  # rounded up
    if number is not None and number > last:
        raise click.BadParameter(f"there are {plural(last, 'sheet')}, found {number}", param_hint="--sheet")
    # Of several sheets, the cuts are mostly needed once, with all slots; a last sheet may have fewer cards.
    filled = slots if number is None else min(slots, copies - (number - 1) * slots)
    try:
        return cut_sheet(grid, filled), filled
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _advice(sheet: CutSheet) -> Iterator[str]:
    """Yield what to set in the cutter's program, and what would be cut twice."""
    from render.sheets.cutting import INSET, THICKNESS, shared_edges

    if sheet.marks:
        lengths = f"length {sheet.marks.length:g} mm, thickness {THICKNESS:g} mm, inset {INSET:g} mm on each side"
        yield f"registration marks: type 1, {lengths}; print the sheet with the same options"
    if shared_edges(sheet):
        yield "the cards touch, so the edges between them are cut twice: --gutter 2, or --corner-radius 0"


def _mm(size: Size) -> str:
    return f"{size.width:g} x {size.height:g} mm"
