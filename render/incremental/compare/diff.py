"""What differs between what the cards of a set looked like and what they look like now: what is to be printed again.

`between` takes two `pictures.Pictures`, made ready by `pictures.painted`, and paints and reads nothing. A `Baseline` is
what a build compares with: `baseline` makes one of a file or a revision of git, `against` of pictures in memory; both
go into `plan.plan`.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from render.incremental.compare.appearance import SetDigests


@dataclass(frozen=True, slots=True)
class ChangedCards:
    """The ids of cards, in the order of their set; cards without copies are no cards here.

    `renamed` are pairs of the old and the new id of a card that looks as it did. `more` and `fewer` say by how many
    copies. `copies` are those to be printed of each card: all of one that changed or is new, else what is more.
    """

    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    more: tuple[tuple[str, int], ...] = ()
    fewer: tuple[tuple[str, int], ...] = ()
    copies: tuple[tuple[str, int], ...] = ()


def between(before: SetDigests, now: SetDigests) -> ChangedCards:
    """Return what differs. Two faces are alike if their scenes are, or their pixels, where both were counted.

    A card that looks as one did whose id is not its own any more, or is that of another picture now, is renamed.
    """
    pixels = {**(now.pixels if now.is_on_the_grid_of(before) else {}), **before.pixels}
    old, new = _seen(before, pixels), _seen(now, pixels)
    origin = {name: name for name in new if old.get(name) == new[name]}
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
        copies=tuple((name, by.get(name, now.cards[name].copies)) for name in new if by.get(name, 1) > 0),
    )


Seen = tuple[str, str]


def _seen(pictures: SetDigests, pixels: Mapping[str, str]) -> dict[str, Seen]:
    """Return what is seen of both faces of each card that has copies: pixels, or the drawing where they are unknown."""
    return {
        name: (pixels.get(look.front, look.front), pixels.get(look.back, look.back))
        for name, look in pictures.printed.items()
    }


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a build is compared with: how people call it (`v1.0`), a mark that tells it from others, and what the cards
    looked like then, of which the files of pictures are there as long as it is open."""

    since: str
    mark: str
    pictures: Callable[[], AbstractContextManager[SetDigests]]

    def changes(self, now: SetDigests) -> ChangedCards:
        """Return what differs now; Refused if what was then cannot be read, OSError."""
        from render.incremental.compare.appearance import painted  # noqa: PLC0415 - a build with nothing to do starts sooner

        with self.pictures() as before:
            return between(*painted(before, now))


def against(before: SetDigests, since: str) -> Baseline:
    """Return what is in memory as something to compare with."""
    return Baseline(since, before.mark, lambda: nullcontext(before))


@dataclass(frozen=True, slots=True)
class Compared:
    """What came of comparing with the baseline of that mark, on how many sheets of which files the changes are."""

    mark: str
    changes: ChangedCards
    sheets: int
    files: tuple[str, ...]

    @property
    def said(self) -> dict[str, Any]:
        """What a manifest says of it."""
        return asdict(self)


def said_before(since: Mapping[str, Any]) -> Compared | None:
    """Return what a manifest says was compared last; nothing if that was nothing."""
    try:
        return Compared(since["mark"], ChangedCards(**since["changes"]), since["sheets"], since["files"])
    except KeyError:
        return None
