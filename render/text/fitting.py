"""Fit a text to its box or line, justify it, and set it as runs of glyphs.

Words are shaped once: the width of a text at size s is s times its width in em, so fitting is arithmetic.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from math import ceil, floor, inf
from typing import NamedTuple, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from render.base.caches import cached
from render.base.geometry import MM_PER_POINT, Rect
from render.scene.items import TextRun
from render.text import fonts
from render.text.line_breaking import (
    ROUNDING,
    Atoms,
    Broken,
    Paragraph,
    TextStyle,
    Word,
    words_of,
)
from render.text.line_setting import RowSetting, SetItem, set_row

WHITE_BEFORE = {"start": 0.0, "justify": 0.0, "middle": 0.5, "end": 1.0}
"""The share of what a line leaves free that stands before its words, by how it is aligned."""


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
    """

    room: Rect
    align: str
    largest: float
    smallest: float
    step: float
    leading: Leading
    max_growth: float = inf
    tighter: tuple[Leading, ...] = ()


class TextLine(NamedTuple):
    """A text on one line: its anchor point in mm, and the `width` in mm that it must fit (inf: any width).

    The text is condensed first, to `narrowest` of its natural width, then shrunk, down to `smallest` mm. Letters that
    advance by whole pixels of `pixel` mm also begin on one; a text that is condensed has no pixels.
    """

    x: float
    baseline: float
    align: str
    size: float
    width: float = inf
    narrowest: float = 1.0
    smallest: float = 0.0
    pixel: float = 0.0


class TooLong(Struct, frozen=True):
    """A line, or a single word in a box, does not fit: at its smallest size (mm) it is `width` mm long.

    `fitting` is the size in mm, of whole tenths of a point, at which all words of a box would fit; 0 if there is none.
    """

    size: float
    width: float
    in_box: bool
    fitting: float = 0.0


class TooMuch(Struct, frozen=True):
    """A text does not fit its box: at its smallest size (mm) it takes `lines` lines where `room` fit.

    `fitting` is the size in mm, of whole tenths of a point, at which it would fit; 0 if there is none.
    """

    size: float
    lines: int
    room: int
    fitting: float


class FittedBox(Struct, frozen=True):
    """Paragraphs that fit a box at the smallest of these sizes. The best size is found when they are set."""

    atoms: tuple[Atoms, ...]
    box: TextBox
    sizes: tuple[float, ...]

    @property
    def runs(self) -> tuple[TextRun, ...]:
        """The text as set: at the largest size whose word spaces are not too wide, else at the largest that fits."""
        atoms, box, set_items = self.atoms, self.box, list[SetItem]()
        if not atoms:
            return ()
        largest_first = sizes_that_fit(self.sizes, box, partial(_fits, atoms))
        tight = (size for size in largest_first if _loosest(atoms, box, size) <= box.max_growth + ROUNDING)
        size = next(tight, largest_first[0])
        height, ascent = line_height(box.leading, _face(atoms), size, box.step)
        pitch = height + box.leading.gap
        baseline = box.room.y + _beyond(atoms, size, height, ascent)[0] + ascent
        for paragraph, broken in zip(atoms, _broken(atoms, box, size), strict=True):
            for (first, last), natural, growth in zip(broken.lines, broken.natural, broken.growth, strict=True):
                x = box.room.x + (box.room.width - natural * size) * WHITE_BEFORE[box.align]
                row = RowSetting(x, baseline, size, growth=growth if box.align == "justify" else 0.0)
                set_items += set_row(paragraph.line(first, last), row)
                baseline += pitch
            baseline += pitch * box.leading.paragraph
        return cast("tuple[TextRun, ...]", tuple(set_items))


class FittedLine(Struct, frozen=True, dict=True):
    """Words that fit a line, and how they are set; set once, though many cards may have the same line.

    `length` is that of the line in mm.
    """

    words: tuple[Word, ...]
    setting: RowSetting
    length: float

    @cached_property
    def items(self) -> tuple[SetItem, ...]:
        """The words as set, and icons between them."""
        return tuple(set_row(((word.shaped, word.joined) for word in self.words), self.setting))

    @property
    def runs(self) -> tuple[TextRun, ...]:
        """The words as set, if there are no icons."""
        return cast("tuple[TextRun, ...]", self.items)


Fitted = FittedBox | FittedLine


AnyBox = TypeVar("AnyBox", bound=TextBox)

Fits = Callable[[AnyBox, float], bool]
"""Tells whether a text fits a box at a size in mm."""


def fit_box(paragraphs: Iterable[Paragraph], box: TextBox) -> FittedBox | TooLong | TooMuch:
    """Return the paragraphs as fitted, if they fit at the smallest size, closed up if need be; else why they do not."""
    atoms = tuple(map(Atoms, paragraphs))
    if not atoms:
        return FittedBox(atoms, box, sizes_of(box))
    box, sizes = close_up(box, partial(_fits, atoms))
    return FittedBox(atoms, box, sizes) if sizes else _overflow(atoms, box, sizes_of(box)[0])


def close_up(box: AnyBox, fits: Fits[AnyBox]) -> tuple[AnyBox, tuple[float, ...]]:
    """Return a box, closed up only as far as a text needs it, and the sizes that it may have; none if it does not fit.

    The text fits at the first of them. What is closed up has the smallest size alone.
    """
    sizes = sizes_of(box)
    if fits(box, sizes[0]):
        return box, sizes
    for leading in box.tighter:
        box = replace(box, leading=leading)
        if fits(box, sizes[0]):
            return box, sizes[:1]
    return box, ()


def sizes_that_fit(sizes: tuple[float, ...], box: AnyBox, fits: Fits[AnyBox]) -> tuple[float, ...]:
    """Return the sizes at which a text fits, largest first. It fits at the first of the sizes, which rise."""
    # Sizes that fit come first, so the first one that does not is found by bisection.
    count = bisect_right(sizes, False, 1, key=lambda size: not fits(box, size))
    return sizes[count - 1 :: -1]


_SURELY = 0.98  # of the width of a box: letters that advance by whole pixels are up to 2 % wider


def size_below(above: float, box: AnyBox, fits: Fits[AnyBox]) -> float:
    """Return the largest size of whole tenths of a point, smaller than `above` mm, at which a text surely fits; or 0.

    It fits there both if that is its only size and if it becomes the smallest size of the box.
    """
    box = replace(box, room=replace(box.room, width=box.room.width * _SURELY))
    for tenths in range(ceil(above / MM_PER_POINT * 10 - ROUNDING) - 1, 9, -1):
        size = tenths * MM_PER_POINT / 10
        least = sizes_of(replace(box, smallest=size, largest=max(size, box.largest)))[0]
        if fits(box, size) and fits(box, least):
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
    words, natural = _on_one_line(line)
    size, stretch, pixel = room.size, 1.0, room.pixel
    if pixel and natural * size > room.width + ROUNDING:
        words, natural = _on_one_line(tuple((text, style._replace(pixels=0.0)) for text, style in line))
        pixel = 0.0
    if natural * size > room.width + ROUNDING:
        stretch = max(room.narrowest, room.width / (natural * size))
        size = min(size, room.width / (natural * stretch))
    if size < room.smallest - ROUNDING:
        return TooLong(room.smallest, natural * room.narrowest * room.smallest, in_box=False)
    # Half of what the capitals lose: their middle stays where it was.
    baseline = room.baseline - (room.size - size) * _cap_height(words) / 2
    x = room.x - natural * size * stretch * {"start": 0.0, "middle": 0.5, "end": 1.0}[room.align]
    if pixel:
        x, baseline = _first_pixel(x / pixel, words) * pixel, floor(baseline / pixel + 0.5) * pixel
    return FittedLine(words, RowSetting(x, baseline, size, stretch), natural * size * stretch)


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


def _fits(atoms: tuple[Atoms, ...], box: TextBox, size: float) -> bool:
    """Return whether the paragraphs fit the box at a size."""
    count, measure = 0, box.room.width / size
    for paragraph in atoms:
        lines = paragraph.lines(measure)
        if lines is None:
            return False
        count += len(lines)
    height, ascent = line_height(box.leading, _face(atoms), size, box.step)
    with_gaps = count + (len(atoms) - 1) * box.leading.paragraph  # in lines
    needed = with_gaps * height + (with_gaps - 1) * box.leading.gap + sum(_beyond(atoms, size, height, ascent))
    return needed <= box.room.height + ROUNDING


def _beyond(atoms: tuple[Atoms, ...], size: float, height: float, ascent: float) -> tuple[float, float]:
    """Return by how many mm letters reach too far out of their lines, above and below."""
    above = max(paragraph.above for paragraph in atoms) * size - ascent
    below = max(paragraph.below for paragraph in atoms) * size - (height - ascent)
    return max(above - may_reach_out(size), 0.0), max(below - may_reach_out(size), 0.0)


def may_reach_out(size: float) -> float:
    """Return how many mm of a letter of a size may stand out of the box of its text."""
    return min(_REACH_OUT * size, _MAX_REACH_OUT)


_REACH_OUT, _MAX_REACH_OUT = 0.03, 0.1  # em and mm: less than the eye sees


def _broken(atoms: tuple[Atoms, ...], box: TextBox, size: float) -> list[Broken]:
    """Break the paragraphs at a size at which they fit."""
    return [broken for paragraph in atoms if (broken := paragraph.greedy(box.room.width / size))]


def _loosest(atoms: tuple[Atoms, ...], box: TextBox, size: float) -> float:
    """Return by how many em the widest word space grows; 0 for text that is not justified."""
    if box.align != "justify":
        return 0.0
    return max(max(paragraph.growth) for paragraph in _broken(atoms, box, size))


def _overflow(atoms: tuple[Atoms, ...], box: TextBox, size: float) -> TooLong | TooMuch:
    """Return why the paragraphs do not fit at a size. Gaps between paragraphs count as lines."""
    broken = [paragraph.lines(box.room.width / size) for paragraph in atoms]
    if None in broken:
        spans = (pair for paragraph in atoms for pair in zip(paragraph.starts, paragraph.ends, strict=True))
        width = max(end - start for start, end in spans) * size
        return TooLong(size, width, in_box=True, fitting=size_below(size, box, partial(_fits, atoms)))
    height, _ = line_height(box.leading, _face(atoms), size, box.step)
    room = floor((box.room.height + box.leading.gap) / (height + box.leading.gap) + ROUNDING)
    lines = sum(len(paragraph) for paragraph in broken if paragraph) + ceil((len(broken) - 1) * box.leading.paragraph)
    return TooMuch(size, lines, min(room, lines - 1), size_below(size, box, partial(_fits, atoms)))


def _face(atoms: tuple[Atoms, ...]) -> str:
    """Return the face that sets the height of all lines: that of the first word."""
    return next((paragraph.words[0].styled[0][1].face for paragraph in atoms if paragraph.words), fonts.SANS)
