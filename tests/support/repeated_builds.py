"""Rebuilds a set many times in one process, as a watch does, and prints how much memory it takes on the way.

`python -m tests.support.repeated_builds FOLDER OUT TIMES`: each time something else of the set is new.
"""

import ctypes
import gc
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from PIL import Image

from render.cli.commands.watch import Rebuilding
from render.png.workers import Workers
from tests.support.sets import SET, write_set
from tests.support.templates import with_plain_back

STEP = 8
"""After so many rebuilds, it prints how much memory it takes."""

CARDS = """
- {{name: One, kind: minion, level: 1, sp: 1, hp: 0, text: "GO: Word{0} {0}word.", art: a.png}}
- {{name: Two, kind: minion, level: auto, sp: 2, hp: 0, flavor: "Of {0} seas."}}
"""
TEMPLATE = """
{{% extends "kotc/minion.svg" %}}
{{% block symbols %}}<circle cx="30" cy="40" r="{0}.5" fill="#{1:06x}"/>{{% endblock %}}
"""


def change(folder: Path, number: int) -> None:
    """Save something new: words, a picture, a template or the set."""
    match number % 4:
        case 0:
            (folder / "cards.yaml").write_text(CARDS.format(number), encoding="utf-8")
        case 1:
            Image.new("RGB", (700, 430), (number % 9 * 20, 99, 0)).save(folder / "a.png")
        case 2:
            text = TEMPLATE.format(5 + number % 20, number * 60013 % 2**24)
            (folder / "minion.svg").write_text(text, encoding="utf-8")
        case 3:
            outputs = f"outputs: {{png: {{dpi: {72 + number % 5}}}}}\n"
            (folder / "set.yaml").write_text(SET.replace("Card design", f"Design {number}") + outputs, encoding="utf-8")


class Ears:
    """Changes something whenever the watch listens, until it was often enough."""

    def __init__(self, folder: Path, times: int) -> None:
        self._folder = folder
        self._left = times
        self._done = 0

    @contextmanager
    def listening(self, folders: Iterable[str]) -> Iterator[Callable[[float], bool]]:
        """Give what the watch listens with."""
        assert str(self._folder) in folders
        yield self.wait

    def wait(self, seconds: float) -> bool:
        """Change something instead of waiting for it."""
        assert seconds > 0
        if self._done % STEP == 0:
            print(memory(), flush=True)
        if self._done == self._left:
            raise KeyboardInterrupt
        self._done += 1
        change(self._folder, self._done + 3)  # the set has had the first ones already
        return True


def memory() -> int:
    """Return how many KiB of the process are in memory: what it uses, not what is free again and kept for later."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("RssAnon")))


if __name__ == "__main__":
    folder, out, times = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    with_plain_back(write_set(folder, CARDS.format(0)))
    for number in range(4):
        change(folder, number)
    gc.set_threshold(100_000, 20, 20)  # as `watch` does
    with suppress(KeyboardInterrupt):
        Rebuilding((folder,), out, lambda _: nullcontext(Workers(1)), explain=False).go_on(
            Ears(folder, times).listening
        )
