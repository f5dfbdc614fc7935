"""The history of cards over versions of their sets, which are revisions of git, for the pages of a site."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from itertools import pairwise
from pathlib import Path

from render.base.findings import has_errors
from render.base.word_changes import value_changes
from render.build.changes import CardChange, Fate, changes_of_set
from render.build.compare import UnusableError
from render.build.git_revision import GitRevision, NoRevisionError, common
from render.build.states import SetState, State, find_revisions, state_at
from render.exports.site_cards import CardFate, Version, told_values
from render.game.folder import GAME_FILE


def history_of(versions: Sequence[str], folders: Sequence[Path], *, drafts: bool) -> tuple[Version, ...]:
    """Return what became of the cards of sets in the files of now and in each version but the first, newest first.

    `versions` are revisions, the oldest first. Without `drafts`, a card is new when it is a draft no longer.
    UnusableError if they are none, or a set lies in no repository with the others; OSError.
    """
    revisions = find_revisions(versions, folders)
    _check_order(versions, revisions)
    top, found = Path(os.path.realpath(revisions[0].repository)), []
    places = [Path(os.path.relpath(os.path.realpath(folder), top)) for folder in folders]
    with ExitStack() as held:
        before = held.enter_context(state_at(versions[0], revisions[0], folders))
        _check_read(before, places)
        for name, at in zip((*versions[1:], ""), (*revisions[1:], revisions[0]), strict=True):
            with held.pop_all():  # each version is read once, and goes when it is compared with the next one
                after = held.enter_context(state_at(name, at, folders))
                _check_read(after, places)
                found.append(Version(name, _fates(before, after, top, drafts=drafts)))
            before = after
    return tuple(reversed(found))


def _check_order(versions: Sequence[str], revisions: Sequence[GitRevision]) -> None:
    for (one, older), (other, newer) in pairwise(zip(versions, revisions, strict=True)):
        with suppress(NoRevisionError):  # two that have no commit in common are in no order
            if older.commit != newer.commit == common(older, newer).commit:
                raise UnusableError(f"`{other}` is older than `{one}`: give the oldest version first")


def _check_read(state: State, places: Sequence[Path]) -> None:
    """Refuse a version of which nobody can tell which cards it has: in the next one, all would be new."""
    for finding in state.findings:
        if finding.span and not finding.card and has_errors([finding]):
            file = finding.span.file
            if file.name == GAME_FILE or any(file.is_relative_to(place) for place in places):
                message = f"`{file.as_posix()}` as it was at `{state.name}` has an error ({finding.message})"
                raise UnusableError(f"{message}: leave this version out")


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
    values = tuple(value_changes(told_values(before), told_values(card)))
    looks = new.looks.cards[card.id]
    sides = {looks.front, looks.back} if card.has_own_back else {looks.front}
    shown = [new.looks.scenes[side] for side in sides if side]
    is_redrawn = any(picture is scene for _, picture in change.pictures for scene in shown)
    return CardFate(is_new=False, was=change.was, values=values) if values or change.was or is_redrawn else None
