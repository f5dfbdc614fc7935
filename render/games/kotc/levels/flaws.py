"""Why no level follows from the words of a card, as people read it, with what to do about it."""

from __future__ import annotations

import difflib
import re

from render.base.findings import Diagnostic, Severity, quoted
from render.games.kotc.editions.matching import pattern
from render.games.kotc.levels.components import plain_text
from render.games.kotc.levels.levels import LevelCalculator
from render.games.kotc.levels.stretches import LevelFault, WordingFlaw
from render.games.kotc.model.cards import AnyKind, Kind, ordinal
from render.games.kotc.model.edition import Abilities, AbilityCount, Role, UnknownWords

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
_LISTS = {
    Role.CAVEAT: "caveats",
    Role.CONDITION: "conditions",
    Role.COST: "costs",
    Role.TARGET: "targets",
    Role.EFFECT: "effects",
}


def spoken(role: Role) -> str:
    """Return the name of a role in a message."""
    return _SPOKEN[role][1]


def problem(flaw: WordingFlaw, calculator: LevelCalculator, *, kind: AnyKind) -> Diagnostic:
    """Return why no level follows from the words, as a warning."""
    role = flaw.role or Role.EFFECT
    unread = [each for each in calculator.edition.unknown if each.section == _LISTS[role]]
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
            example = calculator.components.example(Role.TARGET)
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
    found = calculator.components.find(flaw.role or Role.EFFECT, flaw.words.text)
    return str(found.component.level or found.component.factor) if found else ""


_OF_OTHER_PROGRAMS = r"\\[nrt]|</?[A-Za-z]+ */?>"  # line breaks and tags as people know them
_QUOTE = re.compile("^[“„«]|[”“»]$")  # around a whole text, as word processors set them
_ZERO = re.compile(r"\b0\b")  # "a positive, non-zero integer (i.e. at least 1)" (guide, "Constructing Abilities")


def _unknown(flaw: WordingFlaw, calculator: LevelCalculator, kind: AnyKind) -> tuple[str, str]:
    """Return message and hint for words that are no component, with the one that may be meant."""
    role = flaw.role or Role.EFFECT
    edition = f"the {ordinal(calculator.edition.number)} Edition"
    message = f"{quoted(flaw.words.text)} is no {_SPOKEN[role][1]} of {edition}"
    if _ZERO.search(flaw.words.text):
        return message, "the numbers of a component are at least 1"
    elsewhere = calculator.components.role_of(flaw.words.text)
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
    near = calculator.components.nearest(role, flaw.words.text)
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
    near = max(unread, key=lambda each: difflib.SequenceMatcher(None, each.words, flaw.words.text).ratio())
    others = f", or {len(unread) - 1} more" if len(unread) > 1 else ""
    return message, f"line {near.line} of the page, {quoted(near.words)}{others}: write it into `{_LISTS[role]}`"
