"""The commands `edition`: list editions, show their rules, and import rules from the game's own pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.base.findings import plural
from render.cli.console import reporting, say, tell

if TYPE_CHECKING:
    from render.games.kotc.model.edition import Edition


@click.group()
def edition() -> None:
    """List, show and import the rules of editions."""


@edition.command(name="list")
@reporting
def list_command() -> None:
    """List the editions whose rules kotc has, with their files."""
    from render.games.kotc.editions.finding import known
    from render.games.kotc.model.cards import ordinal

    for number, file in known():
        tell(f"{ordinal(number):>5} Edition  {file}")


@edition.command()
@click.argument("number", type=click.IntRange(1, 999), metavar="N")
@reporting
def show(number: int) -> None:
    """Print the rules of edition N as a data file."""
    from render.games.kotc.editions.finding import find
    from render.games.kotc.editions.writing import write_edition

    tell(write_edition(find(number)), end="")


@edition.command(name="import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="File for the rules.  [default: editions/NN.yaml]"
)
@reporting
def import_command(files: tuple[Path, ...], out: Path | None) -> None:
    """Turn the game's web pages into the data file of an edition.

    Give the rulebook and the Card Building Guide of one edition, saved as HTML, in any order. If kotc does not
    understand something in them, nothing is written.
    """
    from render.base.files import replace_file
    from render.games.kotc.editions.finding import FOLDER, file_name
    from render.games.kotc.editions.writing import write_edition
    from render.games.kotc.guide.pages import read_pages

    imported = read_pages(files)
    file = out or Path(FOLDER) / file_name(imported.number)
    replace_file(file, write_edition(imported).encode(), None if out else Path(FOLDER))
    say(f"{_summary(imported)} in {file}")
    if not imported.components:
        say("  without the Card Building Guide there are no components: levels cannot be worked out")


def _summary(imported: Edition) -> str:
    from render.games.kotc.model.cards import ordinal

    revised = len(imported.revisions) + len(imported.ultra_revisions)
    counts = (
        plural(len(imported.components), "component"),
        f"{plural(len(imported.rewordings), 'text')} reworded",
        f"{len(imported.redacted)} redacted",
        f"{revised} revised",
    )
    return f"{ordinal(imported.number)} Edition: {', '.join(counts)}"
