"""The command line: arguments, printing, exit codes. What the commands need is imported when they run.

Exit status: 0 done; 1 errors in the user's files; 2 wrong usage; 3 the environment (disk full, folder not writable,
unreadable font); 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import gc
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from render import __version__
from render.choosing import (
    PATHS,
    Wanted,
    check_folders_differ,
    check_ids_differ,
    default_folder,
    loaded,
    wanted_cards,
)
from render.cli_build import build
from render.cli_calibrate import calibrate
from render.cli_cut import cut
from render.cli_deck import deck
from render.cli_edition import edition
from render.cli_explain import explain
from render.cli_preflight import preflight
from render.cli_rules import legality_findings, migrate
from render.cli_sheets import pdf
from render.cli_shop import shop
from render.cli_table import table
from render.cli_verify import verify
from render.console import DONE, ERRORS, FORMAT, Number, count, many, reporting, say, show
from render.sheet_flags import options_of, say_doubts, sheet_flag
from render.worker_flags import Hands, worked_by_hands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from render.jobs import Job


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="kotc")
def main() -> None:
    """Turn hand-written YAML into printed cards for Keeper of the Cards.

    A PATH is the folder of a set, a card file, or a folder of sets; without one it is the folder `cards`.
    """
    gc.set_threshold(100_000, 20, 20)  # cards are values without cycles: looking for cycles finds next to nothing


@main.command()
@PATHS
@FORMAT
@click.option(
    "--edition", "number", type=click.IntRange(1, 999), help="Judge by this edition's rules, not each card's."
)
@reporting
def check(paths: tuple[Path, ...], style: str, number: int | None) -> None:
    """Say everything that is wrong or doubtful about cards and sets.

    That is also whether levels and Ultra Points are right, and whether a card may be played.
    """
    from render import diag
    from render.games.kotc import faces
    from render.games.kotc.rules import review

    try:
        sets, findings = loaded(paths)
        for card_set in sets:
            findings += faces.findings(card_set)
        if diag.has_errors(findings):
            raise diag.Refused(findings)
        findings += [finding for card_set in sets for finding in review(card_set)]
        findings += legality_findings(sets, number)
        summary = f"{many(sum(len(card_set.cards) for card_set in sets), 'card')} checked: {count(findings)}"
    except diag.Refused as error:
        findings = [*error.findings]
        summary = count(findings)
    show(findings, style)
    say(summary)
    sys.exit(ERRORS if diag.has_errors(findings) else DONE)


@main.command()
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder.  [default: out/<set>/png]")
@click.option("--dpi", type=Number(72, 1200), default=300, show_default=True, help="Dots per inch.")
@click.option("--bleed", type=Number(0, 5), default=0, show_default=True, help="mm around the trim.")
@sheet_flag("bleed_from")
@sheet_flag("card_size")
@click.option("--cut-line", is_flag=True, help="A preview of the cut, in magenta, with its corners.")
@sheet_flag("corner_radius")
@worked_by_hands
@wanted_cards
@reporting
def png(
    wanted: Wanted, hands: Hands, /, out: Path | None, dpi: float, bleed: float, *, cut_line: bool, **asked: object
) -> None:
    """Draw one PNG of each card.

    What bleed is made of, the size of the cards and the radius of their corners are the set's if they are not given.
    """
    from render.jobs import Job
    from render.png import Canvas

    given = {key: value for key, value in asked.items() if value is not None}
    if "corner_radius" in given and not cut_line:
        raise click.UsageError("--corner-radius is that of the cut line: it goes with --cut-line")
    found = wanted.chosen(given.get("card_size"))  # type: ignore[arg-type] # read as a Size
    say_doubts(options_of(given), given)
    (check_ids_differ if out else check_folders_differ)(found)
    folders = [out or default_folder(card_set) / "png" for card_set, _ in found]
    jobs = []
    for folder, (card_set, drawn) in zip(folders, found, strict=True):
        sheet = replace(card_set.sheet, **given)  # type: ignore[arg-type] # each was read by its option
        radius = sheet.corner_radius if cut_line else None
        jobs += [
            Job(folder / f"{face.card.id}.png", face.front, Canvas(dpi, bleed), sheet.bleed_from, radius)
            for face in drawn.faces
        ]
    _draw(jobs, hands)
    for folder, (card_set, drawn) in zip(folders, found, strict=True):
        say(f"{card_set.name}: {many(len(drawn.faces), 'PNG')} in {folder}")


def _draw(jobs: Sequence[Job], hands: Hands) -> None:
    """Make the PNGs; the first error is raised once the others are made."""
    from render.jobs import Failed
    from render.workers import make

    with (
        hands.executor() as executor,
        hands.counting(len(jobs), "PNGs") as made,
        closing(make(jobs, executor, hands.count, made)) as results,
    ):
        failed = [result for result in results if isinstance(result, Failed)]
    if failed:
        say(f"{many(len(failed), 'PNG')} of {len(jobs)} could not be made")
        raise failed[0].error


for command in (build, pdf, shop, table, cut, calibrate, verify, preflight, migrate, explain, deck, edition):
    main.add_command(command)
