"""Pictures that are partly transparent: what lies beneath shows, the same in PNG and PDF, without fringes."""

from collections.abc import Callable
from functools import partial
from io import BytesIO
from pathlib import Path

import numpy as np
import pikepdf
import pytest
from msgspec.structs import replace
from PIL import Image

from render.base.geometry import Affine, Rect
from render.exports import press_files
from render.images.decode import check_picture, decode_picture, open_raster
from render.images.inspect import PictureReference, inspect
from render.images.opacity import spread_colors
from render.images.resample import Deflated, Jpeg, colored_inks, embeddable, pixels, printable
from render.layout import bounds
from render.scene import outlines as shapes
from render.scene.items import Item, Layer, Picture, Scene, scene_digest
from render.scene.items import Path as Shape
from render.scene.proof_kinds import Proof
from render.scene.proofs import proof
from tests.support import painted_scenes as painted
from tests.support import rasters
from tests.support.picture_files import ADOBE_RGB, in_bytes, png_chunk

RED, BLUE, GREEN = (200, 30, 30), (30, 30, 200), (20, 160, 60)
GROUNDS = Shape(shapes.rect(-5, -5, 20, 50), RED), Shape(shapes.rect(15, -5, 20, 50), BLUE)
ON_RED = Shape(shapes.rect(-5, -5, 40, 50), RED)
BOX = Rect(3, 8, 24, 24)
WHOLE = Rect(0, 0, 1, 1)


def disc(size: int, hidden: tuple[int, int, int] = (0, 0, 0)) -> Image.Image:
    """Return a green disc with a soft edge, and beyond it a color that nobody should see."""
    y, x = np.mgrid[:size, :size] + 0.5
    distance = np.hypot(x - size / 2, y - size / 2)
    opacity = np.clip((0.45 * size - distance) + 0.5, 0, 1)
    image = np.where((opacity > 0)[..., None], np.asarray(GREEN, np.uint8), np.asarray(hidden, np.uint8))
    return Image.fromarray(np.dstack((image, np.uint8(np.rint(255 * opacity)))), "RGBA")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "picture"


def placed(file: Path, content: bytes, **look: object) -> Picture:
    """Return a picture as templates place it: its file tells whether it is sheer."""
    file.write_bytes(content)
    artwork = inspect(file, PictureReference("picture")).artwork
    assert artwork
    shown = Picture(file=file, digest=artwork.digest, box=BOX, crop=WHOLE, is_sheer=artwork.is_sheer)
    return replace(shown, **look)


def covering(picture: Picture) -> Picture:
    """Return a picture on white, which covers its box."""
    return replace(picture, is_sheer=False)


def both(*items: Item, dpi: float) -> tuple[rasters.Pixels, rasters.Pixels]:
    """Return a PNG, and the PDF as PDFium draws it, at a resolution."""
    png, pdf = painted.as_png(items, dpi), rasters.page(painted.as_pdf(items), 0, dpi)
    height, width = min(png.shape[0], pdf.shape[0]), min(png.shape[1], pdf.shape[1])
    return png[:height, :width], pdf[:height, :width]


def fringe(seen: rasters.Pixels) -> float:
    """Return how far a pixel of a green figure on red is, in a channel, from all mixtures of just these two."""
    away, apart = seen - np.asarray(RED, np.float64), np.subtract(GREEN, RED, dtype=np.float64)
    share = (away @ apart / (apart @ apart)).clip(0, 1)
    return float(abs(away - share[..., None] * apart).max())


# --- what shows ------------------------------------------------------------------------------------------------------

KINDS: dict[str, Callable[[Image.Image], bytes]] = {
    "png": partial(in_bytes, kind="PNG"),
    "webp": partial(in_bytes, kind="WEBP", lossless=True, exact=True),
    "lossy": partial(in_bytes, kind="WEBP", quality=95),
    "palette": lambda image: in_bytes(
        image.getchannel("A").point([int(level > 127) for level in range(256)]).convert("P"), "PNG", transparency=0
    ),
}


@pytest.mark.parametrize("dpi", [72.0, 300.0, 600.0])
@pytest.mark.parametrize("hidden", [(0, 0, 0), (255, 255, 255)], ids=["on black", "on white"])
@pytest.mark.parametrize("kind", ["png", "webp"])
def test_the_ground_shows_around_a_cut_out_figure_the_same_in_png_and_pdf(
    file: Path, kind: str, hidden: tuple[int, int, int], dpi: float
) -> None:
    figure = placed(file, KINDS[kind](disc(700, hidden)))
    png, pdf = both(*GROUNDS, figure, dpi=dpi)
    grounds, _ = both(*GROUNDS, dpi=dpi)
    corner = tuple(round((side + 1) * dpi / 25.4) for side in (BOX.y, BOX.x))
    assert (png[corner] == grounds[corner]).all()
    assert abs(png[png.shape[0] * 24 // 40, png.shape[1] // 2] - GREEN).max() <= 1
    assert painted.mean_difference(png, pdf) < painted.mean_difference(*both(*GROUNDS, covering(figure), dpi=dpi))
    assert max(map(fringe, both(ON_RED, figure, dpi=dpi))) <= 4


@pytest.mark.parametrize("kind", ["lossy", "palette"])
def test_other_files_are_cut_out_as_well(file: Path, kind: str) -> None:
    png, pdf = both(*GROUNDS, placed(file, KINDS[kind](disc(700))), dpi=300)
    corner = tuple(round((side + 1) * 300 / 25.4) for side in (BOX.y, BOX.x))
    assert tuple(png[corner]) == RED
    assert painted.mean_difference(png, pdf) < 1.0
    assert type(embeddable(placed(file, KINDS[kind](disc(700))))) is (Jpeg if kind == "lossy" else Deflated)


def test_gray_with_opacity_stays_gray_and_a_transparent_tone_of_gray_shows_through(file: Path) -> None:
    veil = Image.merge("LA", (Image.new("L", (4, 4), 50), Image.linear_gradient("L").resize((4, 4))))
    assert pixels(placed(file, in_bytes(veil, "PNG"))).mode == "LA"
    keyed = placed(file, in_bytes(Image.linear_gradient("L"), "PNG", transparency=7))
    assert pixels(keyed).getchannel("A").histogram()[0] == 256


def test_a_turned_mirrored_cropped_and_half_seen_figure_is_the_same_in_png_and_pdf(file: Path) -> None:
    figure = placed(file, in_bytes(disc(700, (255, 255, 255)), "PNG"), turned=True, crop=Rect(0.1, 0.2, 0.7, 0.7))
    for place in (
        Affine.move(15, 20) @ Affine.rotate(33) @ Affine.move(-15, -20),
        Affine.move(15, 20) @ Affine.rotate(90) @ Affine.move(-15, -20),
        Affine.move(30, 0) @ Affine.scale(-1, 1),
    ):
        layer = Layer(items=(figure,), transform=place, opacity=0.6)
        as_box = replace(layer, items=(covering(figure),))
        png, pdf = both(*GROUNDS, layer, dpi=300)
        assert painted.mean_difference(png, pdf) < painted.mean_difference(*both(*GROUNDS, as_box, dpi=300))
        assert max(map(fringe, both(ON_RED, layer, dpi=300))) <= 4


def test_a_drawing_shows_what_lies_beneath_where_it_draws_nothing(file: Path) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4.5" fill="#14a03c"/></svg>'
    figure = placed(file.with_suffix(".svg"), svg.encode())
    assert painted.mean_difference(*both(*GROUNDS, figure, dpi=300)) < 0.6
    assert max(map(fringe, both(ON_RED, figure, dpi=300))) <= 4


# --- colors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tone", ["grey", "#7a3b1e"])
def test_a_tone_changes_colors_and_not_opacity(file: Path, tone: str) -> None:
    figure = placed(file, in_bytes(disc(90), "PNG"))
    plain, shaded = pixels(figure), pixels(replace(figure, tone=tone))
    assert shaded.getchannel("A").tobytes() == plain.getchannel("A").tobytes()
    opaque = placed(file, in_bytes(disc(90).convert("RGB"), "PNG"), tone=tone)
    assert shaded.convert(pixels(opaque).mode).getpixel((45, 45)) == pixels(opaque).getpixel((45, 45))


def test_a_profile_changes_colors_and_not_opacity(file: Path) -> None:
    figure = pixels(placed(file, in_bytes(disc(90), "PNG", icc_profile=ADOBE_RGB)))
    opaque = pixels(placed(file, in_bytes(disc(90).convert("RGB"), "PNG", icc_profile=ADOBE_RGB)))
    assert figure.getchannel("A").tobytes() == disc(90).getchannel("A").tobytes()
    assert figure.convert("RGB").tobytes() == opaque.tobytes()
    assert opaque.getpixel((45, 45)) != GREEN


def test_in_inks_the_opacity_is_the_same_and_what_is_hidden_takes_no_ink(file: Path) -> None:
    press = press_files.press()
    figure = placed(file, in_bytes(disc(200), "PNG"))
    packed = printable(figure, press, (200, 200))
    assert (packed.channels, packed.opacity) == (4, embeddable(figure).opacity)
    corner = replace(figure, crop=Rect(0, 0, 0.1, 0.1), box=Rect(0, 0, 2.4, 2.4))
    assert colored_inks(corner, press) == 0
    assert colored_inks(figure, press) > 1


def test_colors_beneath_what_is_transparent_are_those_nearby() -> None:
    for size in (1, 2, 7, 90):
        spread = np.asarray(spread_colors(disc(size, (255, 0, 255))).convert("RGB")).astype(int)
        assert abs(spread - GREEN).max() <= 8


# --- what is opaque --------------------------------------------------------------------------------------------------


def test_opacity_that_is_full_everywhere_changes_no_byte(file: Path) -> None:
    colors = disc(300).convert("RGB")
    full = colors.copy()
    full.putalpha(255)
    without, with_it = (placed(file, in_bytes(each, "PNG")) for each in (colors, full))
    assert not with_it.is_sheer
    assert embeddable(with_it) == embeddable(covering(with_it))
    file.write_bytes(in_bytes(colors, "PNG"))
    packed = embeddable(without)
    file.write_bytes(in_bytes(full, "PNG"))
    assert embeddable(with_it) == packed
    assert packed.opacity == b""


@pytest.mark.parametrize("size", [(1, 1), (3000, 2000)])
def test_one_pixel_that_is_nearly_opaque_is_found(size: tuple[int, int]) -> None:
    image = Image.new("RGBA", size, (*GREEN, 255))
    assert check_picture(in_bytes(image, "PNG", compress_level=1))[2] is False
    image.putpixel((size[0] - 1, size[1] - 1), (*GREEN, 254))
    assert check_picture(in_bytes(image, "PNG", compress_level=1))[2] is True


def test_a_large_picture_keeps_its_opacity_however_it_is_cut_into_strips() -> None:
    image = disc(2600)
    drawn = decode_picture(open_raster(in_bytes(image, "PNG", compress_level=1)), is_sheer=True)
    assert drawn.tobytes() == image.tobytes()


def test_a_color_of_a_palette_that_is_transparent_and_not_used_hides_what_lies_beneath(file: Path) -> None:
    clear = png_chunk(b"tRNS", bytes((255, 0)))
    opened = Image.new("P", (2, 1))
    opened.putpalette((255, 0, 0, 0, 255, 0))
    content = in_bytes(opened, "PNG")
    at = content.index(b"IDAT") - 4
    assert placed(file, content[:at] + clear + content[at:]).is_sheer is False


# --- what covers -----------------------------------------------------------------------------------------------------


def test_it_covers_no_ground_and_has_a_digest_of_its_own(file: Path) -> None:
    figure = placed(file, in_bytes(disc(90), "PNG"))
    opaque = covering(figure)
    assert [*bounds.grounds((opaque,))] == [BOX]
    assert [*bounds.grounds((figure,))] == []
    assert scene_digest(Scene(painted.SIZE, (figure,))) != scene_digest(Scene(painted.SIZE, (opaque,)))


def test_a_low_ink_proof_shows_what_lies_beneath(file: Path) -> None:
    label = Shape(shapes.rect(8, 12, 3, 2), (0, 0, 0))
    figure = placed(file, in_bytes(disc(90), "PNG"))
    kept = rasters.darkest(painted.as_png(proof(Scene(painted.SIZE, (label, figure)), Proof.LOW_INK).items))
    assert (kept[130:176, 90:135] < 200).any()


def test_a_mask_is_a_picture_of_as_many_pixels(file: Path) -> None:
    data = painted.as_pdf((*GROUNDS, placed(file, in_bytes(disc(2000), "PNG"))))
    with pikepdf.open(BytesIO(data)) as pdf:
        pictures = (each for each in pdf.objects if isinstance(each, pikepdf.Stream))
        (image,) = (each for each in pictures if "/SMask" in each)
        mask = image.SMask
        assert isinstance(mask, pikepdf.Stream)
        assert pikepdf.PdfImage(image).size == pikepdf.PdfImage(mask).size == (566, 566)
        assert pikepdf.PdfImage(mask).as_pil_image().getextrema() == (0, 255)
