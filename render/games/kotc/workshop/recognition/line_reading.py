"""The words of one line: cut it where it is white, find the signs of each piece, join what is one word.

How sure a reading is, its drawing tells: it is compared with the ink, and so are the readings that come next.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np
import uharfbuzz as hb

from render.games.kotc.workshop.recognition.glyphs import (
    BELOW,
    USUAL,
    Coverage,
    Type,
    alphabet,
    draw_glyph,
    rendered,
    whole_rows,
)
from render.games.kotc.workshop.recognition.word_search import FoundSigns, Ink, WordSearch
from render.text import fonts

_GAP = 0.22  # em that are white between two pieces
_SPACE = 0.2  # em between the end of a sign and the start of the next, from which there is a space
_SLANT = 0.1944  # px to the right for each px up, of the oblique faces: 11 degrees
_LEAN = 0.25  # em: what slanted letters lean to the right at their top, or to the left at their bottom
_INKED = 0.1  # coverage
_SPECK = 0.25  # coverage: what is lighter everywhere is no sign
_RED = 40  # of 255 that red exceeds blue by, where #800000 does by 128
_RED_INK = 255 / (255 - 38.3)  # what the lightness of #800000 is short of black
_POOR = 0.06  # of the squared ink: more than any true reading costs


@dataclass(frozen=True, slots=True, eq=False)
class InkSheet:
    """The ink of a card: coverage of black (row, column), and how much redder than blue each pixel is."""

    ink: Coverage
    redness: Coverage
    scale: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Piece:
    """A stretch of ink on a line, read: its first column, its readings, its type, and whether it is red.

    `poor` says that no reading is like the ink.
    """

    left: int
    ink: Ink
    found: FoundSigns
    face: str
    red: bool
    poor: bool

    @property
    def text(self) -> str:
        return self.found.readings[0].text if self.found.readings else ""

    @property
    def start(self) -> float:
        """The column at which its first sign starts, in px of the card."""
        return self.left + self.found.readings[0].start

    @property
    def end(self) -> float:
        return self.left + self.found.readings[0].end


Word = tuple[Piece, ...]
"""Pieces that no space divides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineType:
    """How a line is set: baseline and size in mm, stretch, the faces that it may have, and between which columns.

    `pitch` is the distance in mm to the baseline above.
    """

    baseline: float
    size: float
    faces: tuple[str, ...]
    columns: tuple[int, int]
    stretch: float = 1.0
    pitch: float = 100.0
    texts: tuple[str, ...] = USUAL


def read_line(sheet: InkSheet, line: LineType) -> list[Word]:
    """Return the words of a line, from left to right."""
    pieces = [piece for stretch in stretches(sheet, line) for piece in _pieces(sheet, line, stretch)]
    return list(_words(pieces, line.size * sheet.scale))


def stretches(sheet: InkSheet, line: LineType) -> list[tuple[int, int]]:
    """Return the columns between which a line has ink without a gap."""
    rows, look = _rows(sheet, line)
    left, right = line.columns
    strip = sheet.ink[rows, left:right]
    lean = 0
    if all("Oblique" in face for face in line.faces):
        lean = ceil(_LEAN * look.size)
        strip = _upright(np.pad(strip, ((0, 0), (lean, lean))), look)
    inked = np.flatnonzero(strip.max(axis=0, initial=0.0) > _INKED)
    if not len(inked):
        return []
    breaks = np.flatnonzero(np.diff(inked) > _GAP * look.em)
    starts, ends = inked[np.concatenate([[0], breaks + 1])], inked[np.concatenate([breaks, [len(inked) - 1]])]
    first = left - lean
    inked_at = [(int(start), int(end) + 1) for start, end in zip(starts, ends, strict=True)]
    return [(first + start, first + end) for start, end in inked_at if strip[:, start:end].max() > _SPECK]


def _rows(sheet: InkSheet, line: LineType) -> tuple[slice, Type]:
    row, rise = whole_rows(line.baseline * sheet.scale)
    room = line.pitch / line.size - BELOW
    look = Type(line.faces[0], line.size * sheet.scale, line.stretch, rise, room)
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
    rows, look = _rows(sheet, line)
    first, *others = _faces(Ink(sheet.ink[rows, stretch[0] : stretch[1]], look), line.faces)
    best = _in_face(sheet, line, stretch, first)
    for face in others:
        if any(piece.poor for piece in best):
            best = min(best, _in_face(sheet, line, stretch, face), key=_unlike)
    return best


def _in_face(sheet: InkSheet, line: LineType, stretch: tuple[int, int], face: str) -> list[Piece]:
    narrow = replace(line, faces=(face,), columns=stretch)
    return [_piece(sheet, narrow, *part) for part in stretches(sheet, narrow)]


def _unlike(pieces: list[Piece]) -> float:
    """Return what pieces cost; much, if one of them cannot be read."""
    return sum(
        piece.found.readings[0].cost if piece.found.readings else float(piece.ink.coverage.sum()) for piece in pieces
    )


def _piece(sheet: InkSheet, line: LineType, left: int, right: int) -> Piece:
    """Read a stretch of one face."""
    rows, look = _rows(sheet, line)
    slanted = all("Oblique" in face for face in line.faces)
    lean = ceil(_LEAN * look.size) if slanted else 0
    begin, end = max(left - lean, 0), min(right + lean, sheet.ink.shape[1])
    coverage = sheet.ink[rows, begin:end]
    if slanted:
        coverage = _between_slanted(coverage, look, (left - begin, right - begin))
    weight = float(coverage.sum())
    redness = float((coverage * sheet.redness[rows, begin:end]).sum()) / max(weight, 1e-6)
    red = redness > _RED
    ink = Ink(np.clip(coverage * (_RED_INK if red else 1.0), -0.2, 1.0).astype(np.float32), look)
    return _read(ink, begin, line.faces[0], line.texts, red)


def _read(ink: Ink, left: int, face: str, texts: tuple[str, ...], red: bool) -> Piece:
    found = WordSearch(ink, alphabet(face, texts)).found()
    energy = float(np.square(ink.coverage).sum())
    poor = not found.readings or found.readings[0].cost > _POOR * energy
    return Piece(left=left, ink=ink, found=found, face=face, red=red, poor=poor)


def _faces(ink: Ink, faces: Sequence[str]) -> Sequence[str]:
    """Return the faces, the one first whose strokes stand in columns as those of the ink do."""
    upright = np.square(ink.coverage.sum(axis=0)).sum()
    padded = np.pad(ink.coverage, ((0, 0), (ink.type.above, ink.type.above)))
    slanted = np.square(_upright(padded, ink.type).sum(axis=0)).sum()
    return sorted(faces, key=lambda face: ("Oblique" in face) != (slanted > upright))


def _between_slanted(coverage: Coverage, look: Type, columns: tuple[int, int]) -> Coverage:
    """Return the ink between two slanted lines, which cross the baseline at these columns."""
    rows = (look.above - np.arange(len(coverage)))[:, None] * _SLANT
    across = np.arange(coverage.shape[1])[None, :]
    return np.where((across >= columns[0] + rows - 1) & (across <= columns[1] + rows), coverage, np.float32(0))


def _words(pieces: Sequence[Piece], em: float) -> Iterator[Word]:
    word: list[Piece] = []
    for piece in pieces:
        if word and not _joined(word[-1], piece, em):
            yield tuple(word)
            word = []
        word.append(piece)
    if word:
        yield tuple(word)


def _joined(left: Piece, right: Piece, em: float) -> bool:
    return bool(left.text and right.text) and right.start - left.end < _SPACE * em


# --- how sure ---------------------------------------------------------------------------------------------------------


SURE = 0.995
_NUDGES = (-0.25, -0.125, 0.0, 0.125, 0.25)  # px
_CLOSE = 0.3  # em between the ends of two signs that may be the same place
_MIN_NOISE = 0.0012  # squared coverage: of a picture without any noise, for what rounding leaves
_ALIKE = 3.0  # pixels side by side that have the same noise
MAX_MISFIT = 0.03  # of the squared ink: JPEGs differ by less; letters drawn by other programs by more
_WINDOW = 0.35  # em: within it, no more than a part of the ink may be unlike
_MAX_LOCAL = 0.3
_DOT = 0.004  # square em: half of the ink of a dot
_MAX_RIVALS = 10
_MARGIN = 0.7  # em
_THIN = {"i": "lI", "l": "iI", "I": "li"}  # letters that a blur makes alike


@dataclass(frozen=True, slots=True)
class WordProof:
    """What a piece says, with the probability that it does, and the share of its squared ink that is unlike it."""

    text: str
    sure: float
    misfit: float


def proof(piece: Piece, most_misfit: float = MAX_MISFIT) -> WordProof:
    """Return the best reading of a piece by exact drawings; not sure if more of its ink is unlike it."""
    if not piece.found.readings:
        return WordProof("", 0.0, 1.0)
    margin = round(_MARGIN * piece.ink.type.em)
    ink = np.pad(piece.ink.coverage, ((0, 0), (margin, margin)))  # beyond it is white, and no sign may reach there
    compared = [(_least(piece, ink, text, start + margin), text) for text, start in _candidates(piece)]
    (cost, picture), text = min(compared, key=lambda each: each[0][0])
    noise = _noise(cost, picture, ink)
    if noise > _MIN_NOISE:  # then the search may have given up what is true
        start = piece.found.readings[0].start + margin
        compared += [(_least(piece, ink, other, start), other) for other in _blurred(text)]
        (cost, picture), text = min(compared, key=lambda each: each[0][0])
        noise = _noise(cost, picture, ink)
    energy = float(np.square(ink).sum())
    rivals = {each: other for (other, _), each in sorted(compared, key=lambda one: -one[0][0]) if each != text}
    odds = sum(np.exp(-(other - cost) / (2 * noise * _ALIKE)) for other in rivals.values())
    misfit = cost / energy
    fits = misfit < most_misfit and _fits_everywhere(ink, picture, piece.ink.type)
    return WordProof(text, float(1 / (1 + odds)) if fits else 0.0, misfit)


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
    best = piece.found.readings[0]
    yield best.text, best.start
    close = _CLOSE * piece.ink.type.em
    for reading in piece.found.readings[1:_MAX_RIVALS]:
        yield reading.text, reading.start
    for rival in piece.found.rivals:
        place, count = min(best.ends, key=lambda end: abs(end[0] - rival.end))
        if abs(place - rival.end) < close:
            yield rival.text + best.text[count:], rival.start


def _least(piece: Piece, ink: Coverage, text: str, start: float) -> tuple[float, Coverage]:
    """Return the least squared difference of a text's drawing to the ink, and that drawing."""
    drawings = (drawn_text(text, piece.face, piece.ink.type, start + nudge, ink.shape) for nudge in _NUDGES)
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
