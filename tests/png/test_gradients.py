"""Gradients, layers and turned pictures as pixels."""

import hashlib
from pathlib import Path as FilePath

import numpy as np
import pytest

from render.base.geometry import Affine, Rect
from render.scene import outlines as shapes
from render.scene.gradients import GradientStop, LinearGradient, RadialGradient
from render.scene.items import ClipShape, Item, Layer, Path, Picture
from tests.support import painted_scenes as painted

BLACK_TO_WHITE = (GradientStop(0.0, (0, 0, 0)), GradientStop(1.0, (255, 255, 255)))
ALL = shapes.rect(0, 0, 30, 40)
DPI = 254.0  # 10 px a mm


def along(start: float, end: float, spread: str = "pad") -> LinearGradient:
    return LinearGradient(stops=BLACK_TO_WHITE, start=(start, 0.0), end=(end, 0.0), spread=spread)


def row(*items: Item) -> list[int]:
    """Return the red of a row of pixels."""
    return [int(value) for value in painted.as_png(items, DPI)[200, :, 0]]


def test_the_middle_of_a_pixel_has_its_color() -> None:
    found = row(Path(ALL, along(0.0, 25.5)))
    assert all(abs(value - (x + 0.5)) <= 0.5 for x, value in enumerate(found[:255]))
    assert found[255:] == [255] * 45


def test_a_reflected_gradient_runs_back() -> None:
    found = row(Path(ALL, along(0.0, 10.0, "reflect")))
    assert found[100:200] == found[:100][::-1]
    assert found[200:300] == found[:100]


def test_a_repeated_gradient_begins_again() -> None:
    found = row(Path(ALL, along(0.0, 10.0, "repeat")))
    assert found[100:200] == found[200:300] == found[:100]


def test_a_hard_edge_within_a_pixel_is_smooth() -> None:
    stops = (GradientStop(0.5, (0, 0, 0)), GradientStop(0.5, (255, 255, 255)))
    found = row(Path(ALL, LinearGradient(stops=stops, start=(0.0, 0.0), end=(20.05, 0.0))))
    assert found[99] == 0
    assert found[100] == pytest.approx(255 * 0.75, abs=1)
    assert found[101] == 255


def test_a_circle_of_colors_is_about_its_center() -> None:
    gradient = RadialGradient(stops=BLACK_TO_WHITE, center=(15.0, 20.0), radius=10.0, focus=(15.0, 20.0))
    found = row(Path(ALL, gradient))
    assert found[:150] == found[150:][::-1]
    assert found[50] > 250
    assert found[149] < 5


def test_a_group_hides_what_it_covers_itself() -> None:
    red, blue = Path(ALL, (255, 0, 0)), Path(ALL, (0, 0, 255))
    seen = painted.as_png((Layer(items=(red, blue), opacity=0.5),), DPI)
    assert tuple(seen[200, 150]) == (127, 127, 255) or tuple(seen[200, 150]) == (128, 128, 255)


def test_what_overlaps_by_itself_is_seen_through_twice() -> None:
    half = Layer(items=(Path(ALL, (0, 0, 0)),), opacity=0.5)
    assert abs(int(painted.as_png((half, half), DPI)[200, 150, 0]) - 64) <= 1


def test_all_clips_hold() -> None:
    left, top = ClipShape(shapes.rect(0, 0, 15, 40)), ClipShape(shapes.rect(0, 0, 30, 20))
    seen = painted.as_png((Layer(items=(Path(ALL, (0, 0, 0)),), clips=(left, top)),), DPI)[:, :, 0]
    assert (seen[:200, :150] == 0).all()
    assert (seen[200:, :] == 255).all()
    assert (seen[:, 150:] == 255).all()


def test_a_clip_without_outlines_shows_nothing() -> None:
    nothing = Layer(items=(Path(ALL, (0, 0, 0)),), clips=(ClipShape(()),))
    assert (painted.as_png((nothing,), DPI) == 255).all()


def test_a_layer_of_shapes_is_drawn_once_for_all_cards() -> None:
    first = painted.as_png(painted.see_through())
    assert (painted.as_png(painted.see_through()) == first).all()


def picture(folder: FilePath) -> Picture:
    file = painted.picture_file(folder)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    return Picture(file=file, digest=digest, box=Rect(-10.0, -15.0, 20.0, 30.0), crop=Rect(0.0, 0.0, 0.5, 0.5))


@pytest.mark.parametrize(("degrees", "turns"), [(90, 3), (180, 2), (270, 1)])
def test_a_quarter_turn_keeps_the_pixels_of_a_picture(tmp_path: FilePath, degrees: int, turns: int) -> None:
    shown = picture(tmp_path)

    def turned(by: Affine) -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
        place = Affine.move(15.0, 15.0) @ by
        return painted.as_png((Layer(items=(shown,), transform=place),), DPI)[:300, :300]

    assert painted.mean_difference(np.rot90(turned(Affine()), turns), turned(Affine.rotate(degrees))) < 0.3


def test_a_skewed_picture_stays_in_its_box(tmp_path: FilePath) -> None:
    place = Affine(0.8, 0.3, -0.4, 0.9, 15.0, 20.0)
    seen = painted.as_png((Layer(items=(picture(tmp_path),), transform=place),), DPI)
    outside = Path(shapes.move_outlines(shapes.rect(-10, -15, 20, 30), place), (255, 255, 255))
    covered = painted.as_png((Layer(items=(picture(tmp_path),), transform=place), outside), DPI)
    assert (seen < 250).any()
    assert covered.min() > 120  # only pixels at its edge, covered in part
