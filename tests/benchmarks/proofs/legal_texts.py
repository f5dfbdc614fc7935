"""Legal ability texts of an edition, by chance: any components, any numbers, every way to join them."""

from __future__ import annotations

import re
from random import Random

from render.games.kotc.composing import AbilityPlan, AbilityWriter, SubAbilityPlan, TextPlan
from render.games.kotc.editions.wording import TargetForm, has_targets, variables
from render.games.kotc.languages.vocabulary import ComponentUse
from render.games.kotc.model.edition import Component, Edition, Role

NAMES = ("THOR'S HAMMER", "GREED", "A: B", "ÉTÉ", "3 WISHES")


class LegalTexts:
    """Makes texts of an edition; those of one seed are always the same."""

    def __init__(self, edition: Edition, seed: int) -> None:
        self._random = Random(seed)
        self._writer = AbilityWriter(edition.grammar)
        self._of_role = {role: [each for each in edition.components if each.role is role] for role in Role}

    def text(self, *, is_spell: bool) -> str:
        """Return the text of a spell, or of a minion with one to three abilities."""
        count = 1 if is_spell else self._random.randint(1, 3)
        text = self._writer.text(TextPlan(tuple(self._ability(is_spell=is_spell) for _ in range(count))))
        # "up to" may stand before 1 in an effect, or not.
        return re.sub(r"(remove|the target|it) up to (?=1 )", self._maybe, text)

    def _maybe(self, found: re.Match[str]) -> str:
        return self._random.choice((found[0], f"{found[1]} "))

    def _ability(self, *, is_spell: bool) -> AbilityPlan:
        pick = self._random
        condition = self._choice(Role.CONDITION) if pick.random() < 0.5 else None
        return AbilityPlan(
            name="" if is_spell else pick.choice(NAMES),
            condition=condition,
            costs=tuple(self._choice(Role.COST) for _ in range(pick.choice((0, 0, 1, 2, 3, 4)))),
            sub_abilities=tuple(self._sub_ability() for _ in range(pick.randint(1, 3))),
            tutorial=pick.choice(("", "", "Roll 2 dice; take one.")),
        )

    def _sub_ability(self) -> SubAbilityPlan:
        pick = self._random
        target = self._choice(Role.TARGET) if pick.random() < 0.7 else None
        known = [each for each in self._of_role[Role.EFFECT] if target or not has_targets(each)]
        effects = tuple(self._chosen(pick.choice(known)) for _ in range(pick.randint(1, 4)))
        return SubAbilityPlan(effects, target, tuple(pick.choice(("then", "also")) for _ in effects[1:]))

    def _choice(self, role: Role) -> ComponentUse:
        return self._chosen(self._random.choice(self._of_role[role]))

    def _chosen(self, component: Component) -> ComponentUse:
        names = sorted(variables(component.text))
        numbers = tuple((name, self._random.choice((1, 1, 2, 3, 12))) for name in names)
        form = self._random.choice(list(TargetForm)) if has_targets(component) else TargetForm.MANY
        return ComponentUse(component, numbers, form)
