"""The command `cut`: the cuts of a sheet for a cutting machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from render.base.findings import plural
from render.cli.command import kotc_command
from render.cli.console import say
from render.cli.options import Asked, SheetCommand, sheet_flags
from render.cli.selection import (
    DRAFTS,
    CardSelection,
    job_of,
    options_for,
    out_option,
    place_outputs,
    sized_jobs,
    wanted_cards,
    without_drafts,
)

if TYPE_CHECKING:
    from render.base.geometry import Affine
    from render.exports.print_files import SizedJob


@kotc_command(
    cls=SheetCommand,
    examples=("kotc cut cards/starter", "kotc cut cards/starter -o cuts.dxf --gutter 2"),
    is_timed=True,
)
@out_option("File for the cuts.  [default: out/<set>/cuts.svg, or .dxf by --format]")
@click.option(
    "--format",
    "style",
    type=click.Choice(("svg", "dxf")),
    help="File format.  [default: from the ending of --out, else svg]",
)
@click.option(
    "--sheet",
    "number",
    type=click.IntRange(min=1),
    help="Cut only the slots that sheet N fills.  [default: all]",
    metavar="N",
)
@DRAFTS
@wanted_cards
@sheet_flags
def cut(
    asked: Asked, wanted: CardSelection, out: Path | None, style: str | None, number: int | None, *, drafts: bool
) -> None:
    """Write a sheet's cuts for a cutting machine, as SVG or DXF.

    Give the same options as you gave `kotc pdf`, --printer included, since a correction can move all cards. The sheet
    is cut with its fronts up.
    """
    from render.base.geometry import IDENTITY

    style = style or (out.suffix.lower().removeprefix(".") if out else "svg")
    if style not in ("svg", "dxf"):
        raise click.UsageError(f"`{out and out.name}` ends neither in .svg nor in .dxf: choose with --format")
    # In one language: those that the set has share their cuts.
    group = replace(wanted, language=wanted.language or "").chosen(asked.get("card_size"))
    job = job_of(group)
    options, printer = options_for(job.sets, asked)
    if options.for_press and not drafts:  # as `kotc pdf` makes the sheets
        job = job_of(without_drafts(group))
    _, file, below = place_outputs(group[:1], out, f"cuts.{style}")[0]
    for sized in sized_jobs(job, options):
        _cut(sized, printer.correction if printer else IDENTITY, sized.file(file), style, number, below)


def _cut(sized: SizedJob, correction: Affine, file: Path, style: str, number: int | None, below: Path | None) -> None:
    """Write the cuts of the sheets of cards of one size, and say what to know of them."""
    from render.base.files import replace_file
    from render.exports import cut_files
    from render.exports.print_files import grid_of
    from render.sheets.cutting import cut_sheet, shared_edges

    job = sized.job
    grid = grid_of(job, sized.options, correction)
    slots, copies = len(grid.slots), sum(face.card.copies for face in job.faces)
    last = -(-copies // slots)  # rounded up
    if number is not None and number > last:
        raise click.BadParameter(f"there are {plural(last, 'sheet')}, found {number}", param_hint="--sheet")
    # Of several sheets, the cuts are mostly needed once, with all slots; a last sheet may have fewer cards.
    filled = slots if number is None else min(slots, copies - (number - 1) * slots)
    try:
        sheet = cut_sheet(grid, filled)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    replace_file(file, {"svg": cut_files.svg, "dxf": cut_files.dxf}[style](sheet), below)
    say(f"{job.title}: {plural(filled, 'card')} of a sheet of {sheet.paper} in {file}")
    if sheet.marks:
        say(f"  {sheet.marks.words}; print the sheet with the same options")
    if shared_edges(sheet):
        say("  the cards touch, so the edges between them are cut twice: --gutter 2, or --corner-radius 0")
