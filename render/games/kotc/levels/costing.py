"""Findings about a card's printed numbers by the rules of its edition, and numbers that are left to the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from render.base.findings import Finding, Problem, Severity, Span, quoted
from render.game.cards import place_of_key, place_within
from render.games.kotc.editions.matching import pattern
from render.games.kotc.levels.components import plain_text
from render.games.kotc.levels.levels import AbilityLevel, Derivation, LevelCalculator
from render.games.kotc.levels.stretches import ComponentText, LevelFault, WordingFlaw
from render.games.kotc.model.cards import Card, ordinal
from render.games.kotc.model.edition import Role

LEVEL, ULTRA_POINTS = "level", "ultra_points"

_SPOKEN = {
    Role.CONDITION: ("an", "activation condition"),
    Role.COST: ("an", "activation cost"),
    Role.TARGET: ("a", "target selection"),
    Role.EFFECT: ("an", "effect"),
}
# Their order is fixed: condition, costs, target selection, effects (guide, "Constructing Abilities").
_SPOT = {
    Role.CONDITION: "it stands before a colon",
    Role.COST: "it stands before an arrow",
    Role.TARGET: "it stands before a semicolon",
    Role.EFFECT: "it stands behind condition, costs and target selection",
}
_CODES = {LevelFault.UNKNOWN: "V003", LevelFault.NO_TARGETS: "V004"}


def findings(card: Card, calculator: LevelCalculator) -> Iterator[Finding]:
    """Yield what is wrong with a card's level and Ultra Points, or why they cannot be judged."""
    derivation = calculator.derive(card)
    if derivation is None:
        return
    if not derivation.is_sound:
        for flaw in derivation.flaws:
            yield _problem(flaw, calculator).at(_place(card, flaw), card.id, "text")
        return
    # A pawn may have no level.
    if card.level is not None and card.level != derivation.level:
        message = f"the level of `{card.id}` is {derivation.level}, not {card.level}"
        yield _wrong(card, LEVEL, "V001", message, _level_sum(derivation))
    # A card without the symbol is worth 0 (rulebook, "Card Types and Layout"), and that is the number then.
    if card.ultra_points != derivation.ultra_points:
        message = f"`{card.id}` has {_ultra(derivation.ultra_points)}, not {card.ultra_points}"
        missing = "" if card.node.get(ULTRA_POINTS) else f"add `{ULTRA_POINTS}: {derivation.ultra_points}`; "
        yield _wrong(card, ULTRA_POINTS, "V002", message, f"{missing}{_ultra_sum(derivation)}")


def worked_out(card: Card, keys: Sequence[str], calculator: LevelCalculator | None) -> Card | list[Finding]:
    """Return the card with the numbers that its file leaves to the rules (`level`, `ultra_points`), or why not."""
    what = " and ".join(f"`{key}: auto`" for key in keys)
    derivation = calculator.derive(card) if calculator else None
    if calculator is None or derivation is None:
        return [_not_by_rules(card, keys[0], what, calculator)]
    if derivation.is_sound:
        level = derivation.level if LEVEL in keys else card.level
        ultra_points = derivation.ultra_points if ULTRA_POINTS in keys else card.ultra_points
        return replace(card, level=level, ultra_points=ultra_points)
    return [_uncomputed(card, what, flaw, calculator) for flaw in derivation.flaws]


def obstacles(card: Card, calculator: LevelCalculator) -> tuple[str, ...]:
    """Return why a card's level and Ultra Points do not follow from the rules; () if they do."""
    derivation = calculator.derive(card)
    if derivation is None:
        return (f"no rules for levels are known of the {ordinal(calculator.edition.number)} Edition",)
    return tuple(_problem(flaw, calculator).message for flaw in derivation.flaws)


def _uncomputed(card: Card, what: str, flaw: WordingFlaw, calculator: LevelCalculator) -> Finding:
    why = _problem(flaw, calculator)
    message = f"{what} cannot be worked out: {why.message}"
    return Problem("C010", message, why.hint).at(_place(card, flaw), card.id, "text")


def _not_by_rules(card: Card, key: str, what: str, calculator: LevelCalculator | None) -> Finding:
    if card.edition is None:
        message = f"{what} cannot be worked out: the card has no Edition Indicator"
        hint = f"write the number, or the `edition` by whose rules it follows, as in `edition: {card.era}`"
        return Problem("C010", message, hint).at(place_of_key(card, key), card.id, key)
    edition = f"the {ordinal(card.edition)} Edition"
    if calculator is not None and calculator.edition.levels is not None:
        message = f"{what} cannot be worked out without `sp` and `hp`"
        return Problem("C010", message, "add both, or write the number").at(place_of_key(card, key), card.id, key)
    message = f"{what} cannot be worked out: no rules for levels are known of {edition}"
    hint = "write the number, or import its rules with `kotc edition import`"
    return Problem("C010", message, hint).at(place_of_key(card, key), card.id, key)


# --- flaws ----------------------------------------------------------------------------------------------------------


def _problem(flaw: WordingFlaw, calculator: LevelCalculator) -> Problem:
    message, hint = _words(flaw, calculator)
    return Problem(_CODES.get(flaw.fault, "V005"), message, hint, Severity.WARNING)


def _words(flaw: WordingFlaw, calculator: LevelCalculator) -> tuple[str, str]:
    """Return why no level follows from the words, and the hint."""
    words = quoted(flaw.words.text)
    match flaw.fault:
        case LevelFault.UNKNOWN:
            return _unknown(flaw, calculator)
        case LevelFault.NO_TARGETS:
            hint = f"begin its sentence with one, such as `{calculator.components.example(Role.TARGET)};`"
            return f"{words} has no target selection before it", hint
        case LevelFault.NO_EFFECT:
            return f"the ability {words} has no effect", "add a sentence that says what it does"
        case LevelFault.NO_ABILITY:
            return "a spell has one ability, and this one has none", "add a sentence that says what it does"
        case LevelFault.ABILITIES:
            return "a spell has one ability, and this one has more", "write it in one line"


_ZERO = re.compile(r"\b0\b")  # "a positive, non-zero integer (i.e. at least 1)" (guide, "Constructing Abilities")


def _unknown(flaw: WordingFlaw, calculator: LevelCalculator) -> tuple[str, str]:
    """Return message and hint for words that are no component, with the one that may be meant."""
    role = flaw.role or Role.EFFECT
    edition = f"the {ordinal(calculator.edition.number)} Edition"
    message = f"{quoted(flaw.words.text)} is no {_SPOKEN[role][1]} of {edition}"
    if _ZERO.search(flaw.words.text):
        return message, "the numbers of a component are at least 1"
    elsewhere = calculator.components.role_of(flaw.words.text)
    if elsewhere is not None:
        return message, f"it is {' '.join(_SPOKEN[elsewhere])}: {_SPOT[elsewhere]}"
    # Words of an older edition are likelier than a slip of the pen.
    for rule in calculator.edition.rewordings:
        if pattern(rule.old).is_in(flaw.words.text):
            return message, f"{edition} writes `{plain_text(rule.new)}` for `{plain_text(rule.old)}`"
    near = calculator.components.nearest(role, flaw.words.text)
    return message, f"the nearest is `{near}`" if near else "no other is like it"


def _place(card: Card, flaw: WordingFlaw) -> Span:
    return place_within(card, "text", flaw.words.start, flaw.words.end)


# --- wrong numbers --------------------------------------------------------------------------------------------------


def _wrong(card: Card, key: str, code: str, message: str, why: str) -> Finding:
    return Problem(code, message, why).at(place_of_key(card, key), card.id, key)


def _level_sum(derivation: Derivation) -> str:
    """Return `SP 4 + 1/2 of HP 6 = 7, THOR'S HAMMER 2 (destroy it 2): level 9`."""
    stats = derivation.stats
    parts = [f"SP {stats.sp} + {stats.share} of HP {stats.hp} = {stats.level}"] if stats else []
    parts += [_ability_sum(each) for each in derivation.abilities]
    return f"{', '.join(parts)}: level {derivation.level}"


def _ability_sum(each: AbilityLevel) -> str:
    terms = " + ".join(_term(piece) for piece in each.effects) + "".join(f" - {_term(piece)}" for piece in each.costs)
    name = each.parts.name.text if each.parts.name else "the ability"
    return f"{name} {each.level} ({terms})"


def _term(piece: ComponentText) -> str:
    return f"{piece.words.text} {number(piece.value)}"


def _ultra_sum(derivation: Derivation) -> str:
    worth = [piece for each in derivation.abilities for piece in each.pieces if piece.ultra_points]
    terms = ", ".join(f"{quoted(piece.words.text)} {piece.ultra_points}" for piece in worth)
    return f"{terms}: {_ultra(derivation.ultra_points)}" if worth else "none of its components has any"


def _ultra(count: int) -> str:
    return f"{count} Ultra Point{'' if count == 1 else 's'}"


def number(value: Fraction | None) -> str:
    """Return `3`, `1/2`, `2 1/2` or `-1/2`; `?` if it is unknown."""
    if value is None:
        return "?"
    # Of the absolute value, since `divmod` rounds down: -1/2 would be -1 and 1/2.
    whole, rest = divmod(abs(value.numerator), value.denominator)
    sign = "-" if value < 0 else ""
    if not rest:
        return f"{sign}{whole}"
    return f"{sign}{whole} {rest}/{value.denominator}" if whole else f"{sign}{rest}/{value.denominator}"
