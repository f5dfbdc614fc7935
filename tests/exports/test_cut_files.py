"""Cut files: each card is cut along its trim, and the machine finds the sheet by marks that stand where it looks."""

from __future__ import annotations

import io
import re
from collections import Counter
from itertools import pairwise
from math import atan, ceil, isclose, pi
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np
import pypdfium2
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from render.base.geometry import MM_PER_INCH, Rect, Size
from render.base.sizes import CARDS, PAPERS
from render.exports import cut_files
from render.pdf import document as pdf
from render.png import paint
from render.png.canvas import Canvas
from render.scene.items import Outline, Scene
from render.scene.items import Path as Shape
from render.sheets import cutting, imposition
from render.sheets.cutting import Contour, CutLine, CutShape
from render.sheets.imposition import Grid, ImposedCard
from render.sheets.options import Backs, Orientation, Registration, SheetOptions
from tests.support import rasters
from tests.support.ink import DPI, gray
from tests.support.sets import kotc, write_set

if TYPE_CHECKING:
    from ezdxf.document import Drawing
    from ezdxf.entities.polyline import Polyline

PX = DPI / MM_PER_INCH
LYING = SheetOptions(orientation=Orientation.LANDSCAPE, grid=(4, 2), registration=Registration.SILHOUETTE)
CARDS_YAML = "\n".join(f"- {{name: Card {number}, kind: minion, level: 1, sp: 1, hp: 0}}" for number in range(11))

papers, cards = st.sampled_from(list(PAPERS.values())), st.sampled_from(list(CARDS.values()))
gutters = st.sampled_from([(0.0, 0.0), (2.0, 2.0), (0.0, 3.0), (1.5, 0.0)])
radii = st.sampled_from([0.0, 0.5, 3.0])


def grid_of(options: SheetOptions) -> Grid:
    try:
        return imposition.fit_grid(options)
    except ValueError:
        assume(False)
        raise


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    return grid_of(
        SheetOptions(
            paper=draw(papers),
            orientation=draw(st.sampled_from(Orientation)),
            card_size=draw(cards),
            gutter=draw(gutters),
            corner_radius=draw(radii),
        )
    )


# --- reading back ---------------------------------------------------------------------------------------------------

SVG = {"svg": "http://www.w3.org/2000/svg"}
STEP = re.compile(r"([MLAZ])([^MLAZ]*)")


def svg_paths(data: bytes, layer: str) -> list[list[tuple[str, list[float]]]]:
    """Return the paths of a layer as steps: a letter and its numbers."""
    root = ElementTree.fromstring(data)
    paths = root.findall(f"svg:g[@id='{layer}']/svg:path", SVG)
    return [
        [(letter, [float(word) for word in words.split()]) for letter, words in STEP.findall(path.attrib["d"])]
        for path in paths
    ]


def ends(path: list[tuple[str, list[float]]]) -> list[tuple[float, float]]:
    return [(numbers[-2], numbers[-1]) for letter, numbers in path if letter != "Z"]


def around(points: list[tuple[float, float]]) -> Rect:
    left, top = min(x for x, _ in points), min(y for _, y in points)
    return Rect(left, top, max(x for x, _ in points) - left, max(y for _, y in points) - top)


def dxf_document(data: bytes) -> Drawing:
    from ezdxf import filemanagement

    return filemanagement.read(io.StringIO(data.decode("ascii")))


def polylines(data: bytes, query: str) -> list[Polyline]:
    from ezdxf.entities.polyline import Polyline

    return [each for each in dxf_document(data).modelspace().query(query) if isinstance(each, Polyline)]


def dxf_boxes(data: bytes, layer: str, height: float) -> list[Rect]:
    """Return the box around each closed polyline of a layer, as the sheet is seen: y down."""
    found = polylines(data, f'POLYLINE[layer=="{layer}"]')
    return [around([(x, height - y) for x, y, *_ in polyline.points()]) for polyline in found]


def near(found: Rect, meant: Rect, off: float = 0.001) -> bool:
    return all(
        isclose(a, b, abs_tol=off)
        for a, b in ((found.x, meant.x), (found.y, meant.y), (found.right, meant.right), (found.bottom, meant.bottom))
    )


def box_of(outline: Outline) -> Rect:
    return around([outline.start, *((segment[-2], segment[-1]) for segment in outline.segments)])


# --- the cuts -------------------------------------------------------------------------------------------------------


@given(grids())
def test_every_card_has_a_closed_cut_along_its_trim_in_both_files(grid: Grid) -> None:
    grid = replace(grid, options=replace(grid.options, corner_radius=grid.options.corner_radius or 1.0))
    sheet = cutting.cut_sheet(grid)
    in_svg = svg_paths(cut_files.svg(sheet), "CUT")
    in_dxf = dxf_boxes(cut_files.dxf(sheet), "CUT", grid.paper.height)
    assert all(path[-1][0] == "Z" for path in in_svg)
    assert len(in_svg) == len(in_dxf) == len(grid.slots)
    for path, box, slot in zip(in_svg, in_dxf, grid.slots, strict=True):
        assert near(around(ends(path)), slot)
        assert near(box, slot)


@given(grids())
def test_square_cards_are_parted_everywhere_and_no_cut_is_made_twice(grid: Grid) -> None:
    grid = replace(grid, options=replace(grid.options, corner_radius=0.0))
    cuts = cutting.cut_sheet(grid).cuts
    assert not any(isinstance(cut, CutShape) for cut in cuts)
    lines = [
        line
        for cut in cuts
        if not isinstance(cut, CutShape)
        for line in ([cut] if isinstance(cut, CutLine) else sides(cut))
    ]
    meant = Counter(piece for slot in grid.slots for side in sides(Contour(slot, 0)) for piece in pieces(side, grid))
    made = Counter(piece for line in lines for piece in pieces(line, grid))
    assert set(made) == set(meant), "what is cut are the edges of the cards, and all of them"
    assert set(made.values()) == {1}


def sides(contour: Contour) -> list[CutLine]:
    points = [(x, y) for x, y, _ in contour.steps]
    return [CutLine(*sorted(pair)) for pair in pairwise([*points, points[0]])]


def pieces(line: CutLine, grid: Grid) -> list[tuple[float, ...]]:
    """Return a line in pieces between all the places where any card begins or ends."""
    edges = {edge for slot in grid.slots for edge in (slot.x, slot.right)}
    level = isclose(line.start[1], line.end[1], abs_tol=1e-6)
    if not level:
        edges = {edge for slot in grid.slots for edge in (slot.y, slot.bottom)}
    along, across = (0, 1) if level else (1, 0)
    low, high = sorted((round(line.start[along], 3), round(line.end[along], 3)))
    stops = sorted({round(edge, 3) for edge in edges if low - 1e-6 <= round(edge, 3) <= high + 1e-6})
    return [(level, round(line.start[across], 3), *pair) for pair in pairwise(stops)]


@pytest.mark.parametrize(
    ("options", "filled", "lines"),
    [
        (SheetOptions(corner_radius=0.0), 9, 8),
        (SheetOptions(corner_radius=0.0), 1, 0),
        (SheetOptions(corner_radius=0.0, gutter=(2.0, 2.0), grid=(2, 2)), 4, 0),
        (SheetOptions(corner_radius=1.0), 9, 0),
    ],
    ids=["touching", "one of them", "apart", "round"],
)
def test_only_square_cards_that_touch_are_parted_by_long_cuts(options: SheetOptions, filled: int, lines: int) -> None:
    grid = imposition.fit_grid(options)
    sheet = cutting.cut_sheet(grid, filled)
    contours = tuple(Contour(slot, options.corner_radius) for slot in grid.slots[:filled])
    assert [isinstance(cut, CutLine) for cut in sheet.cuts] == [True] * lines or sheet.cuts == contours
    assert len(list(dxf_document(cut_files.dxf(sheet)).modelspace().query("LINE"))) == lines


@pytest.mark.parametrize("radius", [0.5, 3.0, 31.75])
def test_corners_are_true_quarter_circles_of_the_radius(radius: float) -> None:
    grid = imposition.fit_grid(SheetOptions(gutter=(2.0, 2.0), grid=(1, 1), corner_radius=radius))
    sheet = cutting.cut_sheet(grid)
    (path,) = svg_paths(cut_files.svg(sheet), "CUT")
    arcs = [numbers for letter, numbers in path if letter == "A"]
    assert [numbers[:5] for numbers in arcs] == [[radius, radius, 0, 0, 1]] * 4
    (polyline,) = polylines(cut_files.dxf(sheet), "POLYLINE")
    assert polyline.is_closed
    turns = [4 * atan(vertex.dxf.bulge) for vertex in polyline.vertices if vertex.dxf.bulge]
    assert turns == pytest.approx([-pi / 2] * 4), "clockwise, as the way around the card goes"
    arcs_of_it = [part for part in polyline.virtual_entities() if part.dxftype() == "ARC"]
    assert [arc.dxf.radius for arc in arcs_of_it] == pytest.approx([radius] * 4, abs=1e-3)
    slot, height = grid.slots[0], grid.paper.height
    centers = sorted((round(arc.dxf.center.x, 2), round(height - arc.dxf.center.y, 2)) for arc in arcs_of_it)
    inner = slot.outset(-radius)
    assert centers == sorted(
        (round(x, 2), round(y, 2)) for x in (inner.x, inner.right) for y in (inner.y, inner.bottom)
    )


def test_the_files_state_the_size_of_the_sheet_in_mm() -> None:
    sheet = cutting.cut_sheet(imposition.fit_grid(SheetOptions(paper=PAPERS["letter"])))
    root = ElementTree.fromstring(cut_files.svg(sheet))
    assert (root.attrib["width"], root.attrib["height"]) == ("215.9mm", "279.4mm")
    assert root.attrib["viewBox"] == "0 0 215.9 279.4"
    document = dxf_document(cut_files.dxf(sheet))
    assert (document.header["$INSUNITS"], document.header["$MEASUREMENT"]) == (4, 1)
    assert tuple(document.header["$EXTMAX"])[:2] == (215.9, 279.4)


@pytest.mark.parametrize("options", [SheetOptions(), SheetOptions(corner_radius=0.0), LYING], ids=str)
def test_the_dxf_file_is_sound(options: SheetOptions) -> None:
    document = dxf_document(cut_files.dxf(cutting.cut_sheet(imposition.fit_grid(options))))
    auditor = document.audit()
    assert (auditor.errors, auditor.fixes) == ([], [])
    assert document.dxfversion == "AC1009"
    layers = {entity.dxf.layer for entity in document.modelspace()}
    assert layers <= {"CUT", "REGISTRATION"}
    assert all(document.layers.has_entry(layer) for layer in layers)


# --- against the printed sheet --------------------------------------------------------------------------------------


def filled(size: Size) -> Scene:
    """A card that is black up to its trim."""
    corners = ((size.width, 0.0), (size.width, size.height), (0.0, size.height))
    return Scene(size, (Shape((Outline((0.0, 0.0), corners, True),), (0, 0, 0)),))


def printed(grid: Grid, count: int, marks: cutting.RegistrationMarks | None = None) -> np.ndarray:
    """Return where the front of the first sheet is dark, as PDFium draws it."""
    card = filled(grid.card)
    sheet = imposition.impose([ImposedCard(card, card, count)], grid)[0]
    page = pdf.Page(size=grid.paper, placements=sheet.front, marks=marks.items if marks else ())
    return gray(pdf.write([page], pdf.PdfOptions("Cut"))) < 128


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
def test_the_cut_line_coincides_with_the_trim_on_the_printed_sheet(paper: Size) -> None:
    """The cut cards, drawn as filled shapes from the file's own numbers, are the cards that the PDF shows."""
    grid = imposition.fit_grid(SheetOptions(paper=paper, gutter=(3.0, 4.0), corner_radius=0.0))
    sheet = cutting.cut_sheet(grid)
    dark = printed(grid, len(grid.slots))
    across, down = dark.shape[1] / paper.width, dark.shape[0] / paper.height  # a page is drawn in whole pixels
    for path in svg_paths(cut_files.svg(sheet), "CUT"):
        box = around(ends(path))
        left, top, right, bottom = box.x * across, box.y * down, box.right * across, box.bottom * down
        inside = dark[round(top) + 1 : round(bottom) - 1, round(left) + 1 : round(right) - 1]
        outside = dark[round(top) - 3 : round(bottom) + 3, round(left) - 3 : round(right) + 3]
        assert inside.all()
        assert abs(int(outside.sum()) - (right - left) * (bottom - top)) < 1.2 * (right - left + bottom - top)


def test_the_cut_file_of_a_partly_filled_sheet_has_the_slots_that_are_printed(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", CARDS_YAML)
    result = kotc("cut", folder, "--out", tmp_path / "last.svg", "--sheet", 2)
    assert result.exit_code == 0, result.output
    assert "2 cards of a sheet of 210 x 297 mm" in result.output
    grid = imposition.fit_grid(SheetOptions())
    boxes = [around(ends(path)) for path in svg_paths((tmp_path / "last.svg").read_bytes(), "CUT")]
    assert len(boxes) == 2
    assert all(near(box, slot) for box, slot in zip(boxes, grid.slots, strict=False))


# --- registration marks ---------------------------------------------------------------------------------------------


def test_the_marks_are_a_square_and_two_brackets_at_an_inset_of_10_mm() -> None:
    marks = cutting.registration_marks(imposition.fit_grid(LYING))
    assert marks is not None
    square, top_right, bottom_left = map(box_of, marks.outlines)
    assert near(square, Rect(9.75, 9.75, 5.5, 5.5))
    assert near(top_right, Rect(297 - 10 - 9.5, 9.75, 9.75, 9.75))
    assert near(bottom_left, Rect(9.75, 210 - 10 - 9.5, 9.75, 9.75))


def test_a_bracket_is_two_lines_of_half_a_mm_that_meet_at_its_outer_corner() -> None:
    paper = Size(50.0, 50.0)
    canvas = Canvas(MM_PER_INCH * 4)  # 4 px a mm
    marks = Scene(paper, cutting.RegistrationMarks(paper, 5.0).items)
    dark = rasters.lightest(rasters.pixels(paint.paint(marks, canvas))) < 128
    top_right, bottom_left = dark[39:60, 140:161], dark[140:161, 39:60]
    for mark in (top_right, bottom_left[::-1, ::-1]):
        assert mark[:2].all() and mark[:, -2:].all()
        assert not mark[2:, :-2].any()
    square = dark[39:61, 39:61]
    assert square.all()
    assert dark.sum() == square.size + top_right.sum() + bottom_left.sum(), (
        "and nothing else, least at the bottom right"
    )


@given(grids(), st.sampled_from([0.0, 2.0, 3.0]))
def test_marks_keep_clear_of_the_cards_and_of_the_paper_edge(grid: Grid, bleed: float) -> None:
    options = replace(grid.options, registration=Registration.SILHOUETTE, bleed=bleed)
    grid = grid_of(options)
    try:
        marks = cutting.registration_marks(grid)
    except ValueError:
        assume(False)
        raise
    assert marks is not None
    assert 5 <= marks.length <= 20
    ink, boxes = grid.block.outset(bleed), [box_of(outline) for outline in marks.outlines]
    for box in boxes:
        apart = max(box.x - ink.right, ink.x - box.right, box.y - ink.bottom, ink.y - box.bottom)
        assert apart >= 1.5
        assert min(box.x, box.y, grid.paper.width - box.right, grid.paper.height - box.bottom) >= 9.7
    # The machine's sensor reads inwards from the paper's edge.
    side = 10.0 + max(marks.length, 5.25) + 2.0
    right, bottom = grid.paper.width - side, grid.paper.height - side
    free = (Rect(0.0, 0.0, side, side), Rect(right, 0.0, side, side), Rect(0.0, bottom, side, side))
    for corner, box in zip(free, boxes, strict=True):
        assert not any(overlap(corner, slot) for slot in grid.slots)
        assert near(corner, around([*corners(corner), *corners(box.outset(1.5))])), "a mark stands in its free corner"
    room = grid.paper.rect.outset(-cutting.INSET)
    assert all(near(room, around([(room.x, room.y), (room.right, room.bottom), *corners(slot)])) for slot in grid.slots)


def overlap(one: Rect, other: Rect) -> bool:
    shared = one.shared(other)
    return min(shared.width, shared.height) > 1e-6


def corners(box: Rect) -> list[tuple[float, float]]:
    return [(box.x, box.y), (box.right, box.bottom)]


@pytest.mark.parametrize("options", [LYING, replace(LYING, paper=PAPERS["letter"])], ids=["a4", "letter"])
def test_marks_in_the_files_are_within_a_hundredth_of_a_mm_of_those_on_the_printed_sheet(options: SheetOptions) -> None:
    grid = imposition.fit_grid(options)
    sheet = cutting.cut_sheet(grid)
    assert sheet.marks is not None
    card = filled(grid.card)
    placements = imposition.impose([ImposedCard(card, card, 8)], grid)[0].front
    file = pdf.write(
        [pdf.Page(size=grid.paper, placements=placements, marks=sheet.marks.items)], pdf.PdfOptions("Marks")
    )
    in_svg = [around(ends(path)) for path in svg_paths(cut_files.svg(sheet), "REGISTRATION")]
    in_dxf = dxf_boxes(cut_files.dxf(sheet), "REGISTRATION", grid.paper.height)
    assert len(in_svg) == len(in_dxf) == 3
    for cut, also_cut in zip(in_svg, in_dxf, strict=True):
        assert near(cut, also_cut, 0.0002)
        assert near(dark_within(file, grid.paper, cut.outset(1.0)), cut, 0.01)


def dark_within(file: bytes, paper: Size, window: Rect) -> Rect:
    """Return the box around what is dark within a window of a page, measured on a rendering of 0.005 mm a pixel."""
    scale = 5080 / 72
    margins = (window.x, paper.height - window.bottom, paper.width - window.right, window.y)
    points = tuple(margin / MM_PER_INCH * 72 for margin in margins)
    page = pypdfium2.PdfDocument(file)[0]
    dark = np.asarray(page.render(scale=scale, crop=points, grayscale=True).to_numpy()).squeeze() < 128
    left, top = ceil(points[0] * scale), ceil(points[3] * scale)
    across, down = paper.width / ceil(page.get_width() * scale), paper.height / ceil(page.get_height() * scale)
    found = rasters.extent(dark)
    width, height = (found.right + 1 - found.left) * across, (found.bottom + 1 - found.top) * down
    return Rect((left + found.left) * across, (top + found.top) * down, width, height)


TOO_FULL = (
    "registration marks need 10 mm along each edge and free corners, which 3 x 3 cards of 63.5 x 88.9 mm on a paper of"
    " 210 x 297 mm do not leave: 4 x 2 on 297 x 210 mm or 2 x 3 on 210 x 297 mm would fit"
)
# Within the room, but 10.5 mm and 11 mm from the edges brackets of 5 mm have none.
IN_A_CORNER = replace(LYING, orientation=Orientation.PORTRAIT, card_size=Size(27.0, 27.5), grid=(7, 10))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (replace(LYING, orientation=Orientation.PORTRAIT, grid=(3, 3)), TOO_FULL),
        (IN_A_CORNER, "free corners"),
        (replace(LYING, backs=Backs.FOLD, grid=None), "folded"),
        (
            replace(LYING, grid=(2, 2), margin=9.8),
            "margins of 9.8 mm, since machines seek them there: use margins of at most 9.75 mm",
        ),
        (
            SheetOptions(card_size=Size(20.0, 30.0), corner_radius=12.0),
            "12 mm is too large for cards of 20 x 30 mm: at most 10 mm",
        ),
    ],
    ids=["too full", "in a corner", "folded", "margins", "radius"],
)
def test_what_cannot_be_cut_is_refused_with_what_could(options: SheetOptions, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        cutting.cut_sheet(imposition.fit_grid(options))


def test_registration_marks_keep_margins_up_to_their_own_edge() -> None:
    assert cutting.registration_marks(imposition.fit_grid(replace(LYING, grid=(2, 2), margin=9.75)))


SIDED = SheetOptions(card_size=CARDS["guide"], paper=Size(297.0, 210.0), margin=9, gutter=(0, 0), bleed_backs=5)


@given(grids())
@example(imposition.fit_grid(SIDED))
def test_what_is_suggested_to_fit_fits(grid: Grid) -> None:
    asked = replace(grid.options, registration=Registration.SILHOUETTE)
    try:
        cutting.registration_marks(imposition.fit_grid(asked))
    except ValueError as error:
        number = r"([\d.]+)"
        for words in re.findall(rf"{number} x {number} on {number} x {number} mm", str(error)):
            columns, rows, width, height = map(float, words)
            paper, fits = Size(width, height), (int(columns), int(rows))
            asked = replace(asked, paper=paper, orientation=Orientation.AS_GIVEN, grid=fits)
            assert cutting.registration_marks(imposition.fit_grid(asked)) is not None


def test_a_set_whose_registration_marks_do_not_fit_is_refused_where_it_asks_for_them(tmp_path: Path) -> None:
    sheet = "sheet: {registration: silhouette}"
    folder = write_set(tmp_path / "set", CARDS_YAML, f"name: Test\nedition: 17\n{sheet}\n")
    for command in ("check", "build", "pdf", "png"):
        result = kotc(command, folder)
        assert result.exit_code == 1
        assert f"{folder / 'set.yaml'}:3:23: error: registration marks need 10 mm" in result.output


def test_without_being_asked_for_there_are_no_marks() -> None:
    sheet = cutting.cut_sheet(imposition.fit_grid(SheetOptions()))
    assert sheet.marks is None
    assert b"REGISTRATION" not in cut_files.svg(sheet)


# --- the command ----------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_set(tmp_path / "set", CARDS_YAML)


def test_the_command_says_what_to_set_in_the_program_of_the_cutter(folder: Path) -> None:
    out = folder.parent / "cut.dxf"
    options = ("--registration", "silhouette", "--orientation", "landscape", "--grid", "4x2", "--gutter", "2")
    result = kotc("cut", folder, "--out", out, *options)
    assert result.exit_code == 0, result.output
    assert result.output == (
        f"Test: 8 cards of a sheet of 297 x 210 mm in {out}\n"
        "  registration marks: type 1, length 6.5 mm, thickness 0.5 mm, inset 10 mm on each side;"
        " print the sheet with the same options\n"
    )
    assert len(dxf_boxes(out.read_bytes(), "CUT", 210)) == 8
    assert len(dxf_boxes(out.read_bytes(), "REGISTRATION", 210)) == 3


def test_rounded_cards_that_touch_are_said_to_be_cut_twice(folder: Path) -> None:
    assert "cut twice" in kotc("cut", folder, "--out", folder.parent / "cut.svg").output
    assert "cut twice" not in kotc("cut", folder, "--out", folder.parent / "cut.svg", "--corner-radius", "0").output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--out", "cut.pdf"), "ends neither in .svg nor in .dxf"),
        (("--out", "cut.svg", "--sheet", "3"), "there are 2 sheets, found 3"),
        (("--out", "cut.svg", "--registration", "silhouette", "--grid", "3x3"), "would fit"),
        (("--out", "cut.svg", "--registration", "silhouette", "--backs", "fold"), "folded"),
        (("--out", "cut.svg", "--card-size", "20x20", "--corner-radius", "12"), "at most 10 mm"),
    ],
)
def test_a_cut_that_cannot_be_made_is_wrong_usage_and_writes_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    (folder.parent / "here").mkdir()
    monkeypatch.chdir(folder.parent / "here")
    result = kotc("cut", folder, *arguments)
    assert (result.exit_code, said in result.output) == (2, True), result.output
    assert list(Path.cwd().iterdir()) == []


def test_blank_cards_are_cut_as_they_are_printed(folder: Path) -> None:
    out = folder.parent / "cut.dxf"
    assert kotc("cut", folder, "--blank", "minion:11", "--sheet", "2", "--out", out).exit_code == 0
    assert len(dxf_boxes(out.read_bytes(), "CUT", 297)) == 2


def test_the_same_sheet_gives_the_same_bytes(folder: Path) -> None:
    for name in ("cut.svg", "cut.dxf"):
        files = [folder.parent / where / name for where in ("one", "two")]
        assert [kotc("cut", folder, "--out", file).exit_code for file in files] == [0, 0]
        assert files[0].read_bytes() == files[1].read_bytes()
