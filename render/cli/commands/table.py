"""The command `table`: cards for virtual tables."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.base.findings import plural
from render.cli.command import kotc_command
from render.cli.console import say
from render.cli.selection import (
    CARDS,
    LANGUAGE,
    PATHS,
    Chosen,
    check_folders_differ,
    check_ids_differ,
    check_ids_in_decks,
    check_one_language,
    chosen,
    default_folder,
    outputs_here,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from render.exports.tabletop import TableFile


TABLES = ("tabletop-simulator", "folder")

_WHAT_FOR = (
    "--for is missing: give `--for tabletop-simulator` for that game, or `--for folder` for a PNG of each card and"
    " `cards.csv`, which other tables read"
)


@kotc_command(
    examples=("kotc table cards/starter --for tabletop-simulator", "kotc table cards/starter --for folder -o pictures")
)
@PATHS
@click.option("--for", "table", type=click.Choice(TABLES), help="What the files are for; has to be given.")
@click.option(
    "--out",
    "-o",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the files of all sets.  [default: out/<set>/<--for>]",
)
@click.option("--url", metavar="PREFIX", help="Web address that you upload the images to.  [default: --out]")
@CARDS
@LANGUAGE
def table(
    paths: tuple[Path, ...],
    table: str | None,
    out: Path | None,
    url: str | None,
    ids: tuple[str, ...],
    language: str | None,
) -> None:
    """Make card pictures for playing on a screen.

    `--for tabletop-simulator` makes grid images, and for each set a saved object with a pile of its cards.
    `--for folder` makes a PNG of each card and of each back, and `cards.csv`.
    """
    if table is None:
        raise click.UsageError(_WHAT_FOR)
    if url is not None:
        _check_url(url, table)
    found = chosen(paths, ids, language=language)
    if not any(drawn.faces for _, drawn in found):
        raise click.UsageError("there is no card to put on a table")
    if out is None:
        check_folders_differ(found)
    for group in [found] if out else [[one] for one in found]:
        place = _Place(out) if out else _Place(default_folder(group[0][0]) / table, outputs_here())
        if table == "folder":
            _to_folder(group, place)
        else:
            _to_simulator(group, place, url)


@dataclass(frozen=True, slots=True)
class _Place:
    """A folder for files; `below` is as in `render.base.files`."""

    folder: Path
    below: Path | None = None


def _to_simulator(found: Chosen, place: _Place, url: str | None) -> None:
    from render.exports.tabletop import tabletop_files

    check_folders_differ(found)
    check_ids_in_decks(found)
    check_one_language(found)
    piles = []
    for card_set, drawn in found:
        try:
            name = card_set.output_name
            piles.append((card_set, tabletop_files(name, card_set.name, drawn.faces, _address(place.folder, url))))
        except ValueError as error:
            raise click.UsageError(str(error)) from None
    for card_set, files in piles:
        _write(files, place)
        say(f"{card_set.name}: {plural(len(files) - 1, 'image')} and {place.folder / files[-1].name}")
    where = "upload the images there" if url else "for others to see the images, upload them and give --url"
    say(f"  put the .json file into the game's folder `Saves/Saved Objects`; {where}")


def _to_folder(found: Chosen, place: _Place) -> None:
    from render.exports.tabletop import folder_files

    check_ids_differ(found)
    faces = [face for _, drawn in found for face in drawn.faces]
    files = folder_files(faces)
    _write(files, place)
    say(f"{plural(len(faces), 'card')}: {plural(len(files) - 1, 'PNG')} and {place.folder / files[-1].name}")


def _write(files: Iterable[TableFile], place: _Place) -> None:
    """Write the files in order: the last one refers to the others, so it never names a missing one."""
    from render.base.files import replace_file

    for file in files:
        replace_file(place.folder / file.name, file.data(), place.below)


def _address(out: Path, url: str | None) -> Callable[[str], str]:
    """Return a function that gives the URL of a file; for a local file in the game's own form, which is not escaped."""
    from urllib.parse import quote

    # The prefix below ends in the slash that a whole path begins with.
    folder = os.path.realpath(out).lstrip("/")
    if url is None:
        return lambda name: f"file:///{Path(folder) / name}"
    return lambda name: f"{url.rstrip('/')}/{quote(name, errors='surrogateescape')}"


def _check_url(url: str, table: str) -> None:
    if table == "folder":
        raise click.BadParameter("--url needs --for tabletop-simulator", param_hint="--url")
    if not url.startswith(("http://", "https://")):
        raise click.BadParameter(f"expected http:// or https://, found `{url}`", param_hint="--url")
    if any(char in "?#" or char.isspace() or not char.isprintable() for char in url):
        message = "image names are added at its end, so it must not contain `?` or `#`; write a space as `%20`"
        raise click.BadParameter(message, param_hint="--url")
