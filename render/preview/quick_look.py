"""The cards of a file that a change touches, read before the rest of the file: most saves change one card of many."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from render.base.findings import Refused
from render.game.cards import GameCard, GameSet
from render.game.sets.set_reader import read_some

_ITEM = re.compile(r"^- ", re.MULTILINE)
_MAX_TOUCHED = 8  # cards: for more, reading the whole file takes little longer


def changed_cards(card_set: GameSet, before: str, now: str, file: Path) -> list[GameCard]:
    """Return the sound cards in the part of a list of cards that has changed; [] if they cannot be told from the text.

    A text may look like a list and be none, so what comes of it counts only until the whole file has been read.
    """
    region = _changed_region(before, now)
    if region is None:
        return []
    start, end = region
    # Lines without anything above keep the numbers of the lines right.
    text = "\n" * now.count("\n", 0, start) + now[start:end]
    try:
        return read_some(card_set, text, file)
    except Refused:
        return []


def _changed_region(before: str, now: str) -> tuple[int, int] | None:
    """Return where the items that differ begin and end in the text of now; None if there are none, or too many."""
    starts = [match.start() for match in _ITEM.finditer(now)]
    same = _common(before, now)
    behind = min(_common(before[same:][::-1], now[same:][::-1]), len(now) - same)
    first = max((start for start in starts if start <= same), default=None)
    if first is None:
        return None
    end = next((start for start in starts if start > first and start >= len(now) - behind), len(now))
    touched = sum(first <= start < end for start in starts)
    return (first, end) if 0 < touched <= _MAX_TOUCHED else None


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many characters two texts share at their beginning: by bisection, since comparing slices is fast."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
