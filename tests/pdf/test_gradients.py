"""Gradients and layers of a PDF: the picture of the PNG in several readers, and transparency only where needed."""

import shutil
import subprocess
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from render.base.geometry import Affine
from render.scene.items import Item, Layer
from render.scene.items import Path as Shape
from tests.support import painted_scenes as painted
from tests.support import rasters

FACES: dict[str, tuple[Item, ...]] = {
    "linear": painted.filled(painted.linear()),
    "skewed": painted.filled(painted.linear(transform=Affine(0.8, 0.3, -0.4, 0.9, 5.0, 2.0))),
    "radial": painted.filled(painted.radial()),
    "focal circle": painted.filled(painted.radial(focal_radius=4.0)),
    "reflected": painted.filled(painted.linear(spread="reflect", end=(15.0, 17.0))),
    "repeated": painted.filled(painted.linear(spread="repeat", end=(15.0, 17.0))),
    "rings": painted.filled(painted.radial(spread="reflect", radius=9.0)),
    "line": painted.lined(painted.linear(), join="round", cap="round"),
    "dashes": painted.lined(painted.radial(spread="reflect", radius=9.0), dashes=(3.0, 1.0)),
    "fading": painted.filled(painted.linear(painted.FADING)),
    "fading line": painted.lined(painted.linear(painted.FADING, spread="reflect", end=(15.0, 17.0))),
    "see-through": painted.see_through(),
    "turned": (painted.GROUND, Layer(items=painted.see_through(), transform=Affine.rotate(20), opacity=0.7)),
}


@pytest.mark.parametrize("face", FACES)
def test_png_and_pdf_are_one_picture(face: str) -> None:
    shown = rasters.reduced(painted.as_pdf(FACES[face]), 300, 2)  # PDFium takes the color at the corner of a pixel
    assert painted.mean_difference(painted.as_png(FACES[face]), shown) <= 1.0


def test_a_clip_in_one_color_is_as_exact_as_a_shape() -> None:
    face = painted.see_through(1.0)
    plain = (*face[:2], Layer(items=(Shape(painted.BLOB, (200, 0, 0), even_odd=True),), opacity=0.5))
    assert painted.mean_difference(painted.as_png(plain), rasters.reduced(painted.as_pdf(plain), 300, 2)) <= 0.5


@pytest.mark.parametrize("face", ["radial", "dashes", "fading", "see-through"])
def test_poppler_shows_the_same(tmp_path: Path, face: str) -> None:
    if shutil.which("pdftoppm") is None:
        pytest.skip("needs poppler's pdftoppm")
    (tmp_path / "face.pdf").write_bytes(painted.as_pdf(FACES[face]))
    subprocess.run(["pdftoppm", "-r", "600", "-png", "-singlefile", "face.pdf", "face"], cwd=tmp_path, check=True)
    with Image.open(tmp_path / "face.png") as opened:
        shown = rasters.pixels(opened.convert("RGB").reduce(2))
    assert painted.mean_difference(painted.as_png(FACES[face]), shown) <= 1.0


def test_opaque_gradients_and_clips_need_no_transparency() -> None:
    data = painted.as_pdf((*FACES["reflected"], *painted.see_through(1.0)))
    with pikepdf.open(BytesIO(data)) as file:
        held = [each for each in file.objects if isinstance(each, pikepdf.Dictionary | pikepdf.Stream)]
        keys = set[str]().union(*(each.keys() for each in held))
    assert "/BBox" in keys
    assert not keys & {"/SMask", "/Group", "/ca", "/ExtGState"}


def test_the_same_gradient_is_in_the_file_once() -> None:
    face = painted.filled(painted.linear())
    moved = Layer(items=face, transform=Affine.move(3.0, 3.0))
    assert painted.as_pdf((*face, moved)).count(b"/ShadingType") == painted.as_pdf(face).count(b"/ShadingType")


def test_equal_faces_give_equal_bytes() -> None:
    assert painted.as_pdf(FACES["turned"]) == painted.as_pdf(FACES["turned"])
