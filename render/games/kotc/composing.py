"""An ability text as a plan, components with numbers in their order, and a plan in the words of an edition.

A plan is the same in every language, and is found in a card's text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from render.games.kotc.editions.wording import Atom, Sort, TargetForm, atoms, singular
from render.games.kotc.levels.levels import AbilityLevel, LevelDerivation, SubAbility
from render.games.kotc.levels.stretches import ComponentText
from render.games.kotc.model.ability import ARROW
from render.games.kotc.model.edition import Component, Costs, Grammar, Role

# --- plans -----------------------------------------------------------------------------------------------------------

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


# --- the plan of a card's text ---------------------------------------------------------------------------------------

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


# --- the words of a plan, as the guide of the edition says (Card Building Guide) -------------------------------------

# Up to the 10th Edition components are sentences that follow each other ("Constructing Abilities"). In the 11th a
# condition ends with a colon, a cost and a target selection with a semicolon, an effect with a full stop ("Card Texts").
# From the 12th on a cost ends with an arrow, the effects of a sub-ability are one sentence, and only the first word of a
# sentence has a capital ("Activation Costs", "Effects").


@dataclass(frozen=True, slots=True)
class AbilityWriter:
    """Writes abilities in the words and by the grammar of an edition."""

    grammar: Grammar

    @property
    def speaks_of_one(self) -> bool:
        """Whether effects on one target say "it" or "the target", which guides allow from the 11th Edition on."""
        return self.grammar.one_target

    @property
    def is_of_sentences(self) -> bool:
        """Whether every component is a sentence or ends with a mark of its own, as up to the 11th Edition."""
        return not self.grammar.has_sub_abilities

    def text(self, plan: TextPlan) -> str:
        """Return the ability text of a card, one line for its caveat and for each ability."""
        caveat = [self.words(plan.caveat)] if plan.caveat else []
        return "\n".join([*caveat, *map(self.ability, plan.abilities)])

    def ability(self, plan: AbilityPlan) -> str:
        """Return an ability in one line."""
        name = f"{plan.name}: " if plan.name else ""
        tutorial = f" ({plan.tutorial})" if plan.tutorial else ""
        return f"{name}{self._parts(plan)}{tutorial}"

    def words(self, choice: Choice) -> str:
        """Return the words of a component with its numbers, as they stand within a sentence.

        Words that depend on a number are singular for 1, and "up to" is left out before 1 where the guide says so.
        """
        numbers = dict(choice.numbers)
        pieces = atoms(choice.component.text)
        # Only a target selection loses it ("Target Selections"): "remove up to 1 counter" also means none.
        drops = choice.component.role is Role.TARGET and self.grammar.one_target
        return "".join(_words(atom, numbers, choice.form, drops=drops) for atom in pieces)

    # --- the grammars -----

    def _parts(self, plan: AbilityPlan) -> str:
        if self.grammar.has_sub_abilities:
            return self._new(plan)
        chosen = ((each, _capital(self.words(each))) for each in _in_order(plan))
        return " ".join(_ended(words, self.grammar.ending(each.component.role) or ".") for each, words in chosen)

    def _new(self, plan: AbilityPlan) -> str:
        condition = f"{_capital(self.words(plan.condition))}: " if plan.condition else ""
        costs = self._costs([self.words(cost) for cost in plan.costs])
        if not plan.condition:
            costs = _capital(costs)
        return f"{condition}{costs}{' '.join(map(self._sentence, plan.sub_abilities))}"

    def _costs(self, costs: Sequence[str]) -> str:
        if not costs:
            return ""
        if self.grammar.costs is Costs.ALSO:
            return f"{', also '.join(costs)}{ARROW} "
        if len(costs) > 2:
            return f"{', '.join(costs[:-1])}, and {costs[-1]}{ARROW} "
        return f"{' and '.join(costs)}{ARROW} "

    def _sentence(self, plan: SubAbilityPlan) -> str:
        target = f"{self.words(plan.target)}; " if plan.target else ""
        joints = plan.joints or (THEN,) * (len(plan.effects) - 1)
        first, *others = map(self.words, plan.effects)
        rest = "".join(f", {joint} {words}" for joint, words in zip(joints, others, strict=True))
        return f"{_capital(f'{target}{first}')}{rest}."


def _in_order(plan: AbilityPlan) -> list[Choice]:
    """Return the components of an ability without sub-abilities."""
    chosen = [plan.condition] if plan.condition else []
    chosen += plan.costs
    for each in plan.sub_abilities:
        chosen += [each.target] if each.target else []
        chosen += each.effects
    return chosen


def _words(atom: Atom, numbers: Mapping[str, int], form: TargetForm, *, drops: bool) -> str:
    match atom.sort:
        case Sort.VARIABLE:
            return str(numbers[atom.variable])
        case Sort.UP_TO if drops and numbers[atom.variable] == 1:
            return ""
        case Sort.COUNTED if numbers[atom.variable] == 1:
            return singular(atom.text)
        case Sort.TARGETS if form is not TargetForm.MANY:
            return _OF_ONE[form, atom.text.endswith("'") or atom.text.endswith("'s")]
        case Sort.BATCH if form is not TargetForm.MANY:
            return atom.text.split()[1].capitalize()
        case _:
            return atom.text


_OF_ONE = {
    (TargetForm.ONE, False): "the target",
    (TargetForm.ONE, True): "the target's",
    (TargetForm.IT, False): "it",
    (TargetForm.IT, True): "its",
}


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _ended(words: str, stop: str) -> str:
    return words if words.endswith(stop) else f"{words}{stop}"
