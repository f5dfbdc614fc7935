"""The plan of a card's text: which components it has, with which numbers, in which forms."""

from __future__ import annotations

import re

from render.games.kotc.composing.plans import (
    ALSO,
    THEN,
    AbilityPlan,
    Choice,
    SubAbilityPlan,
    TextPlan,
    has_targets,
)
from render.games.kotc.editions.wording import TargetForm
from render.games.kotc.levels.levels import AbilityLevel, LevelDerivation, SubAbility
from render.games.kotc.levels.stretches import ComponentText

_ONE_TARGET = re.compile(r"\bthe\s+target\b(?!s)", re.IGNORECASE)
_SEVERAL = re.compile(r"\b(?:the\s+targets|each\s+target)\b", re.IGNORECASE)


def plan_of(text: str, derivation: LevelDerivation) -> TextPlan | None:
    """Return what an ability text is made of, by the derivation of its level; None if that has flaws."""
    if not derivation.is_sound:
        return None
    caveat = derivation.stats.caveat if derivation.stats else None
    return TextPlan(tuple(_ability(text, each) for each in derivation.abilities), _choice(caveat) if caveat else None)


def _ability(text: str, each: AbilityLevel) -> AbilityPlan:
    parts = each.parts
    return AbilityPlan(
        sub_abilities=tuple(_sub_ability(text, part) for part in each.sub_abilities),
        condition=_choice(each.condition) if each.condition else None,
        costs=tuple(map(_choice, each.costs)),
        name=parts.name.text if parts.name else "",
        tutorial=parts.tutorial.text[1:-1] if parts.tutorial else "",
    )


def _sub_ability(text: str, part: SubAbility) -> SubAbilityPlan:
    joints = tuple(
        ALSO if ALSO in text[before.words.end : after.words.start].split() else THEN
        for before, after in zip(part.effects, part.effects[1:], strict=False)
    )
    return SubAbilityPlan(tuple(map(_choice, part.effects)), _choice(part.target) if part.target else None, joints)


def _choice(piece: ComponentText) -> Choice:
    assert piece.found is not None, piece  # the derivation is sound
    numbers = tuple((name, int(number)) for name, number in piece.found.numbers)
    return Choice(piece.found.component, numbers, _form(piece))


def _form(piece: ComponentText) -> TargetForm:
    if piece.found is None or not has_targets(piece.found.component) or _SEVERAL.search(piece.words.text):
        return TargetForm.MANY
    return TargetForm.ONE if _ONE_TARGET.search(piece.words.text) else TargetForm.IT
