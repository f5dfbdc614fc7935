"""Cards and sets as the core knows them. A game adds what it prints on its cards, in classes of its own."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping as MappingOf
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, Self, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from render.base.caches import cached
from render.base.codes import EVERY_CODE, CodeChoice
from render.base.findings import Diagnostic, Span
from render.base.geometry import Size
from render.base.lazily import where
from render.base.sizes import size_of_kind
from render.base.values import PartlyCompared
from render.game.home import Layers, SetOrDeck
from render.game.variants import Variant
from render.images.inspect import PLAIN, Framing
from render.sheets.options import USUAL, Outputs, SheetOptions
from render.source.at_rest import mapping_at_rest
from render.source.nodes import Document, Mapping, Node, Scalar, first_key, node_at

NO_BACK = "none"
"""Written for a card without a back."""

USUAL_BACK = "back"
"""The template for the backs of cards that name no other back."""

ART = "art.file"
"""The key of the picture that cards of every game may have."""

PICTURES = (".png", ".jpg", ".jpeg", ".svg", ".webp", ".avif")
"""The endings by which a `back` is a picture and not a template."""

MIN_TYPE = 1.4115  # mm: 4 pt, which print shops ask for since smaller letters fill in, and a little for rounding

_DEFAULT_SHEET = SheetOptions()


class CardPicture(Struct, frozen=True):
    """The picture of a card. `name` is its path as written, `file` the same path absolute; it may not exist.

    `alt` says what it shows.
    """

    name: str
    file: Path
    framing: Framing = PLAIN
    author: str = ""
    license: str = ""
    alt: str = ""

    @property
    def href(self) -> str:
        """What a template calls it; a card may have one file twice, framed in two ways."""
        mark = hashlib.sha256(repr(self.framing).encode("ascii")).hexdigest()[:8]
        return self.name if self.framing == PLAIN else f"{self.name}#{mark}"


class CardKind(Protocol):
    """What a card is: a member of an enumeration of its game, or a value with that name."""

    @property
    def value(self) -> Any:
        """The name of the kind, a text."""


def size_of(card: GameCard, usual: Size) -> Size:
    """Return the trim size of a card in mm: that of its kind, if its game gives kinds one, else that of its set."""
    return size_of_kind(getattr(card.kind, "size", ""), usual)


def cut_of(card: GameCard) -> str:
    """Return what a card is cut to (`sheets/cut_shapes`); "" for a rectangle."""
    return getattr(card.kind, "cut", "")


class GameCard(PartlyCompared, frozen=True, kw_only=True):
    """A card of a set.

    `kind` is the game's; its value names the template of the card's front, unless `template` does. `back` is as
    written: the name of a template, a picture in the set's folder, or `none`. A `draft` is a proposal that nobody has
    judged yet. `variant` is the one of its set in which the card is, "" for the card as it is, and `varied` are the
    places of the keys that its set gives it there. `document` and `node` are the card's place.
    """

    uncompared: ClassVar = frozenset({"document", "node", "varied"})
    game_name: ClassVar[str]
    other_keys: ClassVar[MappingOf[str, str]] = {}
    """Other names for keys of the card file."""

    id: str
    name: str
    kind: CardKind
    back: str
    copies: int
    art: CardPicture | None
    template: str = ""
    draft: bool = False
    variant: str = ""
    varied: tuple[tuple[str, Span], ...] = ()
    document: Document
    node: Mapping

    def gives_in_variant(self, key: str) -> bool:
        """Whether the card or its set gives a key for its variant alone."""
        return key in dict(self.varied) or in_variant(self.node, self.variant, key) is not self.node

    def at_rest(self, document: Document) -> Self:
        """Return the card with its place alone, in its file at rest."""
        return replace(self, document=document, node=mapping_at_rest(self.node, document))

    @property
    def pictures(self) -> MappingOf[str, CardPicture]:
        """Every picture file of the card, by the key that names it, such as `art.file`; a back is none of them."""
        return {ART: self.art} if self.art else {}

    @property
    def faces(self) -> tuple[GameCard, ...]:
        """The small cards that it shows, or its two sides as cards, each with its place; none of usual cards."""
        return ()

    @property
    def names(self) -> tuple[str, ...]:
        """Its name, and those of its faces."""
        return (self.name, *(face.name for face in self.faces))

    @property
    def has_own_back(self) -> bool:
        """Whether its back is drawn for this card alone: then `back` is a template, which sees the card."""
        return False

    @property
    def template_name(self) -> str:
        """The name of the template of the front."""
        return self.template or str(self.kind.value)

    @property
    def own_templates(self) -> tuple[str, ...]:
        """The names of the templates that see the card: that of its front, and of its back if that is its own."""
        return (self.template_name, self.back) if self.has_own_back else (self.template_name,)

    @property
    def main_picture(self) -> str:
        """The name of its first picture, by which cards are told that share one; "" if it has none."""
        return next((picture.name for picture in self.pictures.values()), "")

    @property
    def own_game(self) -> object | None:
        """The game, if it is none that `game_name` stands for."""
        return None


class CardTrait(Struct, frozen=True):
    """What cards are told apart by, such as how rare they are: what a card has of it, in words, perhaps several.

    `ranks` are numbers by which these are ordered, one for each; without them the alphabet does it.
    """

    label: str
    values: tuple[str, ...]
    ranks: tuple[float, ...] = ()


class CardFacts(Struct, frozen=True, kw_only=True):
    """What a game says of a card beside its picture: in lists, and to people who cannot see the picture.

    `kind` is the game's word for its kind. `rank` is the number by which its cards are ordered and `ranked` the same in
    words, such as `level 4`; None and "" for a card that has none. `told` says in one line what the card shows but its
    name; `text` is what is written on it in sentences, in lines. `credits` say who made it, each in one line. `traits`
    are what else cards are filtered and ordered by. `others` are the values that none of these tell, each in words by
    what people call it.
    """

    kind: str
    told: str
    rank: int | None = None
    ranked: str = ""
    text: str = ""
    credits: tuple[str, ...] = ()
    traits: tuple[CardTrait, ...] = ()
    others: tuple[tuple[str, str], ...] = ()

    @property
    def rank_label(self) -> str:
        """What people call the rank."""
        return re.sub(r"\s*-?[0-9]+$", "", self.ranked)


class FlawedCard(Struct, frozen=True):
    """A card without what is wrong with it. Nothing is made of it; it may have more mistakes, to be told at once.

    It is `judged` if what is wrong has no influence on what the rules say of it.
    """

    card: GameCard
    judged: bool


class UnreadCard(Struct, frozen=True):
    """A card that could not be read because of an error: where it is written, and what can be told of it all the same.

    `number` is its place among all cards as they are written; None for one that a deck does not have.
    """

    document: Document
    span: Span
    id: str
    name: str
    copies: int
    number: int | None


class _NoKind(Enum):
    UNKNOWN = ""


UNKNOWN_KIND = _NoKind.UNKNOWN
"""The kind of a missing card that could not be read."""


class MissingCard(GameCard, frozen=True, kw_only=True):
    """A card with an error on sheets that are made all the same: a marked blank with its name stands in its place.

    Nothing but sheets has it. `code` is that of its first error, and `key` the key that this is about, "" for none.
    """

    game_name: ClassVar[str] = ""

    kind: CardKind = UNKNOWN_KIND
    art: CardPicture | None = None
    code: str
    key: str


class CardBacks(Struct, frozen=True):
    """The backs of a set's cards, as written: `every` is for all kinds except those that have their own."""

    every: str = USUAL_BACK
    of_kind: tuple[tuple[str, str], ...] = ()

    def of(self, kind: CardKind) -> str:
        """Return the back of a kind."""
        return dict(self.of_kind).get(kind.value, self.every)


class DeckLine(Struct, frozen=True):
    """A line of a deck: a card, by its id or its name, perhaps behind its set's folder; and its count."""

    card: str
    count: int
    span: Span


Card_co = TypeVar("Card_co", bound=GameCard, covariant=True)


class DeckCard(Struct, Generic[Card_co], frozen=True):
    """A card of a deck with the copies that the deck has, and its line in the deck file."""

    card: Card_co
    line: DeckLine


class GameSet(PartlyCompared, SetOrDeck, frozen=True, kw_only=True):
    """A folder of cards, and how they are printed.

    `codes` are those of findings that its keeper wants to see. `cards` are sound, `flawed` are those with a mistake,
    `unread` those that could not be read. `missing` are marked blanks, each with its number among the cards on sheets.
    `least_type` is the size in mm below which built-in templates set no text if it fits; 0 for printing at home.
    `columns` are the keys that headings of its tables stand for, "" for those that are left out.
    `published` are the addresses of sheets by the names of the files in which they are kept. `source` is the content of `set.yaml`. `language` is the one in which its cards are printed: the first of
    `languages`, or another that was asked for; both are empty in a game whose cards have one language. `variants` are the
    names of those that it declares; of a `variant`, its cards are those that have it. `layers` of templates are on or off.

    A deck is a set of cards that lie in other sets: `deck` is its file, `folder` the folder of that, `parts` are the
    sets, each with its own sheet and its cards in the deck, and `ruled` is what the rules found that is no error. Of a
    part, `deck_backs` is where the deck names the backs of its cards.
    """

    uncompared: ClassVar = frozenset({"flawed", "unread", "source", "deck_backs", "ruled", "variants"})
    game_name: ClassVar[str]

    folder: Path
    name: str
    backs: CardBacks = CardBacks()
    sheet: SheetOptions = _DEFAULT_SHEET
    outputs: Outputs = USUAL
    codes: CodeChoice = EVERY_CODE
    columns: tuple[tuple[str, str], ...] = ()
    published: tuple[tuple[str, str], ...] = ()
    cards: Sequence[GameCard] = ()
    flawed: tuple[FlawedCard, ...] = ()
    unread: tuple[UnreadCard, ...] = ()
    missing: tuple[tuple[int, MissingCard], ...] = ()
    language: str = ""
    languages: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    variant: Variant = Variant()
    layers: Layers = ()
    least_type: float = 0.0
    source: tuple[Document, Mapping] | None = None
    deck: Path | None = None
    parts: tuple[GameSet, ...] = ()
    deck_backs: tuple[Document, Node] | None = None
    ruled: tuple[Diagnostic, ...] = ()

    @property
    def own_game(self) -> object | None:
        """The game, if it is none that `game_name` stands for."""
        return None

    @property
    def foreign(self) -> str:
        """The language in which it is printed, if that is not its own; else ""."""
        return "" if self.language == next(iter(self.languages), "") else self.language

    @property
    def subfolder(self) -> str:
        """The folder in that of its outputs for another language than its own, and for a variant; "" for neither."""
        return "/".join(filter(None, (self.foreign, self.variant.name)))


def published(card_set: GameSet) -> Sequence[GameCard]:
    """Return the cards as others get them, from a shop, on a table, in a gallery: without drafts, unless asked for."""
    return where(card_set.cards, lambda card: card_set.outputs.drafts or not card.draft)


def on_sheets(card_set: GameSet) -> Sequence[GameCard]:
    """Return the cards as sheets have them: with the marked blanks of missing cards in their places.

    Sheets for a press have no drafts unless they are asked for.
    """
    cards = published(card_set) if card_set.sheet.for_press else card_set.cards
    if not card_set.missing:
        return cards
    cards = [*cards]
    for number, card in sorted(card_set.missing, key=lambda each: each[0]):
        cards.insert(number, card)
    return tuple(cards)


SomeSet = TypeVar("SomeSet", bound=GameSet)


def homes(card_set: SomeSet) -> list[SomeSet]:
    """Return the sets in whose folders the cards lie: the set itself, or the sets of a deck, as the deck prints them.

    Each has the cards of `card_set` that are its own, in their order.
    """
    if not card_set.parts:
        return [card_set]
    cards: dict[tuple[Path, str], list[GameCard]] = {}
    for card in card_set.cards:
        cards.setdefault((home_of(card), card.variant), []).append(card)
    printed = {"sheet": card_set.sheet, "least_type": card_set.least_type}
    own = ((part, tuple(cards.get((part.folder, part.variant.name), ()))) for part in card_set.parts)
    return [replace(part, cards=found, **printed) for part, found in own if found]  # type: ignore[misc] # of one game


def home_of(card: GameCard) -> Path:
    """Return the folder of the set in which a card lies."""
    return _folder_of(card.document.file)


@cached(1024)  # each with its hash, which takes as long as ten of those of other values
def _folder_of(file: Path) -> Path:
    return file.parent


SharedBack: TypeAlias = tuple[Path, str, Size, str]
"""A back that cards share: the folder of their set, its name, and the trim size and the cut of the cards."""


def shared_back(card: GameCard, card_set: GameSet) -> SharedBack:
    """Return the back that a card shares with others."""
    return home_of(card), card.back, size_of(card, card_set.sheet.card_size), cut_of(card)


def with_each_back(card_set: GameSet) -> tuple[GameCard, ...]:
    """Return the first card with each back that cards share, in order; none of those without one."""
    firsts: dict[SharedBack, GameCard] = {}
    for card in card_set.cards:
        if card.back != NO_BACK and not card.has_own_back:
            firsts.setdefault(shared_back(card, card_set), card)
    return tuple(firsts.values())


@cached(1024)
def is_picture(back: str) -> bool:
    """Return whether a back, as written, is a picture in the set's folder rather than a template's name."""
    return Path(back).suffix.lower() in PICTURES


def same_id(deck: GameSet, card: str) -> str:
    """Return why a file cannot be made for each card of a deck in which two sets have one id."""
    names = " and ".join(f"`{part.output_name}/{card}`" for part in deck.parts if card in {c.id for c in part.cards})
    return f"{names} would both be written to `{card}`: give one of them another `id`"


def for_press(card_set: SomeSet) -> SomeSet:
    """Return the set as it is drawn for a press."""
    return replace(card_set, least_type=MIN_TYPE)


def place_of_key(card: GameCard, key: str) -> Span:
    """Return the place of a key's value (`text`, `art.file`, `faces.0.name`); the card's first key if it is not given.

    The items of a list are counted from 0.
    """
    return place_in_variant(card, key) or card.document.span(value_of_key(card, key) or first_key(card.node))


def is_given(card: GameCard, key: str) -> bool:
    """Return whether a card gives a key, or its set gives it in the variant of the card."""
    return place_in_variant(card, key) is not None or value_of_key(card, key) is not None


def place_in_variant(card: GameCard, key: str) -> Span | None:
    """Return the place of the value that the set gives a card for a key in its variant; None if it gives none."""
    place = dict(card.varied).get(key.partition(".")[0])
    return place if place and in_variant(card.node, card.variant, key) is card.node else None


def key_of_face(number: int, key: str) -> str:
    """Return a key of the small card with that number, from 0, as a key of the whole card: `faces.0.name`."""
    return f"faces.{number}.{key}"


def place_within(card: GameCard, key: str, start: int, end: int) -> Span:
    """Return the place of the characters `start` to before `end` of a text of the card."""
    node = None if place_in_variant(card, key) else value_of_key(card, key)
    return card.document.locate(node, start, end) if isinstance(node, Scalar) else place_of_key(card, key)


def place_of_back(card: GameCard, card_set: GameSet, of_game: Span | None = None) -> Span:
    """Return where a card's back is named: in the card, else in the deck or set, for its kind or for all, else `of_game`."""
    if is_given(card, "back") or card_set.source is None:
        return place_of_key(card, "back")
    if card_set.deck_backs:
        document, of_deck = card_set.deck_backs
        of_kind = of_deck.get(card.kind.value) if isinstance(of_deck, Mapping) else of_deck
        if of_kind:
            return document.span(of_kind)
    document, node = card_set.source
    back = node.get("back")
    named = back.get(card.kind.value) if isinstance(back, Mapping) else back
    return of_game if of_game and not named else document.span(named or first_key(node))


def place_of_sheet_key(card_set: GameSet, key: str) -> Span | None:
    """Return the place of a key under `sheet` in the file of a set or a deck; None if it is not written there."""
    for one in (card_set, *card_set.parts):
        document, node = one.source or (None, None)
        sheet = node.get("sheet") if node else None
        value = sheet.get(key) if isinstance(sheet, Mapping) else None
        if document and value:
            return document.span(value)
    return None


def place_of_layer(card_set: GameSet, layer: str) -> Span | None:
    """Return where `set.yaml` switches a layer: in its variant, else for all cards; None if it does not."""
    document, root = card_set.source or (None, None)
    for way in (("variants", card_set.variant.name, "layers"), ("layers",)):
        node: Node | None = root
        for name in way:
            node = node.get(name) if isinstance(node, Mapping) else None
        keys = (key for key, _ in node.entries if key.value == layer) if isinstance(node, Mapping) else ()
        if document and (key := next(iter(keys), None)):
            return document.span(key)
    return None


def value_of_key(card: GameCard, key: str) -> Node | None:
    """Return the node of a key's value, by whichever name the card gives it; None if it is not given."""
    return node_at(in_variant(card.node, card.variant, key), key.split("."), card.other_keys)


def in_variant(node: Mapping, variant: str, key: str) -> Mapping:
    """Return what gives a key of a card in a variant: what the card gives for that alone, else the card itself."""
    own: Node | None = node
    for name in ("variants", variant) if variant else ():
        own = own.get(name) if isinstance(own, Mapping) else None
    return own if isinstance(own, Mapping) and own.get(key.partition(".")[0]) else node
