"""Which cards of a set the changes between two editions touch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from render.games.kotc.editions.differences import ComponentChange, EditionDifference
from render.games.kotc.editions.matching import outside_longer, pattern
from render.games.kotc.model.cards import Card, CardSet, Kind
from render.games.kotc.model.edition import Edition, NewKind

_OF_MINIONS = ("levels.hp_share", "levels.least_of_minion", "levels.least_of_minion_ability", "levels.round")
_OF_SPELLS = ("levels.least_of_spell_ability",)


@dataclass(frozen=True, slots=True)
class TouchedCard:
    """A card of the older edition, and what of the changes concerns it."""

    card: Card
    reasons: tuple[str, ...]


def touched_cards(difference: EditionDifference, card_set: CardSet) -> list[TouchedCard]:
    """Return the cards of the set that are of the older edition and that a change concerns."""
    own = designs_of(difference.old.number, card_set)
    found = [TouchedCard(card, tuple(dict.fromkeys(_reasons(difference, card)))) for card in own]
    return [each for each in found if each.reasons]


def designs_of(edition: int, card_set: CardSet) -> list[Card]:
    """Return the cards of the set that are designs of an edition; a tip is of none."""
    return [card for card in card_set.cards if card.edition == edition and card.kind is not Kind.TIP]


def _reasons(difference: EditionDifference, card: Card) -> Iterator[str]:
    new = difference.new
    if new.clean_slate is not None and new.clean_slate > difference.old.number:
        yield "clean_slate"
    for change in difference.components:
        if change.old is not None and _has(card.text, change, difference.old):
            yield f"{change.kind}: {change.old.text}"
    for each in new.rewordings:
        if f"{each.old} → {each.new}" in _added(difference, "reworded") and pattern(each.old).is_in(card.text):
            yield f"reworded: {each.old}"
    for text in new.redacted:
        if text in _added(difference, "redacted") and pattern(text).is_in(card.text):
            yield f"redacted: {text}"
    for key, revisions in (("revised_levels", new.revisions), ("revised_ultra_points", new.ultra_revisions)):
        for revision in revisions:
            is_later = revision.edition > difference.old.number
            if is_later and pattern(revision.text).is_in(card.text):
                yield f"{key}: {revision.text}"
    if isinstance(card.kind, NewKind):
        if card.kind not in new.kinds:
            yield f"kinds: {card.kind.name}"
        keys: tuple[str, ...] = ("levels.round",)
    else:
        keys = _OF_SPELLS if card.is_spell else _OF_MINIONS
    yield from (change.key for change in difference.values if change.key in keys and card.level is not None)


def _has(text: str, change: ComponentChange, edition: Edition) -> bool:
    """Return whether a card's text has a component, and not only as a part of a longer one."""
    assert change.old is not None
    matches = pattern(change.old.text).finditer(text)
    return bool(outside_longer(matches, text, edition.components))


def _added(difference: EditionDifference, key: str) -> set[str]:
    return {text for own, text in difference.added if own == key}
