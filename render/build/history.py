"""The history of cards over versions of their sets, which are revisions of git, for the pages of a site."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from render.build.changes import CardChange, Fate, changes_of_set, value_changes
from render.build.states import SetState, State, two_states
from render.exports.site_cards import CardFate, ChangedValue, Version, told_values


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
    for key, new in after.sets.items():
        changes = changes_of_set(key, before, after)
        if changes.variant:
            continue
        old = before.sets.get(key)
        for card in changes.cards:
            if card.fate is not Fate.REMOVED and (fate := _fate(card, old, new)):
                fates[top / key[0], changes.language, card.id] = fate
    return fates


def _fate(change: CardChange, old: SetState | None, new: SetState) -> CardFate | None:
    """Return what pages tell of a change; None if it is none that they show."""
    before, card = old.cards.get(change.was or change.id) if old else None, new.cards[change.id]
    if before is None:
        return CardFate(is_new=True, was="", values=())
    told = value_changes(told_values(before), told_values(card))
    values = tuple(ChangedValue(each.key, each.old, each.new, each.runs) for each in told)
    if not (values or change.was or change.pictures):
        return None
    return CardFate(is_new=False, was=change.was, values=values)
