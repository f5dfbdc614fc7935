"""The command `png`: draws a picture of each card."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from render.base.addresses import Place, check_reachable
from render.base.findings import plural
from render.cli.command import kotc_command
from render.cli.console import Number, say
from render.cli.options import STRICT, Hire, judge_meanwhile, say_doubts, sheet_flag, worker_options
from render.cli.selection import (
    KEEP_GOING,
    CardSelection,
    check_ids_differ,
    check_ids_in_decks,
    only,
    out_option,
    place_outputs,
    say_missing,
    wanted_cards,
)
from render.sheets.options import SheetOptions


@kotc_command(
    examples=("kotc png cards/starter", "kotc png cards/starter --card wharf-cat --dpi 600 --bleed 3 -o pictures"),
    is_timed=True,
)
@out_option(
    "Folder for the PNGs, also as an address such as s3://.  [default: out/<set>/png]", folder=True, is_far=True
)
@click.option("--dpi", type=Number(72, 1200), default=300, show_default=True, help="Resolution in dots per inch.")
@sheet_flag("bleed", default="0")
@sheet_flag("bleed_from")
@sheet_flag("card_size")
@sheet_flag("cut_line")
@sheet_flag("corner_radius")
@KEEP_GOING
@STRICT
@worker_options
@wanted_cards
def png(
    wanted: CardSelection,
    hire: Hire,
    /,
    out: Place | None,
    dpi: float,
    bleed: float | None,
    *,
    cut_line: bool | None,
    strict: bool,
    keep_going: bool,
    **asked: Any,
) -> None:
    """Draw a PNG of each card.

    If you leave out --bleed-from, --card-size or --corner-radius, `sheet:` in set.yaml counts, and else the default.
    """
    from render.build.made_apart import note_made
    from render.exports.picture_files import PictureFolder, picture_jobs, pictures_of
    from render.game.cards import MissingCard
    from render.png.canvas import Canvas
    from render.png.workers import make_all
    from render.scene.at_rest import MANY

    check_reachable(out)
    given = {key: value for key, value in asked.items() if value is not None}
    if "corner_radius" in given and not cut_line:
        raise click.UsageError("--corner-radius needs --cut-line")
    chosen = wanted.chosen(given.get("card_size"), keep_going=keep_going)
    # The marked blanks of missing cards are only for sheets.
    chosen = only(chosen, lambda face: not isinstance(face.card, MissingCard))
    say_doubts(SheetOptions(**given), given)
    places = [(one, folder, below) for group, folder, below in place_outputs(chosen, out, "png") for one in group]
    (check_ids_differ if out else check_ids_in_decks)(chosen)
    # Unlike on sheets, bleed is not taken from the set: a picture for the screen shows the card as it is cut.
    folders = [
        PictureFolder(drawn.faces, folder, replace(card_set.sheet, **given), below)
        for (card_set, drawn), folder, below in places
    ]
    jobs = picture_jobs(folders, Canvas(dpi, bleed or 0.0), cut_line=bool(cut_line))
    with judge_meanwhile([] if wanted.blanks else chosen, strict=strict, worth=len(jobs) <= MANY):
        with hire(len(jobs), hint="") as workers:
            failed = make_all(jobs, workers)
        for each in folders:
            if each.below and isinstance(each.place, Path):
                made = (each.place / name for face in each.faces for name, _ in pictures_of(face))
                note_made(each.place.parent, made, each.below)
        if failed:  # raised once the others are made
            say(f"{plural(len(failed), 'PNG')} of {len(jobs)} could not be made")
            raise failed[0].error
        for (card_set, drawn), folder, _ in places:
            say(f"{card_set.name}: {plural(sum(len(pictures_of(face)) for face in drawn.faces), 'PNG')} in {folder}")
            say_missing(card_set)
