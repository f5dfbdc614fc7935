"""Fit rich text to its box or line: icons, sizes, rules, lines beside a box, parts printed only where they fit.

As for other texts, words are shaped once. A line is as high as the tallest of what stands in it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, inf
from typing import NamedTuple

from render.base.geometry import MM_PER_POINT, Rect
from render.scene.items import Stroke
from render.text import fitting, fonts
from render.text.fitting import FittedLine, Leading, TextBox, TextLine, TooLong, TooMuch, line_height
from render.text.line_breaking import ICON, ROUNDING, Atoms, Paragraph, Shaped, Styled
from render.text.rich_lines import RowSetting, SetItem, set_row

MAX_SHIFTS = 8  # tries at placing a text in the middle or at the bottom beside a box: more change nothing that shows
_FREE_LINES = 0.5  # a rule stands in a gap of half a line at least


@dataclass(frozen=True, slots=True, kw_only=True)
class RichBox(TextBox):
    """The room of a text with more to it: `shift` is the share of the free height that stands above it, 0 to 1.

    Lines beside a box of `around` are shorter. A part that is printed only where it fits, fits at `least_optional` mm.
    """

    shift: float = 0.0
    around: tuple[Rect, ...] = ()
    least_optional: float = 0.0


@dataclass(frozen=True, slots=True)
class RichRule:
    """A line between the parts of a text: `share` of the width, with its ends `at` the start, middle or end."""

    stroke: Stroke
    share: float = 1.0
    at: float = 0.5


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Words that begin a line, or a rule: behind a gap between paragraphs, or `follows` the line before at once.

    `optional` numbers the parts that are printed only where they fit, from 1; 0 is for what is always printed.
    """

    words: tuple[tuple[Styled, int], ...] = ()
    follows: bool = False
    rule: RichRule | None = None

    def shown(self, parts: int) -> Paragraph:
        """Return the words with that many of the optional parts."""
        return tuple(styled for styled, optional in self.words if optional <= parts)


class RichParagraphs(tuple[Paragraph, ...]):
    """The paragraphs of a text with more to it than words, and its `blocks`."""

    blocks: tuple[TextBlock, ...]

    @classmethod
    def of(cls, blocks: Iterable[TextBlock]) -> RichParagraphs:
        made = tuple(blocks)
        result = cls(tuple(styled for styled, _ in block.words) for block in made)
        result.blocks = made
        return result

    @property
    def scales(self) -> tuple[float, float]:
        """The smallest and the largest size of words, by the size of the text."""
        scales = [1.0, *(style.scale for paragraph in self for _, style in paragraph)]
        return min(scales), max(scales)


@dataclass(frozen=True, slots=True)
class PlacedRule:
    """A rule where it stands: from `x` on, `width` mm long, at the height `y`."""

    rule: RichRule
    x: float
    y: float
    width: float


class SetRich(NamedTuple):
    """A rich text as set: its words and icons line by line, and its rules."""

    items: tuple[SetItem, ...] = ()
    rules: tuple[PlacedRule, ...] = ()


@dataclass(frozen=True)
class FittedRichBox:
    """A rich text that fits a box at the smallest of these sizes. The best size is found when it is set."""

    parts: tuple[_Part, ...]
    box: RichBox
    sizes: tuple[float, ...]
    line: None = None

    @cached_property
    def size(self) -> float:
        """The size in mm at which it is set: the largest whose word spaces are not too wide, else the largest."""
        fitting_sizes = bisect_right(self.sizes, False, 1, key=lambda size: _placed(self.parts, self.box, size) is None)
        largest_first = self.sizes[fitting_sizes - 1 :: -1]
        if self.box.align != "justify":
            return largest_first[0]
        most = self.box.max_growth + ROUNDING
        tight = (size for size in largest_first if _loosest(_placed(self.parts, self.box, size) or []) <= most)
        return next(tight, largest_first[0])

    @cached_property
    def setting(self) -> SetRich:
        """The text as set."""
        lines = _placed(self.parts, self.box, self.size) or []
        words = (line for line in lines if line.part.atoms is not None)
        items = tuple(item for line in words for item in _row(line, self.box, self.size))
        rules = tuple(_rule(line.part.rule, line) for line in lines if line.part.rule is not None)
        return SetRich(items, rules)


@dataclass(frozen=True)
class FittedRichLine:
    """A rich text that fits a line."""

    line: FittedLine

    @cached_property
    def setting(self) -> SetRich:
        """The line as set."""
        at = self.line.setting
        return SetRich(
            set_row((word.shaped for word in self.line.words), RowSetting(at.x, at.baseline, at.size, at.stretch))
        )


FittedRich = FittedRichBox | FittedRichLine


def fit_rich(paragraphs: tuple[Paragraph, ...], where: TextBox | TextLine) -> FittedRich | TooLong | TooMuch:
    """Fit a text in its room, a box or a line; what does not fit says so."""
    blocks = (
        paragraphs.blocks
        if isinstance(paragraphs, RichParagraphs)
        else tuple(TextBlock(tuple((styled, 0) for styled in paragraph)) for paragraph in paragraphs)
    )
    match where:
        case RichBox():
            return fit_rich_box(blocks, where)
        case TextBox():
            return fit_rich_box(blocks, RichBox(**{name: getattr(where, name) for name in TextBox.__slots__}))
        case _:
            return fit_rich_line(blocks, where)


def fit_rich_line(blocks: Sequence[TextBlock], room: TextLine) -> FittedRichLine | TooLong:
    """Fit a rich text on one line, with as many of its optional parts as fit."""

    def tried(parts: int) -> FittedLine | TooLong:
        return fitting.fit_line(tuple(styled for block in blocks for styled in block.shown(parts)), room)

    found = _most_parts(_optional(blocks), lambda parts: isinstance(tried(parts), FittedLine))
    fitted = tried(found)
    return FittedRichLine(fitted) if isinstance(fitted, FittedLine) else fitted


def fit_rich_box(blocks: Sequence[TextBlock], box: RichBox) -> FittedRichBox | TooLong | TooMuch:
    """Fit a rich text in a box, closed up if need be, with as many of its optional parts as fit; else why it does not.

    A text with an optional part keeps to at least `least_optional` mm, and is not closed up for it.
    """
    sizes = fitting.sizes_of(box)
    large = tuple(size for size in sizes if size >= box.least_optional - ROUNDING)
    parts = _most_parts(
        _optional(blocks) if large else 0, lambda parts: _placed(_parts(blocks, parts), box, large[0]) is not None
    )
    shown = _parts(blocks, parts)
    if parts:
        return FittedRichBox(shown, box, large)
    if _placed(shown, box, sizes[0]) is not None:
        return FittedRichBox(shown, box, sizes)
    for leading in box.tighter:
        box = replace(box, leading=leading)
        if _placed(shown, box, sizes[0]) is not None:
            return FittedRichBox(shown, box, sizes[:1])
    return _overflow(shown, box, sizes[0])


def _optional(blocks: Sequence[TextBlock]) -> int:
    return max((optional for block in blocks for _, optional in block.words), default=0)


def _most_parts(count: int, fits: Callable[[int], bool]) -> int:
    """Return how many optional parts can be printed: all, or the first ones; each one makes the text longer."""
    if not count or fits(count):
        return count
    return max(bisect_right(range(1, count + 1), False, key=lambda parts: not fits(parts)), 0)


# --- lines ----------------------------------------------------------------------------------------------------------


class _Reach(NamedTuple):
    """How far something reaches from its baseline: `scale` times a line, and `above` and `below` in em at least."""

    scale: float = 1.0
    above: float = 0.0
    below: float = 0.0

    def joined(self, other: _Reach) -> _Reach:
        return _Reach(max(self.scale, other.scale), max(self.above, other.above), max(self.below, other.below))


class _Part(NamedTuple):
    """A block made ready: its words as atoms, how far each atom reaches if any is taller than a line; or a rule."""

    atoms: Atoms | None
    reaches: tuple[_Reach, ...] | None
    follows: bool
    rule: RichRule | None


class _Line(NamedTuple):
    """A line in its place: first and last atom, left end, width, top, baseline and bottom in mm, and its growth."""

    part: _Part
    first: int
    last: int
    x: float
    width: float
    top: float
    baseline: float
    bottom: float
    growth: float = 0.0


def _parts(blocks: Sequence[TextBlock], optional: int) -> tuple[_Part, ...]:
    return tuple(filter(None, (_part(block, optional) for block in blocks)))


def _part(block: TextBlock, optional: int) -> _Part | None:
    if block.rule is not None:
        return _Part(None, None, False, block.rule)
    atoms = Atoms(block.shown(optional))
    if not atoms.words:
        return None
    reaches = [_reach(word.styled) for word in atoms.words]
    if all(reach == _Reach() for reach in reaches):
        return _Part(atoms, None, block.follows, None)
    return _Part(atoms, tuple(reaches[number] for number in atoms.owner), block.follows, None)


def _reach(styled: Sequence[Styled]) -> _Reach:
    """Return how far a word reaches; what is no taller than a line counts as one."""
    reach = _Reach()
    for text, style in styled:
        reach = reach.joined(_Reach(style.scale))
        if style.icon is not None and ICON in text:
            face = fonts.face(style.face)
            above = (face.cap_height + style.icon.height) / 2 * style.scale
            below = (style.icon.height - face.cap_height) / 2 * style.scale
            if above > face.ascent or below > face.descent:
                reach = reach.joined(_Reach(1.0, above, below))
    return reach


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


def _measures(parts: Sequence[_Part], box: TextBox, size: float) -> _Measures:
    face = next((part.atoms.words[0].styled[0][1].face for part in parts if part.atoms), fonts.SANS)
    height, ascent = line_height(box.leading, face, size, box.step)
    return _Measures(size, height, ascent, height + box.leading.gap, box.leading)


def _placed(parts: Sequence[_Part], box: RichBox, size: float) -> list[_Line] | None:
    """Return the lines at a size, moved down by the box's share of the free height; None if they do not fit."""
    lines = _lines(parts, box, size, box.room.y)
    if lines is None or not lines or not box.shift:
        return lines
    free = box.room.bottom - lines[-1].bottom
    if not box.around:
        return [_moved(line, free * box.shift) for line in lines]
    # Farther down, lines may be beside the box, or no longer: the place is looked for.
    low, high = 0.0, free
    for _ in range(MAX_SHIFTS):
        down = free * box.shift
        moved = _lines(parts, box, size, box.room.y + down)
        if moved is None:
            high = down
            free = (low + high) / 2 / box.shift
            continue
        lines, low = moved, down
        wanted = down + box.room.bottom - moved[-1].bottom
        if abs(wanted - free) < ROUNDING:
            break
        free = min(wanted, high / box.shift)
    return lines


def _moved(line: _Line, down: float) -> _Line:
    return line._replace(top=line.top + down, baseline=line.baseline + down, bottom=line.bottom + down)


def _lines(parts: Sequence[_Part], box: RichBox, size: float, top: float, lowest: float = inf) -> list[_Line] | None:
    """Return the lines from a height on; None if they do not fit above the box's end, or above `lowest`."""
    measures, end = _measures(parts, box, size), min(box.room.bottom if lowest == inf else lowest, 1e9)
    placed: list[_Line] = []
    y = top
    for index, part in enumerate(parts):
        if part.rule is not None:
            # A rule stands in the middle of the gap around it.
            gap = max(box.leading.paragraph, _FREE_LINES) * measures.pitch if index else 0.0
            left, right = _between(box, y, y + gap)
            row = _Line(
                part=part, first=0, last=0, x=left, width=right - left, top=y, baseline=y + gap / 2, bottom=y + gap
            )
            placed.append(row)
            y += gap
            continue
        if index and not part.follows and parts[index - 1].rule is None:
            y += measures.pitch * box.leading.paragraph
        for line in _broken(part, box, measures, y):
            if line is None or line.bottom > end + ROUNDING:
                return None
            placed.append(line)
            y = line.bottom + box.leading.gap
    return placed


def _broken(part: _Part, box: RichBox, measures: _Measures, top: float) -> Iterator[_Line | None]:
    """Yield the lines of a paragraph, one below the other; None where a word is too wide."""
    atoms, y, first = part.atoms, top, 0
    assert atoms is not None
    while first < len(atoms.starts):
        line = _line(part, box, measures, (y, first))
        if line is None:
            # Beside a box there may be no room for a word that has room below it.
            below = min((each.bottom for each in box.around if each.bottom > y + ROUNDING), default=inf)
            if below >= box.room.bottom:
                yield None
                return
            y = below
            continue
        yield line
        y, first = line.bottom + box.leading.gap, line.last + 1


def _line(part: _Part, box: RichBox, measures: _Measures, at: tuple[float, int]) -> _Line | None:
    """Return the line that begins with an atom at a height; None if the atom is too wide for it."""
    atoms, (y, first) = part.atoms, at
    assert atoms is not None
    reach = part.reaches[first] if part.reaches else _Reach()
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
            break
        reach = taller  # a taller line may be beside a box that a lower one is above
    natural = atoms.ends[last] - atoms.starts[first]
    spaces = max(atoms.owner[last] - atoms.owner[first], 1)
    growth = (measure - natural) / spaces if last + 1 < len(atoms.starts) else 0.0
    return _Line(
        part=part,
        first=first,
        last=last,
        x=left,
        width=right - left,
        top=y,
        baseline=y + ascent,
        bottom=y + height,
        growth=growth,
    )


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


def _loosest(lines: Sequence[_Line]) -> float:
    return max((line.growth for line in lines), default=0.0)


def _row(line: _Line, box: TextBox, size: float) -> tuple[SetItem, ...]:
    atoms = line.part.atoms
    assert atoms is not None
    slack = line.width - (atoms.ends[line.last] - atoms.starts[line.first]) * size
    x = line.x + slack * {"start": 0.0, "justify": 0.0, "middle": 0.5, "end": 1.0}[box.align]
    growth = line.growth if box.align == "justify" else 0.0
    words: list[Shaped] = atoms.line(line.first, line.last)
    return set_row(words, RowSetting(x, line.baseline, size, growth=growth))


def _rule(rule: RichRule, line: _Line) -> PlacedRule:
    width = line.width * rule.share
    return PlacedRule(rule, line.x + (line.width - width) * rule.at, line.baseline, width)


# --- what does not fit ----------------------------------------------------------------------------------------------


def _overflow(parts: tuple[_Part, ...], box: RichBox, size: float) -> TooLong | TooMuch:
    """Return why a text does not fit at a size."""
    open_box = replace(box, shift=0.0)
    lines = _lines(parts, open_box, size, box.room.y, lowest=1e9)
    if lines is None:
        widest = max(
            end - start
            for part in parts
            if part.atoms is not None
            for start, end in zip(part.atoms.starts, part.atoms.ends, strict=True)
        )
        return TooLong(size, widest * size, in_box=True, fitting=_fitting(parts, box, size))
    inside = sum(line.bottom <= box.room.bottom + ROUNDING for line in lines)
    return TooMuch(size, len(lines), inside, _fitting(parts, box, size))


def _fitting(parts: tuple[_Part, ...], box: RichBox, above: float) -> float:
    """Return the largest size of whole tenths of a point below `above` mm at which the parts fit; 0 if none does."""
    box = replace(box, room=_narrower(box.room), shift=0.0)
    for tenths in range(ceil(above / MM_PER_POINT * 10 - ROUNDING) - 1, 9, -1):
        size = tenths * MM_PER_POINT / 10
        least = fitting.sizes_of(replace(box, smallest=size, largest=max(size, box.largest)))[0]
        if _placed(parts, box, size) is not None and _placed(parts, box, least) is not None:
            return size
    return 0.0


def _narrower(room: Rect) -> Rect:
    return replace(room, width=room.width * fitting.SURELY)
