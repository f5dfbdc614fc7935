"""SVG pictures on cards: drawn as sharp as the output, the same everywhere, and alone with what is in their file."""

import hashlib
import re
import time
from io import BytesIO
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
import pytest
from msgspec.structs import replace
from PIL import Image

from render.base.geometry import Rect
from render.base.limits import TO_DRAW_SVG
from render.images import resample
from render.images.files import svg_drawing
from render.images.files.parts import UnusablePicture
from render.images.files.svg_drawing import read_drawing
from render.images.inspect import PictureReference, inspect
from render.images.patches import scaled_patch
from render.scene.items import Picture
from tests.support.picture_files import WHOLE
from tests.support.sets import kotc, write_set

pytestmark = pytest.mark.usefixtures("in_empty_folder")

FLAG = """<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
  width="60mm" height="40mm" viewBox="0 0 60 40">
  <title>Flag</title>
  <g inkscape:groupmode="layer" inkscape:label="Cloth">
    <rect width="30" height="40" fill="#ff0000"/>
    <rect x="30" width="30" height="40" fill="#0000ff"/>
  </g>
  <circle id="sun" cx="15" cy="20" r="5" fill="#ffff00"/>
  <use href="#sun" x="30" opacity="0.5"/>
</svg>
"""
CARDS = """\
- {name: Flag, kind: minion, level: 1, sp: 1, hp: 0, art: flag.svg}
- {name: Banner, kind: spell, level: 1, text: Draw 1 card., art: {file: flag.svg, fit: cover}}
"""


def a_set(svg: str = FLAG, cards: str = CARDS) -> Path:
    folder = write_set(Path("s"), cards)
    (folder / "flag.svg").write_text(svg, encoding="utf-8")
    return folder


def drawn(svg: str, size: tuple[int, int]) -> Image.Image:
    return Image.open(BytesIO(read_drawing(svg.encode("utf-8")).as_png(size))).convert("RGBA")


def in_a_box(svg: str, width: float, height: float) -> Picture:
    Path("flag.svg").write_text(svg, encoding="utf-8")
    digest = hashlib.sha256(svg.encode("utf-8")).hexdigest()
    return Picture(file=Path("flag.svg").resolve(), digest=digest, box=Rect(0, 0, width, height), crop=WHOLE)


def test_a_drawing_has_exactly_as_many_pixels_as_are_asked_for_and_fills_them() -> None:
    image = drawn(FLAG, (61, 39))
    assert image.size == (61, 39)
    assert image.getpixel((0, 0)) == image.getpixel((0, 38)) == (255, 0, 0, 255)
    assert image.getpixel((60, 38)) == (0, 0, 255, 255)
    assert image.getpixel((15, 19)) == (255, 255, 0, 255)
    assert image.getpixel((45, 19)) == (128, 128, 128, 255)


def test_a_drawing_is_the_same_bytes_each_time() -> None:
    drawing = read_drawing(FLAG.encode("utf-8"))
    first = drawing.as_png((200, 133))
    again = replace(drawing, digest=b"as if it was another")  # so that what is remembered is not it
    assert again.as_png((200, 133)) == first


def test_what_was_drawn_last_is_remembered() -> None:
    drawing = read_drawing(FLAG.encode("utf-8"))
    assert drawing.as_png((301, 201)) is drawing.as_png((301, 201))


@pytest.mark.parametrize("dpi", [150, 300, 600, 1200])
def test_a_picture_is_as_sharp_as_its_output(dpi: int) -> None:
    width = round(30 * dpi / 25.4)
    patch = resample.scaled(in_a_box(FLAG, 30, 20), (0, 0, width, round(20 * dpi / 25.4)))
    row = np.asarray(patch.image)[3].astype(int)
    mixed = [pixel for pixel in row if tuple(pixel) not in {(255, 0, 0), (0, 0, 255)}]
    assert len(mixed) <= 2  # one edge, and not blurred by being enlarged


def test_sheets_have_a_drawing_at_600_dpi_and_no_more_than_they_ask_for() -> None:
    picture = in_a_box(FLAG, 30, 20)
    packed = resample.embeddable(picture, resample.most_pixels(picture, 600))
    assert (packed.width, packed.height) == (708, 472)
    packed = resample.embeddable(picture, resample.most_pixels(picture, float("inf")))
    assert packed.width * packed.height <= 9_000_000


@pytest.mark.parametrize(("asked", "width"), [("150", 338), ("400", 900), ("600", 900), ("900", 2025)])
def test_sheets_have_a_drawing_with_400_dpi_if_they_ask_for_neither_less_nor_more_than_600(
    asked: str, width: int
) -> None:
    a_set(FLAG.replace('viewBox="0 0 60 40"', 'viewBox="0 0 1350 840"'), CARDS.partition("\n")[0])
    assert kotc("pdf", "s", "--out", "o.pdf", "--art-dpi", asked).exit_code == 0
    with pikepdf.open("o.pdf") as file:
        found = [obj for obj in file.objects if isinstance(obj, pikepdf.Stream) and obj.get("/Subtype") == "/Image"]
        assert {abs(int(obj.Width) - width) <= 2 for obj in found} == {True}


@pytest.mark.parametrize("flipped", [(False, False), (True, False), (False, True), (True, True)])
def test_a_part_of_a_drawing_stands_where_it_stands_in_the_whole(flipped: tuple[bool, bool]) -> None:
    """As far as the pixels tell, a drawing is what the same picture in pixels would be, flipped or off the grid."""
    picture = in_a_box(FLAG, 30, 20)
    shown = Picture(file=picture.file, digest=picture.digest, box=Rect(0, 0, 15, 10), crop=Rect(0.2, 0.1, 0.5, 0.5))
    target = (10.3, 20.6, 310.3, 220.6)
    patch = resample.scaled(shown, target, flipped)
    image = resample.pixels(picture, (2400, 1600))
    wanted = scaled_patch(image, shown.crop, target, flipped)
    assert (patch.left, patch.top, patch.image.size) == (wanted.left, wanted.top, wanted.image.size)
    apart = np.abs(np.asarray(patch.image).astype(int) - np.asarray(wanted.image).astype(int))
    assert apart.mean() < 0.5
    assert (apart.max(axis=2) > 40).mean() < 0.01


def test_the_png_and_the_pdf_of_a_card_show_the_same_drawing() -> None:
    a_set()
    assert kotc("png", "s", "--out", "p").exit_code == 0
    assert kotc("pdf", "s", "--out", "o.pdf", "--grid", "1x1", "--paper", "a4").exit_code == 0
    page = pypdfium2.PdfDocument("o.pdf")[0].render(scale=300 / 72).to_pil().convert("RGB")
    card = Image.open("p/flag.png").convert("RGB")
    sizes, areas = [], []
    for image in (page, card):
        shown = np.asarray(image).astype(int)
        pure = (shown[..., 0] > 250) & (shown[..., 1] < 5) & (shown[..., 2] < 5)
        rows, columns = np.nonzero(pure)
        sizes.append((int(np.ptp(rows)), int(np.ptp(columns))))
        areas.append(int(pure.sum()))
    assert sizes[0] == pytest.approx(sizes[1], abs=2)
    assert areas[0] == pytest.approx(areas[1], rel=0.01)


def test_an_svg_can_be_a_back_and_stand_in_a_template() -> None:
    folder = a_set(cards="- {name: Flag, kind: tip, text: Hi., back: flag.svg}\n")
    (folder / "tip.svg").write_text(
        "<svg xmlns='http://www.w3.org/2000/svg' width='63.5' height='88.9' viewBox='0 0 63.5 88.9'>"
        "<image width='63.5' height='42' href='flag.svg'/></svg>"
    )
    assert kotc("png", "s", "--out", "p").exit_code == 0
    assert kotc("pdf", "s", "--out", "o.pdf", "--grid", "1x1").exit_code == 0
    back = pypdfium2.PdfDocument("o.pdf")[1].render(scale=1).to_pil().convert("RGB")
    assert {(255, 0, 0), (0, 0, 255), (255, 255, 0)} <= {color for _, color in back.getcolors(1 << 20)}
    assert Image.open("p/flag.png").convert("RGB").getpixel((60, 60)) == (255, 0, 0)


def test_an_svg_is_never_too_coarse() -> None:
    a_set()
    assert "A011" not in kotc("check", "s").stdout


def test_a_broken_svg_names_its_line_and_column_for_every_command() -> None:
    a_set("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 3 2'>\n  <g>\n</svg>\n")
    for command in (("check", "s"), ("png", "s", "--out", "p"), ("pdf", "s", "--out", "o.pdf")):
        result = kotc(*command)
        assert result.exit_code == 1
        said = "s/flag.svg:3:3: error: the picture `flag.svg` is an SVG that cannot be read: mismatched tag [A013]"
        assert (result.stdout + result.stderr).count(said) == 1


def test_an_svg_of_a_graphics_program_is_drawn() -> None:
    svg = FLAG.replace(
        "<title>",
        "<style>.a{fill:#00ff00}</style><metadata><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>"
        "</metadata><n:namedview xmlns:n='http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd' n:x='a b'/><title>",
    ).replace("</svg>", "<rect class='a' width='4' height='4'/></svg>")
    svg = svg.replace(
        '<?xml version="1.0"?>', '<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "a.dtd">'
    )
    assert inspect(_written(svg), PictureReference("a.svg")).findings == ()
    assert drawn(svg, (60, 40)).getpixel((1, 1)) == (0, 255, 0, 255)


def _written(svg: str) -> Path:
    Path("a.svg").write_text(svg, encoding="utf-8")
    return Path("a.svg").resolve()


def test_nothing_beside_the_file_is_read(tmp_path: Path) -> None:
    """What resvg would load is not let through: pictures, fonts, other SVGs; a file beside it changes nothing."""
    Image.new("RGB", (3, 2), "red").save(tmp_path / "a.png")
    href = (tmp_path / "a.png").as_uri()
    for line in (f"<image href='{href}'/>", f"<filter><feImage href='{href}'/></filter>", "<text>a</text>"):
        with pytest.raises(UnusablePicture) as error:
            read_drawing(FLAG.replace("</svg>", f"{line}</svg>").encode("utf-8"))
        assert error.value.problem.code == "A014"


SMALL = {
    "dashes": "<path d='M0 0H60' stroke='red' stroke-dasharray='3 2' stroke-dashoffset='1'/>",
    "dashes in a style": "<path d='M0 0H60' style='stroke-dasharray: 3 2'/>",
    "a style sheet": "<style>.a { fill: red }</style><path class='a' d='M0 0H60'/>",
}
LARGE = {
    "a filter": "<path d='M0 0H60' filter='url(#f)'/>",
    "a mask in a style": "<path d='M0 0H60' style='mask: url(#m)'/>",
    "a pattern": "<pattern id='p' width='1' height='1'/>",
    "a filter in a style sheet": "<style>.a { fill: red } <![CDATA[ .b { filter: blur(9px) } ]]></style>",
    "a filter in a second style sheet": "<style>.a { fill: red }</style><style>.b { filter: blur(9px) }</style>",
    "a style sheet of another kind": "<o:style xmlns:o='urn:o'>.b { filter: blur(9px) }</o:style>",
    "a style sheet in one": "<style><style>.a { fill: red }</style>.b { filter: blur(9px) }</style>",
    "a style sheet with an escape": r"<style>.a { fil\74er: blur(9px) }</style>",
    "a word in two pieces": "<style>.a { fil<!-- -->ter: blur(9px) }</style>",
    "an entity in a style sheet": "<style>.a { f&#105;lter: blur(9px) }</style>",
}


@pytest.mark.parametrize("inner", [*SMALL.values(), *LARGE.values()], ids=[*SMALL, *LARGE])
def test_a_drawing_is_tried_small_unless_it_may_take_more_than_its_pixels(inner: str) -> None:
    assert read_drawing(_bomb(inner).encode("utf-8")).svg.is_even == (inner in SMALL.values())


def _bomb(inner: str) -> str:
    return FLAG.replace("</svg>", f"{inner}</svg>")


@pytest.mark.parametrize(
    "svg",
    [
        _bomb("<g opacity='.9'><rect x='-1e6' width='2e6' height='40'/>" * 50 + "</g>" * 50),
        _bomb(
            "<filter id='f' x='-100' y='-100' width='300' height='300'>"
            + "<feGaussianBlur stdDeviation='900'/>" * 200
            + "</filter><rect width='60' height='40' filter='url(#f)'/>"
        ),
        _bomb("<path d='M0 0H6000000' stroke='red' stroke-width='9' stroke-dasharray='.001'/>"),
        _bomb(f"<path d='M0 0{'H60V9H0V0' * 20}' stroke='red' stroke-linecap='round' stroke-dasharray='.05'/>"),
        _bomb(
            "<pattern id='p' width='.0001' height='.0001'><rect width='9' height='9'/></pattern>"
            "<rect width='60' height='40' fill='url(#p)'/>"
        ),
        _bomb(
            "".join(f"<mask id='m{n}' mask='url(#m{n + 1})'><rect width='60' height='40'/></mask>" for n in range(40))
            + "<rect width='60' height='40' mask='url(#m0)'/>"
        ),
        _bomb("<rect width='60' height='40' opacity='.9'/>" * 9000),
    ],
    ids=["layers", "filters", "too many dashes", "dashes", "pattern", "masks", "shapes"],
)
def test_a_drawing_that_takes_much_can_be_drawn_or_is_refused_when_it_is_checked(
    svg: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(svg_drawing, "TO_DRAW_SVG", TO_DRAW_SVG._replace(seconds=0.3))
    start = time.monotonic()
    found = inspect(_written(svg), PictureReference("a.svg")).findings
    assert [finding.code for finding in found] in ([], ["A015"])
    assert time.monotonic() - start < 120
    if found:
        assert re.fullmatch(
            "the picture `a.svg` is an SVG that cannot be drawn in 560 MB of memory and 0.3 s", found[0].message
        )
    else:
        drawing = read_drawing(svg.encode("utf-8"))
        assert drawing.as_png(drawing.upright_size).startswith(b"\x89PNG")
