"""What lies within a window: leaving the rest out changes nothing that is seen there."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from render.base.geometry import Rect, Size
from render.layout import bounds
from render.png import paint
from render.png.canvas import Canvas
from render.scene.items import Group, Outline, Path, Scene, Stroke

SIZE = Size(20, 20)
CANVAS = Canvas(127)  # 5 pixels in a mm

numbers = st.integers(-8, 28).map(float)
points = st.tuples(numbers, numbers)
outlines = st.builds(Outline, points, st.lists(points, min_size=1, max_size=4).map(tuple), st.booleans())
strokes = st.none() | st.builds(
    lambda **lines: Stroke(**lines),  # its types, which are known to a checker alone, are not asked for
    color=st.just((200, 0, 0)),
    width=st.sampled_from([0.4, 3.0]),
    dashes=st.sampled_from([(), (2.0, 1.0)]),
)
shapes = st.builds(
    lambda *parts: Path(*parts),
    st.lists(outlines, min_size=1, max_size=6).map(tuple),
    st.just((0, 0, 200)),
    st.booleans(),
    strokes,
)
windows = st.builds(Rect, st.integers(0, 12), st.integers(0, 12), st.integers(1, 8), st.integers(1, 8))


@given(shapes, windows)
def test_a_shape_without_its_outlines_beyond_a_window_is_seen_in_it_as_it_was(shape: Path, window: Rect) -> None:
    whole = Scene(SIZE, (Group(window, (shape,)),))
    part = Scene(SIZE, (Group(window, tuple(bounds.within((shape,), window))),))
    one, other = (np.asarray(paint.paint(scene, CANVAS)).astype(int) for scene in (whole, part))
    off = np.abs(one - other)
    assert off.max() <= 1  # of 255: sums of fewer crossings are rounded otherwise


def test_outlines_beyond_a_window_are_left_out() -> None:
    near, far = (Outline((x, 1.0), ((x + 1, 1.0), (x + 1, 2.0)), True) for x in (1.0, 15.0))
    assert list(bounds.within([Path((near, far), (0, 0, 0))], Rect(0, 0, 5, 5))) == [Path((near,), (0, 0, 0))]
