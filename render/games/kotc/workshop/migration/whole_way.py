"""The whole way of cards through a migration, also if it was stopped and continued later."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from render.games.kotc.legality.rewording import Change, Reworded
from render.games.kotc.model.cards import Card, CardSet
from render.games.kotc.workshop.migration.migration import Fate, MigratedCard, Migration


def whole_way(before: Iterable[MigratedCard], now: Migration, after: CardSet) -> Migration:
    """Return a migration from what cards were at first to what they are in the end.

    `before` is what should become of the cards as they were, `now` what becomes of them as they are, and `after` the
    resulting set.
    """
    known = {card.before.id: card for card in before}
    ends = {card.id: card for card in after.cards}
    cards = tuple(_card(known.get(card.before.id, card), card, ends[card.before.id]) for card in now.cards)
    return replace(now, card_set=after, cards=cards)


def _card(before: MigratedCard, now: MigratedCard, after: Card) -> MigratedCard:
    """Return what became of a card: what was intended, unless its author changed it since."""
    if before.after == after:
        return before
    old = before.before
    if not now.fate.is_migrated:
        return replace(now, before=old, after=old, reworded=Reworded(old.text))
    if old.text != after.text:
        change = Change(0, len(old.text), old.text, after.text, ())
        return MigratedCard(before=old, after=after, fate=Fate.REFURBISHED, reworded=Reworded(after.text, (change,)))
    numbers_stay = (old.level, old.ultra_points) == (after.level, after.ultra_points)
    return MigratedCard(
        before=old, after=after, fate=Fate.UNCHANGED if numbers_stay else Fate.RELEVELLED, reworded=Reworded(after.text)
    )
