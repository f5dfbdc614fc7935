"""The history of cards over versions of their sets, which are revisions of git, for the pages of a site."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from render.build.changes import CardChange, Fate, changes_of_set, value_changes
from render.build.states import SetState, State, two_states
from render.exports.site_cards import CardFate, ChangedValue, Version, told_values


def history_of(versions: Sequence[str], folders: Sequence[Path], *, drafts: bool) -> tuple[Version, ...]:
    """Return what became of the cards of sets in the files of now and in each version but the first, newest first.

    `versions` are revisions, the oldest first. Without `drafts`, a card is new when it is a draft no longer.
    UnusableError if they are none, or a set lies in no repository with the others; OSError.
    """
    top, found = Path(), []
    for since, until in zip(reversed(versions), ("", *versions[:0:-1]), strict=True):
        with two_states(f"{since}..{until}", folders) as (before, after):
            top = top if until else after.root  # a revision lies in a folder of its own for a while
            found.append(Version(until, _fates(before, after, top, drafts=drafts)))
    return tuple(found)


def _fates(before: State, after: State, top: Path, *, drafts: bool) -> dict[tuple[Path, str, str], CardFate]:
    fates = {}
    for key, new in after.sets.items():
        changes = changes_of_set(key, before, after)
        if changes.variant:
            continue
        old = before.sets.get(key)
        moved = {each.was for each in changes.cards}  # a card that took over one of these ids is new
        for change in (each for each in changes.cards if each.fate is not Fate.REMOVED):
            is_shown = drafts or not new.cards[change.id].draft
            known = None if change.id in moved and not change.was else old
            if is_shown and (fate := _fate(change, known, new, drafts=drafts)):
                fates[top / key[0], changes.language, change.id] = fate
    return fates


def _fate(change: CardChange, old: SetState | None, new: SetState, *, drafts: bool) -> CardFate | None:
    """Return what pages tell of a change; None if it is none that they show, or the card had or has an error."""
    was, card = change.was or change.id, new.cards[change.id]
    if card.id in new.broken or (old and was in old.broken):
        return None  # whose values are not all known
    before = old.cards.get(was) if old else None
    if before is None or (before.draft and not drafts):
        return CardFate(is_new=True, was="", values=())
    told = value_changes(told_values(before), told_values(card))
    values = tuple(ChangedValue(each.key, each.old, each.new, each.runs) for each in told)
    looks = new.looks.cards[card.id]
    sides = {looks.front, looks.back} if card.has_own_back else {looks.front}
    shown = [new.looks.scenes[side] for side in sides if side]
    is_redrawn = any(picture is scene for _, picture in change.pictures for scene in shown)
    return CardFate(is_new=False, was=change.was, values=values) if values or change.was or is_redrawn else None
