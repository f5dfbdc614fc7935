"""Photographs from a camera: at most 600 dpi, still JPEG, and nothing of what the camera said of them."""

from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np
import pikepdf
import pytest
from PIL import ExifTags, Image, ImageChops, ImageFilter, ImageStat
from proofs.hostile.bounds import attempt, load
from proofs.hostile.pictures import SECRET, exif, segment, steps, with_segments

from render.images.files.formats import read_jpeg, read_png, read_webp
from tests.support.picture_files import ADOBE_RGB, in_bytes, painted, png_chunk
from tests.support.sets import kotc, write_set
from tests.support.templates import with_plain_back

pytestmark = pytest.mark.usefixtures("in_empty_folder")

CARD = "{{name: {name}, kind: minion, level: 1, sp: 1, hp: 0, art: {{file: {file}, fit: {fit}}}}}"


def photograph(width: int, height: int) -> Image.Image:
    """Return a picture with slopes, grain and edges."""
    image = Image.merge("RGB", [
        Image.radial_gradient("L").resize((width, height)),
        Image.linear_gradient("L").resize((width, height)),
        Image.linear_gradient("L").rotate(90).resize((width, height)),
    ])  # fmt: skip
    grain = Image.fromarray(np.random.default_rng(1).integers(0, 30, (height, width, 3), np.uint8))
    image = ImageChops.add(image, grain)
    image.paste("white", (width // 3, height // 3, width // 2, height // 2))
    return image


def a_set(photos: dict[str, bytes], sheet: str = "{}", fit: str = "cover") -> Path:
    """Write a set with a card for each picture."""
    cards = "\n".join(f"- {CARD.format(name=name.partition('.')[0], file=name, fit=fit)}" for name in photos)
    folder = write_set(Path("s"), cards, f"name: S\nedition: 17\nsheet: {sheet}\n")
    for name, content in photos.items():
        (folder / name).write_bytes(content)
    return folder


@dataclass(frozen=True)
class Printed:
    """A picture as it stands in a PDF."""

    packed: str
    size: tuple[int, int]
    data: bytes


def printed(*arguments: str) -> list[Printed]:
    """Return the pictures in the PDF of the set."""
    result = kotc("pdf", "s", "--out", "s.pdf", *arguments)
    assert result.exit_code == 0, result.output
    with pikepdf.open("s.pdf") as file:
        streams = [each for each in file.objects if isinstance(each, pikepdf.Stream)]
        return [
            Printed(str(each.Filter), (int(each.Width), int(each.Height)), each.read_raw_bytes())
            for each in streams
            if each.get("/Subtype") == "/Image"
        ]


@cache
def turned() -> bytes:
    return in_bytes(photograph(2000, 1500), "JPEG", quality=95, exif=exif(6))


def test_a_turned_photograph_has_at_most_600_dpi_and_is_a_jpeg() -> None:
    """It covers 57.15 mm across, and what hangs out of its box is there, too."""
    a_set({"a.jpg": turned()})
    (found,) = printed()
    assert (found.packed, found.size) == ("/DCTDecode", (1350, 1800))
    assert len(found.data) < len(turned())


@pytest.mark.parametrize(
    ("dpi", "size"), [("150", (337, 450)), ("300", (675, 900)), ("601", (1352, 1803)), ("original", (1500, 2000))]
)
def test_the_dots_per_inch_of_pictures_can_be_chosen(dpi: str, size: tuple[int, int]) -> None:
    a_set({"a.jpg": turned()})
    assert [each.size for each in printed("--art-dpi", dpi)] == [size]
    a_set({"a.jpg": turned()}, f"{{art_dpi: {dpi}}}")
    assert [each.size for each in printed()] == [size]


def test_other_dots_per_inch_make_sheets_stale_and_no_png() -> None:
    for dpi, made in (("600", ["a.png", "sheets.pdf"]), ("300", ["sheets.pdf"]), ("300", [])):
        a_set({"a.jpg": turned()}, f"{{art_dpi: {dpi}}}")
        before = {path: path.stat().st_mtime_ns for path in Path("out").rglob("*")}
        assert kotc("build", "s").exit_code == 0
        after = {path: path.stat().st_mtime_ns for path in Path("out").rglob("*.p[nd][gf]")}
        assert sorted(path.name for path in after if before.get(path) != after[path]) == made


def test_what_is_no_photograph_is_reduced_without_loss() -> None:
    a_set({"a.png": in_bytes(photograph(1500, 1125), "PNG")})
    (found,) = printed()
    assert (found.packed, found.size) == ("/FlateDecode", (1350, 1012))


def test_a_photograph_that_fits_is_there_as_it_is_without_what_the_camera_said() -> None:
    image = photograph(400, 300)
    a_set({"a.jpg": in_bytes(image, "JPEG", quality=95, exif=exif(1), comment=SECRET, xmp=SECRET)})
    (found,) = printed()
    assert found.data == in_bytes(image, "JPEG", quality=95)


def test_a_picture_used_in_several_sizes_is_stored_once_for_the_largest() -> None:
    photo = in_bytes(photograph(1500, 2000), "JPEG")
    folder = a_set({"a.jpg": photo, "b.jpg": photo}, fit="contain")
    (folder / "cards.yaml").write_text(
        (folder / "cards.yaml").read_text().replace("b.jpg, fit: contain", "b.jpg, fit: cover")
    )
    assert [each.size for each in printed()] == [(1350, 1800)]
    (folder / "cards.yaml").write_text((folder / "cards.yaml").read_text().replace("cover", "contain"))
    assert [each.size for each in printed("--bleed", "2", "--bleed-from", "mirror")] == [(630, 840)]


def test_a_reduced_photograph_is_the_same_bytes_each_time() -> None:
    a_set({"a.jpg": turned()})
    assert printed() == printed()


def test_the_reduced_photograph_is_as_sharp_as_the_original() -> None:
    a_set({"a.jpg": turned()})
    (found,) = printed()
    shown = Image.open(BytesIO(found.data))
    original = Image.open(BytesIO(turned())).transpose(Image.Transpose.ROTATE_270)
    wanted = [original.resize(shown.size, filter) for filter in (Image.Resampling.HAMMING, Image.Resampling.LANCZOS)]
    assert max(ImageStat.Stat(ImageChops.difference(shown, wanted[0])).mean) <= 3.0  # of 255
    sharpness = [edges(image) for image in (shown, *wanted)]
    assert sharpness[0] >= 0.85 * sharpness[2]


def edges(image: Image.Image) -> float:
    return ImageStat.Stat(image.convert("L").filter(ImageFilter.FIND_EDGES)).mean[0]


# --- what the camera said --------------------------------------------------------------------------------------------

JFIF_THUMBNAIL = segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\x08\x08" + SECRET.ljust(192, b"."))
HIDDEN = [
    JFIF_THUMBNAIL,
    segment(0xE0, b"JFXX\0\x10" + SECRET),
    segment(0xE1, b"http://ns.adobe.com/xmp/extension/\0" + SECRET),
    segment(0xE2, b"MPF\0" + SECRET),
    segment(0xED, b"Photoshop 3.0\0" + SECRET),
    segment(0xEE, b"Adobe\0d\0\0\0\0\1" + SECRET),
    segment(0xEF, SECRET),
    segment(0xFE, SECRET),
    SECRET,
]
CHUNKS = [png_chunk(name, b"Comment\0" + SECRET) for name in (b"tEXt", b"eXIf", b"prVw", b"iTXt", b"zTXt")]


def photographs() -> dict[str, bytes]:
    """Return photographs that say much of themselves, upright ones, too, which go into a PDF as they are."""
    image = photograph(400, 300)
    jpeg, png = in_bytes(image, "JPEG", exif=exif(1), icc_profile=ADOBE_RGB + SECRET), in_bytes(image, "PNG")
    upright = with_segments(in_bytes(image, "JPEG"), *HIDDEN)
    return {
        "a.jpg": with_segments(jpeg, *HIDDEN),
        "b.jpg": upright[:-2] + b"\xff\xfe\0\x20" + SECRET[:30] + upright[-2:] + SECRET,
        "c.jpg": in_bytes(image, "JPEG", exif=exif(6)),
        "d.png": png[:33] + b"".join(CHUNKS) + png[33:-12] + b"".join(CHUNKS) + png[-12:] + SECRET,
        "e.webp": in_bytes(image, "WEBP", exif=exif(1), xmp=SECRET, icc_profile=ADOBE_RGB + SECRET),
        "f.webp": in_bytes(image, "WEBP", lossless=True, exif=exif(8), xmp=SECRET),
    }


def test_what_is_needed_of_a_picture_is_all_that_is_left_of_it() -> None:
    readers = {"jpg": read_jpeg, "png": read_png, "ebp": read_webp}
    for name, content in photographs().items():
        assert SECRET[:30] in content
        clean = readers[name[-3:]](content).data
        assert SECRET[:12] not in clean, name
        with Image.open(BytesIO(clean)) as image:
            image.load()
            assert set(image.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density", "adobe", "adobe_transform",
                                       "loop", "background", "timestamp", "duration"}, name  # fmt: skip


def test_no_output_has_anything_that_the_camera_said() -> None:
    folder = with_plain_back(a_set(photographs(), fit="contain"))
    with (folder / "set.yaml").open("a", encoding="utf-8") as stream:
        stream.write("outputs: {png: {dpi: 72}, sheets: true, shops: [pdf-a2b], gallery: true}\n")
    assert kotc("build", "s").exit_code == 0
    assert kotc("table", "s", "--for", "folder", "--out", "table", "--card", "a").exit_code == 0
    outputs = [path for place in ("out", "table") for path in Path(place).rglob("*") if path.is_file()]
    assert {path.suffix for path in outputs} >= {".png", ".pdf", ".html", ".csv"}
    for path in outputs:
        assert SECRET[:12] not in path.read_bytes(), path
        if path.suffix == ".pdf":
            with pikepdf.open(path) as file:
                for each in file.objects:
                    assert not isinstance(each, pikepdf.Stream) or b"Exif" not in each.read_raw_bytes()


@pytest.mark.parametrize("turn", [1, 6])
def test_a_photo_of_a_phone_tells_neither_place_nor_device_and_becomes_no_larger(turn: int) -> None:
    said = Image.Exif()
    said[ExifTags.Base.Orientation], said[ExifTags.Base.Make] = turn, "PhoneMaker"
    place = said.get_ifd(ExifTags.IFD.GPSInfo)
    place[ExifTags.GPS.GPSLatitudeRef], place[ExifTags.GPS.GPSLatitude] = "N", (52.0, 31.0, 12.34)
    photo = in_bytes(photograph(2000, 1500), "JPEG", quality=90, exif=said)
    assert b"PhoneMaker" in photo
    a_set({"a.jpg": photo})
    (found,) = printed()
    assert found.packed == "/DCTDecode"
    assert len(found.data) <= len(photo)
    with Image.open(BytesIO(found.data)) as image:
        assert not image.getexif()
    assert b"PhoneMaker" not in found.data


def test_a_picture_is_turned_by_xmp_and_by_what_a_text_of_a_png_says() -> None:
    packet = b'XML:com.adobe.xmp\0\0\0\0\0<x tiff:Orientation="6"/>'
    plain = in_bytes(painted("RG"), "PNG")
    digits = exif(8).hex().encode("ascii")
    for turn, chunk in (
        (6, png_chunk(b"iTXt", packet)),
        (8, png_chunk(b"tEXt", b"Raw profile type exif\0\nexif\n9\n" + digits)),
    ):
        assert read_png(plain[:-12] + chunk + plain[-12:]).orientation == turn
    assert read_jpeg(in_bytes(painted("RG", 8), "JPEG", xmp=b'<x tiff:Orientation="3"/>')).orientation == 3


# --- bounds ----------------------------------------------------------------------------------------------------------


def test_a_profile_of_any_number_of_steps_takes_no_time() -> None:
    """Each of its steps would be done for 36,000 colors, which took 12 seconds for 2 MB of them."""
    load()
    a_set({"a.png": in_bytes(photograph(40, 30), "PNG", icc_profile=steps(15_000))})
    run = attempt(["check", "s"], Path())
    assert (run.status, run.faults(seconds=4, mib=150)) == (0, [])


def test_photographs_are_decoded_one_at_a_time() -> None:
    """One of 12 megapixels has 36 MB once it is decoded."""
    load()
    photo = photograph(1000, 750).resize((4000, 3000))
    a_set({f"p{number}.jpg": in_bytes(photo, "JPEG", exif=exif(6), quality=80 + number) for number in range(3)})
    run = attempt(["pdf", "s", "--out", "s.pdf"], Path())
    assert (run.status, run.faults(mib=150)) == (0, [])
