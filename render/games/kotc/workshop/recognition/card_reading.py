"""A card read back from its picture, field by field, each with how sure it is; and picture files for `kotc import`.

A reading is laid out and drawn by the program itself, and compared with the picture place by place. What is sure is
taken, what is not is said.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from itertools import groupby
from pathlib import Path

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from render.base.findings import Diagnostic, Refused, Severity, Span, quoted
from render.base.geometry import MM_PER_POINT, Rect
from render.games.kotc.drawing.card_values import paragraphs
from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.files.keys import is_required
from render.games.kotc.model import ability
from render.games.kotc.model.cards import OLD_NAMES, Kind
from render.games.kotc.workshop.imports.imported import ImportedCard, Value
from render.games.kotc.workshop.recognition.hinted_texts import HintedTexts, can_be_hinted
from render.games.kotc.workshop.recognition.line_reading import DOUBTFUL, KNOWN, SURE, InkSheet, Reading
from render.games.kotc.workshop.recognition.places import (
    NEW,
    NUMBERS,
    OLD,
    Frame,
    NoCard,
    Place,
    SeenCard,
    card_values,
    cut_out,
    frame_of,
    picture_of,
    places,
    scene_of,
    sheet_of,
)
from render.games.kotc.workshop.recognition.texts import Written, edition, line_text, lines_text, number
from render.images.decode import decode_picture, open_raster
from render.images.files.parts import UnusablePicture
from render.png.canvas import Canvas
from render.png.paint import paint
from render.scene.items import Scene, TextRun
from render.text.fitting import TextBox

_REACH = {"sp": 6.2, "level": 5.2, "hp": 6.2, "ultra_points": 1.6}  # mm to both sides of a number's middle
_TEXT_SIZES = 1.2, 4.46  # mm: 3.4 to 12.6 pt
_FLAVOR_SIZES = 1.0, 1.41
_SAME_SIZE = 0.02  # mm


class FieldReading(Struct, frozen=True):
    """What a picture says of a key of a card file, and how sure that is: 0 to 1. None: the card has no such key."""

    value: str | int | None
    sure: float

    @property
    def is_sure(self) -> bool:
        """Whether it may be written: it is 99.5 % sure."""
        return self.sure >= SURE


class RecognizedCard(Struct, frozen=True):
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
        self.pixels: HintedTexts | None = None  # of a card that GIMP drew: its Edition Indicator tells
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
        text = Written(Reading("", 1.0), 0.0) if self.frame.lines else self._lines("text", _TEXT_SIZES)
        flavor = self._lines("flavor", _FLAVOR_SIZES) if self.frame.flavored else Written(Reading("", 1.0), 0.0)
        return self._compared(text, flavor)

    def _edition(self) -> tuple[int | None, float]:
        """Return the edition and how sure it is; from then on `pixels` reads a card that GIMP drew."""
        if self.card.exact and can_be_hinted(self.sheet):
            pixels = HintedTexts(self.sheet, self.frame)
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
        return OLD if old.confidence > new.confidence else NEW

    def _key(self, key: str) -> str:
        return OLD_NAMES.get(key, key) if usual_grammar(self.frame.edition).of_creatures else key

    def _line(self, key: str) -> Reading:
        if self.pixels is None:
            return line_text(self.sheet, self.places[key])
        if key == "credit":
            return self._credit(self.pixels)
        if found := self.pixels.name(self.places[key]):
            self.proved.add(key)
            return found
        said = line_text(self.sheet, self.places[key])
        return replace(said, confidence=min(said.confidence, DOUBTFUL))

    def _credit(self, pixels: HintedTexts) -> Reading:
        found = pixels.credit(self.places["credit"])
        if found is None:
            return Reading("", 0.0)
        self.proved.add("credit")
        if found[0].text:
            self._put("credit_font", found[1], found[0].confidence)
        return found[0]

    def _lines(self, key: str, sizes: tuple[float, float]) -> Written:
        if self.pixels is None:
            written = lines_text(self.sheet, self.places[key], sizes)
        elif found := self.pixels.lines(key, self.places[key]):
            self.proved.add(key)
            written = found
        else:
            written = Written(Reading("", 0.0), 0.0)
        self._say(key, written.said)
        return written

    def _say(self, key: str, said: Reading) -> None:
        self._put(key, said.text or None, said.confidence)

    def _put(self, key: str, value: str | int | None, sure: float) -> None:
        if value is not None or sure < 1:
            self.fields[key] = FieldReading(value, sure)

    # --- drawn again -----

    def _compared(self, text: Written, flavor: Written) -> RecognizedCard:
        """Return the reading; what is laid out or drawn otherwise than in the picture is not sure."""
        words: dict[str, object] = {key: self._words(key) for key in ("name", "flavor", "credit")}
        ability_text, is_red = self._words("text"), any(red for _, red in text.reds)
        words["paragraphs"] = paragraphs(ability_text, parsed_text(self.frame, ability_text), red=is_red)
        words |= {key: self._number(key) for key in ("level", "sp", "hp")}
        words["ultra_points"] = self._number("ultra_points") or 0
        least = {"least_text": min(text.size, float(str(card_values(self.frame)["least_text"])))} if text.size else {}
        usual = scene_again(self.frame, words | least)
        sizes = self._sizes(usual, text, flavor)
        scene = scene_again(self.frame, {**words, "text_size": None, "flavor_size": None, **sizes}) if sizes else usual
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
            self.fields[key] = replace(self.fields[key], sure=min(self.fields[key].sure, DOUBTFUL))


def _boxes(found: Mapping[str, Place], frame: Frame) -> dict[str, Rect]:
    """Return the boxes, in mm, in which a key's words alone stand."""
    boxes = {"name": Rect(3.6, 4.0, 56.3, 6.6)} if frame.kind is not Kind.TIP else {}
    boxes |= {
        key: place.room.room for key, place in found.items() if isinstance(place.room, TextBox) and not frame.lines
    }
    return boxes


# --- drawn again ------------------------------------------------------------------------------------------------------


_UNLIKE = 0.3  # of the squared ink of a place: more than hinted letters differ by
_SPECKS = 6.0  # of squared ink, where nothing is drawn


def parsed_text(frame: Frame, text: str) -> ability.AbilityText | None:
    """Return an ability text by its parts; None for a card without abilities."""
    if frame.kind is Kind.TIP or not text:
        return None
    return ability.parse(text, usual_grammar(frame.edition), is_spell=frame.kind is Kind.SPELL)


def scene_again(frame: Frame, values: Mapping[str, object]) -> Scene | None:
    """Return the card laid out as the program does it, with these values of its template; None if it cannot be."""
    try:
        return scene_of(frame, **values)
    except Refused:
        return None


def lines_in(scene: Scene, place: Place) -> list[str]:
    """Return the lines of a text box as they are laid out."""
    lines = groupby(
        sorted(_runs(scene, place), key=lambda run: (run.transform.f, run.transform.e)), key=lambda run: run.transform.f
    )
    return [" ".join("".join(run.words for run in line).split()) for _, line in lines]


def size_in(scene: Scene, place: Place) -> float:
    """Return the size in mm at which a text box is set; 0 without text."""
    sizes = [run.size for run in _runs(scene, place)]
    return sizes[0] if sizes else 0.0


def _runs(scene: Scene, place: Place) -> list[TextRun]:
    """Return the runs whose baselines lie in a text box."""
    assert isinstance(place.room, TextBox)
    box = place.room.room
    texts = [item for item in scene.items if isinstance(item, TextRun)]
    return [
        run for run in texts if box.x - 1 < run.transform.e < box.right and box.y < run.transform.f < box.bottom + 0.1
    ]


def unlike(card: SeenCard, sheet: InkSheet, scene: Scene, frame: Mapping[str, Rect]) -> set[str]:
    """Return the keys whose boxes, in mm, the picture shows otherwise than the scene."""
    texts = tuple(item for item in scene.items if isinstance(item, TextRun))
    drawn = paint(Scene(scene.size, tuple(replace(run, fill=(0, 0, 0)) for run in texts)), Canvas(card.dpi))
    ink = 1 - np.asarray(drawn.convert("L"), np.float32) / 255
    found = set()
    for key, box in frame.items():
        top, bottom, left, right = (round(each * card.scale) for each in (box.y, box.bottom, box.x, box.right))
        there, again = sheet.ink[top:bottom, left:right], ink[top:bottom, left:right]
        if float(np.square(there - again).sum()) > _UNLIKE * float(np.square(again).sum()) + _SPECKS:
            found.add(key)
    return found


# --- picture files ----------------------------------------------------------------------------------------------------


def read_picture_card(file: Path, data: bytes) -> ImportedCard:
    """Return the card that a PNG or JPEG shows; Refused if it cannot be opened, or shows no card of the game."""
    try:
        reading = read_card(decode_picture(open_raster(data)))
    except UnusablePicture as error:
        problem = error.problem
        said = Diagnostic(problem.code, f"the picture `{file.name}` {problem.message}", problem.hint)
        raise Refused([said.at(Span(file=file))]) from None
    except NoCard as error:
        message = f"`{file.name}` shows no card that could be read: {error}"
        raise Refused([Diagnostic("X035", message, _WHAT_IS_READ).at(Span(file=file))]) from None
    remarks = _remarks(reading.fields)
    findings = [*_unsure(file, reading.fields, remarks), *_differences(file, reading)]
    return ImportedCard(
        source=file,
        values=dict(_values(reading, remarks)),
        complete=False,
        picture=reading.art,
        findings=tuple(findings),
        unsure=remarks,
    )


_WHAT_IS_READ = "give a PNG or JPEG of one card, upright, of 180 dpi or more"


_WORTH = 0.5  # how sure a key must at least be that no card can be without


def _remarks(fields: Mapping[str, FieldReading]) -> dict[str, str]:
    """Return a remark for each key that is not sure, but that a card of its kind must have: it is written all the same.

    A card without it would be none, and its author would have to begin with the picture.
    """
    kind = fields["kind"].value
    needed = {"name", "kind"} | {key for key in fields if is_required(Kind(kind) if kind else None, key)}
    return {
        key: f"{_percent(each.sure)} sure: compare it with the picture"
        for key, each in fields.items()
        if key in needed and each.value is not None and each.sure >= _WORTH and not each.is_sure
    }


def _values(reading: RecognizedCard, unsure: Container[str]) -> Iterator[tuple[str, Value]]:
    """Yield the keys that are sure, those that are to be written although they are not, and the sizes of their texts."""
    written = {
        key: each.value
        for key, each in reading.fields.items()
        if each.value is not None and (each.is_sure or key in unsure)
    }
    yield from ((key, str(value)) for key, value in written.items())
    for key, size in reading.sizes.items():
        if key.removesuffix("_size") in written:
            yield key, f"{size / MM_PER_POINT:.2f}".rstrip("0").rstrip(".")
    if reading.art:
        yield "art", {}


def _unsure(file: Path, fields: Mapping[str, FieldReading], written: Container[str]) -> Iterator[Diagnostic]:
    for key, each in fields.items():
        if each.is_sure:
            continue
        if key in written:
            message = f"`{key}` is {quoted(str(each.value))}, {_percent(each.sure)} sure"
            hint = "look at the picture, and correct it in the card file"
        else:
            read = "" if each.value is None else f": it may be {quoted(str(each.value))}"
            message = f"`{key}` is left out, {_percent(each.sure)} sure{read}"
            hint = "look at the picture, and write it into the card file"
        yield Diagnostic("X036", message, hint, Severity.WARNING).at(Span(file=file), field=key)


def _percent(sure: float) -> str:
    """Return a share such as `87 %`, rounded down: 100 % is never said of what is not sure."""
    return f"{int(sure * 1000) / 10:g} %"


def _differences(file: Path, reading: RecognizedCard) -> Iterator[Diagnostic]:
    """Yield what the picture shows otherwise than the rules would have it drawn."""
    text = reading.fields.get("text")
    if text is None or not text.is_sure or not isinstance(text.value, str):
        return
    parsed = parsed_text(reading.frame, text.value)
    if parsed is None:
        return
    if parsed.padlock != reading.frame.padlock:
        here, there = ("no padlock", "one") if parsed.padlock else ("a padlock", "none")
        yield _warning(file, f"the picture shows {here}, and the rules give {there}")
    by_rules = [
        (char, bool(run["red"]))
        for paragraph in paragraphs(text.value, parsed, red=True)
        for run in paragraph
        for char in str(run["text"])
        if not char.isspace()
    ]
    seen = [(char, red) for word, red in reading.reds for char in word]
    if [char for char, _ in by_rules] != [char for char, _ in seen]:
        return
    both = [(char, here, there) for (char, there), (_, here) in zip(by_rules, seen, strict=True)]
    for (here, there), run in groupby(both, key=lambda each: each[1:]):
        if here != there:
            look = ("red", "black") if here else ("black", "red")
            words = "".join(char for char, _, _ in run)
            yield _warning(file, f"{quoted(words)} is {look[0]} in the picture and {look[1]} by the rules")


def _warning(file: Path, message: str) -> Diagnostic:
    return Diagnostic("X022", message, "kotc draws it by the rules", Severity.WARNING).at(Span(file=file))
