"""Bounds: boxes around the items of a scene, in mm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import dist

from msgspec.structs import replace

from render.base.geometry import Rect, box_around
from render.scene.items import Group, Item, Layer, Outline, Path, Picture, TextRun, UnseenRun, crop_picture, is_opaque
from render.scene.outlines import Side, area, box_of_line, box_of_shape, chords, points_of
from render.text import fonts

_TINY = 1e-6  # mm: rounding of sums of lengths

_ABOVE, _BELOW = 1.2, 0.4  # of the size: how far accents and tails of the bundled faces reach from the baseline


def of_run(run: TextRun) -> Rect:
    """Return a box around a run of text, with room for accents, tails and slants."""
    unit = run.size / fonts.face(run.face).units_per_em
    rise = max(map(abs, run.rises), default=0) * unit
    above, below = _ABOVE * run.size + rise, _BELOW * run.size + rise
    width = sum(run.advances) * unit * run.stretch
    return run.transform.box(Rect(-_BELOW * run.size, -above, width + 2 * _BELOW * run.size, above + below))


def may_show(item: Item, window: Rect) -> bool:
    """Return whether anything of an item may be seen in a window: it is painted, and a box around it reaches there."""
    match item:
        case UnseenRun():
            return False
        case Path():
            filled = item.fill is not None and box_of_shape(item).overlaps(window)
            return filled or (item.stroke is not None and box_of_line(item).overlaps(window))
        case Group():
            inner = item.transform.inverse.box(item.clip.shared(window)) if item.clip.overlaps(window) else None
            return inner is not None and any(may_show(each, inner) for each in item.items)
        case Layer():
            inner = item.transform.inverse.box(window)
            seen = item.opacity > 0 and of_item(item).overlaps(window)
            return seen and any(may_show(each, inner) for each in item.items)
        case _:
            return of_item(item).overlaps(window)


def of_item(item: Item) -> Rect:
    """Return a box around everything drawn of an item; for a group, its clip; of a layer, what its clips may show."""
    match item:
        case Path():
            return box_of_line(item)
        case TextRun():
            return of_run(item)
        case Picture():
            return item.box
        case Group():
            return item.clip
        case Layer():
            return of_clips(item, around(item.transform.box(of_item(each)) for each in item.items))


def around(boxes: Iterable[Rect]) -> Rect:
    """Return the smallest box around boxes; without any, it is empty, at the origin."""
    return box_around([corner for box in boxes for corner in ((box.x, box.y), (box.right, box.bottom))])


def of_clips(layer: Layer, box: Rect) -> Rect:
    """Return the part of a box that the clips of a layer may show; it is empty if they show nothing of it."""
    for clip in layer.clips:
        box = box.shared(box_of_shape(Path(clip.outlines))) if clip.outlines else Rect(box.x, box.y, 0.0, 0.0)
    return Rect(box.x, box.y, max(box.width, 0.0), max(box.height, 0.0))


def within(items: Iterable[Item], window: Rect) -> Iterator[Item]:
    """Yield the items without what lies outside the window: pictures cropped, groups clipped, outlines left out.

    Leaving out an outline changes nothing that shows: it winds around no point outside its own box.
    """
    for item in items:
        match item:
            case Picture():
                part = crop_picture(item, window)
                if part is not None:
                    yield part
            case Group():
                clip = item.clip.shared(window)
                if clip.width > 0 and clip.height > 0:
                    inner = within(item.items, item.transform.inverse.box(clip))
                    yield replace(item, clip=clip, items=tuple(inner))
            case Layer():
                if of_item(item).touches(window):
                    yield replace(item, items=tuple(within(item.items, item.transform.inverse.box(window))))
            case Path():
                if box_of_line(item).touches(window):
                    each = (replace(item, outlines=(outline,)) for outline in item.outlines)
                    seen = tuple(path.outlines[0] for path in each if box_of_line(path).touches(window))
                    yield item if len(seen) == len(item.outlines) else replace(item, outlines=seen)
            case TextRun():
                if of_run(item).touches(window):
                    yield item


def grounds(items: Iterable[Item], hole: Rect | None = None) -> Iterator[Rect]:
    """Yield the boxes of filled shapes and of pictures that cover theirs; of those inside groups, the part that shows.

    With a `hole` only boxes that are filled all over, except inside it: pictures, and rectangles along the axes.
    """
    for item in items:
        match item:
            case Path(fill=fill, outlines=outlines) if fill is not None:
                others = [box_of_shape(Path((outline,))) for outline in outlines[1:]] if hole else []
                if hole is None or (
                    is_opaque(fill) and outlines and is_rectangle(outlines[0]) and all(map(hole.holds, others))
                ):
                    yield box_of_shape(item)
            case Picture(is_sheer=False):
                yield item.box
            case Group() | Layer():
                inner = None if hole is None else item.transform.inverse.box(hole)
                if hole is None or isinstance(item, Group) or hides(item):
                    for box in map(item.transform.box, grounds(item.items, inner)):
                        yield box.shared(item.clip) if isinstance(item, Group) else of_clips(item, box)


def hides(layer: Layer) -> bool:
    """Return whether a layer covers as boxes what its items cover as boxes: nothing turned, rounded or seen through."""
    at = layer.transform
    is_straight = at.b == at.c == 0 or at.a == at.d == 0
    clips = (len(clip.outlines) == 1 and is_rectangle(clip.outlines[0]) for clip in layer.clips)
    return layer.is_solid and is_straight and all(clips)


def area_and_edge(path: Path) -> tuple[float, float]:
    """Return the area of a filled shape in mm2, and the length of its edge in mm.

    Holes are subtracted: outlines of the other direction or, by the even-odd rule, all but the largest.
    """
    around = [sides(outline, closed=True) for outline in path.outlines]
    areas, edge = [*map(area, around)], sum(dist(start, end) for each in around for start, end in each)
    if path.even_odd:
        return max(0.0, 2 * max(map(abs, areas)) - sum(map(abs, areas))), edge
    return abs(sum(areas)), edge


def winds_around(around: Iterable[Side], point: tuple[float, float], *, even_odd: bool) -> bool:
    """Return whether a point lies inside a filled shape: how often its sides wind around it (ISO 32000-1 8.5.3.3)."""
    x, y = point
    turns = [  # for each side that crosses a ray from the point to the right, down or up the card
        1 if y2 > y1 else -1
        for (x1, y1), (x2, y2) in around
        # A corner on the ray counts for one of its two sides only.
        if (y1 <= y) != (y2 <= y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1)
    ]
    return len(turns) % 2 == 1 if even_odd else sum(turns) != 0


def sides(outline: Outline, *, closed: bool) -> list[Side]:
    """Return an outline as straight pieces, back to its start if it is closed or `closed` asks for it."""
    points = list(chords(outline, _STEPS))
    return list(pairwise([*points, points[0]] if closed or outline.closed else points))


_STEPS = 8  # per curve: the pieces stay within a hundredth of its length


def surround(boxes: Iterable[Rect], inner: Rect, outer: Rect) -> bool:
    """Return whether boxes cover everything between two boxes, each box reaching from the inner to the outer one."""
    boxes = list(boxes)
    # The strips above and below are those left and right of the transposed boxes.
    lying = [_transposed(box) for box in boxes]
    return all(
        _cover(shapes, strip)
        for shapes, one, other in ((boxes, inner, outer), (lying, _transposed(inner), _transposed(outer)))
        for strip in (
            Rect(other.x, other.y, one.x - other.x, other.height),
            Rect(one.right, other.y, other.right - one.right, other.height),
        )
    )


def _cover(boxes: Iterable[Rect], strip: Rect) -> bool:
    """Return whether boxes at least as wide as an upright strip cover all of it, one below the other."""
    wide = (box for box in boxes if box.x <= strip.x + _TINY and box.right >= strip.right - _TINY)
    reached = strip.y
    # From the top down: the first gap ends what is covered.
    for box in sorted(wide, key=lambda box: box.y):
        if box.y > reached + _TINY:
            break
        reached = max(reached, box.bottom)
    return reached >= strip.bottom - _TINY


def _transposed(box: Rect) -> Rect:
    return Rect(box.y, box.x, box.height, box.width)


def is_rectangle(outline: Outline) -> bool:
    """Return whether an outline is its own box: straight lines around as much area as the box has."""
    if any(len(segment) != 2 for segment in outline.segments):
        return False
    points, box = points_of((outline,)), box_of_shape(Path((outline,)))
    return abs(abs(area(pairwise([*points, points[0]]))) - box.width * box.height) <= _TINY
