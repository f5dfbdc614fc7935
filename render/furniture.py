"""The furniture of a sheet: a ruler, the slug that says which sheet it is, and the word at the fold.

It stands in the margins, outside of cards, bleed and crop marks, and 5 mm from the paper's edge, where home printers
do not print; what has no room is left out.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from render import fonts, shapes, text
from render.breaking import Style
from render.geometry import Affine, Rect, Size
from render.grid import Grid
from render.scene import Item, Path, TextRun
from render.sheet_options import Backs, Crop

RULER = 100.0  # mm: long enough that 1 % shows, short enough for the side of every paper that holds a grid of cards
RULER_LABEL = "100 mm: measure this line; if it is not 100 mm long, print at 100 % (actual size)"

_CLEARANCE = 0.3  # mm between the furniture and the ends of crop marks
_WITHOUT_MARKS = 1.0  # mm between the furniture and the cards, where there are no crop marks
_LEAST_DEPTH, _MOST_DEPTH = 3.1, 6.0  # mm of a strip: what the ruler takes, and what keeps print near the edge
_BLACK = (0, 0, 0)
_TYPE = Style("DejaVu Sans Condensed", _BLACK)
_SIZE, _SMALLEST = 2.1, 0.7  # mm, and the share of it that is still read without a lens: 4.2 pt
_LABEL_SIZE = 1.5
_LINE = 0.12  # mm: the line of the ruler and its ticks
_FOLD_WORD, _AROUND_THE_WORD = "fold", 0.55  # mm to the line that goes on
_BETWEEN = " · "  # the parts of a slug


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of furniture, and the box that it takes."""

    items: tuple[Item, ...]
    box: Rect


@dataclass(frozen=True, slots=True)
class _Strip:
    """Free room along a side of the paper, and by how many quarters print in it is turned clockwise."""

    box: Rect
    quarters: int = 0

    @property
    def length(self) -> float:
        return self.box.height if self.quarters % 2 else self.box.width

    @property
    def depth(self) -> float:
        return self.box.width if self.quarters % 2 else self.box.height

    @property
    def place(self) -> Affine:
        """The map of the strip's own space, length by depth, onto the sheet."""
        corner = {0: (self.box.x, self.box.y), 1: (self.box.right, self.box.y), 3: (self.box.x, self.box.bottom)}
        return Affine.move(*corner[self.quarters]) @ Affine.rotate(90 * self.quarters)


def ruler(grid: Grid, free: Sequence[Rect] = ()) -> Piece | None:
    """Return a ruler of exactly 100 mm from the outer edge of its first tick to that of its last, with its label.

    It stands below the cards or on their right, outside of the boxes to be kept `free`.
    """
    _, low, _, right = _strips(grid, free)
    strip = next((strip for strip in (low, right) if strip and strip.length >= RULER), None)
    if strip is None:
        return None
    left, top = (strip.length - RULER) / 2, (strip.depth - _LEAST_DEPTH) / 2
    boxes = [Rect(left, top, RULER, _LINE)]
    for tick in range(11):
        inward = {0: 0.0, 10: _LINE}.get(tick, _LINE / 2)
        boxes.append(Rect(left + tick * RULER / 10 - inward, top, _LINE, 1.2 if tick % 5 == 0 else 0.8))
    outlines = [outline for box in boxes for outline in shapes.rect(box.x, box.y, box.width, box.height)]
    line = text.TextLine(strip.length / 2, top + 2.75, "middle", _LABEL_SIZE, RULER, 0.7)
    label = _moved(_fitted(RULER_LABEL, line), strip.place)
    return Piece((Path(shapes.moved(tuple(outlines), strip.place), _BLACK), *label), strip.box)


def slug(grid: Grid, words: str, free: Sequence[Rect] = ()) -> Piece | None:
    """Return one line of small print above the cards or on their left: set, edition, sheet and side.

    Words that are too long are set smaller, then lose the end of all but their last two parts, which say the sheet.
    """
    high, _, left, _ = _strips(grid, free)
    for strip in (high, left):
        if strip is None:
            continue
        runs = _shortened(words, text.TextLine(strip.length / 2, strip.depth / 2 + 0.75, "middle", _SIZE, strip.length))
        if runs:
            return Piece(_moved(runs, strip.place), strip.box)
    return None


def fold_words(grid: Grid) -> tuple[Piece, ...]:
    """Return the word that names the fold line, upon both ends of it: beside cards, or in the margins if they bleed."""
    if grid.options.backs is not Backs.FOLD:
        return ()
    upright, fold, (x, y) = grid.turning.upright, grid.turning.at, grid.slots[0].centre
    width = fonts.width(_TYPE.face, _FOLD_WORD) * _SIZE + 2 * _AROUND_THE_WORD
    height = fonts.CAP_HEIGHT * _SIZE + 2 * _AROUND_THE_WORD
    white = fold - grid.options.most_bleed - (grid.block.right if upright else grid.block.bottom)
    along, quarters = (y, 3) if upright else (x, 0)
    if 2 * white < height:
        start, end = _margin_at_the_fold(grid)
        taken = height if upright else width
        if end - start < taken:
            return ()
        along, quarters = max((start + end) / 2, end - taken), 0
    length = grid.paper.height if upright else grid.paper.width
    places = [(fold, at) if upright else (at, fold) for at in (along, length - along)]
    return tuple(_fold_word(*place, Size(width, height), quarters) for place in places)


def _margin_at_the_fold(grid: Grid) -> tuple[float, float]:
    """Return from where to where the fold line runs between a strip and the cards, at its upper or left end."""
    cards, strips = _printed(grid), _strips(grid)
    strip, end = (strips[0], cards.y) if grid.turning.upright else (strips[2], cards.x)
    return grid.options.white_edge + (strip.depth if strip else 0.0), end


def _fold_word(x: float, y: float, size: Size, quarters: int) -> Piece:
    """Return the word about a point, in a box of that size before it is turned."""
    place = Affine.move(x, y) @ Affine.rotate(90 * quarters)
    runs = _fitted(_FOLD_WORD, text.TextLine(0.0, fonts.CAP_HEIGHT * _SIZE / 2, "middle", _SIZE))
    box = place.box(Rect(-size.width / 2, -size.height / 2, size.width, size.height))
    return Piece(_moved(runs, place), box)


# --- strips and lines -----------------------------------------------------------------------------------------------


def _strips(grid: Grid, free: Sequence[Rect] = ()) -> tuple[_Strip | None, ...]:
    """Return the strips above, below, left and right of the cards, along the paper's edge; none for one too thin."""
    paper, cards, options = grid.paper, _printed(grid), grid.options
    beside_cards = _WITHOUT_MARKS if options.crop_marks is Crop.OFF else options.mark_offset + options.mark_length
    high, beside = (
        min(room - beside_cards - _CLEARANCE - options.white_edge, _MOST_DEPTH) for room in (cards.y, cards.x)
    )  # and as much below and on the right, since cards are in the middle
    within = paper.rect.outset(-options.white_edge)
    return (
        _strip(Rect(within.x, within.y, within.width, high), 0, free),
        _strip(Rect(within.x, within.bottom - high, within.width, high), 0, free),
        _strip(Rect(within.x, within.y, beside, within.height), 3, free),
        _strip(Rect(within.right - beside, within.y, beside, within.height), 1, free),
    )


def _printed(grid: Grid) -> Rect:
    """Return the box around all cards of a side and their bleed."""
    first, last = grid.blocks[0], grid.blocks[-1]
    around = Rect(first.x, first.y, last.right - first.x, last.bottom - first.y)
    return around.outset(grid.options.most_bleed)


def _strip(box: Rect, quarters: int, free: Sequence[Rect]) -> _Strip | None:
    """Return a strip, shortened to the longest part of it that lies outside of what is to be kept free."""
    if min(box.width, box.height) < _LEAST_DEPTH:
        return None
    for other in free:
        shared = other.shared(box)
        if shared.width > 0 and shared.height > 0:
            box = _longer_part(box, shared, upright=bool(quarters % 2))
    return _Strip(box, quarters)


def _longer_part(box: Rect, without: Rect, *, upright: bool) -> Rect:
    """Return the longer part of a strip that is cut in two by what it is not to cover."""
    if upright:
        high = Rect(box.x, box.y, box.width, without.y - box.y)
        low = Rect(box.x, without.bottom, box.width, box.bottom - without.bottom)
        return max(high, low, key=lambda part: part.height)
    left = Rect(box.x, box.y, without.x - box.x, box.height)
    right = Rect(without.right, box.y, box.right - without.right, box.height)
    return max(left, right, key=lambda part: part.width)


def _shortened(words: str, line: text.TextLine) -> tuple[TextRun, ...]:
    """Set words on a line, smaller or without the end of their head; nothing if not even their tail fits."""
    line = line._replace(smallest=line.size * _SMALLEST)
    if runs := _fitted(words, line):
        return runs
    parts = words.split(_BETWEEN)
    head, tail = _BETWEEN.join(parts[:-2]) or words, parts[-2:] if len(parts) > 2 else []

    def cut(kept: int) -> str:
        return _BETWEEN.join((head[:kept].rstrip(_BETWEEN) + "…", *tail))

    fitting = bisect_left(range(1, len(head)), True, key=lambda kept: not _fitted(cut(kept), line))
    return _fitted(cut(fitting), line) if fitting else ()


def _fitted(words: str, line: text.TextLine) -> tuple[TextRun, ...]:
    fitted = text.fit_line(((words, _TYPE),), line)
    return fitted.runs if isinstance(fitted, text.FittedLine) else ()


def _moved(runs: Sequence[TextRun], place: Affine) -> tuple[TextRun, ...]:
    return tuple(run.taken(place) for run in runs)
