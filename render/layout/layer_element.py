"""Layers: what a drawing shows through or clips, as outlines of a scene; and the boxes by which it says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from render.base.geometry import Affine, Rect
from render.layout import bounds
from render.layout.shape_element import clip_outlines, curves_box, transform
from render.layout.style import WrongValue
from render.scene.items import ClipShape, Group, Item, Layer, Outline, Path, Picture, Segment, TextRun

if TYPE_CHECKING:
    from render.layout.svg.clips import ClipPart, ClipRule

_CHORDS = 8  # of a curve, where only the sign of an area counts
_MAX_CORNERS = 2000  # of the outlines of a shape with holes that overlaps others: each is compared with all


def clips_of(rule: ClipRule, space: Affine, box: Callable[[], Rect]) -> Iterator[ClipShape]:
    """Yield the outlines of a clip, each of which holds. `box` returns the box of what is clipped, in its own space."""
    if rule.within is not None:
        yield from clips_of(rule.within, space, box)
    if rule.in_box:
        around = box()
        space = space @ Affine(a=around.width, d=around.height, e=around.x, f=around.y)
    yield _union([(part, _placed(part, space)) for part in rule.parts])


def _placed(part: ClipPart, space: Affine) -> tuple[Outline, ...]:
    for each in part.transforms:
        space = space @ transform(each)
    return clip_outlines(part.tag, part.attributes, space)


def _union(parts: list[tuple[ClipPart, tuple[Outline, ...]]]) -> ClipShape:
    """Return one clip that shows what any of the shapes shows."""
    shown = [(part, outlines) for part, outlines in parts if outlines]
    if len(shown) == 1:
        return ClipShape(shown[0][1], shown[0][0].even_odd)
    every = tuple(chain.from_iterable(outlines for _, outlines in shown))
    if any(part.even_odd and len(outlines) > 1 for part, outlines in shown):
        boxes = [curves_box(outlines) for _, outlines in shown]
        apart = all(not bounds.touch(box, other) for at, box in enumerate(boxes) for other in boxes[:at])
        if apart and all(part.even_odd for part, _ in shown):
            return ClipShape(every, even_odd=True)
    # Turned the same way, shapes that overlap do not cancel each other.
    return ClipShape(
        tuple(chain.from_iterable(_nested(each) if part.even_odd else _turned(each) for part, each in shown))
    )


def _nested(outlines: tuple[Outline, ...]) -> tuple[Outline, ...]:
    """Return the outlines of a shape that is filled by the even-odd rule, turned so that the other rule fills the same.

    An outline within an odd number of others goes round the other way. WrongValue if two of them cross.
    """
    if len(outlines) == 1:
        return _turned(outlines)
    rings = [[*_corners(outline)] for outline in outlines]
    if sum(map(len, rings)) > _MAX_CORNERS or any(_cross(a, b) for at, a in enumerate(rings) for b in rings[:at]):
        message = "of several shapes that overlap, one has `clip-rule` `evenodd` and holes that cross its edge"
        raise WrongValue("clip-path", f"{message}: make one path of them, or clip a `<g>` within a `<g>`")
    depths = [sum(_is_within(ring[0], other) for other in rings if other is not ring) for ring in rings]
    return tuple(
        outline if (_area(outline) >= 0) is (depth % 2 == 0) else _reversed(outline)
        for outline, depth in zip(outlines, depths, strict=True)
    )


_Ring = list[tuple[float, float]]


def _cross(ring: _Ring, other: _Ring) -> bool:
    """Whether an edge of a ring meets one of another."""
    return any(_meet(*edge, *another) for edge in _edges(ring) for another in _edges(other))


def _edges(ring: _Ring) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    return zip(ring, [*ring[1:], ring[0]], strict=True)


def _meet(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], d: tuple[float, float]) -> bool:
    """Whether two edges meet, from `a` to `b` and from `c` to `d`."""

    def side(p: tuple[float, float], q: tuple[float, float], r: tuple[float, float]) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    if max(a[0], b[0]) < min(c[0], d[0]) or max(c[0], d[0]) < min(a[0], b[0]):
        return False
    if max(a[1], b[1]) < min(c[1], d[1]) or max(c[1], d[1]) < min(a[1], b[1]):
        return False
    return side(a, b, c) * side(a, b, d) <= 0 and side(c, d, a) * side(c, d, b) <= 0


def _is_within(point: tuple[float, float], ring: _Ring) -> bool:
    """Whether a point lies in a ring, by the edges to its right."""
    x, y = point
    to_the_right = [
        (x1, y1)
        for (x1, y1), (x2, y2) in _edges(ring)
        if (y1 > y) is not (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1
    ]
    return len(to_the_right) % 2 == 1


def _turned(outlines: tuple[Outline, ...]) -> tuple[Outline, ...]:
    if sum(map(_area, outlines)) >= 0:
        return outlines
    return tuple(map(_reversed, outlines))


def _area(outline: Outline) -> float:
    """Return the area inside an outline, negative if it goes round the other way."""
    points = [*_corners(outline)]
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(points, [*points[1:], points[0]], strict=True)) / 2


def _corners(outline: Outline) -> Iterator[tuple[float, float]]:
    yield (at := outline.start)
    for segment in outline.segments:
        if len(segment) == 6:
            yield from (_on_curve(at, segment, step / _CHORDS) for step in range(1, _CHORDS))
        yield (at := (segment[-2], segment[-1]))


def _on_curve(start: tuple[float, float], segment: Segment, at: float) -> tuple[float, float]:
    x1, y1, x2, y2, x, y = segment
    a, b, c, d = (1 - at) ** 3, 3 * at * (1 - at) ** 2, 3 * at * at * (1 - at), at**3
    return a * start[0] + b * x1 + c * x2 + d * x, a * start[1] + b * y1 + c * y2 + d * y


def _reversed(outline: Outline) -> Outline:
    points = [outline.start, *((segment[-2], segment[-1]) for segment in outline.segments)]
    back: list[Segment] = []
    for index in range(len(outline.segments) - 1, -1, -1):
        segment = outline.segments[index]
        arms = (segment[2], segment[3], segment[0], segment[1]) if len(segment) == 6 else ()
        back.append((*arms, *points[index]))
    return Outline(points[-1], tuple(back), outline.closed)


def upright_box(clips: Iterable[ClipShape]) -> Rect | None:
    """Return the box that a single clip is; None for any other."""
    found = [*clips]
    if len(found) != 1 or len(found[0].outlines) != 1:
        return None
    outline = found[0].outlines[0]
    points = [outline.start, *outline.segments]
    if len(points) == 5 and points[4] == points[0]:
        points.pop()
    if len(points) != 4 or any(len(point) != 2 for point in points):
        return None
    box = curves_box((outline,))
    corners = {(box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom)}
    turns = all(a[0] == b[0] or a[1] == b[1] for a, b in zip(points, [*points[1:], points[0]], strict=True))
    return box if turns and {*points} == corners else None


def geometry_box(items: Iterable[Item]) -> Rect:
    """Return the box around what is drawn, without lines (SVG 1.1, 7.11)."""
    boxes = [*_boxes(items)]
    if not boxes:
        return Rect(0.0, 0.0, 0.0, 0.0)
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return Rect(left, top, right - left, bottom - top)


def _boxes(items: Iterable[Item]) -> Iterator[Rect]:
    for item in items:
        match item:
            case Path():
                yield curves_box(item.outlines)
            case TextRun():
                yield bounds.of_run(item)
            case Picture():
                yield item.box
            case Group() | Layer():
                yield from map(item.transform.box, _boxes(item.items))
