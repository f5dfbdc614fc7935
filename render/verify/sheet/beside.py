"""What is painted beside the faces: each piece must be an expected mark, in its place.

Nothing else may be on a sheet. Whatever reaches into the trim or the bleed of a card and is no mark lies over it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from render.base.geometry import Rect
from render.scene import outlines as shapes
from render.scene.items import Outline, Path, Stroke
from render.sheets.options import Backs
from render.verify.faces.painting import Painted
from render.verify.faces.scenes import Inks, expected_paint, on_screen
from render.verify.reading.faults import Fault
from render.verify.sheet import cuts, margins
from render.verify.sheet.cuts import StraightLine
from render.verify.sheet.pages import NEAR
from render.verify.sheet.places import Block, SheetSide, slot_name
from render.verify.sheet.strays import Stray, stray_faults

CUT_LINE = 0.2  # mm  # stroke width, as `out/README.md` gives it

_BLACK, _MAGENTA = (0, 0, 0), (255, 0, 255)
_DASHES = (2.0, 1.0)
_COLOR = 0.004  # of 1: half a step of 255, and rounding of numbers
_CELL = 4 * NEAR  # mm: pieces are sorted into cells, so that each is compared with its neighbors only


@dataclass(frozen=True, slots=True)
class ExpectedMark:
    """Something that should be beside the faces: its name, and what it paints."""

    name: str
    painted: Painted


def marks(
    block: Block, words: str, sides: Sequence[SheetSide], *, on_back: bool, inks: Inks = on_screen
) -> list[ExpectedMark]:
    """Return what should be beside the faces of a side.

    `words` are its slug's, `inks` tells how the file writes colors.
    """
    things = margins.expected_items(block, words, on_back=on_back)
    free = [thing.box for thing in things]
    marked = block.ticket.marks
    found = [
        ExpectedMark("crop mark", each)
        for each in _lines(cuts.crop_marks(block, on_back=on_back, free=free), marked.line, inks)
    ]
    found += [
        ExpectedMark("fold line", each) for each in _lines(cuts.fold_line(block, free), cuts.FOLD_LINE, inks, _DASHES)
    ]
    for thing in things:
        found += [ExpectedMark(thing.name, part) for each in expected_paint(thing.items, inks) for part in single(each)]
    if marked.cut_line:
        found += [ExpectedMark("cut line", each) for side in sides for each in _cut_lines(block, side, inks)]
    return found


def _lines(
    lines: Iterable[StraightLine], width: float, inks: Inks, dashes: tuple[float, ...] = ()
) -> Iterator[Painted]:
    stroke = Stroke(color=_BLACK, width=width, dashes=dashes)
    for line in lines:
        start, end = (line.at, line.start), (line.at, line.end)
        if not line.vertical:
            start, end = (line.start, line.at), (line.end, line.at)
        yield from expected_paint([Path((Outline(start, (end,), False),), None, stroke=stroke)], inks)


def _cut_lines(block: Block, side: SheetSide, inks: Inks) -> Iterator[Painted]:
    for number, placed in side.faces_by_slot.items():
        row, column = divmod(number, block.ticket.columns)
        slot = block.slot(column, row)
        box = block.through(slot) if placed.face.is_back else slot  # cut lines of backs are seen through the sheet
        radius = min(block.ticket.drawing.radius, box.width / 2, box.height / 2)
        outlines = shapes.rect(box.x, box.y, box.width, box.height, rx=radius, ry=radius)
        yield from expected_paint([Path(outlines, None, stroke=Stroke(color=_MAGENTA, width=CUT_LINE))], inks)


def single(painted: Painted) -> list[Painted]:
    """Return the outlines of a shape or line one by one; any other piece as it is."""
    if painted.kind not in ("fill", "line") or str(painted.shape[0]).count("m") < 2:
        return [painted]
    steps = str(painted.shape[0])
    parts, at = [], 0
    for piece in steps.split("m")[1:]:
        # Coordinates of the start, then of each line and curve.
        count = 2 + sum({"l": 2, "c": 6}.get(step, 0) for step in piece)
        points = painted.points[at : at + count]
        parts.append(replace(painted, shape=(f"m{piece}", *painted.shape[1:]), points=points))
        at += count
    return parts


def foreign(
    found: Iterable[Painted], wanted: Sequence[ExpectedMark], cards: Sequence[SheetSide], block: Block, page: int
) -> Iterator[Fault]:
    """Yield what is painted beside the faces and is no mark, and which marks are missing."""
    left = [part for each in found for part in single(each)]
    strays = _unmatched(left, wanted)
    lost = list(strays[1])
    reached = list(_reached(cards, block)) if strays[0] else []
    over = [_over(painted, reached) for painted in strays[0]]
    yield from stray_faults([Stray(painted, names) for painted, names in zip(strays[0], over, strict=True)], lost, page)


def _unmatched(
    found: Sequence[Painted], wanted: Sequence[ExpectedMark]
) -> tuple[list[Painted], list[tuple[str, Painted]]]:
    """Return what is found and not expected, and what is expected and not found; each piece counts once."""
    cells: dict[tuple[object, ...], list[Painted]] = {}
    strays = []
    for painted in found:
        if all(map(math.isfinite, (*painted.points, *painted.pens))):  # nan would fit into no cell
            cells.setdefault((painted.kind, painted.shape, *_cell(painted, 0, 0)), []).append(painted)
        else:
            strays.append(painted)
    lost = []
    for mark in wanted:
        due_one = mark.painted
        for across, down in _AROUND:  # a piece near the edge of its cell may lie in the next one
            here = cells.get((due_one.kind, due_one.shape, *_cell(due_one, across, down)), ())
            match = next((number for number, painted in enumerate(here) if same_paint(painted, due_one)), None)
            if match is not None:
                here.pop(match)  # type: ignore[union-attr] # an empty tuple has no match
                break
        else:
            lost.append((mark.name, due_one))
    return strays + [painted for here in cells.values() for painted in here], lost


_AROUND = [(across, down) for across in (0, -1, 1) for down in (0, -1, 1)]


def _cell(painted: Painted, across: int, down: int) -> tuple[int, int]:
    x, y = painted.points[:2]
    return math.floor(x / _CELL) + across, math.floor(y / _CELL) + down


def same_paint(one: Painted, other: Painted, near: float = NEAR) -> bool:
    """Return whether two pieces have the same color and the same place, within `near` mm."""
    return (
        one.kind == other.kind
        and one.shape == other.shape
        and one.overprints == other.overprints
        and len(one.color) == len(other.color)
        and all(abs(a - b) <= _COLOR for a, b in zip(one.color, other.color, strict=True))
        and len(one.points) == len(other.points)
        and len(one.pens) == len(other.pens)
        and all(abs(a - b) <= near for a, b in zip(one.points, other.points, strict=True))
        and all(abs(a - b) <= near for a, b in zip(one.pens, other.pens, strict=True))
        and all(a == b or abs(a - b) <= near for a, b in zip(one.clip, other.clip, strict=True))
        and _same_cuts(one, other, near)
        and _near(one.frame, other.frame, near)
    )


def _same_cuts(one: Painted, other: Painted, near: float) -> bool:
    """Return whether the same outlines clip both, in whatever order."""
    left = list(other.cuts)
    for steps, edge in one.cuts:
        match = next((n for n, cut in enumerate(left) if cut[0] == steps and _near(cut[1], edge, near)), None)
        if match is None:
            return False
        left.pop(match)
    return not left


def _near(one: tuple[float, ...], other: tuple[float, ...], near: float) -> bool:
    return len(one) == len(other) and all(abs(a - b) <= near for a, b in zip(one, other, strict=True))


Reached = tuple[str, bool, str, Rect]
"""A card on a side: its name, whether it is its back, the words for its slot, the box of its trim and bleed."""


def _reached(cards: Sequence[SheetSide], block: Block) -> Iterator[Reached]:
    for side in cards:
        for number, placed in side.faces_by_slot.items():
            slot = slot_name(block.ticket, number, is_back=placed.face.is_back)
            yield (
                placed.face.name,
                placed.face.is_back,
                slot,
                placed.box.outset(block.ticket.bleed[placed.face.is_back]),
            )


def _over(painted: Painted, reached: Sequence[Reached]) -> list[Reached]:
    """Return the cards that a piece lies over."""
    left, top, right, bottom = painted.box
    return [
        card
        for card in reached
        if not (
            left >= card[3].right - NEAR
            or right <= card[3].x + NEAR
            or top >= card[3].bottom - NEAR
            or bottom <= card[3].y + NEAR
        )
    ]


def words(block: Block, sheet: int, *, on_back: bool) -> str:
    """Return the text of a side's slug."""
    ticket = block.ticket
    side = "front and back" if ticket.backs is Backs.FOLD else "back" if on_back else "front"
    parts = (ticket.marks.slug, f"sheet {sheet} of {ticket.sheets}", side)
    return margins.BETWEEN.join(part for part in parts if part)
