"""Break a text into lines in its box: lines are as high as what stands in them, and shorter beside a box in a corner.

A text is a row of blocks: paragraphs of styled words, icons among them, and rules. The most of them are one paragraph of
one style.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, inf
from typing import Final

from msgspec import Struct

from render.base.caches import cached
from render.base.geometry import Rect
from render.scene.items import Stroke
from render.text import fonts
from render.text.line_breaking import ICON, ROUNDING, Atoms, Paragraph, Styled, TextStyle

BEHIND_SIGN = 0.35  # em between the sign of an item of a list and its words
MAX_SHIFTS = 8  # tries at placing a text in the middle or at the bottom beside a box: more change nothing that shows
_FREE_LINES = 0.5  # a rule stands in a gap of half a line at least
_REACH_OUT, _MAX_REACH_OUT = 0.03, 0.1  # em and mm of a letter that may stand out of its box: less than the eye sees


class Leading(Struct, frozen=True):
    """The distance between baselines.

    `factor` is in sizes. Without it, a line is as high as the face's ascent and descent, each rounded up to whole steps
    of the size, or `to_nearest` whole steps. `gap` mm are added between lines; `paragraph` lines stand between
    paragraphs.
    """

    factor: float | None = None
    gap: float = 0.0
    paragraph: float = 1.0
    to_nearest: bool = False


class TextBox(Struct, frozen=True, kw_only=True):
    """The room of a text, in mm. Sizes go from `largest` down to `smallest` in steps of `step`.

    `align` is start, middle, end or justify. A justified word space grows by at most `max_growth` em if any size allows
    it. A text that does not fit at the smallest size may close up: `tighter` are the leadings to try then, in order.

    `shift` is the share of the free height that stands above the text, 0 to 1. Lines beside a box of `around` are
    shorter. A part that is printed only where it fits, fits at `least_optional` mm. The `direction` of paragraphs is
    `ltr`, `rtl`, or "" for that of the first letter of each.
    """

    room: Rect
    align: str
    largest: float
    smallest: float
    step: float
    leading: Leading
    max_growth: float = inf
    tighter: tuple[Leading, ...] = ()
    shift: float = 0.0
    around: tuple[Rect, ...] = ()
    least_optional: float = 0.0
    direction: str = ""


class TextRule(Struct, frozen=True):
    """A line between the parts of a text: `share` of the width, with its ends `at` the start, middle or end."""

    stroke: Stroke
    share: float = 1.0
    at: float = 0.5


class TextBlock(Struct, frozen=True):
    """Words that begin a line, or a rule: behind a gap between paragraphs, or `follows` the line before at once.

    `optional` numbers the parts that are printed only where they fit, from 1: one number for each stretch of words, 0
    for what is always printed; or nothing if all words are. The lines of a list have an `indent` in em, and before the
    first one of an item stands its `sign`.
    """

    words: Paragraph = ()
    optional: tuple[int, ...] = ()
    follows: bool = False
    rule: TextRule | None = None
    indent: float = 0.0
    sign: Paragraph = ()

    def shown(self, parts: int) -> Paragraph:
        """Return the words with that many of the optional parts."""
        if not self.optional:
            return self.words
        return tuple(styled for styled, part in zip(self.words, self.optional, strict=True) if part <= parts)


class _Reach(Struct, frozen=True):
    """How far something reaches from its baseline: `scale` times a line, and `above` and `below` in em at least."""

    scale: float = 1.0
    above: float = 0.0
    below: float = 0.0

    def joined(self, other: _Reach) -> _Reach:
        return _Reach(max(self.scale, other.scale), max(self.above, other.above), max(self.below, other.below))


_LINE = _Reach()
"""What is no taller than a line."""


class Part(Struct, frozen=True):
    """A block made ready: its words as atoms, how far each atom reaches if any is taller than a line; or a rule.

    A plain paragraph has no words of other sizes, icons or optional parts, and is in no list.
    """

    atoms: Atoms | None
    reaches: tuple[_Reach, ...] | None
    follows: bool
    rule: TextRule | None
    is_plain: bool
    indent: float = 0.0
    sign: Atoms | None = None

    def inset(self, left: float, width: float, size: float) -> tuple[float, float]:
        """Return where a line of a size begins between these two, and how wide it may be: a list is moved inwards."""
        if not self.indent or self.atoms is None:
            return left, width
        indent = self.indent * size
        return left if self.atoms.base else left + indent, max(width - indent, 0.0)


class BoxLine(Struct, frozen=True):
    """A line in its place: first and last atom, left end, width, top, baseline and bottom in mm, its size in mm and its growth in em."""

    part: Part
    first: int
    last: int
    x: float
    width: float
    top: float
    baseline: float
    bottom: float
    size: float
    growth: float


_Row = tuple[Part, int, int, float, float, float, float, float]
"""A line while its size is looked for: the part, first and last atom, left, width, top, baseline and bottom.

Nearly all are thrown away, and a plain tuple is made in a tenth of the time that a BoxLine takes.
"""
_BOTTOM: Final = 7


def parts_of(blocks: Sequence[TextBlock], optional: int, direction: str = "") -> tuple[Part, ...]:
    """Return blocks made ready, with so many of the optional parts; without those that are empty."""
    return tuple(filter(None, (_part(block, optional, direction) for block in blocks)))


def fits(parts: Sequence[Part], box: TextBox, size: float) -> bool:
    """Return whether the lines fit their box at a size; where in it they stand does not matter."""
    rows = _rows(parts, box, size, box.room.y)
    if not rows:
        return rows is not None
    least, most = _way_down(rows, parts, box, size)
    return least <= most if not (least and box.around) else _shifted(parts, box, size) is not None


def placed_lines(parts: Sequence[Part], box: TextBox, size: float) -> list[BoxLine] | None:
    """Return the lines at a size, moved down by the box's share of the free height; None if they do not fit."""
    rows = _shifted(parts, box, size)
    return None if rows is None else [_line_of(row, size) for row in rows]


def count_lines(parts: Sequence[Part], box: TextBox, size: float) -> tuple[int, int] | None:
    """Return how many lines a text takes at a size, and for how many there is room; None if a word is too wide.

    Both are lines as high as they are without larger words and icons; gaps between paragraphs count as lines.
    """
    rows = _rows(parts, box, size, box.room.y, lowest=_FAR)
    if rows is None:
        return None
    pitch, gap = _measures(parts, box, size).pitch, box.leading.gap
    takes = ceil((rows[-1][_BOTTOM] - box.room.y + gap) / pitch - ROUNDING)
    # There is always too little room: of letters that reach far out of their lines, the last line is too many.
    return takes, min(floor((box.room.height + gap) / pitch + ROUNDING), takes - 1)


_FAR = 1e9  # mm: below every card


def _part(block: TextBlock, optional: int, direction: str) -> Part | None:
    if block.rule is not None:
        return Part(None, None, False, block.rule, False)
    words = block.shown(optional)
    atoms = Atoms(words, direction)
    if not atoms.words:
        return None
    sign = Atoms(block.sign, ("rtl" if atoms.base else "ltr")) if block.sign else None
    # Words are made of the stretches: where none of these is taller than a line, no word is.
    if all(_stretch_reach(style, ICON in text) == _LINE for text, style in words):
        is_plain = not (
            block.optional or block.follows or block.indent or any(style.scale != 1 or style.icon for _, style in words)
        )
        return Part(atoms, None, block.follows, None, is_plain, block.indent, sign)
    reaches = [_reach(word.styled) for word in atoms.words]
    reached = tuple(reaches[number] for number in atoms.owner)
    return Part(atoms, reached, block.follows, None, False, block.indent, sign)


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


def line_height(leading: Leading, face: str, size: float, step: float) -> tuple[float, float]:
    """Return the height of a line in mm, and how far its baseline lies below its top."""
    opened = fonts.face(face)
    if leading.factor is not None:
        height = leading.factor * size
        # Half-leading above and below, as in CSS 2.1, 10.8.1.
        return height, (height + (opened.ascent - opened.descent) * size) / 2
    if leading.to_nearest:
        ascent, descent = (floor(part * size / step + 0.5) * step for part in (opened.ascent, opened.descent))
        return ascent + descent, ascent
    ascent = ceil(opened.ascent * size / step - ROUNDING) * step
    descent = ceil(opened.descent * size / step - ROUNDING) * step
    return ascent + descent, ascent


class _Measures(Struct, frozen=True):
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


def _measures(parts: Sequence[Part], box: TextBox, size: float) -> _Measures:
    face = next((part.atoms.words[0].styled[0][1].face for part in parts if part.atoms), fonts.SANS)
    height, ascent = line_height(box.leading, face, size, box.step)
    return _Measures(size, height, ascent, height + box.leading.gap, box.leading)


def _line_of(row: _Row, size: float) -> BoxLine:
    """Return a line with the growth of its spaces; the last one of a paragraph is not justified."""
    part, first, last, left, width, top, baseline, bottom = row
    growth, atoms = 0.0, part.atoms
    if atoms is not None and last + 1 < len(atoms.starts):
        natural = atoms.ends[last] - atoms.starts[first]
        growth = (width / size - natural) / max(atoms.owner[last] - atoms.owner[first], 1)
    return BoxLine(part, first, last, left, width, top, baseline, bottom, size, growth)


def _shifted(parts: Sequence[Part], box: TextBox, size: float) -> list[_Row] | None:
    """Return the lines moved down by the box's share of the free height; None if they do not fit."""
    rows = _rows(parts, box, size, box.room.y)
    if not rows:
        return rows
    least, most = _way_down(rows, parts, box, size)
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


def _rows_inside(parts: Sequence[Part], box: TextBox, size: float, down: float) -> list[_Row] | None:
    """Return the lines from `down` mm below the top of the box; None if anything in them is out of it."""
    rows = _rows(parts, box, size, box.room.y + down)
    least, most = _way_down(rows, parts, box, size) if rows else (0.0, 0.0)
    return rows if least <= ROUNDING and most >= 0 else None


def _way_down(rows: Sequence[_Row], parts: Sequence[Part], box: TextBox, size: float) -> tuple[float, float]:
    """Return by how many mm lines must, and may, be moved down so that letters, icons and rules stay in their box."""
    if not (box.shift or box.around) and all(part.is_plain for part in parts):
        # Plain text leaves room above its first line and below its last one for the tallest letters of all lines.
        (*_, baseline, _), (*_, lowest, end) = rows[0], rows[-1]
        top = baseline + may_reach_out(size) - max(part.atoms.above for part in parts if part.atoms) * size
        below = max(part.atoms.below for part in parts if part.atoms) * size - may_reach_out(size)
        bottom = max(lowest + below, end)
    else:
        top, bottom = inf, -inf
        for part, first, last, *_, baseline, _ in rows:
            above, below = (part.rule.stroke.width / 2,) * 2 if part.rule else _reach_of(part, first, last, size)
            top, bottom = min(top, baseline - above), max(bottom, baseline + below)
    return max(box.room.y - top, 0.0), box.room.bottom - bottom + ROUNDING


def _reach_of(part: Part, first: int, last: int, size: float) -> tuple[float, float]:
    """Return how many mm what stands in a line reaches above and below its baseline, but for what may stand out."""
    atoms = part.atoms
    assert atoms is not None
    words = atoms.words[atoms.owner[first] : atoms.owner[last] + 1]
    above, below = max([word.above for word in words]), max([word.below for word in words])
    return above * size - may_reach_out(size), below * size - may_reach_out(size)


def may_reach_out(size: float) -> float:
    """Return how many mm of a letter of a size may stand out of the box of its text."""
    return min(_REACH_OUT * size, _MAX_REACH_OUT)


def _rows(parts: Sequence[Part], box: TextBox, size: float, top: float, lowest: float = inf) -> list[_Row] | None:
    """Return the lines from a height on; None if they do not fit above the box's end, or above `lowest`."""
    measures, end = _measures(parts, box, size), min(box.room.bottom if lowest == inf else lowest, _FAR)
    placed: list[_Row] = []
    y = top
    for index, part in enumerate(parts):
        if part.rule is not None:
            # A rule stands in the middle of the gap around it.
            gap = max(box.leading.paragraph, _FREE_LINES) * measures.pitch if index else 0.0
            placed.append((part, 0, 0, *_between(box, y, y + gap), y, y + gap / 2, y + gap))
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
    part: Part, box: TextBox, measures: _Measures, between: tuple[float, float], placed: list[_Row]
) -> float | None:
    """Add the lines of a paragraph, one below the other, and return where the next one begins.

    None if a word is too wide, or a line ends below the second of these heights.
    """
    atoms, (y, end), first = part.atoms, between, 0
    assert atoms is not None
    left, width = part.inset(box.room.x, box.room.width, measures.size)
    gap = box.leading.gap
    measure = width / measures.size
    height, ascent = measures.line(_LINE)
    # Lines that end above this height are as wide as the box, and as high as a line if nothing in them is taller.
    plain = -inf if part.reaches else min((each.y for each in box.around), default=inf)
    while first < len(atoms.starts):
        bottom = y + height
        if bottom - ROUNDING <= plain:
            last = atoms.last_within(measure, first)
            row = (part, first, last, left, width, y, y + ascent, bottom) if last >= first else None
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


def _row(part: Part, box: TextBox, measures: _Measures, at: tuple[float, int]) -> _Row | None:
    """Return the line that begins with an atom at a height; None if the atom is too wide for it."""
    atoms, (y, first) = part.atoms, at
    assert atoms is not None
    reach = part.reaches[first] if part.reaches else _LINE
    while True:
        height, ascent = measures.line(reach)
        left, width = part.inset(*_between(box, y, y + height), measures.size)
        last = atoms.last_within(width / measures.size, first)
        if last < first:
            return None
        taller = reach
        for each in part.reaches[first : last + 1] if part.reaches else ():
            taller = taller.joined(each)
        if taller == reach:
            return part, first, last, left, width, y, y + ascent, y + height
        reach = taller  # a taller line may be beside a box that a lower one is above


def _between(box: TextBox, top: float, bottom: float) -> tuple[float, float]:
    """Return where a line between two heights begins, and how wide it may be."""
    if not box.around:
        return box.room.x, box.room.width
    left, right = box.room.x, box.room.right
    for each in box.around:
        if each.y < bottom - ROUNDING and each.bottom > top + ROUNDING:
            if each.center[0] < box.room.center[0]:
                left = max(left, each.right)
            else:
                right = min(right, each.x)
    return left, max(right - left, 0.0)
