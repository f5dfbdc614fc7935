"""What elements draw that the drawings of many cards share: laid out once, and counted on every card."""

from __future__ import annotations

from typing import NamedTuple

from render.base.caches import BoundedCache, cached
from render.layout.drawable import Work
from render.scene.items import Item

MAX_POINTS = 500_000  # of outlines: those of five of the largest faces
_LIKE_POINTS = 30  # points that take as much memory as a shape without any


class MistakeInShared(Exception):
    """There is a mistake in what many cards share."""


class SharedItems(NamedTuple):
    """What some elements draw, what drawing them takes, and what else is counted of them."""

    items: tuple[Item, ...]
    works: tuple[Work, ...]
    spent: tuple[tuple[str, float], ...]

    @property
    def points(self) -> int:
        """About how many points are kept of them."""
        return sum(work.points for work in self.works) + _LIKE_POINTS * (len(self.works) + len(self.spent) + 1)


@cached(1)
def kept_items() -> BoundedCache[SharedItems]:
    """Return what was drawn, by the elements themselves: they are the same as long as they are kept."""
    return BoundedCache[SharedItems](MAX_POINTS, lambda drawn: drawn.points)
