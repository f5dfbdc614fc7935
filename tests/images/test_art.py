"""Pictures that are unusual but legitimate: what is seen of each on the card."""

import os
import struct
import subprocess
import sys
import threading
import zlib
from io import BytesIO
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageDraw, ImageStat

from render.base.findings import Severity
from render.base.geometry import Rect
from render.base.limits import PICTURE
from render.images import resample
from render.images.inspect import (
    CONTAIN,
    COVER,
    Fit,
    Inspected,
    PictureReference,
    Scaling,
    effective_dpi,
    inspect,
    parse_fit,
    place,
    prefetch,
)
from render.images.resample import Deflated, Jpeg, PictureChangedError, embeddable, pixels, scaled
from render.scene.items import Picture
from tests.support.picture_files import (
    ADOBE_RGB,
    cmyk_profile,
    far,
    gray_profile,
    in_bytes,
    letters,
    on_card,
    painted,
    png_chunk,
    rgb_profile,
    text,
)
from tests.support.repository import ROOT

ART_BOX = Rect(3.15, 10, 57.2, 35.6)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file to be written; its name claims nothing about what is in it."""
    return tmp_path / "picture"


def looked_at(file: Path) -> Inspected:
    return inspect(file, PictureReference("art/picture"))


def seen(file: Path, content: bytes) -> Image.Image:
    """Return the pixels of a picture about which nothing is to be said, as it shows on a white card."""
    file.write_bytes(content)
    result = looked_at(file)
    assert result.findings == ()
    assert result.artwork is not None
    image = pixels(replace(on_card(file), is_sheer=result.artwork.is_sheer))
    assert (result.artwork.width, result.artwork.height) == image.size
    if not result.artwork.is_sheer:
        return image
    card = Image.new("RGBA", image.size, "white")
    return Image.alpha_composite(card, image.convert("RGBA")).convert("RGB")


def warned(file: Path, content: bytes) -> tuple[Image.Image, str]:
    """Return the pixels of a picture about which there is one warning, and that."""
    file.write_bytes(content)
    (finding,) = looked_at(file).findings
    assert finding.severity is Severity.WARNING
    return pixels(on_card(file)), f"{finding.code} {finding.message}; {finding.hint}"


RAINBOW = "RGB KWY"


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_jpeg_png_and_webp_are_read(file: Path, kind: str) -> None:
    image = seen(file, in_bytes(painted(RAINBOW, 16), kind, quality=95, **{"lossless": True} if kind == "WEBP" else {}))
    assert letters(image, 16) == text(RAINBOW)


def test_a_progressive_jpeg_is_read(file: Path) -> None:
    image = seen(file, in_bytes(painted(RAINBOW, 16), "JPEG", quality=95, progressive=True))
    assert letters(image, 16) == text(RAINBOW)


STORED = {
    1: "RGB KWY",
    2: "BGR YWK",
    3: "YWK BGR",
    4: "KWY RGB",
    5: "RK GW BY",
    6: "BY GW RK",
    7: "YB WG KR",
    8: "KR WG YB",
}


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", STORED)
def test_a_picture_is_upright_however_the_camera_was_held(file: Path, kind: str, orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    options = {"exif": exif, "quality": 95, **({"lossless": True} if kind == "WEBP" else {})}
    assert letters(seen(file, in_bytes(painted(STORED[orientation], 16), kind, **options)), 16) == text(RAINBOW)


@pytest.mark.parametrize("exif", [b"Exif\0\0MM\0*\0\0\0\x08\0\1\x01\x12\0\3\0\0\0\1\0\x63\0\0", b"Exif\0\0garbage"])
def test_a_damaged_orientation_counts_as_none(file: Path, exif: bytes) -> None:
    assert letters(seen(file, in_bytes(painted(RAINBOW, 16), "JPEG", quality=95, exif=exif)), 16) == text(RAINBOW)


def test_sixteen_bit_gray_keeps_its_tones(file: Path) -> None:
    tones = struct.pack("<4H", 0, 0x4080, 0x80FF, 0xFFFF)
    assert letters(seen(file, in_bytes(Image.frombytes("I;16", (4, 1), tones), "PNG"))) == "KDMW"


def png(width: int, depth: int, color: int, row: bytes, *chunks: bytes) -> bytes:
    """Return a PNG of one row, of a depth and color type that Pillow does not write."""
    header = struct.pack(">IIBBBBB", width, 1, depth, color, 0, 0, 0)
    parts = [(b"IDAT", zlib.compress(b"\0" + row)), (b"IEND", b"")]
    rest = b"".join(png_chunk(*part) for part in parts)
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header) + b"".join(chunks) + rest


def test_sixteen_bit_gray_has_a_transparent_tone(file: Path) -> None:
    row, clear = struct.pack(">3H", 0x0000, 0x4040, 0x8080), struct.pack(">H", 0x4040)
    assert letters(seen(file, png(3, 16, 0, row, png_chunk(b"tRNS", clear)))) == "KWM"


def test_sixteen_bit_color_and_sixteen_bit_gray_with_opacity(file: Path) -> None:
    assert letters(seen(file, png(2, 16, 2, struct.pack(">6H", 0xFFFF, 0, 0, 0x80FF, 0x80FF, 0x80FF)))) == "RM"
    assert letters(seen(file, png(2, 16, 4, struct.pack(">4H", 0, 0xFFFF, 0, 0x8000)))) == "KM"


def test_one_bit_is_black_and_white(file: Path) -> None:
    assert letters(seen(file, in_bytes(painted("KWK").convert("1"), "PNG"))) == "KWK"


def test_gray_stays_gray(file: Path) -> None:
    image = seen(file, in_bytes(painted("KDMLW").convert("L"), "PNG"))
    assert (image.mode, letters(image)) == ("L", "KDMLW")


def test_what_is_transparent_shows_the_white_card(file: Path) -> None:
    red, hidden, half = (255, 0, 0, 255), (0, 255, 0, 0), (255, 0, 0, 127)
    image = Image.new("RGBA", (3, 1))
    image.putdata([red, hidden, half])
    assert letters(seen(file, in_bytes(image, "PNG"))) == "RWP"
    assert letters(seen(file, in_bytes(image, "WEBP", lossless=True, exact=True))) == "RWP"


def test_transparent_gray_shows_the_white_card(file: Path) -> None:
    image = Image.new("LA", (3, 1))
    image.putdata([(0, 255), (0, 0), (0, 127)])
    assert letters(seen(file, in_bytes(image, "PNG"))) == "KWM"


def test_a_palette_keeps_its_colors_and_its_transparency(file: Path) -> None:
    image = painted("RGBR").quantize(3)
    assert letters(seen(file, in_bytes(image, "PNG"))) == "RGBR"
    green = image.getpixel((1, 0))
    assert letters(seen(file, in_bytes(image, "PNG", transparency=green))) == "RWBR"


def test_a_palette_with_shades_of_opacity(file: Path) -> None:
    colors, opacity = png_chunk(b"PLTE", bytes((255, 0, 0, 0, 0, 0))), png_chunk(b"tRNS", bytes((127, 0)))
    assert letters(seen(file, png(4, 8, 3, bytes((0, 1, 0, 1)), colors, opacity))) == "PWPW"


@pytest.mark.parametrize(
    ("depth", "row", "clear"), [(1, 0b01_000000, 0), (2, 0b00_11_0000, 0), (4, 0x0F, 0), (2, 0b11_01_0000, 3)]
)
def test_gray_of_few_bits_has_a_transparent_tone(file: Path, depth: int, row: int, clear: int) -> None:
    seen_tones = letters(seen(file, png(2, depth, 0, bytes((row,)), png_chunk(b"tRNS", struct.pack(">H", clear)))))
    assert seen_tones[0] == "W"


def test_an_animation_of_one_picture_is_a_picture(file: Path) -> None:
    assert letters(seen(file, in_bytes(painted("RGB"), "PNG", save_all=True))) == "RGB"


def test_what_a_camera_appends_to_a_jpeg_is_not_part_of_it(file: Path) -> None:
    still = in_bytes(painted(RAINBOW, 16), "JPEG", quality=95)
    film = b"\0\0\0\x18ftypmp42\xff\xda\xff\xd8" * 100
    assert letters(seen(file, still + film), 16) == text(RAINBOW)
    assert embeddable(on_card(file)) == Jpeg(still, 48, 32, 3)


def test_a_jpeg_of_several_pictures_shows_the_first(file: Path) -> None:
    both = in_bytes(painted(RAINBOW, 16), "MPO", quality=95, save_all=True, append_images=[painted("KKK KKK", 16)])
    assert letters(seen(file, both), 16) == text(RAINBOW)


# --- color ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_the_color_profile_is_applied(file: Path, kind: str) -> None:
    adobe_green = Image.new("RGB", (16, 16), (60, 200, 60))
    options = {"icc_profile": ADOBE_RGB, "quality": 100, **({"lossless": True} if kind == "WEBP" else {})}
    color = seen(file, in_bytes(adobe_green, kind, **options)).getpixel((8, 8))
    assert isinstance(color, tuple)
    assert far(color, (0, 201, 37)) <= 4  # out of the reach of sRGB in red


def test_the_profile_of_a_transparent_picture_is_applied_before_it_goes_on_the_card(file: Path) -> None:
    image = Image.new("RGBA", (2, 1), (60, 200, 60, 255))
    image.putpixel((1, 0), (60, 200, 60, 0))
    shown = seen(file, in_bytes(image, "PNG", icc_profile=ADOBE_RGB))
    assert shown.getpixel((1, 0)) == (255, 255, 255)
    assert shown.getpixel((0, 0)) != (60, 200, 60)


def test_the_profile_of_a_gray_picture_is_applied(file: Path) -> None:
    linear = in_bytes(Image.new("L", (2, 2), 55), "PNG", icc_profile=gray_profile(1.0))
    assert letters(seen(file, linear)) == text("MM MM")  # 55 of 255 of the light is a middle grey to the eye


def test_srgb_by_any_name_leaves_the_numbers_alone(file: Path) -> None:
    srgb = rgb_profile((0.43607, 0.22249, 0.01392), (0.38515, 0.71687, 0.09708), (0.14307, 0.06061, 0.71410), 2.2)
    image = painted("RGB KWY", 16)
    plain = Jpeg(in_bytes(image, "JPEG"), 48, 32, 3)
    file.write_bytes(in_bytes(image, "JPEG", icc_profile=_exact_srgb()))
    assert embeddable(on_card(file)) == plain
    file.write_bytes(in_bytes(image, "JPEG", icc_profile=srgb))
    assert embeddable(on_card(file)) != plain  # a plain power of 2.2 is darker in the shadows


def _exact_srgb() -> bytes:
    from PIL import ImageCms

    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def test_a_gray_picture_may_carry_the_profile_of_a_colored_one(file: Path) -> None:
    gray = painted("KDMLW").convert("L")
    assert letters(seen(file, in_bytes(gray, "PNG", icc_profile=_exact_srgb()))) == "KDMLW"


@pytest.mark.parametrize(
    "profile",
    [b"not a profile", ADOBE_RGB[:200], gray_profile(2.2), ADOBE_RGB[:16] + b"R\x94B " + ADOBE_RGB[20:]],
    ids=["garbage", "cut short", "grey", "of no colors"],
)
def test_a_profile_that_cannot_be_used_is_said_so_and_the_numbers_are_srgb(file: Path, profile: bytes) -> None:
    image, warning = warned(file, in_bytes(painted(RAINBOW, 16), "JPEG", quality=95, icc_profile=profile))
    assert letters(image, 16) == text(RAINBOW)
    assert warning == (
        "A009 the picture `art/picture` has a color profile that cannot be used: its colors are taken as sRGB; "
        "convert it to sRGB and save it again"
    )


CYAN_INK = Image.new("CMYK", (16, 16), (255, 0, 0, 0))
PLAIN_CMYK = (
    "A010 the picture `art/picture` is CMYK without a color profile that can be used: "
    "its colors are only near what was meant; save it in sRGB"
)


def test_cmyk_without_a_profile_is_drawn_by_a_formula_with_a_warning(file: Path) -> None:
    inks = Image.new("CMYK", (64, 16))
    for index, ink in enumerate([(0, 255, 255, 0), (255, 0, 255, 0), (0, 0, 0, 255), (0, 0, 0, 0)]):
        inks.paste(ink, (16 * index, 0, 16 * index + 16, 16))
    image, warning = warned(file, in_bytes(inks, "JPEG", quality=95))
    assert (letters(image, 16), warning) == ("RGKW", PLAIN_CMYK)


def test_cmyk_with_the_profile_of_another_kind_counts_as_without(file: Path) -> None:
    image, warning = warned(file, in_bytes(CYAN_INK, "JPEG", icc_profile=ADOBE_RGB))
    assert image.getpixel((8, 8)) == (0, 255, 255)
    assert warning == PLAIN_CMYK


def test_the_profile_of_cmyk_is_applied(file: Path) -> None:
    """In this profile full cyan is L* 55, a* -37, b* -50, as on coated paper, and every other ink is black."""
    labs = [(100, 0, 0)] + [(0, 0, 0)] * 7 + [(55, -37, -50)] + [(0, 0, 0)] * 7
    shown = seen(file, in_bytes(CYAN_INK, "JPEG", quality=100, icc_profile=cmyk_profile(labs))).getpixel((8, 8))
    assert isinstance(shown, tuple)
    assert far(shown, (0, 147, 220)) <= 12


# --- for the PDF -----------------------------------------------------------------------------------------------------


def unpacked(packed: Deflated) -> Image.Image:
    """Undo the compression and the filter, as PDF readers do."""
    stride = packed.width * packed.channels
    rows = zlib.decompress(packed.data)
    changes = np.frombuffer(rows, np.uint8).reshape(packed.height, stride + 1)
    assert set(changes[:, 0]) == {2}
    out = np.cumsum(changes[:, 1:], axis=0, dtype=np.uint8).tobytes()
    return Image.frombytes("RGB" if packed.channels == 3 else "L", (packed.width, packed.height), out)


@pytest.mark.parametrize("progressive", [False, True])
@pytest.mark.parametrize(("mode", "channels"), [("RGB", 3), ("L", 1)])
def test_a_plain_jpeg_goes_into_a_pdf_byte_for_byte(file: Path, mode: str, channels: int, progressive: bool) -> None:
    file.write_bytes(in_bytes(painted(RAINBOW, 16).convert(mode), "JPEG", progressive=progressive))
    assert embeddable(on_card(file)) == Jpeg(file.read_bytes(), 48, 32, channels)


TURNED = Image.Exif()
TURNED[0x0112] = 6


def _turned_jpeg() -> bytes:
    return in_bytes(painted(RAINBOW, 16), "JPEG", exif=TURNED)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(_turned_jpeg(), id="turned"),
        pytest.param(in_bytes(painted(RAINBOW, 16), "JPEG", icc_profile=ADOBE_RGB), id="another color space"),
        pytest.param(in_bytes(CYAN_INK, "JPEG"), id="cmyk"),
        pytest.param(in_bytes(painted(RAINBOW, 16), "JPEG", keep_rgb=True), id="a JPEG of red, green and blue"),
        pytest.param(in_bytes(painted("KDM LWW", 16).convert("L"), "JPEG", exif=TURNED), id="grey"),
        pytest.param(in_bytes(painted(RAINBOW, 16), "WEBP"), id="webp"),
    ],
)
def test_any_other_photograph_goes_into_a_pdf_as_a_jpeg_of_all_its_pixels(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    packed = embeddable(on_card(file))
    assert isinstance(packed, Jpeg)
    shown, wanted = Image.open(BytesIO(packed.data)), pixels(on_card(file))
    assert (
        (shown.size, len(shown.getbands())) == (wanted.size, packed.channels) == (wanted.size, len(wanted.getbands()))
    )
    assert max(ImageStat.Stat(ImageChops.difference(shown, wanted)).mean) <= 2.0  # of 255


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(in_bytes(painted(RAINBOW, 16), "PNG"), id="png"),
        pytest.param(in_bytes(painted("KDM LWW", 16).convert("L"), "PNG"), id="grey png"),
        pytest.param(in_bytes(painted(RAINBOW, 16), "WEBP", lossless=True), id="webp"),
        pytest.param(b"", id="more than one band"),
    ],
)
def test_any_other_picture_goes_into_a_pdf_as_its_pixels(
    file: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resample, "_BAND", 50_000)  # bytes: two bands of the last, one of the others
    file.write_bytes(content or in_bytes(Image.effect_noise((240, 110), 90).convert("RGB"), "PNG"))
    packed = embeddable(on_card(file))
    assert isinstance(packed, Deflated)
    assert ImageChops.difference(unpacked(packed), pixels(on_card(file))).getbbox() is None


def test_a_file_that_was_replaced_after_the_check_is_not_drawn(file: Path) -> None:
    file.write_bytes(in_bytes(painted("R"), "PNG"))
    picture = on_card(file)
    file.write_bytes(in_bytes(painted("G"), "PNG"))
    with pytest.raises(PictureChangedError, match="picture` changed while it was being drawn"):
        embeddable(picture)


# --- for the PNG -----------------------------------------------------------------------------------------------------


def test_a_picture_that_fits_the_grid_is_copied_pixel_by_pixel(file: Path) -> None:
    file.write_bytes(in_bytes(painted(RAINBOW), "PNG"))
    patch = scaled(on_card(file), (5, 7, 8, 9))
    assert (patch.left, patch.top, patch.coverage) == (5, 7, None)
    assert letters(patch.image) == text(RAINBOW)


def test_pixels_covered_in_part_repeat_their_neighbours_and_say_how_much(file: Path) -> None:
    file.write_bytes(in_bytes(painted("RG BK", 4), "PNG"))
    patch = scaled(on_card(file), (0.75, 0.5, 3.25, 3.5))
    assert patch.image.size == (4, 4)
    assert patch.coverage is not None
    assert patch.coverage.tobytes() == bytes((
        32, 128, 128, 32,
        64, 255, 255, 64,
        64, 255, 255, 64,
        32, 128, 128, 32,
    ))  # fmt: skip
    for edge, neighbour in (((0, 1), (1, 1)), ((3, 2), (2, 2)), ((1, 0), (1, 1)), ((2, 3), (2, 2)), ((0, 3), (1, 2))):
        assert patch.image.getpixel(edge) == patch.image.getpixel(neighbour)


def test_a_picture_thinner_than_a_pixel_leaves_its_share_of_it(file: Path) -> None:
    file.write_bytes(in_bytes(painted("M", 8), "PNG"))
    patch = scaled(on_card(file), (2.25, 1, 2.5, 3))
    assert (patch.left, patch.top, letters(patch.image)) == (2, 1, "M\nM")
    assert patch.coverage is not None
    assert patch.coverage.tobytes() == bytes((64, 64))


def test_only_the_crop_is_seen(file: Path) -> None:
    file.write_bytes(in_bytes(painted(RAINBOW, 10), "PNG"))
    patch = scaled(on_card(file, Rect(1 / 3, 0.5, 2 / 3, 0.5)), (0, 0, 20, 10))
    assert letters(patch.image, 10) == "WY"


def test_a_turned_picture_is_upside_down_crop_and_all(file: Path) -> None:
    file.write_bytes(in_bytes(painted(RAINBOW, 10), "PNG"))
    assert letters(scaled(on_card(file, turned=True), (0, 0, 30, 20)).image, 10) == text("YWK BGR")
    crop = Rect(1 / 3, 0.5, 2 / 3, 0.5)
    assert letters(scaled(on_card(file, crop, turned=True), (0, 0, 20, 10)).image, 10) == "YW"


def test_the_middle_of_every_pixel_shows_what_lies_there(file: Path) -> None:
    """A slope from black to white is a straight line, whatever part of it is drawn wherever between the pixels."""
    file.write_bytes(in_bytes(Image.linear_gradient("L").rotate(90), "PNG"))
    left, right = 3.4, 90.7
    patch = scaled(on_card(file, Rect(0.25, 0, 0.5, 1)), (left, 0, right, 10))
    for x in range(4, 90):
        expected = 64 + 128 * (x + 0.5 - left) / (right - left) - 0.5
        assert patch.image.getpixel((x - patch.left, 5)) == pytest.approx((expected,) * 3, abs=0.8)


def landscape(width: int, height: int) -> Image.Image:
    """Return a picture with slopes, edges and thin lines."""
    image = Image.merge("RGB", [
        Image.linear_gradient("L").resize((width, height)),
        Image.radial_gradient("L").resize((width, height)),
        Image.linear_gradient("L").rotate(90).resize((width, height)),
    ])  # fmt: skip
    draw = ImageDraw.Draw(image)
    for index in range(12):
        x, y = index * width // 12, index * 7 % 12 * height // 12
        draw.ellipse((x, y, x + width // 7, y + width // 7), fill=(index * 20, 255 - index * 18, 80), outline="white")
        draw.line((x, 0, width - x, height), fill="black", width=1 + width // 400)
    return image


def on_page(packed: Jpeg | Deflated, width: int, height: int) -> Image.Image:
    """Return the picture as PDFium draws it on a page of that many pixels at 300 dpi: at 1200 dpi, then reduced."""
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(width * 0.24 - 1e-4, height * 0.24 - 1e-4))
    image = pdf.make_stream(packed.data, Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Image)
    image.Width, image.Height, image.BitsPerComponent = packed.width, packed.height, 8
    image.ColorSpace = pikepdf.Name.DeviceRGB if packed.channels == 3 else pikepdf.Name.DeviceGray
    if isinstance(packed, Jpeg):
        image.Filter = pikepdf.Name.DCTDecode
    else:
        image.Filter = pikepdf.Name.FlateDecode
        image.DecodeParms = pikepdf.Dictionary(Predictor=15, Columns=packed.width, Colors=packed.channels)
    page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(P=image))
    page.Contents = pdf.make_stream(f"{width * 0.24} 0 0 {height * 0.24} 0 0 cm /P Do".encode())
    saved = BytesIO()
    pdf.save(saved)
    drawn: Image.Image = pypdfium2.PdfDocument(saved.getvalue())[0].render(scale=1200 / 72).to_pil()
    return drawn.convert("RGB").crop((0, 0, 4 * width, 4 * height)).reduce(4)


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
@pytest.mark.parametrize("size", [(1350, 840), (1063, 650), (400, 250)], ids=lambda size: "x".join(map(str, size)))
def test_a_picture_is_the_same_in_png_and_pdf(file: Path, kind: str, size: tuple[int, int]) -> None:
    width, height = 675, 420
    file.write_bytes(in_bytes(landscape(*size), kind, quality=90))
    picture: Picture = on_card(file)
    drawn = scaled(picture, (0, 0, width, height)).image
    apart = ImageChops.difference(drawn, on_page(embeddable(picture), width, height))
    assert max(ImageStat.Stat(apart).mean) <= 2.0  # of 255


def test_cards_that_share_a_picture_share_its_pixels(file: Path) -> None:
    file.write_bytes(in_bytes(landscape(100, 60), "PNG"))
    assert scaled(on_card(file), (0, 0, 50, 30)) is scaled(on_card(file), (0, 0, 50, 30))


# --- on the card -----------------------------------------------------------------------------------------------------


def artwork(file: Path, width: int, height: int) -> Inspected:
    file.write_bytes(in_bytes(Image.new("L", (width, height)), "PNG"))
    return looked_at(file)


@pytest.mark.parametrize(
    ("words", "fit"),
    [
        ("xMidYMid", CONTAIN),
        ("xMidYMid meet", CONTAIN),
        (" xMidYMid  slice ", COVER),
        ("none", Fit(Scaling.STRETCH)),
        ("xMinYMax slice", Fit(Scaling.SLICE, 0.0, 1.0)),
    ],
)
def test_a_fit_is_written_as_in_svg(words: str, fit: Fit) -> None:
    assert parse_fit(words) == fit


def test_a_fit_that_svg_does_not_know_is_refused_with_an_example() -> None:
    with pytest.raises(ValueError, match="expected `none` or an alignment such as `xMidYMid slice`, found `cover`"):
        parse_fit("cover")


def test_dpi_are_those_of_the_part_that_is_seen(file: Path) -> None:
    square = artwork(file, 600, 600).artwork
    assert square is not None
    assert effective_dpi(square, place(square, Rect(0, 0, 50.8, 25.4), CONTAIN)) == pytest.approx(600)
    assert effective_dpi(square, place(square, Rect(0, 0, 50.8, 25.4), COVER)) == pytest.approx(300)
    assert effective_dpi(square, place(square, Rect(0, 0, 50.8, 25.4), Fit(Scaling.STRETCH))) == pytest.approx(300)


def test_a_picture_is_looked_at_again_when_its_file_has_changed(file: Path) -> None:
    assert artwork(file, 3, 2).artwork != artwork(file, 30, 20).artwork


def test_pictures_looked_at_ahead_are_what_they_are(file: Path) -> None:
    files = [file.with_name(f"{number}.jpg") for number in range(12)]
    for number, each in enumerate(files[:-1]):
        each.write_bytes(in_bytes(painted(RAINBOW, 16 + number), "JPEG")[: 300 if number % 4 == 3 else None])
    alone = [looked_at(each) for each in files]
    for each in files[:-1]:
        os.utime(each, ns=(0, 0))  # so that they are looked at again
    with prefetch(files):
        assert [looked_at(each) for each in files] == alone
    assert {len(each.findings) for each in alone} == {0, 1}


def test_looking_ahead_ends_with_the_work_that_it_is_for(file: Path) -> None:
    file.write_bytes(in_bytes(painted(RAINBOW, 16), "JPEG"))
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt), prefetch([file]):
        raise KeyboardInterrupt
    assert threading.active_count() == before


def test_what_a_decoder_warns_of_is_not_said(file: Path) -> None:
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0c\0\0"
    file.write_bytes(in_bytes(painted(RAINBOW, 16), "JPEG", exif=exif))
    code = "import sys; from pathlib import Path; from render.images.inspect import PictureReference, inspect\n"
    code += "print(inspect(Path(sys.argv[1]), PictureReference('')).findings)"
    said = subprocess.run([sys.executable, "-c", code, file], cwd=ROOT, capture_output=True, text=True, check=True)
    assert (said.stdout, said.stderr) == ("()\n", "")


def test_the_largest_file_that_is_read_is_read(file: Path) -> None:
    content = in_bytes(painted("R"), "PNG")
    assert letters(seen(file, content.ljust(PICTURE.most, b"\0"))) == "R"
