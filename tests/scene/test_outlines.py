"""SVG's path data, shapes and transforms as outlines."""

import math

import pytest

from render.base.geometry import IDENTITY, Affine
from render.scene import outlines as shapes
from render.scene.items import Outline, Segment

Point = tuple[float, float]


def drawn(data: str) -> str:
    """Return the path in absolute commands: M, L, C and Z, numbers rounded to 4 digits."""
    return " ".join(word for outline in shapes.path(data) for word in _words(outline))


def _words(outline: Outline) -> list[str]:
    steps = [("M", outline.start), *(("L" if len(each) == 2 else "C", each) for each in outline.segments)]
    return [f"{name} {' '.join(_number(value) for value in step)}" for name, step in steps] + ["Z"] * outline.closed


def _number(value: float) -> str:
    return f"{round(value, 4) + 0:g}"


def points_on(start: Point, curve: Segment, count: int = 16) -> list[Point]:
    """Return points along a cubic Bezier curve."""
    arms = [start, *zip(curve[::2], curve[1::2], strict=True)]
    weights = [((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3) for t in (i / count for i in range(17))]
    return [
        (
            sum(w * x for w, (x, _) in zip(weight, arms, strict=True)),
            sum(w * y for w, (_, y) in zip(weight, arms, strict=True)),
        )
        for weight in weights
    ]


# --- path data ---


@pytest.mark.parametrize(
    ("data", "is_the_same_as"),
    [
        ("M1 2 L3 4", "M 1 2 L 3 4"),
        ("M1,2,L3,4", "M 1 2 L 3 4"),
        ("M1-2L-3-4", "M 1 -2 L -3 -4"),
        ("M.5.5L1.5.5", "M 0.5 0.5 L 1.5 0.5"),
        ("M1e1 2E-1 L+3 4.", "M 10 0.2 L 3 4"),
        ("\n M 1 2\tL\r\n3 4 ", "M 1 2 L 3 4"),
    ],
)
def test_numbers_may_be_written_as_svg_allows(data: str, is_the_same_as: str) -> None:
    assert drawn(data) == is_the_same_as


@pytest.mark.parametrize(
    ("relative", "absolute"),
    [
        ("M10 10 m5 5 l1 2", "M 15 15 L 16 17"),
        ("m10 10 l5 0 l0 5", "M 10 10 L 15 10 L 15 15"),
        ("M10 10 h5 h-2", "M 10 10 L 15 10 L 13 10"),
        ("M10 10 v5 v-2", "M 10 10 L 10 15 L 10 13"),
        ("M10 10 c1 2 3 4 5 6", "M 10 10 C 11 12 13 14 15 16"),
        ("M10 10 C11 12 13 14 15 16 s3 4 5 6", "M 10 10 C 11 12 13 14 15 16 C 17 18 18 20 20 22"),
        ("M10 10 q3 3 6 0", "M 10 10 C 12 12 14 12 16 10"),
        ("M10 10 q3 3 6 0 t6 0", "M 10 10 C 12 12 14 12 16 10 C 18 8 20 8 22 10"),
    ],
)
def test_relative_commands_count_from_the_pen(relative: str, absolute: str) -> None:
    assert drawn(relative) == absolute


@pytest.mark.parametrize(
    ("data", "outlines"),
    [
        ("M0 0 1 0 1 1", "M 0 0 L 1 0 L 1 1"),
        ("m1 1 1 0 0 1", "M 1 1 L 2 1 L 2 2"),
        ("M0 0 L1 0 1 1", "M 0 0 L 1 0 L 1 1"),
        ("M0 0 H1 2 V3 4", "M 0 0 L 1 0 L 2 0 L 2 3 L 2 4"),
        ("M0 0 C0 1 1 1 1 0 1 -1 2 -1 2 0", "M 0 0 C 0 1 1 1 1 0 C 1 -1 2 -1 2 0"),
    ],
)
def test_a_command_is_repeated_by_its_numbers_alone(data: str, outlines: str) -> None:
    assert drawn(data) == outlines


@pytest.mark.parametrize(
    ("data", "outlines"),
    [
        pytest.param("M0 0 L1 0 M5 5 L6 5", "M 0 0 L 1 0 M 5 5 L 6 5", id="each move begins an outline"),
        pytest.param("M0 0 M5 5", "", id="a move that draws nothing is no outline"),
        pytest.param(" ", "", id="nor is data without commands"),
        pytest.param(
            "M1 1 L5 1 L5 5 Z l1 1", "M 1 1 L 5 1 L 5 5 Z M 1 1 L 2 2", id="after closing, the pen is back at the start"
        ),
        pytest.param(
            "M0 0 C0 1 2 3 4 4 S8 8 9 9 S9 6 8 5",
            "M 0 0 C 0 1 2 3 4 4 C 6 5 8 8 9 9 C 10 10 9 6 8 5",
            id="a smooth curve mirrors the arm of the curve before, one after the other",
        ),
        pytest.param("M0 0 L4 4 S8 8 9 9", "M 0 0 L 4 4 C 4 4 8 8 9 9", id="after a line it starts at the pen"),
        pytest.param(
            "M0 0 Q1 1 4 4 S8 8 9 9",
            "M 0 0 C 0.6667 0.6667 2 2 4 4 C 4 4 8 8 9 9",
            id="after a quadratic curve, too",
        ),
        pytest.param(
            "M0 0 Q3 3 6 0 T12 0 T18 0",
            "M 0 0 C 2 2 4 2 6 0 C 8 -2 10 -2 12 0 C 14 2 16 2 18 0",
            id="smooth quadratic curves mirror one after the other",
        ),
        pytest.param("M0 0 L3 0 T9 0", "M 0 0 L 3 0 C 3 0 5 0 9 0", id="after a line, one is a line"),
    ],
)
def test_outlines_follow_the_pen(data: str, outlines: str) -> None:
    assert drawn(data) == outlines


def test_a_smooth_curve_after_an_arc_starts_at_the_pen() -> None:
    last = shapes.path("M0 0 A9 9 0 0 1 4 4 S8 8 9 9")[0].segments[-1]
    assert last == pytest.approx((4, 4, 8, 8, 9, 9))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("L1 1", "path data must start with `M`"),
        ("z", "path data must start with `M`"),
        ("1 1", "unknown path command `1`"),
        ("M1", "path command `M` takes 2 numbers"),
        ("M1 1 L", "path command `L` takes 2 numbers"),
        ("M1 1 L2 Z", "path command `L` takes 2 numbers"),
        ("M1 1 C1 1 2 2 3", "path command `C` takes 6 numbers"),
        ("M1 1 A1 1 0 0 0 1", "path command `A` takes 7 numbers"),
        ("M1 1 B2 2", "unknown path command `B`"),
        ("M1 1 Z 2 2", "unknown path command `2`"),
        ("M1 1 L2 %", "unexpected `%` in path data"),
        ("M1 1 L. 2", "unexpected `.` in path data"),
    ],
)
def test_path_data_that_svg_does_not_allow(data: str, says: str) -> None:
    with pytest.raises(ValueError) as error:
        shapes.path(data)
    assert str(error.value) == says


# --- arcs ---

ARCS = {
    "a half circle": ((0, 0), (5, 5), 0, (10, 0)),
    "a small circle, scaled up": ((0, 0), (1, 1), 0, (10, 0)),
    "an ellipse": ((1, 2), (8, 3), 0, (9, 4)),
    "a turned ellipse": ((1, 2), (8, 3), 30, (9, 4)),
    "a turned ellipse, scaled up": ((0, 0), (4, 2), 60, (30, 1)),
    "a hair of an ellipse": ((0, 0), (100, 50), 10, (0.01, 0)),
}


def arc(name: str, large: int, sweep: int) -> Outline:
    start, radii, angle, end = ARCS[name]
    (outline,) = shapes.path(f"M{start[0]} {start[1]} A{radii[0]} {radii[1]} {angle} {large} {sweep} {end[0]} {end[1]}")
    return outline


@pytest.mark.parametrize("name", ARCS)
@pytest.mark.parametrize("large", [0, 1])
@pytest.mark.parametrize("sweep", [0, 1])
def test_an_arc_ends_exactly_where_it_is_to_end(name: str, large: int, sweep: int) -> None:
    assert arc(name, large, sweep).segments[-1][-2:] == pytest.approx(ARCS[name][3], abs=1e-9)


@pytest.mark.parametrize("name", ARCS)
@pytest.mark.parametrize("large", [0, 1])
@pytest.mark.parametrize("sweep", [0, 1])
def test_the_points_of_an_arc_lie_on_an_ellipse_of_its_radii(name: str, large: int, sweep: int) -> None:
    """Both ends and a third point give the ellipse: all other points must have distance 1 from its middle."""
    _, (rx, ry), angle, _ = ARCS[name]
    outline = arc(name, large, sweep)
    points, at = [], outline.start
    for segment in outline.segments:
        points += points_on(at, segment)
        at = (segment[-2], segment[-1])
    units = [Affine.scale(1 / rx, 1 / ry) @ Affine.rotate(-angle)] * len(points)
    flat = [unit.apply(*point) for unit, point in zip(units, points, strict=True)]
    center, radius = circle_through(flat[0], flat[len(flat) // 2], flat[-1])
    assert radius >= 1 - 1e-3
    assert [math.dist(point, center) for point in flat] == pytest.approx([radius] * len(flat), rel=3e-4)


def circle_through(one: Point, two: Point, three: Point) -> tuple[Point, float]:
    """Return the middle and the radius of the circle through three points."""
    (ax, ay), (bx, by), (cx, cy) = one, two, three
    d = 2 * (ax * (by - cy) + bx * (cy - ay) + cx * (ay - by))
    a, b, c = ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy
    middle = ((a * (by - cy) + b * (cy - ay) + c * (ay - by)) / d, (a * (cx - bx) + b * (ax - cx) + c * (bx - ax)) / d)
    return middle, math.dist(middle, one)


@pytest.mark.parametrize(
    ("large", "sweep", "middle"),
    [
        (0, 0, (0.5**0.5, 0.5**0.5)),
        (0, 1, (1 - 0.5**0.5, 1 - 0.5**0.5)),
        (1, 0, (1 + 0.5**0.5, 1 + 0.5**0.5)),
        (1, 1, (-(0.5**0.5), -(0.5**0.5))),
    ],
)
def test_the_flags_choose_one_of_four_arcs(large: int, sweep: int, middle: Point) -> None:
    """From (0, 1) to (1, 0) with radius 1: about (0, 0) or about (1, 1), the short way or the long way round."""
    (outline,) = shapes.path(f"M0 1 A1 1 0 {large} {sweep} 1 0")
    count = len(outline.segments)
    starts = [outline.start, *((segment[-2], segment[-1]) for segment in outline.segments)]
    assert count == (3 if large else 1)
    assert points_on(starts[count // 2], outline.segments[count // 2])[8] == pytest.approx(middle, abs=1e-3)


@pytest.mark.parametrize(
    ("data", "is_the_same_as"),
    [
        pytest.param("M0 0a5 5 0 0110 0", "M0 0 a5 5 0 0 1 10 0", id="flags need no space around them"),
        pytest.param("M0 0a5 5 0 01.5.5", "M0 0 a5 5 0 0 1 .5 .5", id="nor numbers behind them"),
        pytest.param("M3 4 a5 5 0 0 1 10 0", "M3 4 A5 5 0 0 1 13 4", id="a relative arc counts from the pen"),
        pytest.param("M0 0 A0 5 0 0 1 9 9", "M0 0 L9 9", id="an arc without a radius is a line"),
        pytest.param("M0 0 A5 0 0 0 1 9 9", "M0 0 L9 9", id="whichever it lacks"),
        pytest.param("M3 4 A5 5 0 1 1 3 4", "", id="an arc to where the pen is draws nothing"),
        pytest.param("M0 0 A-5 -3 0 0 1 6 0", "M0 0 A5 3 0 0 1 6 0", id="the sign of a radius does not matter"),
    ],
)
def test_arcs_that_are_alike(data: str, is_the_same_as: str) -> None:
    assert drawn(data) == drawn(is_the_same_as)


# --- shapes ---


def test_a_rectangle_is_its_corners() -> None:
    assert shapes.rect(1, 2, 3, 4) == (Outline((1, 2), ((4, 2), (4, 6), (1, 6)), True),)


def test_a_rounded_rectangle_has_four_quarter_ellipses() -> None:
    (outline,) = shapes.rect(0, 0, 10, 8, rx=3, ry=2)
    assert outline.start == (3, 0)
    ends = [segment[-2:] for segment in outline.segments]
    assert ends == [(7, 0), (10, 2), (10, 6), (7, 8), (3, 8), (0, 6), (0, 2), (3, 0)]
    assert [len(segment) for segment in outline.segments] == [2, 6] * 4
    corner = points_on((7, 0), outline.segments[1])
    assert [math.hypot((x - 7) / 3, (y - 2) / 2) for x, y in corner] == pytest.approx([1] * len(corner), abs=3e-4)


@pytest.mark.parametrize(
    ("radii", "stand_for"),
    [
        pytest.param((2, 0), (2, 2), id="one radius stands for both"),
        pytest.param((0, 2), (2, 2), id="or the other"),
        pytest.param((99, 99), (5, 4), id="radii are at most half a side"),
    ],
)
def test_radii_of_a_rectangle(radii: Point, stand_for: Point) -> None:
    assert shapes.rect(0, 0, 10, 8, *radii) == shapes.rect(0, 0, 10, 8, *stand_for)


@pytest.mark.parametrize(
    "nothing", [shapes.rect(0, 0, 0, 1), shapes.rect(0, 0, 1, 0), shapes.rect(0, 0, -1, 1), shapes.ellipse(1, 1, 0, 1)]
)
def test_a_shape_without_an_area_is_nothing(nothing: tuple[Outline, ...]) -> None:
    assert nothing == ()


def test_an_ellipse_is_one_within_three_ten_thousandths() -> None:
    (outline,) = shapes.ellipse(3, 4, 5, 2)
    at = outline.start
    for segment in outline.segments:
        for x, y in points_on(at, segment):
            assert math.hypot((x - 3) / 5, (y - 4) / 2) == pytest.approx(1, abs=3e-4)
        at = (segment[-2], segment[-1])
    assert at == outline.start


@pytest.mark.parametrize(
    ("points", "says"),
    [
        ("", "expected pairs of numbers, found ``"),
        ("1,2", "expected pairs of numbers, found `1,2`"),
        ("1,2 3", "expected pairs of numbers, found `1,2 3`"),
        ("1;2 3;4", "expected numbers, found `1;2 3;4`"),
    ],
)
def test_points_that_are_not_pairs(points: str, says: str) -> None:
    with pytest.raises(ValueError) as error:
        shapes.polyline(points, closed=True)
    assert str(error.value) == says


# --- transforms ---


@pytest.mark.parametrize(
    ("text", "of_3_1"),
    [
        ("translate(10)", (13, 1)),
        ("translate(10 20)", (13, 21)),
        ("translate(10,20)", (13, 21)),
        ("scale(2)", (6, 2)),
        ("scale(2, -3)", (6, -3)),
        ("rotate(90)", (-1, 3)),
        ("rotate(-90)", (1, -3)),
        ("rotate(450)", (-1, 3)),
        ("skewX(45)", (4, 1)),
        ("skewY(45)", (3, 4)),
        ("matrix(1 2 3 4 5 6)", (3 + 3 + 5, 6 + 4 + 6)),
        (" rotate ( 180 ) ", (-3, -1)),
    ],
)
def test_each_transform_moves_a_point_as_in_svg(text: str, of_3_1: Point) -> None:
    assert shapes.transform(text).apply(3, 1) == pytest.approx(of_3_1)


def test_quarter_turns_are_exact() -> None:
    assert shapes.transform("rotate(270)") == Affine(0, -1, 1, 0)


@pytest.mark.parametrize("text", ["", " ", "translate(0)", "scale(1)", "rotate(0)", "rotate(180) rotate(180)"])
def test_a_transform_that_moves_nothing_is_the_identity(text: str) -> None:
    assert shapes.transform(text) == IDENTITY


@pytest.mark.parametrize("text", ["translate(10 0) scale(2)", "translate(10 0)scale(2)", "translate(10 0), scale(2)"])
def test_the_last_of_several_transforms_is_applied_first(text: str) -> None:
    assert shapes.transform(text).apply(3, 1) == (16, 2)


def test_a_point_about_which_is_rotated_stays() -> None:
    assert shapes.transform("rotate(37 5 -2)").apply(5, -2) == pytest.approx((5, -2))


def test_rotating_about_a_point_is_moving_it_to_the_origin_and_back() -> None:
    about = shapes.transform("rotate(90 10 10)").apply(11, 10)
    assert about == shapes.transform("translate(10 10) rotate(90) translate(-10 -10)").apply(11, 10) == (10, 11)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("turn(45)", "unknown transform `turn` with 1 numbers"),
        ("rotate()", "unknown transform `rotate` with 0 numbers"),
        ("matrix(1 2 3)", "unknown transform `matrix` with 3 numbers"),
        ("rotate 45", "expected a transform such as `rotate(45)`, found `rotate 45`"),
        ("scale(2) rotate(45", "expected a transform such as `rotate(45)`, found `rotate(45`"),
        ("scale(two)", "expected numbers, found `two`"),
    ],
)
def test_transforms_that_svg_does_not_allow(text: str, says: str) -> None:
    with pytest.raises(ValueError) as error:
        shapes.transform(text)
    assert str(error.value) == says


def test_outlines_are_moved_point_by_point() -> None:
    (moved,) = shapes.move_outlines(shapes.path("M1 1 L2 1 C1 2 3 4 5 6 Z"), Affine(0, 1, -1, 0, 10, 0))
    assert moved == Outline((9, 1), ((9, 2), (8, 1, 6, 3, 4, 5)), True)
