"""The rules for the cards of a set: found once, and ready to calculate levels."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from render.base.caches import cached
from render.base.findings import Diagnostic, Refused
from render.games.kotc.editions.finding import find, known
from render.games.kotc.languages.finding import vocabulary
from render.games.kotc.languages.vocabulary import Vocabulary
from render.games.kotc.levels import costing
from render.games.kotc.levels.levels import LevelCalculator
from render.games.kotc.model.cards import ENGLISH, Card, CardSet
from render.games.kotc.model.edition import Edition


class Rules:
    """The rules of editions as the cards of one set find them; the set's folder may have its own."""

    def __init__(self, set_folder: Path) -> None:
        self._folder = set_folder
        self._found: dict[tuple[int, str], LevelCalculator | Refused | None] = {}

    def of(self, edition: int, language: str = ENGLISH) -> LevelCalculator | None:
        """Return the calculator of levels for the edition, by texts in a language; None if there are no rules of it.

        Refused with everything wrong in its data file or in that of the language, or if there are no words in it.
        """
        key = (edition, language)
        if key not in self._found:
            self._found[key] = self._find(edition, language)
        found = self._found[key]
        if isinstance(found, Refused):
            raise found
        return found

    def _find(self, edition: int, language: str) -> LevelCalculator | Refused | None:
        if edition not in dict(known(self._folder)):
            return None
        try:
            rules = find(edition, self._folder)
            return _calculator(rules, vocabulary(rules, language, self._folder))
        except Refused as refused:
            return refused


class _ThisSet(Struct, frozen=True, eq=False):
    """A set as a key: no other set is equal, even one that says the same, since its rules may be others by now."""

    card_set: CardSet

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ThisSet) and self.card_set is other.card_set

    def __hash__(self) -> int:
        return id(self.card_set)


def rules_of_set(card_set: CardSet) -> Rules:
    """Return the rules as the cards of a set find them: they are looked for once for each time that it is read."""
    return _rules_of(_ThisSet(card_set))


@cached(4)  # each keeps its set, and with it all cards
def _rules_of(this: _ThisSet) -> Rules:
    return Rules(this.card_set.folder)


@cached(32)
def _calculator(edition: Edition, words: Vocabulary) -> LevelCalculator:
    """Return the calculator of levels; cached, so that sets of one edition share its results."""
    return LevelCalculator(edition, words)


def work_out_numbers(card: Card, auto: tuple[str, ...], rules: Rules) -> Card | list[Diagnostic]:
    """Return the card with the numbers that it leaves to the rules of its edition, or why they do not tell."""
    if not auto:
        return card
    if card.edition is None:
        return costing.worked_out(card, auto, None)
    try:
        return costing.worked_out(card, auto, rules.of(card.edition, card.written_in))
    except Refused as refused:
        return list(refused.findings)


def review(card_set: CardSet) -> list[Diagnostic]:
    """Return what is wrong or doubtful about the numbers of a set's cards, by the editions of the cards."""
    rules = Rules(card_set.folder)
    return [finding for card in card_set.cards for finding in of_card(card, rules)]


def of_card(card: Card, rules: Rules) -> Iterable[Diagnostic]:
    """Return what is wrong or doubtful about a card's numbers; [] if its rules are unknown."""
    if card.edition is None:
        return ()
    try:
        calculator = rules.of(card.edition, card.written_in)
    except Refused as refused:
        return refused.findings
    return costing.findings(card, calculator) if calculator else ()
