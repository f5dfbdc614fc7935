"""Signs as GIMP draws them: their strokes moved to whole pixels by the instructions in the font.

A worker draws them, which is started with `_ENVIRONMENT`: FreeType reads it once, as it starts. Its interpreter 35 also
follows the instructions that move strokes sideways.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import floor

import numpy as np

from render.base import guard
from render.base.caches import cached
from render.base.limits import TO_READ_LETTERS
from render.games.kotc.workshop.recognition.signs.alphabet import LIGATURES, alphabet
from render.games.kotc.workshop.recognition.signs.glyph_pictures import Coverage
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
        yield _doubted(sign) if sign.text in doubtful else sign


def _doubted(sign: HintedSign) -> HintedSign:
    return HintedSign(
        text=sign.text,
        advance=sign.advance,
        left=sign.left,
        below=sign.below,
        picture=sign.picture,
        weight=sign.weight,
        doubtful=True,
    )


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
