"""Shapes as coverage, seen as pictures: 1 px = 1 mm."""

import subprocess
import sys
from textwrap import dedent

import numpy as np
import pytest
from numpy.typing import NDArray

from render.base.geometry import IDENTITY, Affine
from render.png import coverage as raster
from render.scene import outlines
from render.scene.items import Stroke
from tests.support.repository import ROOT

Coverage = NDArray[np.uint8]
_LETTERS = {"_": 0, "-": 64, "+": 128, "*": 191, "K": 255}  # nothing, a quarter, half, three quarters, all of a pixel
_NEAR = 4  # of 255: an edge is sampled 32 times down a pixel


BLACK = (0, 0, 0)
TWO_SQUARES = "M1 1 H5 V5 H1 Z M3 3 H7 V7 H3 Z"
TWO_SQUARES_ONE_LEFT = "M1 1 H5 V5 H1 Z M3 3 V7 H7 V3 Z"
RING = "M1 1 H7 V7 H1 Z M3 3 V5 H5 V3 Z"
TWICE_ROUND = "M1 1 H7 V7 H1 Z M3 3 H5 V5 H3 Z"


def filled(path: str, size: tuple[int, int], *, even_odd: bool = False, to_px: Affine = IDENTITY) -> Coverage:
    """Return the coverage of a filled path on a canvas of `size` pixels."""
    return _whole(raster.filled(outlines.path(path), to_px, size, even_odd=even_odd), size)


def stroked(path: str, stroke: Stroke, size: tuple[int, int], to_px: Affine = IDENTITY) -> Coverage:
    """Return the coverage of the line along a path on a canvas of `size` pixels."""
    return _whole(raster.stroked(outlines.path(path), stroke, to_px, size), size)


def _whole(mask: raster.Mask | None, size: tuple[int, int]) -> Coverage:
    canvas = np.zeros((size[1], size[0]), np.uint8)
    if mask is not None:
        height, width = mask.coverage.shape
        canvas[mask.top : mask.top + height, mask.left : mask.left + width] = mask.coverage
    return canvas


def assert_covered(coverage: Coverage, picture: str) -> None:
    """Fail, and show both pictures, unless each pixel is covered as its letter says; `?` stands for some of it."""
    wanted = dedent(picture).strip().split()
    assert coverage.shape == (len(wanted), len(wanted[0]))
    shown = ["".join(map(_letter, row, line)) for row, line in zip(coverage.tolist(), wanted, strict=True)]
    assert "\n".join(shown) == "\n".join(wanted)


def _letter(covered: int, wanted: str) -> str:
    near = next((letter for letter, value in _LETTERS.items() if abs(value - covered) <= _NEAR), "?")
    return "?" if wanted == "?" and 0 < covered < 255 else near


# --- pictures ---

FILLED: dict[str, tuple[str, tuple[int, int], str]] = {
    "a square covers its pixels and no other": (
        "M1 1 H4 V3 H1 Z",
        (6, 5),
        """
        ______
        _KKK__
        _KKK__
        ______
        ______
        """,
    ),
    "nonzero adds up what runs the same way": (
        TWO_SQUARES,
        (8, 8),
        """
        ________
        _KKKK___
        _KKKK___
        _KKKKKK_
        _KKKKKK_
        ___KKKK_
        ___KKKK_
        ________
        """,
    ),
    "nonzero leaves a hole where the inner outline runs the other way": (
        RING,
        (8, 8),
        """
        ________
        _KKKKKK_
        _KKKKKK_
        _KK__KK_
        _KK__KK_
        _KKKKKK_
        _KKKKKK_
        ________
        """,
    ),
    "a line that crosses itself fills both loops": (
        "M0 0 H6 L0 6 H6 Z",
        (6, 6),
        """
        +KKKK+
        _+KK+_
        __++__
        __++__
        _+KK+_
        +KKKK+
        """,
    ),
    "a shape within a pixel covers its area": (
        "M1.25 1.25 H1.75 V1.75 H1.25 Z",
        (3, 3),
        """
        ___
        _-_
        ___
        """,
    ),
    "half covered edges and quarter covered corners": (
        "M0.5 0.5 H3.5 V3.5 H0.5 Z",
        (4, 4),
        """
        -++-
        +KK+
        +KK+
        -++-
        """,
    ),
    "a diagonal covers half of the pixels it crosses": (
        "M0 0 L4 4 H0 Z",
        (4, 4),
        """
        +___
        K+__
        KK+_
        KKK+
        """,
    ),
    "what hangs over the canvas is cut off": (
        "M-9 1 H2.5 V99 H-9 Z",
        (4, 3),
        """
        ____
        KK+_
        KK+_
        """,
    ),
}

STROKED: dict[str, tuple[str, Stroke, tuple[int, int], str]] = {
    "a closed line has a join where it closes": (
        "M2 2 H6 V6 H2 Z",
        Stroke(color=BLACK, width=2),
        (8, 8),
        """
        ________
        _KKKKKK_
        _KKKKKK_
        _KK__KK_
        _KK__KK_
        _KKKKKK_
        _KKKKKK_
        ________
        """,
    ),
    "an open line that returns to its start has none": (
        "M2 2 H6 V6 H2 V2",
        Stroke(color=BLACK, width=2),
        (8, 8),
        """
        ________
        __KKKKK_
        _KKKKKK_
        _KK__KK_
        _KK__KK_
        _KKKKKK_
        _KKKKKK_
        ________
        """,
    ),
    "a thin line covers its share of the pixels": (
        "M1 1.5 H5",
        Stroke(color=BLACK, width=0.5),
        (6, 3),
        """
        ______
        _++++_
        ______
        """,
    ),
    "a line that crosses itself is not thinner there": (
        "M0.5 2.5 H4.5 V4.5 H2.5 V0.5",
        Stroke(color=BLACK, width=1, cap="square"),
        (6, 6),
        """
        __K___
        __K___
        KKKKK_
        __K_K_
        __KKK_
        ______
        """,
    ),
    "dashes and gaps take turns from the start": (
        "M0 1 H12",
        Stroke(color=BLACK, width=2, dashes=(3, 1)),
        (12, 2),
        """
        KKK_KKK_KKK_
        KKK_KKK_KKK_
        """,
    ),
    "a dash goes round a corner": (
        "M1 7 V1 H7",
        Stroke(color=BLACK, width=2, dashes=(8, 2)),
        (8, 8),
        """
        KKK__KK_
        KKK__KK_
        KK______
        KK______
        KK______
        KK______
        KK______
        ________
        """,
    ),
    "dashes go on along the line that closes an outline": (
        "M1 1 H5 V5 H1 Z",
        Stroke(color=BLACK, width=2, cap="butt", dashes=(2, 2)),
        (6, 6),
        """
        _KK___
        _KK_KK
        ____KK
        KK____
        KK_KK_
        ___KK_
        """,
    ),
    "every dash has caps": (
        "M1 1 H11",
        Stroke(color=BLACK, width=2, cap="square", dashes=(1, 4)),
        (12, 2),
        """
        KKK__KKK____
        KKK__KKK____
        """,
    ),
}


@pytest.mark.parametrize("claim", FILLED)
def test_a_fill_shows_that(claim: str) -> None:
    path, size, picture = FILLED[claim]
    assert_covered(filled(path, size), picture)


@pytest.mark.parametrize("claim", STROKED)
def test_a_stroke_shows_that(claim: str) -> None:
    path, stroke, size, picture = STROKED[claim]
    assert_covered(stroked(path, stroke, size), picture)


# --- fills ---


def test_an_open_outline_is_filled_as_if_it_were_closed() -> None:
    assert (filled("M1 1 H4 V3 H1", (6, 5)) == filled("M1 1 H4 V3 H1 Z", (6, 5))).all()


@pytest.mark.parametrize("path", [TWO_SQUARES, TWO_SQUARES_ONE_LEFT])
def test_nonzero_fills_where_squares_overlap_and_evenodd_does_not(path: str) -> None:
    assert_covered(
        filled(path, (8, 8), even_odd=True),
        """
        ________
        _KKKK___
        _KKKK___
        _KK__KK_
        _KK__KK_
        ___KKKK_
        ___KKKK_
        ________
        """,
    )


@pytest.mark.parametrize(("even_odd", "inside"), [(False, "KK"), (True, "__")])
def test_an_inner_outline_of_the_same_way_is_a_hole_for_evenodd_only(even_odd: bool, inside: str) -> None:
    picture = """
        ________
        _KKKKKK_
        _KKKKKK_
        _KKxxKK_
        _KKxxKK_
        _KKKKKK_
        _KKKKKK_
        ________
    """
    assert_covered(filled(TWICE_ROUND, (8, 8), even_odd=even_odd), picture.replace("xx", inside))


def test_a_line_without_an_area_fills_nothing() -> None:
    assert not filled("M1 1 L5 5 Z", (6, 6)).any()


def test_a_curve_is_filled_to_its_edge() -> None:
    circle = outlines.ellipse(50, 50, 40, 40)
    mask = raster.filled(circle, IDENTITY, (100, 100), even_odd=False)
    assert mask is not None
    assert mask.coverage.sum() / 255 == pytest.approx(np.pi * 40**2, rel=2e-3)


# --- edges between pixels ---


@pytest.mark.parametrize("share", [0.1, 0.25, 0.5, 0.75, 0.9])
def test_an_edge_down_a_pixel_covers_exactly_its_share(share: float) -> None:
    coverage = filled(f"M1 1 H{2 + share} V2 H1 Z", (4, 3))
    assert coverage[1].tolist() == pytest.approx([0, 255, share * 255, 0], abs=0.51)


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75])
def test_an_edge_across_a_pixel_covers_exactly_its_share(share: float) -> None:
    coverage = filled(f"M1 1 H2 V{2 + share} H1 Z", (3, 4))
    assert coverage[:, 1].tolist() == pytest.approx([0, 255, share * 255, 0], abs=0.51)


@pytest.mark.parametrize("share", [0.01, 0.1, 0.33, 0.99])
def test_an_edge_across_a_pixel_is_at_most_a_64th_of_a_pixel_off(share: float) -> None:
    coverage = filled(f"M1 1 H2 V{2 + share} H1 Z", (3, 4))
    assert abs(int(coverage[2, 1]) - share * 255) <= 255 / 64 + 1


def test_two_shapes_that_share_an_edge_leave_no_gap_between_them() -> None:
    left, right = filled("M0 0 H2.3 L3.7 4 H0 Z", (6, 4)), filled("M6 0 H2.3 L3.7 4 H6 Z", (6, 4))
    total = left.astype(int) + right
    assert total.min() >= 254 and total.max() <= 256


def test_the_map_to_pixels_is_applied_to_every_point() -> None:
    turned = Affine.move(4, 0) @ Affine.rotate(90)
    assert_covered(
        filled("M0 0 H3 V1 H0 Z", (4, 4), to_px=turned),
        """
        ___K
        ___K
        ___K
        ____
        """,
    )


# --- the edge of the canvas ---


def test_a_shape_around_the_canvas_covers_all_of_it() -> None:
    assert (filled("M-9e3 -9e3 H9e3 V9e3 H-9e3 Z", (5, 4)) == 255).all()


def test_a_hole_around_the_canvas_leaves_nothing() -> None:
    assert not filled("M-90 -90 H90 V90 H-90 Z M-50 -50 V50 H50 V-50 Z", (5, 4)).any()


@pytest.mark.parametrize("path", ["M-3 0 H-1 V4 H-3 Z", "M5 0 H9 V4 H5 Z", "M0 -3 H4 V-1 H0 Z", "M0 4 H4 V9 H0 Z"])
def test_a_shape_beside_the_canvas_is_nothing(path: str) -> None:
    assert raster.filled(outlines.path(path), IDENTITY, (5, 4), even_odd=False) is None


def test_a_mask_is_no_larger_than_its_shape() -> None:
    mask = raster.filled(outlines.path("M2.5 1.5 H4.5 V3.5 H2.5 Z"), IDENTITY, (100, 100), even_odd=False)
    assert mask is not None
    assert (mask.left, mask.top, mask.coverage.shape) == (2, 1, (3, 3))


# --- strokes ---


def corner(join: str, limit: float = 4.0) -> Coverage:
    return stroked("M2 8 V2 H8", Stroke(color=BLACK, width=2, join=join, miter_limit=limit), (8, 8))


def test_a_miter_is_a_full_corner() -> None:
    assert_covered(
        corner("miter"),
        """
        ________
        _KKKKKKK
        _KKKKKKK
        _KK_____
        _KK_____
        _KK_____
        _KK_____
        _KK_____
        """,
    )


def test_a_bevel_is_a_corner_cut_off() -> None:
    assert_covered(
        corner("bevel"),
        """
        ________
        _+KKKKKK
        _KKKKKKK
        _KK_____
        _KK_____
        _KK_____
        _KK_____
        _KK_____
        """,
    )


def test_a_round_join_covers_a_quarter_of_a_disc() -> None:
    """The disc is a polygon whose sides lie at most 0.05 px within it."""
    coverage = corner("round")
    assert coverage[1, 1] == pytest.approx(255 * np.pi / 4, abs=0.05 * 255)
    coverage[1, 1] = 255
    assert (coverage == corner("miter")).all()


def test_a_miter_beyond_its_limit_is_a_bevel() -> None:
    assert (corner("miter", limit=1.4) == corner("bevel")).all()
    assert (corner("miter", limit=1.42) == corner("miter")).all()


@pytest.mark.parametrize(
    ("cap", "picture"),
    [
        ("butt", "__KKKK__"),
        ("square", "_KKKKKK_"),
        ("round", "_?KKKK?_"),
    ],
)
def test_caps(cap: str, picture: str) -> None:
    assert_covered(
        stroked("M2 2 H6", Stroke(color=BLACK, width=2, cap=cap), (8, 4)), f"________\n{picture}\n{picture}\n________"
    )


def test_round_caps_are_half_discs() -> None:
    coverage = stroked("M20 20 H60", Stroke(color=BLACK, width=20, cap="round"), (80, 40))
    assert coverage.sum() / 255 == pytest.approx(40 * 20 + np.pi * 10**2, rel=2e-3)


def test_a_point_is_a_disc_with_round_caps_and_nothing_without() -> None:
    dot = stroked("M20 20 H20", Stroke(color=BLACK, width=20, cap="round"), (40, 40))
    assert dot.sum() / 255 == pytest.approx(np.pi * 10**2, rel=1e-2)
    assert not stroked("M20 20 H20", Stroke(color=BLACK, width=20), (40, 40)).any()


def test_the_two_ways_of_a_line_give_one_coverage() -> None:
    stroke = Stroke(color=BLACK, width=1.7, cap="square", join="round")
    one, other = (stroked(path, stroke, (12, 12)) for path in ("M2 9 L5 2 L9 8", "M9 8 L5 2 L2 9"))
    assert np.abs(one.astype(int) - other).max() <= 1


def test_the_width_of_a_line_grows_with_the_map() -> None:
    one = stroked("M1 1 H4", Stroke(color=BLACK, width=1), (12, 6), Affine.scale(2, 2))
    assert (one == stroked("M2 2 H8", Stroke(color=BLACK, width=2), (12, 6))).all()


# --- dashes ---


def test_a_dash_may_end_at_a_corner_but_for_rounding() -> None:
    once = stroked("M0.6 1.8 L0.4 1.8 L1 0.5", Stroke(color=BLACK, width=0.2, dashes=(0.2, 9)), (4, 4))
    assert once.sum() / 255 == pytest.approx(0.2 * 0.2, abs=0.02)


def test_dashes_of_no_length_are_dots_where_caps_are_round() -> None:
    """The well-known way to draw a dotted line; a PDF shows it so."""
    dots = stroked("M10 10 H70", Stroke(color=BLACK, width=10, cap="round", dashes=(0, 20)), (80, 20))
    assert dots.sum() / 255 == pytest.approx(4 * np.pi * 5**2, rel=2e-2)


def test_dashes_pass_over_a_point_that_is_given_twice() -> None:
    stroke = Stroke(color=BLACK, width=2, dashes=(6, 2))
    assert (stroked("M0 1 H4 H4 H12", stroke, (12, 2)) == stroked("M0 1 H12", stroke, (12, 2))).all()


def test_a_dashed_line_that_is_scaled_to_nothing_is_nothing() -> None:
    """In a process of its own: it once went on for ever."""
    drawing = "stroked('M0 0 H5', Stroke(color=(0, 0, 0), width=1, dashes=(1, 1)), (8, 8), Affine.scale(0, 0)).any()"
    program = f"from tests.png.test_coverage import *\nassert not {drawing}"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60, cwd=ROOT)
