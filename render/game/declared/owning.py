"""Which game a set belongs to, if that is written in YAML: the one beside `set.yaml`, or that in a folder it names."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path, PurePosixPath

from render.base.findings import Diagnostic, has_errors, nearest_word, quoted
from render.game import registry
from render.game.card_keys import LONGEST_PATH
from render.game.declared.game import DeclaredGame
from render.game.declared.own_files import missing_files, wrong_fonts
from render.game.declared.reading.game_file import read_game
from render.game.folder import GAME_FILE, is_game, way_between
from render.source.fields import Fields
from render.source.nodes import Scalar
from render.source.shapes import Shape


def game_shape() -> Shape:
    """Return the JSON Schema of `game.yaml`."""
    from render.game.declared.reading.game_rules import game_file_shape

    return game_file_shape()


def is_folder(word: str) -> bool:
    """Return whether `game: word` names a folder rather than a game that comes with the program."""
    return bool(re.search(r"[./\\]", word))


def game_in_folder(folder: Path) -> tuple[DeclaredGame | None, tuple[Diagnostic, ...]]:
    """Return the game that is written in a folder, None if it has mistakes, and all of them."""
    rules, findings = read_game(folder)
    if rules is not None:
        findings = (*findings, *missing_files(rules), *wrong_fonts(rules))
    return None if rules is None or has_errors(findings) else DeclaredGame(rules), findings


def game_meant(word: str, folder: Path) -> str:
    """Return what `game:` in a file of a folder should say where it says `word`; "" if no game near is of that name.

    Near are the folder, the one above it, and the folders in both; games are known by their folder and by their name.
    """
    path = PurePosixPath(word.replace("\\", "/"))
    last = path.parent.name if path.name == GAME_FILE else path.name
    found = written_near(folder)
    if path.name == GAME_FILE and not last:
        return found.get(folder.resolve().name.casefold(), "")
    return found.get(nearest_word(last.casefold(), found), "") if last else ""


MAX_FOLDERS = 200  # that are looked into for games: a hint is not worth more


def written_near(folder: Path) -> dict[str, str]:
    """Return the ways from a folder to the games near it, by the names of their folders and their own names."""
    found: dict[str, str] = {}
    for above in (folder, folder / ".."):
        with contextlib.suppress(OSError):  # a folder that cannot be read has no hint
            below = sorted(each for each in above.iterdir() if not each.name.startswith("."))[:MAX_FOLDERS]
            for home in (above, *below):
                if is_game(home / GAME_FILE):
                    _add_game(found, home, folder)
    return found


def _add_game(found: dict[str, str], home: Path, folder: Path) -> None:
    """Add the way from a folder to the game in another to what is found, by both names of the game."""
    way = way_between(folder, home)
    found.setdefault(home.resolve().name.casefold(), way)
    with (home / GAME_FILE).open("rb") as stream:
        named = re.search(rb"(?m)^name[ \t]*:[ \t]*([^\r\n#]+)", stream.read(MAX_NAMED))
    if named:
        found.setdefault(named[1].decode("utf-8", "replace").strip(" \"'\t").casefold(), way)


MAX_NAMED = 4096  # bytes of `game.yaml` in which its `name` is looked for


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


def _meant(word: str, folder: Path) -> str:
    """Return the hint for a word that names no folder of a game; "" if none is near, and it begins with no game."""
    way = game_meant(word, folder)
    first = word.split("/", maxsplit=1)[0]
    meant = way or (first if first in registry.names() else "")
    return f"did you mean `game: {meant}`?" if meant else ""


def _folder(fields: Fields, word: str, folder: Path) -> Path | None:
    home = folder_named(word, folder)
    example = "write the way from this file's folder, such as `game: ../my-game`"
    if home is None:
        hint = f"write {quoted('game: ' + word.replace(chr(92), '/'))}" if "\\" in word and ":" not in word else example
        fields.note("033", f"{quoted(word)} is not a way from here to a folder", fields.place("game"), hint, "game")
    elif not home.is_dir():
        message = f"there is no folder `{home}`"
        if home.exists():
            message = f"`{home}` is a file, and `game` names the folder of a game"
        fields.note("033", message, fields.place("game"), _meant(word, folder) or example, "game")
    elif not (home / GAME_FILE).is_file():
        hint = f"write `{home / GAME_FILE}`, which says what its cards have"
        fields.note("033", f"`{home}` has no `{GAME_FILE}`", fields.place("game"), hint, "game")
    else:
        return home
    return None
