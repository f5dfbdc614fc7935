"""What stands outside the cards on a sheet: crop marks, a ruler, and the slug that says which sheet it is.

All of it keeps 5 mm from the paper's edge, where home printers do not print; what has no room is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from render import shapes, text
from render.breaking import Style
from render.geometry import Affine, Rect
from render.impose import MARGIN, Grid
from render.scene import Item, Outline, Path, Stroke, TextRun

BLACK = (0, 0, 0)

RULER = 100.0  # mm: long enough that 1 % shows, short enough for the side of every paper that holds a grid of cards

_MARK = Stroke(BLACK, 0.1)
_MARK_LENGTH, _MARK_OFFSET, _SHORTEST_MARK = 3.0, 1.0, 0.5
_STRIP = 3.0  # mm: the least width of a strip that takes the ruler or the slug
_TYPE = Style("DejaVu Sans Condensed", BLACK)
_TYPE_SIZE, _LABEL_SIZE = 2.1, 1.5
_LINE = 0.12  # mm: the line of the ruler and its ticks


@dataclass(frozen=True, slots=True)
class _Strip:
    """Free room along a side of the paper: `place` maps its own space, `length` by `width` mm, onto the sheet."""

    length: float
    width: float
    place: Affine


def crop_marks(grid: Grid) -> tuple[Item, ...]:
    """Return the lines that prolong every cut, outside the block of cards."""
    outlines = [*_marks_across(grid), *_marks_down(grid)]
    return (Path(tuple(outlines), None, stroke=_MARK),) if outlines else ()


def ruler(grid: Grid) -> tuple[Item, ...]:
    """Return a ruler of exactly 100 mm from the outer edge of its first tick to that of its last, with its label."""
    strip = _strips(grid)[1]
    if strip is None or strip.length < RULER:
        return ()
    left, top = (strip.length - RULER) / 2, strip.width / 2 - 1.5
    boxes = [Rect(left, top, RULER, _LINE)]
    for tick in range(11):
        inward = {0: 0.0, 10: _LINE}.get(tick, _LINE / 2)
        height = 1.2 if tick % 5 == 0 else 0.8
        boxes.append(Rect(left + tick * RULER / 10 - inward, top, _LINE, height))
    label = "100 mm: measure this line; if it is not 100 mm long, print at 100 % (actual size)"
    words = _line(label, strip.length / 2, top + 2.9, _LABEL_SIZE, RULER)
    return (*_placed(Path(tuple(map(_outline, boxes)), BLACK), strip), *(_turned(run, strip) for run in words))


def slug(grid: Grid, words: str) -> tuple[Item, ...]:
    """Return one line of small print in the margin: set, edition, sheet and side."""
    strip = _strips(grid)[0]
    if strip is None:
        return ()
    return tuple(
        _turned(run, strip) for run in _line(words, strip.length / 2, strip.width / 2 + 0.75, _TYPE_SIZE, strip.length)
    )


def _marks_across(grid: Grid) -> Iterator[Outline]:
    """Yield the marks above and below the block, at every cut between columns."""
    block = grid.block
    near, far = _reach(block.y)
    if near - far < _SHORTEST_MARK:
        return
    for column in range(grid.columns + 1):
        x = block.x + column * grid.card.width
        yield Outline((x, near), ((x, far),), False)
        yield Outline((x, grid.paper.height - near), ((x, grid.paper.height - far),), False)


def _marks_down(grid: Grid) -> Iterator[Outline]:
    block = grid.block
    near, far = _reach(block.x)
    if near - far < _SHORTEST_MARK:
        return
    for row in range(grid.rows + 1):
        y = block.y + row * grid.card.height
        yield Outline((near, y), ((far, y),), False)
        yield Outline((grid.paper.width - near, y), ((grid.paper.width - far, y),), False)


def _reach(room: float) -> tuple[float, float]:
    """Return how far from the paper's edge a mark ends near the block, and begins, where the block is `room` away."""
    free = room - MARGIN
    near = room - min(_MARK_OFFSET, free / 3)
    return near, max(MARGIN, near - _MARK_LENGTH)


def _strips(grid: Grid) -> tuple[_Strip | None, _Strip | None]:
    """Return the strips for slug and ruler: above and below the block, else left and right of it, else none."""
    paper, block = grid.paper, grid.block
    above, beside = (_reach(room)[1] - MARGIN - 0.3 for room in (block.y, block.x))
    if above >= _STRIP:
        length = paper.width - 2 * MARGIN
        low = Affine.move(MARGIN, paper.height - MARGIN - above)
        return _Strip(length, above, Affine.move(MARGIN, MARGIN)), _Strip(length, above, low)
    if beside >= _STRIP:
        length = paper.height - 2 * MARGIN
        up = Affine.move(MARGIN, paper.height - MARGIN) @ Affine.rotate(-90)
        down = Affine.move(paper.width - MARGIN, MARGIN) @ Affine.rotate(90)
        return _Strip(length, beside, up), _Strip(length, beside, down)
    return None, None


def _line(words: str, x: float, baseline: float, size: float, width: float) -> tuple[TextRun, ...]:
    fitted = text.fit_line(((words, _TYPE),), text.TextLine(x, baseline, "middle", size, width, 0.7, 0.0))
    return fitted.runs if isinstance(fitted, text.FittedLine) else ()


def _turned(run: TextRun, strip: _Strip) -> TextRun:
    return replace(run, transform=strip.place @ run.transform)


def _outline(box: Rect) -> Outline:
    return Outline((box.x, box.y), ((box.right, box.y), (box.right, box.bottom), (box.x, box.bottom)), True)


def _placed(path: Path, strip: _Strip) -> tuple[Path]:
    return (replace(path, outlines=shapes.moved(path.outlines, strip.place)),)
