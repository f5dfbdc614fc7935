"""Bleed: what it shows, that nothing within the trim changes, and how far it reaches on a sheet."""

import io
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from render.base.geometry import Edges, Rect, Size
from render.game.faces import lay_out_set
from render.games.kotc.sets import load_sets
from render.layout import bleed
from render.pdf import document as pdf
from render.png import paint
from render.png.canvas import Canvas
from render.scene.items import Group, Outline, Placement, Scene, Stroke, fit_scene
from render.scene.items import Path as Shape
from render.scene.outlines import rect_of
from tests.support import rasters
from tests.support.laws import costly
from tests.support.sets import kotc, write_set
from tests.support.templates import laid_out, place, svg

MADE = ["mirror", "stretch", "#800000"]
EVERY_SOURCE = pytest.mark.parametrize("source", MADE)

PX_PER_MM = 10
DPI = PX_PER_MM * 25.4

EDGY = """
<rect width="63.5" height="88.9" fill="#f2b84b"/>
<circle cx="2" cy="3" r="6" fill="#1b2447"/>
<path d="M50 80 Q70 70 63 95" fill="none" stroke="#ee7660" stroke-width="1.5"/>
<line x1="0" y1="44" x2="63.5" y2="50" stroke="#3aa79f" stroke-width="2"/>
<image x="40" y="-3" width="30" height="30" href="picture.png" preserveAspectRatio="none"/>
<rect x="20" y="20" width="20" height="20" fill="#1f5f6b"/>
"""


def rectangle(box: Rect, color: tuple[int, int, int]) -> Shape:
    corners = ((box.right, box.y), (box.right, box.bottom), (box.x, box.bottom))
    return Shape((Outline((box.x, box.y), corners, True),), color)


def plain(size: Size, beyond: float = 0.0, color: tuple[int, int, int] = (27, 36, 71)) -> Scene:
    """Return a card of one color that is drawn so far beyond its trim."""
    return Scene(size, (rectangle(size.rect.outset(beyond), color),))


@pytest.fixture
def edgy(tmp_path: Path) -> Scene:
    """A card on whose edges something goes on everywhere: shapes, lines and a picture."""
    picture = Image.radial_gradient("L").resize((240, 240))
    Image.merge("RGB", (picture, picture.rotate(90), picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT))).save(
        tmp_path / "picture.png"
    )
    return laid_out(tmp_path, svg(EDGY))


def as_png(scene: Scene, dpi: float = DPI, amount: float = 0.0) -> rasters.Pixels:
    return rasters.pixels(paint.paint(scene, Canvas(dpi, amount)))


def as_pdf(scene: Scene, amount: float, dpi: float = DPI) -> rasters.Pixels:
    """Return the face with its bleed as the only page of a PDF shows it."""
    box = scene.size.rect.moved(amount, amount)
    placed = Placement(face=scene, box=box, bleed=Edges(amount, amount, amount, amount))
    page = pdf.Page(size=Size(box.width + 2 * amount, box.height + 2 * amount), placements=(placed,))
    return rasters.reduced(pdf.write([page], pdf.PdfOptions("Card")), dpi * (1 - 1e-5), 4)


def difference(one: rasters.Pixels, other: rasters.Pixels) -> float:
    """Return by how much two pictures differ on average, of 255."""
    assert one.shape == other.shape
    return float(rasters.lightest(np.abs(one - other)).mean())


# --- whose bleed ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("amount", "source"), [*((0, source) for source in ("auto", "template", *MADE)), (3, "template")]
)
def test_no_bleed_and_the_templates_own_is_the_face_itself(edgy: Scene, amount: float, source: str) -> None:
    assert bleed.add_bleed(edgy, amount, source) is edgy


@pytest.mark.parametrize("kind", ["minion", "spell", "pawn", "tip"])
def test_our_own_templates_bleed_by_themselves_and_cost_nothing(tmp_path: Path, kind: str) -> None:
    numbers = {"minion": "level: 1, sp: 1, hp: 1, ", "spell": "level: 1, "}.get(kind, "")
    (card_set,) = load_sets([write_set(tmp_path, f"{{name: A, kind: {kind}, {numbers}text: Draw 1 card.}}")])
    (faces,) = lay_out_set(card_set).faces
    assert faces.back is not None
    for face in (faces.front, faces.back):
        assert bleed.add_bleed(face, 5.0) is face


def reaches(scene: Scene, amount: float) -> bool:
    return bleed.reaches(scene, scene.size.rect.outset(amount))


@given(
    st.floats(10, 120),
    st.floats(10, 120),
    st.floats(0.1, 5),
    st.sampled_from([(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)]),
    st.floats(0.01, 1),
)
def test_a_template_that_falls_short_on_one_side_is_mirrored(
    width: float, height: float, amount: float, side: tuple[int, int, int, int], short: float
) -> None:
    size, (left, top, right, bottom) = Size(width, height), (amount - short * amount * by for by in side)
    enough = size.rect.outset(amount)
    less = Rect(-left, -top, width + left + right, height + top + bottom)
    assert reaches(Scene(size, (rectangle(enough, (1, 2, 3)),)), amount)
    assert not reaches(Scene(size, (rectangle(less, (1, 2, 3)),)), amount)


SIZE = Size(63.5, 88.9)
REACHING: dict[str, tuple[tuple[Shape, ...], bool]] = {
    "shapes that together surround the trim": (
        (rectangle(Rect(-3, -3, 33, 96), (1, 2, 3)), rectangle(Rect(29, -3, 38, 96), (4, 5, 6))),
        True,
    ),
    "shapes that leave a gap": (
        (rectangle(Rect(-3, -3, 31, 96), (1, 2, 3)), rectangle(Rect(29, -3, 38, 96), (4, 5, 6))),
        False,
    ),
    "ornaments that hang over": (
        (
            rectangle(SIZE.rect, (27, 36, 71)),
            *(rectangle(Rect(x, y, 8, 8), (9, 9, 9)) for x in (-5, 60) for y in (-5, 85)),
        ),
        False,
    ),
    "a line": (
        (Shape(rect_of(SIZE.rect.outset(1.0)), None, stroke=Stroke(color=(0, 0, 0), width=8.0)),),
        False,
    ),
}


@pytest.mark.parametrize(("shapes", "is_bleed"), REACHING.values(), ids=REACHING)
def test_what_is_bleed_of_its_own(shapes: tuple[Shape, ...], *, is_bleed: bool) -> None:
    assert reaches(Scene(SIZE, shapes), 3) is is_bleed


def test_a_face_that_is_scaled_to_another_card_reaches_as_far_as_it_is_scaled() -> None:
    face = fit_scene(plain(Size(63.5, 88.9), 5.0), Size(31.75, 44.45))
    assert reaches(face, 2.5)
    assert not reaches(face, 2.6)


# --- what it shows --------------------------------------------------------------------------------------------------


def test_mirrored_bleed_is_the_face_mirrored_about_edges_and_corners(edgy: Scene) -> None:
    wanted = np.pad(as_png(edgy), ((30, 30), (30, 30), (0, 0)), mode="symmetric")
    assert difference(as_png(bleed.add_bleed(edgy, 3, "mirror"), amount=3), wanted) <= 0.001


def test_stretched_bleed_is_the_edge_drawn_outwards(edgy: Scene) -> None:
    wanted = np.pad(as_png(edgy), ((30, 30), (30, 30), (0, 0)), mode="edge")
    assert difference(as_png(bleed.add_bleed(edgy, 3, "stretch"), amount=3), wanted) <= 0.25
    mirrored = np.pad(as_png(edgy), ((30, 30), (30, 30), (0, 0)), mode="symmetric")
    assert difference(as_png(bleed.add_bleed(edgy, 3, "stretch"), amount=3), mirrored) > 0.4, (
        "the check tells them apart"
    )


def test_colored_bleed_is_of_that_color(edgy: Scene) -> None:
    shown = as_png(bleed.add_bleed(edgy, 3, "#800000"), amount=3)
    beyond = np.ones(shown.shape[:2], bool)
    beyond[30:-30, 30:-30] = False
    assert (shown[beyond] == (128, 0, 0)).all()


def test_the_check_sees_bleed_that_is_a_pixel_off(edgy: Scene) -> None:
    wanted = np.pad(as_png(edgy), ((30, 30), (30, 30), (0, 0)), mode="reflect")  # the outermost pixel only once
    assert difference(as_png(bleed.add_bleed(edgy, 3, "mirror"), amount=3), wanted) > 0.01


@EVERY_SOURCE
@pytest.mark.parametrize("dpi", [DPI, 300.0, 72.0])
def test_nothing_within_the_trim_changes_by_a_single_pixel(edgy: Scene, source: str, dpi: float) -> None:
    edge = int(np.ceil(3 * dpi / 25.4))
    before, after = (
        as_png(scene, dpi, 3)[edge:-edge, edge:-edge] for scene in (edgy, bleed.add_bleed(edgy, 3, source))
    )
    assert np.array_equal(before, after)


FRAME = '<path fill-rule="evenodd" d="M-5 -5 H70 V95 H-5 Z M4 4 V84.9 H59.5 V4 Z" fill="#1f5f6b"/>'
LOOSE = '<circle cx="0" cy="44" r="20" fill="#1b2447"/><rect x="-5" width="9" height="9"/>'


@EVERY_SOURCE
@pytest.mark.parametrize("content", [LOOSE, FRAME + LOOSE, LOOSE + FRAME], ids=["loose", "under", "upon"])
def test_a_face_that_leaves_paper_keeps_it(tmp_path: Path, source: str, content: str) -> None:
    scene = laid_out(tmp_path, svg(content))
    before, after = (as_png(face, amount=3)[30:-30, 30:-30] for face in (scene, bleed.add_bleed(scene, 3, source)))
    assert np.array_equal(before, after)


@EVERY_SOURCE
def test_paper_within_a_frame_is_mirrored_as_paper(tmp_path: Path, source: str) -> None:
    shown = as_png(bleed.add_bleed(laid_out(tmp_path, svg(FRAME)), 5, source), amount=5)
    assert ((shown[1:9, 100:-100] == 255).all()) == (source == "mirror")


@pytest.mark.parametrize("source", ["mirror", "stretch"])
@pytest.mark.parametrize("beyond", [0.0, 0.4])
@pytest.mark.parametrize("dpi", [300.0, 173.0, 72.0])
def test_no_paper_shines_through_where_face_and_bleed_meet(source: str, beyond: float, dpi: float) -> None:
    scene = bleed.add_bleed(plain(Size(63.5, 88.9), beyond), 3, source)
    inner = slice(1, -1)  # the outermost pixels of the canvas may be cut by its edge
    assert (as_png(scene, dpi, 3)[inner, inner] == (27, 36, 71)).all()
    drawn = as_pdf(scene, 3, dpi)
    assert difference(drawn[inner, inner], np.full_like(drawn, (27, 36, 71))[inner, inner]) <= 0.01


def test_no_paper_shines_through_on_our_own_back(tmp_path: Path) -> None:
    (card_set,) = load_sets([write_set(tmp_path, "{name: A, kind: tip, text: A.}")])
    back = lay_out_set(card_set).faces[0].back
    assert back is not None
    shown = as_png(bleed.add_bleed(back, 3, "mirror"), 150, 3)
    assert rasters.lightest(shown)[:19].max() < 120, "the field of dots about the border is dark all over"


@EVERY_SOURCE
def test_png_and_pdf_show_the_same_bleed(edgy: Scene, source: str) -> None:
    scene = bleed.add_bleed(edgy, 3, source)
    one, other = as_png(scene, 300, 3), as_pdf(scene, 3, 300)
    for pixels in (one, other):  # PDFium clips to whole pixels: what lies on the trim edges is not compared
        pixels[[34, 35, 36, 1084, 1085, 1086]] = 0
        pixels[:, [34, 35, 36, 784, 785, 786]] = 0
    assert difference(one[:1120, :820], other[:1120, :820]) <= 0.5
    assert (rasters.lightest(np.abs(one[:1120, :820] - other[:1120, :820])) > 60).sum() <= 20


@costly
@given(st.floats(10, 60), st.floats(10, 60), st.floats(0.05, 5), st.sampled_from(["mirror", "stretch"]))
@example(10.0, 10.0, 0.21875, "mirror")  # narrower than a pixel, which the trim cuts
def test_a_card_of_one_color_bleeds_in_that_color(width: float, height: float, amount: float, source: str) -> None:
    shown = as_png(bleed.add_bleed(plain(Size(width, height)), amount, source), 72, amount)
    assert (shown[1:-1, 1:-1] == (27, 36, 71)).all()


def test_the_same_bleed_twice_is_the_same(edgy: Scene) -> None:
    assert bleed.add_bleed(edgy, 3, "mirror") == bleed.add_bleed(edgy, 3, "mirror")


# --- what it costs --------------------------------------------------------------------------------------------------


def test_mirrored_strips_are_in_the_pdf_once(edgy: Scene) -> None:
    scene = bleed.add_bleed(edgy, 3, "mirror")
    groups = [item for item in scene.items if isinstance(item, Group)]
    assert len(groups) == 13, "what lies under them, in four parts, eight strips and the face"
    assert len({id(group.items) for group in groups[:-1]}) == 1
    page = pdf.Page(size=scene.size, placements=(Placement(face=scene, box=scene.size.rect),))
    with pikepdf.open(io.BytesIO(pdf.write([page], pdf.PdfOptions("Card")))) as file:
        face = file.pages[0].Resources.XObject.face1
        content = face.read_bytes()
        drawn = [name for name, _ in face.Resources.XObject.items() if "group" in name]
    assert len(drawn) == 1
    assert content.count(drawn[0].encode()) == 12


def test_a_text_inside_the_card_is_in_the_pdf_once(tmp_path: Path) -> None:
    scene = laid_out(tmp_path, svg('<rect width="63.5" height="88.9" fill="#fff"/><text x="9" y="44">lantern</text>'))
    page = pdf.Page(
        size=scene.size, placements=(Placement(face=bleed.add_bleed(scene, 3, "mirror"), box=scene.size.rect),)
    )
    document = pypdfium2.PdfDocument(pdf.write([page], pdf.PdfOptions("Card")))
    assert document[0].get_textpage().get_text_range().split() == ["lantern"]


@pytest.mark.parametrize(("source", "dpi"), [("mirror", 1200), ("stretch", 300), ("#800000", 300)])
def test_text_that_is_cut_by_the_trim_is_no_trouble(tmp_path: Path, source: str, dpi: int) -> None:
    corners = [(x, y) for x in (0, 63.5) for y in (2, 90)]
    lines = (f'<text x="{x}" y="{y}" font-size="8" text-anchor="middle">A long line</text>' for x, y in corners)
    scene = bleed.add_bleed(laid_out(tmp_path, svg("".join(lines))), 5, source)
    assert as_png(scene, dpi, 5).shape == (4672 * dpi // 1200, 3472 * dpi // 1200, 3)
    assert as_pdf(scene, 5, 72).size > 0


def test_a_picture_that_is_stretched_does_not_grow_in_memory(edgy: Scene) -> None:
    scaled = fit_scene(edgy, Size(120.0, 160.0))
    assert as_png(bleed.add_bleed(scaled, 5, "stretch"), 300, 5).shape == (2008, 1535, 3)


# --- on sheets ------------------------------------------------------------------------------------------------------

COLORS = ["#c03030", "#30a040", "#3050c0", "#c0a030", "#a030b0", "#30b0b0"]
CARDS = "".join(f"- {{name: Card {number}, kind: pawn, level: {number}}}\n" for number in range(6))
FRONT = "<rect width='40' height='60' fill='{{ ['" + "', '".join(COLORS) + "'][card.level] }}'/>"
BACK = '<rect width="40" height="60" fill="#603018"/>'
SMALL = 'xmlns="http://www.w3.org/2000/svg" width="40" height="60"'


def sheet(folder: Path, *asked: str) -> tuple[list[rasters.Pixels], list[Rect], list[Rect]]:
    """Return the two sides of a sheet of six cards, 3 x 2 of 40 x 60 mm on 180 x 180 mm, and where their slots lie."""
    place(write_set(folder / "set", CARDS), {"pawn.svg": svg(FRONT, SMALL), "back.svg": svg(BACK, SMALL)})
    arguments = ["--card-size", "40x60", "--paper", "180x180", "--grid", "3x2", "--crop-marks", "off", "--no-slug"]
    result = kotc("pdf", folder / "set", "--out", folder / "a.pdf", *arguments, "--no-ruler", *asked)
    assert result.exit_code == 0, result.output
    across, down = (float(asked[asked.index("--gutter") + 1]),) * 2
    left, top = (180 - 3 * 40 - 2 * across) / 2, (180 - 2 * 60 - down) / 2
    slots = [Rect(left + x * (40 + across), top + y * (60 + down), 40, 60) for y in range(2) for x in range(3)]
    data = (folder / "a.pdf").read_bytes()
    return (
        [rasters.page(data, number, DPI) for number in (0, 1)],
        slots,
        [Rect(180 - slot.right, slot.y, 40, 60) for slot in slots],
    )


def within(pixels: rasters.Pixels, box: Rect, by: int) -> rasters.Pixels:
    """Return the pixels of a box without its outermost `by` pixels."""
    left, top, right, bottom = (round(mm * PX_PER_MM) for mm in (box.x, box.y, box.right, box.bottom))
    return pixels[top + by : bottom - by, left + by : right - by]


def inked(pixels: rasters.Pixels) -> rasters.Extent:
    return rasters.extent(rasters.darkest(pixels) < 128)


@pytest.mark.parametrize(("where", "gutter", "source"), [
    *((where, gutter, "mirror") for where in ("each", "block") for gutter in ("0", "1", "4", "8")),
    *((where, gutter, made) for where, gutter in (("each", "1"), ("block", "4")) for made in ("stretch", "#202020")),
])  # fmt: skip
def test_bleed_never_covers_a_neighbour_and_reaches_as_far_as_asked(
    tmp_path: Path, where: str, gutter: str, source: str
) -> None:
    asked = ["--gutter", gutter, "--bleed", "2", "--bleed-backs", "4", "--bleed-where", where, "--bleed-from", source]
    (front, back), slots, behind = sheet(tmp_path, *asked)
    for slot, color in zip(slots, COLORS, strict=True):
        assert (within(front, slot, 1) == tuple(bytes.fromhex(color[1:]))).all()
    for slot in behind:
        assert (within(back, slot, 1) == (0x60, 0x30, 0x18)).all()
    for side, amount, boxes in ((front, 2, slots), (back, 4, behind)):
        left, top = min(box.x for box in boxes) - amount, min(box.y for box in boxes) - amount
        wanted = rasters.Extent(*(round(mm * 10) for mm in (top, 180 - top, left, 180 - left)))
        assert inked(side).distance(wanted) <= 2
    if where == "block" and float(gutter) > 0:
        between = Rect(slots[0].right, slots[0].y, float(gutter), 60)
        assert (within(front, between, 2) == 255).all(), "inside the block nothing bleeds"


def test_bleed_of_two_neighbours_meets_in_the_middle_of_the_gutter(tmp_path: Path) -> None:
    (front, _), slots, _ = sheet(tmp_path, "--gutter", "2", "--bleed", "3")
    one, other = (tuple(bytes.fromhex(color[1:])) for color in COLORS[:2])
    assert (within(front, Rect(slots[0].right, slots[0].y, 1, 60), 1) == one).all()
    assert (within(front, Rect(slots[0].right + 1, slots[0].y, 1, 60), 1) == other).all()


def test_a_png_with_bleed_is_larger_and_bleeds(tmp_path: Path) -> None:
    folder = place(write_set(tmp_path / "set", CARDS), {"pawn.svg": svg(FRONT, SMALL)})
    asked = ["--card", "card-0", "--dpi", "254", "--bleed", "3", "--card-size", "40x60"]
    assert kotc("png", folder, "--out", tmp_path, *asked).exit_code == 0
    shown = rasters.png((tmp_path / "card-0.png").read_bytes())
    assert shown.shape == (660, 460, 3)
    assert (shown == (0xC0, 0x30, 0x30)).all()
    assert kotc("png", folder, "--out", tmp_path, *asked, "--bleed-from", "#102030").exit_code == 0
    assert tuple(rasters.png((tmp_path / "card-0.png").read_bytes())[0, 0]) == (0x10, 0x20, 0x30)


def test_a_png_takes_what_its_bleed_is_made_of_from_the_set(tmp_path: Path) -> None:
    set_yaml = "name: Test\nedition: 17\nsheet: {bleed_from: '#102030', card_size: 40x60}\n"
    folder = place(write_set(tmp_path / "set", CARDS, set_yaml), {"pawn.svg": svg(FRONT, SMALL)})
    assert kotc("png", folder, "--out", tmp_path, "--card", "card-0", "--bleed", "2").exit_code == 0
    assert tuple(rasters.png((tmp_path / "card-0.png").read_bytes())[0, 0]) == (0x10, 0x20, 0x30)


def test_a_png_shows_where_it_is_cut_if_it_is_asked_to(tmp_path: Path) -> None:
    set_yaml = "name: Test\nedition: 17\nsheet: {card_size: 40x60, corner_radius: 5}\n"
    folder = place(write_set(tmp_path / "set", CARDS, set_yaml), {"pawn.svg": svg(FRONT, SMALL)})

    def magenta(*asked: str) -> NDArray[np.bool_]:
        arguments = ("--out", tmp_path, "--card", "card-0", "--dpi", "254", "--bleed", "2", *asked)
        assert kotc("png", folder, *arguments).exit_code == 0
        shown = rasters.png((tmp_path / "card-0.png").read_bytes())
        return np.asarray((shown == (255, 0, 255)).all(axis=2))

    assert not magenta().any()
    line = magenta("--cut-line")
    assert rasters.extent(line).distance(rasters.Extent(20, 619, 20, 419)) <= 1
    assert rasters.extent(line[:24]).left >= 45, "rounded by 5 mm"
    assert rasters.extent(magenta("--cut-line", "--corner-radius", "0")[:24]).left <= 20
