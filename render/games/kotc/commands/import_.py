"""The command `import`: makes cards of files of other programs."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import click

from render.base.findings import has_errors, plural
from render.cli.command import kotc_command
from render.cli.console import ERRORS, say, say_findings, tell
from render.cli.selection import check_given
from render.game.folder import SET_FILE


@kotc_command(
    name="import",
    examples=("kotc import card.xcf --to cards/mine", "kotc import card.xcf --to cards/mine --dry-run"),
    is_timed=True,
)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option(
    "--to",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the set for the cards.  [default: this folder, if it is a set]",
)
@click.option("--dry-run", is_flag=True, help="Show the changes of card files as a diff; write nothing.")
def import_(files: tuple[Path, ...], to: Path | None, dry_run: bool) -> None:
    """Make cards of GIMP files and of pictures; update them.

    GIMP files (XCF) have the layers of the game's template; pictures (PNG, JPEG) show one card of the game's frame, and
    what cannot be read for sure is left out, or marked if a card must have it. Each file gives a card file, and its
    picture in the folder `art`. What people changed in the card files of an earlier import stays. A file that cannot be
    read gives no card. In the end all cards are read again; the command fails if one is missing.
    """
    from render.game.authoring.change_set import unified_diff
    from render.games.kotc.workshop.imports.import_files import import_cards

    check_given(files, "FILE")
    folder = to or _set_here()
    report = import_cards(files, folder, dry_run=dry_run)
    if dry_run:
        tell(unified_diff(report.changes), end="")
    say_findings(report.findings)
    outcomes = Counter(card.outcome for card in report.cards)
    counts = ", ".join(f"{outcomes[each]} {each}" for each in ("new", "changed", "unchanged") if outcomes[each])
    written = plural(outcomes["new"] + outcomes["changed"], "card")
    numbers, where = f"{plural(report.files, 'file')}, {written}", f"{counts} in {folder}"
    if dry_run:
        say(f"{numbers} to write: {where}; nothing was written: --dry-run only shows")
    else:
        say(f"{numbers} written, {report.checked} checked" + (f": {where}" if counts else ""))
    if has_errors(report.findings) or not (dry_run or report.files == len(report.cards) == report.checked):
        sys.exit(ERRORS)


def _set_here() -> Path:
    """Return this folder; wrong usage if it is no set, for cards may not come where nobody expects them."""
    if not Path(SET_FILE).is_file():
        raise click.UsageError("--to is missing: give the folder of a set, which is made if it does not exist")
    return Path()
