"""The words of an ability from its components, as the guide of the edition says (Card Building Guide).

Up to the 10th Edition components are sentences that follow each other ("Constructing Abilities"). In the 11th a
condition ends with a colon, a cost and a target selection with a semicolon, an effect with a full stop ("Card Texts").
From the 12th on a cost ends with an arrow, the effects of a sub-ability are one sentence, and only the first word of a
sentence has a capital ("Activation Costs", "Effects").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from render.games.kotc.composing.plans import (
    THEN,
    AbilityPlan,
    Choice,
    SubAbilityPlan,
    TextPlan,
)
from render.games.kotc.editions.wording import Atom, Sort, TargetForm, atoms, singular
from render.games.kotc.model.ability import ARROW
from render.games.kotc.model.edition import Costs, Grammar, Role


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
