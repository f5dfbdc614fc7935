"""Shapes as coverage of pixels: exact along a pixel row, sampled 32 times down it.

Coordinates are in pixels: the caller gives the map from mm. Pillow's polygons have no anti-aliasing, hence this module.
A shape is rasterized once; `png.stamps` keeps its mask.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from render.base.geometry import Affine
from render.scene.items import Outline, Stroke

Points = NDArray[np.float64]
"""Points of a polygon or polyline, shape (n, 2)."""

SAMPLES = 32  # sub-rows per pixel: a horizontal edge is at most 1/64 of a pixel off
_MAX_DASHES = 20_000  # along one line; more look like a solid line
_MAX_CROSSINGS = 2_000_000  # of edges with sub-rows in memory at a time: about 200 MB
_STRIP = 32  # px: rows summed together
_FLATNESS = 0.05  # px: how far a chord may lie from its curve


class Mask(Struct, frozen=True):
    """Coverage 0 to 255 of the pixels from (`left`, `top`) on, shape (height, width)."""

    left: int
    top: int
    coverage: NDArray[np.uint8]


def filled(outlines: tuple[Outline, ...], to_px: Affine, size: tuple[int, int], *, even_odd: bool) -> Mask | None:
    """Return the coverage of the filled outlines on a canvas of `size` pixels; None if they lie outside it."""
    return _scan([points for points, _ in _flattened(outlines, to_px)], size, even_odd=even_odd)


def stroked(outlines: tuple[Outline, ...], stroke: Stroke, to_px: Affine, size: tuple[int, int]) -> Mask | None:
    """Return the coverage of the line along the outlines on a canvas of `size` pixels; None if it lies outside.

    Where the map stretches one direction more than the other, it stretches the line as well, as in a PDF.
    """
    # The line is built in a space scaled evenly, and mapped from there: its width is that of the pen before stretching.
    scale = max(math.hypot(to_px.a, to_px.b), math.hypot(to_px.c, to_px.d))
    if scale == 0:
        return None
    rest = to_px @ Affine.scale(1 / scale, 1 / scale)
    pieces: list[Points] = []
    for points, closed in _flattened(outlines, Affine.scale(scale, scale)):
        for line, loop in _dashed(points, closed, [dash * scale for dash in stroke.dashes]):
            pieces += _line_pieces(line, loop, stroke, stroke.width * scale / 2)
    return _scan([_positive(_mapped(piece, rest)) for piece in pieces], size, even_odd=False)


def _mapped(points: Points, place: Affine) -> Points:
    return np.asarray(points @ np.array(((place.a, place.b), (place.c, place.d))) + (place.e, place.f), np.float64)


def _flattened(outlines: tuple[Outline, ...], to_px: Affine) -> Iterator[tuple[Points, bool]]:
    for outline in outlines:
        points = [to_px.apply(*outline.start)]
        for segment in outline.segments:
            if len(segment) == 2:
                points.append(to_px.apply(*segment))
            else:
                arms = [to_px.apply(segment[i], segment[i + 1]) for i in (0, 2, 4)]
                points += _chords(points[-1], *arms)
        yield np.array(points), outline.closed


def _chords(
    start: tuple[float, float], one: tuple[float, float], two: tuple[float, float], end: tuple[float, float]
) -> list[tuple[float, float]]:
    """Cut a cubic Bezier curve into chords; a bound on its second difference gives their number."""
    bend = max(
        math.hypot(start[0] - 2 * one[0] + two[0], start[1] - 2 * one[1] + two[1]),
        math.hypot(one[0] - 2 * two[0] + end[0], one[1] - 2 * two[1] + end[1]),
    )
    # A chord over 1/n of the curve is off by at most 6 * bend / (8 n²): solved for n.
    count = max(1, math.ceil(math.sqrt(0.75 * bend / _FLATNESS)))
    t = np.arange(1, count + 1)[:, None] / count
    control = np.array((start, one, two, end))
    weights = np.hstack(((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3))
    return [(float(x), float(y)) for x, y in weights @ control]


def _scan(polygons: list[Points], size: tuple[int, int], *, even_odd: bool) -> Mask | None:
    """Fill closed polygons: find where each sub-row crosses an edge, then sum the spans between crossings."""
    polygons = [points for points in polygons if len(points) > 1]
    if not polygons:
        return None
    every = np.concatenate(polygons)
    left, top = (max(0, math.floor(value)) for value in every.min(axis=0))
    right, bottom = (min(limit, math.ceil(value)) for value, limit in zip(every.max(axis=0), size, strict=True))
    if left >= right or top >= bottom:
        return None
    coverage = np.zeros((bottom - top, right - left), np.uint8)
    # So many rows go into memory together: all, but for the wildest shapes.
    climbs = float(np.abs(np.diff(every[:, 1])).clip(0, bottom - top).sum()) * SAMPLES
    tall = max(_STRIP, min(bottom - top, int((bottom - top) * _MAX_CROSSINGS / max(climbs, 1.0)) // _STRIP * _STRIP))
    for start in range(top, bottom, tall):
        end = min(start + tall, bottom)
        _sum_rows(coverage[start - top : end - top], _crossings(polygons, start, end), (left, start), even_odd=even_odd)
    return Mask(left, top, coverage)


def _sum_rows(coverage: NDArray[np.uint8], found: Crossings, corner: tuple[int, int], *, even_odd: bool) -> None:
    """Fill rows of pixels from the crossings in them; `corner` is where the first row begins."""
    rows, x, direction = found
    order = np.lexsort((x, rows))
    rows, x, direction = rows[order], x[order], direction[order]
    # Nonzero winding counts directions, even-odd counts crossings (ISO 32000-1 8.5.3.3).
    winding = np.arange(1, len(x) + 1) % 2 if even_odd else np.cumsum(direction)
    inside = winding != 0
    before = np.concatenate(([False], inside[:-1]))
    edge = inside != before
    sign = np.where(inside, 1.0, -1.0)[edge] / SAMPLES
    _sum_spans(coverage, rows[edge] // SAMPLES - corner[1], x[edge] - corner[0], sign)


Crossings = tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]
"""The sub-row, the x and the direction of each crossing of an edge with a sub-row's middle."""


def _crossings(polygons: list[Points], top: int, bottom: int) -> Crossings:
    """Return every crossing of an edge with the middle of a sub-row in the rows `top` to `bottom`."""
    start = np.concatenate(polygons)
    behind_last = np.cumsum([len(points) for points in polygons])
    following = np.arange(1, len(start) + 1)
    # The last point of a polygon is followed by its first.
    following[behind_last - 1] = behind_last - [len(points) for points in polygons]
    end = start[following]
    down = start[:, 1] < end[:, 1]
    upper, lower = np.where(down[:, None], start, end), np.where(down[:, None], end, start)
    # Middles of sub-rows lie at (n + 0.5) / SAMPLES; an edge has those from its upper end to before its lower one.
    first = np.maximum(np.ceil(upper[:, 1] * SAMPLES - 0.5), top * SAMPLES).astype(np.int64)
    behind = np.minimum(np.ceil(lower[:, 1] * SAMPLES - 0.5), bottom * SAMPLES).astype(np.int64)
    count = np.maximum(behind - first, 0)
    owner = np.repeat(np.arange(len(start)), count)
    rows = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count) + first[owner]
    # A horizontal edge crosses none; 1 only avoids a division by zero.
    height = np.where(lower[:, 1] - upper[:, 1] < 1e-9, 1.0, lower[:, 1] - upper[:, 1])
    slope = (lower[:, 0] - upper[:, 0]) / height
    x = upper[owner, 0] + ((rows + 0.5) / SAMPLES - upper[owner, 1]) * slope[owner]
    return rows, x, np.where(down, 1, -1)[owner]


def _sum_spans(
    coverage: NDArray[np.uint8], rows: NDArray[np.int64], x: NDArray[np.float64], sign: NDArray[np.float64]
) -> None:
    """Sum the spans, given by rows in order, in strips that stay in the processor's cache."""
    height, width = coverage.shape
    x = np.clip(x, 0, width)
    for top in range(0, height, _STRIP):
        bottom = min(top + _STRIP, height)
        part = slice(*np.searchsorted(rows, (top, bottom)))
        if part.start < part.stop:
            left, right = math.floor(x[part].min()), min(math.ceil(x[part].max()), width)  # beyond, nothing is covered
            strip = _summed_strip(rows[part] - top, x[part] - left, sign[part], (bottom - top, right - left))
            coverage[top:bottom, left:right] = strip


def _summed_strip(
    rows: NDArray[np.int64], x: NDArray[np.float64], sign: NDArray[np.float64], shape: tuple[int, int]
) -> NDArray[np.uint8]:
    """Sum the spans: one that starts at x covers the rest of its pixel, and wholly all pixels to its right."""
    height, width = shape
    column = np.floor(x).astype(np.int64)
    part = x - column
    index = rows * (width + 2) + column  # two columns more, for changes at the right edge
    cells = height * (width + 2)
    change = np.bincount(index, sign * (1 - part), cells) + np.bincount(index + 1, sign * part, cells)
    coverage = np.cumsum(change.reshape(height, width + 2), axis=1)[:, :width]
    return np.asarray(np.clip(coverage * 255 + 0.5, 0, 255), np.uint8)


def _positive(points: Points) -> Points:
    """Return the polygon turned so that overlapping pieces of a line add up instead of canceling."""
    x, y = points[:, 0], points[:, 1]
    area = np.dot(x[:-1], y[1:]) - np.dot(y[:-1], x[1:]) + x[-1] * y[0] - y[-1] * x[0]
    return points[::-1] if area < 0 else points


def _dashed(points: Points, closed: bool, dashes: list[float]) -> Iterator[tuple[Points, bool]]:
    """Yield the dashes of a line, or the line itself if it has none."""
    if closed and not np.array_equal(points[0], points[-1]):
        points = np.vstack((points, points[:1]))
    points = _apart(points)
    lengths = np.hypot(*np.diff(points, axis=0).T)
    if sum(dashes) * _MAX_DASHES <= lengths.sum():
        yield (points[:-1] if closed and len(points) > 1 else points), closed
        return
    along = np.concatenate(([0.0], np.cumsum(lengths)))
    at, index = 0.0, 0
    while at < along[-1] or (at == along[-1] and dashes[index % len(dashes)] == 0):
        behind = at + dashes[index % len(dashes)]
        end = min(behind, along[-1])
        if index % 2 == 0:
            inner = points[np.searchsorted(along, at, "right") : np.searchsorted(along, end, "left")]
            ends = np.array([[np.interp(s, along, points[:, axis]) for axis in (0, 1)] for s in (at, end)])
            # The point at an end may be a corner, but for rounding.
            yield _apart(np.vstack((ends[:1], inner, ends[1:] if end > at else inner))), False
        at, index = behind, index + 1


def _apart(points: Points) -> Points:
    """Return points without those that repeat the one before, from which a line has no direction."""
    return points[np.concatenate(([True], np.any(np.diff(points, axis=0) != 0, axis=1)))]


def _line_pieces(points: Points, closed: bool, stroke: Stroke, half: float) -> Iterator[Points]:
    """Yield convex pieces that together cover the line: a box for each segment, joins, and caps."""
    count = len(points)
    if count == 1:
        if stroke.cap == "round":  # a line of no length shows as a dot if its caps are round (ISO 32000-1 8.5.3.2)
            yield _disc(points[0], half)
        return
    segments = [(points[i], points[(i + 1) % count]) for i in range(count if closed else count - 1)]
    for index, (a, b) in enumerate(segments):
        along = (b - a) / np.hypot(*(b - a)) * half
        across = np.array((-along[1], along[0]))
        square = stroke.cap == "square" and not closed
        start = a - along if square and index == 0 else a
        end = b + along if square and index == len(segments) - 1 else b
        yield np.array((start + across, end + across, end - across, start - across))
    joints = range(count) if closed else range(1, count - 1)
    for index in joints:
        yield from _join(points[index - 1], points[index], points[(index + 1) % count], stroke, half)
    if stroke.cap == "round" and not closed:
        yield _disc(points[0], half)
        yield _disc(points[-1], half)


def _join(before: Points, at: Points, after: Points, stroke: Stroke, half: float) -> Iterator[Points]:
    one, two = (at - before) / np.hypot(*(at - before)), (after - at) / np.hypot(*(after - at))
    # The sine of the angle between the segments: its sign says to which side the line turns.
    turn = float(one[0] * two[1] - one[1] * two[0])
    cosine = float(np.dot(one, two))
    if abs(turn) < 1e-9 and cosine > 0:
        return
    if stroke.join == "round":
        yield _disc(at, half)
        return
    side = -half if turn > 0 else half  # the join fills the outer side of the turn
    a = at + side * np.array((-one[1], one[0]))
    b = at + side * np.array((-two[1], two[0]))
    ratio = math.sqrt(2 / max(1e-12, 1 + cosine))  # miter length by line width: 1 / sin(angle / 2), ISO 32000-1 8.4.3.5
    if stroke.join == "miter" and ratio <= stroke.miter_limit:
        outward = (a + b) / 2 - at
        tip = at + outward / np.hypot(*outward) * half * ratio
        yield np.array((at, a, tip, b))
    else:
        yield np.array((at, a, b))


def _disc(center: Points, radius: float) -> Points:
    # As many corners that their chords stay within _FLATNESS of the circle.
    count = max(12, math.ceil(math.pi / math.acos(max(0.0, 1 - _FLATNESS / max(radius, _FLATNESS)))))
    angle = np.arange(count) * (2 * math.pi / count)
    return np.column_stack((center[0] + radius * np.cos(angle), center[1] + radius * np.sin(angle)))
