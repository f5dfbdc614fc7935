"""What a printer does to its backs is made up for, from readings that are as good as people's eyes."""

import math
import re
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from render.base.findings import Refused
from render.base.geometry import Affine, Flip, Size
from render.base.sizes import PAPERS
from render.sheets.calibration import fit as cal
from render.sheets.calibration.fit import Reading, map_through
from render.sheets.calibration.printers import Calibration
from tests.support.simulated_printers import (
    BOTH_FLIPS,
    CLOSE,
    LANDSCAPE,
    ON_PAPER,
    a_line,
    blurred,
    corners,
    furthest,
    normal,
    printer,
    printers,
    read,
    rounding,
    seen,
)

Use = Callable[[Affine, Affine, Affine], tuple[Affine, Affine]]
"""From what was found, the map through the paper, and the printer: where the front's points land, where the back's."""


def rightly(lands: Affine, mirror: Affine, prints: Affine) -> tuple[Affine, Affine]:
    return Affine(), prints @ cal.correct_back(lands, mirror)


def the_wrong_way(lands: Affine, mirror: Affine, prints: Affine) -> tuple[Affine, Affine]:
    return Affine(), prints @ cal.correct_back(lands.inverse, mirror)


def transposed(lands: Affine, mirror: Affine, prints: Affine) -> tuple[Affine, Affine]:
    right = cal.correct_back(lands, mirror)
    return Affine(), prints @ right._replace(b=right.c, c=right.b)


def on_the_front(lands: Affine, mirror: Affine, prints: Affine) -> tuple[Affine, Affine]:
    return cal.correct_back(lands, mirror), prints


def not_mirrored(lands: Affine, mirror: Affine, prints: Affine) -> tuple[Affine, Affine]:
    return Affine(), prints @ lands.inverse


def shift_alone(lands: Affine, mirror: Affine, prints: Affine) -> tuple[Affine, Affine]:
    right = cal.correct_back(lands, mirror)
    return Affine(), prints @ Affine.move(right.e, right.f)


@cache
def exactly_read(paper: Size, flip: Flip, count: int) -> list[tuple[Affine, tuple[Reading, ...]]]:
    """Return printers, and what is read of each without a slip."""
    return [(prints, read(seen(prints, paper, flip), paper)) for prints in printers(paper, count)]


def worst_corners(paper: Size, flip: Flip, slips: np.ndarray, use: Use = rightly) -> np.ndarray:
    """Return for each printer how far the back's worst corner of the block of cards lies from the front's, in mm."""
    mirror, worst = map_through(paper, flip), []
    for (prints, right), slip in zip(exactly_read(paper, flip, len(slips)), slips, strict=True):
        found = cal.fit(paper, blurred(right, slip))
        front, back = use(found.lands, mirror, prints)
        behind = mirror @ back @ mirror
        worst.append(max(math.dist(front.apply(*corner), behind.apply(*corner)) for corner in corners(paper)))
    return np.array(worst)


@ON_PAPER
@pytest.mark.parametrize(
    ("slips", "count", "close"), [(normal, 6000, CLOSE), (a_line, 1000, 0.16), (rounding, 1000, 0.09)]
)
def test_99_printers_of_100_put_the_worst_corner_within_reach(
    paper: Size, slips: Callable[[int], np.ndarray], count: int, close: float
) -> None:
    worst = worst_corners(paper, Flip.LONG_EDGE, slips(count))
    assert np.quantile(worst, 0.99) <= close


@BOTH_FLIPS
@ON_PAPER
def test_the_way_that_the_paper_turns_makes_no_difference(paper: Size, flip: Flip) -> None:
    assert worst_corners(paper, flip, np.zeros((200, 5, 2))).max() <= 0.05


@BOTH_FLIPS
@pytest.mark.parametrize("mistake", [the_wrong_way, transposed, on_the_front, not_mirrored, shift_alone])
def test_the_check_finds_a_seeded_mistake(mistake: Use, flip: Flip) -> None:
    worst = worst_corners(PAPERS["a4"], flip, rounding(500), mistake)
    assert np.quantile(worst, 0.99) > 2 * CLOSE


# --- laws -----------------------------------------------------------------------------------------------------------

SHIFTS, CHANGES = st.floats(-4, 4), st.floats(-0.02, 0.02)
MAPS = st.builds(
    Affine, CHANGES.map(lambda by: 1 + by), CHANGES, CHANGES, CHANGES.map(lambda by: 1 + by), SHIFTS, SHIFTS
)
SIZES = st.builds(Size, st.floats(200, 450), st.floats(200, 450))


def exactly(lands: Affine, paper: Size) -> tuple[Reading, ...]:
    """Return how far the points at which the scales are read are off."""
    return tuple(
        Reading(
            cross.name,
            lands.apply(cross.across.x, cross.across.y)[0] - cross.across.x,
            lands.apply(cross.down.x, cross.down.y)[1] - cross.down.y,
        )
        for cross in cal.crosses(paper)
    )


@given(MAPS, SIZES, st.sampled_from([range(5), [0, 1, 2], [1, 2, 3], [0, 1, 4], [0, 2, 3, 4]]))
def test_any_shift_turn_scale_and_skew_is_found_exactly(lands: Affine, paper: Size, which: list[int]) -> None:
    readings = exactly(lands, paper)
    found = cal.fit(paper, [readings[number] for number in which])
    assert furthest(found.lands, lands, paper) <= 1e-9
    assert found.worst_miss <= 1e-9


@given(MAPS, SIZES, st.sampled_from(Flip))
def test_a_corrected_back_lands_where_it_belongs(lands: Affine, paper: Size, flip: Flip) -> None:
    mirror = map_through(paper, flip)
    corrected = lands @ mirror @ cal.correct_back(lands, mirror) @ mirror
    assert furthest(mirror @ mirror, Affine(), paper) <= 1e-9, "twice through the paper is where it was"
    assert furthest(corrected, Affine(), paper) <= 1e-9


@given(MAPS, MAPS, SIZES, st.sampled_from(Flip))
def test_readings_of_a_corrected_sheet_refine_the_correction(
    old: Affine, lands: Affine, paper: Size, flip: Flip
) -> None:
    mirror = map_through(paper, flip)
    first = Calibration(printer="p", tray="", paper=paper, flip=flip, correction=cal.correct_back(old, mirror))
    left_over = lands @ mirror @ first.correction @ mirror  # what a sheet shows to which the old correction is applied
    found = cal.fit(paper, exactly(left_over, paper))
    whole = first.refined(found.lands).correction
    assert furthest(lands @ mirror @ whole @ mirror, Affine(), paper) <= 1e-8


@given(SIZES)
def test_scales_keep_from_the_edge_and_from_each_other(paper: Size) -> None:
    boxes = []
    for cross in cal.crosses(paper):
        for scale in (cross.across, cross.down):
            near, far = cal.READ_AT, cal.DEPTH[scale.down] - cal.READ_AT
            before, behind = (near, far) if scale.inward > 0 else (far, near)
            half = cal.LINES * cal.PITCH + 0.075
            left, right, top, bottom = (before, behind, half, half) if scale.down else (half, half, before, behind)
            boxes.append((scale.x - left, scale.y - top, scale.x + right, scale.y + bottom))
    assert all(min(x, y) >= 5 - 1e-9 for x, y, _, _ in boxes)
    assert all(x <= paper.width - 5 + 1e-9 and y <= paper.height - 5 + 1e-9 for _, _, x, y in boxes)
    for index, (left, top, right, bottom) in enumerate(boxes):
        for x1, y1, x2, y2 in boxes[:index]:
            assert left >= x2 or x1 >= right or top >= y2 or y1 >= bottom


# --- slips ----------------------------------------------------------------------------------------------------------

A4 = PAPERS["a4"]
GOOD = exactly(printer(A4, (1.2, -0.7), 0.3, (1.002, 0.999)), A4)


def slipped(name: str, by: float) -> list[Reading]:
    return [replace(one, right=one.right + by) if one.name == name else one for one in GOOD]


@pytest.mark.parametrize(("name", "suspects"), [("A", "AD"), ("B", "BC"), ("C", "BC"), ("D", "AD"), ("E", "E")])
def test_readings_that_contradict_each_other_are_refused_and_the_suspects_named(name: str, suspects: str) -> None:
    with pytest.raises(Refused) as refused:
        cal.fit(A4, slipped(name, 3.0))
    (finding,) = refused.value.findings
    assert finding.code == "R010"
    assert set(suspects) & set("ABCDE") == set(finding.hint.split(" again")[0].removeprefix("read ")) & set("ABCDE")


@given(st.sampled_from("ABCDE"), st.floats(0.05, 6), st.sampled_from([-1, 1]))
def test_readings_are_refused_above_half_a_millimetre_and_only_then(name: str, by: float, sign: int) -> None:
    readings = slipped(name, sign * by)
    try:
        assert cal.fit(A4, readings).worst_miss <= 0.5
    except Refused:
        assert 0.8 * by > 0.5


def test_a_whole_millimetre_misread_and_readings_that_cannot_be_checked_are_doubted() -> None:
    for name in cal.NAMES:
        try:
            (doubt,) = cal.doubts(cal.fit(A4, slipped(name, 1.0)))
        except Refused:
            continue
        assert doubt.code == "R012"
        assert name in doubt.hint
    (doubt,) = cal.doubts(cal.fit(A4, GOOD[:3]))
    assert doubt.code == "R011"


def test_good_readings_are_not_doubted() -> None:
    slips = normal(2000)
    doubted = [bool(cal.doubts(cal.fit(A4, blurred(GOOD, slip)))) for slip in slips]
    assert np.mean(doubted) < 0.1
    assert not any(cal.doubts(cal.fit(A4, blurred(GOOD, slip))) for slip in a_line(2000))


@pytest.mark.parametrize("names", ["A", "AB", "AED", "BEC"])
def test_too_few_readings_and_readings_on_a_line_are_refused(names: str) -> None:
    with pytest.raises(ValueError, match=r"at least|on one line"):
        cal.fit(A4, [one for one in GOOD if one.name in names])


# --- readings as they are written -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "texts",
    [
        ["A=0.3,-0.2", "B=1,0"],
        ["A 0.3 -0.2, B 1 0"],
        ["b:+1.0/.0;a: 0.30 , −0.2"],
        ["  A=.3,-.2\n B=1.,0  "],
    ],
)
def test_readings_may_be_written_in_many_ways(texts: list[str]) -> None:
    assert cal.parse_readings(texts) == (Reading("A", 0.3, -0.2), Reading("B", 1.0, 0.0))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("A=0.3", "cannot read `A=0.3`"),
        ("A 0,3 -0,2", "cannot read `-0,2`: write mm with a point"),
        ("A=0.3,-0.2 A=0.3,-0.2", "cross A is given twice"),
        ("F=0.3,-0.2", "there is no cross `F`"),
        ("A=3,-20", "more than 10 mm"),
        ("A=1e1,0", "cannot read"),
        ("A=nan,0", "cannot read"),
        ("A=0.1mm,0.2mm", "cannot read"),
    ],
)
def test_words_that_are_not_a_reading_are_refused(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        cal.parse_readings([text])


@given(st.lists(st.builds(Reading, st.sampled_from("ABCDE"), SHIFTS, SHIFTS), unique_by=lambda one: one.name))
def test_readings_are_read_as_they_were_written(readings: list[Reading]) -> None:
    written = ", ".join(f"{one.name} {one.right:.9f} {one.down:.9f}" for one in readings)
    for one, again in zip(sorted(readings, key=lambda one: one.name), cal.parse_readings([written]), strict=True):
        assert math.dist((one.right, one.down), (again.right, again.down)) <= 1e-8


def test_what_was_found_is_said_in_words() -> None:
    lands = printer(A4, (1.2, -0.7), 0.3, (1.002, 0.999))
    assert cal.in_words(lands, A4) == (
        "shifted by 1.20 mm to the right, 0.70 mm up",
        "turned by 0.30° clockwise",
        "0.20 % too wide, 0.10 % too short",
        "skewed by 0° to the left",
    )


def test_a_calibration_belongs_to_its_paper_and_flip() -> None:
    one = Calibration(printer="Attic", tray="", paper=A4, flip=Flip.LONG_EDGE, correction=Affine.move(1, 0))
    assert one.check(A4, Flip.LONG_EDGE) is None
    assert "210 x 297 mm, not of 297 x 210 mm" in (one.check(LANDSCAPE, Flip.LONG_EDGE) or "")
    assert "on the long edge, not on the short edge" in (one.check(A4, Flip.SHORT_EDGE) or "")
