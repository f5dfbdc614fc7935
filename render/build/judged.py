"""What the rules find in the cards of a set: cards are judged again only if the result may have changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from render.base.findings import Finding, Problem, Severity, Span
from render.build.state.inputs import Inputs
from render.build.state.keys import key_digest
from render.build.state.manifest import Manifest
from render.game.cards import GameCard, GameSet
from render.game.registry import game_of


@dataclass(frozen=True, slots=True)
class Ruled:
    """What the rules find, a digest of these rules and of the program, and what to remember of it."""

    findings: tuple[Finding, ...] = ()
    rules: str = ""
    memory: str = ""


@contextmanager
def judge_meanwhile(
    card_set: GameSet, before: Manifest, same: Container[str], inputs: Inputs, program: str
) -> Iterator[Callable[[], Ruled]]:
    """Let a second process judge cards, and give a function that returns what it finds.

    For cards that are the `same` as in the build before, the same rules find what they found then, perhaps at other
    lines.
    """
    if card_set.deck:  # judged as a whole while it was read
        yield lambda: Ruled(card_set.ruled)
        return
    rules, known = _rules(card_set, inputs, program)
    memory = _read(before.report.ruled) if before.report.ruled_by == rules else None
    rules_of, places = game_of(card_set).rules_of, _Places()
    found = (
        {card.id: _again(card, memory.get(card.id), same, places) for card in card_set.cards}
        if memory is not None
        else {}
    )
    # What is said of an edition without rules is said once, so one card more or less may be another one's turn.
    known_cards = {card.id for card in card_set.cards if rules_of(card) in known and found.get(card.id) is not None}
    todo = tuple(card for card in card_set.cards if card.id not in known_cards)
    kept = [finding for name in sorted(known_cards) for finding in found[name] or ()]
    if not todo:
        yield lambda: _ruled(card_set, kept, rules, known, places)
        return
    from render.game.sets.checking import judge_in_background

    with judge_in_background([replace(card_set, cards=todo)]) as findings:
        yield lambda: _ruled(card_set, [*kept, *findings()], rules, known, places)


def _rules(card_set: GameSet, inputs: Inputs, program: str) -> tuple[str, Collection[object]]:
    """Return a digest of all rules that there are for the set, and their names."""
    known = game_of(card_set).rule_files(card_set.folder)
    files = [(number, inputs.labels.label(file), inputs.digest_of(file)) for number, file in known]
    # What a set does not want to see is not remembered.
    marked = (program, files, card_set.codes) if card_set.codes else (program, files)
    return key_digest(marked), frozenset(number for number, _ in known)


# --- remembering ----------------------------------------------------------------------------------------------------

_Row = Sequence[Any]
"""For a card: a digest of its lines, its first line, and its findings."""


class _Place(NamedTuple):
    """Where a card stands, and a digest of its lines and of what else its findings depend on besides the rules."""

    mark: str
    span: Span


class _Places(dict[str, _Place]):
    """The places of cards, by id: each is asked for when a finding is recalled, and again to remember it."""

    def of(self, card: GameCard) -> _Place:
        """Return the place of a card."""
        if card.id not in self:
            self[card.id] = _Place(_mark(card), card.document.span(card.node))
        return self[card.id]


def _ruled(
    card_set: GameSet, findings: Sequence[Finding], rules: str, known: Container[object], places: _Places
) -> Ruled:
    """Return the findings. If any is not about a card of the set, nothing is remembered, and all is judged again."""
    cards, rules_of = {card.id: card for card in card_set.cards}, game_of(card_set).rules_of
    rows: dict[str, tuple[str, int, list[_Row]]] = {}
    for finding in findings:
        card, span = cards.get(finding.card), finding.span
        if card is None or span is None or span.file != card.document.file:
            return Ruled(tuple(findings), "", "")
        place = places.of(card)
        if not _is_within(place.span, span):
            return Ruled(tuple(findings), "", "")
        if rules_of(card) in known:
            rows.setdefault(card.id, (place.mark, place.span.line, []))[2].append(_said(finding, span))
    # In the order of the cards: which of them were judged again must not show.
    return Ruled(tuple(findings), rules, json.dumps({name: rows[name] for name in cards if name in rows}))


def _is_within(whole: Span, span: Span) -> bool:
    """Return whether a place is in the lines of a card; that of an alias is elsewhere, and moves by itself.

    A cell of a spreadsheet has a name, which does not move by lines.
    """
    return span.cell is None and whole.line <= span.line <= whole.end_line


def _read(memory: str) -> Mapping[str, _Row]:
    try:
        rows = json.loads(memory or "{}")
    except (ValueError, RecursionError):
        return {}
    return rows if isinstance(rows, dict) else {}


def _again(card: GameCard, row: _Row | None, same: Container[str], places: _Places) -> Iterable[Finding] | None:
    """Return what the rules found in a card before; None if it must be judged again."""
    if row is None:
        return () if card.id in same else None
    try:
        mark, line, said = row
        # The findings may quote its lines.
        place = places.of(card)
        if mark != place.mark:
            return None
        return [_heard(card, each, place.span.line - line) for each in said]
    except (TypeError, ValueError, OverflowError):  # not written by this program
        return None


def _mark(card: GameCard) -> str:
    """Return a digest of the lines of a card, and of what else its findings depend on besides the rules."""
    text = card.document.text
    start, end = text.rfind("\n", 0, card.node.start) + 1, text.find("\n", card.node.end)
    return key_digest(
        (text[start : end if end >= 0 else None], game_of(card).rules_of(card), game_of(card).parts(card))
    )


def _said(finding: Finding, span: Span) -> _Row:
    place = (span.line, span.column, span.end_line, span.end_column, span.excerpt)
    return (finding.code, finding.severity.value, finding.message, finding.hint, finding.field, *place)


def _heard(card: GameCard, said: _Row, down: int) -> Finding:
    """Return a remembered finding, moved down by that many lines."""
    *words, line, column, end_line, end_column, excerpt = said
    code, severity, message, hint, field = map(str, words)
    lines = int(line) + down, int(end_line) + down
    span = Span(
        file=card.document.file,
        line=lines[0],
        column=int(column),
        end_line=lines[1],
        end_column=int(end_column),
        excerpt=str(excerpt),
    )
    return Problem(code, message, hint, severity=Severity(severity)).at(span, card.id, field)
