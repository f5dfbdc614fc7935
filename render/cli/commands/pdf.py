"""The command `pdf`: print sheets."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from render.base.addresses import Place, check_reachable
from render.base.findings import listed, plural
from render.cli.command import kotc_command
from render.cli.console import say
from render.cli.options import SCHEDULER, STRICT, Asked, SheetCommand, connected, judge_meanwhile, sheet_flags
from render.cli.selection import (
    DRAFTS,
    KEEP_GOING,
    CardSelection,
    job_of,
    only,
    options_for,
    out_option,
    outputs_here,
    pdf_file,
    place_outputs,
    say_missing,
    sized_jobs,
    wanted_cards,
    without_drafts,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from render.exports.print_files import ImposedJob, PrintJob
    from render.game.cards import GameSet
    from render.game.faces import Finish
    from render.sheets.calibration.printers import Calibration
    from render.sheets.options import SheetOptions


@kotc_command(
    cls=SheetCommand,
    examples=(
        "kotc pdf cards/starter --paper letter",
        "kotc pdf cards/starter --card wharf-cat --proof low-ink -o proof.pdf",
        "kotc pdf --blank minion:9",
    ),
    is_timed=True,
)
@out_option(
    "One file for the sheets of all sets, also as an address such as s3://.  [default: out/<set>/sheets.pdf, or "
    "chosen.pdf if only some cards are chosen]",
    callback=pdf_file,
    is_far=True,
)
@click.option(
    "--tagged",
    is_flag=True,
    help="Make no sheets but a page of each card, which screen readers read out in order.  [default file: out/<set>/tagged.pdf]",
)
@click.option("--estimate-ink", is_flag=True, help="Also say about how much ink the sheets take.")
@DRAFTS
@KEEP_GOING
@STRICT
@SCHEDULER
@wanted_cards
@sheet_flags
def pdf(
    asked: Asked,
    wanted: CardSelection,
    out: Place | None,
    *,
    strict: bool,
    tagged: bool,
    estimate_ink: bool,
    keep_going: bool,
    drafts: bool,
    scheduler: str | None,
) -> None:
    """Lay cards out on print sheets, each back behind its front.

    An option that you leave out comes from `sheet:` in set.yaml, and else has the default shown here.
    """
    from render.exports.print_files import drawn_for, shared_options, sheet_options
    from render.pdf.pictures import remembering
    from render.sheets.options import Structure

    check_reachable(out)
    if tagged:
        _write_tagged(asked, wanted, out, strict=strict, estimate_ink=estimate_ink, keep_going=keep_going)
        return

    # Asked before the cards are laid out: a press needs larger type than a home printer.
    def for_press(card_set: GameSet) -> bool:
        return asked.get("standard", card_set.sheet.standard) is not Structure.HOME

    def finish(card_set: GameSet) -> Finish | None:
        if estimate_ink:  # which is seen in the scenes
            return None
        with suppress(ValueError):  # said once all is laid out
            options = shared_options(replace(each, **asked) for each in sheet_options([card_set]))
            drawing = drawn_for(options)
            store = wanted.kept() if drawing else None
            if drawing and store:
                from render.build.finished import finish_with_store

                return finish_with_store(drawing, options, store)
            return drawing
        return None

    with connected(scheduler, out or outputs_here() / wanted.sheets_name) as executor:
        chosen = wanted.chosen(asked.get("card_size"), for_press, keep_going=keep_going, finish=finish, by=executor)
    if not drafts and any(for_press(card_set) for card_set, _ in chosen):
        chosen = without_drafts(chosen)
    # All are checked before the first is written, so that an impossible one leaves nothing half done.
    printings = []
    for group, file, below in place_outputs(chosen, out, wanted.sheets_name):
        job = job_of(group)
        options, printer = options_for(job.sets, asked)
        sized = sized_jobs(job, options)
        printings += [(each.job, each.options, each.file(file), printer, below) for each in sized]
    say_of_printer([(options, printer) for _, options, _, printer, _ in printings])
    kept = None if wanted.blanks else wanted.kept()
    # Blank cards hold nothing that a rule could judge.
    with remembering(kept.memory() if kept else None), judge_meanwhile([] if wanted.blanks else chosen, strict=strict):
        for printing in printings:
            imposed = write_sheets(*printing)
            for card_set in printing[0].sets:
                say_missing(card_set)
            if estimate_ink:
                from render.exports.print_files import ink_use

                mean, of_text = ink_use(imposed)
                inks = zip(("cyan", "magenta", "yellow", "black"), mean, strict=True)
                shares = ", ".join(f"{share:.0%} {ink}".replace("%", " %") for ink, share in inks)
                pages = plural(round(of_text), "page")
                say(f"  ink on the average page: about {shares}")
                say(f"  all pages together take about as much as {pages} of text (5 % black each)")


def _write_tagged(
    asked: Asked, wanted: CardSelection, out: Place | None, *, strict: bool, estimate_ink: bool, keep_going: bool
) -> None:
    """Write the cards, and no sheets, for those who have them read out."""
    from render.exports.tagged_files import write_tagged
    from render.game.cards import MissingCard

    flags = [f"--{key.replace('_', '-')}" for key in asked if key != "card_size"] + ["--estimate-ink"] * estimate_ink
    if flags:
        raise click.UsageError(f"--tagged makes no sheets, and {listed(flags, 'and')} is about these")
    chosen = only(
        wanted.chosen(asked.get("card_size"), keep_going=keep_going),
        lambda face: not isinstance(face.card, MissingCard),
    )
    with judge_meanwhile([] if wanted.blanks else chosen, strict=strict):
        for group, file, below in place_outputs(chosen, out, "tagged.pdf"):
            sets = [replace(card_set, cards=tuple(each.card for each in drawn.faces)) for card_set, drawn in group]
            title = ", ".join(card_set.name for card_set in sets)
            say(f"{title}: {plural(write_tagged(sets, title, file, below), 'page')} in {file}")
            for card_set in sets:
                say_missing(card_set)


def say_of_printer(printings: Sequence[tuple[SheetOptions, Calibration | None]]) -> None:
    """Warn, once each, of what is doubtful about sheets that are corrected for a printer."""
    corrected = [(options, printer) for options, printer in printings if printer]
    if corrected:
        # Several sets on the same paper would give the same warning.
        say(*dict.fromkeys(doubt for options, printer in corrected for doubt in printer.doubts(options)))


def write_sheets(
    job: PrintJob, options: SheetOptions, file: Place, printer: Calibration | None, below: Path | None = None
) -> ImposedJob:
    """Write the files of a job, all or none, and print how to print them; backs are corrected for a printer.

    Return the sheets. `below` is as in `render.base.files`.
    """
    from render.base.geometry import IDENTITY
    from render.exports.print_files import leftovers, lost_correction, sheets, split, suffixes, write_job
    from render.sheets.option_values import written

    lost = "" if printer else lost_correction(file)
    imposed = sheets(job, options, printer.correction if printer else IDENTITY)
    made = write_job(job, imposed, file, below)
    if below and isinstance(file, Path):
        from render.build.made_apart import note_made

        note_made(file.parent, (each for each in made if isinstance(each, Path)), below)
    where = str(made[0]) if len(made) == 1 else f"{made[0]} {'and' if len(made) == 2 else 'to'} {made[-1].name}"
    paper, slots = imposed.grid.options.paper, len(imposed.grid.slots)
    name = written(paper)
    size = f"paper of {paper}" if "x" in name else name.upper() if len(name) < 3 else name
    cards = plural(sum(face.card.copies for face in job.faces), "card")
    say(f"{job.title}: {plural(len(imposed.sheets), 'sheet')} in {where}")
    say(f"  {how_to_print(options)}", f"  {cards}, {slots} on a sheet of {size}")
    if options.for_press:
        # numpy and pikepdf, which sheets for a home printer do without.
        from render.exports.press_files import press, standard_of

        say(f"  structured as {standard_of(options).title}, in the inks of {press().condition}; not certified")
    if len(made) > len(split(len(imposed.sheets), options)) * len(suffixes(options.backs)):
        say(f"  in {len(made)} files of at most 10 GB")
    if lost:
        say(f"  {lost}")
    if left := leftovers(file, made):
        say(f"  also in this folder, but not part of this print job: {listed([each.name for each in left], 'and')}")
    return imposed


def how_to_print(options: SheetOptions) -> str:
    """Return the sentence that goes with the sheets."""
    from render.sheets.options import Backs

    edge = options.flip.words
    order = ", which are in reverse order" if options.reverse_backs else ""
    way = {
        Backs.DUPLEX: f", both sides, flipped on the {edge}",
        Backs.SEPARATE: f", one side: the fronts, then the backs behind them{order}, the pile turned over on the {edge}",
        Backs.FOLD: ", one side; fold along the dashed line with the print outside, glue, then cut",
        Backs.NONE: ", one side",
    }
    return f"print at 100 % (actual size){way[options.backs]}"
