"""Values with which cards of a kind begin: examples of its fields, chosen so that its rules hold if a few tries do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from render.base.findings import Severity
from render.game.authoring.pictures import STAND_IN
from render.game.declared.field_values import EMPTY
from render.game.declared.reading.derived import derive, in_order
from render.game.declared.reading.field_keys import example_text_of
from render.game.declared.reading.rules import CardRule, DeclaredField, DeclaredKind, FieldType, FieldValue, GameRules
from render.layout.templates.expressions import ExpressionFailed, ExpressionOverspent, evaluate, fill_in

MAX_TRIED = 40  # values of one field: more choices or icons than that are not tried


@dataclass(frozen=True, slots=True)
class FirstValues:
    """Values of the fields that a card must give, of others with which its rules hold, and the rules that do not."""

    values: Mapping[str, FieldValue]
    broken: tuple[str, ...]


def first_values(rules: GameRules, kind: DeclaredKind, name: str) -> FirstValues:
    """Return values with which a card of that name can begin."""
    trial = _Trial(rules, kind, name)
    own = [each for each in rules.fields if each.name in kind.fields and not each.value]
    given = {each.name: example_value(rules, each) for each in own if each.name in kind.required}
    # Fields that it must have come first: others are given only if rules ask for them.
    for each in sorted(own, key=lambda each: each.name not in kind.required):
        least = trial.weight(given)
        for value in _tries(rules, each, name) if least else ():
            if (weight := trial.weight({**given, each.name: value})) < least:
                given, least = {**given, each.name: value}, weight
    return FirstValues(given, tuple(trial.said_of(given)))


def example_value(rules: GameRules, declared: DeclaredField) -> FieldValue:
    """Return a value that a field may have."""
    match declared.type:
        case FieldType.NUMBER:
            return declared.example_number
        case FieldType.FLAG:
            return True
        case FieldType.LIST:
            return ("one", "two")
        case FieldType.PICTURE:
            return STAND_IN
    return example_text_of(declared, rules.icon_names)


def _tries(rules: GameRules, declared: DeclaredField, name: str) -> Iterator[FieldValue]:
    """Yield values that the field may have, the usual one first."""
    yield example_value(rules, declared)
    match declared.type:
        case FieldType.NUMBER:
            yield from declared.limits
        case FieldType.FLAG:
            yield False
        case FieldType.CHOICE:
            yield from declared.choices[:MAX_TRIED]
        case FieldType.ICONS:
            yield from (f"{{{icon if icon != '#' else 1}}}" for icon in rules.icon_names[:MAX_TRIED])
        case FieldType.LINE if example_text_of(declared, (), name) == name:
            yield name


class _Trial:
    """Tries the rules of a kind on the values of a card of that name."""

    def __init__(self, rules: GameRules, kind: DeclaredKind, name: str) -> None:
        self._kind = kind
        usual = {
            each.name: each.default if each.name in kind.fields else EMPTY.get(each.type, "") for each in rules.fields
        }
        art = STAND_IN if "art" in kind.required else ""
        self._usual: dict[str, FieldValue] = {"name": name, "kind": kind.value, "copies": 1, "art": art, **usual}
        self._derived = [*in_order(rules.fields)]
        self._stopped: set[str] = set()

    def weight(self, given: Mapping[str, FieldValue]) -> int:
        """Return how much is wrong with a card that gives these values: errors count more than all warnings."""
        broken = [rule for rule, _ in self._broken(given)]
        return sum(1 if rule.severity is Severity.WARNING else len(self._kind.rules) + 1 for rule in broken)

    def said_of(self, given: Mapping[str, FieldValue]) -> Iterator[str]:
        """Yield message and hint of each rule that does not hold."""
        for rule, values in self._broken(given):
            try:
                yield "; ".join(" ".join(fill_in(text, values).split()) for text in (rule.message, rule.hint) if text)
            except ExpressionFailed:
                yield rule.message

    def _broken(self, given: Mapping[str, FieldValue]) -> Iterator[tuple[CardRule, Mapping[str, FieldValue]]]:
        values, _ = derive(self._derived, {**self._usual, **given}, self._kind)
        for rule in self._kind.rules:
            try:
                holds = rule.that in self._stopped or evaluate(rule.that, values)
            except ExpressionOverspent:  # it takes a while, and is tried no more
                self._stopped.add(rule.that)
                holds = False
            except ExpressionFailed:
                holds = False
            if not holds:
                yield rule, values
