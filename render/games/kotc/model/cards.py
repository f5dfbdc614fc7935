"""Cards and sets as values: what a card file says, checked, in exact types."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field, replace
from pathlib import Path

from render.base.findings import Span
from render.sheets.options import SheetOptions
from render.sheets.output_options import USUAL, Outputs
from render.source.nodes import Document, Mapping, Node, Scalar, first_key


class Kind(enum.Enum):
    """The kind of a card: creatures up to the 11th Edition, minions from the 12th on, the others in every edition."""

    MINION = "minion"
    SPELL = "spell"
    CREATURE = "creature"
    PAWN = "pawn"
    TIP = "tip"


class Corner(enum.Enum):
    """The corner of the picture with the names of its author and license."""

    TOP_LEFT = "top-left"
    TOP_RIGHT = "top-right"
    BOTTOM_LEFT = "bottom-left"
    BOTTOM_RIGHT = "bottom-right"


class ArtFit(enum.Enum):
    """Whether a picture is shown whole in its box, or fills the box and is cropped."""

    CONTAIN = "contain"
    COVER = "cover"


@dataclass(frozen=True, slots=True)
class Art:
    """The picture of a card. `name` is its path as written, `file` the absolute path; it may not exist.

    `color` is that of the author's name on the picture: `white` or `black`.
    """

    name: str
    file: Path
    author: str = ""
    license: str = ""
    corner: Corner = Corner.TOP_LEFT
    color: str = "white"
    fit: ArtFit = ArtFit.CONTAIN


NO_BACK = "none"  # written for a card without a back


@dataclass(frozen=True, slots=True)
class CardBacks:
    """The backs of a set's cards, as written: `every` is for all kinds except those that have their own."""

    every: str = "back"
    of_kind: tuple[tuple[Kind, str], ...] = ()

    def of(self, kind: Kind) -> str:
        """Return the back of a kind."""
        return dict(self.of_kind).get(kind, self.every)


@dataclass(frozen=True, slots=True)
class Card:
    """A card of a set.

    `edition` is on its Edition Indicator, None if it has none; `era` is the edition by which it is read and drawn: the
    same one, if there is one. Up to the 11th Edition, `sp`, `hp` and `level` are what those editions call offense,
    defense and cost; they are None if a card has none, or if people write them on a pawn by hand.

    `back` is as written: the name of a template, a picture in the set's folder, or `none`. `document` and `node` are
    the card's place.
    """

    id: str
    name: str
    kind: Kind
    edition: int | None
    era: int
    level: int | None
    ultra_points: int
    sp: int | None
    hp: int | None
    text: str
    flavor: str
    art: Art | None
    credit: str
    back: str
    copies: int
    document: Document = field(compare=False, repr=False)
    node: Mapping = field(compare=False, repr=False)


_DEFAULT_SHEET = SheetOptions()


@dataclass(frozen=True, slots=True)
class CardSet:
    """A folder of cards. `edition` is for cards that give none; `red` says whether any text is drawn red.

    `least_type` is the size in mm below which built-in templates set no text if it fits; 0 for printing at home.
    `source` is the content of `set.yaml`.
    """

    folder: Path
    name: str
    edition: int | None = None
    credit: str = ""
    backs: CardBacks = CardBacks()
    red: bool = True
    sheet: SheetOptions = _DEFAULT_SHEET
    outputs: Outputs = USUAL
    cards: tuple[Card, ...] = ()
    least_type: float = 0.0
    source: tuple[Document, Mapping] | None = field(default=None, compare=False, repr=False)


MIN_TYPE = 1.4115  # mm: 4 pt, which print shops ask for since smaller letters fill in, and a little for rounding


def for_press(card_set: CardSet) -> CardSet:
    """Return the set as it is drawn for a press."""
    return replace(card_set, least_type=MIN_TYPE)


def ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 4th, 11th, 21st, as an Edition Indicator says it."""
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def indicator(edition: int | None) -> str:
    """Return the words of an Edition Indicator: `17th Edition`; "" for a card without one."""
    return "" if edition is None else f"{ordinal(edition)} Edition"


def place(card: Card, key: str) -> Span:
    """Return the place of a key's value (`text`, `art.file`); the card's first key if it is not given.

    `sp`, `hp` and `level` also find `offense`, `defense` and `cost`.
    """
    return card.document.span(_find(card, key) or first_key(card.node))


def place_within(card: Card, key: str, start: int, end: int) -> Span:
    """Return the place of the characters `start` to before `end` of a text of the card."""
    node = _find(card, key)
    return card.document.locate(node, start, end) if isinstance(node, Scalar) else place(card, key)


def place_of_back(card: Card, card_set: CardSet) -> Span:
    """Return where a card's back is named: in the card, else in the set, for its kind or for all."""
    if card.node.get("back") is not None or card_set.source is None:
        return place(card, "back")
    document, node = card_set.source
    back = node.get("back")
    return document.span((back.get(card.kind.value) if isinstance(back, Mapping) else back) or first_key(node))


OLD_NAMES = {"sp": "offense", "hp": "defense", "level": "cost"}  # the names of these keys up to the 11th Edition


def _find(card: Card, key: str) -> Node | None:
    node: Node | None = card.node
    for name in key.split("."):
        if not isinstance(node, Mapping):
            return node  # `art: a.jpg` is short for a mapping with one key
        node = node.get(name) or node.get(OLD_NAMES.get(name, name))
    return node
