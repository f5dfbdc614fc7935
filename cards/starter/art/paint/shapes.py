"""Cut-paper geometry: closed shapes that can be joined, cut, moved, turned and mirrored.

Points are picture points (the picture is 1350 x 840, y runs down).  A run of points may be written as text,
``"120,300 160,280! 210,330"``; the line through them is smooth, except at a point marked ``!``, which is a corner.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

Ring = NDArray[np.float64]
Point = tuple[float, float]
Points = str | Sequence[Point]

_HANDLE = 0.36  # length of a curve handle, as a share of its chord: close to a circular arc
_STEPS = 14  # straight pieces drawn for one curve


@dataclass(frozen=True)
class Shape:
    """A silhouette: rings laid down in order, each either adding paper or cutting it away."""

    parts: tuple[tuple[Ring, bool], ...]

    def __or__(self, other: "Shape") -> "Shape":
        """Join: this paper with the other laid over it."""
        return Shape(self.parts + other.parts)

    def __sub__(self, other: "Shape") -> "Shape":
        """Cut: this paper with the other cut out of it."""
        return Shape(self.parts + tuple((ring, not adds) for ring, adds in other.parts))

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the paper."""
        rings = np.concatenate([ring for ring, adds in self.parts if adds])
        (left, top), (right, bottom) = rings.min(axis=0), rings.max(axis=0)
        return float(left), float(top), float(right), float(bottom)

    @property
    def centre(self) -> Point:
        """The middle of the bounds."""
        left, top, right, bottom = self.bounds
        return (left + right) / 2, (top + bottom) / 2

    def moved(self, dx: float, dy: float) -> Self:
        """The shape shifted by `dx` to the right and `dy` down."""
        return self._mapped(np.eye(2), (0.0, 0.0), (dx, dy))

    def turned(self, degrees: float, about: Point | None = None) -> Self:
        """The shape turned clockwise about a point (its own centre, unless told)."""
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        return self._mapped(np.array([[cos, sin], [-sin, cos]]), about or self.centre)

    def scaled(self, across: float, down: float | None = None, about: Point | None = None) -> Self:
        """The shape stretched about a point (its own centre, unless told)."""
        return self._mapped(np.diag([across, across if down is None else down]), about or self.centre)

    def mirrored(self, axis: float) -> Self:
        """The shape reflected left to right in the upright line x = `axis`."""
        return self._mapped(np.diag([-1.0, 1.0]), (axis, 0.0))

    def _mapped(self, matrix: Ring, about: Point, shift: Point = (0.0, 0.0)) -> Self:
        middle, step = np.array(about), np.array(shift)
        return type(self)(tuple(((ring - middle) @ matrix + middle + step, adds) for ring, adds in self.parts))


def joined(*shapes: Shape) -> Shape:
    """All the shapes as one silhouette."""
    return Shape(tuple(part for shape in shapes for part in shape.parts))


def both_sides(shape: Shape, axis: float) -> Shape:
    """The shape together with its reflection in the upright line x = `axis`."""
    return shape | shape.mirrored(axis)


def polygon(points: Points) -> Shape:
    """A straight-edged shape with these corners."""
    return _paper(_knots(points)[0])


def outline(points: Points) -> Shape:
    """A closed, smooth shape through the points (corners stay sharp)."""
    return _paper(_smooth(*_knots(points), closed=True))


def ridge(points: Points, floor: float = 860) -> Shape:
    """A smooth skyline through the points, filled down to the line y = `floor`."""
    line = _smooth(*_knots(points), closed=False)
    return _paper(np.vstack([line, [(line[-1, 0], floor), (line[0, 0], floor)]]))


def ribbon(spine: Points, *widths: float) -> Shape:
    """A smooth band along `spine`, as wide as `widths` says at even steps of its length, with round ends."""
    line = _smooth(*_knots(spine), closed=False)
    reach = _reach(line)
    half = (
        np.interp(reach, np.linspace(0, reach[-1], len(widths)), widths) / 2
        if len(widths) > 1
        else (np.full(len(line), widths[0] / 2))
    )
    parts = [_paper(_ellipse(x, y, r, r, 24)) for (x, y), r in zip(line, half, strict=True) if r > 0.3]
    normal = _normals(line) * half[:, None]
    left, right = line + normal, line - normal
    parts += [_paper(np.array([left[i], left[i + 1], right[i + 1], right[i]])) for i in range(len(line) - 1)]
    return joined(*parts)


def stations(spine: Points, count: int, start: float = 0.0, end: float = 1.0) -> list[tuple[float, float, float]]:
    """Evenly spaced x, y and heading (degrees clockwise from the right) along a smooth line."""
    line = _smooth(*_knots(spine), closed=False)
    reach = _reach(line)
    normal = _normals(line)
    places = []
    for at in np.linspace(start, end, count) * reach[-1]:
        x, y, nx, ny = (float(np.interp(at, reach, column)) for column in (*line.T, *normal.T))
        places.append((x, y, math.degrees(math.atan2(-nx, ny))))
    return places


def disc(x: float, y: float, radius: float) -> Shape:
    """A circle."""
    return _paper(_ellipse(x, y, radius, radius))


def oval(x: float, y: float, across: float, down: float) -> Shape:
    """An ellipse by its half-widths."""
    return _paper(_ellipse(x, y, across, down))


def crescent(x: float, y: float, radius: float, dx: float, dy: float) -> Shape:
    """A disc with itself, shifted by (dx, dy), cut away."""
    return disc(x, y, radius) - disc(x + dx, y + dy, radius)


def box(x: float, y: float, width: float, height: float, radius: float = 0) -> Shape:
    """A rectangle by its top-left corner, with rounded corners if asked."""
    if radius <= 0:
        return polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
    radius = min(radius, width / 2, height / 2)
    corners = (
        (x + width - radius, y + height - radius, 0),
        (x + radius, y + height - radius, 90),
        (x + radius, y + radius, 180),
        (x + width - radius, y + radius, 270),
    )
    turns = [np.radians(np.linspace(start, start + 90, 13)) for *_, start in corners]
    return _paper(
        np.vstack(
            [
                np.column_stack([cx + radius * np.cos(turn), cy + radius * np.sin(turn)])
                for (cx, cy, _), turn in zip(corners, turns, strict=True)
            ]
        )
    )


def lens(x: float, y: float, width: float, height: float) -> Shape:
    """A flat leaf, pointed at its left and right ends: a gleam on water, a fish, an eyelid."""
    return outline(f"{x - width / 2},{y}! {x},{y - height / 2} {x + width / 2},{y}! {x},{y + height / 2}")


def spark(x: float, y: float, radius: float, waist: float = 0.16) -> Shape:
    """A four-pointed star."""
    turns = np.radians(np.arange(8) * 45.0 - 90)
    radii = np.where(np.arange(8) % 2 == 0, radius, radius * waist)
    return _paper(np.column_stack([x + radii * np.cos(turns), y + radii * np.sin(turns)]))


def spiral(x: float, y: float, radius: float, turns: float, start: float = 0.0, inner: float = 0.06) -> list[Point]:
    """Points of a spiral from its outer end, at `start` degrees, inwards; a positive `turns` winds clockwise."""
    count = max(8, int(abs(turns) * 14))
    share = np.linspace(0, 1, count)
    angle = np.radians(start + 360 * turns * share)
    reach = radius * inner**share
    return [(float(x + r * math.cos(a)), float(y + r * math.sin(a))) for r, a in zip(reach, angle, strict=True)]


def _paper(ring: Ring) -> Shape:
    return Shape(((ring, True),))


def _ellipse(x: float, y: float, across: float, down: float, count: int = 96) -> Ring:
    turn = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return np.column_stack([x + across * np.cos(turn), y + down * np.sin(turn)])


def _knots(points: Points) -> tuple[Ring, list[bool]]:
    """The points and, for each, whether it is a corner."""
    if not isinstance(points, str):
        return np.array(points, dtype=np.float64), [False] * len(points)
    marks = points.split()
    knots = [[float(number) for number in mark.rstrip("!").split(",")] for mark in marks]
    return np.array(knots, dtype=np.float64), [mark.endswith("!") for mark in marks]


def _smooth(knots: Ring, corners: list[bool], *, closed: bool) -> Ring:
    """A chain of cubic curves through the knots, each knot's tangent that of the arc through its neighbours."""
    count = len(knots)
    if count < 3:
        return knots
    before, after = np.roll(knots, 1, axis=0), np.roll(knots, -1, axis=0)
    arriving, leaving = knots - before, after - knots
    come = np.maximum(np.linalg.norm(arriving, axis=1, keepdims=True), 1e-9)
    go = np.maximum(np.linalg.norm(leaving, axis=1, keepdims=True), 1e-9)
    tangent = arriving / come * go + leaving / go * come
    tangent /= np.maximum(np.linalg.norm(tangent, axis=1, keepdims=True), 1e-9)
    loose = np.array(corners)
    if not closed:
        loose[[0, -1]] = True
    step = np.linspace(0, 1, _STEPS, endpoint=False)[:, None]
    pieces = []
    for here in range(count if closed else count - 1):
        there = (here + 1) % count
        pull = go[here] * _HANDLE
        first = knots[here] + (leaving[here] * 0.2 if loose[here] else tangent[here] * pull)
        second = knots[there] - (leaving[here] * 0.2 if loose[there] else tangent[there] * pull)
        pieces.append(
            (1 - step) ** 3 * knots[here]
            + 3 * (1 - step) ** 2 * step * first
            + 3 * (1 - step) * step**2 * second
            + step**3 * knots[there]
        )
    if not closed:
        pieces.append(knots[-1:])
    return np.vstack(pieces)


def _reach(line: Ring) -> Ring:
    """How far along the line each of its points lies."""
    return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])


def _normals(line: Ring) -> Ring:
    """Unit vectors square to the line, on its left as the picture is seen (y down)."""
    run = np.gradient(line, axis=0)
    run /= np.maximum(np.linalg.norm(run, axis=1, keepdims=True), 1e-9)
    return np.column_stack([-run[:, 1], run[:, 0]])
