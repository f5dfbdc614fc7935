"""The difference between what the cards of a set looked like and look like now: what to print again.

`between` takes two `SetDigests`, prepared by `appearance.painted`; it paints and reads nothing. A `Baseline` is what a
build compares with: `baseline` makes one from a file or a git revision, `against` from digests in memory; both go into
`plan.plan`.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from render.build.compare.appearance import SetDigests


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedCards:
    """The ids of cards, in the order of their set; cards without copies do not count.

    `renamed` are pairs of the old and the new id of a card that looks the same. `more` and `fewer` are numbers of
    copies. `copies` are those to print: all of a card that changed or is new, else the additional ones.
    """

    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    more: tuple[tuple[str, int], ...] = ()
    fewer: tuple[tuple[str, int], ...] = ()
    copies: tuple[tuple[str, int], ...] = ()


def between(before: SetDigests, now: SetDigests) -> ChangedCards:
    """Return the differences. Two faces are alike if their scenes are, or their pixels, where both are known.

    A card is renamed if it looks like an earlier card whose id is gone, or now belongs to another picture.
    """
    pixels = {**(now.pixels if now.is_on_the_grid_of(before) else {}), **before.pixels}
    old, new = _seen(before, pixels), _seen(now, pixels)
    origin = {name: name for name in new if old.get(name) == new[name]}
    # Cards that look the same are exchangeable, so each earlier one can be the origin of one card only.
    free: defaultdict[Seen, deque[str]] = defaultdict(deque)
    for name, seen in old.items():
        if name not in origin:
            free[seen].append(name)
    for name, seen in new.items():
        if name not in origin and free[seen]:
            origin[name] = free[seen].popleft()
    found = set(origin.values())
    gone = [name for name in old if name not in found]
    fresh = [name for name in new if name not in origin]
    by = {name: now.cards[name].copies - before.cards[origin[name]].copies for name in new if name in origin}
    return ChangedCards(
        changed=tuple(name for name in fresh if name in gone),
        added=tuple(name for name in fresh if name not in gone),
        removed=tuple(name for name in gone if name not in fresh),
        renamed=tuple((origin[name], name) for name in new if origin.get(name, name) != name),
        more=tuple((name, number) for name, number in by.items() if number > 0),
        fewer=tuple((name, -number) for name, number in by.items() if number < 0),
        # 1: cards that are not in `by` changed or are new, and are printed whatever their number.
        copies=tuple((name, by.get(name, now.cards[name].copies)) for name in new if by.get(name, 1) > 0),
    )


Seen = tuple[str, str]


def _seen(pictures: SetDigests, pixels: Mapping[str, str]) -> dict[str, Seen]:
    """Return what shows of both faces of each card with copies: pixels, or the drawing if they are unknown."""
    return {
        name: (pixels.get(look.front, look.front), pixels.get(look.back, look.back))
        for name, look in pictures.printed.items()
    }


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a build is compared with: its name for people (`v1.0`), a mark that identifies it, and its cards' looks.

    Files of pictures exist as long as the context of `pictures` is open.
    """

    since: str
    mark: str
    pictures: Callable[[], AbstractContextManager[SetDigests]]

    def changes(self, now: SetDigests) -> ChangedCards:
        """Return the differences to now; Refused if the baseline cannot be read, OSError."""
        from render.build.compare.appearance import paint_differences

        with self.pictures() as before:
            return between(*paint_differences(before, now))


def against(before: SetDigests, since: str) -> Baseline:
    """Return a baseline from digests in memory."""
    return Baseline(since, before.mark, lambda: nullcontext(before))


@dataclass(frozen=True, slots=True)
class Compared:
    """The result of comparing with the baseline of that mark: the changes, and their sheets and files."""

    mark: str
    changes: ChangedCards
    sheets: int
    files: tuple[str, ...]

    @property
    def said(self) -> dict[str, Any]:
        """A manifest's words about it."""
        return asdict(self)


def said_before(since: Mapping[str, Any]) -> Compared | None:
    """Return the last comparison in a manifest; None if there was none."""
    try:
        return Compared(since["mark"], ChangedCards(**since["changes"]), since["sheets"], since["files"])
    except KeyError:
        return None
