"""Fit a text to its box or line, justify it, and set it as runs of glyphs, icons and rules.

Words are shaped once: the width of a text at size s is s times its width in em, so fitting is arithmetic.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from math import ceil, floor, inf

from msgspec import Struct
from msgspec.structs import replace

from render.base.caches import cached
from render.base.geometry import MM_PER_POINT
from render.scene.items import TextRun
from render.text import fonts
from render.text.box_lines import (
    BEHIND_SIGN,
    BoxLine,
    Part,
    TextBlock,
    TextBox,
    TextRule,
    count_lines,
    fits,
    parts_of,
    placed_lines,
)
from render.text.line_breaking import ROUNDING, Atoms, Paragraph, TextStyle, Word, directed, words_of
from render.text.line_setting import RowSetting, SetItem, set_row
from render.text.path_setting import TextPath, set_along

WHITE_BEFORE = {"start": 0.0, "justify": 0.0, "middle": 0.5, "end": 1.0}
"""The share of what a line leaves free that stands before its words, by how it is aligned.

It is at the left, but in a paragraph from right to left.
"""


class TextLine(Struct, frozen=True):
    """A text on one line: its anchor point in mm, and the `width` in mm that it must fit (inf: any width).

    The text is condensed first, to `narrowest` of its natural width, then shrunk, down to `smallest` mm. Letters that
    advance by whole pixels of `pixel` mm also begin on one; a text that is condensed has no pixels. The `direction` is
    `ltr`, `rtl`, or "" for that of the first letter.
    """

    x: float
    baseline: float
    align: str
    size: float
    width: float = inf
    narrowest: float = 1.0
    smallest: float = 0.0
    pixel: float = 0.0
    direction: str = ""


class PlacedRule(Struct, frozen=True):
    """A rule where it stands: from `x` on, `width` mm long, at the height `y`."""

    rule: TextRule
    x: float
    y: float
    width: float


class TooLong(Struct, frozen=True):
    """A line, or a single word in a box, does not fit: at its smallest size (mm) it is `width` mm long.

    `fitting` is the size in mm, of whole tenths of a point, at which all words of a box would fit; 0 if there is none.
    A path has `on_path` mm for the line.
    """

    size: float
    width: float
    in_box: bool
    fitting: float = 0.0
    on_path: float | None = None


class TooMuch(Struct, frozen=True):
    """A text does not fit its box: at its smallest size (mm) it takes `lines` lines where `room` fit.

    `fitting` is the size in mm, of whole tenths of a point, at which it would fit; 0 if there is none.
    """

    size: float
    lines: int
    room: int
    fitting: float


class _Fitted(Struct, frozen=True, dict=True):
    """What is set of a text that fits its room: `words` in their order."""

    @property
    def items(self) -> tuple[SetItem, ...]:
        """The words as set, and icons between them."""
        raise NotImplementedError

    @property
    def runs(self) -> tuple[TextRun, ...]:
        """The words as set."""
        return tuple(item for item in self.items if isinstance(item, TextRun))

    @property
    def rules(self) -> tuple[PlacedRule, ...]:
        """The rules between the words; a line has none."""
        return ()


class FittedBox(_Fitted, frozen=True, dict=True):
    """A text that fits a box at the smallest of these sizes. The best size is found when it is set."""

    parts: tuple[Part, ...]
    box: TextBox
    sizes: tuple[float, ...]

    @property
    def words(self) -> tuple[Word, ...]:
        held = (atoms for part in self.parts for atoms in (part.sign, part.atoms) if atoms)
        return tuple(word for atoms in held for word in atoms.words)

    @cached_property
    def lines(self) -> list[BoxLine]:
        """The lines at the largest size whose word spaces are not too wide, else at the largest that fits."""
        # Sizes that fit come first, so the first one that does not is found by bisection.
        count = bisect_right(self.sizes, False, 1, key=lambda size: not fits(self.parts, self.box, size))
        largest: list[BoxLine] = []
        for size in self.sizes[count - 1 :: -1]:
            lines = placed_lines(self.parts, self.box, size) or []
            growth = max((line.growth for line in lines), default=0.0)
            if self.box.align != "justify" or growth <= self.box.max_growth + ROUNDING:
                return lines
            largest = largest or lines
        return largest

    @cached_property
    def items(self) -> tuple[SetItem, ...]:
        items = list[SetItem]()
        for line in self.lines:
            if atoms := line.part.atoms:
                if line.part.sign and not line.first:
                    items += _sign(line.part.sign, line)
                slack = line.width - (atoms.ends[line.last] - atoms.starts[line.first]) * line.size
                growth = line.growth if self.box.align == "justify" else 0.0
                if atoms.base and growth and atoms.owner[line.first] < atoms.owner[line.last]:
                    slack = 0.0  # which the white between words takes
                x = line.x + slack * _white_at_left(self.box.align, atoms.base)
                row = RowSetting(x, line.baseline, line.size, growth=growth, reorders=atoms.base is not None)
                items += set_row(atoms.line(line.first, line.last), row)
        return tuple(items)

    @property
    def rules(self) -> tuple[PlacedRule, ...]:
        return tuple(_placed_rule(line.part.rule, line) for line in self.lines if line.part.rule is not None)


def _sign(sign: Atoms, line: BoxLine) -> Iterator[SetItem]:
    """Yield the sign of an item of a list, before its first line."""
    gap = BEHIND_SIGN * line.size
    x = line.x + line.width + gap if sign.base else line.x - gap - sign.width * line.size
    row = RowSetting(x, line.baseline, line.size, reorders=sign.base is not None)
    return set_row(sign.line(0, len(sign.ends) - 1), row)


def _white_at_left(align: str, base: int | None) -> float:
    """Return the share of what a line leaves free that stands at its left, by the level of its paragraph."""
    return 1.0 - WHITE_BEFORE[align] if base else WHITE_BEFORE[align]


def _placed_rule(rule: TextRule, line: BoxLine) -> PlacedRule:
    cap = 0.0 if rule.stroke.cap == "butt" else rule.stroke.width / 2  # which stands out at both ends
    room = max(line.width - 2 * cap, 0.0)
    width = min(line.width * rule.share, room)
    return PlacedRule(rule, line.x + cap + (room - width) * rule.at, line.baseline, width)


class FittedLine(_Fitted, frozen=True, dict=True):
    """Words that fit a line, and how they are set; set once, though many cards may have the same line.

    `length` is that of the line in mm.
    """

    words: tuple[Word, ...]
    setting: RowSetting
    length: float

    @cached_property
    def items(self) -> tuple[SetItem, ...]:
        return tuple(set_row(((word.shaped, word.joined, word.level) for word in self.words), self.setting))


class FittedPath(_Fitted, frozen=True, dict=True):
    """Words that fit a path, as they are set along it."""

    words: tuple[Word, ...]
    items: tuple[SetItem, ...]


Fitted = FittedBox | FittedLine | FittedPath


def fit_text(
    blocks: Sequence[TextBlock], room: TextBox | TextLine, path: TextPath | None = None
) -> Fitted | TooLong | TooMuch:
    """Fit a text in its room: a box, or a line, which is for one paragraph and may follow a path."""
    if isinstance(room, TextBox):
        return fit_box(blocks, room)
    (block,) = blocks or (TextBlock(),)

    def fit(parts: int) -> FittedLine | FittedPath | TooLong:
        line = block.shown(parts)
        return fit_line(line, room) if path is None else _fit_along(line, room, path)

    return fit(_most_parts(blocks, lambda parts: not isinstance(fit(parts), TooLong)))


def fit_box(blocks: Sequence[TextBlock], box: TextBox) -> FittedBox | TooLong | TooMuch:
    """Fit a text in a box, closed up if need be, with as many of its optional parts as fit; else say why it does not.

    A text with an optional part keeps to at least `least_optional` mm, and is not closed up for it.
    """
    sizes = sizes_of(box)
    large = tuple(size for size in sizes if size >= box.least_optional - ROUNDING)
    made = partial(parts_of, blocks, direction=box.direction)
    optional = _most_parts(blocks, lambda parts: bool(large) and fits(made(parts), box, large[0]))
    parts = made(optional)
    if optional:
        return FittedBox(parts, box, large)
    if fits(parts, box, sizes[0]):
        return FittedBox(parts, box, sizes)
    for leading in box.tighter:  # what is closed up has the smallest size alone
        box = replace(box, leading=leading)
        if fits(parts, box, sizes[0]):
            return FittedBox(parts, box, sizes[:1])
    return _overflow(parts, box, sizes[0])


def _most_parts(blocks: Sequence[TextBlock], fit: Callable[[int], bool]) -> int:
    """Return how many optional parts can be printed: all, or the first ones; each one makes the text longer."""
    count = max((part for block in blocks for part in block.optional), default=0)
    if not count or fit(count):
        return count
    return bisect_right(range(1, count + 1), False, key=lambda parts: not fit(parts))


def _overflow(parts: tuple[Part, ...], box: TextBox, size: float) -> TooLong | TooMuch:
    """Return why a text does not fit at a size."""
    lines, smaller = count_lines(parts, box, size), _size_below(size, parts, box)
    if lines is None:
        spans = (span for part in parts if part.atoms for span in zip(part.atoms.starts, part.atoms.ends, strict=True))
        return TooLong(size, max(end - start for start, end in spans) * size, in_box=True, fitting=smaller)
    return TooMuch(size, *lines, smaller)


_SURELY = 0.98  # of the width of a box: letters that advance by whole pixels are up to 2 % wider


def _size_below(above: float, parts: tuple[Part, ...], box: TextBox) -> float:
    """Return the largest size of whole tenths of a point, smaller than `above` mm, at which a text surely fits; or 0.

    It fits there both if that is its only size and if it becomes the smallest size of the box.
    """
    box = replace(box, room=replace(box.room, width=box.room.width * _SURELY))
    for tenths in range(ceil(above / MM_PER_POINT * 10 - ROUNDING) - 1, 9, -1):
        size = tenths * MM_PER_POINT / 10
        least = sizes_of(replace(box, smallest=size, largest=max(size, box.largest)))[0]
        if fits(parts, box, size) and fits(parts, box, least):
            return size
    return 0.0


@cached(256)
def sizes_of(box: TextBox) -> tuple[float, ...]:
    """Return the sizes of a box, smallest first: whole steps, or `largest` alone if no step lies in the range."""
    steps = range(ceil(box.smallest / box.step - ROUNDING), floor(box.largest / box.step + ROUNDING) + 1)
    return tuple(step * box.step for step in steps) or (box.largest,)


@cached(4096)
def fit_line(line: Paragraph, room: TextLine) -> FittedLine | TooLong:
    """Fit the text on one line: at its natural width, else condensed, else shrunk about the middle of its capitals."""
    line, base = directed(line, room.direction)
    words, natural = _on_one_line(line)
    size, stretch, pixel = room.size, 1.0, room.pixel
    if pixel and natural * size > room.width + ROUNDING:
        words, natural = _on_one_line(tuple((text, replace(style, pixels=0.0)) for text, style in line))
        pixel = 0.0
    if natural * size > room.width + ROUNDING:
        stretch = max(room.narrowest, room.width / (natural * size))
        size = min(size, room.width / (natural * stretch))
    if size < room.smallest - ROUNDING:
        return TooLong(room.smallest, natural * room.narrowest * room.smallest, in_box=False)
    # Half of what the capitals lose: their middle stays where it was.
    baseline = room.baseline - (room.size - size) * _cap_height(words) / 2
    x = room.x - natural * size * stretch * _white_at_left(room.align, base)
    if pixel:
        x, baseline = _first_pixel(x / pixel, words) * pixel, floor(baseline / pixel + 0.5) * pixel
    setting = RowSetting(x, baseline, size, stretch, reorders=base is not None)
    return FittedLine(words, setting, natural * size * stretch)


def _fit_along(line: Paragraph, room: TextLine, path: TextPath) -> FittedPath | TooLong:
    """Fit a line on a path: as wide as it is if the middle of each letter is on it, else as on a line of its length."""
    before = _white_at_left(room.align, directed(line, room.direction)[1])
    ends = path.ends(before)
    free = min(
        (path.start - ends[0]) / before if before else inf, (ends[1] - path.start) / (1 - before) if before < 1 else inf
    )
    free = min(free, room.width) if ends[0] <= path.start <= ends[1] else 0.0
    shrinks = room.width < inf or room.narrowest < 1 or room.smallest < room.size
    fitted = fit_line(line, replace(room, x=path.start, width=free if shrinks else inf))
    if isinstance(fitted, FittedLine):
        items = set_along(fitted.items, path, ends)
        if items is not None:
            return FittedPath(fitted.words, items)
        return TooLong(fitted.setting.size, fitted.length, in_box=False, on_path=free)
    return replace(fitted, on_path=free)


def set_line(words: str, style: TextStyle, room: TextLine) -> tuple[TextRun, ...]:
    """Return words of one style as `fit_line` sets them on a line; nothing if they do not fit."""
    fitted = fit_line(((words, style),), room)
    return fitted.runs if isinstance(fitted, FittedLine) else ()


def _cap_height(words: Sequence[Word]) -> float:
    """Return the height of the capitals of a line in em: those of its first word."""
    return fonts.face(words[0].styled[0][1].face).cap_height if words else fonts.CAP_HEIGHT


def _first_pixel(x: float, words: Sequence[Word]) -> int:
    """Return the pixel where a line begins: the left one of two that are as near, as on the official cards.

    There, a letter that reaches to the left of its own place begins on the right one.
    """
    if words and fonts.left_edge(words[0].shaped[0][0]) < 0:
        return floor(x + 0.5 + ROUNDING)
    return ceil(x - 0.5 - ROUNDING)


def _on_one_line(line: Paragraph) -> tuple[tuple[Word, ...], float]:
    """Return the words of a line, and its natural width in em."""
    words = tuple(words_of(line))
    if not words:
        return words, 0.0
    widths = [*(word.width for word in words[:-1]), words[-1].ends[-1]]
    natural = sum(widths) + sum(word.space for word in words[:-1])
    _, style = words[-1].shaped[-1]
    return words, natural - (
        0.0 if style.icon else max(style.spacing, 0.0) * style.scale
    )  # none behind the last letter
