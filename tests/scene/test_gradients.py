"""Gradients as bands of two colors show what gradients of many stops show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from render.base.geometry import Affine, Rect
from render.layout import drawable
from render.layout.drawable import Undrawable
from render.scene import outlines as shapes
from render.scene.gradients import (
    PAD,
    REFLECT,
    REPEAT,
    Gradient,
    GradientStop,
    LinearGradient,
    RadialGradient,
    knots,
    mean,
    sampled,
)
from render.scene.items import Item, Layer, Outline, Path, Stroke, scene_digest
from render.scene.plain import MAX_TURNS, count_bands, plain
from tests.support import painted_scenes as painted
from tests.support.scene_dumps import dump

CARD = Rect(0.0, 0.0, 63.5, 88.9)


def inner(items: tuple[Item, ...]) -> list[Path]:
    """Return the shapes of items, and of layers among them."""
    layers = [item for item in items if isinstance(item, Layer)]
    shapes = [item for item in items if isinstance(item, Path)]
    return shapes + [path for layer in layers for path in inner(layer.items)]


@pytest.mark.parametrize("spread", [PAD, REFLECT, REPEAT])
@pytest.mark.parametrize("gradient", [painted.linear(end=(12.0, 11.0)), painted.radial(radius=7.0, focal_radius=2.0)])
def test_bands_show_the_gradient(gradient: Gradient, spread: str) -> None:
    shape = Path(painted.BLOB, replace(gradient, spread=spread), even_odd=True)
    assert painted.mean_difference(painted.as_png((shape,)), painted.as_png(plain(shape))) < 0.06


def test_bands_change_by_half_of_all_levels_at_most() -> None:
    for path in inner(plain(Path(painted.BLOB, painted.linear(spread=REPEAT, end=(8.0, 8.0))))):
        assert isinstance(path.fill, LinearGradient)
        one, other = path.fill.stops
        assert max(abs(a - b) for a, b in zip(one.color, other.color, strict=True)) <= 128


def test_a_shape_of_one_color_stays_as_it_is() -> None:
    assert plain(painted.BAR) == (painted.BAR,)


def test_stops_that_fade_become_a_mask() -> None:
    (layer,) = plain(Path(painted.BLOB, painted.radial(painted.FADING)))
    assert isinstance(layer, Layer)
    (mask,) = layer.mask
    assert isinstance(mask, Path)
    assert isinstance(mask.fill, RadialGradient)
    assert [stop.color for stop in mask.fill.stops] == [(255, 255, 255), (0, 0, 0)]
    assert all(path.fill is not None for path in inner(layer.items))


def test_stops_out_of_order_lie_where_the_one_before_them_lies() -> None:
    stops = (GradientStop(0.6, (0, 0, 0)), GradientStop(0.2, (255, 255, 255)))
    assert [place for place, _ in knots(stops)] == [0.0, 0.6, 0.6, 1.0]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_the_mean_is_that_of_many_samples(places: list[float]) -> None:
    along = knots(tuple(GradientStop(at, (round(at * 255), 0, 9)) for at in sorted(places)))
    samples = [*sampled(along, [(n + 0.5) / 1000 for n in range(1000)])]
    assert mean(along)[0] == pytest.approx(sum(each[0] for each in samples) / 1000, abs=0.005)


@given(st.floats(0, 1))
def test_samples_between_two_stops_lie_on_a_line(place: float) -> None:
    along = knots((GradientStop(0.0, (0, 0, 255)), GradientStop(1.0, (255, 0, 255))))
    assert next(sampled(along, [place])) == pytest.approx((place, 0.0, 1.0, 1.0))


def test_a_digest_knows_gradients_and_layers() -> None:
    scenes = [
        painted.scene(painted.filled(painted.linear())),
        painted.scene(painted.filled(painted.linear(spread=REFLECT))),
        painted.scene(painted.see_through(0.5)),
        painted.scene(painted.see_through(0.6)),
    ]
    assert len({scene_digest(scene) for scene in scenes}) == 4


LINE = Stroke(color=(1, 2, 3), width=1.0)
ROUND = painted.radial()
SHAPE = Path((Outline((0.0, 0.0), ((1.0, 1.0),), False),), ROUND, stroke=LINE)


@pytest.mark.parametrize(
    "other",
    [
        *(
            replace(SHAPE, stroke=line)
            for line in (
                replace(LINE, width=2.0),
                replace(LINE, cap="round"),
                replace(LINE, join="bevel"),
                replace(LINE, miter_limit=3.0),
                replace(LINE, dashes=(1.0,)),
            )
        ),
        replace(SHAPE, fill=replace(ROUND, radius=5.0)),
        replace(SHAPE, fill=replace(ROUND, focal_radius=1.0)),
        replace(SHAPE, fill=replace(ROUND, transform=Affine.move(1.0, 0.0))),
        replace(SHAPE, even_odd=True),
        replace(SHAPE, outlines=(Outline((0.0, 0.0), ((1.0, 1.0),), True),)),
        replace(SHAPE, outlines=(Outline((0.0, 0.0), ((1.0, 2.0),), False),)),
    ],
)
def test_a_digest_knows_all_of_a_shape(other: Path) -> None:
    assert scene_digest(painted.scene((SHAPE,))) != scene_digest(painted.scene((other,)))


def test_a_dump_tells_gradients_and_layers() -> None:
    said = dump(painted.scene(painted.see_through()))
    assert "layer opacity 0.5 clip even-odd M 5 5" in said
    assert "fill linear 3 3 27 37 pad (0 #c81e14 1, 0.5 #faf03c 1, 1 #0a1ea0 1)" in said


@pytest.mark.parametrize(
    ("gradient", "message"),
    [
        (
            painted.linear(stops=tuple(GradientStop(at / 999, (at % 255, 0, 0)) for at in range(1000))),
            "has a gradient of 1,000 stops, and gradients have up to 256",
        ),
        (
            painted.linear(spread=REPEAT, end=(3.001, 3.0)),
            "repeats its gradient 26,000 times, and gradients are repeated up to 200 times",
        ),
        (
            painted.linear(transform=Affine(1.0, 1.0, 1.0, 1.0)),
            "has a gradient that is squeezed flat, or stretched without end",
        ),
    ],
    ids=["stops", "turns", "flat"],
)
def test_gradients_without_bounds_are_refused(gradient: Gradient, message: str) -> None:
    with pytest.raises(Undrawable, match=f"^{message}$"):
        drawable.work_of(Path(shapes.rect(2.0, 2.0, 26.0, 36.0), gradient), CARD)


def test_a_gradient_is_weighed_by_its_bands() -> None:
    one = Path(painted.BLOB, (1, 2, 3))
    many = Path(painted.BLOB, painted.linear(spread=REPEAT, end=(4.0, 4.0)))
    assert isinstance(many.fill, LinearGradient)
    bands = count_bands(many.fill, Rect(0.0, 0.0, 30.0, 40.0))
    assert 20 < bands < 20 * MAX_TURNS
    plainer, weighed = drawable.work_of(one, CARD), drawable.work_of(many, CARD)
    assert weighed["points of outlines"] > plainer["points of outlines"] + 20 * 26
    assert weighed["cards of painted area"] == 3 * plainer["cards of painted area"]
