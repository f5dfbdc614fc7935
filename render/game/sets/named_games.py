"""The game that a set or a deck belongs to: named in its file, or written beside it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from render.base.findings import Diagnostic, Refused, Span, listed
from render.game import registry
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
    written = registry.written_games()
    home = written.folder_named(word, folder) if word else folder
    return written.game_in_folder(home)[0] if home else None


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
    written = registry.written_games()
    if node is not None and not isinstance(node, Scalar):
        fields.expected("game", "a game, or the folder of one", "write for example `game: ../my-game`")
        return None
    if node is None:
        game, findings = written.game_in_folder(folder)
        fields.findings += findings
        return game
    if written.is_folder(word) or (folder / word / GAME_FILE).is_file():
        return written.named_game(fields, folder)
    _note_unknown(fields, word)
    return None


def _note_unknown(fields: Fields, word: str) -> None:
    """Note that a word is no game; if it resembles none that comes with the program, one near the file may be meant."""
    if fields.kind.meant(word, registry.names()):
        fields.word("game", registry.names(), "")
        return
    meant = registry.written_games().game_meant(word, fields.document.file.parent)
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
    game = registry.written_games().game_in_folder(folder / way)[0] if way else None
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
