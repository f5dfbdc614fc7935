"""A card read back from its picture, field by field, each with how sure it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from PIL import Image

from render.base.geometry import Rect
from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.model.cards import OLD_NAMES, Kind
from render.games.kotc.workshop.recognition.card_places import NUMBERS, Frame, Place, places
from render.games.kotc.workshop.recognition.drawn_again import ReadWords, lines_in, scene_again, size_in, unlike
from render.games.kotc.workshop.recognition.frames import NEW, OLD, frame_of, picture_of, sheet_of
from render.games.kotc.workshop.recognition.long_texts import Written, lines_text
from render.games.kotc.workshop.recognition.pixel_texts import KNOWN, PixelTexts, can_be_pixel_texts
from render.games.kotc.workshop.recognition.registration import SeenCard, cut_out
from render.games.kotc.workshop.recognition.short_texts import SaidWords, edition, line_text, number
from render.games.kotc.workshop.recognition.signs.sureness import SURE
from render.scene.items import Scene
from render.text.fitting import TextBox

_REACH = {"sp": 6.2, "level": 5.2, "hp": 6.2, "ultra_points": 1.6}  # mm to both sides of a number's middle
_TEXT_SIZES = 1.2, 4.46  # mm: 3.4 to 12.6 pt
_FLAVOR_SIZES = 1.0, 1.41
_SAME_SIZE = 0.02  # mm
_DOUBTFUL = 0.5


@dataclass(frozen=True, slots=True)
class FieldReading:
    """What a picture says of a key of a card file, and how sure that is: 0 to 1. None: the card has no such key."""

    value: str | int | None
    sure: float

    @property
    def is_sure(self) -> bool:
        """Whether it may be written: it is 99.5 % sure."""
        return self.sure >= SURE


@dataclass(frozen=True, slots=True)
class RecognizedCard:
    """A card as its picture shows it: fields by the keys of card files.

    `art` is the box of the picture as a PNG file, b"" if the card shows the placeholder or nothing. `sizes` are the
    sizes of texts in mm that differ from those that they would have, by their keys. `reds` are the words of the text
    and whether they are red.
    """

    fields: Mapping[str, FieldReading]
    frame: Frame
    art: bytes
    reds: tuple[tuple[str, bool], ...]
    sizes: Mapping[str, float]


def read_card(picture: Image.Image) -> RecognizedCard:
    """Return the card that a picture shows; NoCard if it shows none of the game's frame."""
    return _CardReader(cut_out(picture)).read()


class _CardReader:
    """Reads one card: first what tells its kind and era, then the rest, then it draws all of it again."""

    def __init__(self, card: SeenCard) -> None:
        self.card = card
        self.frame = frame_of(card)
        self.sheet = sheet_of(card, self.frame)
        self.places = places(self.frame)
        self.fields: dict[str, FieldReading] = {}
        self.pixels: PixelTexts | None = None  # of a card that GIMP drew: its Edition Indicator tells
        self.proved = set[str]()  # keys of which every pixel is known

    def read(self) -> RecognizedCard:
        indicated, sure = self._edition()
        self.fields["edition"] = FieldReading("none" if indicated is None and sure else indicated, sure)
        numbers = self._numbers()
        self._settle(indicated, sure, numbers)
        for key, (value, certain) in numbers.items():
            # Whether it is a level or a cost is known by the edition.
            self._put(self._key(key), value, certain if value is None else certain * sure)
        for key in ("name", "credit"):
            self._say(key, self._line(key))
        text = Written(SaidWords("", 1.0), 0.0) if self.frame.lines else self._lines("text", _TEXT_SIZES)
        flavor = self._lines("flavor", _FLAVOR_SIZES) if self.frame.flavored else Written(SaidWords("", 1.0), 0.0)
        return self._compared(text, flavor)

    def _edition(self) -> tuple[int | None, float]:
        """Return the edition and how sure it is; from then on `pixels` reads a card that GIMP drew."""
        if self.card.exact and can_be_pixel_texts(self.sheet):
            pixels = PixelTexts(self.sheet, self.frame)
            found = pixels.edition(self.places["edition"])
            if found is not None:
                self.pixels = pixels
                return found, KNOWN
        return edition(self.sheet, self.places["edition"])

    def _numbers(self) -> dict[str, tuple[int | None, float]]:
        found = {key: self._number_at(key) for key in NUMBERS if key in self.places}
        if found.get("ultra_points") == (None, 1.0):
            found["ultra_points"] = None, 0.0  # the gem shows no number that could be read
        return found

    def _number_at(self, key: str) -> tuple[int | None, float]:
        found = self.pixels.number(self.places[key], _REACH[key]) if self.pixels else None
        return found or number(self.sheet, self.places[key], _REACH[key])

    def _settle(self, indicated: int | None, sure: float, numbers: Mapping[str, tuple[int | None, float]]) -> None:
        """Settle the kind and the era, by which all else is read."""
        kind, era, certain = self.frame.kind, indicated or self.frame.edition, sure
        if kind in (Kind.MINION, Kind.PAWN):
            given = [numbers[key] for key in ("level", "sp", "hp")]
            if kind is Kind.PAWN or (None, 1.0) in given:
                kind, certain = Kind.PAWN, 1.0
            else:
                kind = Kind.CREATURE if usual_grammar(era).of_creatures else Kind.MINION
        elif kind is Kind.SPELL and indicated is None:
            era = self._era_of_spell()
        self.frame = replace(self.frame, kind=kind, edition=era)
        self.places = places(self.frame)
        self.fields["kind"] = FieldReading(kind.value, certain)

    def _era_of_spell(self) -> int:
        """Return the era of a spell without Edition Indicator: the faces of credit lines differ."""
        old = line_text(self.sheet, places(replace(self.frame, edition=OLD))["credit"])
        new = line_text(self.sheet, places(replace(self.frame, edition=NEW))["credit"])
        return OLD if old.sure > new.sure else NEW

    def _key(self, key: str) -> str:
        return OLD_NAMES.get(key, key) if usual_grammar(self.frame.edition).of_creatures else key

    def _line(self, key: str) -> SaidWords:
        if self.pixels is None:
            return line_text(self.sheet, self.places[key])
        if key == "credit":
            return self._credit(self.pixels)
        if found := self.pixels.name(self.places[key]):
            self.proved.add(key)
            return found
        said = line_text(self.sheet, self.places[key])
        return replace(said, sure=min(said.sure, _DOUBTFUL))

    def _credit(self, pixels: PixelTexts) -> SaidWords:
        found = pixels.credit(self.places["credit"])
        if found is None:
            return SaidWords("", 0.0)
        self.proved.add("credit")
        if found[0].text:
            self._put("credit_font", found[1], found[0].sure)
        return found[0]

    def _lines(self, key: str, sizes: tuple[float, float]) -> Written:
        if self.pixels is None:
            written = lines_text(self.sheet, self.places[key], sizes)
        elif found := self.pixels.lines(key, self.places[key]):
            self.proved.add(key)
            written = found
        else:
            written = Written(SaidWords("", 0.0), 0.0)
        self._say(key, written.said)
        return written

    def _say(self, key: str, said: SaidWords) -> None:
        self._put(key, said.text or None, said.sure)

    def _put(self, key: str, value: str | int | None, sure: float) -> None:
        if value is not None or sure < 1:
            self.fields[key] = FieldReading(value, sure)

    # --- drawn again -----

    def _compared(self, text: Written, flavor: Written) -> RecognizedCard:
        """Return the reading; what is laid out or drawn otherwise than in the picture is not sure."""
        red = any(is_red for _, is_red in text.reds)
        words = ReadWords(
            name=self._words("name"),
            text=self._words("text"),
            flavor=self._words("flavor"),
            credit=self._words("credit"),
            text_size=text.size,
            flavor_size=flavor.size,
            red=red,
        )
        numbers = {key: self._number(key) for key in ("level", "sp", "hp")} | {
            "ultra_points": self._number("ultra_points") or 0
        }
        usual = scene_again(self.frame, words, numbers, sized=False)
        sizes = self._sizes(usual, text, flavor)
        chosen = replace(words, text_size=sizes.get("text_size", 0.0), flavor_size=sizes.get("flavor_size", 0.0))
        scene = scene_again(self.frame, chosen, numbers, sized=True) if sizes else usual
        for key, written in (("text", text), ("flavor", flavor)):
            if written.lines and (scene is None or lines_in(scene, self.places[key]) != list(written.lines)):
                self._doubt(key)
        if scene is not None:
            for key in unlike(self.card, self.sheet, scene, _boxes(self.places, self.frame)):
                self._doubt(key)
        if not self._is_own_drawing():
            self._doubt("name")
        return RecognizedCard(
            fields=self.fields,
            frame=self.frame,
            art=picture_of(self.card, self.frame),
            reds=text.reds,
            sizes=sizes,
        )

    def _is_own_drawing(self) -> bool:
        """Return whether small words are drawn as this program draws them.

        The large letters of another program differ less, and other letters may then be more like them: a small picture
        of `American` by GIMP is more like `AmerIcan` drawn here.
        """
        return any(self._words(key) and self.fields[key].is_sure for key in ("text", "flavor", "credit"))

    def _sizes(self, usual: Scene | None, text: Written, flavor: Written) -> dict[str, float]:
        """Return the sizes in mm that the program would not choose itself."""
        return {
            key: written.size
            for key, written in (("text_size", text), ("flavor_size", flavor))
            if written.size
            and (usual is None or abs(size_in(usual, self.places[key[:-5]]) - written.size) > _SAME_SIZE)
        }

    def _words(self, key: str) -> str:
        found = self.fields.get(key)
        return found.value if found and isinstance(found.value, str) else ""

    def _number(self, key: str) -> int | None:
        found = self.fields.get(self._key(key))
        return found.value if found and isinstance(found.value, int) else None

    def _doubt(self, key: str) -> None:
        if key in self.fields and key not in self.proved:
            self.fields[key] = replace(self.fields[key], sure=min(self.fields[key].sure, _DOUBTFUL))


def _boxes(found: Mapping[str, Place], frame: Frame) -> dict[str, Rect]:
    """Return the boxes, in mm, in which a key's words alone stand."""
    boxes = {"name": Rect(3.6, 4.0, 56.3, 6.6)} if frame.kind is not Kind.TIP else {}
    boxes |= {
        key: place.room.room for key, place in found.items() if isinstance(place.room, TextBox) and not frame.lines
    }
    return boxes
