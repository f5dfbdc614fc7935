"""A quartet: beasts in families of four, compared by their figures, and tokens that only have a name."""

from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import ClassVar

from msgspec.structs import replace

from render.base.findings import Diagnostic, Severity, has_errors
from render.game import card_keys, ids
from render.game.card_keys import CardReading, ReadCard, Surroundings
from render.game.cards import CardPicture, GameCard, GameSet, place_of_key
from render.game.protocol import Game
from render.images.inspect import Artwork
from render.source.fields import Fields
from render.source.key_tables import LINE, Key, KeyTable
from render.source.nodes import Document
from render.source.nodes import Mapping as Nodes
from tests.games.quartet.schemas import of_card_files

FAMILY = 4  # beasts of a family


class Kind(Enum):
    """What a card is."""

    BEAST = "beast"
    TOKEN = "token"


CARD = replace(card_keys.CARD, examples={"name": "Brown Bear", "family": "Bears", "weight": "300"})
KEYS = {
    Kind.BEAST: ("id", "name", "kind", "family", "weight", "art", "back", "copies", "draft"),
    Kind.TOKEN: ("id", "name", "kind", "back", "copies", "draft"),
}


class QuartetCard(GameCard, frozen=True, kw_only=True):
    """A beast with its family and its weight in kg, or a token."""

    game_name: ClassVar[str] = "quartet"

    kind: Kind
    family: str
    weight: int | None


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
    card_file_schema = of_card_files
    columns = ("id", "name", "family", "weight", "copies")

    def new_set(self, folder: Path, name: str) -> QuartetSet:
        return QuartetSet(folder=folder, name=name)

    def card_reader(self, around: Surroundings) -> ReadCard:
        def read(document: Document, node: Nodes) -> CardReading:
            fields = Fields(document=document, node=node, kind=CARD)
            claim = card_keys.claimed_id(fields)
            fields.card = claim.id if claim and ids.is_id(claim.id) else ""
            kind = card_keys.read_kind(fields, Kind)
            if kind:
                fields.check_keys(KEYS[kind])
            card = self._card(fields, kind or Kind.TOKEN, around)
            return CardReading(None if has_errors(fields.findings) else card, claim, tuple(fields.findings))

        return read

    def _card(self, fields: Fields, kind: Kind, around: Surroundings) -> QuartetCard:
        is_beast = kind is Kind.BEAST
        art = fields.text("art")
        file = card_keys.read_picture_file(fields, "art", art, around.home) if art else None
        return QuartetCard(
            id=fields.card,
            name=fields.words("name"),
            kind=kind,
            back=card_keys.read_back(fields, "back", around.card_set.backs.of(kind), around.home),
            copies=card_keys.read_copies(fields),
            draft=card_keys.read_draft(fields),
            art=CardPicture(art, file) if file else None,
            document=fields.document,
            node=fields.node,
            family=fields.words("family") if is_beast else "",
            weight=fields.whole("weight", 1) if is_beast and fields.given("weight") else None,
        )

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
