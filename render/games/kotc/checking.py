"""What the rules of editions say of sets that can be drawn: are their numbers right, may their cards be played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from render.base.findings import Diagnostic, Severity
from render.game.cards import place_of_key
from render.games.kotc.editions.finding import find, known
from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.legality import legality
from render.games.kotc.legality.legality import doubts
from render.games.kotc.levels import rules
from render.games.kotc.model.cards import Card, CardSet, ordinal
from render.games.kotc.model.edition import Edition


def findings_by_rules(sets: Sequence[CardSet], number: int | None = None) -> list[Diagnostic]:
    """Return what the rules say of cards that can be drawn: whether their numbers are right and they are legal."""
    numbers = [finding for card_set in sets for finding in rules.review(card_set)]
    return [*numbers, *legality_findings(sets, number), *_missing_words(sets), *_doubts(sets, number)]


def _missing_words(sets: Iterable[CardSet]) -> list[Diagnostic]:
    """Return warnings about cards that are printed in a language for which they lack words."""
    foreign = [card_set for card_set in sets if any(card.printed for card in card_set.cards)]
    if not foreign:
        return []
    from render.games.kotc.translation import missing_words

    return [finding for card_set in foreign for finding in missing_words(card_set)]


def legality_findings(sets: Iterable[CardSet], number: int | None = None) -> list[Diagnostic]:
    """Return the rules' objections to cards: by the edition of that number, or by each card's own edition.

    Refused if there are no rules of that number. If the rules of a card's own edition are missing, or it has no
    edition, one finding per set says so.
    """
    found: list[Diagnostic] = []
    for card_set in sets:
        there = {each for each, _ in known(card_set.folder)}
        editions: dict[int, Edition | None] = {}
        for card in card_set.cards:
            wanted = number or card.edition
            if wanted and wanted not in editions:
                editions[wanted] = find(wanted, card_set.folder) if number is not None or wanted in there else None
                found += [] if editions[wanted] else [_unknown(card, wanted, there)]
            if wanted and (edition := editions[wanted]):
                found += legality.findings(card, edition)
        without = (card for card in card_set.cards if not number and card.edition is None)
        found += legality.findings_without_edition(without)
    return found


def illegal_in(card_set: CardSet) -> dict[int, dict[str, str]]:
    """Return for each known edition why cards, by their ids, may not be played in it."""
    found: dict[int, dict[str, str]] = {}
    for number in sorted(number for number, _ in known(card_set.folder)):
        errors = (each for each in legality_findings([card_set], number) if each.severity is Severity.ERROR)
        found[number] = {}
        for error in errors:
            found[number].setdefault(error.card, error.message)
    return found


def _doubts(sets: Iterable[CardSet], number: int | None) -> Iterator[Diagnostic]:
    """Yield for each set and edition why its rules may not tell the truth, at the first card."""
    for card_set in sets:
        there = {each for each, _ in known(card_set.folder)}
        first: dict[int, Card] = {}
        for card in card_set.cards:
            wanted = number or card.edition
            if wanted in there:
                first.setdefault(wanted, card)
        for wanted, card in first.items():
            for doubt in doubts(find(wanted, card_set.folder), card_set.folder):
                yield doubt.at(place_of_key(card, "edition"), card.id, "edition")


def _unknown(card: Card, wanted: int, there: set[int]) -> Diagnostic:
    message = f"cards of the {ordinal(wanted)} Edition are not judged: its rules are not installed"
    game = usual_grammar(wanted).cards
    later = [each for each in there if each > wanted and usual_grammar(each).cards is game]
    hint = "import its rules with `kotc edition import`"
    if later:
        hint = f"{hint}, or judge them by those of a later one with `--edition {min(later)}`"
    return Diagnostic("K011", message, hint, severity=Severity.WARNING).at(
        place_of_key(card, "edition"), card.id, "edition"
    )
