"""What should stand in the margins of a sheet: ruler, slug, the word at the fold, registration marks.

All is computed from the ticket, as `out/README.md` describes it; the module that sets all text sets this text, too.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from math import floor

from render.base.geometry import Affine, Rect, Size
from render.scene import outlines as shapes
from render.scene.items import Item, Outline, Path, TextRun
from render.sheets.options import Backs, Crop
from render.text import fitting, fonts
from render.text.line_breaking import TextStyle
from render.verify.sheet.cuts import printable_room, white_edge
from render.verify.sheet.places import Block

RULER = 100.0  # mm
LABEL = "100 mm: measure this line; if it is not 100 mm long, print at 100 % (actual size)"
FOLD = "fold"
CHECK = 40.0  # mm
CHECK_LABEL = "40 mm: if it is not, print at 100 %"
BETWEEN = " · "

_BLACK = (0, 0, 0)
_TYPE = TextStyle("DejaVu Sans Condensed", _BLACK)
_SIZE, _SMALLEST, _LABEL_SIZE = 2.1, 0.7, 1.5  # mm; the smallest is a share of the size
_LINE = 0.12  # mm: stroke width of the ruler
_MIN_STRIP, _MAX_STRIP = 3.1, 6.0  # mm: depth of a strip for a ruler or a slug
# Mm from marks, from cards without marks, and around the word at the fold.
_APART, _WITHOUT_MARKS, _AROUND_A_WORD = 0.3, 1.0, 0.55
_CHECK_DEPTH, _ASCENT = 1.5, 0.76  # mm, and the share of a label's size that is above its baseline

_INSET, _THICKNESS, _SQUARE = 10.0, 0.5, 5.0  # mm: marks of Silhouette machines
_SHORTEST, _LONGEST, _STEP = 5.0, 20.0, 0.5  # mm of their brackets
_OFF_THEM, _OFF_CARDS, _ROUNDED = 2.1, 2.0, 1e-6  # mm kept from them, and by them from cards; rounding


@dataclass(frozen=True, slots=True)
class ExpectedItem:
    """Something in the margin, and the box that others keep off."""

    name: str
    items: tuple[Item, ...]
    box: Rect


@dataclass(frozen=True, slots=True)
class Strip:
    """White along an edge of the paper; print in it runs to the right, or is turned clockwise by quarter turns."""

    box: Rect
    quarters: int

    @property
    def length(self) -> float:
        return self.box.height if self.quarters else self.box.width

    @property
    def depth(self) -> float:
        return self.box.width if self.quarters else self.box.height

    @property
    def place(self) -> Affine:
        """The map from its own space to the page."""
        at = Affine.move(self.box.right if self.quarters == 1 else self.box.x, self.box.y)
        if self.quarters == 3:
            at = Affine.move(self.box.x, self.box.bottom)
        return at @ Affine.rotate(90 * self.quarters)


def expected_items(block: Block, words: str, *, on_back: bool) -> list[ExpectedItem]:
    """Return what stands in the margins of a side.

    `words` are the slug's. Ruler and registration marks are on fronts.
    """
    ticket = block.ticket
    found = [] if on_back else registration(block)
    taken = [each.box for each in found]
    if ticket.marks.slug is not None and (slug := _slug(block, words, taken, on_back=on_back)):
        found.append(slug)
    if not on_back:
        found += _fold_words(block)
    if ticket.marks.ruler and not on_back and (ruler := _ruler(block, [each.box for each in found])):
        found.append(ruler)
    if ticket.marks.check and not on_back:
        found.append(_check(block, ticket.marks.check))
    return found


# --- ruler, slug and fold -------------------------------------------------------------------------------------------


def _ruler(block: Block, taken: Sequence[Rect]) -> ExpectedItem | None:
    strip = next((one for one in (_low(block, taken), _right(block, taken)) if one and one.length >= RULER), None)
    if strip is None:
        return None
    left, top = (strip.length - RULER) / 2, (strip.depth - _MIN_STRIP) / 2
    ticks = [Rect(left, top, RULER, _LINE)]
    for number in range(11):
        # The first tick begins at 0, the last ends at 100 mm, the others are centered.
        at = left + 10 * number - (0.0 if number == 0 else _LINE if number == 10 else _LINE / 2)
        ticks.append(Rect(at, top, _LINE, 0.8 if number % 5 else 1.2))
    corners = [(strip.place.apply(*at) for at in _corners(tick)) for tick in ticks]
    lines = Path(tuple(_polygon(*each) for each in corners), _BLACK)
    label = _set(
        LABEL,
        fitting.TextLine(strip.length / 2, top + 2.75, align="middle", size=_LABEL_SIZE, width=RULER, narrowest=0.7),
    )
    return ExpectedItem("ruler", (lines, *_moved(label, strip.place)), strip.box)


def _check(block: Block, box: Rect) -> ExpectedItem:
    """Return the shorter ruler in its box: a line with end ticks, broken by its label."""
    cards = _printed(block)
    quarters = 0 if box.width > box.height else 3 if box.center[0] < cards.center[0] else 1
    place = Strip(box, quarters).place
    line = fitting.TextLine(CHECK / 2, _ASCENT * _LABEL_SIZE, "middle", _LABEL_SIZE)
    aside = (CHECK - fonts.width(_TYPE.face, CHECK_LABEL) * _LABEL_SIZE) / 2 - _AROUND_A_WORD
    middle = (_CHECK_DEPTH - _LINE) / 2
    boxes = (
        Rect(0.0, 0.0, _LINE, _CHECK_DEPTH),
        Rect(CHECK - _LINE, 0.0, _LINE, _CHECK_DEPTH),
        Rect(0.0, middle, aside, _LINE),
        Rect(CHECK - aside, middle, aside, _LINE),
    )
    corners = [[place.apply(*at) for at in _corners(each)] for each in boxes]
    lines = Path(tuple(_polygon(*each) for each in corners), _BLACK)
    return ExpectedItem("second ruler", (lines, *_moved(_set(CHECK_LABEL, line), place)), box)


def _slug(block: Block, words: str, taken: Sequence[Rect], *, on_back: bool) -> ExpectedItem | None:
    for strip in (_high(block, taken, on_back=on_back), _left(block, taken, on_back=on_back)):
        if strip is None:
            continue
        line = fitting.TextLine(strip.length / 2, strip.depth / 2 + 0.75, "middle", _SIZE, strip.length)
        runs = _shortened(words, line._replace(smallest=_SIZE * _SMALLEST))
        if runs:
            return ExpectedItem("slug", _moved(runs, strip.place), strip.box)
    return None


def _shortened(words: str, line: fitting.TextLine) -> tuple[TextRun, ...]:
    """Set words, or as much of all but their last two parts as fits."""
    if runs := _set(words, line):
        return runs
    parts = words.split(BETWEEN)
    head, tail = (BETWEEN.join(parts[:-2]), parts[-2:]) if len(parts) > 2 else (words, [])

    def cut(kept: int) -> str:
        return BETWEEN.join((f"{head[:kept].rstrip(BETWEEN)}…", *tail))

    most = bisect_left(range(1, len(head)), True, key=lambda kept: not _set(cut(kept), line))
    return _set(cut(most), line) if most else ()


def _fold_words(block: Block) -> list[ExpectedItem]:
    ticket, vertical = block.ticket, block.is_vertical
    if ticket.backs is not Backs.FOLD:
        return []
    paper, first = ticket.paper, block.slot(0, 0)
    last = block.slot(ticket.columns - 1, ticket.rows - 1)
    fold, length = (paper.width / 2, paper.height) if vertical else (paper.height / 2, paper.width)
    width = fonts.width(_TYPE.face, FOLD) * _SIZE + 2 * _AROUND_A_WORD
    height = fonts.CAP_HEIGHT * _SIZE + 2 * _AROUND_A_WORD
    white = fold - ticket.most_bleed - (last.right if vertical else last.bottom)
    along, quarters = (first.center[1], 3) if vertical else (first.center[0], 0)
    if 2 * white < height:  # half of the word is on each side of the fold
        strip, cards = (_high(block, ()) if vertical else _left(block, ())), _printed(block)
        start = white_edge(ticket) + (strip.depth if strip else 0.0)
        end, taken = (cards.y, height) if vertical else (cards.x, width)
        if end - start < taken:
            return []
        along, quarters = max((start + end) / 2, end - taken), 0
    both = [(fold, at) if vertical else (at, fold) for at in (along, length - along)]
    return [_fold_word(Affine.move(*at) @ Affine.rotate(90 * quarters), Size(width, height)) for at in both]


def _fold_word(place: Affine, size: Size) -> ExpectedItem:
    runs = _set(FOLD, fitting.TextLine(0.0, fonts.CAP_HEIGHT * _SIZE / 2, "middle", _SIZE))
    return ExpectedItem("fold", _moved(runs, place), place.box(size.rect.moved(-size.width / 2, -size.height / 2)))


# --- white along the paper's edge -----------------------------------------------------------------------------------


def _high(block: Block, taken: Sequence[Rect], *, on_back: bool = False) -> Strip | None:
    within, cards = printable_room(block, on_back=on_back), _printed(block, on_back=on_back)
    return _free(Strip(Rect(within.x, within.y, within.width, _depth(block, cards.y - within.y)), 0), taken)


def _low(block: Block, taken: Sequence[Rect]) -> Strip | None:
    within, cards = printable_room(block), _printed(block)
    deep = _depth(block, within.bottom - cards.bottom)
    return _free(Strip(Rect(within.x, within.bottom - deep, within.width, deep), 0), taken)


def _left(block: Block, taken: Sequence[Rect], *, on_back: bool = False) -> Strip | None:
    within, cards = printable_room(block, on_back=on_back), _printed(block, on_back=on_back)
    return _free(Strip(Rect(within.x, within.y, _depth(block, cards.x - within.x), within.height), 3), taken)


def _right(block: Block, taken: Sequence[Rect]) -> Strip | None:
    within, cards = printable_room(block), _printed(block)
    deep = _depth(block, within.right - cards.right)
    return _free(Strip(Rect(within.right - deep, within.y, deep, within.height), 1), taken)


def _depth(block: Block, white: float) -> float:
    """Return how much of the white along an edge is free of the cards' marks, in mm."""
    marks = block.ticket.marks
    beside = _WITHOUT_MARKS if marks.crop is Crop.OFF else marks.offset + marks.length
    if marks.ruler:
        beside = max(beside, _WITHOUT_MARKS + _CHECK_DEPTH)
    return min(white - beside - _APART, _MAX_STRIP)


def _printed(block: Block, *, on_back: bool = False) -> Rect:
    """Return the box around all cards of a side and their bleed."""
    ticket, first = block.ticket, block.slot(0, 0)
    last = block.slot(ticket.columns - 1, ticket.rows - 1)
    if ticket.backs is Backs.FOLD:
        last = block.through(first)
        other = block.through(block.slot(ticket.columns - 1, ticket.rows - 1))
        last = Rect(max(last.x, other.x), max(last.y, other.y), last.width, last.height)
    around = Rect(first.x, first.y, last.right - first.x, last.bottom - first.y)
    return (block.through(around) if on_back else around).outset(ticket.most_bleed)


def _free(strip: Strip, taken: Sequence[Rect]) -> Strip | None:
    """Return the longest part of a strip outside the boxes taken; None if it is too thin."""
    box, vertical = strip.box, bool(strip.quarters)
    if min(box.width, box.height) < _MIN_STRIP:
        return None
    for other in taken:
        shared = other.shared(box)
        if shared.width <= 0 or shared.height <= 0:
            continue
        if vertical:
            parts = [
                Rect(box.x, box.y, box.width, shared.y - box.y),
                Rect(box.x, shared.bottom, box.width, box.bottom - shared.bottom),
            ]
            box = max(parts, key=lambda part: part.height)
        else:
            parts = [
                Rect(box.x, box.y, shared.x - box.x, box.height),
                Rect(shared.right, box.y, box.right - shared.right, box.height),
            ]
            box = max(parts, key=lambda part: part.width)
    return Strip(box, strip.quarters)


# --- marks for a cutting machine ------------------------------------------------------------------------------------


def registration(block: Block) -> list[ExpectedItem]:
    """Return a square at the top left and brackets at the top right and bottom left, as long as there is room."""
    ticket = block.ticket
    if ticket.marks.registration.value == "none":
        return []
    first, paper = block.slot(0, 0), ticket.paper
    left = max(first.x, first.y) - ticket.bleed[0] - _INSET - _OFF_CARDS + _ROUNDED
    length = min(floor(left / _STEP) * _STEP, _LONGEST) if left >= _SHORTEST else 0.0
    near, far, end = _INSET - _THICKNESS / 2, _INSET + _SQUARE + _THICKNESS / 2, _INSET + length
    thin = near + _THICKNESS
    bracket = ((near, near), (end, near), (end, thin), (thin, thin), (thin, end), (near, end))
    outlines = (
        ((near, near), (far, near), (far, far), (near, far)),
        tuple((paper.width - x, y) for x, y in bracket),
        tuple((x, paper.height - y) for x, y in bracket),
    )
    found = []
    for corners in outlines:
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        box = Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)).outset(_OFF_THEM)
        found.append(ExpectedItem("registration mark", (Path((_polygon(*corners),), _BLACK),), box))
    return found


# --- words and lines ------------------------------------------------------------------------------------------------


def _set(words: str, line: fitting.TextLine) -> tuple[TextRun, ...]:
    fitted = fitting.fit_line(((words, _TYPE),), line)
    return fitted.runs if isinstance(fitted, fitting.FittedLine) else ()


def _moved(runs: Sequence[TextRun], place: Affine) -> tuple[TextRun, ...]:
    return tuple(run.taken(place) for run in runs)


def _corners(box: Rect) -> tuple[tuple[float, float], ...]:
    (outline,) = shapes.rect(box.x, box.y, box.width, box.height)
    return (outline.start, *((x, y) for x, y in outline.segments))


def _polygon(start: tuple[float, float], *rest: tuple[float, float]) -> Outline:
    return Outline(start, rest, True)
