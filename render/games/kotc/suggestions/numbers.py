"""Numbers for the components of an outline, so that the card has its level and none of them is wasted.

Ranges of numbers are halved until each is one number. A half is given up as soon as the least and the greatest level
that it allows show that the wished one is not between them. These bounds are floats, with room for their errors; what
is left is judged in exact fractions, so that nothing is missed and nothing is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from render.games.kotc.suggestions.goal import Goal
from render.games.kotc.suggestions.outline import Makeup
from render.games.kotc.suggestions.stock import ONE_ONLY, SIZES, Range, Shelf, Span, common_divisor

Box = tuple[tuple[Range, ...], ...]
"""Ranges for the variables of each component, in the order of the text."""

Numbers = tuple[tuple[int, ...], ...]
Sizes = tuple[int, ...]
"""Indexes in `SIZES`, one for each variable of the card."""

SLACK = 1e-6  # far more than the error of a float here, far less than the least part of a level


@dataclass(frozen=True, slots=True)
class Worth:
    """What the abilities of a card add before they are rounded, and the relief of its caveat."""

    abilities: tuple[Fraction, ...]
    relief: Fraction

    @property
    def total(self) -> Fraction:
        """What all of it is worth."""
        return sum(self.abilities, Fraction(0)) - self.relief


@dataclass(frozen=True, slots=True)
class Solver:
    """Finds the numbers of one outline."""

    outline: Makeup
    goal: Goal

    # --- sizes of numbers -----

    @property
    def first_sizes(self) -> Sizes:
        """The sizes with the shortest text: the smallest that the components may have."""
        lows = (low for _, item in self.outline.placed for low, _ in item.ranges)
        return tuple(next(at for at, (_, most) in enumerate(SIZES) if low <= most) for low in lows)

    def larger(self, sizes: Sizes) -> Iterator[Sizes]:
        """Yield sizes of which one is greater by a step, so that each comes from one other only.

        Those after which no numbers can come to the level are left out.
        """
        first = self.first_sizes
        last = max((at for at, size in enumerate(sizes) if size > first[at]), default=0)
        for at in range(last, len(sizes)):
            if sizes[at] + 1 < len(SIZES):
                larger = (*sizes[:at], sizes[at] + 1, *sizes[at + 1 :])
                box = self.box(larger, at_least=True)
                if box is not None and self.may_succeed(box):
                    yield larger

    def box(self, sizes: Sizes, *, at_least: bool = False) -> Box | None:
        """Return the numbers of these sizes that the components may have; None if a limit allows none.

        With `at_least`, larger numbers than these are among them.
        """
        left = iter(sizes)
        box = []
        for _, item in self.outline.placed:
            ranges = []
            for least, most in item.ranges:
                low, high = SIZES[next(left)]
                ranges.append((max(least, low), most if at_least else min(most, high)))
            box.append(tuple(ranges))
        return None if any(low > high for each in box for low, high in each) else tuple(box)

    @property
    def everything(self) -> Box:
        """All numbers that the components may have."""
        return tuple(item.ranges for _, item in self.outline.placed)

    @property
    def is_in_vain(self) -> bool:
        """Whether no numbers come to the level because all values are multiples of one that is too large.

        "Self-bury x resources→ Draw y cards" has even levels only.
        """
        window = self.goal.window
        if window is None or self.outline.caveat:
            return False
        grains, t = [], Fraction(1)
        for _, item in self.outline.placed:
            if item.group is Shelf.CONDITION:
                if item.component.level or item.component.factor:
                    return False
            elif item.group is Shelf.TARGET:
                t = item.grain(Fraction(1))
            else:
                grains.append(item.grain(t))
        if not all(grains):
            return False
        grain = common_divisor(grains)
        return floor(window[1] / grain) * grain <= window[0]

    # --- the search -----

    def may_succeed(self, box: Box) -> bool:
        """Return whether numbers in the box may come to the level."""
        abilities, relief = self._spans(box)
        low = sum(self.goal.ability_level(each[0] - SLACK) for each in abilities)
        high = sum(self.goal.ability_level(each[1] + SLACK) for each in abilities)
        return self.goal.may_be_reached((low, high), relief)

    def solutions(self, box: Box, *, keeps_waste: bool = False) -> Iterator[Numbers]:
        """Yield the numbers in the box that come to the level, smaller ones first.

        Unless it keeps them, those are left out of which one could be changed by one to get more at the same level: who
        pays 5 HP where 4 would do, or draws 2 cards where 3 cost no more, has wasted a number.
        """
        wide = next(
            ((at, of) for at, each in enumerate(box) for of, (low, high) in enumerate(each) if low < high), None
        )
        if wide is None:
            numbers = tuple(tuple(low for low, _ in each) for each in box)
            if self._comes_to(numbers) and (keeps_waste or not self._is_waste(numbers)):
                yield numbers
            return
        if not self.may_succeed(box) or (not keeps_waste and self._is_all_waste(box)):
            return
        low, high = box[wide[0]][wide[1]]
        middle = (low + high) // 2
        for half in ((low, middle), (middle + 1, high)):
            yield from self.solutions(_replaced(box, wide, half), keeps_waste=keeps_waste)

    def worth(self, numbers: Numbers) -> Worth:
        """Return what these numbers are worth."""
        totals = [Fraction(0) for _ in self.outline.abilities]
        relief, target, factor, before = Fraction(0), Fraction(1), Fraction(1), -1
        for (at, item), chosen in zip(self.outline.placed, numbers, strict=True):
            if at != before:
                target, factor, before = Fraction(1), Fraction(1), at
            match item.group:
                case Shelf.CAVEAT:
                    relief = item.value(chosen)
                case Shelf.CONDITION:
                    factor = item.factor(chosen)
                    totals[at] -= item.value(chosen)
                case Shelf.COST:
                    totals[at] -= item.value(chosen)
                case Shelf.TARGET:
                    target = item.value(chosen)
                case _:
                    totals[at] += item.value(chosen, target, factor)
        return Worth(tuple(totals), relief)

    def abilities_level(self, worth: Worth) -> Fraction:
        """Return what the abilities add to the card's level."""
        return sum(map(self.goal.ability_level, worth.abilities), Fraction(0))

    def _comes_to(self, numbers: Numbers) -> bool:
        worth = self.worth(numbers)
        return self.goal.body(self.abilities_level(worth), worth.relief) is not None

    def _spans(self, box: Box) -> tuple[list[Span], Span]:
        """Return the bounds of what each ability adds before it is rounded, and of the caveat's relief."""
        lows, highs = [0.0] * len(self.outline.abilities), [0.0] * len(self.outline.abilities)
        relief, target, factor, before = (0.0, 0.0), ONE_ONLY, ONE_ONLY, -1
        for (at, item), ranges in zip(self.outline.placed, box, strict=True):
            if at != before:
                target, factor, before = ONE_ONLY, ONE_ONLY, at
            match item.group:
                case Shelf.CAVEAT:
                    relief = item.span(ranges)
                case Shelf.TARGET:
                    target = item.span(ranges)
                case Shelf.CONDITION | Shelf.COST:
                    low, high = item.span(ranges)
                    lows[at], highs[at] = lows[at] - high, highs[at] - low
                    factor = item.factor_span(ranges) if item.group is Shelf.CONDITION else factor
                case _:
                    low, high = item.span(ranges, target, factor)
                    lows[at], highs[at] = lows[at] + low, highs[at] + high
        return list(zip(lows, highs, strict=True)), relief

    # --- waste -----

    def _is_waste(self, numbers: Numbers) -> bool:
        mine = self.worth(numbers)
        outcome = self.goal.outcome(self.abilities_level(mine), mine.relief)
        for at, (_, item) in enumerate(self.outline.placed):
            for of, (low, high) in enumerate(item.ranges):
                for number in (numbers[at][of] - 1, numbers[at][of] + 1):
                    if not low <= number <= high:
                        continue
                    changed = (*numbers[at][:of], number, *numbers[at][of + 1 :])
                    other = self.worth((*numbers[:at], changed, *numbers[at + 1 :]))
                    same = self.goal.outcome(self.abilities_level(other), other.relief) == outcome
                    if other.total > mine.total and same:
                        return True
        return False

    def _is_all_waste(self, box: Box) -> bool:
        """Return whether it is clear that every choice in the box is a waste."""
        if self._outcome(box) is None:
            return False
        for at, (_, item) in enumerate(self.outline.placed):
            for of, (low, high) in enumerate(box[at]):
                for step in (-1, 1):
                    if item.ranges[of][0] <= low + step and high + step <= item.ranges[of][1]:
                        other = _replaced(box, (at, of), (low + step, high + step))
                        if self._pays_more(other, box) and self._outcome(other) == self._outcome(box):
                            return True
        return False

    def _pays_more(self, other: Box, box: Box) -> bool:
        """Return whether a box is worth more than another; formulas rise or fall steadily."""
        return self.worth(_least(other)).total > self.worth(_least(box)).total

    def _outcome(self, box: Box) -> Fraction | None:
        """Return the outcome that all numbers of the box share; None if they differ, or it is not clear."""
        spans, relief = self._spans(box)
        low = sum(self.goal.ability_level(each[0] - SLACK) for each in spans)
        high = sum(self.goal.ability_level(each[1] + SLACK) for each in spans)
        first = self.goal.outcome(Fraction(low), Fraction(relief[1]))
        return first if first == self.goal.outcome(Fraction(high), Fraction(relief[0])) else None


def _least(box: Box) -> Numbers:
    return tuple(tuple(low for low, _ in each) for each in box)


def _replaced(box: Box, place: tuple[int, int], ranges: Range) -> Box:
    at, of = place
    changed = (*box[at][:of], ranges, *box[at][of + 1 :])
    return (*box[:at], changed, *box[at + 1 :])
