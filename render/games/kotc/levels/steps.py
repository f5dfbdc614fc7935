"""How a card's level follows, as the core shows it: each part of the text and each number with what it adds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from render.base.findings import Refused
from render.game.derivations import Derivation, DerivationStep
from render.games.kotc.files.keys import stat_key
from render.games.kotc.levels.costing import level_sum, number, obstacles, ultra
from render.games.kotc.levels.explain import formula_of
from render.games.kotc.levels.levels import LevelCalculator, LevelDerivation, Stats
from render.games.kotc.levels.rules import rules_of_set
from render.games.kotc.levels.stretches import ComponentText
from render.games.kotc.model.cards import Card, CardSet
from render.games.kotc.model.edition import Grammar, Role, Terms

_RELIEFS = (Role.CAVEAT, Role.CONDITION, Role.COST)  # their values are taken off (guide, "Level")


def derivation_of(card: Card, card_set: CardSet) -> Derivation | None:
    """Return how the level and Ultra Points of a card follow from its file; None if no rules tell."""
    if card.edition is None:
        return None
    try:
        calculator = rules_of_set(card_set).of(card.edition, card.written_in)
    except Refused:  # what is wrong with the rules is a finding of checks
        return None
    derived = calculator.derive(card) if calculator else None
    if calculator is None or derived is None:
        return None
    steps = tuple(_steps(derived, calculator))
    if not derived.is_sound:
        return Derivation(
            result="", summary="; ".join(each.message for each in obstacles(card, calculator)), steps=steps
        )
    return _sound(derived, calculator, steps)


def _sound(derived: LevelDerivation, calculator: LevelCalculator, steps: tuple[DerivationStep, ...]) -> Derivation:
    key = stat_key("level", calculator.grammar)
    numbers = [(key, str(derived.level))]
    result = f"{key} {derived.level}"
    if not calculator.grammar.of_creatures:  # creatures have no Ultra Points
        numbers.append(("ultra_points", str(derived.ultra_points)))
        result += f", {ultra(derived.ultra_points)}" if derived.ultra_points else ""
    summary = level_sum(derived, calculator.edition)
    return Derivation(result=result, summary=summary, numbers=tuple(numbers), steps=steps)


def _steps(derived: LevelDerivation, calculator: LevelCalculator) -> Iterator[DerivationStep]:
    """Yield the parts that count; sums and their rounding mean something only if the level follows."""
    terms = calculator.edition.terms
    if derived.stats:
        yield from _of_stats(derived.stats, terms, calculator.grammar)
        yield from _changed(derived.stats.value, derived.stats.level, 0, f"{terms.sp} and {terms.hp}")
    for each in derived.abilities:
        yield from map(_of_piece, each.pieces)
        if derived.is_sound:
            name = each.parts.name.text if each.parts.name else "ability"
            yield from _changed(each.value, each.level, each.least, name)
    if derived.is_sound:
        yield from _changed(derived.value, derived.level, derived.least, "card")


def _of_stats(stats: Stats, terms: Terms, grammar: Grammar) -> Iterator[DerivationStep]:
    sp, hp = (stat_key(key, grammar) for key in ("sp", "hp"))
    added = ((stats.sp, stats.rules.sp_share, terms.sp, sp), (stats.hp, stats.rules.hp_share, terms.hp, hp))
    for count, share, word, key in added:
        if count is not None and share is not None:
            note = "" if share == 1 else f"{share} of {count}"
            yield DerivationStep(words=f"{word} {count}", amount=_signed(share * count), role=word, note=note, key=key)
    if stats.caveat:
        yield _of_piece(stats.caveat)


def _of_piece(piece: ComponentText) -> DerivationStep:
    # As in the table of `explain`: a target selection gives `t`, a condition `a` or nothing, and neither is summed.
    adds = piece.is_summed and piece.found is not None and piece.found.component.level is not None
    value = (piece.value or Fraction(0)) * (-1 if piece.role in _RELIEFS else 1)
    given = ", ".join(f"{name} = {number(numeral)}" for name, numeral in piece.numbers)
    return DerivationStep(
        words=piece.words.text,
        amount=_signed(value) if adds else "",
        role=piece.role.value,
        note=": ".join(filter(None, (formula_of(piece), given))),
        extra=ultra(piece.ultra_points) if piece.ultra_points else "",
        key="text",
        place=(piece.words.start, piece.words.end),
    )


def _changed(value: Fraction | int, level: Fraction | int, least: int, role: str) -> Iterator[DerivationStep]:
    """Yield how a sum became a level: rounded up, or raised to the least level; nothing if it is the level."""
    if level != value:
        words = "rounded up" if level == ceil(value) else f"at least {least}"
        yield DerivationStep(words=words, amount=_signed(level - value), role=role)


def _signed(value: Fraction | int) -> str:
    return number(value) if value < 0 else f"+{number(value)}"
