"""Laws of levels in every edition: a card built of components is worth what their formulas give together."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.games.kotc.editions.finding import find
from render.games.kotc.legality.rewording import render_words
from render.games.kotc.levels.levels import LevelCalculator
from render.games.kotc.model.edition import Component, Role
from tests.support.laws import costly
from tests.support.level_cases import card

EDITIONS = {number: find(number) for number in range(9, 18)}
CALCULATORS = {number: LevelCalculator(edition) for number, edition in EDITIONS.items()}
# Up to 9: beyond, the 11th Edition's `x/(10 - y)` has no value.
NUMBERS = st.fixed_dictionaries({name: st.integers(1, 9) for name in "xyz"})
Numbers = dict[str, int]


@dataclass(frozen=True)
class Used:
    """A component with the numbers of a card."""

    component: Component
    numbers: Numbers

    def words(self, *, capital: bool = False) -> str:
        words = render_words(self.component.text, self.numbers)
        return words[:1].upper() + words[1:] if capital else words

    def value(self, **more: Fraction) -> Fraction:
        formula = self.component.level
        numbers = {name: Fraction(number) for name, number in self.numbers.items()} | more
        return formula.value(numbers) if formula else Fraction(0)

    def factor(self) -> Fraction:
        formula = self.component.factor
        return formula.value({name: Fraction(n) for name, n in self.numbers.items()}) if formula else Fraction(1)


@dataclass(frozen=True)
class Built:
    """An ability of an edition, of a legal choice of components."""

    edition: int
    condition: Used | None
    costs: tuple[Used, ...]
    target: Used | None
    effects: tuple[Used, ...]

    def words(self) -> str:
        return _sentences(self) if self.edition <= 10 else _semicolons(self) if self.edition == 11 else _arrows(self)

    def value(self) -> Fraction:
        """Return what the guide sums up, before it is rounded and held to a least level."""
        targets = self.target.value() if self.target else Fraction(0)
        factor = self.condition.factor() if self.condition else Fraction(1)
        added = sum((effect.value(t=targets, a=factor) for effect in self.effects), Fraction(0))
        relief = self.condition.value() if self.condition else Fraction(0)
        return added - relief - sum((cost.value() for cost in self.costs), Fraction(0))


def _sentences(built: Built) -> str:
    parts = [built.condition, *built.costs, built.target, *built.effects]
    return " ".join(part.words() for part in parts if part)


def _semicolons(built: Built) -> str:
    words = f"{built.condition.words()}: " if built.condition else ""
    words += "".join(f"{cost.words()}; " for cost in built.costs)
    words += f"{built.target.words()}; " if built.target else ""
    return words + " ".join(f"{effect.words()}." for effect in built.effects)


def _arrows(built: Built) -> str:
    words = f"{built.condition.words(capital=True)}: " if built.condition else ""
    costs = [cost.words(capital=not words and not index) for index, cost in enumerate(built.costs)]
    joint = ", also " if built.edition <= 13 else " and "
    listed = joint.join(costs) if len(costs) < 3 or built.edition <= 13 else f"{', '.join(costs[:-1])}, and {costs[-1]}"
    words += f"{listed}→ " if costs else ""
    words += f"{built.target.words()}; " if built.target else ""
    first = built.effects[0].words(capital=built.target is None)
    return words + ", then ".join((first, *(effect.words() for effect in built.effects[1:]))) + "."


def of_role(number: int, role: Role) -> list[Component]:
    return [each for each in EDITIONS[number].components if each.role is role]


def used(components: list[Component]) -> st.SearchStrategy[Used]:
    return st.builds(Used, st.sampled_from(components), NUMBERS)


def needs_targets(component: Component) -> bool:
    return component.level is not None and "t" in component.level.variables


@st.composite
def abilities(draw: st.DrawFn, number: int) -> Built:
    target = draw(st.none() | used(of_role(number, Role.TARGET)))
    known = [each for each in of_role(number, Role.EFFECT) if target or not needs_targets(each)]
    costs = draw(st.lists(used(of_role(number, Role.COST)), max_size=1 if number <= 11 else 3))
    return Built(
        edition=number,
        condition=draw(st.none() | used(of_role(number, Role.CONDITION))),
        costs=tuple(costs),
        target=target,
        effects=tuple(draw(st.lists(used(known), min_size=1, max_size=3))),
    )


NUMBER = st.sampled_from(list(EDITIONS))


def level(number: int, text: str, sp: int | None = None, hp: int | None = None) -> int:
    derivation = CALCULATORS[number].derive(card(text, sp, hp, edition=number))
    assert derivation is not None
    assert derivation.flaws == (), text
    return derivation.level


@costly
@given(NUMBER.flatmap(abilities))
def test_a_spell_is_worth_the_sum_of_its_components_in_every_edition(built: Built) -> None:
    least = 0 if built.edition >= 14 else 1
    assert level(built.edition, built.words()) == max(least, ceil(built.value()))


@costly
@given(
    NUMBER.flatmap(lambda number: st.lists(abilities(number), max_size=3).map(lambda built: (number, built))), st.data()
)
def test_a_creature_or_minion_is_worth_its_numbers_and_its_abilities(
    case: tuple[int, list[Built]], data: st.DataObject
) -> None:
    number, built = case
    sp, hp = data.draw(st.integers(0, 30)), data.draw(st.integers(0, 30))
    caveats = of_role(number, Role.CAVEAT)
    caveat = data.draw(st.none() | used(caveats)) if caveats else None
    lines = [caveat.words()] if caveat else []
    lines += [f"NAME {index}: {ability.words()}" for index, ability in enumerate(built)]
    stats = sp + Fraction(hp, 5 if number <= 12 else 2) - (caveat.value() if caveat else 0)
    worth = [max(Fraction(1), ability.value()) for ability in built]
    if number <= 11:
        expected = max(1, ceil(max(Fraction(0), stats) + sum(worth)))
    else:
        expected = max(0, ceil(stats)) + sum(map(ceil, worth))
    assert level(number, "\n".join(lines), sp, hp) == expected


@pytest.mark.parametrize("number", EDITIONS)
def test_every_component_of_an_edition_stands_on_a_card(number: int) -> None:
    simple = next(each for each in of_role(number, Role.EFFECT) if not needs_targets(each))
    for numbers in ({"x": 1, "y": 1, "z": 1}, {"x": 4, "y": 3, "z": 2}):
        effect = Used(simple, numbers)
        for component in EDITIONS[number].components:
            each = Used(component, numbers)
            if component.role is Role.CAVEAT:
                assert level(number, each.words(), 30, 0) == ceil(max(Fraction(1), 30 - each.value()))
                continue
            roles = {component.role: each}
            target = roles.get(Role.TARGET) or (
                Used(of_role(number, Role.TARGET)[0], numbers) if needs_targets(component) else None
            )
            cost = roles.get(Role.COST)
            built = Built(
                number, roles.get(Role.CONDITION), (cost,) if cost else (), target, (roles.get(Role.EFFECT, effect),)
            )
            assert level(number, built.words()) == max(0 if number >= 14 else 1, ceil(built.value())), built.words()
