"""The folder of a set or a deck: what it must contain, what it is known by, and which versions of its cards are meant."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from render.base.findings import Diagnostic, Refused

Layers = tuple[tuple[str, bool], ...]
"""Layers of templates by name, each on or off."""

PLAIN, ALL = "plain", "all"
"""What stands for the cards as they are, and for these and all variants, where variants are named."""


class Versions(Struct, frozen=True):
    """Which versions of cards are asked for: the variants, "" for the cards as they are, and layers on or off.

    With None, the cards as they are and all variants are meant. The layers count before those of the set.
    """

    variants: tuple[str, ...] | None = ("",)
    layers: Layers = ()


AS_THEY_ARE = Versions()
EVERY_VERSION = Versions(None)


class Home:
    """The folder of a set, which must contain the files that it names."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._root = folder.resolve()
        self._known: dict[str, Path | None] = {}  # cards share pictures, and following links asks the disk

    def file(self, name: str) -> Path | None:
        """Return the absolute path of a file, links followed; None if it lies outside the folder."""
        if name not in self._known:
            self._known[name] = None
            with suppress(OSError, ValueError):
                file = Path(os.path.realpath(self._root / name))  # of links in a circle it is one of them
                if file != self._root and file.is_relative_to(self._root):
                    self._known[name] = file
        return self._known[name]


class SetOrDeck:
    """What stands for a set, or for a deck: that has a file, `deck`, in its `folder`."""

    __slots__ = ()

    folder: Path
    deck: Path | None

    @property
    def origin(self) -> Path:
        """What the user knows it by: the folder of the set, or the file of the deck."""
        return self.deck or self.folder

    @property
    def output_name(self) -> str:
        """The name of its folder of outputs: that of the set's folder, or that of the deck file without its ending."""
        return self.deck.stem if self.deck else self.folder.resolve().name


def home_folders(card_set: SetOrDeck, of_game: Path | None) -> tuple[Path, ...]:
    """Return where templates, and pictures that these name, are looked for: in the set, then in its game's folder."""
    is_apart = of_game is not None and os.path.realpath(of_game) != os.path.realpath(card_set.folder)
    return (card_set.folder, of_game) if of_game and is_apart else (card_set.folder,)


def file_inside(folders: Sequence[Path], name: str) -> Path:
    """Return the file of that name in the first folder that has it, links followed; Refused if they lead out of it."""
    folder = next((each for each in folders[:-1] if os.path.lexists(each / name)), folders[-1])
    folder = folder if os.path.lexists(folder / name) else folders[0]
    # Unlike Path.resolve, realpath survives circles.
    file, home = Path(os.path.realpath(folder / name)), os.path.realpath(folder)
    if not file.is_relative_to(home):
        raise Refused([Diagnostic("T009", f"`{name}` lies outside the set's folder").at()])
    return file
