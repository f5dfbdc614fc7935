"""Shapes and what clips them: `<rect>`, `<path>` and the others as outlines, and layers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import sqrt
from typing import TYPE_CHECKING

from msgspec.structs import replace

from render.base.caches import cached
from render.base.geometry import Affine, Rect, box_around
from render.layout import bounds, drawable
from render.layout.drawable import Work
from render.layout.style import Attributes, Style, WrongValue, inherit, read_length
from render.scene import outlines as shapes
from render.scene.items import ClipShape, Color, Filling, Group, Item, Layer, Outline, Path, Picture, Segment, TextRun

if TYPE_CHECKING:
    from render.layout.svg.paints import GradientRule
    from render.layout.svg.resolving import ClipPart, ClipRule

Seen = tuple[float, float, float, float]
"""The box of a face that shows: left, top, width and height in mm."""


@cached(1024)
def transform(value: str) -> Affine:
    try:
        return shapes.transform(value)
    except ValueError as error:
        raise WrongValue("transform", str(error)) from None


@cached(8192)
def drawn(tag: str, attributes: Attributes, space: Affine, look: Style, seen: Seen | None) -> tuple[Path, Work] | None:
    """Return what a shape draws, and what drawing takes; cached, since most shapes are the same on every card.

    `seen` is None for shapes of built-in templates, which are not weighed.
    """
    given = dict(attributes)
    look = inherit(look, attributes)
    if "transform" in given:
        space = drawable.check_space(space @ transform(given["transform"]))
    outlines = _outlines(tag, given)
    if drawable.flattens(space):
        return None
    # A `Stroke` has one width, so a line in a skewed space gets the mean of what SVG would draw.
    stroke = look.line(space.growth)
    if (look.fill is None and stroke is None) or not outlines:
        return None
    # A line has no inside to fill.
    fill = None if tag == "line" else _served(look.fill, outlines, space)
    if stroke and not isinstance(look.stroke, tuple):
        filling = _served(look.stroke, outlines, space)
        stroke = replace(stroke, color=filling) if filling else None
    path = Path(shapes.move_outlines(outlines, space), fill, look.even_odd, stroke)
    if path.fill is None and path.stroke is None:
        return None
    return path, drawable.work_of(path, Rect(*seen)) if seen else {}


def _served(filling: Color | GradientRule | None, outlines: tuple[Outline, ...], space: Affine) -> Filling | None:
    """Return a gradient over a shape, which is given in its own space; anything else as it is."""
    if filling is None or isinstance(filling, tuple):
        return filling
    return filling.over(curves_box(outlines), space)


def curves_box(outlines: Iterable[Outline]) -> Rect:
    """Return the smallest box around outlines; one without points is at the origin."""
    return box_around([point for outline in outlines for point in _extremes(outline)])


def _extremes(outline: Outline) -> Iterator[tuple[float, float]]:
    """Yield points of an outline, those where it reaches farthest among them."""
    yield (at := outline.start)
    for segment in outline.segments:
        if len(segment) == 6:
            x1, y1, x2, y2, x, y = segment
            for place in (*_turns(at[0], x1, x2, x), *_turns(at[1], y1, y2, y)):
                yield shapes.on_curve(at, segment, place)
        yield (at := (segment[-2], segment[-1]))


def _turns(start: float, first: float, second: float, end: float) -> list[float]:
    """Return where on a curve one of its coordinates stops growing: the roots of its derivative."""
    a, b, c = end - start + 3 * (first - second), 2 * (start - 2 * first + second), first - start
    if abs(a) < 1e-12:
        return [at for at in ([-c / b] if abs(b) > 1e-12 else []) if 0 < at < 1]
    inside = b * b - 4 * a * c
    if inside < 0:
        return []
    return [at for sign in (1, -1) if 0 < (at := (-b + sign * sqrt(inside)) / (2 * a)) < 1]


@cached(1024)
def outlines_to_follow(tag: str, attributes: Attributes, space: Affine, *, backwards: bool) -> tuple[Outline, ...]:
    """Return the outlines of a shape that words follow, from its end to its start if they go `backwards`."""
    outlines = shapes.move_outlines(_outlines(tag, dict(attributes)), space)
    if not backwards:
        return outlines
    whole = (
        replace(each, segments=(*each.segments, each.start))
        if each.closed and each.segments[-1][-2:] != each.start
        else each
        for each in outlines
    )
    return tuple(map(_reversed, whole))[::-1]


@cached(1024)
def clip_outlines(tag: str, attributes: Attributes, space: Affine) -> tuple[Outline, ...]:
    """Return the outlines of a shape of a clip; a line has no inside, and shows nothing."""
    return () if tag == "line" else shapes.move_outlines(_outlines(tag, dict(attributes)), space)


_EXTENTS = frozenset({"width", "height", "r", "rx", "ry"})  # SVG 1.1, 9.2: negative ones are errors


def _outlines(tag: str, given: Mapping[str, str]) -> tuple[Outline, ...]:
    def number(name: str) -> float:
        return read_length(name, given.get(name, "0"), least=0.0 if name in _EXTENTS else None)

    attribute = {"path": "d"}.get(tag, "points")
    try:
        match tag:
            case "rect":
                return shapes.rect(*map(number, ("x", "y", "width", "height", "rx", "ry")))
            case "circle":
                return shapes.ellipse(number("cx"), number("cy"), number("r"), number("r"))
            case "ellipse":
                return shapes.ellipse(*map(number, ("cx", "cy", "rx", "ry")))
            case "line":
                start, end = (number("x1"), number("y1")), (number("x2"), number("y2"))
                return (Outline(start, (end,), False),)
            case "path":
                return shapes.path(given.get("d", ""))
            case _:
                return shapes.polyline(given.get("points", ""), closed=tag == "polygon")
    # It is a ValueError as well, and names its attribute already.
    except WrongValue:
        raise
    except ValueError as error:
        raise WrongValue(attribute, str(error)) from None


_MAX_CORNERS = 2000  # of the outlines of a shape with holes that overlaps others: each is compared with all


def clips_of(rule: ClipRule, space: Affine, box: Callable[[], Rect]) -> Iterator[ClipShape]:
    """Yield the outlines of a clip, each of which holds. `box` returns the box of what is clipped, in its own space."""
    if rule.within is not None:
        yield from clips_of(rule.within, space, box)
    if rule.in_box:
        around = box()
        space = space @ Affine(a=around.width, d=around.height, e=around.x, f=around.y)
    placed = []
    for part in rule.parts:
        at = space
        for each in part.transforms:
            at = at @ transform(each)
        placed.append((part, clip_outlines(part.tag, part.attributes, at)))
    yield _union(placed)


def _union(parts: list[tuple[ClipPart, tuple[Outline, ...]]]) -> ClipShape:
    """Return one clip that shows what any of the shapes shows."""
    shown = [(part, outlines) for part, outlines in parts if outlines]
    if len(shown) == 1:
        return ClipShape(shown[0][1], shown[0][0].even_odd)
    every = tuple(chain.from_iterable(outlines for _, outlines in shown))
    if any(part.even_odd and len(outlines) > 1 for part, outlines in shown):
        boxes = [curves_box(outlines) for _, outlines in shown]
        apart = all(not box.touches(other) for at, box in enumerate(boxes) for other in boxes[:at])
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
    rings = [bounds.sides(outline, closed=True) for outline in outlines]
    if sum(map(len, rings)) > _MAX_CORNERS or any(
        _meet(*edge, *another)
        for at, ring in enumerate(rings)
        for other in rings[:at]
        for edge in ring
        for another in other
    ):
        message = "of several shapes that overlap, one has `clip-rule` `evenodd` and holes that cross its edge"
        raise WrongValue("clip-path", f"{message}: make one path of them, or clip a `<g>` within a `<g>`")
    depths = [
        sum(bounds.winds_around(other, ring[0][0], even_odd=True) for other in rings if other is not ring)
        for ring in rings
    ]
    return tuple(
        outline if (shapes.area(ring) >= 0) is (depth % 2 == 0) else _reversed(outline)
        for outline, ring, depth in zip(outlines, rings, depths, strict=True)
    )


def _meet(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], d: tuple[float, float]) -> bool:
    """Whether two edges meet, from `a` to `b` and from `c` to `d`."""

    def side(p: tuple[float, float], q: tuple[float, float], r: tuple[float, float]) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    if max(a[0], b[0]) < min(c[0], d[0]) or max(c[0], d[0]) < min(a[0], b[0]):
        return False
    if max(a[1], b[1]) < min(c[1], d[1]) or max(c[1], d[1]) < min(a[1], b[1]):
        return False
    return side(a, b, c) * side(a, b, d) <= 0 and side(c, d, a) * side(c, d, b) <= 0


def _turned(outlines: tuple[Outline, ...]) -> tuple[Outline, ...]:
    """Return outlines so that the area within them all together is not negative."""
    if sum(shapes.area(bounds.sides(outline, closed=True)) for outline in outlines) >= 0:
        return outlines
    return tuple(map(_reversed, outlines))


def _reversed(outline: Outline) -> Outline:
    points = [outline.start, *((segment[-2], segment[-1]) for segment in outline.segments)]
    back: list[Segment] = []
    for index in range(len(outline.segments) - 1, -1, -1):
        segment = outline.segments[index]
        arms = (segment[2], segment[3], segment[0], segment[1]) if len(segment) == 6 else ()
        back.append((*arms, *points[index]))
    return Outline(points[-1], tuple(back), outline.closed)


def upright_box(clips: Sequence[ClipShape]) -> Rect | None:
    """Return the box that a single clip is; None for any other."""
    outlines = clips[0].outlines if len(clips) == 1 else ()
    return curves_box(outlines) if len(outlines) == 1 and bounds.is_rectangle(outlines[0]) else None


def geometry_box(items: Iterable[Item]) -> Rect:
    """Return the box around what is drawn, without lines (SVG 1.1, 7.11)."""
    return bounds.around(_boxes(items))


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
