"""What the rules of a game that is written in YAML find: its `check` of cards, and the size of decks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from render.base.findings import Diagnostic, quoted
from render.game.cards import DeckCard, place_of_key
from render.game.declared.card_reading import in_expressions
from render.game.declared.cards import DeclaredCard
from render.game.declared.reading.field_keys import FieldValue
from render.game.declared.reading.game_rules import GameRules
from render.layout.templates.expressions import ExpressionFailed, ExpressionOverspent, evaluate, fill_in, names_in
from render.source.nodes import Mapping, Node, Scalar
from render.source.nodes import Sequence as Nodes

Stopped = dict[tuple[str, str], list[tuple[DeclaredCard, ExpressionFailed]]]
"""The rules that stop, by kind and expression, with the cards for which they do."""


def findings_by_rules(rules: GameRules, cards: Iterable[DeclaredCard]) -> Iterator[Diagnostic]:
    """Yield the rules that do not hold for cards, each at the field that it names first; then the rules that stop.

    What stops is told once, at its place in the file of the game.
    """
    stopped: Stopped = {}
    for card in cards:
        yield from _of_card(card, stopped)
    yield from (_as_stopped(rules, *rule, failures) for rule, failures in stopped.items())


def _of_card(card: DeclaredCard, stopped: Stopped) -> Iterator[Diagnostic]:
    if not card.kind.rules:
        return
    for each in card.small:
        yield from _of_card(each, stopped)
    if card.small:
        return
    values = in_expressions(card)
    for rule in card.kind.rules:
        failures = stopped.get((card.kind.value, rule.that), [])
        # A rule that asks for too much takes a while, and is not tried for other cards.
        if failures and isinstance(failures[-1][1], ExpressionOverspent):
            continue
        try:
            holds = evaluate(rule.that, values)
            message, hint = ("", "") if holds else (_filled(rule.message, values), _filled(rule.hint, values))
        except ExpressionFailed as failed:
            stopped.setdefault((card.kind.value, rule.that), []).append((card, failed))
            continue
        if not holds:
            key = next((name for name in values if name in names_in(rule.that) and card.node.get(name)), "name")
            yield Diagnostic("M040", message, hint, rule.severity).at(place_of_key(card, key), card.id, key)


def _filled(text: str, values: dict[str, FieldValue]) -> str:
    """Return a text of a rule with what its expressions in `{{ }}` give; ExpressionFailed."""
    return " ".join(fill_in(text, values).split()) if "{" in text else text


def _as_stopped(
    rules: GameRules, kind: str, that: str, failures: Sequence[tuple[DeclaredCard, ExpressionFailed]]
) -> Diagnostic:
    """Return what is said of a rule that stops: why, and what the fields that it names are on the first card."""
    card, failed = failures[0]
    values = in_expressions(card)
    held = [f"`{name}` is {quoted(_in_words(values[name]))}" for name in sorted(names_in(that) & values.keys())]
    others = len({each.id for each, _ in failures} - {card.id})
    more = f"; it also stops for {others} other card{'s' * (others > 1)}" if others else ""
    where = f", where {' and '.join(held)}" if held else ""
    hint = failed.hint or _guarded(that, values) or "change the rule so that it fits this card, too"
    problem = Diagnostic("M041", f"`{that}` stops for `{card.id}`{where}: {failed}{more}", hint)
    return problem.at(rules.document.span(_node_of(rules, kind, that)), field="check")


def _guarded(that: str, values: dict[str, FieldValue]) -> str:
    """Return a hint on how to make a rule hold without the values that are missing; "" if none is."""
    missing = [name for name in values if name in names_in(that) and values[name] is None]
    asked = " or ".join(f"{name} is none" for name in missing)
    return f"write `{asked} or {f'({that})' if ' if ' in that else that}`, so that it holds without" if missing else ""


def _in_words(value: FieldValue) -> str:
    return "none" if value is None else f'"{value}"' if isinstance(value, str) else str(value)


def _node_of(rules: GameRules, kind: str, that: str) -> Node:
    """Return the expression of a rule as it stands in the file."""
    node = rules.node("kinds", kind, "check")
    items = node.items if isinstance(node, Nodes) else (node,)
    said = (item.get("that") for item in items if isinstance(item, Mapping))
    found = (each for each in said if isinstance(each, Scalar) and each.value.strip() == that.strip())
    return next(found, node or rules.document.root)


def findings_of_deck(rules: GameRules, cards: Sequence[DeckCard[DeclaredCard]]) -> list[Diagnostic]:
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
        problem = Diagnostic("M042", f"a deck of {rules.name} has {wanted} cards, found {size}", hint)
        found.append(problem.at(cards[0].line.span, field="cards"))
    return found


def _too_often(rules: GameRules, cards: Sequence[DeckCard[DeclaredCard]]) -> Iterator[Diagnostic]:
    """Yield the cards that a deck has more often than their kind allows, or the game if the kind says nothing."""
    for each in cards:
        kind = each.card.kind
        most = rules.deck.copies if kind.copies is None else kind.copies
        if most is not None and each.line.count > most:
            what = "a card" if kind.copies is None else f"a {kind.value}"
            times = "once" if most == 1 else f"{most} times"
            message = f"a deck of {rules.name} has {what} at most {times}, found {each.line.count}"
            problem = Diagnostic("M043", message, f"write `{each.line.card}: {most}`")
            yield problem.at(each.line.span, each.card.id, "cards")
