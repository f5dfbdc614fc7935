"""Numbers for the components of an outline, so that the card has its level and none of them is wasted.

Ranges of numbers are halved until each is one number. A half is given up as soon as the least and the greatest level
that it allows show that the wished one is not between them. These bounds are floats, with room for their errors; what
is left is judged in exact fractions, so that nothing is missed and nothing is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import floor

from msgspec import Struct
from msgspec.structs import replace

from render.games.kotc.workshop.suggestions.goal import Goal
from render.games.kotc.workshop.suggestions.outline import CAVEAT, Makeup
from render.games.kotc.workshop.suggestions.stock import ONE_ONLY, SIZES, Range, Shelf, Span, common_divisor

Box = tuple[tuple[Range, ...], ...]
"""Ranges for the variables of each component, in the order of the text."""

Numbers = tuple[tuple[int, ...], ...]
Bounds = tuple[list[Span], Span]
"""The least and the greatest that each ability adds before it is rounded, and that the caveat takes off."""

Sizes = tuple[int, ...]
"""Indexes in `SIZES`, one for each variable of the card."""

SLACK = 1e-6  # far more than the error of a float here, far less than the least part of a level


class Worth(Struct, frozen=True):
    """What the abilities of a card add before they are rounded, and the relief of its caveat."""

    abilities: tuple[Fraction, ...]
    relief: Fraction

    @property
    def total(self) -> Fraction:
        """What all of it is worth."""
        return sum(self.abilities, Fraction(0)) - self.relief

    def with_part(self, place: int, worth: Fraction) -> Worth:
        """Return the same with another worth of the ability of that number, or of the caveat."""
        if place == CAVEAT:
            return replace(self, relief=worth)
        return replace(self, abilities=(*self.abilities[:place], worth, *self.abilities[place + 1 :]))


class Solver(Struct, frozen=True):
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
        abilities = tuple(self._part(at, numbers) for at in range(len(self.outline.abilities)))
        return Worth(abilities, self._part(CAVEAT, numbers))

    def _part(self, place: int, numbers: Numbers) -> Fraction:
        """Return what an ability is worth before it is rounded, or the relief of the caveat."""
        total, target, factor = Fraction(0), Fraction(1), Fraction(1)
        for (at, item), chosen in zip(self.outline.placed, numbers, strict=True):
            if at != place:
                continue
            match item.group:
                case Shelf.CAVEAT:
                    total = item.value(chosen)
                case Shelf.CONDITION:
                    factor = item.factor(chosen)
                    total -= item.value(chosen)
                case Shelf.COST:
                    total -= item.value(chosen)
                case Shelf.TARGET:
                    target = item.value(chosen)
                case _:
                    total += item.value(chosen, target, factor)
        return total

    def abilities_level(self, worth: Worth) -> Fraction:
        """Return what the abilities add to the card's level."""
        return sum(map(self.goal.ability_level, worth.abilities), Fraction(0))

    def _comes_to(self, numbers: Numbers) -> bool:
        worth = self.worth(numbers)
        return self.goal.body(self.abilities_level(worth), worth.relief) is not None

    def _spans(self, box: Box) -> Bounds:
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
        outcome = self._outcome_of(mine)
        for at, (place, item) in enumerate(self.outline.placed):
            for of, (low, high) in enumerate(item.ranges):
                for number in (numbers[at][of] - 1, numbers[at][of] + 1):
                    if not low <= number <= high:
                        continue
                    changed = (*numbers[at][:of], number, *numbers[at][of + 1 :])
                    part = self._part(place, (*numbers[:at], changed, *numbers[at + 1 :]))
                    other = mine.with_part(place, part)
                    if other.total > mine.total and self._outcome_of(other) == outcome:
                        return True
        return False

    def _outcome_of(self, worth: Worth) -> Fraction:
        return self.goal.outcome(self.abilities_level(worth), worth.relief)

    def _is_all_waste(self, box: Box) -> bool:
        """Return whether it is clear that every choice in the box is a waste.

        What becomes of the card is clear if the box leaves no doubt of it. What one ability adds is often clear before
        the numbers of the others are, and then nothing else need be.
        """
        bounds = self._spans(box)
        whole = self._outcome(bounds)
        for at, (place, item) in enumerate(self.outline.placed):
            own = self._level_of(bounds, place)
            if whole is None and own is None:
                continue
            for of, (low, high) in enumerate(box[at]):
                for step in (-1, 1):
                    if not (item.ranges[of][0] <= low + step and high + step <= item.ranges[of][1]):
                        continue
                    other = _replaced(box, (at, of), (low + step, high + step))
                    if self._pays_more(other, box, place) and self._comes_to_same(other, place, whole, own):
                        return True
        return False

    def _comes_to_same(self, other: Box, place: int, whole: Fraction | None, own: float | None) -> bool:
        bounds = self._spans(other)
        if own is not None and self._level_of(bounds, place) == own:
            return True
        return whole is not None and self._outcome(bounds) == whole

    def _pays_more(self, other: Box, box: Box, place: int) -> bool:
        """Return whether a box is worth more than one that differs at that place; formulas rise or fall steadily."""
        mine, its = self._part(place, _least(box)), self._part(place, _least(other))
        return its < mine if place == CAVEAT else its > mine

    def _level_of(self, bounds: Bounds, place: int) -> float | None:
        """Return what an ability adds with all numbers of a box; None if they differ, or it is not clear."""
        if place == CAVEAT:
            return None
        low, high = bounds[0][place]
        level = self.goal.ability_level(low - SLACK)
        return level if level == self.goal.ability_level(high + SLACK) else None

    def _outcome(self, bounds: Bounds) -> Fraction | None:
        """Return the outcome that all numbers of a box share; None if they differ, or it is not clear."""
        spans, relief = bounds
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
