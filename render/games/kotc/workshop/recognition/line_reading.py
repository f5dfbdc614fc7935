"""The words of one line: cut it where it is white, find the glyphs of each piece, join what is one word.

How sure a reading is, its drawing tells: it is compared with the ink, and so are the readings that come next.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from math import ceil, floor

import numpy as np
import uharfbuzz as hb
from msgspec import Struct
from msgspec.structs import replace

from render.base.caches import cached
from render.games.kotc.workshop.recognition import glyphs
from render.games.kotc.workshop.recognition.glyph_matching import (
    HIDDEN,
    OFF,
    GlyphHypothesis,
    GlyphSearch,
    Ink,
    PlacedGlyph,
)
from render.games.kotc.workshop.recognition.glyphs import (
    ABOVE,
    BELOW,
    USUAL,
    Alphabet,
    Coverage,
    Type,
    draw_glyph,
    rendered,
)
from render.text import fonts

_GAP = 0.22  # em that are white between two pieces
_GAP_OF_HINTED = 0.235  # whose ellipsis has wider gaps
_SPACE = 0.2  # em between the end of a glyph and the start of the next, from which there is a space
_SLANT = 0.1944  # px to the right for each px up, of the oblique faces: 11 degrees
_LEAN = 0.25  # em: what slanted letters lean to the right at their top, or to the left at their bottom
_INKED = 0.1  # coverage
_FAINT_COLUMNS = 2  # at the edge of a hinted letter, that may be taken for white
_SPECK = 0.25  # coverage: what is lighter everywhere is no letter
_RED = 40  # of 255 that red exceeds blue by, where #800000 does by 128
_RED_INK = 255 / (255 - 38.3)  # what the lightness of #800000 is short of black
_POOR = 0.06  # of the squared ink: more than any true reading costs


class InkSheet(Struct, frozen=True, eq=False):
    """The ink of a card: coverage of black (row, column), and how much redder than blue each pixel is.

    `tolerance` says by how much each pixel may differ from letters that GIMP drew; None: its letters are not GIMP's.
    """

    ink: Coverage
    redness: Coverage
    scale: float
    tolerance: Coverage | None = None


class Piece(Struct, frozen=True, eq=False):
    """A stretch of ink on a line, read: its first column, its readings, best first, and beginnings of others."""

    left: int
    ink: Ink
    readings: Sequence[GlyphHypothesis]
    rivals: Sequence[GlyphHypothesis]
    alphabet: Alphabet
    red: bool

    @property
    def text(self) -> str:
        return self.readings[0].text if self.readings else ""

    @property
    def start(self) -> float:
        """The column at which its first glyph starts, in px of the card."""
        return self.left + self.readings[0].start

    @property
    def end(self) -> float:
        return self.left + self.readings[0].end

    @property
    def misfit(self) -> float:
        """The share of its squared ink that its best reading leaves."""
        return self.readings[0].cost / float(np.square(self.ink.coverage).sum()) if self.readings else 1.0

    @property
    def is_poor(self) -> bool:
        """Whether no reading is like the ink."""
        return self.misfit > _POOR


Word = tuple[Piece, ...]
"""Pieces that no space divides."""


class LineType(Struct, frozen=True, kw_only=True):
    """How a line is set: baseline and size in mm, stretch, the faces that it may have, and between which columns.

    `room` are the em above the baseline in which no other line has ink. `spacing` is by how many px hinted letters stand
    farther apart than usual.
    """

    baseline: float
    size: float
    faces: tuple[str, ...]
    columns: tuple[int, int]
    stretch: float = 1.0
    room: float = 1.0
    texts: tuple[str, ...] = USUAL
    hinted: Alphabet | None = None
    spacing: int = 0


def read_line(sheet: InkSheet, line: LineType) -> list[Word]:
    """Return the words of a line, from left to right; of hinted letters none if one cannot be read."""
    pieces: list[Piece] = []
    for stretch in stretches(sheet, line):
        pieces += _pieces(sheet, line, stretch)
        if line.hinted and not pieces[-1].readings:
            return []
    words: list[list[Piece]] = []
    space = _SPACE * line.size * sheet.scale + line.spacing
    for piece in pieces:
        last = words[-1][-1] if words else None
        if last and last.text and piece.text and piece.start - last.end < space:
            words[-1].append(piece)
        else:
            words.append([piece])
    return [tuple(word) for word in words]


def stretches(sheet: InkSheet, line: LineType) -> list[tuple[int, int]]:
    """Return the columns between which a line has ink without a gap."""
    rows, look = _rows(sheet, line)
    left, right = line.columns
    strip = sheet.ink[rows, left:right]
    if line.hinted and sheet.tolerance is not None:
        strip = strip - sheet.tolerance[rows, left:right]
    lean = 0
    if all("Oblique" in face for face in line.faces):
        lean = ceil(_LEAN * look.size)
        strip = _upright(np.pad(strip, ((0, 0), (lean, lean))), look)
    inked = np.flatnonzero(strip.max(axis=0, initial=0.0) > _INKED)
    if not len(inked):
        return []
    # A space is narrower by the spacing of two: that of the letter before it, and its own.
    gap = _GAP_OF_HINTED * look.em + 1 + 2 * line.spacing if line.hinted else _GAP * look.em
    breaks = np.flatnonzero(np.diff(inked) > gap)
    starts, ends = inked[np.concatenate([[0], breaks + 1])], inked[np.concatenate([breaks, [len(inked) - 1]])]
    first = left - lean
    inked_at = [(int(start), int(end) + 1) for start, end in zip(starts, ends, strict=True)]
    return [
        (first + start, first + end) for start, end in inked_at if line.hinted or strip[:, start:end].max() > _SPECK
    ]


def _rows(sheet: InkSheet, line: LineType) -> tuple[slice, Type]:
    baseline, size = line.baseline * sheet.scale, line.size * sheet.scale
    if line.hinted:
        row, size = round(baseline), round(size)
        above, below = glyphs.hinted_height(size)
        look = Type(size, 1.0, 0.0, min(above, floor(line.room * size + 0.01), row), below, hinted=True)
    else:
        row = floor(baseline) + 1
        rise = row - baseline
        above = floor(min(ABOVE, line.room) * size + rise)
        look = Type(size, line.stretch, rise, above, max(ceil(BELOW * size - rise), 1))
    return slice(max(row - look.above, 0), row + look.below), look


def _upright(strip: Coverage, look: Type) -> Coverage:
    """Return a strip with its rows moved so that slanted strokes stand upright."""
    shifted = np.zeros_like(strip)
    for row in range(len(strip)):
        by = round((look.above - row) * _SLANT)
        shifted[row] = np.roll(strip[row], -by)
    return shifted


def _pieces(sheet: InkSheet, line: LineType, stretch: tuple[int, int]) -> list[Piece]:
    """Read a stretch in the face that suits it best; slanted words may be nearer to each other than upright ones."""
    if len(line.faces) == 1:
        return [_piece(sheet, line, *stretch)]
    # The face comes first whose strokes stand in columns as those of the ink do.
    rows, look = _rows(sheet, line)
    ink = np.pad(sheet.ink[rows, slice(*stretch)], ((0, 0), (look.above, look.above)))
    slanted = np.square(_upright(ink, look).sum(axis=0)).sum() > np.square(ink.sum(axis=0)).sum()
    best: list[Piece] = []
    for face in sorted(line.faces, key=lambda face: ("Oblique" in face) != slanted):
        if not best or any(piece.is_poor for piece in best):
            narrow = replace(line, faces=(face,), columns=stretch)
            pieces = [_piece(sheet, narrow, *part) for part in stretches(sheet, narrow)]
            best = min(best, pieces, key=_cost) if best else pieces
    return best


def _cost(pieces: list[Piece]) -> float:
    """Return what pieces cost; much, if one of them cannot be read."""
    return sum(piece.readings[0].cost if piece.readings else float(piece.ink.coverage.sum()) for piece in pieces)


def _piece(sheet: InkSheet, line: LineType, left: int, right: int) -> Piece:
    """Read a stretch of one face."""
    rows, look = _rows(sheet, line)
    slanted = all("Oblique" in face for face in line.faces)
    faint = _FAINT_COLUMNS if line.hinted else 0
    lean = (ceil(_LEAN * look.size) if slanted else 0) + faint
    begin, end = max(left - lean, 0), min(right + lean, sheet.ink.shape[1])
    coverage, redness = sheet.ink[rows, begin:end], sheet.redness[rows, begin:end]
    if slanted:
        coverage = _between_slanted(coverage, look, (left - begin - faint, right - begin + faint))
    red = float((coverage * redness).sum()) > _RED * max(float(coverage.sum()), 1e-6)
    if line.hinted and sheet.tolerance is not None:
        ink, alphabet = Ink(coverage, look, sheet.tolerance[rows, begin:end], line.spacing), line.hinted
    else:
        black = np.clip(coverage * (_RED_INK if red else 1.0), -0.2, 1.0).astype(np.float32)
        ink, alphabet = Ink(black, look), glyphs.alphabet(line.faces[0], line.texts)
    readings, rivals = GlyphSearch(ink, alphabet).found()
    return Piece(begin, ink, readings, rivals, alphabet, red)


def _between_slanted(coverage: Coverage, look: Type, columns: tuple[int, int]) -> Coverage:
    """Return the ink between two slanted lines, which cross the baseline at these columns."""
    rows = (look.above - np.arange(len(coverage)))[:, None] * _SLANT
    across = np.arange(coverage.shape[1])[None, :]
    return np.where((across >= columns[0] + rows - 1) & (across <= columns[1] + rows), coverage, np.float32(0))


# --- how sure ---------------------------------------------------------------------------------------------------------


SURE, KNOWN, DOUBTFUL = 0.995, 0.999999, 0.5
_NUDGES = (-0.25, -0.125, 0.0, 0.125, 0.25)  # px
_CLOSE = 0.3  # em between the ends of two glyphs that may be the same place
_MIN_NOISE = 0.0012  # squared coverage: of a picture without any noise, for what rounding leaves
_ALIKE = 3.0  # pixels side by side that have the same noise
MAX_MISFIT = 0.03  # of the squared ink: JPEGs differ by less; letters drawn by other programs by more
_WINDOW = 0.35  # em: within it, no more than a part of the ink may be unlike
_MAX_LOCAL = 0.3
_DOT = 0.004  # square em: half of the ink of a dot
_MAX_RIVALS = 10
_MARGIN = 0.7  # em
_THIN = {"i": "lI", "l": "iI", "I": "li"}  # letters that a blur makes alike


class Reading(Struct, frozen=True):
    """Words that were read, and how sure they are: 0 to 1."""

    text: str
    confidence: float


def verify(piece: Piece, max_misfit: float = MAX_MISFIT) -> Reading:
    """Return the best reading of a piece as its drawing proves it; not sure if more of its ink is unlike that."""
    if not piece.readings:
        return Reading("", 0.0)
    if piece.alphabet.hinting is not None:  # the search has compared every pixel
        rivalled = any(_may_be_another(piece, placed) for placed in piece.readings[0].placed)
        return Reading(piece.text, DOUBTFUL if rivalled or len(piece.readings) > 1 else KNOWN)
    margin = round(_MARGIN * piece.ink.type.em)
    ink = np.pad(piece.ink.coverage, ((0, 0), (margin, margin)))  # beyond it is white, and no glyph may reach there
    compared = [(*_least(piece, ink, text, start + margin), text) for text, start in _candidates(piece)]
    cost, picture, text = min(compared, key=lambda each: each[0])
    noise = _noise(cost, picture, ink)
    if noise > _MIN_NOISE:  # then the search may have given up what is true
        start = piece.readings[0].start + margin
        compared += [(*_least(piece, ink, other, start), other) for other in _blurred(text)]
        cost, picture, text = min(compared, key=lambda each: each[0])
        noise = _noise(cost, picture, ink)
    rivals = {other: its for its, _, other in sorted(compared, key=lambda each: -each[0]) if other != text}
    odds = sum(np.exp(-(its - cost) / (2 * noise * _ALIKE)) for its in rivals.values())
    fits = cost < max_misfit * float(np.square(ink).sum()) and _fits_everywhere(ink, picture, piece.ink.type)
    return Reading(text, float(1 / (1 + odds)) if fits else 0.0)


def _noise(cost: float, picture: Coverage, ink: Coverage) -> float:
    """Return the mean squared difference of a pixel that is inked, at least that of rounding."""
    return max(cost / max(int(((picture > 0.02) | (ink > 0.1)).sum()), 1), _MIN_NOISE)


def _blurred(text: str) -> Iterator[str]:
    """Yield texts that a blur makes of a word, or a word of: with a thin letter or without an accent, one at a time."""
    for index, char in enumerate(text):
        plain = unicodedata.normalize("NFD", char)[0]
        for other in plain if plain != char else _THIN.get(char, ""):
            yield f"{text[:index]}{other}{text[index + 1 :]}"


def _candidates(piece: Piece) -> Iterator[tuple[str, float]]:
    """Yield readings and where they start: complete ones, and rivals completed by the end of the best."""
    best = piece.readings[0]
    yield best.text, best.start
    close = _CLOSE * piece.ink.type.em
    for reading in piece.readings[1:_MAX_RIVALS]:
        yield reading.text, reading.start
    for rival in piece.rivals:
        nearest = min(range(len(best.placed)), key=lambda index: abs(best.placed[index].end - rival.end))
        if abs(best.placed[nearest].end - rival.end) < close:
            rest = "".join(placed.glyph.text for placed in best.placed[nearest + 1 :])
            yield rival.text + rest, rival.start


def _least(piece: Piece, ink: Coverage, text: str, start: float) -> tuple[float, Coverage]:
    """Return the least squared difference of a text's drawing to the ink, and that drawing."""
    drawings = (drawn_text(text, piece.alphabet.face, piece.ink.type, start + nudge, ink.shape) for nudge in _NUDGES)
    compared = [(float(np.square(ink - drawing).sum()), drawing) for drawing in drawings]
    return min(compared, key=lambda each: each[0])


def drawn_text(text: str, face: str, look: Type, start: float, shape: tuple[int, ...]) -> Coverage:
    """Return the coverage of a word that starts at `start` px on a strip of that shape, as this program draws it."""
    picture = np.zeros(shape, np.float32)
    pen = hb.RasterDraw()
    x = start
    for piece in fonts.shape(face, text):
        em = fonts.face(piece.face).units_per_em
        rises = piece.rises or (0,) * len(piece.glyphs)
        for glyph, advance, rise in zip(piece.glyphs, piece.advances, rises, strict=True):
            draw_glyph(pen, piece.face, glyph, look, x, rise=rise)
            x += advance * look.em / em
    return rendered(pen, picture)


def _fits_everywhere(ink: Coverage, picture: Coverage, look: Type) -> bool:
    """Return whether no small window is unlike the drawing by more than a part of its ink, or by a small dot."""
    kernel = np.ones(max(round(_WINDOW * look.em), 3))
    unlike = np.convolve(np.square(ink - picture).sum(axis=0), kernel, "same")
    inked = np.convolve(np.maximum(np.square(ink), np.square(picture)).sum(axis=0), kernel, "same")
    return bool((unlike <= _DOT * look.size * look.em + _MAX_LOCAL * inked).all())


# --- rivals of hinted letters -----------------------------------------------------------------------------------------


_MORE = 0.1  # coverage beyond what pixels may differ by: so much the picture may itself be off


def _may_be_another(piece: Piece, placed: PlacedGlyph) -> bool:
    """Return whether the ink of a glyph may as well be that of others."""
    look, tolerance = piece.ink.type, piece.ink.tolerance
    assert tolerance is not None
    left = round(placed.start) - look.pad
    around = np.full((look.above + look.below, look.width), np.float32(OFF))
    begin, end = max(left, 0), min(left + look.width, tolerance.shape[1])
    around[:, begin - left : end - left] = tolerance[:, begin:end]
    number = piece.alphabet.glyphs.index(placed.glyph)
    return placed.glyph.ambiguous or _reads_otherwise(piece.alphabet, number, look, around.tobytes())


@cached(8192)
def _reads_otherwise(alphabet: Alphabet, number: int, look: Type, tolerance: bytes) -> bool:
    """Return whether the picture of a glyph, with so much doubt about its pixels, is read without the glyph."""
    picture = glyphs.glyph_pictures(alphabet, look, 0).picture(number)
    off = np.frombuffer(tolerance, np.float32).reshape(picture.shape)
    hidden = off >= HIDDEN
    coverage = np.where(hidden, np.float32(0), picture)
    doubt = np.where(hidden | (picture == 0), off, off + np.float32(_MORE))
    # A ligature is the same text as its letters.
    readings, _ = GlyphSearch(Ink(coverage, look, doubt), alphabet, without=alphabet.glyphs[number].text).found()
    return bool(readings)
