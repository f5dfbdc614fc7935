"""An ability text as a tree, components with numbers in their order; and a tree in the words of a language.

A tree is the same in every language. It is found in a text (`plan_of`, `read_abilities`), made by a search or a draft,
and written by the grammar of an edition (`AbilityWriter`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from render.games.kotc.editions.wording import Sort, TargetForm, atoms, has_targets
from render.games.kotc.languages.english import english
from render.games.kotc.languages.notation import ANY
from render.games.kotc.languages.vocabulary import ComponentUse, Joints, LanguageWords
from render.games.kotc.levels.levels import LevelDerivation
from render.games.kotc.levels.stretches import AbilityReading, ComponentText, Reader, SubAbility
from render.games.kotc.model.ability import ARROW, Ability
from render.games.kotc.model.edition import Component, Costs, Grammar, Role

# --- trees -----------------------------------------------------------------------------------------------------------

THEN, ALSO = "then", "also"


class SubAbilityPlan(Struct, frozen=True):
    """A target selection, if any, and its effects. `joints` are the words between effects: "then" unless given.

    `end` stands behind it: a full stop and a space, unless a text that was read has something else.
    """

    effects: tuple[ComponentUse, ...]
    target: ComponentUse | None = None
    joints: tuple[str, ...] = ()
    end: str = ". "


class AbilityPlan(Struct, frozen=True, kw_only=True):
    """An ability. Its `name` stands in capitals before a colon, its `tutorial` text behind it in parentheses.

    Up to the 11th Edition it has at most one cost and one sub-ability, as its guides say. `arrow` stands behind costs.
    """

    sub_abilities: tuple[SubAbilityPlan, ...]
    condition: ComponentUse | None = None
    costs: tuple[ComponentUse, ...] = ()
    name: str = ""
    tutorial: str = ""
    arrow: str = f"{ARROW} "

    def uses(self) -> Iterator[ComponentUse]:
        """Yield all components in the order of the text."""
        yield from (self.condition,) if self.condition else ()
        yield from self.costs
        for each in self.sub_abilities:
            yield from (each.target,) if each.target else ()
            yield from each.effects


class TextPlan(Struct, frozen=True):
    """The abilities of a card, and the caveat of a creature."""

    abilities: tuple[AbilityPlan, ...]
    caveat: ComponentUse | None = None

    def choices(self) -> Iterator[ComponentUse]:
        """Yield all components in the order of the text."""
        yield from (self.caveat,) if self.caveat else ()
        for ability in self.abilities:
            yield from ability.uses()


def targets_one(target: ComponentUse | None) -> bool:
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


def _names_one_thing(effect: ComponentUse) -> bool:
    numbers = dict(effect.numbers)
    return any(atom.sort is Sort.COUNTED and numbers[atom.variable] == 1 for atom in atoms(effect.component.text))


# --- a text read as a tree -------------------------------------------------------------------------------------------


def plan_of(text: str, derivation: LevelDerivation) -> TextPlan | None:
    """Return what an English ability text is made of, to be written as the guide does; None if its level has flaws."""
    if not derivation.is_sound:
        return None
    caveat = derivation.stats.caveat if derivation.stats else None
    abilities = tuple(_ability(text, each, english().joints, as_written=False) for each in derivation.abilities)
    return TextPlan(abilities, _use(caveat, as_written=False) if caveat else None)


def read_ability(text: str, parts: Ability, reader: Reader) -> AbilityPlan:
    """Return what an ability with sub-abilities is made of, with capitals, arrow and ends as they stand there."""
    plan = _ability(text, reader.read(text, parts), reader.vocabulary.words.joints, as_written=True)
    starts = [each.start for each in (*parts.sub_abilities, parts.tutorial) if each] + [parts.end]
    if parts.costs:
        plan = replace(plan, arrow=text[parts.costs[-1].end : starts[0]])
    last = (next(use.words.end for use in reversed(each.effects) if use.words) for each in plan.sub_abilities)
    ended = [replace(each, end=text[at:to]) for each, at, to in zip(plan.sub_abilities, last, starts[1:], strict=False)]
    return replace(plan, sub_abilities=tuple(ended))


def _ability(text: str, each: AbilityReading, joints: Joints, *, as_written: bool) -> AbilityPlan:
    parts, condition = each.parts, each.condition
    return AbilityPlan(
        sub_abilities=tuple(_sub_ability(text, part, joints, as_written=as_written) for part in each.sub_abilities),
        condition=_use(condition, as_written=as_written) if condition else None,
        costs=tuple(_use(cost, as_written=as_written) for cost in each.costs),
        name=parts.name.text if parts.name else "",
        tutorial=parts.tutorial.text[1:-1] if parts.tutorial else "",
    )


def _sub_ability(text: str, part: SubAbility, joints: Joints, *, as_written: bool) -> SubAbilityPlan:
    gaps = (text[one.words.end : other.words.start].split() for one, other in pairwise(part.effects))
    return SubAbilityPlan(
        effects=tuple(_use(each, as_written=as_written) for each in part.effects),
        target=_use(part.target, as_written=as_written) if part.target else None,
        joints=tuple(ALSO if gap == joints.also.split() else THEN for gap in gaps),
    )


def _use(piece: ComponentText, *, as_written: bool) -> ComponentUse:
    if piece.found is None:
        return ComponentUse(Component(role=piece.role, text=piece.words.text), words=piece.words, is_known=False)
    if as_written:
        return replace(piece.found, words=piece.words)
    return ComponentUse(piece.found.component, piece.found.numbers, piece.found.form)


# --- the words of a plan, as the guide of the edition says (Card Building Guide) -------------------------------------

# Up to the 10th Edition components are sentences that follow each other ("Constructing Abilities"). In the 11th a
# condition ends with a colon, a cost and a target selection with a semicolon, an effect with a full stop ("Card Texts").
# From the 12th on a cost ends with an arrow, the effects of a sub-ability are one sentence, and only the first word of a
# sentence has a capital ("Activation Costs", "Effects").


class AbilityWriter:
    """Writes abilities by the grammar of an edition in the words of a language: in English, or another."""

    def __init__(self, grammar: Grammar, language: LanguageWords | None = None) -> None:
        self.grammar = grammar
        self._language = language or english()

    def text(self, plan: TextPlan) -> str:
        """Return the ability text of a card, one line for its caveat and for each ability."""
        caveat = [self.words(plan.caveat)] if plan.caveat else []
        return "\n".join([*caveat, *map(self.ability, plan.abilities)])

    def ability(self, plan: AbilityPlan) -> str:
        """Return an ability in one line."""
        name = f"{plan.name}{self._language.joints.colon}" if plan.name else ""
        parts = self._new(plan) if self.grammar.has_sub_abilities else self._old(plan)
        return f"{name}{parts}({plan.tutorial})" if plan.tutorial else f"{name}{parts}".rstrip()

    def words(self, use: ComponentUse, gender: str = ANY, *, starts: bool = False) -> str:
        """Return the words of a component with its numbers, with a capital if it `starts` a sentence.

        Words that depend on a number are singular for 1, and "up to" is left out before 1 where the guide says so. A
        component that was read has "up to" and its capital as there, and one without words its words.
        """
        if use.bare is None:
            # Only a target selection loses it ("Target Selections"): "remove up to 1 counter" also means none.
            use = replace(use, bare=use.component.role is Role.TARGET and self.grammar.one_target)
        words = self._language.say(use, gender)
        if words is None:
            return use.words.text if use.words else ""
        return _capital(words) if (starts if use.capital is None else use.capital) else words

    # --- the grammars -----

    def _old(self, plan: AbilityPlan) -> str:
        """Return the components of an ability without sub-abilities."""
        said = (
            (self.grammar.ending(each.component.role) or ".", self.words(each, starts=True)) for each in plan.uses()
        )
        return "".join(f"{words} " if words.endswith(end) else f"{words}{end} " for end, words in said)

    def _new(self, plan: AbilityPlan) -> str:
        condition = f"{self.words(plan.condition, starts=True)}{self._language.joints.colon}" if plan.condition else ""
        costs = [self.words(each, starts=not (plan.condition or at)) for at, each in enumerate(plan.costs)]
        sentences = "".join(map(self._sentence, plan.sub_abilities))
        return f"{condition}{self._joined(costs)}{plan.arrow if costs else ''}{sentences}"

    def _joined(self, costs: Sequence[str]) -> str:
        joints = self._language.joints
        if self.grammar.costs is Costs.ALSO:
            return joints.also.join(costs)
        if len(costs) > 2:
            return f"{', '.join(costs[:-1])}{joints.last_and}{costs[-1]}"
        return joints.and_.join(costs)

    def _sentence(self, plan: SubAbilityPlan) -> str:
        gender = self._language.gender(plan.target.component) if plan.target else ANY
        target = f"{self.words(plan.target, starts=True)}{self._language.joints.semicolon}" if plan.target else ""
        joints = plan.joints or (THEN,) * (len(plan.effects) - 1)
        first, *others = plan.effects
        said = [self.words(first, gender, starts=not target)]
        for joint, each in zip(joints, others, strict=True):
            said += [
                self._language.joints.also if joint == ALSO else self._language.joints.then,
                self.words(each, gender),
            ]
        return f"{target}{''.join(said)}{plan.end}"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
