"""Sets and decks in figures: how many cards have each number and choice of their game, and the odds of an opening hand.

The odds are exact fractions, of cards drawn from a shuffled deck and not put back (the hypergeometric distribution).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import ceil, comb, floor
from pathlib import Path

from msgspec import Struct

from render.base.columns import columns
from render.base.findings import Diagnostic, Refused, has_errors, plural, printable, sort_findings
from render.game.cards import GameSet
from render.game.derivations import ShownFigures
from render.game.folder import is_deck
from render.game.registry import game_of
from render.game.sources import decks_of, read_deck, survey

Countable = str | int | float
"""A value by which cards are counted; of a truth value, only `yes` counts."""


class ValueCount(Struct, frozen=True):
    """How many cards have a value, by kind."""

    value: Countable
    of_kind: Mapping[str, int]

    @property
    def cards(self) -> int:
        """How many cards have the value."""
        return sum(self.of_kind.values())


class Curve(Struct, frozen=True):
    """The values of one number or choice: numbers from low to high, choices as their game lists them."""

    name: str
    counts: tuple[ValueCount, ...]

    @property
    def is_number(self) -> bool:
        """Whether all its values are numbers."""
        return bool(self.counts) and not any(isinstance(each.value, str) for each in self.counts)

    @property
    def mean(self) -> Fraction:
        """The mean of numbers, over the cards that have one."""
        numbers = [(Fraction(str(each.value)), each.cards) for each in self.counts]
        return sum(number * cards for number, cards in numbers) / Fraction(sum(cards for _, cards in numbers))


class Figures(Struct, frozen=True):
    """All figures of a set or a deck of so many cards, of which a hand is drawn; the first curve is that of the kinds."""

    name: str
    is_deck: bool
    cards: int
    hand: int
    curves: tuple[Curve, ...]


def read_sets(paths: Iterable[Path]) -> tuple[list[GameSet], list[Diagnostic]]:
    """Return sets and decks in the order of the paths, and what is wrong or doubtful about them.

    Refused if one of them cannot be read.
    """
    found: list[GameSet] = []
    findings: list[Diagnostic] = []
    for path in (each for given in paths for each in decks_of(given) or [given]):
        deck = read_deck(path) if is_deck(path) else None
        sets, wrong = ([deck.card_set], [*deck.findings]) if deck else survey([path])
        if has_errors(wrong):
            raise Refused([*findings, *wrong])
        found += [each for each in sets if each]
        findings += wrong
        if deck and deck.card_set:
            findings += game_of(deck.card_set).judge_deck(deck.card_set, deck.cards)
    return found, sort_findings(findings)


def figures_of(card_set: GameSet, hand: int, names: Sequence[str] = ()) -> Figures:
    """Return the figures of the cards that are played, each as often as its copies say.

    `names` are the values to count by (`Game.expression_values`), those that the game names without any.
    """
    game = game_of(card_set)
    played = [card for card in card_set.cards if card.copies and game.is_played(card)]
    counted = game.counted(played)
    order = {name: counted.get(name, ()) for name in names or counted}
    counts: dict[str, dict[Countable, Counter[str]]] = {"kind": {kind: Counter() for kind in game.kinds}}
    counts |= {name: {word: Counter() for word in words} for name, words in order.items()}
    for card in played:
        values = game.expression_values(card)
        for name, of_value in counts.items():
            for each in _countable(values.get(name)):
                of_value.setdefault(each, Counter())[str(card.kind.value)] += card.copies
    counts["kind"] = {kind: of_kind for kind, of_kind in counts["kind"].items() if of_kind}
    curves = (Curve(name, tuple(_ordered(of_value, order.get(name)))) for name, of_value in counts.items())
    size = sum(card.copies for card in played)
    shown = tuple(curve for curve in curves if any(each.cards for each in curve.counts))
    return Figures(card_set.name, card_set.deck is not None, size, min(hand, size), shown)


def _countable(value: object) -> Iterator[Countable]:
    """Yield what counts of a value: each word of a list once, `yes` of a truth value, nothing of what is not given."""
    if isinstance(value, tuple):
        yield from dict.fromkeys(map(str, value))
    elif isinstance(value, bool):
        yield from ("yes",) * value
    elif isinstance(value, str | int | float) and value != "":
        yield value


def _ordered(of_value: Mapping[Countable, Counter[str]], words: Sequence[str] | None) -> Iterator[ValueCount]:
    numbers = sorted(value for value in of_value if not isinstance(value, str))
    others = [value for value in of_value if isinstance(value, str)]
    for value in (*numbers, *(others if words or words is None else sorted(others))):
        yield ValueCount(value, dict(of_value[value]))


# --- odds ------------------------------------------------------------------------------------------------------------


def chance_of(deck: int, copies: int, drawn: int, hand: int) -> Fraction:
    """Return the odds of exactly so many of some cards in a hand, if so many copies are in the deck.

    A deck with fewer cards than the hand is drawn whole.
    """
    hand = min(hand, deck)
    if drawn < 0 or hand - drawn < 0:
        return Fraction(0)
    return Fraction(comb(copies, drawn) * comb(deck - copies, hand - drawn), comb(deck, hand))


def chances(deck: int, copies: int, hand: int) -> tuple[Fraction, ...]:
    """Return the odds of 0, 1, 2 and more of some cards in a hand; they add up to 1."""
    return tuple(chance_of(deck, copies, drawn, hand) for drawn in range(min(hand, deck) + 1))


def chance_of_any(deck: int, copies: int, hand: int) -> Fraction:
    """Return the odds of at least one of some cards in a hand."""
    return 1 - chance_of(deck, copies, 0, hand)


def expected(deck: int, copies: int, hand: int) -> Fraction:
    """Return how many of some cards a hand has on average."""
    return Fraction(min(hand, deck) * copies, deck) if deck else Fraction(0)


def odds_of(figures: Figures, cards: int) -> str:
    """Return in percent the odds that a hand has at least one of so many cards."""
    return percent(chance_of_any(figures.cards, cards, figures.hand))


def percent(odds: Fraction) -> str:
    """Return odds in percent with one digit, such as `7.1 %`; only what is certain is `100 %` or `0 %`."""
    if odds in (0, 1):
        return f"{int(odds) * 100} %"
    tenths = min(max(round(odds * 1000), 1), 999)
    return f"{tenths // 10}.{tenths % 10} %"


# --- for people -------------------------------------------------------------------------------------------------------


def shown(each: Figures) -> ShownFigures:
    """Return the figures for people and for programs."""
    return ShownFigures(as_text(each), as_value(each), as_page(each))


_WIDTH = 80  # columns
_LONGEST_BAR = 20  # marks
_MOST_ROWS = 24  # of the curve of a number: others are put together, by steps of 2, 5, 10, 20 and so on


def as_text(each: Figures) -> str:
    """Return the figures as tables of about 80 columns."""
    if not each.cards:
        return printable(f"{each.name}: no cards that are played")
    lines = [f"{each.name}: {plural(each.cards, 'card')}, odds of an opening hand of {each.hand}"]
    for curve in each.curves:
        lines += ["", *_table(curve, each)]
    return "\n".join(printable(line.rstrip()) for line in lines)


def _table(curve: Curve, figures: Figures) -> Iterator[str]:
    """Yield a heading and a row for each value, with the columns of kinds if there is room for them."""
    rows = rows_of(curve)
    kinds = list(dict.fromkeys(kind for each in curve.counts for kind in each.of_kind)) if curve.name != "kind" else []
    kinds = [kind for kind in (each.value for each in figures.curves[0].counts) if kind in kinds]
    heads = [
        "cards",
        *map(str, kinds if len(kinds) > 1 else ()),
        "in a hand",
        *(["or less"] * curve.is_number),
        "on average",
    ]
    first = max(columns(curve.name), *(columns(label) for label, _, _ in rows))
    if first + sum(columns(head) + 2 for head in heads) + _LONGEST_BAR > _WIDTH:
        heads = [head for head in heads if head not in kinds]
    scale = max(1, ceil(max(sum(of_kind.values()) for _, of_kind, _ in rows) / _LONGEST_BAR))  # cards for each mark
    if curve.is_number:
        least, most = curve.counts[0].value, curve.counts[-1].value
        yield f"{curve.name}: {least} to {most}, {float(curve.mean):.2f} on average"
    yield f"{_padded('' if curve.is_number else curve.name, first)}{''.join(f'  {head}' for head in heads)}"
    for label, of_kind, up_to in rows:
        cards = sum(of_kind.values())
        said = {
            "cards": str(cards or ""),
            **{kind: str(of_kind.get(kind, "") or "") for kind in kinds},
            "in a hand": percent(chance_of_any(figures.cards, cards, figures.hand)),
            "or less": percent(chance_of_any(figures.cards, up_to, figures.hand)) if curve.is_number else "",
            "on average": f"{float(expected(figures.cards, cards, figures.hand)):.2f}",
        }
        cells = "".join(f"  {'' if not cards and head != 'or less' else said[head]:>{columns(head)}}" for head in heads)
        yield f"{_padded(label, first)}{cells}  {'#' * ceil(cards / scale)}"


Row = tuple[str, Counter[str], int]
"""A value in words, how many cards of each kind have it, and how many cards have it or a smaller one."""


def rows_of(curve: Curve) -> list[Row]:
    """Return the rows of a curve: of numbers those without a card, too; of many numbers one for several."""
    found: dict[str, Counter[str]] = {}
    step = _step([float(each.value) for each in curve.counts]) if curve.is_number else 0
    if step:
        least, most = (floor(float(curve.counts[end].value) / step) for end in (0, -1))
        found = {_stretch(number * step, step): Counter() for number in range(least, most + 1)}
    for each in curve.counts:
        words = _stretch(floor(float(each.value) / step) * step, step) if step else str(each.value)
        found.setdefault(words, Counter()).update(each.of_kind)
    up_to = accumulate(map(Counter.total, found.values()))
    return [(words, of_kind, cards) for (words, of_kind), cards in zip(found.items(), up_to, strict=True)]


def _step(numbers: Sequence[float]) -> float:
    """Return by which steps the rows of numbers go; 0 if each number has its own, without those between them."""
    span, is_whole = numbers[-1] - numbers[0], all(number.is_integer() for number in numbers)
    if is_whole and span < _MOST_ROWS:
        return 1
    if len(numbers) <= _MOST_ROWS:
        return 0
    steps = (float(f"{part}e{power}") for power in range(0 if is_whole else -9, 12) for part in (1, 2, 5))
    return next(each for each in steps if span / each < _MOST_ROWS // 2)


def _stretch(first: float, step: float) -> str:
    return f"{first:g}" if step == 1 else f"{first:g} to {first + step - (step > 1):g}"


def _padded(words: str, width: int) -> str:
    return f"{words}{' ' * (width - columns(words))}"


def as_page(each: Figures) -> dict[str, object]:
    """Return the figures as a page shows them: a table for each curve."""
    tables = []
    for curve in each.curves:
        rows = [(label, sum(of_kind.values())) for label, of_kind, _ in rows_of(curve)]
        most = max(cards for _, cards in rows)
        said = ((label, cards, percent(chance_of_any(each.cards, cards, each.hand))) for label, cards in rows)
        shown = [
            {"value": one, "cards": cards, "percent": odds, "width": share(Fraction(cards, most))}
            for one, cards, odds in said
        ]
        tables.append({"name": curve.name, "rows": shown})
    return {"name": each.name, "about": plural(each.cards, "card"), "hand": each.hand, "tables": tables, "curve": ()}


def share(part: Fraction) -> str:
    """Return a part of 1 as the width of a bar, in percent."""
    return f"{float(part * 100):.2f}"


# --- for programs -----------------------------------------------------------------------------------------------------

CSV_COLUMNS = ("set", "field", "value", "kind", "cards", "at least one", "on average")


def as_value(each: Figures) -> dict[str, object]:
    """Return the figures as an object of JSON. Odds are exact, as the text `7/38`, and besides in percent."""
    return {
        "name": each.name,
        "deck": each.is_deck,
        "cards": each.cards,
        "hand": each.hand,
        "curves": [
            {
                "name": curve.name,
                "mean": exact(curve.mean) if curve.is_number else None,
                "values": [
                    {
                        "value": one.value,
                        "cards": one.cards,
                        "kinds": one.of_kind,
                        **as_odds(chance_of_any(each.cards, one.cards, each.hand)),
                        "on_average": exact(expected(each.cards, one.cards, each.hand)),
                    }
                    for one in curve.counts
                ],
            }
            for curve in each.curves
        ],
    }


def as_rows(shown: Iterable[Figures]) -> Iterator[tuple[object, ...]]:
    """Yield the rows of a table with `CSV_COLUMNS`: one for all cards with a value, then one for those of each kind."""
    for each in shown:
        for curve in each.curves:
            for one in curve.counts:
                for kind, cards in ("", one.cards), *(one.of_kind.items() if curve.name != "kind" else ()):
                    odds = (f(each.cards, cards, each.hand) for f in (chance_of_any, expected))
                    yield each.name, curve.name, one.value, kind, cards, *(round(float(part), 6) for part in odds)


def as_json(values: Iterable[Mapping[str, object]]) -> str:
    """Return objects as a list of JSON."""
    return json.dumps([*values], ensure_ascii=False, indent=2)


def as_odds(odds: Fraction) -> dict[str, object]:
    """Return odds as JSON has them."""
    return {"odds": exact(odds), "percent": round(float(odds * 100), 4)}


def exact(value: Fraction) -> int | str:
    """Return a number as JSON has it: a whole one, or a text such as `7/38`."""
    return value.numerator if value.denominator == 1 else str(value)
