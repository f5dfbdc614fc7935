"""Texts on a card set as GIMP sets them: letters on whole pixels, justified or centered in the layers of the authors.

Compared with the layers of the official cards, no pixel of a letter drawn so differs by more than 6 %.
"""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from render.games.kotc.model.cards import CREDIT_FONTS, Kind
from render.games.kotc.workshop.recognition.card_reading import FieldReading
from render.games.kotc.workshop.recognition.glyphs import LIGATURES, USUAL, Coverage, hinted_alphabets, kerning
from render.games.kotc.workshop.recognition.hinted_texts import HintedTexts
from render.games.kotc.workshop.recognition.places import Frame, SeenCard, background, places, sheet_of
from render.games.kotc.workshop.recognition.texts import Written
from render.text import hinting

CONDENSED, OBLIQUE = "DejaVu Sans Condensed", "DejaVu Sans Oblique"
CREATURE = Frame(kind=Kind.CREATURE, edition=9)


class GimpLayer(Struct, frozen=True, kw_only=True):
    """A text layer: its face, size and place in px, and whether it is justified; others are centered."""

    face: str
    size: int
    left: int
    top: int
    width: int
    height: int
    justified: bool = False


TEXT = GimpLayer(face=CONDENSED, size=34, left=110, top=780, width=780, height=290, justified=True)
FLAVOR = GimpLayer(face=OBLIQUE, size=22, left=70, top=1259, width=860, height=81)
NAME = GimpLayer(face=CONDENSED, size=67, left=80, top=80, width=840, height=80)
CREDIT = GimpLayer(face="DejaVu Sans", size=17, left=50, top=740, width=900, height=30)


class _Setter:
    """Sets words of one face and size."""

    def __init__(self, layer: GimpLayer) -> None:
        self.layer = layer
        (self.alphabet,) = hinted_alphabets(layer.face, (layer.size,), USUAL)
        self.numbers = {glyph.text: number for number, glyph in enumerate(self.alphabet.glyphs)}
        width = sum(piece.width for piece in hinting.shape_on_pixels(layer.face, " ", layer.size))
        self.space = round(width * layer.size)

    def placed(self, word: str) -> Iterator[tuple[int, int]]:
        """Yield the glyphs of a word, by their numbers, and where they start."""
        at, before = 0.0, -1
        while word:
            text = next((each for each in sorted(LIGATURES, key=len)[::-1] if word.startswith(each)), word[0])
            number = self.numbers[text if text in self.numbers else word[0]]
            glyph = self.alphabet.glyphs[number]
            at += kerning(self.alphabet, before)[number] * self.layer.size if before >= 0 else 0.0
            yield number, round(at)
            at, before, word = at + glyph.advance * self.layer.size, number, word[len(glyph.text) :]

    def width(self, word: str) -> int:
        number, start = list(self.placed(word))[-1]
        return start + round(self.alphabet.glyphs[number].advance * self.layer.size)

    def lines(self, text: str) -> Iterator[tuple[list[str], bool]]:
        """Yield the words of each line, and whether it ends a paragraph; a word has room with the space behind it."""
        for paragraph in text.split("\n"):
            line, used = list[str](), 0
            words = paragraph.split()
            for index, word in enumerate(words):
                behind = self.space if index + 1 < len(words) else 0
                if line and used + self.width(word) + behind > self.layer.width:
                    yield line, False
                    line, used = [], 0
                line.append(word)
                used += self.width(word) + self.space
            yield line, True

    def starts(self, line: list[str], *, ends: bool) -> Iterator[tuple[str, int]]:
        free = self.layer.width - sum(self.width(word) for word in line) - self.space * (len(line) - 1)
        at = 0 if self.layer.justified else free // 2
        gaps = len(line) - 1
        for index, word in enumerate(line):
            more = free * index // gaps if self.layer.justified and not ends and gaps else 0
            yield word, self.layer.left + at + more
            at += self.width(word) + self.space


def broken_lines(text: str, layer: GimpLayer) -> list[str]:
    """Return the lines of a text in a layer."""
    return [" ".join(line) for line, _ in _Setter(layer).lines(text)]


def drawn_layer(text: str, layer: GimpLayer, pitch: int = 0) -> Coverage:
    """Return the coverage of a card of 1000 x 1400 px by a text, cut off at the layer; `pitch` px between baselines."""
    setter, ink = _Setter(layer), np.zeros((1400, 1000), np.float32)
    for row, (line, ends) in enumerate(setter.lines(text)):
        baseline = layer.top + round(0.928 * layer.size) + row * (pitch or round(1.164 * layer.size) + 1)
        for word, left in setter.starts(line, ends=ends):
            for number, start in setter.placed(word):
                assert setter.alphabet.hinting is not None
                below, bitmap = setter.alphabet.hinting.bitmaps[number]
                height, width = bitmap.shape
                x, y = left + start + round(setter.alphabet.left[number] * layer.size), baseline + below - height
                part = ink[y : y + height, x : x + width]
                part[:] = np.maximum(part, bitmap[: len(part)])
    shown = np.zeros_like(ink)
    rows, columns = slice(layer.top, layer.top + layer.height), slice(layer.left, layer.left + layer.width)
    shown[rows, columns] = ink[rows, columns]
    return shown


def hinted_texts(ink: Coverage) -> HintedTexts:
    """Return a reader of the ink on an old creature."""
    colors = np.asarray(background(CREATURE, 400.0).convert("RGB"), np.float32) * (1 - ink[:, :, None])
    return HintedTexts(sheet_of(SeenCard(np.rint(colors), 400.0, True), CREATURE), CREATURE)


def read_lines(key: str, text: str, layer: GimpLayer, pitch: int = 0) -> FieldReading:
    """Return how a text of a layer is read."""
    found: Written | None = hinted_texts(drawn_layer(text, layer, pitch)).lines(key, places(CREATURE)[key])
    return FieldReading(found.said.text, found.said.confidence) if found else FieldReading(None, 0.0)


def read_line(key: str, text: str, layer: GimpLayer) -> FieldReading:
    """Return how a credit or a name is read, in whichever of its faces."""
    reader, place = hinted_texts(drawn_layer(text, layer)), places(CREATURE)[key]
    for face in CREDIT_FONTS.values() if key == "credit" else (place.face,):
        if found := reader.line(key, replace(place, face=face)):
            return FieldReading(found.text, found.confidence)
    return FieldReading(None, 0.0)
