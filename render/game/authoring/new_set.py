"""Begin a set: a folder with `set.yaml`, cards and pictures. All files are written, or none."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path, PurePosixPath

from msgspec import Struct

from render.base.files import replace_files
from render.base.findings import Diagnostic, Refused
from render.game.file_names import folded
from render.game.folder import SET_FILE, Source, card_files, table_files
from render.game.registry import AnyGame
from render.game.schemas import begin_with_line, schemas_of_set
from render.game.sets.set_reader import read_set


class Beginning(Struct, frozen=True):
    """A set to begin: its folder, the paper of its sheets as in `sheet:`, and what its game is asked for."""

    folder: Path
    name: str
    paper: str
    edition: int | None = None


def begin(game: AnyGame, beginning: Beginning) -> list[Path]:
    """Write the files of a new set and return them; in a folder with card files, only `set.yaml`.

    Refused, with all of them, if there are files in the way. ValueError if the game has no such set. OSError.
    """
    folder = beginning.folder
    files = game.first_files(folder, beginning.name, beginning.edition, beginning.paper)
    if folder.is_dir() and any(file.is_file() for file in (*card_files(folder), *table_files(folder))):
        files = {SET_FILE: files[SET_FILE]}
    if in_the_way := _in_the_way(folder, files):
        raise Refused(in_the_way)
    card_set, _ = read_set(Source(folder), {folder / SET_FILE: files[SET_FILE].decode()})
    assert card_set is not None, "a game begins a set that can be read"
    contents = {
        folder / PurePosixPath(name): begin_with_line(name, data.decode()).encode() if name.endswith(".yaml") else data
        for name, data in files.items()
    }
    for file, text in schemas_of_set(card_set).items():
        # A folder that is a link may lead anywhere.
        if not (os.path.lexists(file) or file.parent.is_symlink()):
            contents[file] = text.encode()
    replace_files((file, partial(bytes, data)) for file, data in contents.items())
    return [*contents]


def _in_the_way(folder: Path, files: Iterable[str]) -> list[Diagnostic]:
    """Return an error for each file that exists, whatever the case of its name: some systems do not tell them apart."""
    if os.path.lexists(folder / SET_FILE):
        hint = "`kotc new` adds a card to it; name another folder to begin another set"
        return [Diagnostic("S024", f"`{folder}` is a set already: it has a `{SET_FILE}`", hint).at()]
    there = dict.fromkeys(filter(None, (_existing(folder, PurePosixPath(name).parts) for name in files)))
    hint = "name another folder"
    return [Diagnostic("S024", f"`{each}` exists, and nothing is overwritten", hint).at() for each in there]


def _existing(folder: Path, parts: tuple[str, ...]) -> Path | None:
    """Return what stands where a file is to be written, or in place of a folder on the way; None if nothing does."""
    if not folder.is_dir():
        return folder if os.path.lexists(folder) else None
    first, *rest = parts
    same = sorted(each.name for each in folder.iterdir() if folded(each.name) == folded(first))
    if rest and first in same:
        return _existing(folder / first, tuple(rest))
    return folder / same[0] if same else None
