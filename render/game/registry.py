"""The existing games, by their names in `game:` of `set.yaml`. A game is imported when a set belongs to it."""

from __future__ import annotations

import keyword
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeAlias, cast

if TYPE_CHECKING:
    from pathlib import Path

    from render.game.cards import GameCard, GameSet
    from render.game.protocol import Game

DEFAULT = "kotc"
"""The game of sets that name none."""

AnyGame: TypeAlias = "Game[Any, Any]"
"""A game with its own types of card and set; it is given none but its own."""

_PACKAGES = {"kotc": "render.games.kotc"}
"""The packages of games, by name; nothing here imports one. `game.GAME` is the game, `commands.GROUPS` its commands."""

_GAMES: dict[str, AnyGame] = {}


def register(game: AnyGame) -> None:
    """Register a game under its name, replacing any other of that name."""
    _GAMES[game.name] = game


def names() -> tuple[str, ...]:
    """Return the names of all games, sorted."""
    return tuple(sorted({*_PACKAGES, *_GAMES}))


def game_named(name: str) -> AnyGame:
    """Return the game of that name; KeyError if there is none."""
    if name not in _GAMES:
        register(import_module(f"{_PACKAGES[name]}.game").GAME)
    return _GAMES[name]


def game_of(thing: GameCard | GameSet) -> AnyGame:
    """Return the game that a card or a set belongs to."""
    own = thing.own_game
    return game_named(thing.game_name) if own is None else cast("AnyGame", own)


def template_folders() -> tuple[Path, ...]:
    """Return the folders of games' templates. Shipped games' folders have the game's name; none is imported."""
    from render.base.resources import TEMPLATES

    return (*(TEMPLATES / name for name in _PACKAGES), *foreign_templates().values())


def foreign_templates() -> dict[str, Path]:
    """Return the folders of templates of games that do not come with the program, by the names of the games."""
    return {name: game.templates for name, game in _GAMES.items() if name not in _PACKAGES}


def games() -> Iterator[AnyGame]:
    """Yield every game."""
    return map(game_named, names())


def folders() -> tuple[Path, ...]:
    """Return the folders of the packages of games, of which none is imported."""
    from pathlib import Path

    found = (find_spec(package) for package in _PACKAGES.values())
    return tuple(Path(each.origin).parent for each in found if each and each.origin)


def commands() -> Iterator[tuple[str, dict[str, tuple[str, str]]]]:
    """Yield the groups of commands that games add: the group's title, and module and help by command name."""
    for package in _PACKAGES.values():
        for title, group in import_module(f"{package}.commands").GROUPS.items():
            yield title, {name: (f"{package}.commands.{_module(name)}", line) for name, line in group.items()}


def aliases() -> dict[str, str]:
    """Return what commands of games are called now, by their earlier names."""
    found = [import_module(f"{package}.commands").ALIASES for package in _PACKAGES.values()]
    return {old: new for each in found for old, new in each.items()}


def choices(thing: str) -> list[str]:
    """Return where games say what may be chosen of a kind of thing, such as `editions`: `module:function`."""
    found = (getattr(import_module(f"{package}.commands"), "CHOICES", {}) for package in _PACKAGES.values())
    return [each[thing] for each in found if thing in each]


def _module(command: str) -> str:
    """Return the module of a command; `import` is a word of Python's, and its module is `import_`."""
    return f"{command}_" if keyword.iskeyword(command) else command
