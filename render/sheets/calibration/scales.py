"""Where the crosses of a calibration sheet stand, and what their scales measure; seen from the front, in mm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import inf

from render.base.caches import cached
from render.base.geometry import IDENTITY, Affine, Size
from render.scene import outlines as shapes
from render.scene.items import Color, Item, Outline, Path, Stroke, TextRun
from render.text import fitting
from render.text.line_breaking import TextStyle

NAMES = "ABCDE"

EDGE = 5.0  # mm that home printers leave white along the edge of the paper: 4.2 on Brother and HP, 5 on Canon

# Vernier scales: lines every mm on the front and every 0.9 mm on the back. The back's line n is in line with a line of
# the front when the whole scale is off by n tenths.
PITCH, VERNIER_PITCH = 1.0, 0.9
VERNIER = 5  # lines of the back on each side of its middle one
LINES = 8  # lines of the front on each side of 0: even 5 mm off, each line of the back meets lines of the front
FRONT_LINE, BACK_LINE = (2.5, 9.0), (0.0, 8.3)  # mm from a scale's outer edge: they overlap even when 5 mm off
READ_AT = 5.4  # mm from the outer edge to the middle of the overlap
DEPTH = 12.1, 12.4  # mm from the outer edge to behind the figures, of a level and of an upright scale

_HALF = LINES * PITCH + 0.1
BLOCK = 34.0, 30.0  # mm: a cross with its scales and its name, along the paper's shorter and longer side
_STANDING = (27.5, 7.0), (27.5, 20.0)  # mm from a block's corner to the name, and to the mark to glance at
_LYING = (9.5, 24.5), (22.5, 24.5)


@dataclass(frozen=True, slots=True)
class Scale:
    """A scale of a cross: the point at which it is read, and whether it runs `down` the paper or across it.

    `inward` is 1 if its lines stand side by side starting from the left or top edge of the paper, else -1.
    """

    x: float
    y: float
    down: bool
    inward: int


@dataclass(frozen=True, slots=True)
class Cross:
    """A cross: its scale for offsets to the right, and the one for offsets down.

    `title` is the middle of its name, `mark` that of the mark that shows at a glance how far the back is off; in mm.
    """

    name: str
    across: Scale
    down: Scale
    title: tuple[float, float]
    mark: tuple[float, float]


@cached(8)
def crosses(paper: Size) -> tuple[Cross, ...]:
    """Return the five crosses of a paper: A to D in its corners, row by row, as far out as printers print.

    E centered.
    """
    stands = paper.height >= paper.width
    width, height = BLOCK if stands else BLOCK[::-1]
    left, top, right, bottom = EDGE, EDGE, paper.width - EDGE, paper.height - EDGE
    amid = ((paper.width - width) / 2, (paper.height - height) / 2, 1, 1)
    corners = ((left, top, 1, 1), (right, top, -1, 1), (left, bottom, 1, -1), (right, bottom, -1, -1), amid)
    return tuple(_cross(name, *corner, stands) for name, corner in zip(NAMES, corners, strict=True))


def _cross(name: str, x: float, y: float, east: int, south: int, stands: bool) -> Cross:
    """Return the cross in a corner of the paper, with the second scale farther in along the paper's longer side."""

    def inward(offset: tuple[float, float]) -> tuple[float, float]:
        return x + east * offset[0], y + south * offset[1]

    outer, inner, (title, mark) = (_HALF, READ_AT), (READ_AT, DEPTH[0] + _HALF), _STANDING
    if not stands:
        outer, inner, (title, mark) = (DEPTH[1] + _HALF, READ_AT), (READ_AT, _HALF), _LYING
    across, down = Scale(*inward(outer), False, south), Scale(*inward(inner), True, east)
    return Cross(name, across, down, inward(title), inward(mark))


# --- The scales of a calibration sheet as lines and figures, and words on a line, all as seen from the front ---


BLACK: Color = (0, 0, 0)
PLAIN = TextStyle("DejaVu Sans Condensed", BLACK)
BOLD = TextStyle("DejaVu Sans Condensed Bold", BLACK)

THIN = 0.15  # mm: broad enough to shine through, and thinner than two tenths
_FIGURE, _SIGN = 2.4, 2.8  # mm: sizes of type, to be read against the light
_ROW = 0.8  # mm from the first row of figures to the second

Line = tuple[float, float, float, float]
"""Start and end of a line: x, y, x, y."""


def front_lines() -> tuple[Line, ...]:
    """Return the lines of a scale on the front, every mm; it runs to the right, with its outer edge at y = 0."""
    begin, end = FRONT_LINE
    return tuple((n * PITCH, begin, n * PITCH, end if n % 2 == 0 else end - 0.8) for n in _lines(LINES))


def back_lines() -> tuple[Line, ...]:
    """Return the lines on the back, every 0.9 mm, and the bar across the middle one, which marks where to prick."""
    (begin, end), later = BACK_LINE, {0: 0.0, VERNIER: 0.7, -VERNIER: 0.7}
    lines = ((n * VERNIER_PITCH, begin + later.get(n, 1.4), n * VERNIER_PITCH, end) for n in _lines(VERNIER))
    return (*lines, (-0.5, READ_AT, 0.5, READ_AT))


def _lines(either_side: int) -> range:
    return range(-either_side, either_side + 1)


def placed_at(scale: Scale) -> Affine:
    """Return the map of a scale's lines onto the paper: its reading point goes to the scale's point."""
    edge = -scale.inward * READ_AT
    if scale.down:
        return Affine(0.0, 1.0, scale.inward, 0.0, scale.x + edge, scale.y)
    return Affine(1.0, 0.0, 0.0, scale.inward, scale.x, scale.y + edge)


def draw_figures(scale: Scale) -> Iterator[Item]:
    """Yield the figures of a scale and the signs at its ends. A level one has two rows of them, since they are wide."""
    place, behind = placed_at(scale), FRONT_LINE[1] + 0.2
    labels = [(n, f"{n}", _FIGURE, PLAIN) for n in range(-4, 5, 2)]  # with hyphens: a minus sign has no room
    for n, words, size, style in (*labels, (-7, "−", _SIGN, BOLD), (7, "+", _SIGN, BOLD)):
        row = 0.0 if scale.down or n % 4 != 2 else _ROW
        x, y = place.apply(n, behind + row)
        if scale.down:
            yield from words_at(words, (x, y + 0.36 * size), size, style, "start" if scale.inward > 0 else "end")
        else:
            center = y + scale.inward * 0.36 * _FIGURE
            yield from words_at(words, (x, center + 0.36 * size), size, style, "middle")


def rule_lines(lines: Iterable[Line], place: Affine = IDENTITY, color: Color = BLACK) -> Path:
    outlines = tuple(Outline((x1, y1), ((x2, y2),), False) for x1, y1, x2, y2 in lines)
    return Path(shapes.move_outlines(outlines, place), stroke=Stroke(color=color, width=THIN))


def transform_items(items: Iterable[Item], by: Affine) -> Iterator[Item]:
    """Yield lines and words with the map applied."""
    for item in items:
        if isinstance(item, Path):
            yield replace(item, outlines=shapes.move_outlines(item.outlines, by))
        elif isinstance(item, TextRun):
            yield replace(item, transform=by @ item.transform)


def words_at(
    words: str, at: tuple[float, float], size: float, style: TextStyle, align: str, width: float = inf
) -> tuple[TextRun, ...]:
    fitted = fitting.fit_line(((words, style),), fitting.TextLine(*at, align, size, width, 0.6))
    return fitted.runs if isinstance(fitted, fitting.FittedLine) else ()
