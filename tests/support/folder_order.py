"""Folders listed in an order of our own, as other systems and disks have another than this one."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ORDERS = {"forwards": False, "backwards": True}


def begin(order: str) -> None:
    """Let this process list folders by name, forwards or backwards, from now on; check that it does."""
    listdir, scandir, is_backwards = os.listdir, os.scandir, ORDERS[order]

    class Entries:
        """What `os.scandir` gives, in that order."""

        def __init__(self, *folder: Any) -> None:
            with scandir(*folder) as found:
                self._left = iter(sorted(found, key=lambda entry: entry.name, reverse=is_backwards))

        def __iter__(self) -> Iterator[Any]:
            return self._left

        def __next__(self) -> Any:
            return next(self._left)

        def __enter__(self) -> "Entries":
            return self

        def __exit__(self, *_: object) -> None:
            self.close()

        def close(self) -> None:
            """There is nothing to close."""

    os.listdir = lambda *folder: sorted(listdir(*folder), reverse=is_backwards)  # type: ignore[assignment] # overloaded
    os.scandir = Entries  # type: ignore[assignment] # a function
    here = Path(__file__).parents[1] / "games/kotc/golden"
    for listed in here.iterdir(), here.glob("*.txt"), here.rglob("*"):
        names = [path.name for path in listed]
        assert len(names) > 2 and names == sorted(names, reverse=is_backwards), names
