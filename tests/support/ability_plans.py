"""Random abilities of an edition, as plans."""

import random
import re
from itertools import pairwise

from render.games.kotc.composing import ALSO, THEN, AbilityPlan, SubAbilityPlan, speaking_of_one
from render.games.kotc.languages.vocabulary import ComponentUse
from render.games.kotc.model.edition import Component, Edition, Role

_NUMBERS = (1, 1, 2, 3, 12)


def random_ability(edition: Edition, chance: random.Random, *, name: str = "") -> AbilityPlan:
    """Return an ability with legal components of the edition, in its grammar."""
    condition = _one(edition, Role.CONDITION, chance) if chance.random() < 0.4 else None
    most_costs, most_sentences = (4, 2) if edition.grammar.has_sub_abilities else (1, 1)
    costs = tuple(_one(edition, Role.COST, chance) for _ in range(chance.randint(0, most_costs)))
    sentences = tuple(_sentence(edition, chance) for _ in range(chance.randint(1, most_sentences)))
    return AbilityPlan(sub_abilities=sentences, condition=condition, costs=costs, name=name)


def _sentence(edition: Edition, chance: random.Random) -> SubAbilityPlan:
    effects = tuple(_one(edition, Role.EFFECT, chance) for _ in range(chance.randint(1, 3)))
    needed = any(each.component.counts_targets for each in effects)
    target = _one(edition, Role.TARGET, chance) if needed else None
    joints = tuple(chance.choice((THEN, ALSO)) for _ in pairwise(effects))
    return speaking_of_one(SubAbilityPlan(effects, target, joints))


def _one(edition: Edition, role: Role, chance: random.Random) -> ComponentUse:
    component = chance.choice([each for each in edition.components if each.role is role])
    limits = dict(component.limits)
    return ComponentUse(component, tuple((name, _number(name, limits, chance)) for name in _variables(component)))


def _variables(component: Component) -> list[str]:
    return sorted(set(re.findall(r"\{([xyz])\}", component.text)))


def _number(name: str, limits: dict[str, int], chance: random.Random) -> int:
    return min(chance.choice(_NUMBERS), limits.get(name, 99))
