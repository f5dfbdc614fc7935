"""The level that a card of a wish must come to, and the numbers, SP and HP that bring it there with none of them wasted.

Ranges of numbers are halved until each is one number. A half is given up as soon as the least and the greatest level
that it allows show that the wished one is not between them. These bounds are floats, with room for their errors; what
is left is judged in exact fractions, so that nothing is missed and nothing is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from render.games.kotc.model.edition import Grammar, LevelRules, Rounding
from render.games.kotc.workshop.suggestions.stock import (
    CAVEAT,
    ONE_ONLY,
    SIZES,
    Makeup,
    Range,
    Shelf,
    Span,
    common_divisor,
)
from render.games.kotc.workshop.suggestions.wish import Wish

MAX_STAT_OLD = 99  # up to the 11th Edition (guide, "Design Instructions")
MAX_STAT = 9999  # the greatest number that a card file may have
Number = TypeVar("Number", float, Fraction)


class Body(Struct, frozen=True):
    """The SP and HP of a minion; a spell has neither."""

    sp: int | None = None
    hp: int | None = None


class Goal(Struct, frozen=True):
    """The level of a wish, by the rules of an edition."""

    wish: Wish
    rules: LevelRules
    grammar: Grammar

    # --- sums -----

    def ability_level(self, value: Number) -> Number:
        """Return what an ability adds to a card, by the sum of its effects less its costs."""
        spell = self.wish.is_spell
        least = self.rules.least_of_spell_ability if spell else self.rules.least_of_minion_ability
        rounded = type(value)(ceil(value)) if self._rounds_each else value
        return max(type(value)(least), rounded)

    def level(self, abilities: Number, body: Body, relief: Number) -> int:
        """Return the level of a card whose abilities add that much, with a caveat's relief."""
        if self.wish.is_spell:
            return ceil(abilities)
        stats = (body.sp or 0) + self.rules.hp_share * (body.hp or 0) - relief
        if self._rounds_each:
            return max(self.rules.least_of_minion, max(0, ceil(stats)) + ceil(abilities))
        return max(self.rules.least_of_minion, ceil(abilities + stats if stats > 0 else abilities))

    def body(self, abilities: Fraction, relief: Fraction) -> Body | None:
        """Return SP and HP with which the card has the level of the wish; None if none have.

        Of several that would do it is the one that makes the most of the level: as much for SP as for HP, and the
        greatest HP then.
        """
        found = Body() if self.wish.is_spell else self._stats(self.wish.level - abilities + relief)
        return found if found and self.level(abilities, found, relief) == self.wish.level else None

    def may_be_reached(self, abilities: Span, relief: Span) -> bool:
        """Return whether sums in these bounds may come to the level of the wish."""
        wished = self.wish.level
        if self.wish.is_spell:
            return ceil(abilities[0]) <= wished <= ceil(abilities[1])
        if self.is_free:
            return self.level(abilities[0], self.least_body, relief[1]) <= wished
        body = Body(self.wish.sp, self.wish.hp)
        return self.level(abilities[0], body, relief[1]) <= wished <= self.level(abilities[1], body, relief[0])

    @property
    def window(self) -> tuple[Fraction, Fraction] | None:
        """Between which numbers the sum of a single ability must be, more than the first; None if it may be less."""
        if self.is_free or self.wish.abilities != 1:
            return None
        stats = (self.wish.sp or 0) + self.rules.hp_share * (self.wish.hp or 0)
        high = Fraction(self.wish.level) - (ceil(stats) if self._rounds_each else stats)
        return (high - 1, high) if self.ability_level(high - 1) < self.ability_level(high) else None

    def outcome(self, abilities: Fraction, relief: Fraction) -> Fraction:
        """Return what two choices of numbers have in common if the one that pays more is a waste."""
        if self.wish.is_spell or not self.is_free:
            return Fraction(self.level(abilities, Body(self.wish.sp, self.wish.hp), relief))
        return abilities - relief

    @property
    def is_free(self) -> bool:
        """Whether the search may choose SP or HP."""
        return not self.wish.is_spell and (self.wish.sp is None or self.wish.hp is None)

    @property
    def least_body(self) -> Body:
        """The least SP and HP that the wish allows."""
        return Body(self.wish.sp or 0, self.wish.hp or 0)

    # --- SP and HP -----

    @property
    def _rounds_each(self) -> bool:
        return self.rules.rounding is Rounding.ABILITY

    @property
    def _most(self) -> int:
        return MAX_STAT_OLD if self.grammar.of_creatures else MAX_STAT

    def _stats(self, worth: Fraction) -> Body | None:
        """Return SP and HP worth so much at most; None if that is less than nothing."""
        share, wish = self.rules.hp_share, self.wish
        if wish.sp is not None and wish.hp is not None:
            return Body(wish.sp, wish.hp)
        if worth < 0:
            return None
        if wish.hp is not None:
            sp = min(floor(worth - share * wish.hp), self._most)
        else:
            sp = wish.sp if wish.sp is not None else min(ceil(Fraction(floor(worth), 2)), self._most)
        hp = wish.hp if wish.hp is not None else self._rest(worth - sp)
        return Body(sp, hp) if sp >= 0 and hp >= 0 else None

    def _rest(self, worth: Fraction) -> int:
        share = self.rules.hp_share
        return min(floor(worth / share), self._most) if share else 0


# --- numbers of an outline --------------------------------------------------------------------------------------------


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
