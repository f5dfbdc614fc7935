"""Which game a set belongs to, if that is written in YAML: the one beside `set.yaml`, or that in a folder it names."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath

from render.base.findings import Finding, has_errors, quoted
from render.game.card_keys import LONGEST_PATH
from render.game.declared.game import DeclaredGame
from render.game.declared.own_files import missing_files, wrong_fonts
from render.game.declared.reading.game_file import read_game
from render.game.folder import GAME_FILE
from render.source.fields import Fields
from render.source.nodes import Scalar
from render.source.shapes import Shape


def game_shape() -> Shape:
    """Return the JSON Schema of `game.yaml`."""
    from render.game.declared.game_shapes import game_file_shape  # noqa: PLC0415 - only editors ask for it

    return game_file_shape()


def is_folder(word: str) -> bool:
    """Return whether `game: word` names a folder rather than a game that comes with the program."""
    return bool(re.search(r"[./\\]", word))


def game_in_folder(folder: Path) -> tuple[DeclaredGame | None, tuple[Finding, ...]]:
    """Return the game that is written in a folder, None if it has mistakes, and all of them."""
    rules, findings = read_game(folder)
    if rules is not None:
        findings = (*findings, *missing_files(rules), *wrong_fonts(rules))
    return None if rules is None or has_errors(findings) else DeclaredGame(rules), findings


def named_game(fields: Fields, folder: Path) -> DeclaredGame | None:
    """Return the game in the folder that `game` names; None, and why in the findings, if it cannot be had.

    The folder is given from `folder`, that of the file.
    """
    node = fields.values["game"]
    home = _folder(fields, node.value, folder) if isinstance(node, Scalar) else None
    if home is None:
        return None
    game, findings = game_in_folder(home)
    fields.findings += findings
    return game


def folder_named(word: str, folder: Path) -> Path | None:
    """Return the folder that `game: word` means; None for an address, or a path of one machine."""
    # A drive is refused on every system, so that a set that works here works there.
    is_of_one_machine = PurePosixPath(word).is_absolute() or re.match(r"[A-Za-z]:|~|\w+://", word)
    if is_of_one_machine or "\\" in word or len(word) > LONGEST_PATH or not word.isprintable():
        return None
    short = Path(os.path.normpath(folder / word))
    # Unless a link makes that another folder.
    return short if os.path.realpath(short) == os.path.realpath(folder / word) else folder / word


def _folder(fields: Fields, word: str, folder: Path) -> Path | None:
    home = folder_named(word, folder)
    example = "write the way from this file's folder, such as `game: ../my-game`"
    if home is None:
        hint = f"write {quoted('game: ' + word.replace(chr(92), '/'))}" if "\\" in word and ":" not in word else example
        fields.note("033", f"{quoted(word)} is not a way from here to a folder", fields.place("game"), hint, "game")
    elif not home.is_dir():
        fields.note("033", f"there is no folder `{home}`", fields.place("game"), example, "game")
    elif not (home / GAME_FILE).is_file():
        hint = f"write `{home / GAME_FILE}`, which says what its cards have"
        fields.note("033", f"`{home}` has no `{GAME_FILE}`", fields.place("game"), hint, "game")
    else:
        return home
    return None
