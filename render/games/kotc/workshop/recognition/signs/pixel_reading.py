"""Read a line whose letters stand on whole pixels: every pixel must be that of the signs, so most are seen at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from render.base.caches import cached
from render.games.kotc.workshop.recognition.signs.glyph_pictures import Coverage
from render.games.kotc.workshop.recognition.signs.hinted_signs import HintedSign, hinted_kerning

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
