"""Set a line along a path: each letter stands on it at the middle of its advance, turned as the path runs there.

That is how SVG 2 has it (11.8.3), of closed paths, too, on which a line goes once around at most.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import atan2, degrees, dist
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from render.base.caches import cached
from render.base.geometry import Affine
from render.scene.items import Outline, Segment, TextRun
from render.scene.outlines import Point, on_curve
from render.text import fonts
from render.text.characters import belongs_to_letter
from render.text.directions import has_right_to_left
from render.text.line_setting import PlacedIcon, RunEffect, SetItem

MAX_SEGMENTS = 1000  # of a path that a line follows
_CHORDS = 64  # of a curve: of a quarter of a circle, they are shorter than it by 3 parts in 100,000
_NEAR = 1e-4  # of a curve: how far to both sides of a place its direction is taken


class TextPath(Struct, frozen=True):
    """A path that a line follows; its anchor is `start` mm from the beginning of the path."""

    outlines: tuple[Outline, ...]
    start: float

    @property
    def length(self) -> float:
        *_, last = _chords(self.outlines)
        return last.begin

    def ends(self, before: float) -> tuple[float, float]:
        """Return between which places letters have room, of a line of which a share stands before its anchor."""
        if len(self.outlines) == 1 and self.outlines[0].closed:
            begin = self.start - before * self.length
            return begin, begin + self.length
        return 0.0, self.length

    def at(self, place: float) -> Affine:
        """Return the map that puts the origin on the path at a place, with the x axis along it."""
        chords = _chords(self.outlines)
        place = place % self.length if len(self.outlines) == 1 and self.outlines[0].closed else place
        index = min(max(bisect_right(chords, place, key=lambda each: each.begin) - 1, 0), len(chords) - 2)
        chord = chords[index]
        share = chord.of + chord.step * (place - chord.begin) / (chords[index + 1].begin - chord.begin)
        share = min(max(share, 0.0), 1.0)
        here = on_curve(chord.start, chord.curve, share)
        (x1, y1), (x2, y2) = (
            on_curve(chord.start, chord.curve, min(max(share + step, 0.0), 1.0)) for step in (-_NEAR, _NEAR)
        )
        return Affine.move(*here) @ Affine.rotate(degrees(atan2(y2 - y1, x2 - x1)))


class _Chord(NamedTuple):
    """A piece of a curve from a share `of` it on, `step` of it long, which begins so many mm from the path's start."""

    begin: float
    start: Point
    curve: Segment
    of: float
    step: float


@cached(256)
def _chords(outlines: tuple[Outline, ...]) -> tuple[_Chord, ...]:
    """Return the pieces of outlines, one behind the other, and one without length at their end."""
    chords, length = list[_Chord](), 0.0
    for start, curve in _curves(outlines):
        count = _CHORDS if len(curve) == 6 else 1
        if len(curve) == 2:  # as a curve that is straight
            (x, y), (ex, ey) = start, curve
            curve = ((2 * x + ex) / 3, (2 * y + ey) / 3, (x + 2 * ex) / 3, (y + 2 * ey) / 3, ex, ey)
        points = [on_curve(start, curve, step / count) for step in range(count + 1)]
        for step, (a, b) in enumerate(pairwise(points)):
            if a != b:
                chords.append(_Chord(length, start, curve, step / count, 1 / count))
                length += dist(a, b)
    return (*chords, _Chord(length, (0.0, 0.0), (), 0.0, 0.0))


def _curves(outlines: Iterable[Outline]) -> Iterator[tuple[Point, Segment]]:
    for outline in outlines:
        at = outline.start
        for segment in (*outline.segments, *((outline.start,) if outline.closed else ())):
            yield at, segment
            at = segment[-2], segment[-1]


def set_along(items: Iterable[SetItem], path: TextPath, ends: tuple[float, float]) -> tuple[SetItem, ...] | None:
    """Return what a straight line holds, each letter at its place on a path; None if the middle of one is off it.

    In the straight line, x is the way along the path, and y the distance from it.
    """
    found = list[SetItem]()
    letters = dict[int, tuple[TextRun, ...]]()
    for item in items:
        match item:
            case TextRun():
                pieces = [*_letters(item)]
                if not all(ends[0] - _TINY <= middle <= ends[1] + _TINY for _, middle in pieces):
                    return None
                letters[id(item)] = tuple(
                    piece.taken(path.at(middle) @ Affine.move(-middle, 0.0)) for piece, middle in pieces
                )
                found += letters[id(item)]
            case RunEffect():
                found.append(replace(item, runs=tuple(each for run in item.runs for each in letters[id(run)])))
            case PlacedIcon():
                left, _, width, _ = item.box
                middle = left + width / 2
                if not ends[0] - _TINY <= middle <= ends[1] + _TINY:
                    return None
                found.append(replace(item, turned=path.at(middle) @ Affine.move(-middle, 0.0)))
    return tuple(found)


_TINY = 1e-6  # mm: rounding of sums of lengths


def _letters(run: TextRun) -> Iterator[tuple[TextRun, float]]:
    """Yield each letter of a run with its accents and the spaces behind it, and where its middle is."""
    unit = run.size / fonts.face(run.face).units_per_em * run.stretch
    x = run.transform.e
    for begin, end in pairwise(_starts(run)):
        part = slice(begin, end)
        inked = [advance for advance, text in zip(run.advances[part], run.text[part], strict=True) if text != " "]
        yield (
            replace(
                run,
                transform=run.transform._replace(e=x),
                glyphs=run.glyphs[part],
                advances=run.advances[part],
                text=run.text[part],
                rises=run.rises[part],
            ),
            x + sum(inked) * unit / 2,
        )
        x += sum(run.advances[part]) * unit


def _starts(run: TextRun) -> list[int]:
    """Return the index of the first glyph of each letter, and behind the last one.

    What stands for no character of its own goes with the glyph before it, as accents do; those of letters from right to
    left stand before these.
    """
    starts, joins = list[int](), False
    for at, text in enumerate(run.text):
        is_accent = bool(text) and all(map(belongs_to_letter, text))
        before = is_accent and has_right_to_left((text,))
        if not starts or not (joins or not text or text == " " or (is_accent and not before)):
            starts.append(at)
        joins = before
    return [*starts, len(run.text)]
