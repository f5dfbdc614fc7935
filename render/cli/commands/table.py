"""The command `table`: cards for virtual tables."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from render.base.findings import listed, plural
from render.cli.command import kotc_command, list_option
from render.cli.console import say, tell
from render.cli.selection import (
    CARDS,
    DRAFTS,
    LANGUAGE,
    PATHS,
    VERSIONS,
    WHERE,
    CardSelection,
    Chosen,
    check_folders_differ,
    check_ids_differ,
    check_ids_in_decks,
    check_one_version,
    out_option,
    place_outputs,
    without_drafts,
)
from render.game.home import Versions

if TYPE_CHECKING:
    from render.exports.tables.formats import TableFormat

_TABLES = (
    "tabletop-simulator",
    "tabletop-playground",
    "playingcards-io",
    "octgn",
    "card-game-simulator",
    "cockatrice",
    "pictures",
    "folder",
)  # those of `tables/formats`, which draws: help needs them at once

_RUNNING = "tabletop-simulator"  # the only table to which a running program is open


@kotc_command(
    examples=(
        "kotc table --list",
        "kotc table cards/starter --for tabletop-simulator",
        "kotc table cards/starter --for folder -o pictures",
    ),
    is_timed=True,
)
@PATHS
@list_option(lambda _: tell("\n".join(_list())), "List the tables, what each is for, and how to load its files.")
@click.option("--for", "table", type=click.Choice(_TABLES), help="What the files are for; has to be given.")
@out_option("Folder for the files of all sets.  [default: out/<set>/<--for>]", folder=True)
@click.option("--url", metavar="PREFIX", help="Web address that you upload the files to.  [default: --out]")
@click.option("--push", is_flag=True, help="Lay the cards on the table of a running Tabletop Simulator, too.")
@CARDS
@WHERE
@LANGUAGE
@VERSIONS
@DRAFTS
def table(
    versions: Versions,
    /,
    paths: tuple[Path, ...],
    table: str | None,
    out: Path | None,
    url: str | None,
    ids: tuple[str, ...],
    where: str,
    language: str | None,
    *,
    drafts: bool,
    push: bool,
) -> None:
    """Make card pictures for playing on a screen.

    `--for tabletop-simulator` makes grid images, and for each set a saved object with a pile of its cards.
    `--for folder` makes a PNG of each card and of each back, and `cards.csv`. `--list` shows all tables.
    Pictures that an earlier run made and that are no longer part of a table are removed.
    """
    if table is None:
        raise click.UsageError(
            "--for is missing: give `--for tabletop-simulator` for that game, or `--for folder` for a PNG of each card"
            " and `cards.csv`, which other tables read; `kotc table --list` shows all"
        )
    from render.exports.tables.formats import FORMATS, format_named

    wanted = format_named(table)
    if push and table != _RUNNING:
        raise click.BadParameter(
            f"only a running Tabletop Simulator takes cards: give --for {_RUNNING}", param_hint="--push"
        )
    if url is not None:
        if not wanted.takes_url:
            others = listed([each.name for each in FORMATS if each.takes_url], "or")
            raise click.BadParameter(f"--url needs --for {others.replace('`', '')}", param_hint="--url")
        if not url.startswith(("http://", "https://")):
            raise click.BadParameter(f"expected http:// or https://, found `{url}`", param_hint="--url")
        if any(char in "?#" or char.isspace() or not char.isprintable() for char in url):
            message = "image names are added at its end, so it must not contain `?` or `#`; write a space as `%20`"
            raise click.BadParameter(message, param_hint="--url")
    selection = CardSelection(paths, ids, language, where, variants=versions.variants, layers=versions.layers)
    chosen = selection.chosen()
    if not any(drawn.faces for _, drawn in chosen):
        raise click.UsageError("there is no card to put on a table")
    chosen = chosen if drafts else without_drafts(chosen)
    for group, folder, below in place_outputs(chosen, out, table):
        written = _write(wanted, group, folder, below, url)
        if push:
            from render.exports.tables import tabletop

            for saved in written:
                tabletop.push(saved.read_bytes())
            say("  the cards were sent to the running game: look at its table")


def _write(wanted: TableFormat, group: Chosen, folder: Path, below: Path | None, url: str | None) -> list[Path]:
    """Write the files of a table, say so, and return the files that name the others."""
    from render.exports.tables.writing import write_part

    def address(name: str) -> str:
        if url is not None:
            return f"{url.rstrip('/')}/{quote(name, errors='surrogateescape')}"
        if wanted.name != _RUNNING:
            return ""
        # For a local file in the game's own form, which is not escaped, and ends in the slash that a whole path
        # begins with.
        return f"file:///{Path(os.path.realpath(folder).lstrip('/')) / name}"

    if wanted.takes_same_ids:
        check_folders_differ(group)
        check_ids_in_decks(group)
        if not wanted.takes_languages:
            check_one_version(group)
    else:
        check_ids_differ(group)
    try:
        parts = list(wanted.write([(card_set, drawn.faces) for card_set, drawn in group], address))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    for part in parts:
        write_part(part, folder, below)
        pictures = sum(name.endswith(".png") for name in part.files)
        shown = f"{plural(pictures, wanted.picture)} and " if pictures else ""
        say(f"{part.title}: {shown}{folder / [*part.files][-1]}")
    written = [folder / [*part.files][-1] for part in parts]
    if wanted.name == "folder":
        return written
    where = "upload the images there" if url else "for others to see the images, upload them and give --url"
    say(f"  {wanted.load}{f'; {where}' if wanted.takes_url else ''}")
    return written


def _list() -> Iterator[str]:
    """Yield what `--list` prints: the tables, each with what it is for and how its files are loaded."""
    from render.exports.tables.formats import FORMATS

    width = max(len(each.name) for each in FORMATS)
    for each in FORMATS:
        yield f"{each.name.ljust(width)}  {each.used_for}"
        yield f"{' ' * width}  {each.load}"
