"""Texts of cards that GIMP drew: each letter stands on whole pixels, and every pixel of it is known.

GIMP breaks a line where the next word, and the space behind it, do not fit. In a text that fills its box it then
stretches the spaces, by whole pixels; the last line of a paragraph keeps those of the font. So a line tells of itself
whether it ends a paragraph, unless it is as wide as its box.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import pairwise
from math import floor
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray
from PIL import ImageChops, ImageFilter

from render.base.geometry import MM_PER_INCH
from render.base.patterns import regex
from render.games.kotc.workshop.recognition.glyph_matching import HIDDEN, OFF
from render.games.kotc.workshop.recognition.glyphs import USUAL, Alphabet, Coverage, hinted_alphabets, hinted_height
from render.games.kotc.workshop.recognition.line_reading import DOUBTFUL, InkSheet, LineType, Reading, Word, read_line
from render.games.kotc.workshop.recognition.places import Frame, Place, background
from render.games.kotc.workshop.recognition.texts import NOTHING, Written, between, joined
from render.text import hinting
from render.text.box_lines import TextBox
from render.text.fitting import TextLine

# Sizes in px of a card of 1000 px; the first are those of the authors' template.
_SIZES = {
    "edition": ((18,),),
    "number": ((100,),),
    "name": ((67,), tuple(range(66, 39, -1))),
    "credit": ((17,),),
    "text": ((34,), tuple(range(33, 17, -1))),
    "flavor": ((22,), (23, 21, 20, 19, 18)),
}
_MAX_NARROWED = 8  # px that the letters of a name may be nearer to each other
_MAX_BASELINES = 4  # rows that are tried as a line's baseline
_LOWEST, _HIGHEST = 0.5, 0.97  # em that a line's highest letter may have: a small one, or a capital with an accent
_ACROSS = 1000  # px: of other cards the letters are not those of GIMP's pixels
_INKED = 0.35  # coverage
_OFF_BESIDE = 0.3  # coverage that a pixel may differ by where the frame is drawn below the text
_MORE_INK = 0.1  # coverage, more than a pixel may differ by
_WHITE = 252  # of 255
_HALF = 28.2  # mm to both sides of the middle that belong to a line
_NEAR = 6  # px that a baseline may lie beside its place
_AROUND, _BESIDE = 6, 3  # px above and below a line, and at its sides, that are white
_LAYER_BELOW = 2  # px that the authors' layer of ability texts ends above the box of this program
_FLAVOR_WIDER = 5  # px that the box of this program is wider than their layer of flavor
_NARROWER_LAYER = 40  # px that an author may have made a layer narrower
_RED_LIGHTNESS = 0.299
_LOW_QUOTE = regex(r"(?:^|\s),")  # a comma there is rather a low quotation mark, which looks the same


def can_be_hinted(sheet: InkSheet) -> bool:
    """Return whether the card has the size of the authors' cards."""
    return bool(sheet.ink.shape[1] == _ACROSS)


class HintedTexts:
    """The texts of one card that GIMP drew."""

    def __init__(self, sheet: InkSheet, frame: Frame) -> None:
        darkest = reduce(ImageChops.darker, background(frame, sheet.scale * MM_PER_INCH).convert("RGB").split())
        # What the authors' frame shows may lie a pixel beside.
        bare = np.asarray(darkest.filter(ImageFilter.MinFilter(5)), np.float32)
        self.tolerance = np.where(bare < _WHITE, np.float32(_OFF_BESIDE), np.float32(OFF))
        # Red words are as dark in blue as black ones.
        ink = sheet.ink + sheet.redness * np.float32(_RED_LIGHTNESS / 255)
        self.sheet = replace(sheet, ink=ink, tolerance=self.tolerance)

    def line(self, key: str, place: Place, half: float = _HALF, texts: tuple[str, ...] = USUAL) -> Reading | None:
        """Return the text of a line, `half` mm to both sides of its middle; None without any, or if some is no letter."""
        assert isinstance(place.room, TextLine)
        scale = self.sheet.scale
        left, right = (max(round((place.room.x + side) * scale), 0) for side in (-half, half))
        usual = round(place.room.baseline * scale)
        rows = _baselines(self.sheet.ink[:, left:right], range(usual - _NEAR, usual + _NEAR + 1))
        spacings = range(0, -_MAX_NARROWED - 1, -1) if key == "name" else (0,)
        for font in _fonts(key, place.face, texts):
            for row in rows:
                for spacing in spacings:
                    if words := read_line(self.sheet, self._line_type(font, row, (left, right), spacing=spacing)):
                        said = _verified(words)
                        lone = key == "number" or not self._has_ink_around(font, row, slice(left, right))
                        return said if lone else replace(said, confidence=DOUBTFUL)
        return None

    def _line_type(
        self, font: Alphabet, row: int, columns: tuple[int, int], *, top: int = 0, spacing: int = 0
    ) -> LineType:
        size = _size(font)
        return LineType(
            baseline=row / self.sheet.scale,
            size=size / self.sheet.scale,
            faces=(font.face,),
            columns=columns,
            room=(row - top) / size,
            hinted=font,
            spacing=spacing,
        )

    def _has_ink_around(self, font: Alphabet, row: int, columns: slice) -> bool:
        """Return whether there is ink around a line, of which only a part may be seen then."""
        around = np.zeros(self.sheet.ink.shape, np.bool_)
        above, below = hinted_height(_size(font))
        around[max(row - above - _AROUND, 0) : row + below + _AROUND, columns] = True
        around[row - above : row + below, columns.start + _BESIDE : columns.stop - _BESIDE] = False
        return self._is_inked(around)

    def _is_inked(self, where: NDArray[np.bool_]) -> bool:
        return bool((self.sheet.ink - self.tolerance > _MORE_INK)[where].any())

    def lines(self, key: str, place: Place) -> Written | None:
        """Return the text of a box; None if some of its ink is of no letter."""
        assert isinstance(place.room, TextBox)
        box, scale = place.room.room, self.sheet.scale
        top, bottom, left, right = (
            round(each * scale) for each in (box.y - 0.3, box.bottom + 0.3, box.x - 0.35, box.right + 0.35)
        )
        # GIMP cuts letters off at the edges of a layer.
        beyond = np.zeros(self.sheet.ink.shape, np.bool_)
        beyond[top:bottom, left : floor(box.x * scale) - 1] = True
        beyond[top:bottom, floor(box.right * scale) - 1 : right] = True
        if key == "text":
            beyond[floor(box.bottom * scale) - _LAYER_BELOW : bottom, left:right] = True
        if self._is_inked(beyond):
            return None  # the layer is another one
        ink = self.sheet.ink.copy()
        ink[bottom:] = 0.0
        sheet = replace(self.sheet, ink=ink, tolerance=np.where(beyond, np.float32(HIDDEN), self.tolerance))
        width = round(box.width * scale)
        for font in _fonts(key, place.face, USUAL):
            found = self._lines_of(sheet, top, (left, right), font)
            if found is not None:
                space = _space(font)
                least, most = (
                    (width, width)
                    if key == "text"
                    else (width - _FLAVOR_WIDER - _NARROWER_LAYER, width - _FLAVOR_WIDER)
                )
                room = _Room(_size(font), space, least, most, floor(box.bottom * scale), filled=key == "text")
                return _written([_Line.of(row, words, space) for row, words in found], room, scale)
        return None

    def _lines_of(
        self, sheet: InkSheet, top: int, columns: tuple[int, int], font: Alphabet
    ) -> list[tuple[int, list[Word]]] | None:
        """Return all lines that stand in the ink from a row on, by their baselines; None if one cannot be read."""
        lines: list[tuple[int, list[Word]]] = []
        ink, size = sheet.ink[:, slice(*columns)], _size(font)
        while len(inked := np.flatnonzero(ink[top:].max(axis=1, initial=0.0) > _INKED)):
            first = top + int(inked[0])
            for row in _baselines(ink, range(first + round(_LOWEST * size), first + round(_HIGHEST * size) + 1)):
                if words := read_line(sheet, self._line_type(font, row, columns, top=top)):
                    lines.append((row, words))
                    top = row + hinted_height(size)[1]
                    break
            else:
                return None
        return lines


def _fonts(key: str, face: str, texts: tuple[str, ...]) -> Iterator[Alphabet]:
    for sizes in _SIZES[key]:
        yield from hinted_alphabets(face, sizes, texts)


def _baselines(ink: Coverage, rows: range) -> list[int]:
    """Return the rows that most ink ends above."""
    by_rows = ink.sum(axis=1)
    inside = [row for row in rows if 0 < row < len(by_rows)]
    return sorted(inside, key=lambda row: by_rows[row] - by_rows[row - 1])[:_MAX_BASELINES]


def _size(font: Alphabet) -> int:
    assert font.hinting is not None
    return font.hinting.size


def _space(font: Alphabet) -> int:
    size = _size(font)
    return round(sum(piece.width for piece in hinting.shape_on_pixels(font.face, " ", size)) * size)


def _verified(words: Sequence[Word]) -> Reading:
    said = joined(words)
    return replace(said, confidence=DOUBTFUL) if _LOW_QUOTE.search(said.text) else said


# --- paragraphs -------------------------------------------------------------------------------------------------------


_PARAGRAPH, _EMPTY_LINE = 1.5, 1.75  # em between baselines: more than the first is not usual, than the second is empty
_WIDTH_SLACK = 2  # px by which a width may be off
_BREAK = regex(r"[-‐–—/|…]")  # behind these a word may be broken
_DASH = tuple("-–—―~")  # before the name of who is quoted
_END = regex(r"[.!?…)\]\"'”’]\Z")  # how a text ends


class _Room(NamedTuple):
    """The size and the space of a text in px, and its box, whose width lies between two numbers; it ends at `bottom`.

    `filled` says that the lines of a paragraph but the last are as wide as the box.
    """

    size: int
    space: int
    least: int
    most: int
    bottom: int
    filled: bool


class _Line(NamedTuple):
    """A line that was read: the row below its baseline, its words, and by how many px its spaces are stretched."""

    row: int
    words: Sequence[Word]
    text: str
    width: int
    stretch: int

    @classmethod
    def of(cls, row: int, words: Sequence[Word], space: int) -> _Line:
        text = " ".join("".join(piece.text for piece in word) for word in words)
        stretch = sum(round(right[0].start - left[-1].end) - space for left, right in pairwise(words))
        return cls(row, words, text, round(words[-1][-1].end - words[0][0].start), stretch)


def _written(lines: Sequence[_Line], room: _Room, scale: float) -> Written:
    if not lines:
        return Written(NOTHING, 0.0)
    proved = any(line.stretch >= _WIDTH_SLACK for line in lines)
    beginnings = [(True, 1.0), *(_begins(line, below, room, proved=proved) for line, below in pairwise(lines))]
    text, sure = "", DOUBTFUL if _may_go_on(lines[-1], room) else 1.0
    for line, (begins, certain) in zip(lines, beginnings, strict=True):
        said = _verified(line.words)
        space, joint = between(text, begins, said.text)
        text, sure = text + space + said.text, sure * said.confidence * certain * joint
    reds = tuple(("".join(piece.text for piece in word), word[0].red) for line in lines for word in line.words)
    return Written(Reading(text, sure), room.size / scale, tuple(line.text for line in lines), reds)


def _may_go_on(last: _Line, room: _Room) -> bool:
    """Return whether there may be more of a text than its box shows."""
    if room.filled and last.stretch >= _WIDTH_SLACK:
        return True  # its paragraph goes on
    return last.row + room.size > room.bottom and not _END.search(last.text)


def _begins(line: _Line, below: _Line, room: _Room, *, proved: bool) -> tuple[bool, float]:
    """Return whether a paragraph begins below a line, and how sure that is; `proved`: lines of this text are stretched."""
    pitch = (below.row - line.row) / room.size
    if pitch > _PARAGRAPH:
        return True, 1.0 if pitch > _EMPTY_LINE else DOUBTFUL
    fits = _fits(line, below, room)
    if not room.filled:
        if fits is None or line.stretch:
            return False, DOUBTFUL
        return fits, DOUBTFUL if not fits and below.text.startswith(_DASH) else 1.0
    if line.stretch >= _WIDTH_SLACK:
        return False, 1.0 if abs(line.width - room.least) <= 2 * _WIDTH_SLACK else DOUBTFUL
    # If other lines are stretched, this one would be, too.
    short = proved and line.width <= room.least - _WIDTH_SLACK and len(line.words) > 1
    return (True, 1.0) if not line.stretch and (short or fits) else (False, DOUBTFUL)


def _fits(line: _Line, below: _Line, room: _Room) -> bool | None:
    """Return whether the first word of the line below has room in a line; None if nobody can tell."""
    breaks = bool(_BREAK.search(line.text[-1]))
    used = line.width - line.stretch + (0 if breaks else room.space)
    first = below.words[0]
    ends = [(placed.glyph.text, piece.left + placed.end) for piece in first for placed in piece.readings[0].placed]
    part = next((end for text, end in ends[:-1] if _BREAK.search(text)), None)
    whole = ends[-1][1] + (room.space if len(below.words) > 1 else 0)
    if used + whole - first[0].start <= room.least - _WIDTH_SLACK:
        return None if breaks or part is not None else True
    return False if used + (whole if part is None else part) - first[0].start > room.most + _WIDTH_SLACK else None
