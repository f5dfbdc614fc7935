"""The odds of an opening hand, in exact fractions: cards drawn from a shuffled deck and not put back.

Every edition draws 5 cards (rulebook, "Setup and Deck Building", up to the 10th Edition "Setup"). In the 9th and 10th,
10 cards of a deck are reserves; if they are taken at random, a hand has the same odds as one of the whole deck. The
odds are those before a mulligan, which editions from the 13th on allow.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

HAND = 5


def chance_of(deck: int, copies: int, drawn: int, hand: int = HAND) -> Fraction:
    """Return the odds of exactly so many of some cards in a hand, if so many copies are in the deck.

    A deck with fewer cards than the hand is drawn whole.
    """
    hand = min(hand, deck)
    if drawn < 0 or hand - drawn < 0:
        return Fraction(0)
    return Fraction(comb(copies, drawn) * comb(deck - copies, hand - drawn), comb(deck, hand))


def chances(deck: int, copies: int, hand: int = HAND) -> tuple[Fraction, ...]:
    """Return the odds of 0, 1, 2 and more of some cards in a hand; they add up to 1."""
    return tuple(chance_of(deck, copies, drawn, hand) for drawn in range(min(hand, deck) + 1))


def chance_of_any(deck: int, copies: int, hand: int = HAND) -> Fraction:
    """Return the odds of at least one of some cards in a hand."""
    return 1 - chance_of(deck, copies, 0, hand)


def expected(deck: int, copies: int, hand: int = HAND) -> Fraction:
    """Return how many of some cards a hand has on average."""
    return Fraction(min(hand, deck) * copies, deck) if deck else Fraction(0)
