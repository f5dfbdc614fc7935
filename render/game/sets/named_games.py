"""The game that a set or a deck belongs to: named in its file, written beside it, or in a folder that it names."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from render.base.findings import Diagnostic, Refused, Span, has_errors, listed, nearest_word, quoted
from render.game import registry
from render.game.card_reading import LONGEST_PATH
from render.game.folder import GAME_FILE, SET_FILE, Source, game_folder, is_game, misnamed_game, way_between
from render.game.registry import AnyGame
from render.source import reader as source
from render.source.fields import Fields
from render.source.nodes import Mapping, Scalar, describe_node


def game_in(files: Source) -> AnyGame:
    """Return the game of a set, without reading its cards; that beside it, or the default, if its own file cannot."""
    try:
        root = source.read(files.folder / SET_FILE, files.folder).root
    except Refused:
        root = None
    named = root.get("game") if isinstance(root, Mapping) else None
    if isinstance(named, Scalar) and named.value in registry.names():
        return registry.game_named(named.value)
    word = named.value if isinstance(named, Scalar) else ""
    return _written_game(word, files.folder) or registry.game_named(registry.DEFAULT)


def _written_game(word: str, folder: Path) -> AnyGame | None:
    """Return the game that `game: word` of a set in this folder means, if it is written in YAML and sound."""
    if not (word or is_game(folder / GAME_FILE)):
        return None
    home = folder_named(word, folder) if word else folder
    return game_in_folder(home)[0] if home else None


def game_of_file(fields: Fields) -> AnyGame | None:
    """Return the game that a set or a deck says it belongs to; None, and why in the findings, if that is wrong."""
    folder, node = fields.document.file.parent, fields.values.get("game")
    beside = is_game(folder / GAME_FILE)
    word = node.value if isinstance(node, Scalar) else ""
    if node is None and not beside and (misnamed := misnamed_game(folder)):
        message = f"`{misnamed.name}` is not read: a game is written in `{GAME_FILE}`"
        fields.add(Diagnostic(f"{fields.family}033", message, f"rename it to `{GAME_FILE}`"), Span(file=misnamed))
        return None
    if word in registry.names() or not (beside or word):
        return registry.game_named(fields.word("game", registry.names(), registry.DEFAULT))
    if node is not None and not isinstance(node, Scalar):
        fields.expected("game", "a game, or the folder of one", "write for example `game: ../my-game`")
        return None
    if node is None:
        game, findings = game_in_folder(folder)
        fields.findings += findings
        return game
    if re.search(r"[./\\]", word) or (folder / word / GAME_FILE).is_file():
        return _named_game(fields, folder)
    _note_unknown(fields, word)
    return None


def _note_unknown(fields: Fields, word: str) -> None:
    """Note that a word is no game; if it resembles none that comes with the program, one near the file may be meant."""
    if fields.kind.meant(word, registry.names()):
        fields.word("game", registry.names(), "")
        return
    meant = game_meant(word, fields.document.file.parent)
    hint = f"name a game that comes with the program, or a folder with a `{GAME_FILE}`, such as `../my-game`"
    hint = f"did you mean `game: {meant}`?" if meant else hint
    message = (
        f"expected {listed(registry.names())} or the folder of a game, found {describe_node(fields.values['game'])}"
    )
    fields.note("007", message, fields.place("game"), hint, "game")


def game_of_sets(fields: Fields, folders: Iterable[Path]) -> AnyGame | None:
    """Return the game of the sets of a deck that names none, or an unknown one, and note that it must name this one.

    None if its sets have no game in YAML, or several.
    """
    folder = fields.document.file.parent
    ways = {way_to_game(each, folder) for each in folders}
    way = ways.pop() if len(ways) == 1 else ""
    game = game_in_folder(folder / way)[0] if way else None
    if game is None:  # what is wrong with it is said of its sets
        return None
    if "game" not in fields.values:
        hint = f"add a line `game: {way}`: its sets are of that game"
        fields.note("004", "the deck has no `game`", fields.start, hint, "game")
        return game
    for number, finding in enumerate(fields.findings):
        if finding.field == "game":
            fields.findings[number] = replace(finding, hint=f"write `game: {way}`, as its sets are of that game")
    return game


def way_to_game(of_set: Path, folder: Path) -> str:
    """Return the way from a folder to that of the game in YAML to which the set in a folder belongs; "" without one."""
    home = game_folder(of_set) or of_set
    if not is_game(home / GAME_FILE):
        return ""
    return way_between(folder, home)


# --- games that are written in YAML -------------------------------------------------------------------------------------


def game_in_folder(folder: Path) -> tuple[AnyGame | None, tuple[Diagnostic, ...]]:
    """Return the game that is written in a folder, None if it has mistakes, and all of them."""
    # Most sets are of a game that comes with the program.
    from render.game.declared.game import DeclaredGame
    from render.game.declared.own_files import missing_files, with_cuts, wrong_fonts
    from render.game.declared.reading.game_rules import read_game

    rules, findings = read_game(folder)
    if rules is not None:
        rules, wrong_cuts = with_cuts(rules)
        findings = (*findings, *missing_files(rules), *wrong_fonts(rules), *wrong_cuts)
    return None if rules is None or has_errors(findings) else DeclaredGame(rules), findings


def _named_game(fields: Fields, folder: Path) -> AnyGame | None:
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


# --- games near, for hints ----------------------------------------------------------------------------------------------


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
