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
from render.games.kotc.card_values import paragraphs
from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.files.keys import is_required
from render.games.kotc.model import ability
from render.games.kotc.model.cards import CREDIT_FONTS, OLD_NAMES, Kind
from render.games.kotc.workshop.imports.imported import ImportedCard, Value
from render.games.kotc.workshop.recognition.glyphs import DIGITS
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
from render.games.kotc.workshop.recognition.texts import (
    HALF_OF_EDITION,
    INDICATOR,
    NOTHING,
    Written,
    edition,
    edition_of,
    line_text,
    lines_text,
    number,
)
from render.images.decode import decode_picture, open_raster
from render.images.files.parts import UnusablePicture
from render.png.canvas import Canvas
from render.png.paint import paint
from render.scene.items import Scene, TextRun
from render.text.box_lines import TextBox

_REACH = {"sp": 6.2, "level": 5.2, "hp": 6.2, "ultra_points": 1.6}  # mm to both sides of a number's middle
_TEXT_SIZES = 1.2, 4.46  # mm: 3.4 to 12.6 pt
_FLAVOR_SIZES = 1.0, 1.41
_SAME_SIZE = 0.02  # mm


class FieldReading(Struct, frozen=True):
    """What a picture says of a key of a card file, and how sure that is: 0 to 1. None: the card has no such key."""

    value: str | int | None
    confidence: float

    @property
    def is_sure(self) -> bool:
        """Whether it may be written: it is 99.5 % sure."""
        return self.confidence >= SURE


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
        self.hinted: HintedTexts | None = None  # of a card that GIMP drew: its Edition Indicator tells
        self.proved = set[str]()  # keys of which every pixel is known

    def read(self) -> RecognizedCard:
        indicated, confidence = self._edition()
        self.fields["edition"] = FieldReading("none" if indicated is None and confidence else indicated, confidence)
        numbers = {key: self._number(key) for key in NUMBERS if key in self.places}
        if numbers.get("ultra_points") == (None, 1.0):
            numbers["ultra_points"] = None, 0.0  # the gem shows no number that could be read
        self._settle(indicated, confidence, numbers)
        for key, (value, certain) in numbers.items():
            # Whether it is a level or a cost is known by the edition.
            self._put(self._key(key), value, certain if value is None else certain * confidence)
        for key in ("name", "credit"):
            said = self._line(key)
            self._put(key, said.text or None, said.confidence)
        text = Written(NOTHING, 0.0) if self.frame.lines else self._lines("text", _TEXT_SIZES)
        flavor = self._lines("flavor", _FLAVOR_SIZES) if self.frame.flavored else Written(NOTHING, 0.0)
        sizes = self._verify(text, flavor)
        return RecognizedCard(self.fields, self.frame, picture_of(self.card, self.frame), text.reds, sizes)

    def _edition(self) -> tuple[int | None, float]:
        """Return the edition and how sure it is; from then on `hinted` reads a card that GIMP drew."""
        place = self.places["edition"]
        if self.card.exact and can_be_hinted(self.sheet):
            hinted = HintedTexts(self.sheet, self.frame)
            said = hinted.line("edition", place, HALF_OF_EDITION, INDICATOR)
            found = edition_of(said)[0] if said else None
            if found is not None:
                self.hinted = hinted
                return found, KNOWN
        return edition(self.sheet, place)

    def _number(self, key: str) -> tuple[int | None, float]:
        said = self.hinted.line("number", self.places[key], _REACH[key], DIGITS) if self.hinted else None
        if said and said.text.isdecimal():
            return int(said.text), said.confidence
        return number(self.sheet, self.places[key], _REACH[key])

    def _settle(self, indicated: int | None, sure: float, numbers: Mapping[str, tuple[int | None, float]]) -> None:
        """Settle the kind and the era, by which all else is read."""
        kind, era, certain = self.frame.kind, indicated or self.frame.edition, sure
        if kind in (Kind.MINION, Kind.PAWN):
            given = [numbers[key] for key in ("level", "sp", "hp")]
            if kind is Kind.PAWN or (None, 1.0) in given:
                kind, certain = Kind.PAWN, 1.0
            else:
                kind = Kind.CREATURE if usual_grammar(era).of_creatures else Kind.MINION
        elif kind is Kind.SPELL and indicated is None:  # the faces of credit lines differ
            credits = [places(replace(self.frame, edition=each))["credit"] for each in (OLD, NEW)]
            old, new = (line_text(self.sheet, credit).confidence for credit in credits)
            era = OLD if old > new else NEW
        self.frame = replace(self.frame, kind=kind, edition=era)
        self.places = places(self.frame)
        self.fields["kind"] = FieldReading(kind.value, certain)

    def _key(self, key: str) -> str:
        return OLD_NAMES.get(key, key) if usual_grammar(self.frame.edition).of_creatures else key

    def _line(self, key: str) -> Reading:
        place = self.places[key]
        if self.hinted is None:
            return line_text(self.sheet, place)
        for font, face in CREDIT_FONTS.items() if key == "credit" else (("", place.face),):
            if said := self.hinted.line(key, replace(place, face=face)):
                self.proved.add(key)
                if font and said.text:
                    self._put("credit_font", font, said.confidence)
                return said
        if key == "credit":
            return Reading("", 0.0)
        said = line_text(self.sheet, place)
        return replace(said, confidence=min(said.confidence, DOUBTFUL))

    def _lines(self, key: str, sizes: tuple[float, float]) -> Written:
        if self.hinted is None:
            written = lines_text(self.sheet, self.places[key], sizes)
        elif found := self.hinted.lines(key, self.places[key]):
            self.proved.add(key)
            written = found
        else:
            written = Written(Reading("", 0.0), 0.0)
        self._put(key, written.said.text or None, written.said.confidence)
        return written

    def _put(self, key: str, value: str | int | None, confidence: float) -> None:
        if value is not None or confidence < 1:
            self.fields[key] = FieldReading(value, confidence)

    def _verify(self, text: Written, flavor: Written) -> dict[str, float]:
        """Draw the reading, doubt what is laid out or drawn otherwise than in the picture; return unusual sizes in mm."""
        read = {key: each.value for key, each in self.fields.items()}
        words = {key: read.get(key) or "" for key in ("name", "text", "flavor", "credit")}
        ability_text, is_red = str(words["text"]), any(red for _, red in text.reds)
        values: dict[str, object] = {key: words[key] for key in ("name", "flavor", "credit")}
        values["paragraphs"] = paragraphs(ability_text, parsed_text(self.frame, ability_text), red=is_red)
        values |= {key: read.get(self._key(key)) for key in ("level", "sp", "hp")}
        values["ultra_points"] = read.get("ultra_points") or 0
        least = {"least_text": min(text.size, float(str(card_values(self.frame)["least_text"])))} if text.size else {}
        scene = rerender(self.frame, values | least)
        written = {"text": text, "flavor": flavor}
        sizes = {
            f"{key}_size": each.size
            for key, each in written.items()
            if each.size and (scene is None or abs(_set_size(scene, self.places[key]) - each.size) > _SAME_SIZE)
        }
        if sizes:
            scene = rerender(self.frame, {**values, "text_size": None, "flavor_size": None, **sizes})
        doubted = {
            key
            for key, each in written.items()
            if each.lines and (scene is None or _set_lines(scene, self.places[key]) != list(each.lines))
        }
        doubted |= differing_fields(self.card, self.sheet, scene, self._boxes()) if scene else set()
        for key in doubted - self.proved:
            self._doubt(key)
        # The large letters of another program differ less, and other letters may then be more like them: a small
        # picture of `American` by GIMP is more like `AmerIcan` drawn here. Small words tell whose letters they are.
        if not any(words[key] and self.fields[key].is_sure for key in ("text", "flavor", "credit")):
            self._doubt("name")
        return sizes

    def _doubt(self, key: str) -> None:
        if key in self.fields and key not in self.proved:
            self.fields[key] = replace(self.fields[key], confidence=min(self.fields[key].confidence, DOUBTFUL))

    def _boxes(self) -> dict[str, Rect]:
        """Return the boxes, in mm, in which a key's words alone stand."""
        boxes = {"name": Rect(3.6, 4.0, 56.3, 6.6)} if self.frame.kind is not Kind.TIP else {}
        if self.frame.lines:
            return boxes
        rooms = {key: place.room for key, place in self.places.items()}
        return boxes | {key: room.room for key, room in rooms.items() if isinstance(room, TextBox)}


# --- drawn again ------------------------------------------------------------------------------------------------------


_UNLIKE = 0.3  # of the squared ink of a place: more than hinted letters differ by
_SPECKS = 6.0  # of squared ink, where nothing is drawn


def parsed_text(frame: Frame, text: str) -> ability.AbilityText | None:
    """Return an ability text by its parts; None for a card without abilities."""
    if frame.kind is Kind.TIP or not text:
        return None
    return ability.parse(text, usual_grammar(frame.edition), is_spell=frame.kind is Kind.SPELL)


def rerender(frame: Frame, values: Mapping[str, object]) -> Scene | None:
    """Return the card laid out as the program does it, with these values of its template; None if it cannot be."""
    try:
        return scene_of(frame, **values)
    except Refused:
        return None


def _runs(scene: Scene, place: Place) -> list[TextRun]:
    """Return the runs whose baselines lie in a text box, from the top."""
    assert isinstance(place.room, TextBox)
    box = place.room.room
    texts = [item for item in scene.items if isinstance(item, TextRun)]
    inside = [
        run for run in texts if box.x - 1 < run.transform.e < box.right and box.y < run.transform.f < box.bottom + 0.1
    ]
    return sorted(inside, key=lambda run: (run.transform.f, run.transform.e))


def _set_lines(scene: Scene, place: Place) -> list[str]:
    lines = groupby(_runs(scene, place), key=lambda run: run.transform.f)
    return [" ".join("".join(run.words for run in line).split()) for _, line in lines]


def _set_size(scene: Scene, place: Place) -> float:
    return next((run.size for run in _runs(scene, place)), 0.0)


def differing_fields(card: SeenCard, sheet: InkSheet, scene: Scene, boxes: Mapping[str, Rect]) -> set[str]:
    """Return the keys whose boxes, in mm, the picture shows otherwise than the scene."""
    texts = tuple(item for item in scene.items if isinstance(item, TextRun))
    drawn = paint(Scene(scene.size, tuple(replace(run, fill=(0, 0, 0)) for run in texts)), Canvas(card.dpi))
    ink = 1 - np.asarray(drawn.convert("L"), np.float32) / 255
    found = set()
    for key, box in boxes.items():
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
        key: f"{_percent(each.confidence)} sure: compare it with the picture"
        for key, each in fields.items()
        if key in needed and each.value is not None and each.confidence >= _WORTH and not each.is_sure
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
            message = f"`{key}` is {quoted(str(each.value))}, {_percent(each.confidence)} sure"
            hint = "look at the picture, and correct it in the card file"
        else:
            read = "" if each.value is None else f": it may be {quoted(str(each.value))}"
            message = f"`{key}` is left out, {_percent(each.confidence)} sure{read}"
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
