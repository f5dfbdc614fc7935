"""A component as it is written on a card: in the shortest ability that has it."""

from __future__ import annotations

import re

from render.games.kotc.composing.plans import (
    AbilityPlan,
    Choice,
    SubAbilityPlan,
    TextPlan,
    has_targets,
    speaking_of_one,
)
from render.games.kotc.composing.writing import AbilityWriter
from render.games.kotc.levels.stretches import TARGETS
from render.games.kotc.model.edition import Component, Edition, Role

_VARIABLE = re.compile(r"\{([xyz])\}")
_EXAMPLE_NUMBER = 2  # shows the plural; the others are 1
_ON_FIELD = ("on-field", "in-play", "in play")  # in the words of all editions


class Examples:
    """Writes examples of the components of an edition."""

    def __init__(self, edition: Edition) -> None:
        self._writer = AbilityWriter(edition.grammar)
        effects = [each for each in edition.components if each.role is Role.EFFECT]
        targets = [each for each in edition.components if each.role is Role.TARGET]
        # What goes with the others: an effect for conditions and costs, one on targets for target selections.
        self._alone = next((each for each in effects if not _needs_targets(each) and "draw" in each.text.lower()), None)
        self._alone = self._alone or next((each for each in effects if not _needs_targets(each)), None)
        on_targets = [each for each in effects if _needs_targets(each)]
        self._on_targets = next((each for each in on_targets if "destroy" in each.text.lower()), None)
        self._on_targets = self._on_targets or next(iter(on_targets), None)
        self._target = next((each for each in targets if any(words in each.text for words in _ON_FIELD)), None)
        self._target = self._target or next(iter(targets), None)

    def text(self, component: Component) -> str:
        """Return an ability text with the component; "" if the edition lacks what it needs beside it."""
        chosen = _chosen(component, _EXAMPLE_NUMBER)
        match component.role:
            case Role.CAVEAT:
                return self._writer.text(TextPlan((), chosen))
            case Role.CONDITION:
                return self._ability(self._with_alone(condition=chosen))
            case Role.COST:
                return self._ability(self._with_alone(cost=chosen))
            case Role.TARGET:
                return self._ability(self._sentence(self._on_targets, chosen))
            case Role.EFFECT if _needs_targets(component):
                target = _chosen(self._target, 1) if self._target else None
                return self._ability(self._sentence(component, target, _EXAMPLE_NUMBER) if target else None)
            case Role.EFFECT:
                return self._ability(AbilityPlan(sub_abilities=(SubAbilityPlan((chosen,)),)))

    def _ability(self, plan: AbilityPlan | None) -> str:
        return self._writer.ability(plan) if plan else ""

    def _with_alone(self, condition: Choice | None = None, cost: Choice | None = None) -> AbilityPlan | None:
        if self._alone is None:
            return None
        sentence = SubAbilityPlan((_chosen(self._alone, 1),))
        return AbilityPlan(sub_abilities=(sentence,), condition=condition, costs=(cost,) if cost else ())

    def _sentence(self, effect: Component | None, target: Choice, number: int = 1) -> AbilityPlan | None:
        if effect is None:
            return None
        plan = SubAbilityPlan((_chosen(effect, number),), target)
        return AbilityPlan(sub_abilities=(speaking_of_one(plan) if self._writer.speaks_of_one else plan,))


def _chosen(component: Component, number: int) -> Choice:
    """Return a component with a number for `x` that its limit allows, and 1 for the other variables."""
    most = dict(component.limits)
    numbers = dict.fromkeys(sorted(set(_VARIABLE.findall(component.text))), 1)
    if "x" in numbers:
        numbers["x"] = min(number, most.get("x", number))
    return Choice(component, tuple(numbers.items()))


def _needs_targets(component: Component) -> bool:
    return has_targets(component) or (component.level is not None and TARGETS in component.level.variables)
