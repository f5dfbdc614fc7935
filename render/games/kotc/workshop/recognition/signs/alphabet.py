"""The signs of a bundled face that a line of a card may be made of: glyphs, advances and kerning, in em."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import uharfbuzz as hb
from numpy.typing import NDArray

from render.base.caches import cached
from render.text import fonts

Numbers = NDArray[np.float32]

LIGATURES = ("ff", "fi", "fl", "ffi", "ffl")  # those of DejaVu
_PUNCTUATION = "¡¿§¶©®°·×÷±«»–—‘’“”„†•…′″€™→←↑↓−≤≥≠½¼¾¹²³★☆♥♦♣♠∞"
_LATIN = "".join(map(chr, range(0x21, 0x7F)))
_ACCENTED = "".join(map(chr, (*range(0xC0, 0xD7), *range(0xD8, 0xF7), *range(0xF8, 0x180), *range(0x218, 0x21C))))
_OF_TWO = "ĲĳĿŀŉ"  # one character for two, which look the same and are what people write
_SAME = "ÐĐ"  # nobody can tell which

_PROBES = "oaeuyAVTWY.,-"  # signs that kern most

USUAL = (*_LATIN, *LIGATURES, *_PUNCTUATION, *(char for char in _ACCENTED if char not in _OF_TWO + _SAME))
DIGITS = tuple("0123456789")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """A glyph that stands for `text`; a ligature stands for several characters. `left` and `right` bound its ink."""

    text: str
    face: str
    glyph: int
    advance: float
    left: float
    right: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Alphabet:
    """Signs of one face, each with another look; `advance`, `left` and `right` hold those of all signs.

    `alone` is how far each reaches before the next sign may begin: less than its advance where letters kern.
    """

    face: str
    signs: tuple[Sign, ...]
    advance: Numbers
    left: Numbers
    right: Numbers
    alone: Numbers


@cached(32)
def alphabet(face: str, texts: tuple[str, ...]) -> Alphabet:
    """Return the signs of a face for these texts; of texts that look the same, the first."""
    signs = tuple(_different(face, texts))
    columns = np.array([(sign.advance, sign.left, sign.right) for sign in signs], np.float32).T
    probes = [sign for sign in signs if sign.text in _PROBES]
    kerned = [min((0.0, *(_kern(face, sign, probe) for probe in probes))) for sign in signs]
    advance, left, right = np.ascontiguousarray(columns)
    return Alphabet(
        face=face, signs=signs, advance=advance, left=left, right=right, alone=advance + np.array(kerned, np.float32)
    )


def _different(face: str, texts: Iterable[str]) -> Iterator[Sign]:
    seen = set[object]()
    for text in texts:
        pieces = fonts.shape(face, text)
        if len(pieces) != 1 or len(pieces[0].glyphs) != 1 or 0 in pieces[0].glyphs:
            continue  # missing, or no single glyph: a ligature that this face has not
        glyph = pieces[0].glyphs[0]
        look = _look(pieces[0].face, glyph), pieces[0].width
        if look in seen:
            continue
        seen.add(look)
        extents = fonts.face(pieces[0].face).font.get_glyph_extents(glyph)
        em = fonts.face(pieces[0].face).units_per_em
        left, right = extents.x_bearing / em, (extents.x_bearing + extents.width) / em
        yield Sign(text=text, face=pieces[0].face, glyph=glyph, advance=pieces[0].width, left=left, right=right)


def _look(face: str, glyph: int) -> object:
    """Return what is the same for glyphs with the same outline, such as the Latin and the Cyrillic `A`."""
    pen = hb.DrawFuncs()
    steps: list[object] = []
    pen.set_move_to_func(lambda x, y, _: steps.append((x, y)))
    pen.set_line_to_func(lambda x, y, _: steps.append((x, y)))
    pen.set_quadratic_to_func(lambda a, b, x, y, _: steps.append((a, b, x, y)))
    pen.set_cubic_to_func(lambda a, b, c, d, x, y, _: steps.append((a, b, c, d, x, y)))
    fonts.face(face).font.draw_glyph(glyph, pen, None)
    return tuple(steps)


@cached(4096)
def kerning(signs: Alphabet, before: int) -> Numbers:
    """Return by how many em each sign of the alphabet moves when it stands behind the sign number `before`."""
    first = signs.signs[before]
    return np.array([_kern(signs.face, first, sign) for sign in signs.signs], np.float32)


def _kern(face: str, first: Sign, second: Sign) -> float:
    if first.face != second.face:
        return 0.0
    pieces = fonts.shape(face, first.text + second.text)
    if len(pieces) != 1 or pieces[0].glyphs != (first.glyph, second.glyph):
        return 0.0  # they join to a ligature, which is a sign of its own
    em = fonts.face(first.face).units_per_em
    return pieces[0].advances[0] / em - first.advance + pieces[0].advances[1] / em - second.advance
