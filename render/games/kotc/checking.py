"""All that is wrong or doubtful about sets that were read: whether they can be drawn, their numbers, their legality."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from render.base.findings import Finding, Problem, Refused, Severity, has_errors
from render.base.forking import FEWEST, in_background
from render.games.kotc.drawing import faces
from render.games.kotc.editions.finding import find, known
from render.games.kotc.files.keys import is_old
from render.games.kotc.legality import legality
from render.games.kotc.levels import rules
from render.games.kotc.model.cards import Card, CardSet, ordinal, place
from render.games.kotc.model.edition import Edition


def findings(sets: Sequence[CardSet], found: Iterable[Finding], number: int | None = None) -> list[Finding]:
    """Return `found`, which is what loading the sets gave, and what else is to be said of them.

    With a number, cards are held to the rules of that edition. Refused if there are no such rules; and, before any card
    is held to rules, if one cannot be read or drawn.
    """
    everything = [*found, *(finding for card_set in sets for finding in faces.findings(card_set))]
    if has_errors(everything):
        raise Refused(everything)
    return everything + findings_by_rules(sets, number)


@contextmanager
def judged(sets: Sequence[CardSet], *, strict: str = "") -> Iterator[Callable[[], Sequence[Finding]]]:
    """Let sets be judged by the rules of their cards' editions, and give what asks for the findings.

    Many cards are judged by a second process meanwhile, few when that is asked for. With words for `strict` they are
    judged at once; Refused, with these words, if the rules find anything.
    """
    if not strict:
        with in_background(
            lambda: [_said_by_rules(sets)], worth=sum(len(card_set.cards) for card_set in sets) >= FEWEST
        ) as results:
            yield partial(next, results, ())
        return
    found = _said_by_rules(sets)
    if found:
        raise Refused(found, strict)
    yield tuple


def _said_by_rules(sets: Sequence[CardSet]) -> list[Finding]:
    """Return what the rules find, and what is wrong with the rules themselves."""
    try:
        return findings_by_rules(sets)
    except Refused as refused:
        return [*refused.findings]


def is_by_rules(finding: Finding) -> bool:
    """Whether a finding is one of the rules, not of how files are written or cards are drawn."""
    return finding.code.startswith(("V", "K"))


def findings_by_rules(sets: Sequence[CardSet], number: int | None = None) -> list[Finding]:
    """Return what the rules of editions say of cards that can be drawn: are their numbers right, are they legal."""
    numbers = [finding for card_set in sets for finding in rules.review(card_set)]
    return numbers + legality_findings(sets, number)


def legality_findings(sets: Iterable[CardSet], number: int | None = None) -> list[Finding]:
    """Return what the rules hold against cards: those of the edition of the number, or of each card's own.

    Refused if there are no rules of that number. Where those of a card's own edition are not there, or it has no
    edition, that is said once for a set.
    """
    found: list[Finding] = []
    for card_set in sets:
        rules_for = _rules(card_set, found, asked=number is not None)
        for card in card_set.cards:
            wanted = number or card.edition
            edition = rules_for(card, wanted) if wanted else None
            if edition:
                found += legality.findings(card, edition)
        without = (card for card in card_set.cards if not number and card.edition is None)
        found += legality.findings_without_edition(without)
    return found


def _rules(card_set: CardSet, found: list[Finding], *, asked: bool) -> Callable[[Card, int], Edition | None]:
    """Return what gives the rules by which a card is judged; where there are none, that is noted once."""
    there = {each for each, _ in known(card_set.folder)}
    editions: dict[int, Edition | None] = {}

    def of(card: Card, wanted: int) -> Edition | None:
        if wanted not in editions:
            editions[wanted] = find(wanted, card_set.folder) if asked or wanted in there else None
            if editions[wanted] is None:
                found.append(_unknown(card, wanted, there))
        return editions[wanted]

    return of


def _unknown(card: Card, wanted: int, there: set[int]) -> Finding:
    message = f"cards of the {ordinal(wanted)} Edition are not judged: its rules are not there"
    later = [each for each in there if each > wanted and is_old(each) == is_old(wanted)]
    hint = "make its rules known with `kotc edition import`"
    if later:
        hint = f"{hint}, or judge them by those of a later one with `--edition {min(later)}`"
    return Problem("K011", message, hint, severity=Severity.WARNING).at(place(card, "edition"), card.id, "edition")
