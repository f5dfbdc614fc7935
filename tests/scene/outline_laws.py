"""Laws of path data and transforms."""

import math
from contextlib import suppress

from hypothesis import assume, given
from hypothesis import strategies as st

from render.base.geometry import Affine
from render.scene import outlines as shapes
from render.scene.items import Outline

numbers = st.floats(-100, 100).map(lambda value: round(value, 3))
radii = st.floats(0.1, 100).map(lambda value: round(value, 3))
points = st.tuples(numbers, numbers)
flags = st.sampled_from((0, 1))
words = st.one_of(
    st.sampled_from(tuple("MmLlHhVvCcSsQqTtAaZz")),
    st.floats(allow_nan=False, allow_infinity=False).map(str),
    st.integers(-9, 9).map(str),
    st.sampled_from((" ", ",", "-", ".", "1e999", "-1e308", "e", "0 1", "10")),
)
scribbles = st.lists(words, max_size=24).map(" ".join)
steps = st.one_of(
    st.builds("translate({} {})".format, numbers, numbers),
    st.builds("scale({})".format, radii),
    st.builds("rotate({})".format, numbers),
    st.builds("rotate({} {} {})".format, numbers, numbers, numbers),
    st.builds("skewX({})".format, st.floats(-60, 60)),
    st.builds("matrix({} {} {} {} {} {})".format, *[st.floats(-9, 9)] * 6),
)
commands = st.lists(
    st.one_of(
        st.builds("l{} {}".format, numbers, numbers),
        st.builds("h{}".format, numbers),
        st.builds("v{}".format, numbers),
        st.builds("c{} {} {} {} {} {}".format, *[numbers] * 6),
        st.builds("s{} {} {} {}".format, *[numbers] * 4),
        st.builds("q{} {} {} {}".format, *[numbers] * 4),
        st.builds("t{} {}".format, numbers, numbers),
        st.just("z"),
    ),
    min_size=1,
    max_size=8,
).map(" ".join)


def coordinates(outlines: tuple[Outline, ...]) -> list[float]:
    return [value for outline in outlines for step in (outline.start, *outline.segments) for value in step]


def close(one: list[float], other: list[float], tolerance: float) -> bool:
    return len(one) == len(other) and all(abs(a - b) <= tolerance for a, b in zip(one, other, strict=True))


@given(scribbles | st.text(max_size=40))
def test_path_data_is_outlines_of_finite_numbers_or_a_value_error(data: str) -> None:
    with suppress(ValueError):
        assert all(math.isfinite(value) for value in coordinates(shapes.path(data)))


@given(st.text(alphabet="rotatescalemx() ,.-0123456789e", max_size=40) | st.lists(steps, max_size=3).map(" ".join))
def test_a_transform_is_finite_numbers_or_a_value_error(text: str) -> None:
    with suppress(ValueError):
        found = shapes.transform(text)
        assert all(math.isfinite(value) for value in (found.a, found.b, found.c, found.d, found.e, found.f))


@given(st.lists(steps, max_size=3), st.lists(steps, max_size=3), points)
def test_transforms_one_after_the_other_are_applied_from_the_last(
    one: list[str], two: list[str], point: tuple[float, float]
) -> None:
    first, second = shapes.transform(" ".join(one)), shapes.transform(" ".join(two))
    both = shapes.transform(" ".join([*one, *two]))
    wanted = first.apply(*second.apply(*point))
    size = max(1.0, *(abs(value) for value in wanted))
    assume(size < 1e9)
    assert close(list(both.apply(*point)), list(wanted), 1e-6 * size)


@given(commands, points)
def test_a_relative_path_moves_with_its_start(data: str, start: tuple[float, float]) -> None:
    here, there = shapes.path(f"M0 0 {data}"), shapes.path(f"M{start[0]} {start[1]} {data}")
    assert close(coordinates(shapes.move_outlines(here, Affine.move(*start))), coordinates(there), 1e-6)


@given(points, st.builds("A{} {} {} {} {}".format, radii, radii, numbers, flags, flags), points)
def test_an_arc_ends_where_it_is_to_end(start: tuple[float, float], arc: str, end: tuple[float, float]) -> None:
    assume(start != end)
    (outline,) = shapes.path(f"M{start[0]} {start[1]} {arc} {end[0]} {end[1]}")
    assert outline.start == start
    assert math.dist(outline.segments[-1][-2:], end) < 1e-6


@given(points, radii, radii, st.floats(0, 60), st.floats(0, 60))
def test_a_rounded_rectangle_stays_within_the_rectangle(
    corner: tuple[float, float], width: float, height: float, rx: float, ry: float
) -> None:
    (outline,) = shapes.rect(*corner, width, height, rx, ry)
    values = coordinates((outline,))
    xs, ys = values[::2], values[1::2]
    assert min(xs) >= corner[0] - 1e-9 and max(xs) <= corner[0] + width + 1e-9
    assert min(ys) >= corner[1] - 1e-9 and max(ys) <= corner[1] + height + 1e-9
