"""Sets and decks in figures: how many cards have each number and choice of their game, and the odds of an opening hand.

The odds are exact fractions, of cards drawn from a shuffled deck and not put back (the hypergeometric distribution).
"""

from __future__ import annotations

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


Counts = Mapping[Countable, Counter[str]]
"""How many cards of each kind have a value: numbers from low to high, choices as their game lists them."""


class Curve(Struct, frozen=True):
    """The values of one number or choice; `mean` is that of numbers over the cards that have one, None for words."""

    name: str
    counts: Counts
    mean: Fraction | None

    @property
    def is_number(self) -> bool:
        """Whether all its values are numbers."""
        return self.mean is not None


class Figures(Struct, frozen=True):
    """A set or a deck of so many cards, of which a hand is drawn, by each number and choice; first by kind."""

    name: str
    is_deck: bool
    cards: int
    hand: int
    curves: tuple[Curve, ...]

    def odds(self, cards: int) -> tuple[Fraction, Fraction]:
        """Return the odds of at least one of so many cards in a hand, and how many of them a hand has on average."""
        return chance_of_any(self.cards, cards, self.hand), expected(self.cards, cards, self.hand)


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
    words = {"kind": game.kinds, **{name: counted.get(name, ()) for name in names or counted}}
    counts: dict[str, dict[Countable, Counter[str]]]
    counts = {name: {word: Counter() for word in some} for name, some in words.items()}
    for card in played:
        values = game.expression_values(card)
        for name, of_value in counts.items():
            for each in _countable(values.get(name)):
                of_value.setdefault(each, Counter())[str(card.kind.value)] += card.copies
    counts["kind"] = {kind: of_kind for kind, of_kind in counts["kind"].items() if of_kind}
    for name, of_value in counts.items():
        if not words[name]:
            counts[name] = dict(sorted(of_value.items(), key=lambda each: (isinstance(each[0], str), each[0])))
    size = sum(card.copies for card in played)
    shown = tuple(Curve(name, each, _mean(each)) for name, each in counts.items() if any(each.values()))
    return Figures(card_set.name, card_set.deck is not None, size, min(hand, size), shown)


def _countable(value: object) -> Iterator[Countable]:
    """Yield what counts of a value: each word of a list once, `yes` of a truth value, nothing of what is not given."""
    if isinstance(value, tuple):
        yield from dict.fromkeys(map(str, value))
    elif isinstance(value, bool):
        yield from ("yes",) * value
    elif isinstance(value, str | int | float) and value != "":
        yield value


def _mean(counts: Counts) -> Fraction | None:
    """Return the mean of numbers over the cards that have one; None if they are words."""
    if any(isinstance(value, str) for value in counts):
        return None
    total = sum(Fraction(str(value)) * of_kind.total() for value, of_kind in counts.items())
    return total / Fraction(sum(of_kind.total() for of_kind in counts.values()))


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
    return percent(figures.odds(cards)[0])


def percent(odds: Fraction) -> str:
    """Return odds in percent with one digit, such as `7.1 %`; only what is certain is `100 %` or `0 %`."""
    if odds in (0, 1):
        return f"{int(odds) * 100} %"
    tenths = min(max(round(odds * 1000), 1), 999)
    return f"{tenths // 10}.{tenths % 10} %"


# --- for people -------------------------------------------------------------------------------------------------------


def shown(each: Figures) -> ShownFigures:
    """Return the figures for people and for programs."""
    tables = [{"name": curve.name, "rows": [*_page_rows(each, curve)]} for curve in each.curves]
    page = {"name": each.name, "about": plural(each.cards, "card"), "hand": each.hand, "tables": tables, "curve": ()}
    return ShownFigures(_as_text(each), _as_value(each), page)


_WIDTH = 80  # columns
_LONGEST_BAR = 20  # marks
_MOST_ROWS = 24  # of the curve of a number: others are put together, by steps of 2, 5, 10, 20 and so on


def _as_text(each: Figures) -> str:
    if not each.cards:
        return printable(f"{each.name}: no cards that are played")
    lines = [f"{each.name}: {plural(each.cards, 'card')}, odds of an opening hand of {each.hand}"]
    for curve in each.curves:
        lines += ["", *_table(each, curve)]
    return "\n".join(printable(line.rstrip()) for line in lines)


def _table(figures: Figures, curve: Curve) -> Iterator[str]:
    """Yield a heading and a row for each value, with the columns of kinds if there is room for them."""
    rows, of_kinds = rows_of(curve), curve.counts.values()
    kinds = [str(kind) for kind in figures.curves[0].counts if any(of_kind[str(kind)] for of_kind in of_kinds)]
    if curve.mean is not None:
        yield f"{curve.name}: {min(curve.counts)} to {max(curve.counts)}, {float(curve.mean):.2f} on average"
    head = ("cards", *kinds, "in a hand", *(("or less",) * curve.is_number), "on average")
    first = max(columns(words) for words in (curve.name, *(words for words, _, _ in rows)))
    is_wide = first + sum(columns(each) + 2 for each in head) > _WIDTH - _LONGEST_BAR
    if curve.name == "kind" or len(kinds) == 1 or is_wide:
        head = tuple(each for each in head if each not in kinds)
    yield f"{_padded('' if curve.is_number else curve.name, first)}{''.join(f'  {each}' for each in head)}"
    scale = max(1, ceil(max(of_kind.total() for _, of_kind, _ in rows) / _LONGEST_BAR))  # cards for each mark
    for words, of_kind, up_to in rows:
        cards = of_kind.total()
        average = f"{float(figures.odds(cards)[1]):.2f}"
        said = {"cards": str(cards), "in a hand": odds_of(figures, cards), "on average": average} if cards else {}
        said |= {kind: str(of_kind[kind]) for kind in kinds if of_kind[kind]}
        said |= {"or less": odds_of(figures, up_to)} if curve.is_number else {}
        cells = "".join(f"  {said.get(each, ''):>{columns(each)}}" for each in head)
        yield f"{_padded(words, first)}{cells}  {'#' * ceil(cards / scale)}"


def _page_rows(figures: Figures, curve: Curve) -> Iterator[dict[str, object]]:
    rows = [(words, of_kind.total()) for words, of_kind, _ in rows_of(curve)]
    most = max(cards for _, cards in rows)
    for words, cards in rows:
        width = share(Fraction(cards, most))
        yield {"value": words, "cards": cards, "percent": odds_of(figures, cards), "width": width}


def share(part: Fraction) -> str:
    """Return a part of 1 as the width of a bar, in percent."""
    return f"{float(part * 100):.2f}"


Row = tuple[str, Counter[str], int]
"""A value in words, how many cards of each kind have it, and how many cards have it or a smaller one."""


def rows_of(curve: Curve) -> list[Row]:
    """Return the rows of a curve: of numbers those that no card has, too; of many numbers one for several."""
    numbers = [value for value in curve.counts if not isinstance(value, str)] if curve.is_number else []
    step = _step(numbers) if numbers else 0
    found = {str(value): of_kind for value, of_kind in curve.counts.items()}
    if step:
        steps = {number: Counter[str]() for number in range(floor(numbers[0] / step), floor(numbers[-1] / step) + 1)}
        for number in numbers:
            steps[floor(number / step)].update(curve.counts[number])
        stretches = (f"{each * step:g} to {(each + 1) * step - (step > 1):g}" for each in steps)
        found = dict(zip(map(str, steps) if step == 1 else stretches, steps.values(), strict=True))
    up_to = accumulate(map(Counter.total, found.values()))
    return [(words, of_kind, cards) for (words, of_kind), cards in zip(found.items(), up_to, strict=True)]


def _step(numbers: Sequence[float]) -> float:
    """Return by which steps the rows of numbers go; 0 if each number has its own, without those between them."""
    span, is_whole = numbers[-1] - numbers[0], all(float(number).is_integer() for number in numbers)
    if is_whole and span < _MOST_ROWS:
        return 1
    steps = (float(f"{part}e{power}") for power in range(0 if is_whole else -9, 12) for part in (1, 2, 5))
    return next(each for each in steps if span / each < _MOST_ROWS // 2) if len(numbers) > _MOST_ROWS else 0


def _padded(words: str, width: int) -> str:
    return f"{words}{' ' * (width - columns(words))}"


# --- for programs -----------------------------------------------------------------------------------------------------


def _as_value(each: Figures) -> dict[str, object]:
    """Return the figures as an object of JSON. Odds are exact, as the text `7/38`, and besides in percent."""

    def counted(value: Countable, of_kind: Counter[str]) -> dict[str, object]:
        odds, average = each.odds(of_kind.total())
        whole = {"value": value, "cards": of_kind.total(), "kinds": of_kind}
        return {**whole, **as_odds(odds), "on_average": exact(average)}

    curves = [
        {
            "name": curve.name,
            "mean": None if curve.mean is None else exact(curve.mean),
            "values": [counted(*one) for one in curve.counts.items()],
        }
        for curve in each.curves
    ]
    return {"name": each.name, "deck": each.is_deck, "cards": each.cards, "hand": each.hand, "curves": curves}


def as_rows(shown: Iterable[Figures]) -> Iterator[tuple[object, ...]]:
    """Yield the rows of a table: its header, a row for all cards with a value, then one for those of each kind."""
    yield "set", "field", "value", "kind", "cards", "at least one", "on average"
    for each in shown:
        for curve in each.curves:
            for value, of_kind in curve.counts.items():
                for kind, cards in ("", of_kind.total()), *(of_kind.items() if curve.name != "kind" else ()):
                    yield (
                        each.name,
                        curve.name,
                        value,
                        kind,
                        cards,
                        *(round(float(part), 6) for part in each.odds(cards)),
                    )


def as_odds(odds: Fraction) -> dict[str, object]:
    """Return odds as JSON has them."""
    return {"odds": exact(odds), "percent": round(float(odds * 100), 4)}


def exact(value: Fraction) -> int | str:
    """Return a number as JSON has it: a whole one, or a text such as `7/38`."""
    return value.numerator if value.denominator == 1 else str(value)
