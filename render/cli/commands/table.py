"""The command `table`: cards for virtual tables."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

import click

from render.base.findings import plural
from render.base.progress import in_stage
from render.cli.command import kotc_command
from render.cli.console import say
from render.cli.selection import (
    CARDS,
    DRAFTS,
    LANGUAGE,
    PATHS,
    WHERE,
    CardSelection,
    Chosen,
    check_folders_differ,
    check_ids_differ,
    check_ids_in_decks,
    check_one_language,
    out_option,
    place_outputs,
    without_drafts,
)


@kotc_command(
    examples=("kotc table cards/starter --for tabletop-simulator", "kotc table cards/starter --for folder -o pictures"),
    is_timed=True,
)
@PATHS
@click.option(
    "--for",
    "table",
    type=click.Choice(("tabletop-simulator", "folder")),
    help="What the files are for; has to be given.",
)
@out_option("Folder for the files of all sets.  [default: out/<set>/<--for>]", folder=True)
@click.option("--url", metavar="PREFIX", help="Web address that you upload the images to.  [default: --out]")
@CARDS
@WHERE
@LANGUAGE
@DRAFTS
def table(
    paths: tuple[Path, ...],
    table: str | None,
    out: Path | None,
    url: str | None,
    ids: tuple[str, ...],
    where: str,
    language: str | None,
    *,
    drafts: bool,
) -> None:
    """Make card pictures for playing on a screen.

    `--for tabletop-simulator` makes grid images, and for each set a saved object with a pile of its cards.
    `--for folder` makes a PNG of each card and of each back, and `cards.csv`.
    """
    if table is None:
        raise click.UsageError(
            "--for is missing: give `--for tabletop-simulator` for that game, or `--for folder` for a PNG of each card"
            " and `cards.csv`, which other tables read"
        )
    if url is not None:
        if table == "folder":
            raise click.BadParameter("--url needs --for tabletop-simulator", param_hint="--url")
        if not url.startswith(("http://", "https://")):
            raise click.BadParameter(f"expected http:// or https://, found `{url}`", param_hint="--url")
        if any(char in "?#" or char.isspace() or not char.isprintable() for char in url):
            message = "image names are added at its end, so it must not contain `?` or `#`; write a space as `%20`"
            raise click.BadParameter(message, param_hint="--url")
    chosen = CardSelection(paths, ids, language, where).chosen()
    if not any(drawn.faces for _, drawn in chosen):
        raise click.UsageError("there is no card to put on a table")
    chosen = chosen if drafts else without_drafts(chosen)
    for group, folder, below in place_outputs(chosen, out, table):
        if table == "folder":
            _to_folder(group, folder, below)
        else:
            _to_simulator(group, folder, below, url)


def _to_simulator(group: Chosen, folder: Path, below: Path | None, url: str | None) -> None:
    from render.base.files import replace_file
    from render.exports.tabletop import tabletop_files

    def address(name: str) -> str:
        if url is not None:
            return f"{url.rstrip('/')}/{quote(name, errors='surrogateescape')}"
        # For a local file in the game's own form, which is not escaped, and ends in the slash that a whole path
        # begins with.
        return f"file:///{Path(os.path.realpath(folder).lstrip('/')) / name}"

    check_folders_differ(group)
    check_ids_in_decks(group)
    check_one_language(group)
    try:
        piles = [
            (card_set, tabletop_files(card_set.output_name, card_set.name, drawn.faces, address))
            for card_set, drawn in group
        ]
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    for card_set, files in piles:
        # The last one refers to the others, so it never names a missing one.
        for name, draw in in_stage("draw", "files", files.items()):
            replace_file(folder / name, draw(), below)
        say(f"{card_set.name}: {plural(len(files) - 1, 'image')} and {folder / [*files][-1]}")
    where = "upload the images there" if url else "for others to see the images, upload them and give --url"
    say(f"  put the .json file into the game's folder `Saves/Saved Objects`; {where}")


def _to_folder(group: Chosen, folder: Path, below: Path | None) -> None:
    from render.base.files import replace_file
    from render.exports.tabletop import folder_files

    check_ids_differ(group)
    faces = [face for _, drawn in group for face in drawn.faces]
    files = folder_files(faces)
    for name, draw in in_stage("draw", "files", files.items()):  # as above
        replace_file(folder / name, draw(), below)
    say(f"{plural(len(faces), 'card')}: {plural(len(files) - 1, 'PNG')} and {folder / [*files][-1]}")
