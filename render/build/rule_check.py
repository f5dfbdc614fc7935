"""What the rules find in the cards of a set: cards are judged again only if the result may have changed."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from render.base.findings import Finding, Span
from render.build.inputs import Inputs
from render.build.keys import key_digest
from render.build.manifest import Manifest
from render.game.cards import GameCard, GameSet
from render.game.registry import game_of


class RuleFindings(NamedTuple):
    """What the rules find, and what to remember: a digest of these rules and of the program, and rows for cards."""

    findings: tuple[Finding, ...]
    rules: str = ""
    checked: Mapping[str, tuple[str, int]] = {}


@contextmanager
def check_in_background(
    card_set: GameSet, before: Manifest, same: Container[str], inputs: Inputs, program: str
) -> Iterator[Callable[[], RuleFindings]]:
    """Let a second process judge cards, and give a function that returns what the rules find.

    For cards that are the `same` as in the build before, the same rules find what they found then, perhaps at other
    lines.
    """
    if card_set.deck:  # judged as a whole while it was read
        yield lambda: RuleFindings(card_set.ruled)
        return
    game = game_of(card_set)
    files = [(number, inputs.labels.label(file), file) for number, file in game.rule_files(card_set.folder)]
    digests = [(number, label, inputs.digest(label)) for number, label, _ in files]
    # What a set does not want to see is not remembered.
    rules = key_digest((program, digests, card_set.codes) if card_set.codes else (program, digests))
    # What is said of an edition without rules is said once, so one card more or less may be another one's turn.
    with_rules = {card.id for card in card_set.cards if game.rules_of(card) in {number for number, _, _ in files}}
    checked: dict[str, tuple[str, int]] = {}
    findings: list[Finding] = []
    todo = []
    for card in card_set.cards:
        mark, line = before.checked.get(card.id, ("", 0))
        is_same = mark == _mark(card) if mark else card.id in same  # the findings may quote its lines
        if before.rules != rules or card.id not in with_rules or not is_same:
            todo.append(card)
        elif mark:
            span = card.document.span(card.node)
            checked[card.id] = mark, span.line
            of_card = (each for each in before.report.rule_findings if each.card == card.id)
            findings += [moved(each, span.file, span.line - line) for each in of_card]
    cards = {card.id: card for card in card_set.cards}

    def remember(found: Sequence[Finding]) -> RuleFindings:
        """Return all findings. If any is not in the lines of a card, nothing is remembered, and all is judged again."""
        everything = (*findings, *found)
        for finding in found:
            card = cards.get(finding.card)
            if card is None or not _is_within(card, finding.span):
                return RuleFindings(everything)
            if card.id in with_rules and card.id not in checked:
                checked[card.id] = _mark(card), card.document.span(card.node).line
        return RuleFindings(everything, rules, checked)

    if not todo:
        yield lambda: remember(())
        return
    from render.game.sets.checking import judge_in_background

    with judge_in_background([replace(card_set, cards=tuple(todo))]) as judged:
        yield lambda: remember(judged())


def _mark(card: GameCard) -> str:
    """Return a digest of the lines of a card, and of what else its findings depend on besides the rules."""
    game = game_of(card)
    return key_digest((lines_of(card), game.rules_of(card), game.parts(card)))


def _is_within(card: GameCard, span: Span | None) -> bool:
    """Return whether a place is in the lines of a card; that of an alias is elsewhere, and moves by itself.

    A cell of a spreadsheet has a name, which does not move by lines.
    """
    whole = card.document.span(card.node)
    return bool(span and span.file == whole.file and not span.cell and whole.line <= span.line <= whole.end_line)


def lines_of(card: GameCard) -> str:
    """Return the text of all lines of a card."""
    text, node = card.document.text, card.node
    start, end = text.rfind("\n", 0, node.start) + 1, text.find("\n", node.end)
    return text[start : end if end >= 0 else None]


def moved(finding: Finding, file: Path, down: int) -> Finding:
    """Return a finding in the lines of a card that begins so many lines further down now."""
    span = finding.span
    if span is None:
        return finding
    return replace(finding, span=replace(span, file=file, line=span.line + down, end_line=span.end_line + down))
