"""GIMP files are read as GIMP shows them: those that GIMP 2.10 wrote, and one of every version of the format."""

import struct
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from render.images.xcf.pixels import flattened, layer_pixels
from render.images.xcf.reading import BrokenXcf, Extent, XcfImage, read_xcf
from render.images.xcf.text_layers import TextLayer, read_text_layer
from tests.support.xcf_files import NONE, RLE, ZLIB, Array, MadeLayer, picture, said, xcf

FROM_GIMP = sorted((Path(__file__).parent / "xcf").glob("*.xcf"))
NAMES = [file.stem for file in FROM_GIMP]


def whole(image: XcfImage) -> Extent:
    return Extent(0, 0, image.width, image.height)


def shown(image: XcfImage, box: Extent | None = None) -> NDArray[np.float64]:
    """Return the image as it is seen, from 0 to 255."""
    pixels = flattened(image, image.within(None), box or whole(image))
    return pixels[:, :, :3] / (np.iinfo(pixels.dtype).max / 255)


def pixels_of(data: bytes, name: str = "Image") -> Array:
    image = read_xcf(data)
    (layer,) = (each for each in image.layers if each.name == name)
    return layer_pixels(image, layer, layer.extent)


@pytest.mark.parametrize("file", FROM_GIMP, ids=NAMES)
def test_a_file_looks_as_gimp_shows_it(file: Path) -> None:
    with Image.open(file.with_suffix(".png")) as exported:
        deep = exported.mode.startswith("I;16")
        wanted = np.asarray(exported) / 257 if deep else np.asarray(exported.convert("RGB"), np.float64)
    mine = shown(read_xcf(file.read_bytes()))
    assert np.abs(mine - (wanted[:, :, None] if deep else wanted)).max() <= 1.01


def test_the_files_of_gimp_are_of_four_versions() -> None:
    assert {read_xcf(file.read_bytes()).version for file in FROM_GIMP} == {0, 1, 11, 12}


VERSIONS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 17, 18, 19, 20, 21, 22]


@pytest.mark.parametrize("compression", [NONE, RLE, ZLIB], ids=["plain", "rle", "zlib"])
@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_and_compression_gives_the_same_pixels(version: int, compression: int) -> None:
    wanted = picture(130, 70)
    data = xcf([MadeLayer(name="Image", pixels=wanted)], version=version, compression=compression)
    assert np.array_equal(pixels_of(data), wanted)


@pytest.mark.parametrize("version", [4, 6, 7, 11, 12, 22])
@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_pictures_of_16_bits_keep_every_bit(version: int, channels: int) -> None:
    wanted = picture(70, 66, channels, "uint16")
    base = 0 if channels > 2 else 1
    assert np.array_equal(pixels_of(xcf([MadeLayer(name="Image", pixels=wanted)], version=version, base=base)), wanted)


@pytest.mark.parametrize("kind", ["uint32", "float16", "float32", "float64"])
def test_pictures_of_32_bits_are_rounded_to_16(kind: str) -> None:
    stored = picture(20, 20, 3, kind)
    fractions = stored.astype(np.float64) / (2**32 - 1 if kind == "uint32" else 1)
    found = pixels_of(xcf([MadeLayer(name="Image", pixels=stored)], version=12, compression=ZLIB))
    assert found.dtype == np.uint16
    assert np.abs(found.astype(np.float64) / 65535 - fractions).max() < 1 / 65000


def test_numbers_that_are_none_are_black_and_those_beyond_white_are_white() -> None:
    stored = np.array([[[np.nan, np.inf, -3.0]]], np.float32)
    assert pixels_of(xcf([MadeLayer(name="Image", pixels=stored)], version=12)).tolist() == [[[0, 65535, 0]]]


def test_indexed_colors_are_looked_up_and_missing_ones_are_black() -> None:
    stored = np.array([[[0], [1], [2]]], np.uint8)
    data = xcf([MadeLayer(name="Image", pixels=stored)], base=2, version=1, colors=bytes([9, 8, 7, 255, 0, 1]))
    assert pixels_of(data).tolist() == [[[9, 8, 7], [255, 0, 1], [0, 0, 0]]]


def test_only_the_tiles_that_are_asked_for_are_decoded() -> None:
    wanted = picture(128, 64)
    data = xcf([MadeLayer(name="Image", pixels=wanted)], compression=ZLIB)
    image = read_xcf(data[:-900])  # the second tile is cut off
    left, right = Extent(10, 10, 30, 30), Extent(70, 10, 30, 30)
    assert np.array_equal(layer_pixels(image, image.layers[0], left), wanted[10:40, 10:40])
    with pytest.raises(BrokenXcf):
        layer_pixels(image, image.layers[0], right)


# --- layers upon each other -----------------------------------------------------------------------------------------


def plain(color: tuple[int, ...], size: tuple[int, int] = (4, 4)) -> Array:
    return np.full((size[1], size[0], len(color)), color, np.uint8)


WHITE = MadeLayer(name="white", pixels=plain((255, 255, 255, 255)))


def first_pixel(*layers: MadeLayer, version: int = 3) -> list[int]:
    image = read_xcf(xcf([*layers, WHITE], (4, 4), version=version))
    return [round(level) for level in shown(image)[0, 0].tolist()]


def test_opacity_and_mask_let_what_lies_below_through() -> None:
    black = plain((0, 0, 0, 255))
    assert first_pixel(MadeLayer(name="half", pixels=black, opacity=0.6)) == [102, 102, 102]
    assert first_pixel(MadeLayer(name="masked", pixels=black, mask=np.full((4, 4), 51, np.uint8))) == [204] * 3
    assert first_pixel(MadeLayer(name="hidden", pixels=black, visible=False)) == [255] * 3


def test_layers_of_a_hidden_group_are_hidden_and_those_of_a_pale_one_pale() -> None:
    inside = MadeLayer(name="inside", pixels=plain((0, 0, 0, 255)), path=(0, 0))
    assert first_pixel(MadeLayer(name="group", group=True, size=(4, 4)), inside) == [0, 0, 0]
    assert first_pixel(MadeLayer(name="group", group=True, size=(4, 4), visible=False), inside) == [255] * 3
    assert first_pixel(MadeLayer(name="group", group=True, size=(4, 4), opacity=0.2), inside) == [204] * 3


def test_a_layer_beyond_the_canvas_is_cut_off() -> None:
    layer = MadeLayer(name="far", pixels=plain((0, 0, 0, 255)), at=(-3, -3))
    image = read_xcf(xcf([layer, WHITE], (4, 4)))
    assert shown(image)[:, :, 0].tolist() == [[0, 255, 255, 255], *[[255] * 4] * 3]


# --- texts ----------------------------------------------------------------------------------------------------------


def text_of(attached: str, version: int = 0) -> TextLayer:
    image = read_xcf(xcf([MadeLayer(name="Text", text=attached)], version=version))
    found = read_text_layer(image, image.layers[0])
    assert found is not None
    return found


def test_a_text_layer_says_its_words_and_its_size_in_pixels() -> None:
    text = text_of(said('A "quoted" \\ word\nÄ → ♥', 34.5))
    assert (text.text, text.size, text.font, text.color) == (
        'A "quoted" \\ word\nÄ → ♥',
        34.5,
        "DejaVu Sans Condensed",
        "#000000",
    )
    assert text.box == (78, 29)
    assert text_of(said("A", 12, unit="points")).size == pytest.approx(12 * 400 / 72)
    assert text_of(said("A", 2, unit="millimeters")).size == pytest.approx(2 * 400 / 25.4)


def test_octal_escapes_are_bytes_of_utf_8() -> None:
    assert text_of('(text "\\303\\204lter\\tes")').text == "Älter\tes"


MARKUP = '<markup>A <span foreground="#800000">red &amp; <b>bold</b></span> &lt;x&gt;</markup>'


def test_markup_is_words_and_stretches_with_a_look() -> None:
    text = text_of(said(MARKUP, markup=True))
    assert text.text == "A red & bold <x>"
    found = [(text.text[each.start : each.end], each.color, dict(each.others)) for each in text.styles]
    assert found == [("red & bold", "#800000", {}), ("bold", "", {"b": "yes"})]


@pytest.mark.parametrize(
    ("written", "color"), [("#f00", "#ff0000"), ("#808000000000", "#800000"), ("maroon", "#b03060"), ("lime", "lime")]
)
def test_colors_are_read_in_every_form(written: str, color: str) -> None:
    (style,) = text_of(said(f"<markup><span color='{written}'>x</span></markup>", markup=True)).styles
    assert style.color == color


def test_fonts_and_colors_of_gimp_3_are_objects() -> None:
    font = '(font "GimpFont" (fullname "DejaVu Sans Oblique") (family "DejaVu Sans") (style "Oblique") (weight 80))'
    color = '(color (color "R\'G\'B\'A u8" 4 "\\200\\000\\001\\377" 0 ""))'
    text = text_of(f'(text "Howls")\n{font}\n(font-size 22.000000)\n(font-size-unit pixels)\n{color}\n', version=22)
    assert (text.text, text.font, text.size, text.color) == ("Howls", "DejaVu Sans Oblique", 22, "#800001")


def test_colors_of_gimp_3_may_be_fractions() -> None:
    red = "".join(f"\\{byte:03o}" for byte in struct.pack("<4f", 0.5, 0, 2, 1))
    text = text_of(f'(text "Howls")\n(color (color "R\'G\'B\'A float" 16 "{red}" 0 ""))\n', version=22)
    assert text.color == "#8000ff"


def test_a_layer_without_text_is_no_text_layer() -> None:
    image = read_xcf(xcf([MadeLayer(name="Image")]))
    assert read_text_layer(image, image.layers[0]) is None


def test_effects_of_gimp_3_are_named() -> None:
    image = read_xcf(xcf([MadeLayer(name="Image", effects=["Drop Shadow", "Blur"])], version=20))
    assert image.layers[0].effects == ("Drop Shadow", "Blur")
