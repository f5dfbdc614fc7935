"""Findings about a card's numbers by the rules of its edition, those left to the rules, and why none follow from words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec.structs import replace

from render.base.findings import Diagnostic, Severity, Span, plural, quoted
from render.base.patterns import regex
from render.game.cards import place_of_key, place_within
from render.games.kotc.editions.wording import pattern, plain_text
from render.games.kotc.files import keys
from render.games.kotc.levels.levels import AbilityLevel, LevelCalculator, LevelDerivation, Stats
from render.games.kotc.levels.stretches import ComponentText, LevelFault, WordingFlaw
from render.games.kotc.model.cards import OLD_NAMES, AnyKind, Card, Kind, ordinal
from render.games.kotc.model.edition import Abilities, AbilityCount, Edition, Role, Terms, UnknownWords

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
        key = keys.stat_key(LEVEL, card.grammar)
        yield _wrong(card, key, Diagnostic("V001", message, level_sum(derivation, edition), instead=right))
    # A card without the symbol is worth 0 (rulebook, "Card Types and Layout"), and that is the number then.
    if card.ultra_points != derivation.ultra_points:
        message = f"`{card.id}` has {plural(derivation.ultra_points, 'Ultra Point')}, not {card.ultra_points}"
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
    return f"{terms}: {plural(derivation.ultra_points, 'Ultra Point')}" if worth else "none of its components has any"


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


_SPOKEN = {
    Role.CAVEAT: ("a", "caveat"),
    Role.CONDITION: ("an", "activation condition"),
    Role.COST: ("an", "activation cost"),
    Role.TARGET: ("a", "target selection"),
    Role.EFFECT: ("an", "effect"),
}
# Their order is fixed: condition, costs, target selection, effects (guide, "Constructing Abilities").
_SPOT = {
    Role.CAVEAT: "it stands alone in the first line, and a creature has at most one",
    Role.CONDITION: "it stands before a colon",
    Role.COST: "it stands before an arrow",
    Role.TARGET: "it stands before a semicolon",
    Role.EFFECT: "it stands behind condition, costs and target selection",
}
_SPOT_OF_CLAUSES = _SPOT | {Role.COST: "it stands before a semicolon, once, behind the condition"}
_SPOT_OF_SENTENCES = {
    Role.CAVEAT: "it stands alone in the first line, and a creature has at most one",
    Role.CONDITION: "it is the first sentence of an ability",
    Role.COST: "it stands behind the condition, before the target selection, once in an ability",
    Role.TARGET: "it stands before the effects, once in an ability",
    Role.EFFECT: "it stands behind condition, cost and target selection",
}
_SPOTS = {Abilities.SENTENCES: _SPOT_OF_SENTENCES, Abilities.CLAUSES: _SPOT_OF_CLAUSES, Abilities.SUB_ABILITIES: _SPOT}
_CODES = {LevelFault.UNKNOWN: "V003", LevelFault.NO_TARGETS: "V004"}


def spoken(role: Role) -> str:
    """Return the name of a role in a message."""
    return _SPOKEN[role][1]


def problem(flaw: WordingFlaw, calculator: LevelCalculator, *, kind: AnyKind) -> Diagnostic:
    """Return why no level follows from the words, as a warning."""
    role = flaw.role or Role.EFFECT
    unread = [each for each in calculator.edition.unknown if each.section == role.plural]
    if flaw.fault is LevelFault.UNKNOWN and unread:
        return Diagnostic("V006", *_unread(flaw, role, unread, calculator), Severity.WARNING)
    return Diagnostic(_CODES.get(flaw.fault, "V005"), *_words(flaw, calculator, kind), Severity.WARNING)


def _words(flaw: WordingFlaw, calculator: LevelCalculator, kind: AnyKind) -> tuple[str, str]:
    """Return message and hint."""
    words = quoted(flaw.words.text)
    match flaw.fault:
        case LevelFault.UNKNOWN:
            return _unknown(flaw, calculator, kind)
        case LevelFault.NO_TARGETS:
            example = calculator.vocabulary.example(Role.TARGET)
            if calculator.grammar.of_sentences:
                return f"{words} has no target selection before it", f"write one before it, such as `{example}`"
            hint = f"begin its sentence with one, such as `{example};`"
            return f"{words} has no target selection before it", hint
        case LevelFault.NO_EFFECT:
            return f"the ability {words} has no effect", "add a sentence that says what it does"
        case LevelFault.NO_ABILITY:
            return f"a {kind.value} has one ability, and this one has none", "add a sentence that says what it does"
        case LevelFault.ABILITIES:
            rules = calculator.rules_of(kind)
            if rules and rules.abilities is AbilityCount.NONE:
                return f"a {kind.value} has no abilities, and this one has", "take them out"
            return f"a {kind.value} has one ability, and this one has more", "write it in one line"
        case LevelFault.COSTS:
            return "an ability has one activation cost, and this one has more", "remove the others"
        case LevelFault.NO_VALUE:
            formula = _formula(flaw, calculator)
            message = f"{words} has no level: its formula `{formula}` divides by 0 or less for these numbers"
            return message, "choose other numbers"


def _formula(flaw: WordingFlaw, calculator: LevelCalculator) -> str:
    found = calculator.vocabulary.find(flaw.role or Role.EFFECT, flaw.words.text)
    return str(found.component.level or found.component.factor) if found else ""


_OF_OTHER_PROGRAMS = r"\\[nrt]|</?[A-Za-z]+ */?>"  # line breaks and tags as people know them
_QUOTE = regex("^[“„«]|[”“»]$")  # around a whole text, as word processors set them
_ZERO = regex(r"\b0\b")  # "a positive, non-zero integer (i.e. at least 1)" (guide, "Constructing Abilities")


def _unknown(flaw: WordingFlaw, calculator: LevelCalculator, kind: AnyKind) -> tuple[str, str]:
    """Return message and hint for words that are no component, with the one that may be meant."""
    role = flaw.role or Role.EFFECT
    edition = f"the {ordinal(calculator.edition.number)} Edition"
    message = f"{quoted(flaw.words.text)} is no {_SPOKEN[role][1]} of {edition}"
    if _ZERO.search(flaw.words.text):
        return message, "the numbers of a component are at least 1"
    elsewhere = calculator.vocabulary.role_of(flaw.words.text)
    if elsewhere is Role.CAVEAT and kind is Kind.SPELL:  # "caveats can only be given to creatures" (guide, "Caveats")
        return message, "it is a caveat, and only creatures have caveats"
    if elsewhere is not None:
        return message, f"it is {' '.join(_SPOKEN[elsewhere])}: {_spot(elsewhere, calculator)}"
    # Words of an older edition are likelier than a slip of the pen.
    for rule in calculator.edition.rewordings:
        if pattern(rule.old).is_in(flaw.words.text):
            return message, f"{edition} writes `{plain_text(rule.new)}` for `{plain_text(rule.old)}`"
    if sign := re.search(_OF_OTHER_PROGRAMS, flaw.words.text):
        meant = "write lines below `text: |`" if sign[0][0] == "\\" else "leave it out, a text has no tags"
        return message, f"`{sign[0]}` would be printed as it stands: {meant}"
    if quote := _QUOTE.search(flaw.words.text):
        return message, f'`{quote[0]}` is no quote in YAML, and would be printed: write `"` in its place'
    near = calculator.vocabulary.nearest(role, flaw.words.text)
    listing = f"kotc effects WORDS --edition {calculator.edition.number}"
    if near:
        return message, f"the nearest is `{near}`; `{listing}` finds others, `kotc explain V003` says more"
    if role is Role.CONDITION and kind is not Kind.SPELL and calculator.grammar.has_sub_abilities:
        in_capitals = quoted(f"{flaw.words.text.strip().upper()}:")
        return message, f"if it is the name of the ability, write it in capitals: {in_capitals}"
    return message, f"`{listing}` finds what may be written, `kotc explain V003` says how"


def _spot(role: Role, calculator: LevelCalculator) -> str:
    """Return where a component of that role stands in the edition."""
    return _SPOTS[calculator.grammar.abilities][role]


def _unread(flaw: WordingFlaw, role: Role, unread: list[UnknownWords], calculator: LevelCalculator) -> tuple[str, str]:
    """Return message and hint for words that may be one of those that an import did not understand."""
    edition = f"the {ordinal(calculator.edition.number)} Edition"
    message = (
        f"{quoted(flaw.words.text)} may be {' '.join(_SPOKEN[role])} of {edition} that its import did not understand"
    )
    from difflib import SequenceMatcher

    near = max(unread, key=lambda each: SequenceMatcher(None, each.words, flaw.words.text).ratio())
    others = f", or {len(unread) - 1} more" if len(unread) > 1 else ""
    return message, f"line {near.line} of the page, {quoted(near.words)}{others}: write it into `{role.plural}`"
