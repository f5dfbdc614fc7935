"""The components of an edition as entries of a list, in English or in another language, and as pieces of a text."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from msgspec import Struct

from render.base.caches import cached
from render.base.findings import Refused, plural
from render.base.patterns import regex
from render.game.derivations import Phrase
from render.game.folder import SET_FILE
from render.games.kotc.composing import AbilityPlan, AbilityWriter, SubAbilityPlan, TextPlan, speaking_of_one
from render.games.kotc.editions.finding import find
from render.games.kotc.editions.wording import needs_targets, plain_text, variables
from render.games.kotc.languages.english import english
from render.games.kotc.languages.finding import find_words
from render.games.kotc.languages.vocabulary import ComponentUse, LanguageWords
from render.games.kotc.model.cards import ENGLISH, CardSet
from render.games.kotc.model.edition import Component, Edition, Grammar, Role
from render.games.kotc.model.formula import FACTOR, TARGETS
from render.source import nodes
from render.source.nodes import Scalar
from render.source.reader import read


class Entry(Struct, frozen=True, kw_only=True):
    """A component with its words, as guides print them: `draw x cards`.

    `english` are those in English if `words` are not, and `levels` what it is worth for x = 1, 2 and 3.
    """

    component: Component
    words: str
    english: str
    price: str
    levels: tuple[str, ...]
    example: str


def entries(edition: Edition, language: LanguageWords | None = None) -> list[Entry]:
    """Return the components in the order of the guide; without those for which the language has no words."""
    words = language or english()
    examples = Examples(edition, words)
    found = []
    for component in edition.components:
        printed = words.printed(component)
        if printed:
            found.append(
                Entry(
                    component=component,
                    words=printed,
                    english=plain_text(component.text) if language else "",
                    price=price(component),
                    levels=levels(component),
                    example=examples.text(component),
                )
            )
    return found


# --- pieces of a text that is being written --------------------------------------------------------------------------


def phrases_for(card_set: CardSet, values: Mapping[str, str]) -> tuple[Phrase, ...]:
    """Return the components that a card with these values may have in its text; none without rules of its edition."""
    said = values.get("edition", "")
    number = int(said) if said.isascii() and said.isdecimal() and len(said) < 4 else card_set.edition
    if not number:
        return ()
    try:
        edition = find(number, card_set.folder)
        language = card_set.written_in
        return _phrases(edition, find_words(edition, language, card_set.folder) if language != ENGLISH else None)
    except Refused:  # which is a finding of checks
        return ()


@cached(16)
def _phrases(edition: Edition, language: LanguageWords | None) -> tuple[Phrase, ...]:
    return tuple(_phrase(each, edition.grammar) for each in entries(edition, language))


def _phrase(entry: Entry, grammar: Grammar) -> Phrase:
    component = entry.component
    ending = grammar.ending(component.role)
    notes = [f"x = 1, 2, 3: {', '.join(entry.levels)}"] if entry.levels else []
    notes += [plural(component.ultra_points, "Ultra Point")] if component.ultra_points else []
    notes += [f"{name} is at most {most}" for name, most in component.limits]
    return Phrase(
        words=entry.words if entry.english else component.text,
        ending=f"{ending} " if component.role is not Role.EFFECT and ending else ending,
        role=component.role.value,
        price=entry.price,
        note="; ".join(notes),
        example=entry.example,
    )


# --- a component as it is written on a card: in the shortest ability that has it -------------------------------------

_EXAMPLE_NUMBER = 2  # shows the plural; the others are 1
_ON_FIELD = ("on-field", "in-play", "in play")  # in the words of all editions


class Examples:
    """Writes examples of the components of an edition in a language; without any of a component that has no words."""

    def __init__(self, edition: Edition, language: LanguageWords) -> None:
        self._writer, self._language = AbilityWriter(edition.grammar, language), language
        effects = [each for each in edition.components if each.role is Role.EFFECT]
        targets = [each for each in edition.components if each.role is Role.TARGET]
        # What goes with the others: an effect for conditions and costs, one on targets for target selections.
        self._alone = next((each for each in effects if not needs_targets(each) and "draw" in each.text.lower()), None)
        self._alone = self._alone or next((each for each in effects if not needs_targets(each)), None)
        on_targets = [each for each in effects if needs_targets(each)]
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
            case Role.EFFECT if needs_targets(component):
                target = _chosen(self._target, 1) if self._target else None
                return self._ability(self._sentence(component, target, _EXAMPLE_NUMBER) if target else None)
            case Role.EFFECT:
                return self._ability(AbilityPlan(sub_abilities=(SubAbilityPlan((chosen,)),)))

    def _ability(self, plan: AbilityPlan | None) -> str:
        is_said = plan and all(self._language.variants(use.component) for use in plan.uses())
        return self._writer.ability(plan) if plan and is_said else ""

    def _with_alone(
        self, condition: ComponentUse | None = None, cost: ComponentUse | None = None
    ) -> AbilityPlan | None:
        if self._alone is None:
            return None
        sentence = SubAbilityPlan((_chosen(self._alone, 1),))
        return AbilityPlan(sub_abilities=(sentence,), condition=condition, costs=(cost,) if cost else ())

    def _sentence(self, effect: Component | None, target: ComponentUse, number: int = 1) -> AbilityPlan | None:
        if effect is None:
            return None
        plan = SubAbilityPlan((_chosen(effect, number),), target)
        return AbilityPlan(sub_abilities=(speaking_of_one(plan) if self._writer.grammar.one_target else plan,))


def _chosen(component: Component, number: int) -> ComponentUse:
    """Return a component with a number for `x` that its limit allows, and 1 for the other variables."""
    most = dict(component.limits)
    numbers = dict.fromkeys(sorted(variables(component.text)), 1)
    if "x" in numbers:
        numbers["x"] = min(number, most.get("x", number))
    return ComponentUse(component, tuple(numbers.items()))


# --- what a component costs, as people write it ----------------------------------------------------------------------

_SIGNS = {Role.EFFECT: "+", Role.TARGET: "t = "}  # whatever else has a formula takes that much off
MAX_SHOWN = 3  # the numbers for which `levels` says what a component is worth


def price(component: Component) -> str:
    """Return what a component adds to the level or takes off: `+2t`, `-x/2`, `t = x`, `a = 1/x`; "" for nothing."""
    if component.factor is not None:
        return f"a = {component.factor}"
    if component.level is None:
        return ""
    formula = str(component.level)
    closed = f"({formula})" if " " in formula and component.role is not Role.TARGET else formula
    return f"{_SIGNS.get(component.role, '-')}{closed}"


def price_with_points(component: Component) -> str:
    """Return the price with the Ultra Points behind it; the name of the role for a component without a formula."""
    said, points = price(component) or component.role.value, component.ultra_points
    return f"{said}, {plural(points, 'Ultra Point')}" if points else said


def levels(component: Component) -> tuple[str, ...]:
    """Return what a component is worth for x = 1, 2 and 3, as far as it may have these numbers: `+2`, `+4`, `+6`.

    Other variables are 1, and so are `t` and `a`. () for a component whose worth does not depend on `x`.
    """
    formula = component.factor or component.level
    if formula is None or "x" not in formula.variables:
        return ()
    sign = "" if component.factor or component.role is Role.TARGET else "+" if component.role is Role.EFFECT else "-"
    most = min(dict(component.limits).get("x", MAX_SHOWN), MAX_SHOWN)
    found = []
    for number in range(1, most + 1):
        given = {"x": Fraction(number), **dict.fromkeys(("y", "z", TARGETS, FACTOR), Fraction(1))}
        if formula.has_value(given):
            found.append(f"{sign}{formula.value(given)}")
    return tuple(found)


# --- the edition of a folder, for commands that need no card of it ---------------------------------------------------

_EDITION = regex(r"[1-9][0-9]{0,2}")  # as card files may have it


def edition_of_folder(folder: Path) -> int | None:
    """Return the edition that the `set.yaml` of a folder gives; None without one, whatever else is wrong with it."""
    file = folder / SET_FILE
    try:
        root = read(file, folder).root if file.is_file() else None
    except Refused:
        return None
    values = {key.value: value for key, value in root.entries} if isinstance(root, nodes.Mapping) else {}
    node = values.get("edition")
    return int(node.value) if isinstance(node, Scalar) and _EDITION.fullmatch(node.value) else None
