"""PNGs: what is painted earlier than its turn, and packed once for many cards, gives the same picture and bytes."""

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from render.base.geometry import Affine, Rect, Size
from render.png import packing, paint
from render.png.canvas import Canvas
from render.scene.items import Group, Item, Outline, Path, Picture, Placement, Scene, Stroke, TextRun
from render.text import fonts
from tests.support import rasters

SIZE = Size(20.0, 16.0)
FACE = "DejaVu Sans"
CANVAS = Canvas(150, 1.0)
COLORS = st.tuples(*[st.integers(0, 255)] * 3)
PLACES = st.floats(-3, 18, width=16)
LENGTHS = st.floats(0.5, 12, width=16)


def frame(x: float, y: float, width: float, height: float, stroke: Stroke | None = None) -> Path:
    corners = ((x + width, y), (x + width, y + height), (x, y + height))
    return Path((Outline((x, y), corners, True),), None if stroke else (200, 90, 30), stroke=stroke)


@st.composite
def items(draw: st.DrawFn, picture: Picture) -> Item:
    x, y, width, height = draw(PLACES), draw(PLACES), draw(LENGTHS), draw(LENGTHS)
    color = draw(COLORS)
    match draw(st.sampled_from(("shape", "frame", "picture", "text", "group"))):
        case "shape":
            return Path(frame(x, y, width, height).outlines, color)
        case "frame":
            return frame(x, y, width, height, Stroke(color=color, width=0.4))
        case "picture":
            return Picture(
                file=picture.file, digest=picture.digest, box=Rect(x, y, width, height), crop=Rect(0, 0, 1, 1)
            )
        case "group":
            return Group(Rect(x, y, width, height), (frame(x + 0.5, y + 0.5, width, height),))
        case _:
            face = fonts.face(FACE)
            glyphs = tuple(draw(st.lists(st.integers(36, 90), min_size=1, max_size=4)))
            return TextRun(
                face=FACE,
                size=height / 2,
                transform=Affine.move(x, y),
                fill=color,
                glyphs=glyphs,
                advances=(face.units_per_em // 2,) * len(glyphs),
                text=("x",) * len(glyphs),
            )


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Picture:

    file = tmp_path_factory.mktemp("art") / "art.png"
    Image.effect_noise((40, 30), 60).convert("RGB").save(file)
    return Picture(
        file=file, digest=hashlib.sha256(file.read_bytes()).hexdigest(), box=Rect(0, 0, 1, 1), crop=Rect(0, 0, 1, 1)
    )


def test_what_is_painted_before_its_turn_gives_the_picture_of_its_turn(picture: Picture) -> None:
    @given(st.lists(items(picture), max_size=9))
    def law(found: list[Item]) -> None:
        whole = Group(SIZE.rect.outset(10), tuple(found))  # which is painted item by item
        together = rasters.pixels(paint.paint(Scene(SIZE, tuple(found)), CANVAS))
        assert np.array_equal(together, rasters.pixels(paint.paint(Scene(SIZE, (whole,)), CANVAS)))

    law()


def test_the_bytes_do_not_depend_on_the_picture_before() -> None:
    gray = Image.linear_gradient("L").resize((90, 300)).convert("RGB")
    other = gray.copy()
    other.paste((255, 0, 0), (10, 140, 80, 150))
    alone = packing.encode(other, 300)
    packing.encode(gray, 300)
    after_gray = packing.encode(other, 300)
    assert after_gray == alone
    assert np.array_equal(rasters.png(after_gray), np.asarray(other))


@pytest.mark.parametrize("height", [1, 63, 64, 65, 128])
def test_every_height_can_be_read_back(height: int) -> None:
    noise = Image.effect_noise((7, height), 90).convert("RGB")
    assert np.array_equal(rasters.png(packing.encode(noise, 300)), np.asarray(noise))


@given(st.integers(40, 160), st.integers(1, 3), st.integers(1, 4))
def test_sheets_of_white_cards_are_white_at_any_resolution(dpi: int, columns: int, rows: int) -> None:
    white = Scene(Size(63.5, 88.9), ())
    boxes = [Rect(9.75 + 63.5 * x, 15.15 + 88.9 * y, 63.5, 88.9) for x in range(columns) for y in range(rows)]
    page = Size(19.5 + 63.5 * columns, 30.3 + 88.9 * rows)
    sheet = paint.paint_sheet(page, [Placement(face=white, box=box) for box in boxes], (), dpi)
    assert np.asarray(sheet).min() == 255
