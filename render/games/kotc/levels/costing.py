"""Findings about a card's printed numbers by the rules of its edition, and numbers that are left to the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from render.base.findings import Diagnostic, Span, quoted
from render.game.cards import place_of_key, place_within
from render.games.kotc.files import keys
from render.games.kotc.levels.flaws import problem
from render.games.kotc.levels.levels import AbilityLevel, LevelCalculator, LevelDerivation, Stats
from render.games.kotc.levels.stretches import ComponentText, WordingFlaw
from render.games.kotc.model.cards import OLD_NAMES, Card, ordinal
from render.games.kotc.model.edition import Edition, Role, Terms

LEVEL, ULTRA_POINTS = "level", "ultra_points"


def findings(card: Card, calculator: LevelCalculator) -> Iterator[Diagnostic]:
    """Yield what is wrong with a card's level and Ultra Points, or why they cannot be judged."""
    derivation = calculator.derive(card)
    if derivation is None:
        return
    if not derivation.is_sound:
        for flaw in derivation.flaws:
            yield problem(flaw, calculator, kind=card.kind).at(_place(card, flaw), card.id, "text")
        return
    # A pawn may have no level.
    if card.level is not None and card.level != derivation.level:
        edition = calculator.edition
        message = f"the {keys.stat_key(LEVEL, edition.grammar)} of `{card.id}` is {derivation.level}, not {card.level}"
        right = str(derivation.level)
        yield _wrong(card, LEVEL, Diagnostic("V001", message, level_sum(derivation, edition), instead=right))
    # A card without the symbol is worth 0 (rulebook, "Card Types and Layout"), and that is the number then.
    if card.ultra_points != derivation.ultra_points:
        message = f"`{card.id}` has {ultra(derivation.ultra_points)}, not {card.ultra_points}"
        missing = "" if card.node.get(ULTRA_POINTS) else f"add `{ULTRA_POINTS}: {derivation.ultra_points}`; "
        right = "" if missing else str(derivation.ultra_points)
        yield _wrong(
            card, ULTRA_POINTS, Diagnostic("V002", message, f"{missing}{_ultra_sum(derivation)}", instead=right)
        )


def worked_out(card: Card, names: Sequence[str], calculator: LevelCalculator | None) -> Card | list[Diagnostic]:
    """Return the card with the numbers that its file leaves to the rules (`level`, `cost`, ...), or why not."""
    what = " and ".join(f"`{key}: auto`" for key in names)
    derivation = calculator.derive(card) if calculator else None
    if calculator is None or derivation is None:
        return [_not_by_rules(card, names[0], what, calculator)]
    if derivation.is_sound:
        level = derivation.level if LEVEL in names or OLD_NAMES[LEVEL] in names else card.level
        ultra_points = derivation.ultra_points if ULTRA_POINTS in names else card.ultra_points
        return replace(card, level=level, ultra_points=ultra_points)
    return [_uncomputed(card, what, flaw, calculator) for flaw in derivation.flaws]


def obstacles(card: Card, calculator: LevelCalculator) -> tuple[Diagnostic, ...]:
    """Return why a card's level and Ultra Points do not follow from the rules, and what to do; () if they do."""
    derivation = calculator.derive(card)
    if derivation is None:
        return (Diagnostic("C010", without_levels(calculator.edition.number, calculator)),)
    return tuple(problem(flaw, calculator, kind=card.kind) for flaw in derivation.flaws)


def without_levels(number: int, calculator: LevelCalculator | None) -> str:
    """Return why no level follows from any text of an edition, in the words of a message."""
    edition = f"the {ordinal(number)} Edition"
    if calculator is not None and calculator.is_in_doubt:
        return f"the import of {edition} did not understand how levels are calculated"
    return f"no rules for levels are known of {edition}"


def _uncomputed(card: Card, what: str, flaw: WordingFlaw, calculator: LevelCalculator) -> Diagnostic:
    why = problem(flaw, calculator, kind=card.kind)
    message = f"{what} cannot be worked out: {why.message}"
    return Diagnostic("C010", message, why.hint).at(_place(card, flaw), card.id, "text")


def _not_by_rules(card: Card, key: str, what: str, calculator: LevelCalculator | None) -> Diagnostic:
    if card.edition is None:
        message = f"{what} cannot be worked out: the card has no Edition Indicator"
        hint = f"write the number, or the `edition` by whose rules it follows, as in `edition: {card.era}`"
        return Diagnostic("C010", message, hint).at(place_of_key(card, key), card.id, key)
    place = place_of_key(card, key)
    if calculator is not None and calculator.has_rules and not card.has_stats:
        sp, hp = (keys.stat_key(stat, card.grammar) for stat in ("sp", "hp"))
        message = f"{what} cannot be worked out without `{sp}` and `{hp}`"
        return Diagnostic("C010", message, "add both, or write the number").at(place, card.id, key)
    message = f"{what} cannot be worked out: {without_levels(card.edition, calculator)}"
    hint = "write the number, or import its rules with `kotc edition import`"
    if calculator is not None and calculator.is_in_doubt:
        hint = "write the number, or what `unknown` in the file of the edition lists for `levels`"
    return Diagnostic("C010", message, hint).at(place, card.id, key)


def _place(card: Card, flaw: WordingFlaw) -> Span:
    return place_within(card, "text", flaw.words.start, flaw.words.end)


# --- wrong numbers --------------------------------------------------------------------------------------------------


def _wrong(card: Card, key: str, wrong: Diagnostic) -> Diagnostic:
    return wrong.at(place_of_key(card, key), card.id, key)


MAX_SHOWN_TERMS = 6  # effects of an ability in a message: `kotc explain` shows all


def level_sum(derivation: LevelDerivation, edition: Edition) -> str:
    """Return `SP 4 + 1/2 of HP 6 = 7, THOR'S HAMMER 2 (destroy it 2): level 9`."""
    stats, terms = derivation.stats, edition.terms
    parts = [_stats_sum(stats, terms)] if stats else []
    parts += [_ability_sum(each) for each in derivation.abilities]
    level = f"{keys.stat_key(LEVEL, edition.grammar)} {derivation.level}"
    if derivation.value != derivation.level:  # where the sum of the card is rounded up
        level = f"{number(derivation.value)}, {level}"
    return f"{', '.join(parts)}: {level}"


def _stats_sum(stats: Stats, terms: Terms) -> str:
    caveat = f" - {_term(stats.caveat)}" if stats.caveat else ""
    return f"{stats.terms(f'{terms.sp} ', f'{terms.hp} ')}{caveat} = {number(stats.level)}"


def _ability_sum(each: AbilityLevel) -> str:
    less = [piece for piece in each.pieces if piece.role in (Role.CONDITION, Role.COST) and piece.is_summed]
    shown = each.effects if len(each.effects) <= MAX_SHOWN_TERMS else each.effects[: MAX_SHOWN_TERMS - 1]
    terms = " + ".join(_term(piece) for piece in shown)
    if len(shown) < len(each.effects):
        terms += f" + {len(each.effects) - len(shown)} more"
    terms += "".join(f" - {_term(piece)}" for piece in less if piece.value)
    name = each.parts.name.text if each.parts.name else "the ability"
    return f"{name} {number(each.level)} ({terms})"


def _term(piece: ComponentText) -> str:
    return f"{piece.words.text.removesuffix('.')} {number(piece.value)}"


def _ultra_sum(derivation: LevelDerivation) -> str:
    worth = [piece for each in derivation.abilities for piece in each.pieces if piece.ultra_points]
    terms = ", ".join(f"{quoted(piece.words.text)} {piece.ultra_points}" for piece in worth)
    return f"{terms}: {ultra(derivation.ultra_points)}" if worth else "none of its components has any"


def ultra(count: int) -> str:
    """Return `1 Ultra Point`, `2 Ultra Points`."""
    return f"{count} Ultra Point{'' if count == 1 else 's'}"


def number(value: Fraction | int | None) -> str:
    """Return `3`, `1/2`, `2 1/2` or `-1/2`; `?` if it is unknown."""
    if value is None:
        return "?"
    # Of the absolute value, since `divmod` rounds down: -1/2 would be -1 and 1/2.
    whole, rest = divmod(abs(value.numerator), value.denominator)
    sign = "-" if value < 0 else ""
    if not rest:
        return f"{sign}{whole}"
    return f"{sign}{whole} {rest}/{value.denominator}" if whole else f"{sign}{rest}/{value.denominator}"
