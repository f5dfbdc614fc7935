"""The PNG and the PDF of a card are the same picture.

The PDF is drawn by PDFium at 1200 dpi on a page of the card's size and averaged down to 300 dpi, where the renderer's
own snapping of glyphs and edges no longer shows.
"""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from render.game.faces import lay_out_set
from render.games.kotc.sets import load_sets
from render.pdf import document
from render.png import packing, paint
from render.png.canvas import Canvas
from render.scene.items import Placement, Scene
from tests.support import rasters
from tests.support.sets import write_set

CARDS = """
- id: aether-wave
  name: Æther Wave
  kind: minion
  level: 12
  ultra_points: 3
  sp: 10
  hp: 20
  text: |
    FIRST LIGHT: self-exhaust 2 resources→ Target up to 2 on-field minions; destroy the targets. (They are gone.)
    LAST WORD: Draw 2 cards.
  flavor: A fierce final flame over efficient, affluent office fields.
  art: {file: picture.jpg, author: A. Author, license: CC BY-SA 4.0}
- name: Covered
  kind: spell
  level: 0
  text: "When you take damage: Draw 1 card."
  art: {file: picture.jpg, fit: cover, corner: bottom-right, author: A. Author, license: CC0}
- name: No Picture At All
  kind: minion
  level: 1
  sp: 1
  hp: 0
- name: How a Turn Goes
  kind: tip
  text: |
    Draw a card.
    Then play.
"""

TEXT_ZONES = {
    "name": np.s_[60:124, 40:710],
    "credit": np.s_[550:577, 40:710],
    "ability": np.s_[586:800, 84:668],
    "flavor": np.s_[935:1010, 45:705],
}
SHAPES = np.s_[820:935, 45:705]
FRAME = np.s_[0:60, :]
ART = np.s_[130:545, 42:708]


def painting() -> Image.Image:
    """A picture with hard and soft edges, of another shape than the art box."""
    image = Image.radial_gradient("L").resize((1200, 900)).convert("RGB")
    drawing = ImageDraw.Draw(image)
    for index in range(12):
        drawing.ellipse(
            (90 * index, 60 * index, 90 * index + 200, 60 * index + 160), fill=(20 * index, 90, 250 - 20 * index)
        )
    return image


@pytest.fixture(scope="module")
def fronts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Scene]:
    folder = write_set(tmp_path_factory.mktemp("set"), CARDS)
    painting().save(folder / "picture.jpg", quality=92)
    (card_set,) = load_sets([folder])
    return {faces.card.id: faces.front for faces in lay_out_set(card_set).faces}


def both(scene: Scene) -> tuple[rasters.Pixels, rasters.Pixels]:
    """Return the card as its PNG and as its PDF show it, at 300 dpi."""
    as_png = rasters.png(packing.encode(paint.paint(scene, Canvas(300)), 300))
    page = document.Page(size=scene.size, placements=(Placement(face=scene, box=scene.size.rect),))
    return as_png, rasters.reduced(document.write([page], document.PdfOptions("Card")), 300, 4)


def difference(one: rasters.Pixels, other: rasters.Pixels) -> float:
    return float(np.abs(one - other).mean())


def similarity(one: rasters.Pixels, other: rasters.Pixels) -> float:
    """Return the structural similarity of two pictures (Wang et al. 2004, windows of 8 x 8 pixels)."""

    def windows(pixels: rasters.Pixels) -> np.ndarray:
        gray = (pixels[:, :, 0] + pixels[:, :, 1] + pixels[:, :, 2]) / 3  # three times as fast as their mean
        height, width = (size // 8 * 8 for size in gray.shape)
        return gray[:height, :width].reshape(height // 8, 8, width // 8, 8).swapaxes(1, 2).reshape(-1, 64)

    a, b = windows(one), windows(other)
    mean_a, mean_b = a.mean(axis=1), b.mean(axis=1)
    covariance = (a * b).mean(axis=1) - mean_a * mean_b
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    luminance = (2 * mean_a * mean_b + c1) / (mean_a**2 + mean_b**2 + c1)
    structure = (2 * covariance + c2) / (a.var(axis=1) + b.var(axis=1) + c2)
    return float((luminance * structure).mean())


@pytest.mark.parametrize("zone", TEXT_ZONES)
@pytest.mark.parametrize("card", ["aether-wave", "covered"])
def test_text_is_the_same_in_both(fronts: dict[str, Scene], card: str, zone: str) -> None:
    one, other = (pixels[TEXT_ZONES[zone]] for pixels in both(fronts[card]))
    assert difference(one, other) <= 1.0
    assert similarity(one, other) >= 0.998


@pytest.mark.parametrize("card", ["aether-wave", "covered", "no-picture-at-all", "how-a-turn-goes"])
def test_shapes_are_the_same_in_both(fronts: dict[str, Scene], card: str) -> None:
    one, other = both(fronts[card])
    assert difference(one[SHAPES], other[SHAPES]) <= 0.5
    assert difference(one[FRAME], other[FRAME]) <= 0.5


@pytest.mark.parametrize("card", ["aether-wave", "covered"])
def test_pictures_are_the_same_in_both(fronts: dict[str, Scene], card: str) -> None:
    one, other = both(fronts[card])
    assert difference(one[ART], other[ART]) <= 2.0


def test_a_drawn_placeholder_is_the_same_in_both(fronts: dict[str, Scene]) -> None:
    one, other = both(fronts["no-picture-at-all"])
    assert difference(one[ART], other[ART]) <= 0.5


def test_backs_are_the_same_in_both(tmp_path: Path) -> None:
    (card_set,) = load_sets([write_set(tmp_path, "{name: A, kind: minion, level: 1, sp: 1, hp: 0}")])
    back = lay_out_set(card_set).faces[0].back
    assert back
    one, other = both(back)
    assert difference(one, other) <= 0.5
    assert similarity(one, other) >= 0.99


def test_the_check_sees_text_that_is_half_a_pixel_off(fronts: dict[str, Scene]) -> None:
    one, other = (pixels[TEXT_ZONES["ability"]] for pixels in both(fronts["aether-wave"]))
    moved = (one[:, 1:] + one[:, :-1]) // 2
    assert difference(moved, other[:, 1:]) > 1.0
    assert similarity(moved, other[:, 1:]) < 0.998


def test_the_back_is_the_same_upside_down(tmp_path: Path) -> None:
    (card_set,) = load_sets([write_set(tmp_path, "{name: A, kind: minion, level: 1, sp: 1, hp: 0}")])
    back = lay_out_set(card_set).faces[0].back
    assert back
    shown = rasters.pixels(paint.paint(back, Canvas(300)))
    assert difference(shown, shown[::-1, ::-1]) <= 0.1
