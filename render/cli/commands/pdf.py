"""The command `pdf`: print sheets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.base.findings import plural
from render.cli.command import kotc_command
from render.cli.console import say, say_findings
from render.cli.options import STRICT, Asked, SheetCommand, judge_meanwhile, sheet_flags
from render.cli.selection import (
    KEEP_GOING,
    CardSelection,
    check_folders_differ,
    default_folder,
    job_of,
    options_for,
    outputs_here,
    pdf_file,
    say_missing,
    wanted_cards,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from render.exports.print_files import ImposedJob, PrintJob
    from render.game.cards import GameSet
    from render.sheets.calibration.fit import Calibration
    from render.sheets.options import SheetOptions


@kotc_command(
    cls=SheetCommand,
    examples=(
        "kotc pdf cards/starter --paper letter",
        "kotc pdf cards/starter --card wharf-cat --proof low-ink -o proof.pdf",
        "kotc pdf --blank minion:9",
    ),
)
@click.option(
    "--out",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    callback=pdf_file,
    help="One file for the sheets of all sets.  [default: out/<set>/sheets.pdf]",
)
@click.option("--estimate-ink", is_flag=True, help="Also say about how much ink the sheets take.")
@KEEP_GOING
@STRICT
@wanted_cards
@sheet_flags
def pdf(
    asked: Asked, wanted: CardSelection, out: Path | None, *, strict: bool, estimate_ink: bool, keep_going: bool
) -> None:
    """Lay cards out on print sheets, each back behind its front.

    An option that you leave out comes from `sheet:` in set.yaml, and else has the default shown here.
    """
    from render.sheets.options import Structure

    # Asked before the cards are laid out: a press needs larger type than a home printer.
    def for_press(card_set: GameSet) -> bool:
        return asked.get("standard", card_set.sheet.standard) is not Structure.HOME

    size = asked.get("card_size")
    found = wanted.chosen(size, for_press, keep_going=keep_going)  # type: ignore[arg-type] # read as a Size
    if out is None:
        check_folders_differ(found)
    groups = [found] if out else [[one] for one in found]
    # All are checked before the first is written, so that an impossible one leaves nothing half done.
    printings = []
    for group in groups:
        options = options_for([card_set for card_set, _ in group], asked)
        printings.append((job_of(group), options, calibration_for(options, asked)))
    say_of_printer([(options, found) for _, options, found in printings])
    name = "blank.pdf" if wanted.blanks else "sheets.pdf"
    # Blank cards hold nothing that a rule could judge.
    with judge_meanwhile([] if wanted.blanks else found, strict=strict):
        for job, options, back in printings:
            file = out or default_folder(job.sets[0]) / name
            imposed = write_sheets(job, options, file, back, None if out else outputs_here())
            for card_set in job.sets:
                say_missing(card_set)
            if estimate_ink:
                _say_ink(imposed)


def calibration_for(options: SheetOptions, asked: Asked) -> Calibration | None:
    """Return the calibration of the printer of these sheets, if one is named; wrong usage if it is for other sheets."""
    if not options.printer:
        return None
    from render.sheets.options import Backs
    from render.sheets.printable import calibration_of

    if asked.get("printer") and options.backs in (Backs.FOLD, Backs.NONE):
        raise click.BadParameter(
            f"sheets with `backs: {options.backs.value}` have no back side", param_hint="--printer"
        )
    try:
        return calibration_of(options)
    except ValueError as error:
        if asked.get("printer"):
            raise click.BadParameter(str(error), param_hint="--printer") from None
        message = f"`printer` under `sheet`: {error}"
        raise click.UsageError(f"{message}; --printer none makes sheets without a correction") from None


def say_of_printer(printings: Sequence[tuple[SheetOptions, Calibration | None]]) -> None:
    """Warn, once each, of what is doubtful about sheets that are corrected for a printer."""
    if not any(found for _, found in printings):
        return
    from render.sheets.printable import doubts_about

    # Several sets on the same paper would give the same warning.
    for doubt in dict.fromkeys(doubt for options, found in printings for doubt in doubts_about(options, found)):
        say_findings([doubt])


def write_sheets(
    job: PrintJob, options: SheetOptions, file: Path, printer: Calibration | None, below: Path | None = None
) -> ImposedJob:
    """Write the files of a job, all or none, and print how to print them; backs are corrected for a printer.

    Return the sheets.

    `below` is as in `render.base.files`.
    """
    from render.base.findings import listed
    from render.base.geometry import IDENTITY
    from render.exports.lost_corrections import lost_correction
    from render.exports.print_files import leftovers, sheets
    from render.exports.sheet_files import write_job

    back = printer.correction if printer else IDENTITY
    lost = "" if printer else lost_correction(file)
    imposed = sheets(job, options, back)
    made = write_job(job, imposed, file, below)
    between = "and" if len(made) == 2 else "to"
    where = str(made[0]) if len(made) == 1 else f"{made[0]} {between} {made[-1].name}"
    say(f"{job.title}: {plural(len(imposed.sheets), 'sheet')} in {where}")
    say(f"  {how_to_print(options)}")
    say(f"  {_on_paper(job, imposed)}")
    if options.for_press:
        # numpy and pikepdf, which sheets for a home printer do without.
        from render.exports.press_files import press, standard_of

        say(f"  structured as {standard_of(options).title}, in the inks of {press().condition}; not certified")
    if lost:
        say(f"  {lost}")
    left = leftovers(file, made)
    if left:
        say(f"  also in this folder, but not part of this print job: {listed([each.name for each in left], 'and')}")
    return imposed


def _say_ink(imposed: ImposedJob) -> None:
    from render.exports.ink_use import ink_use

    used = ink_use(imposed)
    shares = zip(("cyan", "magenta", "yellow", "black"), used.mean, strict=True)
    said = ", ".join(f"{share:.0%} {ink}".replace("%", " %") for ink, share in shares)
    say(f"  ink on the average page: about {said}")
    say(f"  all pages together take about as much as {plural(round(used.text_pages), 'page')} of text (5 % black each)")


def _on_paper(job: PrintJob, imposed: ImposedJob) -> str:
    """Return how many cards there are, and how many fit on a sheet of which paper."""
    from render.sheets.option_values import written

    paper, slots = imposed.grid.options.paper, len(imposed.grid.slots)
    name = written(paper)
    size = f"paper of {paper.width:g} x {paper.height:g} mm" if "x" in name else name.upper() if len(name) < 3 else name
    return f"{plural(sum(face.card.copies for face in job.faces), 'card')}, {slots} on a sheet of {size}"


def how_to_print(options: SheetOptions) -> str:
    """Return the sentence that goes with the sheets."""
    from render.sheets.options import Backs

    exact = "print at 100 % (actual size)"
    edge = options.flip.value.replace("-", " ")
    match options.backs:
        case Backs.DUPLEX:
            return f"{exact}, both sides, flipped on the {edge}"
        case Backs.SEPARATE if options.reverse_backs:
            first = "the fronts, then the backs behind them, which are in reverse order"
            return f"{exact}, one side: {first}, the pile turned over on the {edge}"
        case Backs.SEPARATE:
            return f"{exact}, one side: the fronts, then the backs behind them, the pile turned over on the {edge}"
        case Backs.FOLD:
            return f"{exact}, one side; fold along the dashed line with the print outside, glue, then cut"
    return f"{exact}, one side"
