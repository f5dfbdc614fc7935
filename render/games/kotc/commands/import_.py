"""The command `import`: makes cards of files of other programs."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.base.findings import has_errors, plural
from render.cli.console import ERRORS, reporting, say, tell
from render.cli.selection import check_given
from render.cli.terminal.command import kotc_command
from render.game.folder import SET_FILE

if TYPE_CHECKING:
    from render.games.kotc.imports.import_files import WrittenCard


@kotc_command(
    name="import", examples=("kotc import card.xcf --to cards/mine", "kotc import card.xcf --to cards/mine --dry-run")
)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option(
    "--to",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the set for the cards.  [default: this folder, if it is a set]",
)
@click.option("--dry-run", is_flag=True, help="Show the changes of card files as a diff; write nothing.")
@reporting
def import_(files: tuple[Path, ...], to: Path | None, dry_run: bool) -> None:
    """Make cards of GIMP files and of pictures; update them.

    GIMP files (XCF) have the layers of the game's template; pictures (PNG, JPEG) show one card of the game's frame, and
    what cannot be read for sure is left out. Each file gives a card file, and its picture in the folder `art`.
    What people changed in the card files of an earlier import stays. A file that cannot be read gives no card.
    """
    from render.base.findings import as_text
    from render.games.kotc.imports.import_files import import_cards
    from render.games.kotc.migration.files import unified_diff

    check_given(files, "FILE")
    folder = to or _set_here()
    report = import_cards(files, folder, dry_run=dry_run)
    if dry_run:
        tell(unified_diff(report.changes), end="")
    if report.findings:
        say(as_text(report.findings))
    say(_summary(report.cards, folder, dry_run=dry_run))
    if has_errors(report.findings):
        sys.exit(ERRORS)


def _set_here() -> Path:
    """Return this folder; wrong usage if it is no set, for cards may not come where nobody expects them."""
    if not Path(SET_FILE).is_file():
        raise click.UsageError("--to is missing: give the folder of a set, which is made if it does not exist")
    return Path()


def _summary(cards: Sequence[WrittenCard], folder: Path, *, dry_run: bool) -> str:
    """Return `14 cards imported into cards/ninth: 12 new, 2 unchanged`."""
    found = Counter(card.outcome for card in cards)
    counts = ", ".join(f"{found[outcome]} {outcome}" for outcome in ("new", "changed", "unchanged") if found[outcome])
    done, unsaid = ("to import", "; nothing was written: --dry-run only shows") if dry_run else ("imported", "")
    return f"{plural(len(cards), 'card')} {done} into {folder}{counts and f': {counts}'}{unsaid}"
