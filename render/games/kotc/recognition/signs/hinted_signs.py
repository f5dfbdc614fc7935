"""Signs as GIMP draws them: their strokes moved to whole pixels by the instructions in the font."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import floor

import numpy as np

from render.base.caches import cached
from render.games.kotc.recognition.signs import hinted_process
from render.games.kotc.recognition.signs.alphabet import LIGATURES, alphabet
from render.games.kotc.recognition.signs.glyph_pictures import Coverage
from render.text import fonts

_LIGATURE_CODES = dict(zip(LIGATURES, "ﬀﬁﬂﬃﬄ", strict=True))
_FAINT = 0.05  # coverage: a column with less may be missing in a picture
_WAITED = 600  # seconds of the clock, for a machine that is busy with other things
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
    question = {"file": file, "sizes": sizes, "texts": [_LIGATURE_CODES.get(text, text) for text in kept]}
    try:
        done = subprocess.run(
            [sys.executable, hinted_process.__file__],
            input=json.dumps(question).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | hinted_process.ENVIRONMENT,
            timeout=_WAITED,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return {}
    answer = BytesIO(done.stdout)
    return {size: tuple(_different(list(_signs(answer, kept)))) for size in sizes}


def _signs(answer: BytesIO, texts: Sequence[str]) -> Iterator[HintedSign]:
    for text, place in zip(texts, json.loads(answer.readline()), strict=True):
        advance, left, top, width, height = place
        drawn = np.frombuffer(answer.read(width * height), np.uint8).reshape(height, width)
        picture = drawn / np.float32(255)
        rows = np.flatnonzero(picture.max(axis=1, initial=0.0) > _FAINT)
        columns = np.flatnonzero(picture.max(axis=0, initial=0.0) > _FAINT)
        if not len(rows):
            continue
        inked = picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
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
