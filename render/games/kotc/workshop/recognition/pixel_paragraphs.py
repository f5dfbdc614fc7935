"""Where the paragraphs of a text in whole pixels end: what its lines show of how GIMP broke them.

GIMP breaks a line where the next word, and the space behind it, do not fit. In a text that fills its box it then
stretches the spaces, by whole pixels; the last line of a paragraph keeps those of the font. So a line tells of
itself whether it ends a paragraph, unless it is as wide as its box.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from render.games.kotc.workshop.recognition.signs.hinted_signs import hinted_kerning
from render.games.kotc.workshop.recognition.signs.pixel_reading import PixelFont, PlacedSign, text_of
from render.text import hinting

SURE, DOUBTFUL = 1.0, 0.5
_LINE, _EMPTY_LINE = 1.5, 1.75  # em: a larger distance than the first is no usual one, than the second an empty line
_NEAR = 2  # px by which a width may be off
_BREAK = re.compile(r"[-‐–—/|…]")  # behind these a word may be broken
_DASH = tuple("-–—―~")  # before the name of who is quoted
_END = re.compile(r"[.!?…)\]\"'”’]\Z")  # how a text ends


@dataclass(frozen=True, slots=True)
class PixelLine:
    """A line that was read: the row below its baseline, and its signs."""

    baseline: int
    signs: Sequence[PlacedSign]

    @property
    def text(self) -> str:
        return text_of(self.signs)

    @property
    def end(self) -> int:
        """The column at which the next sign would start."""
        return self.signs[-1].start + self.signs[-1].sign.advance


@dataclass(frozen=True, slots=True, kw_only=True)
class LineRoom:
    """The box of a text in px: its width lies between two numbers, `bottom` is the row below it.

    `filled` says that the lines of a paragraph but the last are as wide as the box.
    """

    widths: tuple[int, int]
    bottom: int
    filled: bool


def beginnings(lines: Sequence[PixelLine], font: PixelFont, room: LineRoom) -> list[tuple[bool, float]]:
    """Return for each line whether a paragraph begins with it, and how sure that is."""
    proved = any(_stretch(line, font) >= _NEAR for line in lines)
    return [(True, SURE), *(_begins(line, below, (font, room), proved=proved) for line, below in pairwise(lines))]


def _begins(
    line: PixelLine, below: PixelLine, setting: tuple[PixelFont, LineRoom], *, proved: bool
) -> tuple[bool, float]:
    font, room = setting
    pitch = (below.baseline - line.baseline) / font.size
    if pitch > _EMPTY_LINE:
        return True, SURE
    if pitch > _LINE:
        return True, DOUBTFUL
    return _filled(line, below, font, room, proved=proved) if room.filled else _ragged(line, below, font, room)


def _filled(line: PixelLine, below: PixelLine, font: PixelFont, room: LineRoom, *, proved: bool) -> tuple[bool, float]:
    """Return whether a line of a text that fills its box is the last of its paragraph."""
    stretch = _stretch(line, font)
    if stretch >= _NEAR:
        near = abs(line.end - line.signs[0].start - room.widths[0]) <= 2 * _NEAR
        return False, SURE if near else DOUBTFUL
    if stretch:
        return False, DOUBTFUL
    # If other lines are stretched, this one would be, too.
    short = line.end - line.signs[0].start <= room.widths[0] - _NEAR
    spaced = any(each.spaced for each in line.signs)
    ends = (proved and short and spaced) or _fits(line, below, font, room)
    return (True, SURE) if ends else (False, DOUBTFUL)


def _ragged(line: PixelLine, below: PixelLine, font: PixelFont, room: LineRoom) -> tuple[bool, float]:
    """Return whether a line that is not stretched ends where its author said so."""
    fits = _fits(line, below, font, room)
    if fits is None or _stretch(line, font):
        return False, DOUBTFUL
    return fits, DOUBTFUL if not fits and below.text.startswith(_DASH) else SURE


def _fits(line: PixelLine, below: PixelLine, font: PixelFont, room: LineRoom) -> bool | None:
    """Return whether the first word of the line below has room in a line; None if nobody can tell."""
    space = _space(font)
    used = line.end - line.signs[0].start - _stretch(line, font) + (0 if _BREAK.search(line.text[-1]) else space)
    word = list(_first_word(below.signs))
    behind = space if len(word) < len(below.signs) else 0
    part = next((index for index, each in enumerate(word, 1) if _BREAK.search(each.sign.text)), len(word))
    if used + _width(word) + behind <= room.widths[0] - _NEAR:
        return True if part == len(word) and not _BREAK.search(line.text[-1]) else None
    if used + _width(word[:part]) + (behind if part == len(word) else 0) > room.widths[1] + _NEAR:
        return False
    return None


def _first_word(signs: Sequence[PlacedSign]) -> Iterator[PlacedSign]:
    for index, each in enumerate(signs):
        if index and each.spaced:
            return
        yield each


def _width(signs: Sequence[PlacedSign]) -> int:
    return signs[-1].start + signs[-1].sign.advance - signs[0].start


def _space(font: PixelFont) -> int:
    return round(sum(piece.width for piece in hinting.shape_on_pixels(font.face, " ", font.size)) * font.size)


def _stretch(line: PixelLine, font: PixelFont) -> int:
    """Return by how many px the spaces of a line are wider than those of the font."""
    space = _space(font)
    return sum(
        right.start
        - left.start
        - left.sign.advance
        - space
        - hinted_kerning(font.face, left.sign.text, right.sign.text, font.size) * (not right.spaced)
        for left, right in pairwise(line.signs)
        if right.spaced
    )


def may_go_on(lines: Sequence[PixelLine], font: PixelFont, room: LineRoom) -> bool:
    """Return whether there may be more of a text than its box shows."""
    if not lines:
        return False
    last = lines[-1]
    if room.filled and _stretch(last, font) >= _NEAR:
        return True  # its paragraph goes on
    is_full = last.baseline + font.size > room.bottom
    return is_full and not _END.search(last.text)
