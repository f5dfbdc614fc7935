"""One picture of a calibration sheet tells what the printer does, or why it does not; the printer, paper and camera are simulated."""

import io
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from proofs.photographed import BAD, KINDS, SCAN, left_on_cards, picture_of, refusal, shift_off, varied

from render.base.findings import Refused
from render.base.geometry import Flip, Size
from render.base.sizes import PAPERS
from render.sheets.calibration import dots
from render.sheets.calibration.dots import SheetCode, large_fronts, layout, read_code
from render.sheets.calibration.fit import in_words
from render.sheets.calibration.photo import measure
from render.sheets.calibration.printers import Calibration
from tests.support.photographed_sheets import Shot, drawn_on, taken
from tests.support.simulated_printers import BOTH_FLIPS, LANDSCAPE, furthest, printer, seen

A4 = PAPERS["a4"]
SMALL = Shot(pixels=1400)
PRINTS = printer(A4, (1.8, -0.7), 0.3, (1.002, 0.999))
ALL_PAPERS = [turned for size in PAPERS.values() for turned in (size, Size(size.height, size.width))]


# --- pictures -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind",
    [
        "tilted by 30 degrees, on its side",
        "wide lens, barrel",
        "scanner, 300 dpi, bow of 1 mm",
        "sheet that bends by 3 mm",
    ],
)
def test_the_printer_is_known_within_the_error_told_and_its_sheets_are_corrected(kind: str) -> None:
    number = list(KINDS).index(kind)
    found = measure(picture_of(taken(varied(KINDS[kind], number), PRINTS)), ALL_PAPERS)
    off = shift_off(found, seen(PRINTS, A4, Flip.LONG_EDGE))
    assert max(off) <= 0.05
    assert [by <= told for by, told in zip(off, found.errors, strict=False)] == [True, True]
    assert left_on_cards(found, PRINTS, Flip.LONG_EDGE) <= 0.1


@pytest.mark.parametrize("name", BAD)
def test_a_picture_that_shows_too_little_is_refused_with_its_reason(name: str) -> None:
    shot, code = BAD[name]
    assert refusal(name, replace(shot, pixels=2000), PRINTS) == code


@BOTH_FLIPS
@pytest.mark.parametrize("paper", [LANDSCAPE, PAPERS["letter"], Size(200.0, 200.0)], ids=["lying", "letter", "square"])
def test_a_picture_of_any_paper_tells_paper_and_flip(paper: Size, flip: Flip) -> None:
    prints = printer(paper, (-1.0, 2.0), -0.4, (0.998, 1.001))
    found = measure(picture_of(taken(SMALL, prints, paper, flip)), [*ALL_PAPERS, Size(200.0, 200.0)])
    assert (found.paper, found.code) == (paper, SheetCode(flip))
    assert furthest(found.lands, seen(prints, paper, flip), paper) <= 0.05


def test_a_check_sheet_tells_its_correction_and_what_is_left() -> None:
    first = measure(picture_of(taken(SMALL, PRINTS)), [A4])
    one = Calibration(printer="Attic", tray="", paper=A4, flip=Flip.LONG_EDGE, correction=PRINTS.inverse)
    one = one.refined(seen(PRINTS @ PRINTS.inverse, A4, Flip.LONG_EDGE))
    found = measure(picture_of(taken(SMALL, PRINTS, applied=one)), [A4])
    assert found.code == SheetCode(Flip.LONG_EDGE, one.code)
    assert max(math.dist(found.lands.apply(x, y), (x, y)) for x in (10, 200) for y in (10, 287)) <= 0.03
    assert first.code == SheetCode(Flip.LONG_EDGE)


def test_fingers_on_dots_are_left_out() -> None:
    picture = picture_of(taken(SMALL, PRINTS))
    pixels = np.asarray(picture).copy()
    height, width = pixels.shape
    pixels[height // 2 : height // 2 + height // 14, : width // 4] = 40
    whole, covered = measure(picture, [A4]), measure(Image.fromarray(pixels), [A4])
    assert covered.front[0] < whole.front[0] and covered.back[0] < whole.back[0]
    assert furthest(covered.lands, seen(PRINTS, A4, Flip.LONG_EDGE), A4) <= 0.03


def test_a_sheet_on_other_paper_is_none_of_those_that_are_looked_for() -> None:
    with pytest.raises(Refused) as refused:
        measure(picture_of(taken(SMALL, PRINTS)), [PAPERS["letter"]])
    assert refused.value.findings[0].code in {"R018", "R021", "R025"}


def test_an_offset_beyond_the_reach_of_the_dots_is_refused() -> None:
    for far in ((6.0, 0.0), (5.6, 5.6), (8.0, 8.0), (-9.0, 3.0)):
        with pytest.raises(Refused) as refused:
            measure(picture_of(taken(SMALL, printer(A4, far, 0.0, (1.0, 1.0)))), [A4])
        assert refused.value.findings[0].code == "R023"


def test_the_error_is_told_beside_each_number() -> None:
    found = measure(picture_of(taken(replace(SCAN, pixels=2500), PRINTS)), [A4])
    words = in_words(found.lands, found.paper, found.errors)
    assert words[0].count(" ± 0.0") == 2
    assert all(" ± " in line for line in words)


def test_found_dots_are_drawn_on_their_picture() -> None:
    file = taken(SMALL, PRINTS)
    drawn = np.asarray(drawn_on(file, measure(picture_of(file), [A4]))).astype(int)
    orange = (drawn[..., 0] - drawn[..., 2] > 150).sum()
    assert orange > 96 * 50


# --- the layout -----------------------------------------------------------------------------------------------------

SIZES = st.sampled_from([A4, LANDSCAPE, PAPERS["letter"], PAPERS["super-b"], Size(200.0, 200.0)])


@given(SIZES, st.sampled_from(list(Flip)), st.integers(0, 2**24 - 1))
def test_the_sizes_of_dots_say_which_sheet_it_is(paper: Size, flip: Flip, number: int) -> None:
    code = SheetCode(flip, f"{number:06x}" if number else "")
    sizes = [1.0 if large else -1.0 for large in large_fronts(paper, code)]
    assert read_code(paper, sizes) == code
    assert read_code(paper, [-size for size in sizes]) is None
    assert read_code(Size(paper.width + 1, paper.height), sizes) is None


@given(SIZES)
def test_no_dot_of_the_back_touches_one_of_the_front_and_all_have_partners(paper: Size) -> None:
    front, back = (np.array(side.dots) for side in layout(paper))
    apart = np.hypot(*(back[:, None] - front[None]).transpose(2, 0, 1))
    assert apart.min() == pytest.approx(dots.PITCH)
    assert dots.FRONT_SIZES[1] + dots.BACK_SIZES[1] < dots.PITCH - dots.FARTHEST
    assert (np.isclose(apart, dots.PITCH).sum(axis=1) >= 2).all()
    turned = {(round(paper.width - x, 6), round(paper.height - y, 6)) for x, y in layout(paper).back.dots}
    assert turned == {(round(x, 6), round(y, 6)) for x, y in layout(paper).back.dots}


def test_a_picture_as_large_as_cameras_take_is_read() -> None:
    file = taken(SMALL, PRINTS)
    large = Image.open(io.BytesIO(file)).convert("L").resize((4500, 6000), Image.Resampling.BICUBIC)
    found = measure(large, [A4])
    assert max(shift_off(found, seen(PRINTS, A4, Flip.LONG_EDGE))) <= 0.02
    assert max(float(places.max()) for places in found.places) > 4200
