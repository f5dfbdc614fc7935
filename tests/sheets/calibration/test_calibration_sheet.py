"""A calibration sheet shows what it says: printed by a printer that is off, and looked at as people do."""

import io
import re
from dataclasses import dataclass
from functools import cache

import numpy as np
import pikepdf
import pypdfium2
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from render.base.geometry import Affine, Flip, Size
from render.base.sizes import PAPERS
from render.pdf import document as pdf
from render.scene.items import Path, TextRun
from render.sheets.calibration import fit as cal
from render.sheets.calibration import page
from render.sheets.calibration.fit import PrinterFit, Reading, Scale, map_through
from render.sheets.calibration.page import Instruction
from render.sheets.calibration.printers import Calibration
from render.sheets.imposition import fit_grid, impose
from render.sheets.options import SheetOptions
from render.text import fonts
from tests.sheets.test_backs import Printer, cards, worst_distance
from tests.support import rasters
from tests.support.simulated_printers import (
    BOTH_FLIPS,
    CLOSE,
    LANDSCAPE,
    ON_PAPER,
    corners,
    furthest,
    printer,
    seen,
    turned_over,
)

A4 = PAPERS["a4"]
Off = tuple[tuple[float, float], float, tuple[float, float]]
"""How a printer is off: shift in mm, turn in degrees, page."""

PRINTERS: list[Off] = [
    ((0.0, 0.0), 0.0, (1.0, 1.0)),
    ((2.9, -0.6), 0.2, (1.004, 0.998)),
    ((-1.3, 2.2), -0.5, (0.996, 1.003)),
    ((-2.0, -2.0), 0.6, (1.005, 1.005)),
]
FORMERLY = ((1.8, 0.5), 0.0, (1.001, 1.0))
ANY_PRINTER = pytest.mark.parametrize("off", PRINTERS, ids=["perfect", "right", "left", "turned"])


def sheet(paper: Size, flip: Flip, applied: Calibration | None = None) -> bytes:
    return pdf.write(page.pages(Instruction(paper, flip, applied)), pdf.PdfOptions("Sheet", flip))


# --- against the light ----------------------------------------------------------------------------------------------

Floats = NDArray[np.float64]

EYES = 300  # dpi
LOOK = 0.01  # mm from one look to the next


@dataclass(frozen=True)
class AgainstTheLight:
    """Both sides of a printed sheet as grey pictures, and where the points of the front lie in that of the back."""

    front: NDArray[np.uint8]
    back: NDArray[np.uint8]
    behind: Affine

    def reading(self, scale: Scale) -> float:
        """Read a scale as the sheet says: the figure nearest to the back's middle line, then the line in line."""
        for level in np.arange(3.4, -2.8, -0.2) * scale.inward:
            front = self.lines(self.front, Affine(), scale, level)
            back = self.lines(self.back, self.behind, scale, level)
            if (len(front), len(back)) == (17, 11):
                whole = int(np.argmin(abs(front - back[5]))) - 8
                tenths = int(np.argmin([min(abs(front - line)) for line in back])) - 5
                halfway = abs(tenths) == 5 and (back[5] > front[whole + 8]) != (tenths > 0)
                return whole + (-tenths if halfway else tenths) / 10
        raise AssertionError("the lines of the two sides lie nowhere side by side")

    def lines(self, picture: NDArray[np.uint8], at: Affine, scale: Scale, level: float) -> Floats:
        """Return where a look along a scale, `level` mm beside its middle, meets lines, in mm from its middle."""
        along = np.arange(-9.6, 9.6, LOOK)
        beside = np.full_like(along, level)
        x, y = (scale.x + beside, scale.y + along) if scale.down else (scale.x + along, scale.y + beside)
        ink = 255.0 - sampled(picture, at.a * x + at.c * y + at.e, at.b * x + at.d * y + at.f)
        dark = np.concatenate(([False], ink > 60, [False]))
        begins, ends = (np.flatnonzero(edge) for edge in (dark[1:] & ~dark[:-1], dark[:-1] & ~dark[1:]))
        return np.array([np.average(along[a:b], weights=ink[a:b]) for a, b in zip(begins, ends, strict=True)])


def sampled(picture: NDArray[np.uint8], x: Floats, y: Floats) -> Floats:
    """Return a picture's grey at points in mm, between pixels in proportion; white outside."""
    columns, rows = x * EYES / 25.4 - 0.5, y * EYES / 25.4 - 0.5
    left, top = np.floor(columns).astype(int), np.floor(rows).astype(int)
    right, down = columns - left, rows - top
    height, width = picture.shape

    def at(row: NDArray[np.int_], column: NDArray[np.int_]) -> Floats:
        inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
        return np.where(inside, picture[np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)], 255.0)

    above = at(top, left) * (1 - right) + at(top, left + 1) * right
    below = at(top + 1, left) * (1 - right) + at(top + 1, left + 1) * right
    between: Floats = above * (1 - down) + below * down
    return between


def held(file: bytes, prints: Affine, paper: Size, flip: Flip) -> AgainstTheLight:
    """Return a sheet as a printer prints it, held against the light."""
    document = pypdfium2.PdfDocument(file)
    front, back = (np.asarray(document[side].render(scale=EYES / 72, grayscale=True).to_pil()) for side in (0, 1))
    return AgainstTheLight(front, back, prints.inverse @ turned_over(paper, flip))


def readings(light: AgainstTheLight, paper: Size) -> list[Reading]:
    return [Reading(one.name, light.reading(one.across), light.reading(one.down)) for one in cal.crosses(paper)]


@ANY_PRINTER
def test_readings_against_the_light_correct_the_printer(off: Off) -> None:
    check_readings(off, A4, Flip.LONG_EDGE)


@BOTH_FLIPS
@ON_PAPER
def test_every_paper_is_read_alike(paper: Size, flip: Flip) -> None:
    check_readings(PRINTERS[1], paper, flip)


@cache
def fitted(off: Off, paper: Size, flip: Flip) -> PrinterFit:
    """Print a sheet, read it against the light, and return what that says of the printer."""
    return cal.fit(paper, readings(held(sheet(paper, flip), printer(paper, *off), paper, flip), paper))


def check_readings(off: Off, paper: Size, flip: Flip) -> None:
    """See where the correction puts the corners of the block of cards."""
    prints, mirror = printer(paper, *off), map_through(paper, flip)
    found = fitted(off, paper, flip)
    assert furthest(found.lands, seen(prints, paper, flip), paper) <= 0.25
    corrected = prints @ cal.correct_back(found.lands, mirror)
    assert max(np.hypot(*np.subtract(corrected.apply(*one), one)) for one in corners(paper)) <= 0.2


def test_a_sheet_with_the_correction_applied_shows_what_is_left() -> None:
    prints, flip = printer(A4, *PRINTERS[1]), Flip.LONG_EDGE
    mirror = map_through(A4, flip)
    first = Calibration(
        printer="Attic",
        tray="",
        paper=A4,
        flip=flip,
        correction=cal.correct_back(seen(printer(A4, *FORMERLY), A4, flip), mirror),
    )
    light = held(sheet(A4, flip, first), prints, A4, flip)
    found = cal.fit(A4, readings(light, A4))
    whole = first.refined(found.lands).correction
    corrected = prints @ whole
    assert max(np.hypot(*np.subtract(corrected.apply(*one), one)) for one in corners(A4)) <= 0.2


# --- cards ----------------------------------------------------------------------------------------------------------


def distance_of_backs(paper: Size, flip: Flip, prints: Affine, shift: Affine) -> float:
    """Return how far any card's back lies from its front, in mm."""
    grid = fit_grid(SheetOptions(paper=paper, flip=flip))
    return worst_distance(impose(cards(grid.count), grid), grid, grid.count, Printer(prints, shift))


@BOTH_FLIPS
@ON_PAPER
def test_a_corrected_back_lies_behind_its_front(paper: Size, flip: Flip) -> None:
    prints, mirror = printer(paper, *PRINTERS[1]), map_through(paper, flip)
    found = fitted(PRINTERS[1], paper, flip)
    assert distance_of_backs(paper, flip, prints, Affine()) > 2.0
    assert distance_of_backs(paper, flip, prints, cal.correct_back(found.lands, mirror)) <= CLOSE


@BOTH_FLIPS
def test_a_wrong_correction_is_seen_on_the_cards(flip: Flip) -> None:
    prints = printer(A4, *PRINTERS[2])
    lands, mirror = seen(prints, A4, flip), turned_over(A4, flip)
    right = cal.correct_back(lands, mirror)
    assert distance_of_backs(A4, flip, prints, right) <= 0.1
    for wrong in (right.inverse, right._replace(b=right.c, c=right.b), lands.inverse, Affine.move(right.e, right.f)):
        assert distance_of_backs(A4, flip, prints, wrong) > CLOSE


# --- the file -------------------------------------------------------------------------------------------------------

APPLIED = Calibration(
    printer="Living room",
    tray="2",
    paper=A4,
    flip=Flip.LONG_EDGE,
    correction=Affine(1.002, 0.004, -0.003, 0.999, 1.5, -0.8),
)


def text_of(file: bytes, number: int) -> str:
    return " ".join(pypdfium2.PdfDocument(file)[number].get_textpage().get_text_range().split())


def test_a_correction_leaves_boxes_front_and_words_as_they_are() -> None:
    made = page.pages(Instruction(A4, Flip.LONG_EDGE))
    plain = pdf.write(made, pdf.PdfOptions("Sheet"))
    moved = pdf.write([made[0], replace(made[1], shift=APPLIED.correction)], pdf.PdfOptions("Sheet"))
    assert [text_of(moved, side) for side in (0, 1)] == [text_of(plain, side) for side in (0, 1)]
    assert "Nothing is read on this side" in text_of(moved, 1)
    for one, other in zip(pikepdf.open(io.BytesIO(plain)).pages, pikepdf.open(io.BytesIO(moved)).pages, strict=True):
        boxes = ("/MediaBox", "/TrimBox")
        assert [list(one.obj[box]) for box in boxes] == [list(other.obj[box]) for box in boxes]
        assert "/Rotate" not in other.obj or other.obj["/Rotate"] == 0
    assert (rasters.page(plain, 0, 100) == rasters.page(moved, 0, 100)).all()
    assert (rasters.page(plain, 1, 100) != rasters.page(moved, 1, 100)).any()


@BOTH_FLIPS
@pytest.mark.parametrize("paper", [*PAPERS.values(), LANDSCAPE, Size(200.0, 200.0), Size(279.4, 215.9)])
def test_a_sheet_is_gray_keeps_from_the_edge_and_has_all_its_words(paper: Size, flip: Flip) -> None:
    file, dpi = sheet(paper, flip), 72
    edge = int(4.9 * dpi / 25.4)
    for side in (0, 1):
        pixels = rasters.page(file, side, dpi)
        assert (pixels[:, :, 0] == pixels[:, :, 1]).all()
        assert (pixels[:, :, 1] == pixels[:, :, 2]).all()
        inner = pixels.copy()
        inner[edge:-edge, edge:-edge] = 255
        assert (inner == 255).all()
    words = text_of(file, 0)
    for said in (
        "1. Print both sides",
        "2. With a camera",
        "7. Thick paper?",
        "kotc calibrate --paper",
        "100 mm",
        "E 0.1 0.0",
    ):
        assert said in words
    assert re.findall(r"\b[A-E](?= =)", words.replace("A = A", "")) == list("ABCDE")


@pytest.mark.parametrize(
    ("applied", "facts"),
    [
        (None, ["no correction applied", "flips on the other edge: print with --flip short-edge."]),
        (
            APPLIED,
            [
                "with the correction of Living room",
                f'kotc calibrate --printer "Living room" --check {APPLIED.code} --read "A 0.3 -0.2,',
                "flipped on the short edge: print again, flipped on the long edge.",
            ],
        ),
        # No font has its characters.
        (replace(APPLIED, printer="書斎"), ["with the correction of this printer", '--printer "NAME" --check']),
    ],
    ids=["none", "one", "unprintable"],
)
def test_a_sheet_says_which_correction_is_applied_and_what_to_type(
    applied: Calibration | None, facts: list[str]
) -> None:
    file = sheet(A4, Flip.LONG_EDGE, applied)
    assert [fact for fact in facts if fact not in text_of(file, 0)] == []
    assert facts[0] in text_of(file, 1)
    assert file == sheet(A4, Flip.LONG_EDGE, applied), "the same bytes each time"


@ON_PAPER
def test_figures_grow_to_the_right_and_down(paper: Size) -> None:
    front, _ = page.pages(Instruction(paper, Flip.LONG_EDGE))
    runs = [run for run in front.marks if isinstance(run, TextRun)]
    for cross in cal.crosses(paper):
        for scale in (cross.across, cross.down):
            for words, wanted in (("−", -7), ("-4", -4), ("-2", -2), ("0", 0), ("2", 2), ("4", 4), ("+", 7)):
                places = [(run.transform.e - scale.x, run.transform.f - scale.y) for run in runs if run.words == words]
                along = [(y, x) if scale.down else (x, y) for x, y in places]
                assert any(abs(at - wanted) <= 1.5 and 3 < beside * scale.inward < 8 for at, beside in along), words


LONG = replace(APPLIED, printer="The large one in the cellar, beside the washing machine, left")


@pytest.mark.parametrize("applied", [None, APPLIED, LONG, replace(APPLIED, printer="W" * 60)])
@pytest.mark.parametrize("paper", [*PAPERS.values(), LANDSCAPE, Size(200.0, 200.0), Size(279.4, 215.9)])
def test_no_line_of_the_command_ends_within_quotes(paper: Size, applied: Calibration | None) -> None:
    kept = replace(applied, paper=paper) if applied else None
    front, _ = page.pages(Instruction(paper, Flip.LONG_EDGE, kept))
    rows: dict[float, str] = {}
    for run in front.marks:
        if isinstance(run, TextRun) and "Bold" in run.face:
            rows[round(run.transform.f, 2)] = f"{rows.get(round(run.transform.f, 2), '')}{run.words}"
    typed = [row for row in rows.values() if "--" in row]
    assert [row.count('"') for row in typed if '"' in row]
    assert all(row.count('"') % 2 == 0 for row in typed)
    assert '--read "A 0.3 -0.2, B 0.1 0.0, C 0.2 -0.1, D 0.0 0.1, E 0.1 0.0"' in " ".join(typed)
    if applied:
        assert f'--printer "{applied.printer}"' in " ".join(typed)
        assert "with the correction of" in text_of(sheet(paper, Flip.LONG_EDGE, kept), 0)


@ON_PAPER
def test_figures_keep_off_the_lines_of_all_scales(paper: Size) -> None:
    for cross in cal.crosses(paper):
        both = cross.across, cross.down
        lines = [
            (page.placed_at(scale).apply(*line[:2]), page.placed_at(scale).apply(*line[2:]))
            for scale in both
            for line in page.front_lines()
        ]
        words = [item for scale in both for item in page.draw_figures(scale) if isinstance(item, TextRun)]
        runs = [run for run in words if run.words not in "+−"]
        assert len(runs) == 2 * 5
        assert {run.size for run in runs} == {2.4}
        for run in runs:
            left, foot = run.transform.e, run.transform.f
            right, top = left + run.size * fonts.width(run.face, run.words), foot - 0.73 * run.size
            for (x1, y1), (x2, y2) in lines:
                beside = max(min(x1, x2) - right, left - max(x1, x2))
                above = max(min(y1, y2) - foot, top - max(y1, y2))
                assert max(beside, above) - page.THIN / 2 > 0.1, (cross.name, run.words)


def test_a_paper_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="200 mm a side at least, and this is 148 x 210 mm"):
        page.pages(Instruction(Size(148.0, 210.0), Flip.LONG_EDGE))


def test_an_upright_scale_is_among_the_examples_and_up_is_minus() -> None:
    front, _ = page.pages(Instruction(A4, Flip.LONG_EDGE))
    gray = [item for item in front.marks if isinstance(item, Path) and item.stroke and item.stroke.color != (0, 0, 0)]
    level = [all(line.start[0] == line.segments[0][0] for line in item.outlines[:11]) for item in gray]
    assert level == [True, True, False]
    upright = gray[2].outlines[:11]
    zeros = [run for run in front.marks if isinstance(run, TextRun) and run.words == "0" and run.transform.a > 1]
    assert len(zeros) == 3
    zero = max(zeros, key=lambda run: run.transform.e).transform
    at = zero.f - 0.36 * 2.4 * zero.a  # the middle of the figure, and so of the line that it belongs to
    assert upright[5].start[1] == pytest.approx(at - 1.2 * zero.a, abs=0.05)
    assert "↕ −1 mm, −2 tenths: −1.2" in text_of(sheet(A4, Flip.LONG_EDGE), 0)


def test_examples_show_what_stands_below_them() -> None:
    file = sheet(A4, Flip.LONG_EDGE)
    found = re.findall(r"(−?\d) mm, ([+−]\d) tenths: (−?[\d.]+)", text_of(file, 0))
    numbers = [[float(word.replace("−", "-")) for word in row] for row in found]
    assert [round(whole + tenths / 10, 1) for whole, tenths, _ in numbers] == [value for *_, value in numbers]
    assert len(numbers) == 3
