"""The quartet with decks: beasts of one or several sets, shared among players."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import structs

from render.base.findings import Diagnostic, Severity
from render.game.cards import DeckCard
from render.source.key_tables import Key, KeyTable, whole
from tests.games.quartet.game import Kind, Quartet, QuartetCard, QuartetSet


class QuartetDeck(QuartetSet, frozen=True):
    """A deck for a number of players."""

    players: int = 1


class QuartetWithDecks(Quartet):
    """The game with rules for its decks."""

    deck_table = KeyTable(Key("players", whole(1, 99), default=1))

    def is_played(self, card: QuartetCard) -> bool:
        return card.kind is Kind.BEAST

    def read_deck(self, common: QuartetSet, given: Mapping[str, Any]) -> QuartetDeck:
        values = {each.name: getattr(common, each.name) for each in structs.fields(common)}
        return QuartetDeck(**values, **given)

    def judge_deck(self, deck: QuartetSet, cards: Sequence[DeckCard[QuartetCard]]) -> list[Diagnostic]:
        assert isinstance(deck, QuartetDeck)
        spare = sum(each.line.count for each in cards) % deck.players
        if not spare:
            return []
        message = f"{deck.players} players cannot share the cards evenly: {spare} too many"
        return [Diagnostic("R102", message, severity=Severity.WARNING).at(cards[-1].line.span, field="cards")]


GAME = QuartetWithDecks()
