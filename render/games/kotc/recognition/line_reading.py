"""Read the words of one line: cut it where it is white, find the signs of each piece, join what is one word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from render.games.kotc.recognition.alphabet import USUAL, Alphabet, alphabet
from render.games.kotc.recognition.glyph_pictures import Type, whole_rows
from render.games.kotc.recognition.registration import Grid
from render.games.kotc.recognition.word_search import Found, Ink, WordSearch

_GAP = 0.22  # em that are white between two pieces
_SPACE = 0.2  # em between the end of a sign and the start of the next, from which there is a space
_SLANT = 0.1944  # px to the right for each px up, of the oblique faces: 11 degrees
_INKED = 0.1  # coverage
_RED = 40  # of 255 that red exceeds blue by, where #800000 does by 128
_RED_INK = 255 / (255 - 38.3)  # what the lightness of #800000 is short of black
_POOR = 0.06  # of the squared ink: more than any true reading costs


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """The ink of a card: coverage of black (row, column), and how much redder than blue each pixel is."""

    ink: Grid
    redness: Grid
    scale: float


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A stretch of ink on a line, read: its first column, its readings, its type, and whether it is red.

    `poor` says that no reading is like the ink.
    """

    left: int
    ink: Ink
    found: Found
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
    """How a line is set: baseline and size in mm, stretch, the faces that it may have, and between which columns."""

    baseline: float
    size: float
    faces: tuple[str, ...]
    columns: tuple[int, int]
    stretch: float = 1.0
    texts: tuple[str, ...] = USUAL


def read_line(sheet: Sheet, line: LineType) -> list[Word]:
    """Return the words of a line, from left to right."""
    return list(_words([_piece(sheet, line, *stretch) for stretch in stretches(sheet, line)], line.size * sheet.scale))


def stretches(sheet: Sheet, line: LineType) -> list[tuple[int, int]]:
    """Return the columns between which a line has ink without a gap."""
    rows, look = _rows(sheet, line)
    left, right = line.columns
    strip = sheet.ink[rows, left:right]
    if all("Oblique" in face for face in line.faces):
        strip = _upright(strip, look)
    inked = np.flatnonzero(strip.max(axis=0, initial=0.0) > _INKED)
    if not len(inked):
        return []
    breaks = np.flatnonzero(np.diff(inked) > _GAP * look.em)
    starts, ends = inked[np.concatenate([[0], breaks + 1])], inked[np.concatenate([breaks, [len(inked) - 1]])]
    return [(left + int(start), left + int(end) + 1) for start, end in zip(starts, ends, strict=True)]


def _rows(sheet: Sheet, line: LineType) -> tuple[slice, Type]:
    row, rise = whole_rows(line.baseline * sheet.scale)
    look = Type(line.faces[0], line.size * sheet.scale, line.stretch, rise)
    return slice(max(row - look.above, 0), row + look.below), look


def _upright(strip: Grid, look: Type) -> Grid:
    """Return a strip with its rows moved so that slanted strokes stand upright."""
    shifted = np.zeros_like(strip)
    for row in range(len(strip)):
        by = round((look.above - row) * _SLANT)
        shifted[row] = np.roll(strip[row], -by)
    return shifted


def _piece(sheet: Sheet, line: LineType, left: int, right: int) -> Piece:
    """Read a stretch in the face that suits it best."""
    rows, look = _rows(sheet, line)
    slanted = all("Oblique" in face for face in line.faces)
    lean = round(look.size * 0.25) if slanted else 0
    begin, end = max(left - lean, 0), min(right + lean, sheet.ink.shape[1])
    coverage = sheet.ink[rows, begin:end]
    if slanted:
        coverage = _between_slanted(coverage, look, (left - begin, right - begin))
    weight = float(coverage.sum())
    redness = float((coverage * sheet.redness[rows, begin:end]).sum()) / max(weight, 1e-6)
    red = redness > _RED
    ink = Ink(np.clip(coverage * (_RED_INK if red else 1.0), -0.2, 1.0).astype(np.float32), look)
    first, *others = _faces(ink, line.faces)
    best = _read(ink, begin, first, line.texts, red)
    for face in others:
        if best.poor:
            best = min(best, _read(ink, begin, face, line.texts, red), key=_cost)
    return best


def _cost(piece: Piece) -> float:
    return piece.found.readings[0].cost if piece.found.readings else np.inf


def _read(ink: Ink, left: int, face: str, texts: tuple[str, ...], red: bool) -> Piece:
    found = WordSearch(ink, alphabet(face, texts)).found()
    energy = float(np.square(ink.coverage).sum())
    poor = not found.readings or found.readings[0].cost > _POOR * energy
    return Piece(left, ink, found, face, red, poor)


def _faces(ink: Ink, faces: Sequence[str]) -> Sequence[str]:
    """Return the faces, the one first whose strokes stand in columns as those of the ink do."""
    if len(faces) == 1:
        return faces
    upright = np.square(ink.coverage.sum(axis=0)).sum()
    padded = np.pad(ink.coverage, ((0, 0), (ink.type.above, ink.type.above)))
    slanted = np.square(_upright(padded, ink.type).sum(axis=0)).sum()
    return sorted(faces, key=lambda face: ("Oblique" in face) != (slanted > upright))


def _between_slanted(coverage: Grid, look: Type, columns: tuple[int, int]) -> Grid:
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
