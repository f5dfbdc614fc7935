"""How sure a reading is: it is drawn exactly and compared with the ink, and so are the readings that come next."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import uharfbuzz as hb

from render.games.kotc.workshop.recognition.signs.glyph_pictures import Coverage, Type, draw_glyph, rendered
from render.games.kotc.workshop.recognition.signs.line_reading import Piece
from render.text import fonts

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
