"""SVG's basic shapes, path data and transforms as outlines of a scene.

Every function takes numbers or SVG strings and returns frozen values. A string that SVG does not allow raises
ValueError with the words at fault.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain

from render.base.caches import cached
from render.base.geometry import IDENTITY, MAX_DISTANCE, Affine, Rect
from render.base.patterns import regex
from render.scene.items import Outline, Path, Segment

Point = tuple[float, float]
# An atomic group keeps a long run of digits from being tried again at every length (quadratic time).

_NUMBER = regex(r"(?>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
_CALL = regex(r"\s*([A-Za-z]+)\s*\(([^()]*)\)\s*,?")
_CIRCLE = 4 / 3 * (math.sqrt(2) - 1)  # control arm of a Bezier quarter circle of radius 1
# Smooth commands, and those whose last control point they mirror (SVG 1.1, 8.3.6 and 8.3.7).
_SMOOTH = {"S": "CS", "T": "QT"}
_SEPARATORS = regex(r"[\s,]*+")
_FLAG = regex("[01]")  # of an arc: `a1 1 0 0110 5` is legal, since a flag needs no space behind it
# How many numbers each command takes (SVG 1.1, 8.3).
_ARGUMENTS = {
    **{name: (_NUMBER,) * count for name, count in zip("MLHVCSQTZ", (2, 2, 1, 1, 6, 4, 4, 2, 0), strict=True)},
    "A": (_NUMBER, _NUMBER, _NUMBER, _FLAG, _FLAG, _NUMBER, _NUMBER),
}
# All numbers of a command, and what stands between them, in one match: path data is read in one step a command.
_ALL_ARGUMENTS = {
    name: regex(_SEPARATORS.pattern + "".join(f"({kind.pattern}){_SEPARATORS.pattern}" for kind in kinds))
    for name, kinds in _ARGUMENTS.items()
}


def parse_numbers(text: str) -> list[float]:
    """Return the numbers of a list separated by spaces or commas."""
    rest = _NUMBER.sub("", text)
    if rest.strip(" \t\r\n,"):
        raise ValueError(f"expected numbers, found `{text}`")
    return [_number(word) for word in _NUMBER.findall(text)]


def _number(word: str) -> float:
    """Return a coordinate or factor; ValueError if it is over MAX_DISTANCE."""
    value = float(word)
    if abs(value) > MAX_DISTANCE:
        raise ValueError(f"expected numbers up to {MAX_DISTANCE:g}, found `{word}`")
    return value


def rect(x: float, y: float, width: float, height: float, rx: float = 0.0, ry: float = 0.0) -> tuple[Outline, ...]:
    """Return a rectangle with corners of radii rx and ry; none if it has no area, as in SVG 1.1, 9.2."""
    if width <= 0 or height <= 0:
        return ()
    # A radius that is left out is that of the other axis, and none is over half a side (SVG 1.1, 9.2).
    rx, ry = min(rx or ry, width / 2), min(ry or rx, height / 2)
    right, bottom = x + width, y + height
    if rx <= 0:
        return (Outline((x, y), ((right, y), (right, bottom), (x, bottom)), True),)
    # How far control points stay from the corner.
    hx, hy = rx * (1 - _CIRCLE), ry * (1 - _CIRCLE)
    return (
        Outline(
            (x + rx, y),
            (
                (right - rx, y),
                (right - hx, y, right, y + hy, right, y + ry),
                (right, bottom - ry),
                (right, bottom - hy, right - hx, bottom, right - rx, bottom),
                (x + rx, bottom),
                (x + hx, bottom, x, bottom - hy, x, bottom - ry),
                (x, y + ry),
                (x, y + hy, x + hx, y, x + rx, y),
            ),
            True,
        ),
    )


def rect_of(box: Rect, radius: float = 0.0) -> tuple[Outline, ...]:
    """Return a box as a rectangle with corners of that radius."""
    return rect(box.x, box.y, box.width, box.height, radius, radius)


def ellipse(cx: float, cy: float, rx: float, ry: float) -> tuple[Outline, ...]:
    """Return an ellipse as four Bezier curves (0.03 % of the radius from a true one)."""
    if rx <= 0 or ry <= 0:
        return ()
    kx, ky = rx * _CIRCLE, ry * _CIRCLE
    return (
        Outline(
            (cx + rx, cy),
            (
                (cx + rx, cy + ky, cx + kx, cy + ry, cx, cy + ry),
                (cx - kx, cy + ry, cx - rx, cy + ky, cx - rx, cy),
                (cx - rx, cy - ky, cx - kx, cy - ry, cx, cy - ry),
                (cx + kx, cy - ry, cx + rx, cy - ky, cx + rx, cy),
            ),
            True,
        ),
    )


def polyline(points: str, *, closed: bool) -> tuple[Outline, ...]:
    """Return the outline through the points of an SVG `points` list."""
    values = parse_numbers(points)
    if len(values) % 2 or len(values) < 4:  # two points at least: one cannot be drawn
        raise ValueError(f"expected pairs of numbers, found `{points}`")
    pairs = list(zip(values[::2], values[1::2], strict=True))
    return (Outline(pairs[0], tuple(pairs[1:]), closed),)


@cached(1024)
def path(data: str) -> tuple[Outline, ...]:
    """Return the outlines of SVG path data; quadratic curves and arcs become cubic curves."""
    pen = _Pen()
    for part in _PARTS.findall(data):
        known = _read_commands(part) if len(part) < _LONG else []
        for command, values in known or _commands(part):
            pen.draw(command, values)
    return pen.finished()


def path_data(shapes: Iterable[Outline], digits: int = 4) -> str:
    """Return outlines as the data of a path."""

    def pairs(numbers: Iterable[float]) -> str:
        # `+ 0` turns -0.0 into 0.0.
        return " ".join(f"{round(number, digits) + 0:.{digits}f}".rstrip("0").rstrip(".") for number in numbers)

    words: list[str] = []
    for shape in shapes:
        words.append(f"M {pairs(shape.start)}")
        words += (f"{'L' if len(step) == 2 else 'C'} {pairs(step)}" for step in shape.segments)
        words += ["Z"] if shape.closed else []
    return " ".join(words)


def transform(text: str) -> Affine:
    """Return the map of an SVG `transform` list; the last one applies first, as in SVG 1.1, 7.6."""
    result, at = IDENTITY, 0
    text = text.strip()
    while at < len(text):
        match = _CALL.match(text, at)
        if match is None:
            raise ValueError(f"expected a transform such as `rotate(45)`, found `{text[at:].strip()}`")
        result = result @ _step(match[1], parse_numbers(match[2]))
        at = match.end()
    return result


def on_curve(start: Point, segment: Segment, at: float) -> Point:
    """Return the point of a cubic curve at a place from 0 to 1 (Bernstein's polynomials)."""
    x1, y1, x2, y2, x, y = segment
    a, b, c, d = (1 - at) ** 3, 3 * at * (1 - at) ** 2, 3 * at * at * (1 - at), at**3
    return a * start[0] + b * x1 + c * x2 + d * x, a * start[1] + b * y1 + c * y2 + d * y


def chords(outline: Outline, count: int) -> Iterator[Point]:
    """Yield the points of an outline in which each curve is `count` straight pieces."""
    yield (at := outline.start)
    for segment in outline.segments:
        if len(segment) == 6:
            yield from (on_curve(at, segment, step / count) for step in range(1, count))
        yield (at := (segment[-2], segment[-1]))


Side = tuple[Point, Point]
"""A straight piece of an outline, from a point to another."""


def area(around: Iterable[Side]) -> float:
    """Return the area within the sides of a closed outline, by the shoelace formula; its sign is their direction."""
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in around) / 2


def points_of(outlines: Iterable[Outline]) -> list[Point]:
    """Return where outlines start and end, and the control points of their curves."""
    numbers = _numbers_of(outlines)
    return [*zip(numbers[::2], numbers[1::2], strict=True)]


def box_of_outlines(outlines: Iterable[Outline]) -> Rect:
    """Return the box around the points of outlines; without any, it is empty, at the origin."""
    numbers = _numbers_of(outlines) or [0.0, 0.0]
    xs, ys = numbers[::2], numbers[1::2]
    left, top = min(xs), min(ys)
    return Rect(left, top, max(xs) - left, max(ys) - top)


def _numbers_of(outlines: Iterable[Outline]) -> list[float]:
    return [*chain.from_iterable(chain.from_iterable((each.start, *each.segments) for each in outlines))]


def box_of_shape(path: Path) -> Rect:
    """Return a box around a filled shape, without its line. Control points lie around their curve."""
    return box_of_outlines(path.outlines)


def box_of_line(path: Path) -> Rect:
    """Return a box around a shape with its line, whose miters may reach their limit."""
    line = path.stroke
    # 1.5 holds the corner of a square cap, which is 1.41 half-widths away.
    return box_of_shape(path).outset(line.width * max(line.miter_limit, 1.5) / 2 if line else 0.0)


def move_outlines(outlines: tuple[Outline, ...], by: Affine) -> tuple[Outline, ...]:
    """Return the outlines with the map applied to every point."""
    if by == IDENTITY:
        return outlines
    return tuple(
        Outline(by.apply(*outline.start), _moved(outline.segments, by), outline.closed) for outline in outlines
    )


def _moved(segments: Iterable[Segment], by: Affine) -> tuple[Segment, ...]:
    a, b, c, d, e, f = by
    found: list[Segment] = []
    for segment in segments:
        if len(segment) == 2:
            x, y = segment
            found.append((a * x + c * y + e, b * x + d * y + f))
        else:
            x1, y1, x2, y2, x, y = segment
            found.append((
                a * x1 + c * y1 + e, b * x1 + d * y1 + f,
                a * x2 + c * y2 + e, b * x2 + d * y2 + f,
                a * x + c * y + e, b * x + d * y + f,
            ))  # fmt: skip
    return tuple(found)


def _step(name: str, values: list[float]) -> Affine:
    match name, values:
        case "translate", [x]:
            return Affine.move(x, 0)
        case "translate", [x, y]:
            return Affine.move(x, y)
        case "scale", [s]:
            return Affine.scale(s, s)
        case "scale", [x, y]:
            return Affine.scale(x, y)
        case "rotate", [angle]:
            return Affine.rotate(angle)
        case "rotate", [angle, x, y]:  # about a point: move it to the origin, turn, move it back
            return Affine.move(x, y) @ Affine.rotate(angle) @ Affine.move(-x, -y)
        case "skewX", [angle]:
            return Affine(c=math.tan(math.radians(angle)))
        case "skewY", [angle]:
            return Affine(b=math.tan(math.radians(angle)))
        case "matrix", [a, b, c, d, e, f]:
            return Affine(a, b, c, d, e, f)
    raise ValueError(f"unknown transform `{name}` with {len(values)} numbers")


# A command with its numbers, in which `e` may stand; and what stands before the first one.
_PARTS = regex(r"(?:\A|[A-DF-Za-df-z])[^A-DF-Za-df-z]*")
_LONG = 64  # characters: what is longer is hardly there twice


@cached(1024)
def _read_commands(data: str) -> list[tuple[str, list[float]]]:
    """Return short commands, which a pattern such as one of dots repeats; none if there is a mistake in them."""
    with suppress(ValueError):
        return [*_commands(data)]
    return []


def _commands(data: str) -> Iterator[tuple[str, list[float]]]:
    """Yield each command with its numbers, repeated commands one by one."""
    at = _skip(data, 0)
    while at < len(data):
        command = data[at]
        kinds = _ARGUMENTS.get(command.upper())
        if kinds is None:
            raise ValueError(f"unknown path command `{command}`")
        arguments = _ALL_ARGUMENTS[command.upper()]
        at += 1
        while True:
            match = arguments.match(data, at)
            values = [*map(float, match.groups())] if match else []
            if match is None or max(map(abs, values), default=0.0) > MAX_DISTANCE:
                raise _mistake(data, _skip(data, at), command, kinds)
            yield command, values
            at = match.end()
            # Further pairs behind a moveto are linetos, which have as many numbers (SVG 1.1, 8.3.2).
            command = {"M": "L", "m": "l"}.get(command, command)
            if not kinds or at >= len(data) or data[at].isalpha():
                break


def _mistake(data: str, at: int, command: str, kinds: tuple[re.Pattern[str], ...]) -> ValueError:
    """Return an error for the first mistake in the numbers of a command."""
    for kind in kinds:
        match = kind.match(data, at)
        if match is None:
            break
        try:
            _number(match[0])
        except ValueError as error:
            return error
        at = _skip(data, match.end())
    if at < len(data) and not data[at].isalpha():
        return ValueError(f"unexpected `{data[at]}` in path data")
    return ValueError(f"path command `{command}` takes {len(kinds)} numbers")


def _skip(data: str, at: int) -> int:
    """Return the index behind spaces and commas."""
    return match.end() if (match := _SEPARATORS.match(data, at)) else at


class _Pen:
    """Follows path commands and collects outlines; `at` is the current point."""

    def __init__(self) -> None:
        self.outlines: list[Outline] = []
        self.segments: list[Segment] = []
        self.start: Point = (0.0, 0.0)
        self.at: Point = (0.0, 0.0)
        self.arm: Point | None = None  # the last control point, for smooth curves
        self.last = ""

    def draw(self, command: str, values: list[float]) -> None:
        name = command.upper()
        if not self.last and name != "M":  # SVG 1.1, 8.3.1
            raise ValueError("path data must start with `M`")
        if command.islower():
            values = self._absolute(name, values)
        # The mirrored control point counts only if the command before was a curve of the same kind (SVG 1.1, 8.3.6).
        arm, self.arm = (self.arm if self.last in _SMOOTH.get(name, "") else None), None
        self._do(name, values, arm or self.at)
        self.last = name

    def finished(self) -> tuple[Outline, ...]:
        self._lift(closed=False)
        return tuple(self.outlines)

    def _absolute(self, name: str, values: list[float]) -> list[float]:
        x, y = self.at
        match name:
            case "H":
                return [values[0] + x]
            case "V":
                return [values[0] + y]
            case "A":
                # Only the end point of an arc is relative: radii, angle and flags are not.
                return [*values[:5], values[5] + x, values[6] + y]
        return [value + (y if index % 2 else x) for index, value in enumerate(values)]

    def _do(self, name: str, v: list[float], arm: Point) -> None:
        x, y = self.at
        match name:
            case "M":
                self._lift(closed=False)
                self.start = self.at = (v[0], v[1])
            case "L":
                self._line(v[0], v[1])
            case "H":
                self._line(v[0], y)
            case "V":
                self._line(x, v[0])
            case "C":
                self._curve(*v)
            case "S":
                # The last control point mirrored about the current point.
                self._curve(2 * x - arm[0], 2 * y - arm[1], *v)
            case "Q":
                self._quadratic((v[0], v[1]), (v[2], v[3]))
            case "T":
                self._quadratic((2 * x - arm[0], 2 * y - arm[1]), (v[0], v[1]))
            case "A":
                self._arc(v)
            case "Z":
                self._lift(closed=True)
                self.at = self.start  # where the next command begins without an `M` (SVG 1.1, 8.3.3)

    def _lift(self, *, closed: bool) -> None:
        if self.segments:
            self.outlines.append(Outline(self.start, tuple(self.segments), closed))
        self.segments = []

    def _line(self, x: float, y: float) -> None:
        self.segments.append((x, y))
        self.at = (x, y)

    def _curve(self, *v: float) -> None:
        self.segments.append(v)
        self.arm, self.at = (v[2], v[3]), (v[4], v[5])

    def _quadratic(self, arm: Point, end: Point) -> None:
        # The same curve as a cubic: its control points lie two thirds of the way to the quadratic one.
        (x, y), (ax, ay), (ex, ey) = self.at, arm, end
        self._curve(x + 2 / 3 * (ax - x), y + 2 / 3 * (ay - y), ex + 2 / 3 * (ax - ex), ey + 2 / 3 * (ay - ey), ex, ey)
        self.arm = arm

    def _arc(self, v: list[float]) -> None:
        rx, ry, angle, large, sweep, x, y = v
        if abs(rx) < _FLAT or abs(ry) < _FLAT:  # SVG 1.1, F.6.2: an arc with a radius of 0 is a line
            self._line(x, y)
            return
        end = round(x - self.at[0], _DIGITS), round(y - self.at[1], _DIGITS)
        curves = _arc((abs(rx), abs(ry)), angle, (large != 0, sweep != 0), end)
        if curves:
            self.segments += _moved(curves, Affine.move(*self.at))
            self.at = self.segments[-1][-2], self.segments[-1][-1]


_FLAT = 1e-6  # mm: smaller radii count as 0

_DIGITS = 9  # of a mm: without rounding, equal arcs of a pattern's dots differ by their place and none is reused


@cached(256)
def _arc(radii: Point, angle: float, flags: tuple[bool, bool], end: Point) -> tuple[Segment, ...]:
    """Return the curves of an elliptical arc from the origin to `end` (SVG 1.1, F.6.5); `flags` are large, sweep."""
    # Turned back, the ellipse has its axes along x and y.
    turn = Affine.rotate(-angle)
    dx, dy = turn.apply(-end[0] / 2, -end[1] / 2)
    rx, ry = radii
    too_far = dx * dx / (rx * rx) + dy * dy / (ry * ry)
    if too_far == 0:  # SVG 1.1, F.6.2: an arc without length is left out
        return ()
    if too_far > 1:  # F.6.6: radii too small for the distance grow until they reach
        rx, ry = rx * math.sqrt(too_far), ry * math.sqrt(too_far)
    side = 1 if flags[0] != flags[1] else -1  # F.6.5: of two centers the flags choose one
    root = side * math.sqrt(max(0.0, 1 / (dx * dx / (rx * rx) + dy * dy / (ry * ry)) - 1))
    cx, cy = root * rx * dy / ry, -root * ry * dx / rx
    first = math.atan2((dy - cy) / ry, (dx - cx) / rx)
    sweep = math.atan2((-dy - cy) / ry, (-dx - cx) / rx) - first
    if flags[1] and sweep < 0:  # F.6.5: the sweep flag says in which direction the angle runs
        sweep += 2 * math.pi
    if not flags[1] and sweep > 0:
        sweep -= 2 * math.pi
    turn = Affine.rotate(angle)
    x, y = turn.apply(cx, cy)
    place = Affine(turn.a * rx, turn.b * rx, turn.c * ry, turn.d * ry, x + end[0] / 2, y + end[1] / 2)
    # At most a quarter each, where a Bezier curve is close enough; 1e-9 for rounding.
    pieces = max(1, math.ceil(abs(sweep) / (math.pi / 2) - 1e-9))
    curves = []
    for piece in range(pieces):
        a, b = first + sweep * piece / pieces, first + sweep * (piece + 1) / pieces
        arm = 4 / 3 * math.tan((b - a) / 4)  # control arm for an angle: 4/3 tan(angle / 4)
        unit = (
            math.cos(a) - arm * math.sin(a), math.sin(a) + arm * math.cos(a),
            math.cos(b) + arm * math.sin(b), math.sin(b) - arm * math.cos(b),
            math.cos(b), math.sin(b),
        )  # fmt: skip
        curves.append(unit)
    return _moved(curves, place)
