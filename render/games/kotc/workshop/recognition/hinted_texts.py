"""Texts of cards that GIMP drew: each letter stands on whole pixels, and every pixel of it is known.

GIMP breaks a line where the next word, and the space behind it, do not fit. In a text that fills its box it then
stretches the spaces, by whole pixels; the last line of a paragraph keeps those of the font. So a line tells of itself
whether it ends a paragraph, unless it is as wide as its box.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import pairwise
from math import ceil, floor

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from PIL import ImageChops, ImageFilter

from render.base.geometry import MM_PER_INCH
from render.games.kotc.model.cards import CREDIT_FONTS, indicator
from render.games.kotc.workshop.recognition.glyph_matching import HIDDEN, OFF
from render.games.kotc.workshop.recognition.glyphs import DIGITS, USUAL, Alphabet, Coverage, hinted_alphabets
from render.games.kotc.workshop.recognition.line_reading import DOUBTFUL, InkSheet, LineType, Reading, Word, read_line
from render.games.kotc.workshop.recognition.places import Frame, Place, background
from render.games.kotc.workshop.recognition.texts import Written, between, joined
from render.text import hinting
from render.text.fitting import TextBox, TextLine

SURE = 1.0
_OFF_BESIDE = 0.3  # coverage that a pixel may differ by where the frame is drawn below the text
_LINE, _EMPTY_LINE = 1.5, 1.75  # em: a larger distance than the first is no usual one, than the second an empty line
_WIDTH_SLACK = 2  # px by which a width may be off
_BREAK = re.compile(r"[-‐–—/|…]")  # behind these a word may be broken
_DASH = tuple("-–—―~")  # before the name of who is quoted
_END = re.compile(r"[.!?…)\]\"'”’]\Z")  # how a text ends


class _Line(Struct, frozen=True):
    """A line that was read: the row below its baseline, and its words."""

    row: int
    words: Sequence[Word]

    @property
    def text(self) -> str:
        return " ".join(map(_word_text, self.words))

    @property
    def width(self) -> int:
        return round(self.words[-1][-1].end - self.words[0][0].start)


def _word_text(word: Word) -> str:
    return "".join(piece.text for piece in word)


class LineRoom(Struct, frozen=True, kw_only=True):
    """The box of a text in px: its width lies between two numbers, `bottom` is the row below it.

    `filled` says that the lines of a paragraph but the last are as wide as the box.
    """

    widths: tuple[int, int]
    bottom: int
    filled: bool


def _beginnings(lines: Sequence[_Line], font: Alphabet, room: LineRoom) -> list[tuple[bool, float]]:
    """Return for each line whether a paragraph begins with it, and how sure that is."""
    proved = any(_stretch(line, font) >= _WIDTH_SLACK for line in lines)
    return [(True, SURE), *(_begins(line, below, (font, room), proved=proved) for line, below in pairwise(lines))]


def _begins(line: _Line, below: _Line, setting: tuple[Alphabet, LineRoom], *, proved: bool) -> tuple[bool, float]:
    font, room = setting
    pitch = (below.row - line.row) / _size(font)
    if pitch > _EMPTY_LINE:
        return True, SURE
    if pitch > _LINE:
        return True, DOUBTFUL
    return _filled(line, below, font, room, proved=proved) if room.filled else _ragged(line, below, font, room)


def _filled(line: _Line, below: _Line, font: Alphabet, room: LineRoom, *, proved: bool) -> tuple[bool, float]:
    """Return whether a line of a text that fills its box is the last of its paragraph."""
    stretch = _stretch(line, font)
    if stretch >= _WIDTH_SLACK:
        near = abs(line.width - room.widths[0]) <= 2 * _WIDTH_SLACK
        return False, SURE if near else DOUBTFUL
    if stretch:
        return False, DOUBTFUL
    # If other lines are stretched, this one would be, too.
    short = line.width <= room.widths[0] - _WIDTH_SLACK
    spaced = len(line.words) > 1
    ends = (proved and short and spaced) or _fits(line, below, font, room)
    return (True, SURE) if ends else (False, DOUBTFUL)


def _ragged(line: _Line, below: _Line, font: Alphabet, room: LineRoom) -> tuple[bool, float]:
    """Return whether a line that is not stretched ends where its author said so."""
    fits = _fits(line, below, font, room)
    if fits is None or _stretch(line, font):
        return False, DOUBTFUL
    return fits, DOUBTFUL if not fits and below.text.startswith(_DASH) else SURE


def _fits(line: _Line, below: _Line, font: Alphabet, room: LineRoom) -> bool | None:
    """Return whether the first word of the line below has room in a line; None if nobody can tell."""
    space = _space(font)
    breaks = bool(_BREAK.search(line.text[-1]))
    used = line.width - _stretch(line, font) + (0 if breaks else space)
    ends = [
        (placed.glyph.text, piece.left + placed.end) for piece in below.words[0] for placed in piece.readings[0].placed
    ]
    part = next((end for text, end in ends[:-1] if _BREAK.search(text)), None)
    start, behind = below.words[0][0].start, space if len(below.words) > 1 else 0
    whole = ends[-1][1] + behind
    if used + whole - start <= room.widths[0] - _WIDTH_SLACK:
        return None if breaks or part is not None else True
    return False if used + (whole if part is None else part) - start > room.widths[1] + _WIDTH_SLACK else None


def _space(font: Alphabet) -> int:
    size = _size(font)
    return round(sum(piece.width for piece in hinting.shape_on_pixels(font.face, " ", size)) * size)


def _stretch(line: _Line, font: Alphabet) -> int:
    """Return by how many px the spaces of a line are wider than those of the font."""
    space = _space(font)
    return sum(round(right[0].start - left[-1].end) - space for left, right in pairwise(line.words))


def _may_go_on(lines: Sequence[_Line], font: Alphabet, room: LineRoom) -> bool:
    """Return whether there may be more of a text than its box shows."""
    if not lines:
        return False
    last = lines[-1]
    if room.filled and _stretch(last, font) >= _WIDTH_SLACK:
        return True  # its paragraph goes on
    is_full = last.row + _size(font) > room.bottom
    return is_full and not _END.search(last.text)


# --- texts ------------------------------------------------------------------------------------------------------------


# Sizes in px of a card of 1000 px; the first are those of the authors' template.
_SIZES = {
    "edition": ((18,),),
    "number": ((100,),),
    "name": ((67,), tuple(range(40, 67))),
    "credit": ((17,),),
    "text": ((34,), tuple(range(18, 34))),
    "flavor": ((22,), (18, 19, 20, 21, 23)),
}
_MAX_NARROWED = 8  # px that the letters of a name may be nearer to each other
_MAX_BASELINES = 4  # rows that are tried as a line's baseline
_LOWEST, _HIGHEST = 0.5, 0.97  # em that a line's highest letter may have: a small one, or a capital with an accent
_ACROSS = 1000  # px: of other cards the letters are not those of GIMP's pixels
_INKED = 0.35  # coverage
_WHITE = 252  # of 255
_HALF, _HALF_OF_EDITION = 28.2, 12.0  # mm to both sides of the middle that belong to a line
_NEAR = 6  # px that a baseline may lie beside its place
_AROUND = 6  # px above and below a line that are white
_BESIDE = 3  # px at its sides
_LAYER_BELOW = 2  # px that the authors' layer of ability texts ends above the box of this program
_FLAVOR_WIDER = 5  # px that the box of this program is wider than their layer of flavor
_NARROWER_LAYER = 40  # px that an author may have made a layer narrower
_RED_LIGHTNESS = 0.299
_MORE_INK = 0.1  # coverage, more than a pixel may differ by
_LONE = ("name", "credit", "edition")
_LOW_QUOTE = re.compile(r"(?:^|\s),")  # a comma there is rather a low quotation mark, which looks the same
_EDITION_SIGNS = tuple("0123456789stndrhEdio ")


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

    def edition(self, place: Place) -> int | None:
        """Return the edition that the indicator names, if every pixel of it is that of GIMP."""
        said = self._line("edition", place, _HALF_OF_EDITION, _EDITION_SIGNS)
        match = re.fullmatch(r"(\d{1,3})(?:st|nd|rd|th) Edition", said.text) if said else None
        return int(match[1]) if match and said and indicator(int(match[1])) == said.text else None

    def number(self, place: Place, reach: float) -> tuple[int, float] | None:
        """Return the number at a place, and how sure it is; `reach` mm to both sides belong to it."""
        said = self._line("number", place, reach, DIGITS)
        return (int(said.text), said.confidence) if said and said.text.isdecimal() else None

    def name(self, place: Place) -> Reading | None:
        """Return the name; None if some of its ink is of no letter, or there is none."""
        return self._line("name", place, _HALF, USUAL)

    def credit(self, place: Place) -> tuple[Reading, str] | None:
        """Return the credit and its font, as `name` does: that is one of `CREDIT_FONTS`."""
        for font, face in CREDIT_FONTS.items():
            if found := self._line("credit", replace(place, face=face), _HALF, USUAL):
                return found, font
        return None

    def _line(self, key: str, place: Place, half: float, texts: tuple[str, ...]) -> Reading | None:
        """Return the text of a line around the middle of a place, `half` mm to both sides; None without any."""
        assert isinstance(place.room, TextLine)
        left, right = (max(round((place.room.x + side) * self.sheet.scale), 0) for side in (-half, half))
        usual = round(place.room.baseline * self.sheet.scale)
        rows = _baselines(self.sheet.ink[:, left:right], range(usual - _NEAR, usual + _NEAR + 1))
        spacings = range(0, -_MAX_NARROWED - 1, -1) if key == "name" else (0,)
        for font in _fonts(key, place.face, texts):
            for row in rows:
                for spacing in spacings:
                    line = self._line_type(font, row, (left, right), spacing=spacing)
                    if words := read_line(self.sheet, line):
                        said = _verified(_Line(row, words))
                        alone = key not in _LONE or not self._has_more_ink(font, row, (left, right))
                        return said if alone else replace(said, confidence=DOUBTFUL)
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

    def _has_more_ink(self, font: Alphabet, row: int, columns: tuple[int, int]) -> bool:
        """Return whether there is ink around a line, of which only a part may be seen then."""
        part = (slice(None), slice(*columns))
        around = np.zeros(self.sheet.ink[part].shape, np.bool_)
        top, bottom = row - ceil(0.95 * _size(font)), row + ceil(0.25 * _size(font))
        around[max(top - _AROUND, 0) : top] = around[bottom : bottom + _AROUND] = True
        around[top:bottom, :_BESIDE] = around[top:bottom, -_BESIDE:] = True
        return _is_inked(self.sheet, part, around)

    def lines(self, key: str, place: Place) -> Written | None:
        """Return the text of a box; None if some of its ink is of no letter."""
        assert isinstance(place.room, TextBox)
        box, scale = place.room.room, self.sheet.scale
        top, bottom, left, right = (
            round(each * scale) for each in (box.y - 0.3, box.bottom + 0.3, box.x - 0.35, box.right + 0.35)
        )
        # GIMP cuts letters off at the edges of a layer.
        beyond = np.zeros(self.sheet.ink.shape, np.bool_)
        beyond[top:, left : floor(box.x * scale) - 1] = beyond[top:, floor(box.right * scale) - 1 : right] = True
        if key == "text":
            beyond[floor(box.bottom * scale) - _LAYER_BELOW :] = True
        part = (slice(bottom), slice(left, right))
        if _is_inked(self.sheet, part, beyond[part]):
            return None  # the layer is another one
        ink, tolerance = self.sheet.ink.copy(), np.where(beyond, np.float32(HIDDEN), self.tolerance)
        ink[bottom:] = 0.0
        sheet = replace(self.sheet, ink=ink, tolerance=tolerance)
        for font in _fonts(key, place.face, USUAL):
            found = self._lines_of(sheet, top, (left, right), font)
            if found is not None:
                return self._written(found, font, self._room(key, place.room))
        return None

    def _lines_of(self, sheet: InkSheet, top: int, columns: tuple[int, int], font: Alphabet) -> list[_Line] | None:
        """Return all lines that stand in the ink from a row on; None if one cannot be read."""
        lines: list[_Line] = []
        while True:
            inked = np.flatnonzero(sheet.ink[top:, slice(*columns)].max(axis=1, initial=0.0) > _INKED)
            if not len(inked):
                return lines
            first = top + int(inked[0])
            rows = range(first + round(_LOWEST * _size(font)), first + round(_HIGHEST * _size(font)) + 1)
            for row in _baselines(sheet.ink[:, slice(*columns)], rows):
                if words := read_line(sheet, self._line_type(font, row, columns, top=top)):
                    lines.append(_Line(row, words))
                    top = row + ceil(0.25 * _size(font))
                    break
            else:
                return None

    def _room(self, key: str, room: TextBox) -> LineRoom:
        width, bottom = round(room.room.width * self.sheet.scale), floor(room.room.bottom * self.sheet.scale)
        if key == "text":
            return LineRoom(widths=(width, width), bottom=bottom, filled=True)
        width -= _FLAVOR_WIDER
        return LineRoom(widths=(width - _NARROWER_LAYER, width), bottom=bottom, filled=False)

    def _written(self, lines: Sequence[_Line], font: Alphabet, room: LineRoom) -> Written:
        if not lines:
            return Written(Reading("", 1.0), 0.0)
        text, sure = "", DOUBTFUL if _may_go_on(lines, font, room) else 1.0
        for line, (begins, certain) in zip(lines, _beginnings(lines, font, room), strict=True):
            said = _verified(line)
            space, joined = between(text, begins, said.text)
            text, sure = text + space + said.text, sure * said.confidence * certain * joined
        reds = tuple((_word_text(word), word[0].red) for line in lines for word in line.words)
        return Written(Reading(text, sure), _size(font) / self.sheet.scale, tuple(line.text for line in lines), reds)


def _fonts(key: str, face: str, texts: tuple[str, ...]) -> Iterator[Alphabet]:
    for sizes in _SIZES[key]:
        yield from hinted_alphabets(face, tuple(sorted(sizes, reverse=True)), texts)


def _baselines(ink: Coverage, rows: range) -> list[int]:
    """Return the rows that most ink ends above."""
    by_rows = ink.sum(axis=1)
    inside = [row for row in rows if 0 < row < len(by_rows)]
    return sorted(inside, key=lambda row: by_rows[row] - by_rows[row - 1])[:_MAX_BASELINES]


def _size(font: Alphabet) -> int:
    assert font.hinting is not None
    return font.hinting.size


def _verified(line: _Line) -> Reading:
    """Return what a line says."""
    said = joined(line.words)
    return replace(said, confidence=DOUBTFUL) if _LOW_QUOTE.search(said.text) else said


def _is_inked(sheet: InkSheet, part: tuple[slice, slice], where: NDArray[np.bool_]) -> bool:
    assert sheet.tolerance is not None
    return bool((sheet.ink[part] - sheet.tolerance[part] > _MORE_INK)[where].any())
