"""The folder of a set or a deck: what it must contain, and what it is known by."""

from __future__ import annotations

import os
from pathlib import Path


class Home:
    """The folder of a set, which must contain the files that it names."""

    def __init__(self, folder: Path) -> None:
        self._root = folder.resolve()
        self._known: dict[str, Path | None] = {}  # cards share pictures, and following links asks the disk

    def file(self, name: str) -> Path | None:
        """Return the absolute path of a file, links followed; None if it lies outside the folder."""
        if name not in self._known:
            self._known[name] = self._resolved(name)
        return self._known[name]

    def _resolved(self, name: str) -> Path | None:
        try:
            file = Path(os.path.realpath(self._root / name))  # of links in a circle it is one of them
        except (OSError, ValueError):
            return None
        return file if file != self._root and file.is_relative_to(self._root) else None


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
