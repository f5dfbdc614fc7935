"""What drawing a shape takes, known before it is drawn: how far it reaches, and how much work it is.

Everything that could make a back end fail is found here, once, when a face is laid out; a face that was laid out can be
painted and printed. Work is counted for the highest resolution, and only where the card is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from operator import sub
from typing import TYPE_CHECKING

from render.base.caches import cached
from render.base.geometry import MM_PER_INCH, Affine, Rect
from render.scene.items import REACH, Outline, Path, Stroke
from render.scene.outlines import box_of_line, box_of_shape, points_of

if TYPE_CHECKING:
    from render.scene.gradients import Gradient

MAX_DRAWN_DISTANCE = 30_000.0  # mm: viewers need not support larger reals in a PDF (ISO 32000-1, annex C)
EVERYWHERE = Rect(-MAX_DRAWN_DISTANCE, -MAX_DRAWN_DISTANCE, 2 * MAX_DRAWN_DISTANCE, 2 * MAX_DRAWN_DISTANCE)
"""Where anything may be drawn, in mm from the corner of the card."""
MAX_STOPS = 256  # of a gradient: viewers draw it in so many steps
THINNEST, WIDEST = 0.001, 1_000.0  # mm: lines
SMALLEST, TALLEST = 0.01, 1_000.0  # mm: letters
_LONGEST = 200.0  # mm: no card is longer; work for a longer face is counted as if scaled down
_STRONGEST = 1e6  # factor by which anything may be enlarged

_GRADIENT = 3.0  # times as long to paint as one color
_RING = 26  # points of the two circles around a band of a gradient

_PX = 1200 / MM_PER_INCH  # px a mm at the highest resolution
_FLATNESS = 0.05  # px: as in `png.coverage`, the most that a chord may lie off its curve
_CHORDS = 0.75 * _PX / _FLATNESS


class Undrawable(Exception):
    """Something cannot be drawn: too far away, too large or too small."""


Work = Mapping[str, float]
"""What drawing takes, by the names of what a face may hold: edges are what is left after curves are cut into chords, and
what goes down or up and the area of boxes around shapes count where the card is."""


def work_of(path: Path, window: Rect) -> Work:
    """Return what drawing a shape takes, of which `window` shows; Undrawable if it cannot be drawn."""
    coordinates = [[*outline.start, *chain.from_iterable(outline.segments)] for outline in path.outlines]
    points = sum(map(len, coordinates)) // 2
    stroke = path.stroke
    reach = _reach(stroke) if stroke else 0.0
    box = box_of_shape(path)
    check_box(box.outset(reach))
    edges = sum(map(_chords, path.outlines))
    area = box.outset(reach).shared_area(window) / (window.width * window.height)
    seen = window.outset(reach)
    heights = ([min(max(y, seen.y), seen.bottom) for y in each[1::2]] for each in coordinates if area)
    fall = float(sum(map(_fall, heights)))
    fall *= _LONGEST / max(max(window.width, window.height) - 2 * REACH, _LONGEST)
    colors = (path.fill, stroke.color if stroke else None)
    shaded = [each for each in colors if each is not None and not isinstance(each, tuple)]
    if shaded:
        points += sum(_weigh(gradient, path) for gradient in shaded)
        area *= _GRADIENT
    dashes = pieces = 0.0
    if stroke is not None:
        dashes = _dashes(path.outlines, stroke)
        pieces = edges + dashes
        # The edges of a round cap or join, which are those of a disc.
        is_round = "round" in (stroke.cap, stroke.join)
        round_edges = 12 + math.pi * math.sqrt(stroke.width / 2 * _PX / (2 * _FLATNESS)) if is_round else 1
        edges += pieces * (4 + round_edges)
        sides = 1 if path.fill is None else 2  # a shape with fill and line is painted twice
        fall, area = (1 + sides) * fall, sides * area
    return {
        "points of outlines": points,
        "dashes": dashes,
        "edges": edges,
        "pieces of lines": pieces,
        "mm of edges, measured downwards": fall,
        "cards of painted area": area,
    }


def _weigh(gradient: Gradient, path: Path) -> int:
    """Return how many points of outlines a PDF of a gradient has beside those of the shape; Undrawable."""
    from render.scene.plain import MAX_TURNS, count_bands, count_turns

    if len(gradient.stops) > MAX_STOPS:
        raise Undrawable(f"has a gradient of {len(gradient.stops):,} stops, and gradients have up to {MAX_STOPS}")
    if flattens(gradient.transform) or not all(abs(value) <= _STRONGEST for value in gradient.transform):
        raise Undrawable("has a gradient that is squeezed flat, or stretched without end")
    times = count_turns(gradient, box_of_line(path))
    if not times <= MAX_TURNS:
        how_often = f"{times:,.0f} times" if times < math.inf else "without end"
        raise Undrawable(f"repeats its gradient {how_often}, and gradients are repeated up to {MAX_TURNS} times")
    # A fill is written once, with its bands in it; a line once for each band.
    line = 0 if gradient is path.fill else sum(len(outline.segments) + 1 for outline in path.outlines)
    return math.ceil(count_bands(gradient, box_of_line(path))) * (_RING + line)


def check_space(space: Affine) -> Affine:
    """Return the map if things can be drawn through it; Undrawable if it makes them too large for any number."""
    if all(abs(value) <= _STRONGEST for value in space):  # which `nan` fails, too
        return space
    raise Undrawable(f"makes things more than {_STRONGEST:,.0f} times larger")


def upright(box: Rect, space: Affine) -> Rect | None:
    """Return the box in the scene's space; None for a map that does not keep it a box."""
    if not ((space.b == 0 and space.c == 0) or (space.a == 0 and space.d == 0)):
        return None
    (xa, ya), (xb, yb) = space.apply(box.x, box.y), space.apply(box.right, box.bottom)
    return Rect(min(xa, xb), min(ya, yb), abs(xb - xa), abs(yb - ya))


@cached(1024)
def check_letters(small: float, tall: float, space: Affine) -> bool:
    """Return whether letters of these sizes in mm show at all; Undrawable if they are too small or too tall."""
    largest, smallest = space.stretches
    if smallest == 0:
        return False
    if largest * tall > TALLEST:
        raise Undrawable(f"has letters of {largest * tall:,.0f} mm, and letters are drawn up to {TALLEST:,.0f} mm")
    if smallest * small < SMALLEST:
        raise Undrawable(f"has letters of {smallest * small:.2g} mm, and letters are drawn from {SMALLEST:g} mm on")
    return True


def check_box(box: Rect) -> None:
    """Check the place of a shape, a picture, a clip or a line of text; Undrawable if it is too far away."""
    sides = (box.x, box.y, box.right, box.bottom)
    if not all(abs(side) <= MAX_DRAWN_DISTANCE for side in sides):
        farthest = max(map(abs, sides))
        where = f"{farthest / 1000:,.0f} m" if farthest < math.inf else "without end"
        raise Undrawable(
            f"reaches {where} beyond the card, and nothing is drawn beyond {MAX_DRAWN_DISTANCE / 1000:g} m"
        )


def _reach(stroke: Stroke) -> float:
    """Return how far a line reaches beyond its outline."""
    if not THINNEST <= stroke.width <= WIDEST:
        raise Undrawable(
            f"has a line of {stroke.width:.3g} mm, and lines are drawn from {THINNEST:g} to {WIDEST:,.0f} mm"
        )
    return stroke.width * max(stroke.miter_limit if stroke.join == "miter" else 1.0, 1.5) / 2


def flattens(space: Affine) -> bool:
    """Return whether a map leaves nothing of what is drawn: a line has no area."""
    return space.a * space.d == space.b * space.c


def _chords(outline: Outline) -> float:
    """Return the most chords that `png.coverage` cuts an outline into."""
    count = len(outline.segments) + 1.0
    x, y = outline.start
    for segment in outline.segments:
        if len(segment) == 2:
            x, y = segment
            continue
        x1, y1, x2, y2, ex, ey = segment
        # The second difference bounds how far a chord lies from its curve; see `png.coverage`.
        bend = max(math.hypot(x - 2 * x1 + x2, y - 2 * y1 + y2), math.hypot(x1 - 2 * x2 + ex, y1 - 2 * y2 + ey))
        count += math.sqrt(_CHORDS * bend)
        x, y = ex, ey
    return count


def _fall(heights: Sequence[float]) -> float:
    """Return how far an outline goes up and down. The control polygon goes at least as far as its curve."""
    steps: Iterator[float] = map(sub, heights, heights[1:])
    return sum(map(abs, steps)) + abs(heights[-1] - heights[0])


def _dashes(outlines: Iterable[Outline], stroke: Stroke) -> float:
    period = sum(stroke.dashes)
    if not stroke.dashes:
        return 0.0
    length = sum(math.dist(a, b) for each in outlines for a, b in pairwise([*points_of((each,)), each.start]))
    return length / period * len(stroke.dashes) / 2 if period > 0 else math.inf
