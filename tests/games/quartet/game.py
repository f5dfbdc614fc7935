"""A quartet: beasts in families of four, compared by their figures, and tokens that only have a name."""

from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, ClassVar

from msgspec.structs import replace

from render.base.findings import Diagnostic, Severity
from render.game import card_reading, ids
from render.game.card_reading import CARD_KEYS, CardReader, Surroundings, card_file
from render.game.cards import CardPicture, GameCard, GameSet, place_of_key
from render.game.protocol import Game
from render.images.inspect import Artwork
from render.source import shapes
from render.source.fields import HIGHEST, Fields
from render.source.key_tables import FULL_LINE, LINE, Key, KeyTable, Value, whole
from render.source.shapes import Shape

FAMILY = 4  # beasts of a family


class Kind(Enum):
    """What a card is."""

    BEAST = "beast"
    TOKEN = "token"


def _art(fields: Fields, key: str, around: Surroundings) -> CardPicture | None:
    name = fields.text(key)
    file = card_reading.read_picture_file(fields, key, name, around.home) if name else None
    return CardPicture(name, file) if file else None


TOKEN = CARD_KEYS
BEAST = TOKEN + KeyTable(
    Key("family", FULL_LINE, needed=True, default=""),
    Key("weight", whole(1, HIGHEST), needed=True),
    Key("art", Value(card_reading.PICTURE, _art)),
)


class QuartetCard(GameCard, frozen=True, kw_only=True):
    """A beast with its family and its weight in kg, or a token."""

    game_name: ClassVar[str] = "quartet"

    kind: Kind
    family: str = ""
    weight: int | None = None
    art: CardPicture | None = None


class Reader(CardReader[Kind | None, QuartetCard]):
    """Reads cards by the table of their kind."""

    file = replace(card_reading.CARD, examples={"name": "Brown Bear", "family": "Bears", "weight": "300"})

    def recognize(self, fields: Fields) -> tuple[Kind | None, ids.Claim | None]:
        claim = card_reading.claimed_id(fields)
        return card_reading.read_kind(fields, Kind), claim

    def table(self, fields: Fields, what: Kind | None) -> KeyTable:
        return TOKEN if what is Kind.TOKEN else BEAST

    def card(self, fields: Fields, what: Kind | None, given: Mapping[str, Any]) -> QuartetCard | None:
        return QuartetCard(**self.values(fields, what, given)) if what else None


class QuartetSet(GameSet, frozen=True):
    """Quartets of one theme, which is on every card."""

    game_name: ClassVar[str] = "quartet"

    theme: str = ""
    cards: tuple[QuartetCard, ...] = ()


class Quartet(Game[QuartetCard, QuartetSet]):
    """The game; `protocol.Game` says what each member is for."""

    name = "quartet"
    templates = Path(__file__).parent / "templates"
    kinds = tuple(kind.value for kind in Kind)
    set_table = KeyTable(Key("theme", LINE, default=""))
    columns = ("id", "name", "family", "weight", "copies")

    def new_set(self, folder: Path, name: str) -> QuartetSet:
        return QuartetSet(folder=folder, name=name)

    def card_reader(self, around: Surroundings) -> Reader:
        return Reader(around)

    def card_file_schema(self, edition: int | None = None, kinds: object = ()) -> Shape:
        of_kinds = {Kind.BEAST: BEAST, Kind.TOKEN: TOKEN}
        return card_file(shapes.either(*(table.shape_in([kind.value]) for kind, table in of_kinds.items())))

    def values(
        self, card: QuartetCard, card_set: QuartetSet, artworks: Mapping[str, Artwork], least_type: float
    ) -> Mapping[str, object]:
        art = {"href": card.art.name} if card.art and artworks else None
        return {**self.parts(card), "theme": card_set.theme, "art": art, "least_type": least_type}

    def about(self, card: QuartetCard) -> str:
        return card.family or card.kind.value

    def words(self, card: QuartetCard) -> str:
        return f"{card.name} {card.family}".lower()

    def description(self, card: QuartetCard) -> str:
        return f"{card.family}, {card.weight} kg" if card.kind is Kind.BEAST else ""

    def slug(self, cards: Sequence[QuartetCard]) -> str:
        return f"{len({card.family for card in cards} - {''})} families"

    def parts(self, card: QuartetCard) -> Mapping[str, object]:
        return {"name": card.name, "kind": card.kind.value, "family": card.family, "weight": card.weight}

    def shared_parts(self, card_set: QuartetSet) -> object:
        return card_set.theme

    def judge(self, sets: Sequence[QuartetSet], edition: int | None = None) -> list[Diagnostic]:
        return [finding for card_set in sets for finding in _incomplete(card_set)]


def _incomplete(card_set: QuartetSet) -> list[Diagnostic]:
    families: dict[str, list[QuartetCard]] = {}
    for card in card_set.cards:
        families.setdefault(card.family, []).append(card)
    return [
        Diagnostic("R101", f"the family `{name}` has {len(cards)} of {FAMILY} beasts", severity=Severity.WARNING).at(
            place_of_key(cards[0], "family"), cards[0].id, "family"
        )
        for name, cards in families.items()
        if name and len(cards) != FAMILY
    ]


GAME = Quartet()
