"""Break rich text into lines in its box: lines are as high as what stands in them, and shorter beside a box."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import inf
from typing import Final, NamedTuple

from render.base.caches import cached
from render.text import fonts
from render.text.fitting import Leading, TextBox, line_height, may_reach_out
from render.text.line_breaking import ICON, ROUNDING, Atoms, Styled, TextStyle
from render.text.rich.rich_blocks import RichBox, RichRule, TextBlock

MAX_SHIFTS = 8  # tries at placing a text in the middle or at the bottom beside a box: more change nothing that shows
_FREE_LINES = 0.5  # a rule stands in a gap of half a line at least


class _Reach(NamedTuple):
    """How far something reaches from its baseline: `scale` times a line, and `above` and `below` in em at least."""

    scale: float = 1.0
    above: float = 0.0
    below: float = 0.0

    def joined(self, other: _Reach) -> _Reach:
        return _Reach(max(self.scale, other.scale), max(self.above, other.above), max(self.below, other.below))


_LINE = _Reach()
"""What is no taller than a line."""


class RichPart(NamedTuple):
    """A block made ready: its words as atoms, how far each atom reaches if any is taller than a line; or a rule."""

    atoms: Atoms | None
    reaches: tuple[_Reach, ...] | None
    follows: bool
    rule: RichRule | None


class RichLine(NamedTuple):
    """A line in its place: first and last atom, left end, width, top, baseline and bottom in mm, and its growth."""

    part: RichPart
    first: int
    last: int
    x: float
    width: float
    top: float
    baseline: float
    bottom: float
    growth: float = 0.0


_Row = tuple[RichPart, int, int, float, float, float, float, float]
"""A line while its size is looked for: the part, first and last atom, left, right, top, baseline and bottom.

Nearly all are thrown away, and a plain tuple is made in a tenth of the time that a RichLine takes.
"""
_BOTTOM: Final = 7


def parts_of(blocks: Sequence[TextBlock], optional: int) -> tuple[RichPart, ...]:
    """Return blocks made ready, with so many of the optional parts; without those that are empty."""
    return tuple(filter(None, (_part(block, optional) for block in blocks)))


def fits(parts: Sequence[RichPart], box: RichBox, size: float) -> bool:
    """Return whether the lines fit their box at a size; where in it they stand does not matter."""
    rows = _rows(parts, box, size, box.room.y)
    if not rows:
        return rows is not None
    least, most = _way_down(rows, box, size)
    return least <= most if not (least and box.around) else _shifted(parts, box, size) is not None


def placed_lines(parts: Sequence[RichPart], box: RichBox, size: float) -> list[RichLine] | None:
    """Return the lines at a size, moved down by the box's share of the free height; None if they do not fit."""
    rows = _shifted(parts, box, size)
    return None if rows is None else [_line_of(row, size) for row in rows]


def open_lines(parts: Sequence[RichPart], box: RichBox, size: float) -> list[RichLine] | None:
    """Return the lines as if their box were as high as needed; None if a word is too wide."""
    rows = _rows(parts, box, size, box.room.y, lowest=_FAR)
    return None if rows is None else [_line_of(row, size) for row in rows]


_FAR = 1e9  # mm: below every card


def _part(block: TextBlock, optional: int) -> RichPart | None:
    if block.rule is not None:
        return RichPart(None, None, False, block.rule)
    shown = block.shown(optional)
    atoms = Atoms(shown)
    if not atoms.words:
        return None
    # Words are made of the stretches: where none of these is taller than a line, no word is.
    if all(_stretch_reach(style, ICON in text) == _LINE for text, style in shown):
        return RichPart(atoms, None, block.follows, None)
    reaches = [_reach(word.styled) for word in atoms.words]
    return RichPart(atoms, tuple(reaches[number] for number in atoms.owner), block.follows, None)


def _reach(styled: Sequence[Styled]) -> _Reach:
    """Return how far a word reaches; what is no taller than a line counts as one."""
    reach = _LINE
    for text, style in styled:
        reach = reach.joined(_stretch_reach(style, ICON in text))
    return reach


@cached(1024)
def _stretch_reach(style: TextStyle, has_icon: bool) -> _Reach:
    if style.icon is not None and has_icon:
        face = fonts.face(style.face)
        above = (face.cap_height + style.icon.height) / 2 * style.scale
        below = (style.icon.height - face.cap_height) / 2 * style.scale
        if above > face.ascent or below > face.descent:
            return _Reach(max(style.scale, 1.0), above, below)
    return _Reach(max(style.scale, 1.0))


class _Measures(NamedTuple):
    """What a line takes at a size: its height and ascent, and the distance of the next one, in mm."""

    size: float
    height: float
    ascent: float
    pitch: float
    leading: Leading

    def line(self, reach: _Reach) -> tuple[float, float]:
        """Return the height of a line, and how far its baseline lies below its top."""
        above = max(self.ascent * reach.scale, reach.above * self.size)
        below = max((self.height - self.ascent) * reach.scale, reach.below * self.size)
        return above + below, above


def _measures(parts: Sequence[RichPart], box: TextBox, size: float) -> _Measures:
    face = next((part.atoms.words[0].styled[0][1].face for part in parts if part.atoms), fonts.SANS)
    height, ascent = line_height(box.leading, face, size, box.step)
    return _Measures(size, height, ascent, height + box.leading.gap, box.leading)


def _line_of(row: _Row, size: float) -> RichLine:
    """Return a line with the growth of its spaces; the last one of a paragraph is not justified."""
    part, first, last, left, right, top, baseline, bottom = row
    growth, atoms = 0.0, part.atoms
    if atoms is not None and last + 1 < len(atoms.starts):
        natural = atoms.ends[last] - atoms.starts[first]
        growth = ((right - left) / size - natural) / max(atoms.owner[last] - atoms.owner[first], 1)
    return RichLine(
        part=part,
        first=first,
        last=last,
        x=left,
        width=right - left,
        top=top,
        baseline=baseline,
        bottom=bottom,
        growth=growth,
    )


def _shifted(parts: Sequence[RichPart], box: RichBox, size: float) -> list[_Row] | None:
    """Return the lines moved down by the box's share of the free height; None if they do not fit."""
    rows = _rows(parts, box, size, box.room.y)
    if not rows:
        return rows
    least, most = _way_down(rows, box, size)
    if least > most:
        return None
    free = max(box.room.bottom - rows[-1][_BOTTOM], 0.0)
    if not box.around:
        down = max(min(free * box.shift, most), least)
        return [(*row[:5], row[5] + down, row[6] + down, row[7] + down) for row in rows] if down else rows
    if least:
        rows = _rows_inside(parts, box, size, least)
    if not rows or not box.shift:
        return rows
    # Farther down, lines may be beside the box, or no longer: the place is looked for.
    low, high = least, free
    for _ in range(MAX_SHIFTS):
        down = max(free * box.shift, least)
        moved = _rows_inside(parts, box, size, down)
        if moved is None:
            high = down
            free = (low + high) / 2 / box.shift
            continue
        rows, low = moved, down
        wanted = down + box.room.bottom - moved[-1][_BOTTOM]
        if abs(wanted - free) < ROUNDING:
            break
        free = min(wanted, high / box.shift)
    return rows


def _rows_inside(parts: Sequence[RichPart], box: RichBox, size: float, down: float) -> list[_Row] | None:
    """Return the lines from `down` mm below the top of the box; None if anything in them is out of it."""
    rows = _rows(parts, box, size, box.room.y + down)
    least, most = _way_down(rows, box, size) if rows else (0.0, 0.0)
    return rows if least <= ROUNDING and most >= 0 else None


def _way_down(rows: Sequence[_Row], box: RichBox, size: float) -> tuple[float, float]:
    """Return by how many mm lines must, and may, be moved down so that letters, icons and rules stay in their box."""
    top, bottom = inf, -inf
    for part, first, last, *_, baseline, _ in rows:
        above, below = (part.rule.stroke.width / 2,) * 2 if part.rule else _reach_of(part, first, last, size)
        top, bottom = min(top, baseline - above), max(bottom, baseline + below)
    return max(box.room.y - top, 0.0), box.room.bottom - bottom + ROUNDING


def _reach_of(part: RichPart, first: int, last: int, size: float) -> tuple[float, float]:
    """Return how many mm what stands in a line reaches above and below its baseline, but for what may stand out."""
    atoms = part.atoms
    assert atoms is not None
    words = atoms.words[atoms.owner[first] : atoms.owner[last] + 1]
    above, below = max([word.above for word in words]), max([word.below for word in words])
    return above * size - may_reach_out(size), below * size - may_reach_out(size)


def _rows(parts: Sequence[RichPart], box: RichBox, size: float, top: float, lowest: float = inf) -> list[_Row] | None:
    """Return the lines from a height on; None if they do not fit above the box's end, or above `lowest`."""
    measures, end = _measures(parts, box, size), min(box.room.bottom if lowest == inf else lowest, _FAR)
    placed: list[_Row] = []
    y = top
    for index, part in enumerate(parts):
        if part.rule is not None:
            # A rule stands in the middle of the gap around it.
            gap = max(box.leading.paragraph, _FREE_LINES) * measures.pitch if index else 0.0
            left, right = _between(box, y, y + gap)
            placed.append((part, 0, 0, left, right, y, y + gap / 2, y + gap))
            y += gap
            continue
        if index and not part.follows and parts[index - 1].rule is None:
            y += measures.pitch * box.leading.paragraph
        below = _broken(part, box, measures, (y, end + ROUNDING), placed)
        if below is None:
            return None
        y = below
    return placed


def _broken(
    part: RichPart, box: RichBox, measures: _Measures, between: tuple[float, float], placed: list[_Row]
) -> float | None:
    """Add the lines of a paragraph, one below the other, and return where the next one begins.

    None if a word is too wide, or a line ends below the second of these heights.
    """
    atoms, (y, end) = part.atoms, between
    assert atoms is not None
    starts, ends, limits, count, first = atoms.starts, atoms.ends, atoms.limits, len(atoms.starts), 0
    left, right, gap = box.room.x, box.room.right, box.leading.gap
    measure = (right - left) / measures.size
    height, ascent = measures.line(_LINE)
    # Lines that end above this height are as wide as the box, and as high as a line if nothing in them is taller.
    plain = -inf if part.reaches else min((each.y for each in box.around), default=inf)
    while first < count:
        bottom = y + height
        if bottom - ROUNDING <= plain:
            last = bisect_right(limits, starts[first] + measure + ROUNDING, first) - 1
            if last < first and ends[first] - starts[first] <= measure + ROUNDING:
                last = first
            row = (part, first, last, left, right, y, y + ascent, bottom) if last >= first else None
        else:
            row = _row(part, box, measures, (y, first))
        if row is None:
            # Beside a box there may be no room for a word that has room below it.
            below = min((each.bottom for each in box.around if each.bottom > y + ROUNDING), default=inf)
            if below >= box.room.bottom:
                return None
            y = below
            continue
        if row[_BOTTOM] > end:
            return None
        placed.append(row)
        y, first = row[_BOTTOM] + gap, row[2] + 1
    return y


def _row(part: RichPart, box: RichBox, measures: _Measures, at: tuple[float, int]) -> _Row | None:
    """Return the line that begins with an atom at a height; None if the atom is too wide for it."""
    atoms, (y, first) = part.atoms, at
    assert atoms is not None
    reach = part.reaches[first] if part.reaches else _LINE
    while True:
        height, ascent = measures.line(reach)
        left, right = _between(box, y, y + height)
        measure = (right - left) / measures.size
        last = bisect_right(atoms.limits, atoms.starts[first] + measure + ROUNDING, first) - 1
        if last < first:
            if atoms.ends[first] - atoms.starts[first] > measure + ROUNDING:
                return None
            last = first
        taller = reach
        for each in part.reaches[first : last + 1] if part.reaches else ():
            taller = taller.joined(each)
        if taller == reach:
            return part, first, last, left, right, y, y + ascent, y + height
        reach = taller  # a taller line may be beside a box that a lower one is above


def _between(box: RichBox, top: float, bottom: float) -> tuple[float, float]:
    """Return how far a line between two heights may reach to the left and to the right."""
    left, right = box.room.x, box.room.right
    for each in box.around:
        if each.y < bottom - ROUNDING and each.bottom > top + ROUNDING:
            if each.center[0] < box.room.center[0]:
                left = max(left, each.right)
            else:
                right = min(right, each.x)
    return left, max(left, right)
