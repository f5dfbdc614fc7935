"""Read the cards of a set, and calculate the numbers that they leave to the rules of their edition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from render.base.findings import Finding
from render.game.card_keys import CardReading, Surroundings
from render.games.kotc.files.card_file import LAST_EDITION, least_text, read_card
from render.games.kotc.model.cards import Card, CardSet, own_card
from render.source.fields import Fields
from render.source.nodes import Document, Mapping

if TYPE_CHECKING:
    from render.games.kotc.levels.rules import Rules


def read_set(fields: Fields, card_set: CardSet) -> CardSet:
    """Return the set with what its `set.yaml` says for this game alone."""
    return replace(
        card_set,
        edition=fields.whole("edition", 1, LAST_EDITION),
        credit=fields.text("credit"),
        red=fields.truth("red", default=card_set.red),
        least_text=least_text(fields),
    )


class CardReader:
    """Reads the cards of one set; the rules of an edition are found once."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._rules: Rules | None = None

    def read(self, document: Document, node: Mapping) -> CardReading:
        """Return the result of reading the mapping of a card."""
        reading, auto = read_card(document, node, self._around)
        if reading.card is None or not auto:
            return reading
        return replace(reading, complete=partial(self._completed, own_card(reading.card), auto))

    def _completed(self, card: Card, auto: tuple[str, ...]) -> Card | Sequence[Finding]:
        """Return the card with the numbers of these keys, or why the rules do not tell them."""
        from render.games.kotc.levels.rules import Rules, work_out_numbers  # noqa: PLC0415 - most sets do without, and start sooner

        self._rules = self._rules or Rules(self._around.card_set.folder)
        return work_out_numbers(card, auto, self._rules)
