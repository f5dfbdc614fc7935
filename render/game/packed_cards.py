"""Cards as bytes: for the store, and for sets of so many cards that these do not stay in memory."""

from __future__ import annotations

import sys
from array import array
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct, structs

from render.base.caches import from_text
from render.base.lazily import AT_HAND, Lazily
from render.base.spill import Spill
from render.game.card_reading import CardReader
from render.game.cards import GameCard
from render.source.at_rest import DocumentAtRest, mapping_at_rest
from render.source.nodes import Document, Mapping


class Row(Struct, array_like=True):
    """A card: where its mapping and the value that gives its id begin and end in its item, its kind, and its other fields.

    `small` are the cards that it shows.
    """

    start: int
    end: int
    claimed: tuple[int, int]
    kind: str
    fields: msgspec.Raw
    small: tuple[Row, ...] = ()


ENCODER = msgspec.msgpack.Encoder(enc_hook=str)  # of paths


class Packing:
    """Turns the cards of a reader into rows and back. What all cards of a kind share, its reader gives again."""

    def __init__(self, reader: CardReader[Any, Any]) -> None:
        self._reader, self._of = reader, reader.card_type or GameCard
        apart = {"document", "node", "varied", "kind", "small", *reader.shared_fields}
        types = {**{each.name: each.type for each in structs.fields(self._of)}, **reader.field_types}
        own = [(name, of) for name, of in types.items() if name not in apart]
        self._names = [name for name, _ in own]
        made = msgspec.defstruct("Fields", own, array_like=True)
        self._fields = made
        self._decoder = msgspec.msgpack.Decoder(made, dec_hook=from_text)

    def row_of_all(self, card: GameCard, begin: int, claimed: tuple[int, int]) -> Row | None:
        """Return a card of an item that begins there in its file; None if a row cannot say all of it."""
        try:
            row = self._row(card, begin, claimed)
            return row if self.card(row, card.document, begin) == card else None
        except (msgspec.MsgspecError, ValueError, OverflowError, KeyError):  # such as a number of more than 64 bits
            return None

    def _row(self, card: GameCard, begin: int, claimed: tuple[int, int]) -> Row:
        fields = self._fields(*(getattr(card, name) for name in self._names))
        small = tuple(self._row(each, begin, claimed) for each in card.faces)
        node = card.node
        return Row(
            node.start - begin, node.end - begin, claimed, card.kind.value, msgspec.Raw(ENCODER.encode(fields)), small
        )

    def card(self, row: Row, document: Document, begin: int) -> Any:
        """Return the card of a row. KeyError, ValueError or MsgspecError if it is none of the reader's."""
        card = self._card(row, document, begin)
        return structs.replace(card, varied=self._reader.places_in_set) if card.variant else card

    def _card(self, row: Row, document: Document, begin: int) -> Any:
        fields = self._decoder.decode(row.fields)
        values = {name: getattr(fields, name) for name in self._names}
        values["id"] = sys.intern(values["id"])  # by which much is kept of a card
        shared = {**self._reader.shared(row.kind, values)}
        small = {"small": tuple(self._card(each, document, begin) for each in row.small)} if row.small else {}
        place = Mapping((), row.start + begin, row.end + begin)
        own = {**shared, **small, "document": document, "node": mapping_at_rest(place, document)}
        return self._of(**values, **own)


# --- cards at rest ----------------------------------------------------------------------------------------------------


def put_to_rest(cards: Iterable[GameCard], reader: CardReader[Any, Any]) -> Sequence[GameCard]:
    """Return the cards that a reader has read; many lie in a temporary file, and are read again when they are asked for.

    OSError, which names the folder of that file, if the disk is full.
    """
    cards = iter(cards)
    first = deque(islice(cards, AT_HAND + 1))
    if len(first) <= AT_HAND or not reader.card_type:
        return (*first, *cards)
    resting = _Resting(Packing(reader))
    while first:
        resting.put(first.popleft())
    for card in cards:
        resting.put(card)
    return Lazily(range(len(resting)), resting.card)


class _Resting:
    """Cards at rest, one after the other in a temporary file, but for those of which bytes cannot say all."""

    def __init__(self, packing: Packing) -> None:
        self._packing, self._spill = packing, Spill()
        self._decoder = msgspec.msgpack.Decoder(tuple[int, Row])
        self._documents: list[Document] = []
        self._awake: dict[int, GameCard] = {}
        self._begins = array("Q", [0])

    def __len__(self) -> int:
        return len(self._begins) - 1

    def put(self, card: GameCard) -> None:
        """Put a card to rest."""
        number, document = len(self), card.document
        if not self._documents or document is not self._documents[-1]:
            self._documents.append(document)
        is_at_rest = isinstance(document, DocumentAtRest) and not card.node.lost
        row = self._packing.row_of_all(card, 0, (0, 0)) if is_at_rest else None
        data = ENCODER.encode((len(self._documents) - 1, row)) if row else b""
        self._begins.append(self._begins[-1] + self._spill.put(data).length)
        if not row:
            self._awake[number] = card

    def card(self, number: int) -> GameCard:
        """Return the card with that number."""
        if number in self._awake:
            return self._awake[number]
        begin = self._begins[number]
        document, row = self._decoder.decode(self._spill.read(begin, self._begins[number + 1] - begin))
        card: GameCard = self._packing.card(row, self._documents[document], 0)
        return card
