"""How a card's level and Ultra Points follow from its text, as a table for people, as JSON for programs, and in steps for the core."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import zip_longest
from math import ceil

from msgspec import Struct
from msgspec.structs import astuple

from render.base.findings import Diagnostic, Refused, plural, printable
from render.game.derivations import Derivation, DerivationStep, ShownCards
from render.games.kotc.editions.wording import plain_text
from render.games.kotc.files.keys import stat_key
from render.games.kotc.levels.costing import level_sum, number, obstacles, without_levels
from render.games.kotc.levels.levels import AbilityLevel, LevelCalculator, LevelDerivation, Stats
from render.games.kotc.levels.rules import Rules, of_card, rules_of_set
from render.games.kotc.levels.stretches import ComponentText, WordingFlaw
from render.games.kotc.model.ability import Part
from render.games.kotc.model.cards import Card, CardSet, Kind, ordinal
from render.games.kotc.model.edition import Grammar, Role, Terms


class Explained(Struct, frozen=True):
    """A card with the derivation of its numbers; None if the rules of its edition give none, and `why_not`."""

    card: Card
    derivation: LevelDerivation | None
    why_not: str = ""


def as_text(explained: Iterable[Explained]) -> str:
    """Return a table for each card, at most 80 columns wide, with blank lines between them."""
    return "\n\n".join("\n".join(_lines(each)) for each in explained)


def explained(cards: Iterable[Card], card_set: CardSet) -> ShownCards:
    """Return how the numbers of cards of a set follow, and what is wrong or doubtful about these.

    In JSON, numbers that are not whole are fractions such as `5/2`.
    """
    rules, found, doubtful = Rules(card_set.folder), list[Explained](), list[Diagnostic]()
    for card in cards:
        calculator = rules.of(card.edition, card.written_in) if card.edition else None
        derivation = calculator.derive(card) if calculator else None
        why_not = without_levels(card.edition, calculator) if card.edition else ""
        found.append(Explained(card, derivation, why_not))
        doubtful += of_card(card, rules)
    return ShownCards(as_text(found), [*map(_card_object, found)], doubtful)


# --- table ----------------------------------------------------------------------------------------------------------

_COLUMNS = 80


class _Row(Struct, frozen=True, kw_only=True):
    """A row of the table; text too wide for its column continues in the next line."""

    role: str = ""
    words: str = ""
    formula: str = ""
    numbers: str = ""
    level: str = ""
    ultra: str = ""

    def lines(self) -> Iterator[str]:
        cells = [
            # `textwrap` would break `on-field`, a single word of the rules.
            textwrap.wrap(printable(cell), width, break_on_hyphens=False)
            for cell, width in zip(astuple(self), _WIDTHS, strict=True)
        ]
        for role, words, formula, numbers, level, points in zip_longest(*cells, fillvalue=""):
            yield f"  {role:<9} {words:<29} {formula:<14} {numbers:<14} {level:>5} {points:>2}".rstrip()


_WIDTHS = (9, 29, 14, 14, 5, 2)  # columns; 80 with the spaces between and before them


def _lines(explained: Explained) -> Iterator[str]:
    card, derivation = explained.card, explained.derivation
    yield from _wrapped(f"{card.name} ({card.id}), {card.kind.value} {_edition(card)}", "")
    if derivation is None:
        yield f"  {_no_level(card) or explained.why_not}"
        return
    for row in (*_rows(card, derivation), *_printed(card, derivation)):
        yield from _wrapped(row, "  ") if isinstance(row, str) else row.lines()


def _edition(card: Card) -> str:
    return f"of the {ordinal(card.edition)} Edition" if card.edition else "without Edition Indicator"


def _no_level(card: Card) -> str:
    """Return why a card has no level in any edition; "" if it could have one."""
    if card.kind is Kind.TIP:
        return "a tip has no level"
    # Rulebook, "Pawns": abilities summon them, so SP and HP need not stand on a card.
    if card.kind is Kind.PAWN and (card.sp is None or card.hp is None):
        return "a pawn has a level if `sp` and `hp` are given"
    if card.edition is None:
        return "no level follows without an edition"
    return ""


def _rows(card: Card, derivation: LevelDerivation) -> Iterator[_Row | str]:
    """Yield the rows of the table, and names of abilities as headings."""
    is_of_creatures = card.grammar.of_creatures
    yield _Row(level=stat_key("level", card.grammar), ultra="" if is_of_creatures else "UP")
    if derivation.stats:
        yield from _stats_of_creature(derivation.stats) if is_of_creatures else _stats_of_minion(derivation.stats)
    for each in derivation.abilities:
        if each.parts.name:
            yield each.parts.name.text
        for piece in each.pieces:
            yield _piece_row(piece, is_of_creatures=is_of_creatures)
        changed = (
            _changed(each.value, each.level, each.least, rounds=not is_of_creatures) if derivation.is_sound else ""
        )
        yield _Row(role="ability", words=changed, level=_known(each.level, derivation))
    ultra_points = "" if is_of_creatures else _known(derivation.ultra_points, derivation)
    sums = _changed(derivation.value, derivation.level, derivation.least) if derivation.is_sound else ""
    yield _Row(role="card", words=sums, level=_known(derivation.level, derivation), ultra=ultra_points)


def _stats_of_minion(stats: Stats) -> Iterator[_Row]:
    # Guide, "Level": SP and a share of HP, rounded up by themselves.
    rounded = "" if stats.level == stats.value else f"{number(stats.value)} rounded up"
    role = " and ".join(stat.upper() for stat in ("sp", "hp") if getattr(stats, stat) is not None)
    yield _Row(role=role, words=rounded, formula=stats.terms(), level=number(stats.level))


def _stats_of_creature(stats: Stats) -> Iterator[_Row]:
    """Yield what offense and defense add, and what a caveat takes off, but not below 0."""
    value = (stats.sp or 0) + stats.share * (stats.hp or 0)
    yield _Row(role="creature", words="offense and defense", formula=stats.terms(), level=number(value))
    if stats.caveat:
        yield _piece_row(stats.caveat, is_of_creatures=True)
    if stats.level != stats.value:
        yield _Row(words=f"{number(stats.value)}, but at least 0", level=number(stats.level))


def _printed(card: Card, derivation: LevelDerivation) -> Iterator[_Row]:
    """Yield the numbers on the card if they differ."""
    if (card.level, card.ultra_points) != (derivation.level, derivation.ultra_points) or not derivation.is_sound:
        level = "" if card.level is None else str(card.level)
        yield _Row(role="printed", level=level, ultra="" if card.grammar.of_creatures else str(card.ultra_points))


def _piece_row(piece: ComponentText, *, is_of_creatures: bool) -> _Row:
    role = piece.role
    numbers = ", ".join(f"{name} = {number(value)}" for name, value in piece.numbers)
    # A target selection gives `t`, and a condition `a` or nothing: none of these is part of a level.
    adds = piece.is_summed and (piece.found is None or piece.found.component.level is not None)
    level = number(piece.value) if adds or piece.value is None else ""
    # Guides print a cost as the level decrease that it gives, without a sign.
    sign = "-" if role in _RELIEFS and piece.value and adds else ""
    ultra = str(piece.ultra_points or "") if piece.found else "?"
    return _Row(
        role=role.value,
        words=piece.words.text,
        formula=formula_of(piece),
        numbers=numbers,
        level=sign + level,
        ultra="" if is_of_creatures else ultra,
    )


_RELIEFS = (Role.CAVEAT, Role.CONDITION, Role.COST)  # their values are taken off (guide, "Level")


def formula_of(piece: ComponentText) -> str:
    """Return the formula of a piece: `2x`, `t = x`; `unknown` for words that are no component."""
    component = piece.found.component if piece.found else None
    if component is None:
        return "unknown"
    if component.factor is not None:
        return f"a = {component.factor}"
    if component.level is None:
        return ""
    return f"t = {component.level}" if piece.role is Role.TARGET else str(component.level)


def _changed(value: Fraction | int, level: Fraction | int, least: int, *, rounds: bool = True) -> str:
    """Return how a sum became a level: rounded up, or raised to the least level; "" if it is the level."""
    if level == value:
        return ""
    return (
        f"{number(value)} rounded up" if rounds and level == ceil(value) else f"{number(value)}, but at least {least}"
    )


def _known(level: Fraction | int, derivation: LevelDerivation) -> str:
    return number(level) if derivation.is_sound else "?"


def _wrapped(words: str, indent: str) -> list[str]:
    return textwrap.wrap(printable(words), _COLUMNS, initial_indent=indent, subsequent_indent=indent + "  ")


# --- JSON -----------------------------------------------------------------------------------------------------------


def _card_object(explained: Explained) -> dict[str, object]:
    card, derivation = explained.card, explained.derivation
    sound = derivation if derivation is not None and derivation.is_sound else None
    return {
        "card": card.id,
        "name": card.name,
        "kind": card.kind.value,
        "edition": card.edition,
        "printed": {"level": card.level, "ultra_points": card.ultra_points},
        "level": sound.level if sound else None,
        "ultra_points": sound.ultra_points if sound else None,
        "stats": _stats_object(derivation.stats) if derivation and derivation.stats else None,
        "abilities": [_ability_object(each) for each in derivation.abilities] if derivation else [],
        "flaws": [_flaw_object(flaw) for flaw in derivation.flaws] if derivation else [],
    }


def _flaw_object(flaw: WordingFlaw) -> dict[str, object]:
    return {"fault": flaw.fault.value, "role": flaw.role and flaw.role.value} | _place(flaw.words)


def _stats_object(stats: Stats) -> dict[str, object]:
    share, value = _json(stats.share), _json(stats.value)
    numbers: dict[str, object] = {"sp": stats.sp, "hp": stats.hp, "share": share}
    if stats.caveat:
        numbers["caveat"] = _piece_object(stats.caveat)
    return numbers | {"sum": value, "level": _json(stats.level)}


def _ability_object(each: AbilityLevel) -> dict[str, object]:
    return {
        "name": each.parts.name and each.parts.name.text,
        "condition": each.condition and _piece_object(each.condition),
        "costs": [_piece_object(piece) for piece in each.costs],
        "sub_abilities": [
            {
                "target": sub_ability.target and _piece_object(sub_ability.target),
                "effects": [_piece_object(piece) for piece in sub_ability.effects],
                "sum": _json(sub_ability.value),
            }
            for sub_ability in each.sub_abilities
        ],
        "sum": _json(each.value),
        "least": each.least,
        "level": _json(each.level),
    }


def _piece_object(piece: ComponentText) -> dict[str, object]:
    component = piece.found.component if piece.found else None
    formula = (component.level or component.factor) if component else None
    return _place(piece.words) | {
        "component": component and plain_text(component.text),
        "formula": str(formula) if formula else None,
        "numbers": {name: _json(value) for name, value in piece.numbers},
        "value": None if piece.value is None else _json(piece.value),
        "ultra_points": piece.ultra_points if component else None,
    }


def _place(words: Part) -> dict[str, object]:
    """Return words and their place in the card's text, counted from 0."""
    return {"words": words.text, "start": words.start, "end": words.end}


def _json(value: Fraction | int) -> int | str:
    return value.numerator if value.denominator == 1 else str(value)


# --- steps ----------------------------------------------------------------------------------------------------------


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
        result += f", {plural(derived.ultra_points, 'Ultra Point')}" if derived.ultra_points else ""
    summary = level_sum(derived, calculator.edition)
    return Derivation(result=result, summary=summary, numbers=tuple(numbers), steps=steps)


def _steps(derived: LevelDerivation, calculator: LevelCalculator) -> Iterator[DerivationStep]:
    """Yield the parts that count; sums and their rounding mean something only if the level follows."""
    terms = calculator.edition.terms
    if derived.stats:
        yield from _of_stats(derived.stats, terms, calculator.grammar)
        yield from _change_steps(derived.stats.value, derived.stats.level, 0, f"{terms.sp} and {terms.hp}")
    for each in derived.abilities:
        yield from map(_of_piece, each.pieces)
        if derived.is_sound:
            name = each.parts.name.text if each.parts.name else "ability"
            yield from _change_steps(each.value, each.level, each.least, name)
    if derived.is_sound:
        yield from _change_steps(derived.value, derived.level, derived.least, "card")


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
        extra=plural(piece.ultra_points, "Ultra Point") if piece.ultra_points else "",
        key="text",
        place=(piece.words.start, piece.words.end),
    )


def _change_steps(value: Fraction | int, level: Fraction | int, least: int, role: str) -> Iterator[DerivationStep]:
    """Yield how a sum became a level: rounded up, or raised to the least level; nothing if it is the level."""
    if level != value:
        words = "rounded up" if level == ceil(value) else f"at least {least}"
        yield DerivationStep(words=words, amount=_signed(level - value), role=role)


def _signed(value: Fraction | int) -> str:
    return number(value) if value < 0 else f"+{number(value)}"
