"""Laws of how a picture lies in a box as its author frames it."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.base.geometry import Affine, Rect
from render.images.inspect import CONTAIN, COVER, Artwork, Fit, Framing, PicturePlacement, Scaling, frame, place

sides = st.floats(1.0, 80.0)
shares = st.floats(0.0, 1.0)
boxes = st.builds(Rect, st.floats(-9.0, 60.0), st.floats(-9.0, 60.0), sides, sides)
crops = st.tuples(shares, shares, st.floats(0.1, 1.0), st.floats(0.1, 1.0)).map(
    lambda each: Rect(each[0] * (1 - each[2]), each[1] * (1 - each[3]), each[2], each[3])
)
fits = st.builds(Fit, st.sampled_from(Scaling), st.sampled_from((0.0, 0.5, 1.0)), st.sampled_from((0.0, 0.5, 1.0)))
framings = st.builds(
    Framing,
    focus=st.none() | st.tuples(shares, shares),
    zoom=st.floats(1.0, 20.0),
    crop=crops,
    turn=st.sampled_from((0.0, 90.0, -90.0, 180.0)) | st.floats(-360.0, 360.0),
)


def artwork(framing: Framing, width: int = 900, height: int = 600) -> Artwork:
    return Artwork(Path("a.png"), "0" * 64, width, height, framing)


def framed(framing: Framing, box: Rect, fit: Fit = COVER) -> tuple[PicturePlacement, float]:
    found = frame(artwork(framing), box, fit)
    return found or (place(artwork(framing), box, fit), 0.0)


@given(framings, boxes, fits)
def test_only_the_part_that_is_used_shows_and_nothing_is_distorted_unless_it_is_asked_for(
    framing: Framing, box: Rect, fit: Fit
) -> None:
    placed, turn = framed(framing, box, fit)
    part, crop = placed.crop, framing.crop
    assert turn == framing.turn or framing == Framing()
    assert part.x >= crop.x - 1e-9
    assert part.y >= crop.y - 1e-9
    assert part.right <= crop.right + 1e-9
    assert part.bottom <= crop.bottom + 1e-9
    if fit.scaling is not Scaling.STRETCH:
        across, down = placed.box.width / (part.width * 900), placed.box.height / (part.height * 600)
        assert across == pytest.approx(down, rel=1e-6)


@given(framings, boxes)
def test_a_picture_that_covers_its_box_leaves_no_corner_of_it_free(framing: Framing, box: Rect) -> None:
    placed, turn = framed(framing, box)
    back = Affine.rotate(-turn)
    x, y = box.center
    for corner in ((box.x, box.y), (box.right, box.y), (box.x, box.bottom), (box.right, box.bottom)):
        along, across = back.apply(corner[0] - x, corner[1] - y)
        assert placed.box.outset(1e-6 * max(box.width, box.height)).holds(Rect(x + along, y + across, 0.0, 0.0))


@given(framings.map(lambda each: Framing(crop=each.crop, turn=each.turn)), boxes)
def test_a_picture_that_is_contained_shows_all_of_its_part_within_the_box(framing: Framing, box: Rect) -> None:
    placed, turn = framed(framing, box, CONTAIN)
    assert placed.crop.width == pytest.approx(framing.crop.width)
    assert placed.crop.height == pytest.approx(framing.crop.height)
    x, y = box.center
    seen = (Affine.move(x, y) @ Affine.rotate(turn) @ Affine.move(-x, -y)).box(placed.box)
    assert box.outset(1e-6 * max(box.width, box.height)).holds(seen)


@given(shares, shares, st.floats(1.0, 20.0), boxes)
def test_the_focus_is_in_sight_and_in_the_middle_if_the_picture_reaches_so_far(
    x: float, y: float, zoom: float, box: Rect
) -> None:
    placed, _ = framed(Framing(focus=(x, y), zoom=zoom), box)
    for point, start, length in ((x, placed.crop.x, placed.crop.width), (y, placed.crop.y, placed.crop.height)):
        assert start - 1e-9 <= point <= start + length + 1e-9
        if length / 2 < point < 1 - length / 2:
            assert start + length / 2 == pytest.approx(point, abs=1e-6)


def test_what_frames_nothing_lies_as_the_template_has_it() -> None:
    assert frame(artwork(Framing(tone="grey")), Rect(0.0, 0.0, 9.0, 9.0), COVER) is None


def test_a_template_sees_the_shape_of_what_is_used() -> None:
    crop = Rect(0.0, 0.0, 0.5, 1.0)
    assert (artwork(Framing(crop=crop)).shape.width, artwork(Framing(turn=90)).shape.width) == (450, 600)
    assert math.isclose(artwork(Framing(turn=20)).shape.width, 900)
