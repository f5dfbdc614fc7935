"""Cards found by trying everything, for tests of the search that does not."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import ceil

from msgspec.structs import replace

from render.games.kotc.composing import AbilityPlan, AbilityWriter, SubAbilityPlan, TextPlan, speaking_of_one
from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.languages.vocabulary import ComponentUse
from render.games.kotc.levels.levels import LevelCalculator
from render.games.kotc.model.edition import Component, Edition, Grammar, Role
from tests.support.level_cases import card


@dataclass(frozen=True)
class Tried:
    """A spell that was tried: what it is made of, its level, its Ultra Points, and its text when asked."""

    plan: AbilityPlan
    grammar: Grammar
    level: int
    ultra_points: int

    @cached_property
    def text(self) -> str:
        return AbilityWriter(self.grammar).ability(self.plan)


def spells_of_one_sentence(edition: Edition, most: int) -> list[Tried]:
    """Return every spell with at most one cost, at most one target selection and one effect, and numbers up to `most`.

    Levels come from the formulas alone.
    """
    least = edition.levels.least_of_spell_ability if edition.levels else 0
    sentences = list(_sentences(edition, most))
    costs: list[tuple[ComponentUse | None, Fraction]] = [(None, Fraction(0))]
    costs += [(each, _value(each)) for each in _choices(edition, Role.COST, most)]
    found = []
    for plan, worth in sentences:
        target = plan.target.component.ultra_points if plan.target else 0
        ultra_points = target + plan.effects[0].component.ultra_points
        for cost, relief in costs:
            ability = AbilityPlan(sub_abilities=(plan,), costs=(cost,) if cost else ())
            paid = cost.component.ultra_points if cost else 0
            found.append(Tried(ability, edition.grammar, max(least, ceil(worth - relief)), ultra_points + paid))
    return found


def _sentences(edition: Edition, most: int) -> Iterator[tuple[SubAbilityPlan, Fraction]]:
    targets = [(each, _value(each)) for each in _choices(edition, Role.TARGET, most)]
    for effect in _choices(edition, Role.EFFECT, most):
        if effect.component.level and "t" in effect.component.level.variables:
            for target, t in targets:
                plan = SubAbilityPlan((effect,), target)
                yield (
                    speaking_of_one(plan) if AbilityWriter(edition.grammar).grammar.one_target else plan,
                    _value(effect, t),
                )
        else:
            yield SubAbilityPlan((effect,)), _value(effect)


def _choices(edition: Edition, role: Role, most: int) -> list[ComponentUse]:
    found = [
        ComponentUse(component, tuple(zip(_variables(component), numbers, strict=True)))
        for component in edition.components
        if component.role is role
        for numbers in product(range(1, most + 1), repeat=len(_variables(component)))
    ]
    return [
        each
        for each in found
        if all(number <= dict(each.component.limits).get(name, most) for name, number in each.numbers)
    ]


def _variables(component: Component) -> list[str]:
    return sorted(set(re.findall(r"\{([xyz])\}", component.text)))


def _value(choice: ComponentUse, t: Fraction = Fraction(1)) -> Fraction:
    assert choice.component.level is not None
    return choice.component.level.value(
        {name: Fraction(number) for name, number in choice.numbers} | {"t": t, "a": Fraction(1)}
    )


# --- all spells of a small edition ----------------------------------------------------------------------------------


def small(edition: Edition, texts: Sequence[str], most: int) -> Edition:
    """Return an edition with only the components of these texts, whose numbers are at most `most`."""
    limits = (("x", most), ("y", most), ("z", most))
    kept = (replace(each, limits=limits) for each in edition.components if each.text in texts)
    return replace(edition, components=tuple(kept))


def texts_of_level(edition: Edition, level: int, most: int) -> set[str]:
    """Return the texts of all spells with that level, of two sub-abilities at most, without a wasted number.

    Each level is what the program works out for the text.
    """
    calculator = LevelCalculator(edition)
    of = {role: [each for each in edition.components if each.role is role] for role in Role}
    found = set()
    for condition in (None, *of[Role.CONDITION]):
        for count in range(len(of[Role.COST]) + 1):
            for costs in combinations(of[Role.COST], count):
                for target in (None, *of[Role.TARGET]):
                    for effects in _effect_sets(of[Role.EFFECT], has_target=target is not None):
                        outline = [each for each in (condition, *costs, target, *effects) if each]
                        found |= _at_level(outline, level, most, calculator)
    return found


def _effect_sets(effects: Sequence[Component], *, has_target: bool) -> Iterator[tuple[Component, ...]]:
    for count in range(1, 4):
        for chosen in combinations(effects, count):
            if any(_on_targets(each) for each in chosen) == has_target:
                yield chosen


def _on_targets(component: Component) -> bool:
    return component.level is not None and "t" in component.level.variables


def _at_level(outline: Sequence[Component], level: int, most: int, calculator: LevelCalculator) -> set[str]:
    places = [len(_variables(component)) for component in outline]
    worth = {}
    for flat in product(range(1, most + 1), repeat=sum(places)):
        text = _text(outline, flat, calculator.edition.number)
        derived = calculator.derive(card(text))
        assert derived is not None
        assert derived.is_sound, text
        worth[flat] = (text, derived.level, derived.abilities[0].value)
    return {
        text
        for flat, (text, found, value) in worth.items()
        if found == level and not any(worth[each][1] == level and worth[each][2] > value for each in _near(flat, worth))
    }


def _near(flat: tuple[int, ...], known: Mapping[tuple[int, ...], object]) -> list[tuple[int, ...]]:
    near = [(*flat[:at], flat[at] + step, *flat[at + 1 :]) for at in range(len(flat)) for step in (-1, 1)]
    return [each for each in near if each in known]


def _text(outline: Sequence[Component], flat: Sequence[int], number: int) -> str:
    left = iter(flat)
    choices = [ComponentUse(each, tuple((name, next(left)) for name in _variables(each))) for each in outline]
    of = {role: [each for each in choices if each.component.role is role] for role in Role}
    on = [each for each in of[Role.EFFECT] if _on_targets(each.component)]
    alone = [[each] for each in of[Role.EFFECT] if not _on_targets(each.component)]
    sentences = [*([on] if on else []), *alone]
    while len(sentences) > 2:
        last = sentences.pop()
        sentences[-1] = sentences[-1] + last
    target = next(iter(of[Role.TARGET]), None)
    plans = [SubAbilityPlan(tuple(each), target if at == 0 else None) for at, each in enumerate(sentences)]
    ability = AbilityPlan(
        sub_abilities=tuple(map(speaking_of_one, plans)),
        condition=next(iter(of[Role.CONDITION]), None),
        costs=tuple(of[Role.COST]),
    )
    return AbilityWriter(usual_grammar(number)).text(TextPlan((ability,)))
