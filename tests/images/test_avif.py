"""AVIF: drawn upright and in its colors, in bounds, with nothing that the camera said; a HEIC says what to do."""

from io import BytesIO
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageCms, features
from proofs.hostile.pictures import exif

from render.images.decode import check_picture, decode_picture, open_raster
from render.images.files.avif import read_avif
from render.images.files.parts import UnusablePicture
from tests.support.picture_files import in_bytes, painted
from tests.support.sets import kotc, write_set

pytestmark = pytest.mark.skipif(not features.check("avif"), reason="the Pillow that is installed reads no AVIF")

LEFT_RED = painted("RG", 200)  # red on the left, green on the right
SECRET = b"taken at home, 52.5 north, 13.4 east"
# What EXIF's orientations make of it: the color at the middle of the top left quarter, and whether it stands upright.
SHOWN = {1: "red", 2: "green", 3: "green", 4: "red", 5: "red", 6: "red", 7: "green", 8: "green"}
NAMES = {(True, False): "red", (False, True): "green"}


def avif(image: Image.Image, **options: object) -> bytes:
    return in_bytes(image, "AVIF", quality=90, **options)


def color(image: Image.Image, across: float, down: float) -> str:
    red, green, _ = image.convert("RGB").resize((8, 8), Image.Resampling.BOX).getpixel((int(8 * across), int(8 * down)))  # type: ignore[misc]
    return NAMES[red > 150, green > 100]


@pytest.mark.parametrize("turn", range(1, 9))
def test_it_is_turned_upright_as_the_same_jpeg_is(turn: int) -> None:
    drawn = decode_picture(open_raster(avif(LEFT_RED, exif=exif(turn))))
    expected = decode_picture(open_raster(in_bytes(LEFT_RED, "JPEG", exif=exif(turn))))
    assert drawn.size == expected.size
    for place in ((0.25, 0.25), (0.75, 0.25), (0.25, 0.75)):
        assert color(drawn, *place) == color(expected, *place)


def test_png_and_pdf_show_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s").mkdir()
    (tmp_path / "s/a.avif").write_bytes(avif(LEFT_RED.resize((900, 700)), exif=exif(6)))
    write_set(tmp_path / "s", "- {name: A, kind: minion, level: 2, sp: 1, hp: 1, art: {file: a.avif, fit: cover}}")
    assert kotc("build", "s").exit_code == 0
    card = Image.open("out/s/png/a.png")
    sheet = pypdfium2.PdfDocument("out/s/sheets.pdf")[0].render(scale=300 / 72).to_pil()
    with pikepdf.open("out/s/sheets.pdf") as file:
        streams = [each for each in file.objects if isinstance(each, pikepdf.Stream)]
        pictures = [each for each in streams if each.get("/Subtype") == "/Image"]
        assert [(str(each.Filter), int(each.Width) < int(each.Height)) for each in pictures] == [("/DCTDecode", True)]
    left, top = 167, 170  # pixels of 300 dpi: where the first card begins on A4
    for down in (0.2, 0.45):
        assert color(card, 0.5, down) == color(sheet.crop((left, top, left + 750, top + 1050)), 0.5, down)
    assert {color(card, 0.5, 0.2), color(card, 0.5, 0.45)} == {"red", "green"}


def test_opacity_is_on_white() -> None:
    clear = Image.new("RGBA", (64, 64), (255, 0, 0, 0))
    assert decode_picture(open_raster(avif(clear))).getpixel((32, 32)) == (255, 255, 255)


def test_a_profile_is_applied() -> None:
    icc = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    assert read_avif(avif(LEFT_RED, icc_profile=icc)).profile == icc


def test_nothing_that_the_camera_said_is_in_a_sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s").mkdir()
    data = avif(LEFT_RED.resize((400, 300)), exif=exif(1), xmp=SECRET)
    assert SECRET in data
    (tmp_path / "s/a.avif").write_bytes(data)
    write_set(tmp_path / "s", "- {name: A, kind: minion, level: 2, sp: 1, hp: 1, art: a.avif}")
    assert kotc("build", "s").exit_code == 0
    for path in Path("out").rglob("*"):
        if path.is_file():
            assert SECRET not in path.read_bytes()
    with pikepdf.open("out/s/sheets.pdf") as file:
        assert not any(SECRET in each.read_raw_bytes() for each in file.objects if isinstance(each, pikepdf.Stream))


def said(data: bytes) -> str:
    with pytest.raises(UnusablePicture) as refused:
        check_picture(data)
    return f"{refused.value.problem.message} [{refused.value.problem.code}]"


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_one_that_was_cut_short_is_refused(share: float) -> None:
    data = avif(LEFT_RED)
    assert said(data[: int(len(data) * share)]) == "is an AVIF that ends too early [A006]"


def test_one_with_broken_data_is_refused() -> None:
    data = avif(LEFT_RED)
    at = data.index(b"mdat") + 4
    assert said(data[:at] + bytes(len(data) - at)).startswith("is an AVIF that is damaged, or takes more than ")


def test_one_whose_boxes_are_empty_is_refused() -> None:
    data = avif(LEFT_RED)
    for name in (b"ipma", b"pitm", b"ispe", b"iprp"):
        at = data.index(name) - 4
        assert said(data[:at] + (8).to_bytes(4) + name)  # the file ends with the box


def test_one_that_moves_is_refused() -> None:
    stream = BytesIO()
    LEFT_RED.save(stream, "AVIF", save_all=True, append_images=[painted("GR", 200)])
    assert said(stream.getvalue()).startswith("is animated: it has 2 frames")


def test_one_that_says_it_is_huge_is_refused_before_it_is_decoded() -> None:
    data = avif(LEFT_RED)
    at = data.index(b"ispe") + 8
    huge = data[:at] + (30_000).to_bytes(4) + (1300).to_bytes(4) + data[at + 8 :]
    assert "has 30000 x 1300 pixels, 39 megapixels: at most 20 megapixels are read" in said(huge)


@pytest.mark.parametrize(
    ("primaries", "curve", "message"),
    [
        (9, 16, "is an AVIF with colors for bright screens (PQ) [A006]"),
        (1, 18, "is an AVIF with colors for bright screens (HLG) [A006]"),
        (12, 13, "is an AVIF in wide colors without a profile that describes them [A006]"),
    ],
)
def test_colors_that_would_be_printed_wrong_are_refused(primaries: int, curve: int, message: str) -> None:
    data = avif(LEFT_RED)
    at = data.index(b"nclx") + 4
    assert said(data[:at] + primaries.to_bytes(2) + curve.to_bytes(2) + data[at + 4 :]) == message


def test_a_heic_says_how_to_get_a_jpeg() -> None:
    data = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"
    with pytest.raises(UnusablePicture) as refused:
        check_picture(data)
    assert refused.value.problem.hint.startswith("export it as JPEG (an iPhone takes JPEGs with Settings, Camera, ")
