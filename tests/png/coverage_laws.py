"""Laws of coverage."""

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from render.base.geometry import IDENTITY, Affine
from render.png import coverage
from render.scene.items import Outline, Stroke

SIZE = (64, 48)
inside = st.tuples(st.floats(0, SIZE[0]), st.floats(0, SIZE[1]))
anywhere = st.tuples(st.floats(-50, 150), st.floats(-50, 150))
angles = st.lists(st.floats(0, 2 * np.pi), min_size=3, max_size=9, unique=True).map(sorted)
strokes = st.builds(
    lambda **lines: Stroke(**lines),  # its types, which are known to a checker alone, are not asked for
    color=st.just((0, 0, 0)),
    width=st.floats(0.1, 9),
    cap=st.sampled_from(("butt", "round", "square")),
    join=st.sampled_from(("miter", "round", "bevel")),
    miter_limit=st.just(4.0),
    dashes=st.sampled_from(((), (2.0, 1.0), (0.5, 3.0))),
)


def polygon(points: list[tuple[float, float]], *, closed: bool = True) -> tuple[Outline, ...]:
    return (Outline(points[0], tuple(points[1:]), closed),)


def area(points: list[tuple[float, float]]) -> float:
    """Return the area by the shoelace formula."""
    pairs = zip(points, [*points[1:], points[0]], strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs)) / 2


def covered(mask: coverage.Mask | None) -> float:
    """Return the sum of all coverage, in pixels."""
    return 0.0 if mask is None else float(mask.coverage.sum()) / 255


@settings(deadline=None)
@given(angles, st.tuples(st.floats(24, 40), st.floats(24, 26)), st.floats(15, 22))
def test_the_coverage_of_a_convex_polygon_is_its_area(
    angles: list[float], center: tuple[float, float], radius: float
) -> None:
    points = [(center[0] + radius * float(np.cos(a)), center[1] + radius * float(np.sin(a))) for a in angles]
    assume(area(points) > 60)
    found = covered(coverage.filled(polygon(points), IDENTITY, SIZE, even_odd=False))
    assert abs(found - area(points)) <= 0.01 * area(points)


@settings(deadline=None)
@given(st.lists(inside, min_size=3, max_size=3))
def test_the_coverage_of_a_triangle_is_its_area(points: list[tuple[float, float]]) -> None:
    assume(area(points) > 100)
    found = covered(coverage.filled(polygon(points), IDENTITY, SIZE, even_odd=False))
    assert abs(found - area(points)) <= 0.01 * area(points)


@settings(deadline=None)
@given(st.lists(anywhere, min_size=3, max_size=8))
def test_evenodd_never_covers_more_than_nonzero(points: list[tuple[float, float]]) -> None:
    nonzero, even_odd = (coverage.filled(polygon(points), IDENTITY, SIZE, even_odd=rule) for rule in (False, True))
    assert (nonzero is None) == (even_odd is None)
    if nonzero is not None and even_odd is not None:
        assert (even_odd.coverage <= nonzero.coverage).all()


@settings(deadline=None)
@given(st.lists(anywhere, min_size=3, max_size=8), st.booleans())
def test_a_polygon_and_its_reverse_cover_the_same(points: list[tuple[float, float]], even_odd: bool) -> None:
    one, other = (
        coverage.filled(polygon(each), IDENTITY, SIZE, even_odd=even_odd)
        for each in (points, points[:1] + points[:0:-1])
    )
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert np.abs(one.coverage.astype(int) - other.coverage).max() <= 1


@settings(deadline=None)
@given(st.lists(inside, min_size=3, max_size=6), st.integers(-20, 20), st.integers(-20, 20))
def test_whole_pixels_of_movement_move_the_mask(points: list[tuple[float, float]], dx: int, dy: int) -> None:
    here = coverage.filled(polygon(points), Affine.move(30, 30), (130, 130), even_odd=False)
    there = coverage.filled(polygon(points), Affine.move(30 + dx, 30 + dy), (130, 130), even_odd=False)
    assert abs(covered(here) - covered(there)) <= 1e-2 * max(1.0, covered(here))


@settings(deadline=None)
@given(st.lists(anywhere, min_size=1, max_size=6), strokes, st.booleans())
def test_a_line_stays_within_the_canvas_and_its_own_reach(
    points: list[tuple[float, float]], stroke: Stroke, closed: bool
) -> None:
    mask = coverage.stroked(polygon(points, closed=closed), stroke, IDENTITY, SIZE)
    if mask is None:
        return
    height, width = mask.coverage.shape
    assert mask.left >= 0 and mask.left + width <= SIZE[0]
    assert mask.top >= 0 and mask.top + height <= SIZE[1]
    reach = stroke.width / 2 * stroke.miter_limit + 1
    assert mask.left >= min(x for x, _ in points) - reach - 1
    assert mask.top + height <= max(y for _, y in points) + reach + 1


@settings(deadline=None)
@given(inside, st.floats(5, 20), st.floats(0, 2 * np.pi), st.floats(1, 6))
def test_the_coverage_of_a_straight_line_is_its_length_by_its_width(
    start: tuple[float, float], length: float, angle: float, width: float
) -> None:
    end = (start[0] + length * float(np.cos(angle)), start[1] + length * float(np.sin(angle)))
    mask = coverage.stroked(
        polygon([start, end], closed=False), Stroke(color=(0, 0, 0), width=width), Affine.move(30, 30), (130, 130)
    )
    edges = 2 * length * 0.5 / coverage.SAMPLES  # each of the two long edges is at most half a sub-row off
    assert abs(covered(mask) - length * width) <= edges + 0.005 * length * width
