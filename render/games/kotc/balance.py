"""Decks and sets in figures: levels, kinds, Ultra Points, counters, and the odds of an opening hand.

In the 9th and 10th Edition, 10 cards of a deck are reserves; if they are taken at random, a hand has the same odds as one of
the whole deck. The odds are those before a mulligan, which editions from the 13th on allow.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil

from msgspec import Struct

from render.base.findings import plural, printable
from render.base.patterns import regex
from render.game.derivations import ShownFigures
from render.game.figures import as_odds, chance_of_any, chances, exact, expected, percent, share
from render.games.kotc import deck
from render.games.kotc.editions.finding import find, known
from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.files.keys import is_played
from render.games.kotc.model.cards import Card, CardSet, ordinal

_LONGEST_BAR = 40  # marks: with the numbers before it, a line keeps within 80 columns


class _Figures(Struct, frozen=True, kw_only=True):
    """All figures of a deck or a set with `size` cards; `ultra_points` in words, with how many a deck may have.

    `curve` has the minions, up to the 11th Edition creatures, and the spells of every level from the lowest to the
    highest. `counters` are those that its cards place, each with the number of cards that do. `minions_drawn` are the
    odds of 0, 1, 2 and more minions in an opening hand, `early` those of at least one card up to each level until it is
    certain.
    """

    card_set: CardSet
    edition: int | None
    most_ultra_points: int | None
    ultra_points: int
    cards: Sequence[Card]
    size: int
    minions: int
    hand: int
    curve: Sequence[tuple[int, int, int]]
    counters: Sequence[tuple[str, int]]
    minions_drawn: Sequence[Fraction]
    early: Sequence[tuple[int, Fraction]]

    @property
    def words(self) -> tuple[str, str]:
        """The words of its edition for a minion and for a level."""
        of_creatures = self.edition is not None and usual_grammar(self.edition).of_creatures
        return ("creature", "cost") if of_creatures else ("minion", "level")

    @property
    def mean_level(self) -> Fraction:
        """The level of a card on average; 0 without cards."""
        return Fraction(sum(card.copies * (card.level or 0) for card in self.cards), self.size or 1)

    def odds(self, card: Card) -> Fraction:
        """Return the odds of a card in a hand."""
        return chance_of_any(self.size, card.copies, self.hand)


def shown_figures(card_set: CardSet, hand: int) -> ShownFigures:
    """Return the figures of a deck; or of a set as if it were one, with as many copies as it has."""
    each = _figures(card_set, hand)
    return ShownFigures("\n".join(map(printable, _lines(each))), _value(each), _page(each))


def _figures(card_set: CardSet, hand: int) -> _Figures:
    editions = Counter(card.edition for card in card_set.cards if card.edition)
    edition = card_set.edition or min(editions, key=lambda number: (-editions[number], number), default=None)
    is_known = edition is not None and (card_set.deck is not None or edition in dict(known(card_set.folder)))
    rules = find(edition, card_set.folder) if edition and is_known else None
    cards = [card for card in card_set.cards if is_played(card.kind) and card.copies]
    size, minions = (
        sum(card.copies for card in some) for some in (cards, [each for each in cards if not each.is_spell])
    )
    of: dict[bool, Counter[int]] = {True: Counter(), False: Counter()}
    for card in cards:
        of[card.is_spell][card.level or 0] += card.copies
    levels = of[True] | of[False]
    curve = [
        (level, of[False][level], of[True][level])
        for level in range(min(levels, default=0), max(levels, default=-1) + 1)
    ]
    in_deck = rules if card_set.deck else None
    return _Figures(
        card_set=card_set,
        edition=edition,
        most_ultra_points=rules.deck.ultra_points if rules else None,
        ultra_points=sum(
            card.copies * (deck.ultra_points(card, in_deck) if in_deck else card.ultra_points) for card in cards
        ),
        cards=cards,
        size=size,
        minions=minions,
        hand=min(hand, size),
        curve=curve,
        counters=_counters(cards),
        minions_drawn=chances(size, minions, hand) if size else (),
        early=[*_early(curve, size, hand)],
    )


def _early(curve: Sequence[tuple[int, int, int]], size: int, hand: int) -> Iterator[tuple[int, Fraction]]:
    """Yield the odds of a card up to each level, the last being the first level that is certain."""
    up_to = 0
    for level, minions, spells in curve:
        up_to += minions + spells
        odds = chance_of_any(size, up_to, hand)
        yield level, odds
        if odds == 1:
            return


# "Place 2 Sword Counters"; up to the 10th Edition "Place 1 offense counter", and "Place 1 counter" for plain ones.
_PLACED = regex(r"\bplace \d+ (?:([a-z-]+) )?counters?\b", re.IGNORECASE)


def _counters(cards: Sequence[Card]) -> list[tuple[str, int]]:
    found: Counter[str] = Counter()
    for card in cards:
        for name in {(match or "plain").capitalize() for match in _PLACED.findall(card.text)}:
            found[name] += card.copies
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))


# --- text -----------------------------------------------------------------------------------------------------------


def _lines(each: _Figures) -> Iterator[str]:
    """Yield a table of at most 80 columns."""
    yield f"{each.card_set.name}: {_heading(each)}"
    if not each.size:
        return
    minion, level_word = each.words
    yield from ("", f"{level_word:<7} {minion}s  spells")
    scale = max(
        1, ceil(max(minions + spells for _, minions, spells in each.curve) / _LONGEST_BAR)
    )  # cards for each mark
    for level, minions, spells in each.curve:
        bar = "#" * ceil(minions / scale) + "+" * ceil(spells / scale)
        yield f"{level:<7} {minions or '':>{len(minion) + 1}}  {spells or '':>6}  {bar}".rstrip()
    if each.counters:
        yield from ("", f"counters: {', '.join(f'{name} ({count})' for name, count in each.counters)}")
    yield from ("", f"opening hand of {each.hand} cards")
    for drawn, odds in enumerate(each.minions_drawn):
        yield f"  {plural(drawn, minion):<28} {percent(odds):>7}"
    for most, odds in each.early:
        yield f"  {f'a card up to {level_word} {most}':<28} {percent(odds):>7}"


def _heading(each: _Figures) -> str:
    if not each.size:
        return "no cards that are played"
    minion, level = each.words
    mean = f"{level} {float(each.mean_level):.2f} on average"
    parts = [plural(each.size, "card"), plural(each.minions, minion), plural(each.size - each.minions, "spell"), mean]
    if level == "level":  # cards with a cost have no Ultra Points
        most = f" of {each.most_ultra_points}" if each.card_set.deck and each.most_ultra_points is not None else ""
        parts.append(f"{each.ultra_points}{most} Ultra Point{'' if each.ultra_points == 1 and not most else 's'}")
    return ", ".join(parts)


# --- JSON and page --------------------------------------------------------------------------------------------------


def _value(each: _Figures) -> dict[str, object]:
    return {
        "name": each.card_set.name,
        "deck": each.card_set.deck is not None,
        "edition": each.edition,
        "cards": each.size,
        "minions": each.minions,
        "spells": each.size - each.minions,
        "mean_level": exact(each.mean_level),
        "ultra_points": each.ultra_points,
        "most_ultra_points": each.most_ultra_points,
        "curve": [dict(zip(("level", "minions", "spells"), one, strict=True)) for one in each.curve],
        "counters": [{"name": name, "cards": count} for name, count in each.counters],
        "hand": {
            "cards": each.hand,
            "mean_minions": exact(expected(each.size, each.minions, each.hand)),
            "minions": [{"minions": drawn, **as_odds(odds)} for drawn, odds in enumerate(each.minions_drawn)],
            "up_to_level": [{"level": level, **as_odds(odds)} for level, odds in each.early],
            "card": [{"id": card.id, **as_odds(each.odds(card))} for card in each.cards],
        },
    }


def _page(each: _Figures) -> dict[str, object]:
    widest = max((minions + spells for _, minions, spells in each.curve), default=1)
    minion, level_word = each.words
    return {
        "name": each.card_set.name,
        "about": f"{_heading(each)}{f', {ordinal(each.edition)} Edition' if each.edition else ''}",
        "minion": minion,
        "level": level_word,
        "hand": each.hand,
        "curve": [
            {
                "level": level,
                "minions": minions,
                "spells": spells,
                "minion_width": share(Fraction(minions, widest)),
                "spell_width": share(Fraction(spells, widest)),
            }
            for level, minions, spells in each.curve
        ],
        "tables": (),
        "counters": [{"name": name, "count": count} for name, count in each.counters],
        "minions": [{"count": drawn, **_bar(odds)} for drawn, odds in enumerate(each.minions_drawn)],
        "early": [{"level": level, **_bar(odds)} for level, odds in each.early],
        "cards": [
            {"name": card.name or card.id, "copies": card.copies, "level": card.level, **_bar(each.odds(card))}
            for card in each.cards
        ],
    }


def _bar(odds: Fraction) -> dict[str, str]:
    return {"percent": percent(odds), "width": share(odds)}
