"""The history of cards over versions of their sets, which are revisions of git, for the pages of a site."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from render.build.changes import CardChange, Fate, changes_of_set
from render.build.states import State, two_states
from render.exports.site_cards import CardFate, ChangedValue, Version


def history_of(versions: Sequence[str], folders: Sequence[Path]) -> tuple[Version, ...]:
    """Return what became of the cards of sets in the files of now and in each version but the first, newest first.

    `versions` are revisions, the oldest first. UnusableError if they are none, or a set lies in no repository with the
    others; OSError.
    """
    top, found = Path(), []
    for since, until in zip(reversed(versions), ("", *versions[:0:-1]), strict=True):
        with two_states(f"{since}..{until}", folders) as (before, after):
            top = top if until else after.root  # a revision lies in a folder of its own for a while
            found.append(Version(until, _fates(before, after, top)))
    return tuple(found)


def _fates(before: State, after: State, top: Path) -> dict[tuple[Path, str, str], CardFate]:
    fates = {}
    for key in after.sets:
        changes = changes_of_set(key, before, after)
        for card in changes.cards:
            if card.fate is not Fate.REMOVED and not changes.variant:
                fates[top / key[0], changes.language, card.id] = _fate(card)
    return fates


def _fate(card: CardChange) -> CardFate:
    values = tuple(ChangedValue(each.key, each.old, each.new, each.runs) for each in card.values)
    return CardFate(is_new=card.fate is Fate.ADDED, was=card.was, values=values)
