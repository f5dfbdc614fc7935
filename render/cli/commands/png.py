"""The command `png`: draws a picture of each card."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.base.findings import plural
from render.cli.command import kotc_command
from render.cli.console import Number, say
from render.cli.options import (
    STRICT,
    WorkerOptions,
    judge_meanwhile,
    options_of,
    say_doubts,
    sheet_flag,
    worker_options,
)
from render.cli.selection import (
    KEEP_GOING,
    CardSelection,
    check_folders_differ,
    check_ids_differ,
    check_ids_in_decks,
    default_folder,
    only,
    outputs_here,
    say_missing,
    wanted_cards,
)

if TYPE_CHECKING:
    from render.game.faces import Faces
    from render.scene.items import Scene


@kotc_command(
    examples=("kotc png cards/starter", "kotc png cards/starter --card wharf-cat --dpi 600 --bleed 3 -o pictures")
)
@click.option(
    "--out",
    "-o",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the PNGs.  [default: out/<set>/png]",
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
    workers: WorkerOptions,
    /,
    out: Path | None,
    dpi: float,
    bleed: float | None,
    *,
    cut_line: bool | None,
    strict: bool,
    keep_going: bool,
    **asked: object,
) -> None:
    """Draw a PNG of each card.

    If you leave out --bleed-from, --card-size or --corner-radius, `sheet:` in set.yaml counts, and else the default.
    """
    from render.game.cards import MissingCard
    from render.png.canvas import Canvas
    from render.png.workers import make
    from render.png.writer import Failed, PngJob

    given = {key: value for key, value in asked.items() if value is not None}
    if "corner_radius" in given and not cut_line:
        raise click.UsageError("--corner-radius needs --cut-line")
    found = wanted.chosen(given.get("card_size"), keep_going=keep_going)  # type: ignore[arg-type] # read as a Size
    # The marked blanks of missing cards are only for sheets.
    found = only(found, lambda face: not isinstance(face.card, MissingCard))
    say_doubts(options_of(given), given)
    (check_ids_differ if out else check_folders_differ)(found)
    check_ids_in_decks(found)
    folders = [out or default_folder(card_set) / "png" for card_set, _ in found]
    # Unlike on sheets, bleed is not taken from the set: a picture for the screen shows the card as it is cut.
    jobs, canvas, below = [], Canvas(dpi, bleed or 0.0), None if out else outputs_here()
    for folder, (card_set, drawn) in zip(folders, found, strict=True):
        sheet = replace(card_set.sheet, **given)  # type: ignore[arg-type] # each was read by its option
        radius = sheet.corner_radius if cut_line else None
        jobs += [
            PngJob(
                file=folder / name,
                scene=scene,
                canvas=canvas,
                bleed_from=sheet.bleed_from,
                cut_radius=radius,
                digested=False,  # only the manifest of a build remembers digests
                below=below,
            )
            for face in drawn.faces
            for name, scene in _pictures(face)
        ]
    with judge_meanwhile([] if wanted.blanks else found, strict=strict):
        with workers.hired(len(jobs)) as hired, closing(make(jobs, hired)) as results:
            failed = [result for result in results if isinstance(result, Failed)]
        if failed:  # raised once the others are made
            say(f"{plural(len(failed), 'PNG')} of {len(jobs)} could not be made")
            raise failed[0].error
        for folder, (card_set, drawn) in zip(folders, found, strict=True):
            count = sum(len(_pictures(face)) for face in drawn.faces)
            say(f"{card_set.name}: {plural(count, 'PNG')} in {folder}")
            say_missing(card_set)


def _pictures(face: Faces) -> list[tuple[str, Scene]]:
    """Return the sides of a card that are its own, by the names of their files, as in a build."""
    front = (f"{face.card.id}.png", face.front)
    return [front, (f"{face.card.id}.back.png", face.back)] if face.card.has_own_back and face.back else [front]
