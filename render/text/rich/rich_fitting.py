"""Fit rich text to its box or line: icons, sizes, rules, lines beside a box, parts printed only where they fit.

As for other texts, words are shaped once. A line is as high as the tallest of what stands in it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial

from msgspec import Struct

from render.base.caches import cached
from render.text import fitting
from render.text.fitting import FittedLine, TextBox, TextLine, TooLong, TooMuch
from render.text.line_breaking import ROUNDING, Paragraph
from render.text.line_setting import RowSetting, SetItem, set_row
from render.text.rich.rich_blocks import PlacedRule, RichBox, RichParagraphs, RichRule, SetRich, TextBlock
from render.text.rich.rich_breaking import RichLine, RichPart, fits, open_lines, parts_of, placed_lines


class FittedRichBox(Struct, frozen=True, dict=True):
    """A rich text that fits a box at the smallest of these sizes. The best size is found when it is set."""

    parts: tuple[RichPart, ...]
    box: RichBox
    sizes: tuple[float, ...]

    @cached_property
    def size(self) -> float:
        """The size in mm at which it is set: the largest whose word spaces are not too wide, else the largest."""
        largest_first = fitting.sizes_that_fit(self.sizes, self.box, partial(fits, self.parts))
        if self.box.align != "justify":
            return largest_first[0]
        most = self.box.max_growth + ROUNDING
        tight = (size for size in largest_first if _loosest(placed_lines(self.parts, self.box, size) or []) <= most)
        return next(tight, largest_first[0])

    @cached_property
    def setting(self) -> SetRich:
        """The text as set."""
        lines = placed_lines(self.parts, self.box, self.size) or []
        words = (line for line in lines if line.part.atoms is not None)
        items = tuple(item for line in words for item in _row(line, self.box, self.size))
        rules = tuple(_rule(line.part.rule, line) for line in lines if line.part.rule is not None)
        return SetRich(items, rules)


class FittedRichLine(Struct, frozen=True, dict=True):
    """A rich text that fits a line."""

    line: FittedLine

    @cached_property
    def setting(self) -> SetRich:
        """The line as set."""
        return SetRich(self.line.items)


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
            return fit_rich_box(blocks, RichBox.of(where))
        case _:
            return fit_rich_line(blocks, where)


@cached(1024)
def fit_rich_line(blocks: tuple[TextBlock, ...], room: TextLine) -> FittedRichLine | TooLong:
    """Fit a rich text on one line, with as many of its optional parts as fit; cached, since costs repeat."""

    def tried(parts: int) -> FittedLine | TooLong:
        return fitting.fit_line(tuple(styled for block in blocks for styled in block.shown(parts)), room)

    found = _most_parts(_optional(blocks), lambda parts: isinstance(tried(parts), FittedLine))
    fitted = tried(found)
    return FittedRichLine(fitted) if isinstance(fitted, FittedLine) else fitted


def fit_rich_box(blocks: Sequence[TextBlock], box: RichBox) -> FittedRichBox | TooLong | TooMuch:
    """Fit a rich text in a box, closed up if need be, with as many of its optional parts as fit; else why it does not.

    A text with an optional part keeps to at least `least_optional` mm, and is not closed up for it.
    """
    large = tuple(size for size in fitting.sizes_of(box) if size >= box.least_optional - ROUNDING)
    parts = _most_parts(
        _optional(blocks) if large else 0,
        lambda parts: fits(parts_of(blocks, parts), box, large[0]),
    )
    shown = parts_of(blocks, parts)
    if parts:
        return FittedRichBox(shown, box, large)
    box, sizes = fitting.close_up(box, partial(fits, shown))
    return FittedRichBox(shown, box, sizes) if sizes else _overflow(shown, box, fitting.sizes_of(box)[0])


def _optional(blocks: Sequence[TextBlock]) -> int:
    return max((optional for block in blocks for _, optional in block.words), default=0)


def _most_parts(count: int, fit: Callable[[int], bool]) -> int:
    """Return how many optional parts can be printed: all, or the first ones; each one makes the text longer."""
    if not count or fit(count):
        return count
    return bisect_right(range(1, count + 1), False, key=lambda parts: not fit(parts))


def _loosest(lines: Sequence[RichLine]) -> float:
    return max((line.growth for line in lines), default=0.0)


def _row(line: RichLine, box: TextBox, size: float) -> Iterator[SetItem]:
    atoms = line.part.atoms
    assert atoms is not None
    slack = line.width - (atoms.ends[line.last] - atoms.starts[line.first]) * size
    x = line.x + slack * fitting.WHITE_BEFORE[box.align]
    growth = line.growth if box.align == "justify" else 0.0
    return set_row(atoms.line(line.first, line.last), RowSetting(x, line.baseline, size, growth=growth))


def _rule(rule: RichRule, line: RichLine) -> PlacedRule:
    cap = 0.0 if rule.stroke.cap == "butt" else rule.stroke.width / 2  # which stands out at both ends
    room = max(line.width - 2 * cap, 0.0)
    width = min(line.width * rule.share, room)
    return PlacedRule(rule, line.x + cap + (room - width) * rule.at, line.baseline, width)


# --- what does not fit ----------------------------------------------------------------------------------------------


def _overflow(parts: tuple[RichPart, ...], box: RichBox, size: float) -> TooLong | TooMuch:
    """Return why a text does not fit at a size."""
    lines, smaller = open_lines(parts, box, size), fitting.size_below(size, box, partial(fits, parts))
    if lines is None:
        widest = max(
            end - start
            for part in parts
            if part.atoms is not None
            for start, end in zip(part.atoms.starts, part.atoms.ends, strict=True)
        )
        return TooLong(size, widest * size, in_box=True, fitting=smaller)
    inside = sum(line.bottom <= box.room.bottom + ROUNDING for line in lines)
    return TooMuch(size, len(lines), inside, smaller)
