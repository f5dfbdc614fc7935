"""A card read back from its picture, field by field, each with how sure it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from io import BytesIO

import numpy as np
from PIL import Image

from render.games.kotc.model import ability
from render.games.kotc.model.cards import OLD_NAMES, Kind
from render.games.kotc.recognition.card_places import NUMBERS, Frame, Place, background, places
from render.games.kotc.recognition.frames import NEW, OLD, frame_of, sheet_of
from render.games.kotc.recognition.line_reading import Sheet
from render.games.kotc.recognition.long_texts import Written, lines_text
from render.games.kotc.recognition.registration import CardPicture, cut_out
from render.games.kotc.recognition.short_texts import Said, edition, line_text, number
from render.games.kotc.recognition.sureness import SURE
from render.text.fitting import TextBox

_REACH = {"sp": 6.2, "level": 5.2, "hp": 6.2, "ultra_points": 1.6}  # mm to both sides of a number's middle
_TEXT_SIZES = 1.2, 4.46  # mm: 3.4 to 12.6 pt
_FLAVOR_SIZES = 1.0, 1.41


@dataclass(frozen=True, slots=True)
class FieldReading:
    """What a picture says of a key of a card file, and how sure that is: 0 to 1. None: the card has no such key."""

    value: str | int | None
    sure: float

    @property
    def is_sure(self) -> bool:
        """Whether it may be written: of 1000 such readings, at most 5 are expected to be wrong."""
        return self.sure >= SURE


@dataclass(frozen=True, slots=True)
class CardReading:
    """A card as its picture shows it: fields by the keys of card files.

    `art` is the box of the picture as a PNG file, None if the card shows the placeholder or nothing. `padlock` and `red`
    are what the picture shows; `notes` say where that is not what the rules would draw. `text_size` is in mm, 0 without
    a text.
    """

    fields: Mapping[str, FieldReading]
    art: bytes | None
    padlock: bool
    red: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    text_size: float = 0.0
    unsure: tuple[str, ...] = field(default=())


def read_card(picture: Image.Image) -> CardReading:
    """Return the card that a picture shows; NoCard if it shows none of the game's frame."""
    return _CardReader(cut_out(picture)).read()


class _CardReader:
    def __init__(self, card: CardPicture) -> None:
        self.card = card
        self.frame = frame_of(card)
        self.sheet = sheet_of(card, self.frame)
        self.places = places(self.frame)
        self.fields: dict[str, FieldReading] = {}

    def read(self) -> CardReading:
        indicated, sure = edition(self.sheet, self.places["edition"])
        self.fields["edition"] = FieldReading("none" if indicated is None and sure else indicated, sure)
        numbers = self._numbers()
        self._settle(indicated, sure, numbers)
        for key, (value, certain) in numbers.items():
            self._put(self._key(key), value, certain)
        self._say("name", line_text(self.sheet, self.places["name"]))
        written = self._text()
        self._say("text", written.said)
        self._say("flavor", self._flavor())
        self._say("credit", self._credit())
        return self._reading(written)

    def _numbers(self) -> dict[str, tuple[int | None, float]]:
        found = {key: number(self.sheet, self.places[key], _REACH[key]) for key in NUMBERS if key in self.places}
        if found.get("ultra_points") == (None, 1.0):
            found["ultra_points"] = None, 0.0  # the gem shows no number that could be read
        return found

    def _settle(self, indicated: int | None, sure: float, numbers: Mapping[str, tuple[int | None, float]]) -> None:
        """Settle the kind and the era, by which all else is read."""
        kind, era, certain = self.frame.kind, indicated or self.frame.edition, 1.0
        if kind in (Kind.MINION, Kind.PAWN):
            given = [numbers[key][0] for key in ("level", "sp", "hp")]
            if kind is Kind.PAWN or None in given:
                kind = Kind.PAWN
            elif sure:
                kind = Kind.MINION if era > ability.LAST_OLD_EDITION else Kind.CREATURE
            else:
                certain = 0.0
        if kind is Kind.SPELL and indicated is None:
            era, certain = self._era_of_spell(), 0.0 if not sure else 1.0
        self.frame = replace(self.frame, kind=kind, edition=era)
        self.places = places(self.frame)
        self.fields["kind"] = FieldReading(kind.value, certain)

    def _era_of_spell(self) -> int:
        """Return the era of a spell without Edition Indicator: the faces of credit lines differ."""
        old = line_text(self.sheet, places(replace(self.frame, edition=OLD))["credit"])
        new = line_text(self.sheet, places(replace(self.frame, edition=NEW))["credit"])
        return OLD if old.sure > new.sure else NEW

    def _key(self, key: str) -> str:
        return OLD_NAMES.get(key, key) if self.frame.edition <= ability.LAST_OLD_EDITION else key

    def _text(self) -> Written:
        if self.frame.lines:
            return Written(Said("", 1.0), 0.0)
        return lines_text(self.sheet, self.places["text"], _TEXT_SIZES)

    def _flavor(self) -> Said:
        return lines_text(self.sheet, self.places["flavor"], _FLAVOR_SIZES).said

    def _credit(self) -> Said:
        return line_text(self.sheet, self.places["credit"])

    def _say(self, key: str, said: Said) -> None:
        self._put(key, said.text or None, said.sure)

    def _put(self, key: str, value: str | int | None, sure: float) -> None:
        if value is not None or sure < 1:
            self.fields[key] = FieldReading(value, sure)

    def _reading(self, written: Written) -> CardReading:
        red = tuple(word for word, is_red in written.reds if is_red)
        return CardReading(
            fields=self.fields,
            art=None,
            padlock=self.frame.padlock,
            red=red,
            text_size=written.size,
            unsure=tuple(key for key, each in self.fields.items() if not each.is_sure),
        )
