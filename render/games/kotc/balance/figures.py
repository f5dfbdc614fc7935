"""Decks and sets in figures: levels, kinds, Ultra Points, counters, and the odds of an opening hand.

The odds are exact fractions, of cards drawn from a shuffled deck and not put back. Every edition draws 5 cards (rulebook,
"Setup and Deck Building", up to the 10th Edition "Setup"). In the 9th and 10th, 10 cards of a deck are reserves; if they
are taken at random, a hand has the same odds as one of the whole deck. The odds are those before a mulligan, which editions
from the 13th on allow.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from render.base.patterns import regex
from render.game.figures import chance_of_any, chances
from render.games.kotc import deck
from render.games.kotc.editions.finding import find, known
from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.files.keys import is_played
from render.games.kotc.model.cards import Card, CardSet


class Counted(Struct, frozen=True):
    """A card, how often it is there, and the Ultra Points that one copy counts for."""

    card: Card
    count: int
    ultra_points: int


class LevelCount(Struct, frozen=True):
    """How many minions (or creatures) and how many spells have a level; None is that of cards without one."""

    level: int
    minions: int
    spells: int


class Figures(Struct, frozen=True, kw_only=True):
    """All figures of a deck or a set. `is_deck` tells a deck; `most_ultra_points` is what its edition allows.

    `curve` has every level from the lowest to the highest. `counters` are the counters that its cards place, by name,
    each with the number of cards that do. `hand_of` are the odds of 0, 1, 2 and more minions in an opening hand,
    `early` those of at least one card up to each level until it is certain, `drawn` those of each card.
    """

    name: str
    is_deck: bool
    edition: int | None
    most_ultra_points: int | None
    cards: tuple[Counted, ...]
    hand: int
    curve: tuple[LevelCount, ...]
    counters: tuple[tuple[str, int], ...]
    hand_of: tuple[Fraction, ...]
    early: tuple[tuple[int, Fraction], ...]
    drawn: tuple[tuple[str, Fraction], ...]

    @property
    def size(self) -> int:
        """The number of cards."""
        return sum(each.count for each in self.cards)

    @property
    def of_creatures(self) -> bool:
        """Whether its cards are of the game of creatures and costs."""
        return self.edition is not None and usual_grammar(self.edition).of_creatures

    @property
    def minions(self) -> int:
        """The number of minions, up to the 11th Edition creatures."""
        return sum(each.count for each in self.cards if not each.card.is_spell)

    @property
    def spells(self) -> int:
        """The number of spells."""
        return self.size - self.minions

    @property
    def ultra_points(self) -> int:
        """The Ultra Points of all cards together."""
        return sum(each.count * each.ultra_points for each in self.cards)

    @property
    def mean_level(self) -> Fraction:
        """The level of a card on average; 0 without cards."""
        total = sum(each.count * (each.card.level or 0) for each in self.cards)
        return Fraction(total, self.size) if self.size else Fraction(0)


def figures_of(card_set: CardSet, hand: int) -> Figures:
    """Return the figures of a deck; or of a set as if it were one, with as many copies as it has."""
    editions = Counter(card.edition for card in card_set.cards if card.edition)
    edition = card_set.edition or min(editions, key=lambda number: (-editions[number], number), default=None)
    is_deck = card_set.deck is not None
    is_known = edition is not None and (is_deck or edition in dict(known(card_set.folder)))
    rules = find(edition, card_set.folder) if edition and is_known else None
    cards = tuple(
        Counted(card, card.copies, deck.ultra_points(card, rules) if rules and is_deck else card.ultra_points)
        for card in card_set.cards
        if is_played(card.kind) and card.copies
    )
    size = sum(each.count for each in cards)
    minions = sum(each.count for each in cards if not each.card.is_spell)
    curve = _curve(cards)
    return Figures(
        name=card_set.name,
        is_deck=is_deck,
        edition=edition,
        most_ultra_points=rules.deck.ultra_points if rules else None,
        cards=cards,
        hand=min(hand, size),
        curve=curve,
        counters=_counters(cards),
        hand_of=chances(size, minions, hand) if size else (),
        early=tuple(_early(curve, size, hand)),
        drawn=tuple((each.card.name or each.card.id, chance_of_any(size, each.count, hand)) for each in cards),
    )


def _curve(cards: Sequence[Counted]) -> tuple[LevelCount, ...]:
    of: dict[bool, Counter[int]] = {True: Counter(), False: Counter()}
    for each in cards:
        of[each.card.is_spell][each.card.level or 0] += each.count
    levels = [*of[True], *of[False]]
    if not levels:
        return ()
    return tuple(LevelCount(level, of[False][level], of[True][level]) for level in range(min(levels), max(levels) + 1))


def _early(curve: Sequence[LevelCount], size: int, hand: int) -> Iterator[tuple[int, Fraction]]:
    """Yield the odds of a card up to each level, the last being the first level that is certain."""
    up_to = 0
    for each in curve:
        up_to += each.minions + each.spells
        odds = chance_of_any(size, up_to, hand)
        yield each.level, odds
        if odds == 1:
            return


# "Place 2 Sword Counters"; up to the 10th Edition "Place 1 offense counter", and "Place 1 counter" for plain ones.
_PLACED = regex(r"\bplace \d+ (?:([a-z-]+) )?counters?\b", re.IGNORECASE)


def _counters(cards: Sequence[Counted]) -> tuple[tuple[str, int], ...]:
    found: Counter[str] = Counter()
    for each in cards:
        for name in {(match or "plain").capitalize() for match in _PLACED.findall(each.card.text)}:
            found[name] += each.count
    return tuple(sorted(found.items(), key=lambda item: (-item[1], item[0])))
