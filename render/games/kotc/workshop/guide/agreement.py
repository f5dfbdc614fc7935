"""What rulebook and guide say of the same texts, put together; up to the 10th Edition both list what changed."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from render.base.findings import Span, quoted
from render.games.kotc.editions.soundness import EntryPlace, variables
from render.games.kotc.model.cards import ordinal
from render.games.kotc.model.edition import Revision, Rewording
from render.games.kotc.workshop.guide.annotations import Annotation
from render.games.kotc.workshop.guide.changes import ChangedTexts
from render.games.kotc.workshop.guide.components import CardTexts
from render.games.kotc.workshop.pages.sections import PageReading

_WHICH = "which of the two is right?"


def join_pages(changed: ChangedTexts, texts: CardTexts, guide: PageReading, rulebook: PageReading) -> None:
    """Add to the rulebook's changed texts those that only the guide has; refuse what the pages contradict in."""
    for text, place in texts.redacted:
        if text not in changed.redacted:
            changed.places[EntryPlace("redacted", len(changed.redacted))] = place
            changed.redacted.append(text)
    for annotation in texts.annotations:
        if annotation.old:
            _join_rewording(changed, annotation, guide)
        else:
            _join_revision(changed, annotation, guide)
    for each in texts.components:
        if each.component.text in changed.redacted:
            first = _place_of(changed, "redacted", changed.redacted.index(each.component.text), rulebook)
            message = f"{quoted(each.component.text)} may be used, but {first} says that it is redacted"
            guide.refuse("043", message, each.place, _WHICH)
    if all(passage.problem is None for passage in guide.passages):
        known = {each.component.text for each in texts.components}
        _only_known(changed, "revisions", changed.revisions, known, rulebook)
        _only_known(changed, "ultra_revisions", changed.ultra_revisions, known, rulebook)


def _only_known(
    changed: ChangedTexts, name: str, revisions: list[Revision], known: AbstractSet[str], rulebook: PageReading
) -> None:
    """Note and remove revised texts that the guide does not have, all of which was understood."""
    rulebook.topic = "revised_levels" if name == "revisions" else "revised_ultra_points"
    placed = [(each, _place_of(changed, name, index, rulebook)) for index, each in enumerate(revisions)]
    for each, place in placed:
        if each.text not in known:
            message = f"{quoted(each.text)} was revised, and the guide does not have it"
            rulebook.note_at("043", message, place, each.text)
    kept = [(each, place) for each, place in placed if each.text in known]
    revisions[:] = [each for each, _ in kept]
    changed.places.update({EntryPlace(name, index): place for index, (_, place) in enumerate(kept)})


def _join_rewording(changed: ChangedTexts, annotation: Annotation, guide: PageReading) -> None:
    own = [each for each in changed.rewordings if each.old == annotation.old]
    is_same_kind = variables(annotation.text) <= variables(annotation.old)
    if not own and is_same_kind:
        changed.places[EntryPlace("rewordings", len(changed.rewordings))] = annotation.place
        changed.rewordings.append(Rewording(annotation.old, annotation.text))
    elif not own:
        # Without the rulebook's word, nobody knows which number the old text stood for.
        guide.topic = "reworded"
        message = f"{quoted(annotation.old)} was revised to a text with other numbers, and the rulebook has it not"
        guide.note_at("043", message, annotation.place, annotation.shown)
    elif is_same_kind and own[0].new != annotation.text:
        message = f"{quoted(annotation.old)} became {quoted(annotation.text)}, but {quoted(own[0].new)} in the rulebook"
        guide.refuse("043", message, annotation.place, _WHICH)


def _join_revision(changed: ChangedTexts, annotation: Annotation, guide: PageReading) -> None:
    own = [each for each in changed.revisions if each.text == annotation.text]
    if not own:
        changed.places[EntryPlace("revisions", len(changed.revisions))] = annotation.place
        changed.revisions.append(Revision(annotation.text, annotation.edition))
    elif own[0].edition != annotation.edition:
        here, there = ordinal(annotation.edition), ordinal(own[0].edition)
        message = f"the {here} Edition revised the cost of {quoted(annotation.text)}, in the rulebook the {there}"
        guide.refuse("043", message, annotation.place, _WHICH)


def _place_of(changed: ChangedTexts, section: str, index: int, rulebook: PageReading) -> Span:
    return changed.places.get(EntryPlace(section, index), Span(file=rulebook.page.file))
