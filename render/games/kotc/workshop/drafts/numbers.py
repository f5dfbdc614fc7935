"""Numbers of drafts: as near to those of the old card as the rules allow, at a level near the old one.

SP and HP are carried over as those of the only official creature that is in the 9th and in the 17th Edition: Thor had
offense 6 and defense 30, and has 4 SP and 6 HP. So are levels: those of Thor and Antibiotic, the two official cards of
both, were 8 and 4, and are 9 and 2. The share of the HP in a level, which was a fifth and is a half, tells on which side
of that change an edition is; between two editions of the same share, the numbers stay.

Both cards lost their costs on the way, and kept the numbers of their effects. So numbers of a text stay as near to the
old ones as a level near the old one allows, and a cost that is worth more than what the ability does is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import ceil, log2
from typing import NamedTuple

from msgspec import Struct

from render.base.patterns import regex
from render.games.kotc.editions.wording import needs_targets
from render.games.kotc.model.cards import Card, Kind
from render.games.kotc.model.edition import Component, Edition, LevelRules, Role, Rounding
from render.games.kotc.model.formula import FACTOR, TARGETS

_OLD_SHARE, _NEW_SHARE = Fraction(1, 5), Fraction(1, 2)  # of the HP in a level: up to the 12th Edition, and since
_THOR_SP, _THOR_HP = Fraction(4, 6), Fraction(6, 30)
_LEVELS = Fraction(9 + 2, 8 + 4)  # of Thor and Antibiotic
_MEAN_OF_DIE = 3.5  # Antibiotic healed 8, and heals 2 dice
_LARGEST, _LARGEST_OLD = 9999, 99  # of offense and defense (guides up to the 11th Edition, "Design Instructions")
_MOST_STEPS = 12  # of a search for numbers

# How far a draft is from the old card: for each number by how many times it is another one (log2), and the same for the
# level; for what is paid for nothing, in levels; and for each cost that is left out.
_FAR_LEVEL, _FAR_STAT, _FOR_NOTHING, _WITHOUT_COST = 2.0, 1.2, 0.75, 1.5
_FAR_NUMBER = {Role.TARGET: 2.0, Role.EFFECT: 1.0}
_FAR_PRICE, _FAR_NEW = 0.7, 0.3


class Slot(Struct, frozen=True):
    """A component of the draft: where it stands, what it was, and the numbers that it should have.

    `ability` and `sub` count from 0; a caveat is of no ability. `share` is how alike it is to what it was.
    """

    role: Role
    ability: int
    sub: int
    component: Component
    said: str
    share: float
    names: tuple[str, ...]
    wanted: tuple[float, ...]
    ranges: tuple[tuple[int, int], ...]
    firm: tuple[bool, ...]

    @property
    def needs_targets(self) -> bool:
        """Whether it does something to targets."""
        return needs_targets(self.component)


class Aim(NamedTuple):
    """Where numbers should lead: level, SP and HP as they are carried over, by the rules of an edition."""

    level: int
    sp: int
    hp: int
    is_spell: bool
    rules: LevelRules
    largest: int


class Solution(NamedTuple):
    """Numbers for slots, SP and HP, the level that they give, and how far all of it is from the old card."""

    slots: tuple[Slot, ...]
    numbers: tuple[tuple[int, ...], ...]
    sp: int
    hp: int
    level: int
    distance: float


# --- what is carried over -------------------------------------------------------------------------------------------


def aim_of(card: Card, share: Fraction, edition: Edition) -> Aim:
    """Return the aim for a card of an edition with that share of the HP; the new edition must have rules for levels."""
    assert edition.levels is not None, edition.number
    largest = _LARGEST_OLD if edition.grammar.of_creatures else _LARGEST
    level, sp, hp = carried_over(card, share, edition.levels.hp_share)
    return Aim(level, sp, hp, card.kind is Kind.SPELL, edition.levels, largest)


def carried_over(card: Card, old: Fraction, new: Fraction) -> tuple[int, int, int]:
    """Return level, SP and HP as the official cards carry them over between editions with these shares of the HP."""
    level, sp, hp = card.level or 0, card.sp or 0, card.hp or 0
    if (old, new) == (_OLD_SHARE, _NEW_SHARE):
        return round(level * _LEVELS), round(sp * _THOR_SP), round(hp * _THOR_HP)
    if (old, new) == (_NEW_SHARE, _OLD_SHARE):
        return round(level / _LEVELS), round(sp / _THOR_SP), round(hp / _THOR_HP)
    return level, sp, round(hp * old / new) if new else hp  # another share: HP stay worth the same


_VARIABLE = regex(r"\{([xyz])\}")
_LEVEL_BEFORE = regex(r"level \{([xyz])\}")


def numbers_for(text: str, old: str, numbers: dict[str, int]) -> dict[str, int]:
    """Return the numbers of the old text for the variables of the new one: levels for levels, the others in order."""
    found: dict[str, int] = {}
    for is_level in (True, False):
        mine, its = (
            [name for name in dict.fromkeys(_VARIABLE.findall(words)) if (name in _levels(words)) is is_level]
            for words in (text, old)
        )
        found |= {name: numbers[other] for name, other in zip(mine, its, strict=False) if other in numbers}
    return found


def _levels(text: str) -> list[str]:
    return _LEVEL_BEFORE.findall(text)


def unit_of(text: str) -> float:
    """Return how much one of what a text counts is: dice of hitpoints, counters of 5 defense (guide of the 9th)."""
    if re.search(r"six-sided dice and in(?:crease|flict)|-dice-", text):
        return _MEAN_OF_DIE
    return 5.0 if re.search(r"defense counter|shield counter", text.lower()) else 1.0


# --- the search -----------------------------------------------------------------------------------------------------


def solutions(slots: Sequence[Slot], aim: Aim) -> Iterator[Solution]:
    """Yield numbers for the components, the nearest to the old card first: with all of them, then with fewer."""
    best = solve(slots, aim)
    kept, dropped = [*slots], 0
    improves = True
    while improves:
        improves = False
        for slot in [each for each in kept if each.role in (Role.COST, Role.CAVEAT)]:
            fewer = [each for each in kept if each is not slot]
            solution = solve(fewer, aim, dropped + 1)
            if solution.distance < best.distance:
                best, kept, dropped, improves = solution, fewer, dropped + 1, True
                break
    yield best
    # A text may have no room, or read as another one than was meant: then one with fewer abilities may do.
    abilities = sorted({slot.ability for slot in kept if slot.ability >= 0}, reverse=True)
    for gone in [*({each} for each in abilities), *({*abilities[:at]} for at in range(2, len(abilities)))]:
        fewer = [slot for slot in kept if slot.ability not in gone]
        if any(slot.ability >= 0 for slot in fewer):
            yield solve(fewer, aim, dropped)


def solve(slots: Sequence[Slot], aim: Aim, dropped: int = 0) -> Solution:
    """Return numbers for all slots, SP and HP: one is changed after the other as long as that is better.

    `dropped` costs were left out before, each of which is a distance, too.
    """
    unit = 1 if aim.is_spell or not aim.rules.hp_share else int(1 / aim.rules.hp_share) or 1
    stats = () if aim.is_spell else ((aim.sp, 1), (aim.hp, unit))
    wanted = [*(value for slot in slots for value in slot.wanted), *(value for value, _ in stats)]
    ranges = [each for slot in slots for each in slot.ranges]
    ranges += [(0, min(aim.largest, max(value * 3 // 2, value + 2 * step))) for value, step in stats]
    weights = [*(_weight(slot, firm) for slot in slots for firm in slot.firm), *(_FAR_STAT for _ in stats)]
    steps = [*(1 for slot in slots for _ in slot.names), *(step for _, step in stats)]
    zeros = [*(0 for slot in slots for _ in slot.names), *(step for _, step in stats)]
    now = [
        min(max(round(value / step) * step, low, step if value else 0), high)
        for value, step, (low, high) in zip(wanted, steps, ranges, strict=True)
    ]

    def distance(chosen: Sequence[int]) -> tuple[float, int]:
        got, waste = _level(slots, chosen, aim)
        far = sum(
            weight * abs(log2((number + zero) / (value + zero)))
            for weight, number, value, zero in zip(weights, chosen, wanted, zeros, strict=True)
        )
        away = _FAR_LEVEL * abs(log2((got + 1) / (aim.level + 1)))
        return far + away + _FOR_NOTHING * float(waste) + _WITHOUT_COST * dropped, got

    best, got = distance(now)
    for _ in range(_MOST_STEPS):
        tries = [
            [*now[:at], number, *now[at + 1 :]]
            for at, value in enumerate(wanted)
            for number in _nearby(round(value), steps[at], ranges[at])
        ]
        nearest = min(((*distance(each), each) for each in tries), default=(best, got, now))
        if nearest[0] >= best - 1e-9:
            break
        best, got, now = nearest
    sp, hp = (0, 0) if aim.is_spell else (now[-2], now[-1])
    left = iter(now)
    numbers = tuple(tuple(next(left) for _ in slot.names) for slot in slots)
    return Solution(tuple(slots), numbers, sp, hp, got, best)


def _weight(slot: Slot, firm: bool) -> float:
    """Return how much it matters that a number stays: most of targets, less of what is paid, least where none was."""
    if not firm:
        return _FAR_NEW
    return _FAR_NUMBER.get(slot.role, _FAR_PRICE)


def _nearby(value: int, step: int, allowed: tuple[int, int]) -> list[int]:
    """Return the numbers to try in place of another one, the nearest first."""
    value = round(value / step) * step
    near = {value + by * step for by in (-3, -2, -1, 0, 1, 2, 3)}
    near |= {ceil(value * by / step) * step for by in (Fraction(1, 3), Fraction(1, 2), Fraction(3, 2), 2, 3, 4)}
    near |= {allowed[0]} if allowed[0] else set()
    return sorted((each for each in near if allowed[0] <= each <= allowed[1]), key=lambda each: abs(each - value))


def _level(slots: Iterable[Slot], numbers: Sequence[int], aim: Aim) -> tuple[int, Fraction]:
    """Return the level of components with numbers, SP and HP last, and what of it is paid for nothing (guide, "Level")."""
    left = iter(numbers)
    values: dict[int, Fraction] = {}
    factor: dict[int, Fraction] = {}
    targets: dict[tuple[int, int], Fraction] = {}
    relief = Fraction(0)
    for slot in slots:
        given = {name: Fraction(next(left)) for name in slot.names}
        given[FACTOR] = factor.get(slot.ability, Fraction(1))
        given[TARGETS] = targets.get((slot.ability, slot.sub), Fraction(1))
        formula = slot.component.level
        worth = formula.value(given) if formula and formula.has_value(given) else Fraction(0)
        match slot.role:
            case Role.CAVEAT:
                relief += worth
            case Role.TARGET:
                targets[slot.ability, slot.sub] = worth
            case Role.EFFECT:
                values[slot.ability] = values.get(slot.ability, Fraction(0)) + worth
            case _:
                values[slot.ability] = values.get(slot.ability, Fraction(0)) - worth
                if slot.component.factor:
                    factor[slot.ability] = slot.component.factor.value(given)
    rules = aim.rules
    rounds = rules.rounding is Rounding.ABILITY
    least = rules.least_of_spell_ability if aim.is_spell else rules.least_of_minion_ability
    waste = sum((max(Fraction(0), least - value) for value in values.values()), Fraction(0))
    total = sum((max(Fraction(least), Fraction(ceil(v)) if rounds else v) for v in values.values()), Fraction(0))
    if aim.is_spell:
        return ceil(total), waste
    stats = next(left) + rules.hp_share * next(left) - relief
    waste += max(Fraction(0), -stats)
    stats = max(Fraction(0), Fraction(ceil(stats)) if rounds else stats)
    return max(rules.least_of_minion, ceil(total + stats)), waste
