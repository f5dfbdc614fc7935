"""Cards and sets of games that are written in YAML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

from msgspec.structs import replace

from render.game.cards import ART, CardPicture, GameCard, GameSet, key_of_face
from render.game.declared.reading.field_keys import FieldValue
from render.game.declared.reading.kind_keys import DeclaredKind
from render.game.protocol import Game
from render.source.nodes import Document

BETWEEN = " // "
"""Stands between the names of the small cards that a card shows, and between their texts."""


class DeclaredCard(GameCard, frozen=True, kw_only=True):
    """A card with the values of all fields of its game, derived ones included: empty for those that it has not.

    `shown_pictures` are those of fields of pictures. `written_as` are the keys of fields that it gives by another
    name. `small` are the cards that it shows, if its kind has several. `said` is what it says in the `language` in
    which it is printed, if that is not the set's own, by key.
    """

    uncompared: ClassVar = GameCard.uncompared | {"of_game"}

    of_game: Game[Any, Any]
    kind: DeclaredKind
    values: tuple[tuple[str, FieldValue], ...] = ()
    shown_pictures: tuple[tuple[str, CardPicture], ...] = ()
    written_as: tuple[tuple[str, str], ...] = ()
    small: tuple[DeclaredCard, ...] = ()
    said: tuple[tuple[str, FieldValue], ...] = ()
    language: str = ""

    def at_rest(self, document: Document) -> Self:
        small = tuple(each.at_rest(document) for each in self.small)
        return replace(super().at_rest(document), small=small)

    @property
    def game_name(self) -> str:  # type: ignore[override] # each game has cards of this class
        """What the game is known by: its folder."""
        return self.of_game.name

    @property
    def other_keys(self) -> Mapping[str, str]:  # type: ignore[override] # as above
        """The other names by which the card, or a small card, gives its fields."""
        return {name: alias for each in (*self.small, self) for name, alias in each.written_as}

    @property
    def own_game(self) -> Game[Any, Any]:
        """The game, which no name stands for."""
        return self.of_game

    @property
    def pictures(self) -> Mapping[str, CardPicture]:
        """The picture that every card may have, those of its fields, and those that only a small card has."""
        own = {**({ART: self.art} if self.art else {}), **dict(self.shown_pictures)}
        small = {
            key_of_face(number, key): picture
            for number, each in enumerate(self.small)
            for key, picture in each.pictures.items()
            if own.get(key) != picture
        }
        return {**own, **small}

    @property
    def faces(self) -> tuple[DeclaredCard, ...]:
        """The small cards that it shows, or its two sides."""
        return self.small

    @property
    def has_own_back(self) -> bool:
        """Whether its small cards are its two sides."""
        return self.kind.has_two_sides


class DeclaredSet(GameSet, frozen=True, kw_only=True):
    """A set of such a game."""

    uncompared: ClassVar = GameSet.uncompared | {"of_game"}

    of_game: Game[Any, Any]
    cards: Sequence[DeclaredCard] = ()

    @property
    def game_name(self) -> str:  # type: ignore[override] # each game has sets of this class
        """What the game is known by: its folder."""
        return self.of_game.name

    @property
    def own_game(self) -> Game[Any, Any]:
        """The game, which no name stands for."""
        return self.of_game
