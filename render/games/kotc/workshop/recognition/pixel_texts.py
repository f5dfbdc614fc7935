"""Texts of cards that GIMP drew: each letter stands on whole pixels, and every pixel of it is known.

GIMP breaks a line where the next word, and the space behind it, do not fit. In a text that fills its box it then
stretches the spaces, by whole pixels; the last line of a paragraph keeps those of the font. So a line tells of itself
whether it ends a paragraph, unless it is as wide as its box.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from math import floor

import numpy as np
from numpy.typing import NDArray
from PIL import ImageChops, ImageFilter

from render.base.geometry import MM_PER_INCH
from render.games.kotc.model.cards import CREDIT_FONTS, indicator
from render.games.kotc.workshop.recognition.glyphs import DIGITS, USUAL
from render.games.kotc.workshop.recognition.line_reading import InkSheet
from render.games.kotc.workshop.recognition.pixel_reading import (
    HIDDEN,
    OFF,
    OFF_BESIDE,
    PixelFont,
    PixelInk,
    PlacedSign,
    can_begin,
    hinted_kerning,
    hinted_signs,
    read_pixels,
    rivalled,
    text_of,
)
from render.games.kotc.workshop.recognition.places import Frame, Place, background
from render.games.kotc.workshop.recognition.texts import SaidWords, Written, between
from render.text import hinting
from render.text.fitting import TextBox, TextLine

SURE, DOUBTFUL = 1.0, 0.5
_LINE, _EMPTY_LINE = 1.5, 1.75  # em: a larger distance than the first is no usual one, than the second an empty line
_WIDTH_SLACK = 2  # px by which a width may be off
_BREAK = re.compile(r"[-‐–—/|…]")  # behind these a word may be broken
_DASH = tuple("-–—―~")  # before the name of who is quoted
_END = re.compile(r"[.!?…)\]\"'”’]\Z")  # how a text ends


@dataclass(frozen=True, slots=True)
class PixelLine:
    """A line that was read: the row below its baseline, and its signs."""

    baseline: int
    signs: Sequence[PlacedSign]

    @property
    def text(self) -> str:
        return text_of(self.signs)

    @property
    def end(self) -> int:
        """The column at which the next sign would start."""
        return self.signs[-1].start + self.signs[-1].sign.advance


@dataclass(frozen=True, slots=True, kw_only=True)
class LineRoom:
    """The box of a text in px: its width lies between two numbers, `bottom` is the row below it.

    `filled` says that the lines of a paragraph but the last are as wide as the box.
    """

    widths: tuple[int, int]
    bottom: int
    filled: bool


def beginnings(lines: Sequence[PixelLine], font: PixelFont, room: LineRoom) -> list[tuple[bool, float]]:
    """Return for each line whether a paragraph begins with it, and how sure that is."""
    proved = any(_stretch(line, font) >= _WIDTH_SLACK for line in lines)
    return [(True, SURE), *(_begins(line, below, (font, room), proved=proved) for line, below in pairwise(lines))]


def _begins(
    line: PixelLine, below: PixelLine, setting: tuple[PixelFont, LineRoom], *, proved: bool
) -> tuple[bool, float]:
    font, room = setting
    pitch = (below.baseline - line.baseline) / font.size
    if pitch > _EMPTY_LINE:
        return True, SURE
    if pitch > _LINE:
        return True, DOUBTFUL
    return _filled(line, below, font, room, proved=proved) if room.filled else _ragged(line, below, font, room)


def _filled(line: PixelLine, below: PixelLine, font: PixelFont, room: LineRoom, *, proved: bool) -> tuple[bool, float]:
    """Return whether a line of a text that fills its box is the last of its paragraph."""
    stretch = _stretch(line, font)
    if stretch >= _WIDTH_SLACK:
        near = abs(line.end - line.signs[0].start - room.widths[0]) <= 2 * _WIDTH_SLACK
        return False, SURE if near else DOUBTFUL
    if stretch:
        return False, DOUBTFUL
    # If other lines are stretched, this one would be, too.
    short = line.end - line.signs[0].start <= room.widths[0] - _WIDTH_SLACK
    spaced = any(each.spaced for each in line.signs)
    ends = (proved and short and spaced) or _fits(line, below, font, room)
    return (True, SURE) if ends else (False, DOUBTFUL)


def _ragged(line: PixelLine, below: PixelLine, font: PixelFont, room: LineRoom) -> tuple[bool, float]:
    """Return whether a line that is not stretched ends where its author said so."""
    fits = _fits(line, below, font, room)
    if fits is None or _stretch(line, font):
        return False, DOUBTFUL
    return fits, DOUBTFUL if not fits and below.text.startswith(_DASH) else SURE


def _fits(line: PixelLine, below: PixelLine, font: PixelFont, room: LineRoom) -> bool | None:
    """Return whether the first word of the line below has room in a line; None if nobody can tell."""
    space = _space(font)
    used = line.end - line.signs[0].start - _stretch(line, font) + (0 if _BREAK.search(line.text[-1]) else space)
    word = list(_first_word(below.signs))
    behind = space if len(word) < len(below.signs) else 0
    part = next((index for index, each in enumerate(word, 1) if _BREAK.search(each.sign.text)), len(word))
    if used + _width(word) + behind <= room.widths[0] - _WIDTH_SLACK:
        return True if part == len(word) and not _BREAK.search(line.text[-1]) else None
    if used + _width(word[:part]) + (behind if part == len(word) else 0) > room.widths[1] + _WIDTH_SLACK:
        return False
    return None


def _first_word(signs: Sequence[PlacedSign]) -> Iterator[PlacedSign]:
    for index, each in enumerate(signs):
        if index and each.spaced:
            return
        yield each


def _width(signs: Sequence[PlacedSign]) -> int:
    return signs[-1].start + signs[-1].sign.advance - signs[0].start


def _space(font: PixelFont) -> int:
    return round(sum(piece.width for piece in hinting.shape_on_pixels(font.face, " ", font.size)) * font.size)


def _stretch(line: PixelLine, font: PixelFont) -> int:
    """Return by how many px the spaces of a line are wider than those of the font."""
    space = _space(font)
    return sum(
        right.start
        - left.start
        - left.sign.advance
        - space
        - hinted_kerning(font.face, left.sign.text, right.sign.text, font.size) * (not right.spaced)
        for left, right in pairwise(line.signs)
        if right.spaced
    )


def may_go_on(lines: Sequence[PixelLine], font: PixelFont, room: LineRoom) -> bool:
    """Return whether there may be more of a text than its box shows."""
    if not lines:
        return False
    last = lines[-1]
    if room.filled and _stretch(last, font) >= _WIDTH_SLACK:
        return True  # its paragraph goes on
    is_full = last.baseline + font.size > room.bottom
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
_MAX_TRIED = 20  # sizes and baselines at which narrower letters are tried; in JPEGs many signs seem to begin
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
KNOWN = 0.9999
_DOUBTFUL = 0.5
_RED = 40  # of 255 that red exceeds blue by
_RED_LIGHTNESS = 0.299
_MORE_INK = 0.1  # coverage, more than a pixel may differ by
_ALONE = ("name", "credit", "edition")
_LOW_QUOTE = re.compile(r"(?:^|\s),")  # a comma there is rather a low quotation mark, which looks the same
_EDITION_SIGNS = tuple("0123456789stndrhEdio ")


def can_be_pixel_texts(sheet: InkSheet) -> bool:
    """Return whether the card has the size of the authors' cards."""
    return bool(sheet.ink.shape[1] == _ACROSS)


class PixelTexts:
    """The texts of one card of GIMP's pixels."""

    def __init__(self, sheet: InkSheet, frame: Frame) -> None:
        self.scale = sheet.scale
        self.redness = sheet.redness
        darkest = reduce(ImageChops.darker, background(frame, sheet.scale * MM_PER_INCH).convert("RGB").split())
        # What the authors' frame shows may lie a pixel beside.
        bare = np.asarray(darkest.filter(ImageFilter.MinFilter(5)), np.float32)
        off = np.where(bare < _WHITE, np.float32(OFF_BESIDE), np.float32(OFF))
        # Red words are as dark in blue as black ones.
        self.ink = PixelInk(sheet.ink + sheet.redness * np.float32(_RED_LIGHTNESS / 255), off)

    def edition(self, place: Place) -> int | None:
        """Return the edition that the indicator names, if every pixel of it is that of GIMP."""
        said = self._line("edition", place, _HALF_OF_EDITION, _EDITION_SIGNS)
        match = re.fullmatch(r"(\d{1,3})(?:st|nd|rd|th) Edition", said.text) if said else None
        return int(match[1]) if match and said and indicator(int(match[1])) == said.text else None

    def number(self, place: Place, reach: float) -> tuple[int, float] | None:
        """Return the number at a place, and how sure it is; `reach` mm to both sides belong to it."""
        said = self._line("number", place, reach, DIGITS)
        return (int(said.text), said.sure) if said and said.text.isdecimal() else None

    def name(self, place: Place) -> SaidWords | None:
        """Return the name; None if some of its ink is of no sign, or there is none."""
        return self._line("name", place, _HALF, USUAL)

    def credit(self, place: Place) -> tuple[SaidWords, str] | None:
        """Return the credit and its font, as `name` does: that is one of `CREDIT_FONTS`."""
        for font, face in CREDIT_FONTS.items():
            if found := self._line("credit", replace(place, face=face), _HALF, USUAL):
                return found, font
        return None

    def _line(self, key: str, place: Place, half: float, texts: tuple[str, ...]) -> SaidWords | None:
        """Return the text of a line around the middle of a place, `half` mm to both sides; None without any."""
        assert isinstance(place.room, TextLine)
        left, right = (max(round((place.room.x + side) * self.scale), 0) for side in (-half, half))
        ink = self.ink.part(slice(None), slice(left, right))
        usual = round(place.room.baseline * self.scale)
        rows = sorted(range(usual - _NEAR, usual + _NEAR + 1), key=lambda row: abs(row - usual))
        tried = 0
        for font in _fonts(key, place.face, texts):
            for baseline in rows:
                if found := read_pixels(ink, baseline, font, 0):
                    return _alone(found, ink, baseline, font) if key in _ALONE else _said(found, ink, baseline, font)
            for baseline in rows if key == "name" else ():
                if tried < _MAX_TRIED and can_begin(ink, baseline, font):
                    tried += 1
                    if narrow := _narrower(ink, baseline, font):
                        return _alone(narrow[0], ink, baseline, narrow[1])
        return None

    def lines(self, key: str, place: Place) -> Written | None:
        """Return the text of a box; None if some of its ink is of no sign."""
        assert isinstance(place.room, TextBox)
        box = place.room.room
        top, bottom, left, right = (
            round(each * self.scale) for each in (box.y - 0.3, box.bottom + 0.3, box.x - 0.35, box.right + 0.35)
        )
        ink = self.ink.part(slice(bottom), slice(left, right))
        # GIMP cuts letters off at the edges of a layer.
        edges = floor(box.x * self.scale) - 1 - left, floor(box.right * self.scale) - 1 - left
        beyond = np.zeros(ink.off.shape, np.bool_)
        beyond[top:, : edges[0]] = beyond[top:, edges[1] :] = True
        if key == "text":
            beyond[floor(box.bottom * self.scale) - _LAYER_BELOW :] = True
        if _is_inked(ink, beyond):
            return None  # the layer is another one
        ink = PixelInk(ink.coverage, np.where(beyond, np.float32(HIDDEN), ink.off))
        for font in _fonts(key, place.face, USUAL):
            found = _lines_of(ink, top, font)
            if found is not None:
                return self._written(found, font, left, (ink, self._room(key, place.room)))
        return None

    def _room(self, key: str, room: TextBox) -> LineRoom:
        width, bottom = round(room.room.width * self.scale), floor(room.room.bottom * self.scale)
        if key == "text":
            return LineRoom(widths=(width, width), bottom=bottom, filled=True)
        width -= _FLAVOR_WIDER
        return LineRoom(widths=(width - _NARROWER_LAYER, width), bottom=bottom, filled=False)

    def _written(
        self, lines: Sequence[PixelLine], font: PixelFont, left: int, seen: tuple[PixelInk, LineRoom]
    ) -> Written:
        ink, room = seen
        if not lines:
            return Written(SaidWords("", 1.0), 0.0)
        text, sure = "", _DOUBTFUL if may_go_on(lines, font, room) else 1.0
        for line, (begins, certain) in zip(lines, beginnings(lines, font, room), strict=True):
            said = _said(line.signs, ink, line.baseline, font)
            space, joined = between(text, begins, said.text)
            text, sure = text + space + said.text, sure * said.sure * certain * joined
        reds = [red for line in lines for red in self._reds(line, left)]
        return Written(SaidWords(text, sure), font.size / self.scale, tuple(each.text for each in lines), tuple(reds))

    def _reds(self, line: PixelLine, left: int) -> Iterator[tuple[str, bool]]:
        """Yield each word of a line, and whether it is red."""
        words: list[list[PlacedSign]] = []
        for each in line.signs:
            if each.spaced or not words:
                words.append([])
            words[-1].append(each)
        for word in words:
            first = word[0].sign
            rows = slice(line.baseline + first.below - len(first.picture), line.baseline + first.below)
            begin = left + word[0].start + first.left
            redness = self.redness[rows, begin : begin + first.picture.shape[1]]
            yield "".join(each.sign.text for each in word), float((redness * first.picture).sum()) > _RED * first.weight


def _fonts(key: str, face: str, texts: tuple[str, ...]) -> Iterator[PixelFont]:
    for sizes in _SIZES[key]:
        for size, signs in sorted(hinted_signs(face, sizes, texts).items(), reverse=True):
            yield PixelFont(face, size, signs)


def _narrower(ink: PixelInk, baseline: int, font: PixelFont) -> tuple[list[PlacedSign], PixelFont] | None:
    """Return the signs of a line whose letters are nearer to each other than usual, and their font."""
    fonts = (replace(font, spacing=-by) for by in range(1, _MAX_NARROWED + 1))
    return next(((found, font) for font in fonts if (found := read_pixels(ink, baseline, font, 0))), None)


def _said(signs: Sequence[PlacedSign], ink: PixelInk, baseline: int, font: PixelFont) -> SaidWords:
    doubtful = any(each.sign.doubtful for each in signs) or rivalled(signs, ink, baseline, font)
    text = text_of(signs)
    return SaidWords(text, _DOUBTFUL if doubtful or _LOW_QUOTE.search(text) else KNOWN)


def _alone(signs: Sequence[PlacedSign], ink: PixelInk, baseline: int, font: PixelFont) -> SaidWords:
    """Return what a line says; not sure if there is more ink around it, of which only a part may be seen."""
    said = _said(signs, ink, baseline, font)
    around = np.zeros(ink.off.shape, np.bool_)
    around[max(baseline - font.above - _AROUND, 0) : baseline - font.above] = True
    around[baseline + font.below : baseline + font.below + _AROUND] = True
    around[baseline - font.above : baseline + font.below, :_BESIDE] = True
    around[baseline - font.above : baseline + font.below, -_BESIDE:] = True
    return replace(said, sure=_DOUBTFUL) if _is_inked(ink, around) else said


def _is_inked(ink: PixelInk, where: NDArray[np.bool_]) -> bool:
    return bool((ink.coverage - ink.off > _MORE_INK)[where].any())


def _lines_of(ink: PixelInk, top: int, font: PixelFont) -> list[PixelLine] | None:
    """Return all lines that stand in the ink from a row on; None if one cannot be read."""
    lines: list[PixelLine] = []
    while True:
        inked = np.flatnonzero(ink.coverage[top:].max(axis=1, initial=0.0) > _INKED)
        if not len(inked):
            return lines
        line = _next_line(ink, top + int(inked[0]), top, font)
        if line is None:
            return None
        lines.append(line)
        top = line.baseline + font.below


def _next_line(ink: PixelInk, inked: int, top: int, font: PixelFont) -> PixelLine | None:
    """Return the line whose highest sign reaches a row."""
    for share in (0.76, 0.73, 0.55):  # small letters with strokes, capitals, letters without
        middle = inked + round(share * font.size)
        for baseline in (middle, middle - 1, middle + 1, middle - 2, middle + 2):
            signs = read_pixels(ink, baseline, font, top)
            if signs:
                return PixelLine(baseline, signs)
    return None
