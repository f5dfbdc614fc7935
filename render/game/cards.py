"""Cards and sets as the core knows them. A game adds what it prints on its cards, in classes of its own."""

from __future__ import annotations

from collections.abc import Mapping as MappingOf
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import ClassVar, TypeVar

from render.base.findings import Span
from render.sheets.options import SheetOptions
from render.sheets.output_options import USUAL, Outputs
from render.source.nodes import Document, Mapping, Node, Scalar, first_key

NO_BACK = "none"
"""Written for a card without a back."""

USUAL_BACK = "back"
"""The template for the backs of cards that name no other back."""

MIN_TYPE = 1.4115  # mm: 4 pt, which print shops ask for since smaller letters fill in, and a little for rounding

_DEFAULT_SHEET = SheetOptions()


@dataclass(frozen=True, slots=True)
class CardPicture:
    """The picture of a card. `name` is its path as written, `file` the same path absolute; it may not exist."""

    name: str
    file: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCard:
    """A card of a set.

    `kind` is an enumeration of the game; its value names the template of the card's front. `back` is as written: the
    name of a template, a picture in the set's folder, or `none`. `document` and `node` are the card's place.
    """

    game_name: ClassVar[str]
    other_keys: ClassVar[MappingOf[str, str]] = {}
    """Other names for keys of the card file."""

    id: str
    name: str
    kind: Enum
    back: str
    copies: int
    art: CardPicture | None
    document: Document = field(compare=False, repr=False)
    node: Mapping = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class CardBacks:
    """The backs of a set's cards, as written: `every` is for all kinds except those that have their own."""

    every: str = USUAL_BACK
    of_kind: tuple[tuple[str, str], ...] = ()

    def of(self, kind: Enum) -> str:
        """Return the back of a kind."""
        return dict(self.of_kind).get(kind.value, self.every)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSet:
    """A folder of cards, and how they are printed.

    `least_type` is the size in mm below which built-in templates set no text if it fits; 0 for printing at home.
    `source` is the content of `set.yaml`. `language` is the one in which its cards are printed: the first of
    `languages`, or another that was asked for; both are empty in a game whose cards have one language.
    """

    game_name: ClassVar[str]

    folder: Path
    name: str
    backs: CardBacks = CardBacks()
    sheet: SheetOptions = _DEFAULT_SHEET
    outputs: Outputs = USUAL
    cards: tuple[GameCard, ...] = ()
    language: str = ""
    languages: tuple[str, ...] = ()
    least_type: float = 0.0
    source: tuple[Document, Mapping] | None = field(default=None, compare=False, repr=False)

    @property
    def subfolder(self) -> str:
        """The folder in that of its outputs for prints in another language than its own; "" for its own."""
        return "" if self.language == next(iter(self.languages), "") else self.language


SomeSet = TypeVar("SomeSet", bound=GameSet)


def for_press(card_set: SomeSet) -> SomeSet:
    """Return the set as it is drawn for a press."""
    return replace(card_set, least_type=MIN_TYPE)


def place_of_key(card: GameCard, key: str) -> Span:
    """Return the place of a key's value (`text`, `art.file`); the card's first key if it is not given."""
    return card.document.span(_find(card, key) or first_key(card.node))


def place_within(card: GameCard, key: str, start: int, end: int) -> Span:
    """Return the place of the characters `start` to before `end` of a text of the card."""
    node = _find(card, key)
    return card.document.locate(node, start, end) if isinstance(node, Scalar) else place_of_key(card, key)


def place_of_back(card: GameCard, card_set: GameSet) -> Span:
    """Return where a card's back is named: in the card, else in the set, for its kind or for all."""
    if card.node.get("back") is not None or card_set.source is None:
        return place_of_key(card, "back")
    document, node = card_set.source
    back = node.get("back")
    return document.span((back.get(card.kind.value) if isinstance(back, Mapping) else back) or first_key(node))


def _find(card: GameCard, key: str) -> Node | None:
    node: Node | None = card.node
    for name in key.split("."):
        if not isinstance(node, Mapping):
            return node  # `art: a.jpg` is short for a mapping with one key
        node = node.get(name) or node.get(card.other_keys.get(name, name))
    return node
