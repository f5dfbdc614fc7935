"""Laws of the numbers of shapes, which are written many at once."""

from __future__ import annotations

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from render.base.geometry import Size
from render.pdf.operators import number, path_operators
from render.scene.items import Outline, Path, Scene, scene_digest

numbers = st.one_of(
    st.floats(-10_000, 10_000),
    st.floats(-0.001, 0.001),
    st.integers(-10_000, 10_000).map(lambda value: value / 1000),
    st.sampled_from((5.649e-05, -1e-05, 0.0001, 6e-17, 1.5e15)),
).map(lambda value: value + 0.0)  # 0 and -0 are equal, and equal shapes have one digest
points = st.tuples(numbers, numbers)
segments = st.lists(st.one_of(points, st.tuples(*[numbers] * 6)), min_size=1, max_size=4).map(tuple)
outlines = st.builds(Outline, points, segments, st.booleans())


@given(outlines)
def test_the_numbers_of_a_pdf_are_those_of_single_ones(outline: Outline) -> None:
    steps = [(outline.start, "m"), *((each, "l" if len(each) == 2 else "c") for each in outline.segments)]
    words = [word for step, name in steps for word in (*map(number, step), name)] + ["h"] * outline.closed
    assert path_operators(Path((outline,), (0, 0, 0))) == [f"0 g {' '.join(words)} f"]


@given(outlines)
def test_a_digest_is_that_of_numbers_as_python_writes_them(outline: Outline) -> None:
    text = f"Outline(start={outline.start!r}, segments={outline.segments!r}, closed={outline.closed})"
    path = f"Path(outlines=({text},), fill=(0, 0, 0), even_odd=False, stroke=None)"
    whole = b"Size(width=1.0, height=1.0)" + hashlib.sha256(path.encode("ascii")).digest()
    assert scene_digest(Scene(Size(1.0, 1.0), (Path((outline,), (0, 0, 0)),))) == hashlib.sha256(whole).hexdigest()
