"""The font of a card's credit, by the pixels of its layer.

The authors asked for `Sans`, which is another font on every machine. GIMP stores the words as they looked on theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from render.games.kotc.model.cards import CREDIT_FONTS
from render.images.xcf.model import BrokenXcf, XcfImage, XcfLayer
from render.images.xcf.pixels import inked_columns
from render.images.xcf.text_layers import TextLayer
from render.text import fonts, hinting

_MIN_SIZE, _MAX_SIZE = 6, 200  # px: sizes at which letters can be told apart, and that a credit may have
_MAX_WORDS = 100  # of a line that is read at all
_MAX_OFF, _MIN_APART = 3.0, 1.0  # px: of the words, and between the best font and the next


def font_of_credit(image: XcfImage, layer: XcfLayer, text: TextLayer) -> str | None:
    """Return which of `CREDIT_FONTS` a credit is set in; "" if it is none of them, None if nothing tells.

    Where the pixels do not tell fonts apart, the name counts that the layer gives.
    """
    words = text.text.split()
    if not 0 < len(words) <= _MAX_WORDS or text.size is None or not _MIN_SIZE <= text.size <= _MAX_SIZE or text.spacing:
        return None
    shown = _word_places(_ink(image, layer), len(words))
    if not shown:
        return None
    off = sorted((_off(shown, _set_places(face, words, round(text.size))), name) for name, face in CREDIT_FONTS.items())
    (least, best), (second, _) = off[:2]
    if least > _MAX_OFF:
        return ""
    named = text.font if text.font in CREDIT_FONTS else None
    return best if second - least >= _MIN_APART else named


def _ink(image: XcfImage, layer: XcfLayer) -> list[int]:
    """Return the columns in which a layer has ink; none if its pixels cannot be read."""
    try:
        return inked_columns(image, layer)
    except BrokenXcf:
        return []


def _word_places(columns: Sequence[int], count: int) -> list[float]:
    """Return where so many words begin and the last one ends; nothing if there are not so many."""
    if len(columns) <= count:
        return []
    widest = sorted(pairwise(columns), key=lambda gap: gap[0] - gap[1])[: count - 1]
    return [columns[0], *sorted(after for _, after in widest), columns[-1] + 1]


def _set_places(name: str, words: Sequence[str], pixels: int) -> list[float]:
    """Return the same places, in pixels, for words that are set in a font."""
    space = _width(name, " ", pixels)
    at, places = 0.0, []
    for word in words:
        first = fonts.shape(name, word)[0]
        places.append(at + fonts.left_edge(first) * pixels / fonts.face(first.face).units_per_em)
        at += _width(name, word, pixels) + space
    return [*places, at - space]


def _width(name: str, word: str, pixels: int) -> float:
    return sum(piece.width for piece in hinting.shape_on_pixels(name, word, pixels)) * pixels


def _off(shown: Sequence[float], wanted: Sequence[float]) -> float:
    """Return by how many pixels a place is off at most, wherever the line begins."""
    off = [here - there for here, there in zip(shown, wanted, strict=True)]
    middle = median(off)
    return max(abs(each - middle) for each in off)
