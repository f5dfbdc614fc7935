"""What an ability text is made of, without its words: components with numbers, in their order.

A plan is the same in every language. `writing` turns it into the words of an edition, `planning` finds it in a card.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from render.games.kotc.editions.wording import Sort, TargetForm, atoms
from render.games.kotc.model.edition import Component

THEN, ALSO = "then", "also"


@dataclass(frozen=True, slots=True)
class Choice:
    """A component with a number for each of its variables, sorted by name; `form` matters to effects on targets."""

    component: Component
    numbers: tuple[tuple[str, int], ...] = ()
    form: TargetForm = TargetForm.MANY


@dataclass(frozen=True, slots=True)
class SubAbilityPlan:
    """A target selection, if any, and its effects. `joints` are the words between effects: "then" unless given."""

    effects: tuple[Choice, ...]
    target: Choice | None = None
    joints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AbilityPlan:
    """An ability. Its `name` stands in capitals before a colon, its `tutorial` text behind it in parentheses.

    Up to the 11th Edition it has at most one cost and one sub-ability, as its guides say.
    """

    sub_abilities: tuple[SubAbilityPlan, ...]
    condition: Choice | None = None
    costs: tuple[Choice, ...] = ()
    name: str = ""
    tutorial: str = ""


@dataclass(frozen=True, slots=True)
class TextPlan:
    """The abilities of a card, and the caveat of a creature."""

    abilities: tuple[AbilityPlan, ...]
    caveat: Choice | None = None

    def choices(self) -> Iterator[Choice]:
        """Yield all components in the order of the text."""
        yield from (self.caveat,) if self.caveat else ()
        for ability in self.abilities:
            yield from (ability.condition,) if ability.condition else ()
            yield from ability.costs
            for each in ability.sub_abilities:
                yield from (each.target,) if each.target else ()
                yield from each.effects


def has_targets(component: Component) -> bool:
    """Return whether the words of an effect speak of targets."""
    return any(atom.sort is Sort.TARGETS for atom in atoms(component.text))


def targets_one(target: Choice | None) -> bool:
    """Return whether a target selection can never select more than one card (guide, "Target Selections")."""
    if target is None:
        return False
    pieces = atoms(target.component.text)
    most = next((atom.variable for atom in pieces if atom.sort is Sort.UP_TO), "")
    if most:
        return dict(target.numbers)[most] == 1
    return not any(atom.text == "all" for atom in pieces)


def speaking_of_one(plan: SubAbilityPlan) -> SubAbilityPlan:
    """Return the sub-ability with "it" or "the target" in its effects if it has one target.

    Guide, "Effects": they "can be replaced with 'it' if the meaning of the effect is not made ambiguous". It could be
    where an earlier effect of the sentence names one thing more, as a card that is drawn or a counter.
    """
    if not targets_one(plan.target):
        return replace(plan, effects=tuple(replace(each, form=TargetForm.MANY) for each in plan.effects))
    form, effects = TargetForm.IT, []
    for each in plan.effects:
        effects.append(replace(each, form=form if has_targets(each.component) else TargetForm.MANY))
        if _names_one_thing(each):
            form = TargetForm.ONE
    return replace(plan, effects=tuple(effects))


def _names_one_thing(effect: Choice) -> bool:
    numbers = dict(effect.numbers)
    return any(atom.sort is Sort.COUNTED and numbers[atom.variable] == 1 for atom in atoms(effect.component.text))
