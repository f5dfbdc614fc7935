"""Lines as GIMP draws them: strokes moved to whole pixels by the instructions in the font, so most are seen at once.

A worker draws the signs, which is started with `_ENVIRONMENT`: FreeType reads it once, as it starts. Its interpreter 35
also follows the instructions that move strokes sideways.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from render.base import guard
from render.base.caches import cached
from render.base.limits import TO_READ_LETTERS
from render.games.kotc.workshop.recognition.glyphs import LIGATURES, Coverage, alphabet
from render.text import fonts

_LIGATURE_CODES = dict(zip(LIGATURES, "ﬀﬁﬂﬃﬄ", strict=True))
_FAINT = 0.05  # coverage: a column with less may be missing in a picture
_ENVIRONMENT = {"FREETYPE_PROPERTIES": "truetype:interpreter-version=35"}
ALIKE = 0.16  # coverage by which no pixel of two signs differs that look the same


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HintedSign:
    """A sign at a size in whole pixels: its advance, and its picture, which begins `left` px behind its start.

    The last row of the picture is `below` px below the baseline. `weight` is its ink. `doubtful` says that another
    sign of ASCII looks the same.
    """

    text: str
    advance: int
    left: int
    below: int
    picture: Coverage
    weight: float
    doubtful: bool


@cached(96)
def hinted_signs(face: str, sizes: tuple[int, ...], texts: tuple[str, ...]) -> dict[int, tuple[HintedSign, ...]]:
    """Return the signs of a face at these sizes in px, those with most ink first; none if they cannot be drawn."""
    kept = tuple(sign.text for sign in alphabet(face, texts).signs if sign.face == face)
    file = str(fonts.face(face).file)
    asked = [_LIGATURE_CODES.get(text, text) for text in kept]
    try:
        drawn = guard.run(draw_letters, file, sizes, asked, limits=TO_READ_LETTERS, environment=_ENVIRONMENT)
    except (guard.TooMuchError, guard.WorkFailedError, OSError):
        return {}
    return {size: tuple(_different(list(_signs(letters, kept)))) for size, letters in zip(sizes, drawn, strict=True)}


Letter = tuple[float, float, float, int, int, bytes]
"""The advance of a letter, and left, top (from the baseline, upwards), width and height of its picture, all in px."""


def draw_letters(file: str, sizes: Sequence[int], texts: Sequence[str]) -> list[list[Letter]]:
    """Return texts drawn in a font at each size; in the worker."""
    from PIL import ImageFont

    drawn = []
    for size in sizes:
        font = ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)
        letters = []
        for text in texts:
            mask, (left, top) = font.getmask2(text, mode="L", anchor="ls")
            letters.append((font.getlength(text, mode="L"), left, -top, *mask.size, bytes(mask)))
        drawn.append(letters)
    return drawn


def _signs(letters: Sequence[Letter], texts: Sequence[str]) -> Iterator[HintedSign]:
    for text, (advance, left, top, width, height, picture) in zip(texts, letters, strict=True):
        drawn = np.frombuffer(picture, np.uint8).reshape(height, width)
        coverage = drawn / np.float32(255)
        rows = np.flatnonzero(coverage.max(axis=1, initial=0.0) > _FAINT)
        columns = np.flatnonzero(coverage.max(axis=0, initial=0.0) > _FAINT)
        if not len(rows):
            continue
        inked = coverage[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        yield HintedSign(
            text=text,
            advance=round(advance),
            left=round(left) + int(columns[0]),
            below=int(rows[-1]) + 1 - round(top),
            picture=np.ascontiguousarray(inked),
            weight=float(inked.sum()),
            doubtful=False,
        )


def _different(signs: Sequence[HintedSign]) -> Iterator[HintedSign]:
    """Yield signs by their ink; of those that look the same, the first: texts begin with ASCII."""
    kept: list[HintedSign] = []
    doubtful = set[str]()
    for sign in signs:
        same = next((other for other in kept if _are_alike(sign, other)), None)
        if same is None:
            kept.append(sign)
        elif sign.text.isascii():
            doubtful.add(same.text)
    for sign in sorted(kept, key=lambda sign: -sign.weight):
        yield replace(sign, doubtful=True) if sign.text in doubtful else sign


def _are_alike(one: HintedSign, other: HintedSign) -> bool:
    same = one.picture.shape == other.picture.shape and one.below == other.below
    near = abs(one.advance - other.advance) <= 1 and abs(one.left - other.left) <= 1
    return same and near and bool(np.abs(one.picture - other.picture).max() < ALIKE)


@cached(65536)
def hinted_kerning(face: str, first: str, second: str, size: int) -> int:
    """Return by how many px the second sign moves behind the first, as Pango rounds it."""
    pieces = [fonts.shape(face, text) for text in (first + second, first, second)]
    if len({len(piece) for piece in pieces}) > 1 or len(pieces[0][0].glyphs) != sum(
        len(piece[0].glyphs) for piece in pieces[1:]
    ):
        return 0
    both, *each = (piece[0].width for piece in pieces)
    return floor((both - sum(each)) * size + 0.5)


# --- reading ----------------------------------------------------------------------------------------------------------


OFF = 0.1  # coverage that a pixel may differ by: versions of FreeType differ by less
OFF_BESIDE = 0.3  # and where the frame is drawn below the text
HIDDEN = 2.0  # and where nothing of it is seen
_MAX_HIDDEN = 4, 2  # rows and columns of a sign
_FAINT_COLUMNS = 2  # of a sign's left edge, that may be taken for white
_FULL = 0.97  # coverage: where signs overlap, no more can be seen
_INKED = 0.1  # coverage of a pixel, more than it may differ by: the frame may have faint shades
_SPACE = 0.2  # em: the least that a space adds
_KERNED = 1  # px that kerning may differ by
_ABOVE, _BELOW = 0.95, 0.25  # em
_STEPS = 6  # signs that may be tried in vain for each that is right
_OWN = 0.5  # of a sign's ink that no other sign has: else small signs are read in a thick stroke again and again
_MAX_SIGNS = 300  # of a line


@dataclass(frozen=True, slots=True)
class PixelFont:
    """The signs of a face at a size in px, and by how many px more than usual they stand apart."""

    face: str
    size: int
    signs: tuple[HintedSign, ...]
    spacing: int = 0

    @property
    def above(self) -> int:
        return ceil(_ABOVE * self.size)

    @property
    def below(self) -> int:
        return ceil(_BELOW * self.size)


@dataclass(frozen=True, slots=True)
class PlacedSign:
    """A sign, the column at which it starts, and whether a space stands before it."""

    sign: HintedSign
    start: int
    spaced: bool


@dataclass(frozen=True, slots=True, eq=False)
class PixelInk:
    """The coverage of pixels, and by how much each may differ from that of its sign."""

    coverage: Coverage
    off: Coverage

    def part(self, rows: slice, columns: slice) -> PixelInk:
        """Return some rows and columns."""
        return PixelInk(self.coverage[rows, columns], self.off[rows, columns])


def text_of(placed: Sequence[PlacedSign]) -> str:
    """Return the words that signs make."""
    return "".join(" " * each.spaced + each.sign.text for each in placed)


def read_pixels(ink: PixelInk, baseline: int, font: PixelFont, top: int) -> list[PlacedSign] | None:
    """Return the signs whose drawing is the ink of a line, [] if it has none; None if there are no such signs.

    `baseline` is the row below the baseline, `top` the first row that belongs to the line.
    """
    first = max(baseline - font.above, top, 0)
    strip = ink.part(slice(first, baseline + font.below), slice(None))
    return _PixelSearch(strip, baseline - first, font).found()


def can_begin(ink: PixelInk, baseline: int, font: PixelFont) -> bool:
    """Return whether a sign fits where the ink of a line begins; no later one is looked at."""
    first = max(baseline - font.above, 0)
    strip = ink.part(slice(first, baseline + font.below), slice(None))
    return _PixelSearch(strip, baseline - first, font).begins()


@cached(64)
def _edges(signs: tuple[HintedSign, ...], above: int, below: int) -> Coverage:
    """Return the first column of each sign, from `above` the baseline to `below` it."""
    edges = np.zeros((len(signs), above + below), np.float32)
    for edge, sign in zip(edges, signs, strict=True):
        bottom = above + sign.below
        top = max(bottom - len(sign.picture), 0)
        column = sign.picture[top - bottom :, 0]
        edge[top:bottom] = column[: len(edge[top:bottom])]
    return edges


class _PixelSearch:
    """Places signs from left to right, those with most ink first, and takes back what leaves ink."""

    def __init__(self, strip: PixelInk, baseline: int, font: PixelFont) -> None:
        self.margin = font.size
        self.baseline, self.font = baseline, font
        self.left = np.pad(strip.coverage, ((0, 0), (self.margin, self.margin)))
        self.off = np.pad(strip.off, ((0, 0), (self.margin, self.margin)), constant_values=OFF)
        self.full = self.left > _FULL
        self.placed: list[PlacedSign] = []
        self.tries = 0
        self.longest = 0

    def found(self) -> list[PlacedSign] | None:
        if not self._read(0):
            return None
        return [PlacedSign(each.sign, each.start - self.margin, each.spaced) for each in self.placed]

    def begins(self) -> bool:
        inked = self._inked(0)
        return bool(len(inked)) and next(self._candidates(int(inked[0])), None) is not None

    def _inked(self, behind: int) -> NDArray[np.int64]:
        """Return the columns with ink, counted from one."""
        return np.flatnonzero((self.left[:, behind:] > self.off[:, behind:] + _INKED).any(axis=0))

    def _read(self, behind: int) -> bool:
        """Read all ink from a column on."""
        inked = self._inked(behind)
        if not len(inked):
            return True
        column = behind + int(inked[0])
        for sign, start in self._candidates(column):
            spaced = self._spaced(sign, start)
            if spaced is None:
                continue
            self.tries += 1
            if self.tries > _STEPS * (self.longest + 4) or len(self.placed) >= _MAX_SIGNS:
                return False
            window, before = self._place(sign, start)
            if float((before - window).sum()) < _OWN * sign.weight:
                window[:] = before
                continue
            self.placed.append(PlacedSign(sign, start, spaced))
            self.longest = max(self.longest, len(self.placed))
            if self._read(column):
                return True
            self.placed.pop()
            window[:] = before
        return False

    def _candidates(self, column: int) -> Iterator[tuple[HintedSign, int]]:
        """Yield the signs that fit if their ink begins at a column or beside it, and where they start.

        Those that the edge of the layer cuts come last.
        """
        faint = float(self.off[:, column - 1].max()) + OFF + _INKED
        cut: list[tuple[HintedSign, int]] = []
        first = self.font.above - self.baseline
        edges = _edges(self.font.signs, self.font.above, self.font.below)[:, first : first + len(self.left)]
        beginning = [self._begins(edges, column - back) for back in range(_FAINT_COLUMNS + 1)]
        for index in np.flatnonzero(np.any(beginning, axis=0)):
            sign = self.font.signs[index]
            for back in range(_FAINT_COLUMNS + 1):
                begin = column - back
                if (
                    beginning[back][index]
                    and sign.picture[:, :back].max(initial=0.0) <= faint
                    and self._fits(sign, begin)
                ):
                    rows, columns = self._hidden(sign, begin)
                    if rows == columns == 0:
                        yield sign, begin - sign.left
                    elif rows <= _MAX_HIDDEN[0] and columns <= _MAX_HIDDEN[1]:
                        cut.append((sign, begin - sign.left))
                    break
        yield from cut

    def _begins(self, edges: Coverage, column: int) -> NDArray[np.bool_]:
        """Return for each sign whether its first column fits there."""
        missing = edges - self.left[:, column] > self.off[:, column]
        return np.logical_not((missing & ~self.full[:, column]).any(axis=1))

    def _window(self, sign: HintedSign, begin: int) -> tuple[slice, slice] | None:
        height, width = sign.picture.shape
        bottom = self.baseline + sign.below
        if bottom > len(self.left) or bottom < height or begin < 0 or begin + width > self.left.shape[1]:
            return None
        return slice(bottom - height, bottom), slice(begin, begin + width)

    def _fits(self, sign: HintedSign, begin: int) -> bool:
        """Return whether there is ink wherever the sign has some."""
        window = self._window(sign, begin)
        if window is None:
            return False
        return not ((sign.picture - self.left[window] > self.off[window]) & ~self.full[window]).any()

    def _hidden(self, sign: HintedSign, begin: int) -> tuple[int, int]:
        """Return how many rows and columns of a sign are wholly hidden."""
        at = self._window(sign, begin)
        assert at is not None, "only signs that fit are asked for"
        hidden = self.off[at] >= HIDDEN
        return int(hidden.all(axis=1).sum()), int(hidden.all(axis=0).sum())

    def _spaced(self, sign: HintedSign, start: int) -> bool | None:
        """Return whether a space stands before a sign; None if signs do not stand at such a distance."""
        if not self.placed:
            return False
        last = self.placed[-1]
        kerned = hinted_kerning(self.font.face, last.sign.text, sign.text, self.font.size)
        gap = start - last.start - last.sign.advance - self.font.spacing
        if abs(gap - kerned) <= _KERNED:
            return False
        return True if gap > _SPACE * self.font.size else None

    def _place(self, sign: HintedSign, start: int) -> tuple[Coverage, Coverage]:
        """Take a sign's ink away; return what must be put back if it does not belong there."""
        at = self._window(sign, start + sign.left)
        assert at is not None, "only signs that fit are placed"
        window = self.left[at]
        before = window.copy()
        # Where signs overlap, the ink may be less than theirs together.
        window[:] = np.where(self.full[at], np.maximum(window - sign.picture, 0), window - sign.picture)
        return window, before


# --- rivals -----------------------------------------------------------------------------------------------------------


_MORE = 0.1  # coverage beyond what pixels may differ by: so much the picture may itself be off


def rivalled(placed: Sequence[PlacedSign], ink: PixelInk, baseline: int, font: PixelFont) -> bool:
    """Return whether the ink of a line, read as `placed`, may be of other signs; `baseline` is as in `read_pixels`."""
    return any(_may_be_another(each, ink.off, baseline, font) for each in placed)


def _may_be_another(placed: PlacedSign, off: Coverage, baseline: int, font: PixelFont) -> bool:
    sign = placed.sign
    height, width = sign.picture.shape
    # A picture may reach beyond the strip that its line was read from, by columns that are seen as white.
    around = np.full((height, width), np.float32(OFF))
    left, bottom = placed.start + sign.left, baseline + sign.below
    begin, end = max(left, 0), min(left + width, off.shape[1])
    seen = off[max(bottom - height, 0) : bottom, begin:end]
    around[height - len(seen) :, begin - left : end - left] = seen
    levels = np.unique(around)
    if len(levels) == 1 or levels[-1] < HIDDEN:
        return _has_another_reading(font, sign, float(levels[-1]))
    return _reads_otherwise(font, sign, around)


@cached(8192)
def _has_another_reading(font: PixelFont, sign: HintedSign, off: float) -> bool:
    return _reads_otherwise(font, sign, np.full(sign.picture.shape, np.float32(off)))


def _reads_otherwise(font: PixelFont, sign: HintedSign, off: Coverage) -> bool:
    """Return whether the picture of a sign, with so much doubt about its pixels, is read without the sign."""
    height, width = sign.picture.shape
    coverage, doubt = np.zeros((2, font.above + font.below, width), np.float32)
    doubt[:] = OFF
    bottom = font.above + sign.below
    if bottom < height or bottom > len(coverage):
        return True  # it was cut, so nothing is known of the rest
    hidden = off >= HIDDEN
    coverage[bottom - height : bottom] = np.where(hidden, np.float32(0), sign.picture)
    doubt[bottom - height : bottom] = np.where(hidden, off, off + np.float32(_MORE))
    # A ligature is the same text as its letters.
    others = tuple(other for other in font.signs if other.text not in sign.text)
    return bool(read_pixels(PixelInk(coverage, doubt), font.above, replace(font, signs=others), 0))
