"""What the rules of a game that is written in YAML find: its `check` of cards, and the size of decks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from render.base.findings import Finding, Problem, Severity
from render.game.cards import DeckCard, place_of_key
from render.game.declared.card_reading import in_expressions
from render.game.declared.cards import DeclaredCard
from render.game.declared.reading.rules import CardRule, FieldValue, GameRules
from render.game.folder import GAME_FILE
from render.layout.templates.expressions import ExpressionFailed, ExpressionOverspent, evaluate, names_in


def findings_by_rules(card: DeclaredCard, given_up: set[str]) -> Iterator[Finding]:
    """Yield the rules of its kind that do not hold for a card, each at the field that the rule names first.

    A rule that asks for too much goes into `given_up`, and is not tried for other cards.
    """
    if not card.kind.rules:
        return
    for each in card.small:
        yield from findings_by_rules(each, given_up)
    if card.small:
        return
    values = in_expressions(card)
    for rule in card.kind.rules:
        found = None if rule.that in given_up else _broken(rule, values, card.kind.value, given_up)
        if found:
            key = next((name for name in values if name in names_in(rule.that) and card.node.get(name)), "name")
            yield found.at(place_of_key(card, key), card.id, key)


def _broken(rule: CardRule, values: dict[str, FieldValue], kind: str, given_up: set[str]) -> Problem | None:
    """Return what is said of a rule that does not hold, or cannot be judged; None if it holds."""
    try:
        holds = evaluate(rule.that, values)
    except ExpressionFailed as failed:
        if isinstance(failed, ExpressionOverspent):
            given_up.add(rule.that)
        hint = failed.hint or f"change the rule in `{GAME_FILE}`, below `check` of `{kind}`"
        return Problem("M041", f"a rule cannot be judged: {failed}, in `{rule.that}`", hint, Severity.UNSURE)
    return None if holds else Problem("M040", rule.message, rule.hint, rule.severity)


def findings_of_deck(rules: GameRules, cards: Sequence[DeckCard[DeclaredCard]]) -> list[Finding]:
    """Return what is wrong with the size of a deck, and with how often it has a card."""
    limits, size = rules.deck, sum(each.line.count for each in cards)
    found = list(_too_often(rules, cards))
    too_few = limits.least is not None and size < limits.least
    too_many = limits.most is not None and size > limits.most
    if cards and (too_few or too_many):
        most = f"at most {limits.most}" if too_many else f"at least {limits.least}"
        both = limits.least == limits.most
        wanted = f"{limits.least}" if both else most
        hint = (
            f"add {limits.least - size}"
            if too_few and limits.least is not None
            else f"remove {size - (limits.most or 0)}"
        )
        problem = Problem("M042", f"a deck of {rules.name} has {wanted} cards, found {size}", hint)
        found.append(problem.at(cards[0].line.span, field="cards"))
    return found


def _too_often(rules: GameRules, cards: Sequence[DeckCard[DeclaredCard]]) -> Iterator[Finding]:
    """Yield the cards that a deck has more often than their kind allows, or the game if the kind says nothing."""
    for each in cards:
        kind = each.card.kind
        most = rules.deck.copies if kind.copies is None else kind.copies
        if most is not None and each.line.count > most:
            what = "a card" if kind.copies is None else f"a {kind.value}"
            times = "once" if most == 1 else f"{most} times"
            message = f"a deck of {rules.name} has {what} at most {times}, found {each.line.count}"
            problem = Problem("M043", message, f"write `{each.line.card}: {most}`")
            yield problem.at(each.line.span, each.card.id, "cards")
