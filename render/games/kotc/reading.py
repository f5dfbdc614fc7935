"""Read the cards of a set, and calculate the numbers that they leave to the rules of their edition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from render.base.findings import Diagnostic
from render.game.card_keys import CardReading, Surroundings
from render.games.kotc.editions.finding import look_of
from render.games.kotc.files.card_file import Look, lacks_level, read_card, with_level
from render.games.kotc.model.cards import ENGLISH, Card, own_card, own_set
from render.source.nodes import Document, Mapping

if TYPE_CHECKING:
    from render.games.kotc.levels.rules import Rules
    from render.games.kotc.translation import CardTranslator


class CardReader:
    """Reads the cards of one set; the rules of an edition are found once."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._set = own_set(around.card_set)
        self._rules: Rules | None = None
        self._looks: dict[int, Look] = {}
        self._translator: CardTranslator | None = None

    def read(self, document: Document, node: Mapping) -> CardReading:
        """Return the result of reading the mapping of a card."""
        reading, auto = read_card(document, node, self._around, self._look_of)
        if lacks_level(reading.findings):
            reading = replace(reading, findings=with_level(reading.findings, self._right_level(reading), document))
        card = reading.flawed.card if reading.flawed else reading.card
        if card is None or not (auto or self._is_foreign):
            return reading
        return replace(reading, complete=partial(self._completed, own_card(card), auto))

    def _look_of(self, edition: int) -> Look:
        if edition not in self._looks:
            self._looks[edition] = look_of(edition, self._set.folder)
        return self._looks[edition]

    def _right_level(self, reading: CardReading) -> int | None:
        """Return the level of a card that gives none; None if the rules do not tell."""
        if not (reading.flawed and reading.flawed.judged) or self._names_another:
            return None
        from render.games.kotc.levels.rules import rules_of_set, work_out_numbers

        self._rules = self._rules or rules_of_set(self._set)
        found = work_out_numbers(own_card(reading.flawed.card), ("level",), self._rules)
        return found.level if isinstance(found, Card) else None

    @property
    def _is_foreign(self) -> bool:
        """Whether cards are written or printed in another language than English."""
        # A set whose own file is wrong may have no language, or one without words.
        return self._around.sound and self._names_another

    @property
    def _language_is_wrong(self) -> bool:
        """Whether the set names a language without words, so that nothing can be said of its texts."""
        return not self._around.sound and self._names_another

    @property
    def _names_another(self) -> bool:
        return (self._set.language or ENGLISH, self._set.written_in) != (ENGLISH, ENGLISH)

    def _completed(self, card: Card, auto: tuple[str, ...]) -> Card | Sequence[Diagnostic]:
        """Return the card in the language of the set, with the numbers of these keys, or why that cannot be."""
        from render.games.kotc.levels.rules import rules_of_set, work_out_numbers

        translated: Card | Sequence[Diagnostic] = card
        if self._is_foreign:
            from render.games.kotc.translation import CardTranslator

            self._translator = self._translator or CardTranslator(self._set)
            translated = self._translator.translated(card)
        if not auto or not isinstance(translated, Card) or self._language_is_wrong:
            return translated
        self._rules = self._rules or rules_of_set(self._set)
        return work_out_numbers(translated, auto, self._rules)
