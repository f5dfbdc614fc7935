"""Slips of people who read a calibration sheet: what is doubted at once, what the check sheet finds, what is confirmed.

Printers are simulated as in `test_calibration`: a shift up to 3 mm, a turn up to 0.6 degrees, scales up to 0.5 % off.
Each reading is off by any amount up to a line of the scale, 0.1 mm, on both sheets.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from render import calibration as cal
from render import slips
from render.calibration import Calibration, Reading
from render.calibration_page import through
from render.diag import Refused
from render.geometry import PAPERS, Affine, Flip
from render.slips import SLIPS, Readings, Slip
from tests.test_calibration import CLOSE, a_line, blurred, corners, normal, printers, read, seen

A4 = PAPERS["a4"]
FLIP = Flip.LONG_EDGE
MIRROR = through(A4, FLIP)

NAMED = {slip.words.partition(":")[0]: slip for slip in SLIPS}
EXCHANGED, ALL_SIGNS = NAMED["right and down were exchanged"], NAMED["all signs were wrong"]
LEVEL, UPRIGHT = NAMED["the signs of the level scales were wrong"], NAMED["the signs of the upright scales were wrong"]
SIDES, ENDS = NAMED["the crosses were exchanged, left for right"], NAMED["the crosses were exchanged, top for bottom"]
OPPOSITE = NAMED["the crosses were exchanged, each for the one opposite"]


ASKED = 50


@dataclass
class Tally:
    """What became of the readings of many printers: of the first sheet, of its check, of what was done then."""

    count: int
    refused: int = 0
    warned: int = 0
    confirmed: int = 0
    found: int = 0
    asked: int = 0
    """Of how many of those that are found it is asked which slip explains them: that takes longer."""
    named: Counter[tuple[str, bool]] = field(default_factory=Counter)
    mended: int = 0
    left: list[float] = field(default_factory=list)
    """How far the worst corner of the cards is off, in mm, of each correction that is confirmed at once."""


def tried(slip: Slip | None, count: int, *, on_both: bool = False, eyes: Callable[[int], np.ndarray] = a_line) -> Tally:
    """Print, misread and check the sheets of so many printers."""
    tally = Tally(count)
    blur = eyes(3 * count)
    for number, prints in enumerate(printers(A4, count)):
        first = blurred(read(seen(prints, A4, FLIP), A4), blur[number])
        try:
            found = cal.fit(A4, slip.done(first) if slip else first)
        except Refused:
            tally.refused += 1
            continue
        tally.warned += bool(cal.doubts(found))
        one = Calibration("p", "", A4, FLIP, cal.correction(found.lands, MIRROR))
        _check(tally, prints, one, (slip if on_both else None, blur[count + number], blur[2 * count + number]))
    return tally


def _check(tally: Tally, prints: Affine, one: Calibration, eyes: tuple[Slip | None, np.ndarray, np.ndarray]) -> None:
    slip, blur, blur_again = eyes
    readings = on_check(prints, one, blur, slip)
    try:
        found = cal.fit(A4, readings)
    except Refused:
        tally.found += 1
        return
    if slips.confirms(found, A4):
        tally.confirmed += 1
        tally.left.append(off(prints, one))
        return
    tally.found += 1
    if tally.asked == ASKED:
        return
    tally.asked += 1
    explained = slips.explained(A4, one.said(MIRROR), readings)
    if explained is None:
        return
    tally.named[explained.slip.words, explained.on_both] += 1
    mended = one.refined(cal.correction(explained.lands(A4), MIRROR))
    tally.mended += slips.confirms(cal.fit(A4, on_check(prints, mended, blur_again, None)), A4)


def on_check(prints: Affine, one: Calibration, blur: np.ndarray, slip: Slip | None) -> Readings:
    """Return what is read on the check sheet of a correction."""
    readings: Readings = blurred(read(seen(prints @ one.correction, A4, FLIP), A4), blur)
    return slip.done(readings) if slip else readings


def off(prints: Affine, one: Calibration) -> float:
    behind = seen(prints @ one.correction, A4, FLIP)
    return max(math.dist(corner, behind.apply(*corner)) for corner in corners(A4))


# --- sound readings -------------------------------------------------------------------------------------------------


def test_of_2000_sound_printers_none_is_doubted_and_all_are_confirmed_with_what_is_promised() -> None:
    tally = tried(None, 2000)
    assert (tally.refused, tally.warned, tally.found, tally.confirmed) == (0, 0, 0, 2000)
    assert max(tally.left) <= CLOSE


def test_of_2000_sound_printers_read_by_worse_eyes_none_is_said_to_be_skewed_or_stretched() -> None:
    blur = normal(2000)
    for number, prints in enumerate(printers(A4, 2000)):
        found = cal.fit(A4, blurred(read(seen(prints, A4, FLIP), A4), blur[number]))
        assert "R013" not in [doubt.code for doubt in cal.doubts(found)]


def test_what_worse_eyes_confirm_is_as_good_as_it_is_promised_of_99_printers_of_100() -> None:
    tally = tried(None, 500, eyes=normal)
    assert tally.confirmed > 300
    assert np.quantile(tally.left, 0.99) <= CLOSE
    assert not tally.named


# --- slips ----------------------------------------------------------------------------------------------------------

MOST_LEFT = 0.4  # mm: what a slip leaves that the check sheet does not show, since it does so little


@pytest.mark.parametrize(
    ("slip", "warned", "named"),
    [
        (EXCHANGED, 0.25, 0.9),
        (ALL_SIGNS, 0.0, 0.9),
        (LEVEL, 0.6, 0.9),
        (UPRIGHT, 0.6, 0.9),
        (SIDES, 0.6, 0.8),
        (ENDS, 0.6, 0.8),
        (OPPOSITE, 0.0, 0.9),
    ],
    ids=lambda value: value.words if isinstance(value, Slip) else "",
)
def test_a_slip_is_doubted_at_once_or_found_by_the_check_sheet(slip: Slip, warned: float, named: float) -> None:
    """`warned` of all are doubted at once at least; the rest the check finds, but for those that hardly matter."""
    tally = tried(slip, 500)
    assert tally.refused == 0
    assert tally.warned >= warned * tally.count
    assert tally.found >= 0.97 * tally.count
    assert all(left <= MOST_LEFT for left in tally.left)
    assert tally.named[slip.words, False] >= named * tally.asked
    assert tally.mended >= 0.99 * tally.named.total()


@pytest.mark.parametrize("slip", [EXCHANGED, ALL_SIGNS, LEVEL, UPRIGHT, SIDES, ENDS], ids=lambda slip: slip.words)
def test_a_slip_that_is_made_again_on_the_check_sheet_is_found_all_the_same(slip: Slip) -> None:
    tally = tried(slip, 200, on_both=True)
    assert all(left <= MOST_LEFT for left in tally.left)
    assert tally.found + len(tally.left) == tally.count
    assert tally.named[slip.words, True] >= 0.8 * tally.asked
    assert tally.mended >= 0.99 * tally.named.total()


@pytest.mark.parametrize("pair", [("A", "B"), ("A", "D"), ("A", "E")], ids="".join)
def test_two_crosses_exchanged_are_refused_or_found_unless_it_hardly_matters(pair: tuple[str, str]) -> None:
    for on_both in (False, True):
        tally = tried(NAMED[f"the crosses {pair[0]} and {pair[1]} were exchanged"], 200, on_both=on_both)
        assert all(left <= MOST_LEFT for left in tally.left)
        assert tally.refused + tally.found + tally.confirmed == tally.count


# --- laws -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.words)
@pytest.mark.parametrize("names", ["ABCDE", "ABCD", "BCDE", "ABE"])
def test_a_slip_done_twice_is_undone_and_done_once_is_not(slip: Slip, names: str) -> None:
    readings = [Reading(name, 0.1 + ord(name) % 7, -0.3 * (ord(name) % 5)) for name in names]

    def by_name(some: Readings) -> list[Reading]:
        return sorted(some, key=lambda one: one.name)

    assert by_name(slip.done(slip.done(readings))) == readings
    if names == "ABCDE":
        assert by_name(slip.done(readings)) != readings


def test_no_two_slips_are_the_same() -> None:
    readings = [Reading(name, float(number), 10.0 * number + 3) for number, name in enumerate("ABCDE", start=1)]
    made = {tuple(sorted((one.name, one.right, one.down) for one in slip.done(readings))) for slip in SLIPS}
    assert len(made) == len(SLIPS)


@pytest.mark.parametrize("names", ["ABC", "ABCD"])
def test_what_is_confirmed_was_read_at_four_crosses_at_least(names: str) -> None:
    found = cal.fit(A4, [Reading(name, 0.0, 0.0) for name in names])
    assert slips.confirms(found, A4) == (len(names) > 3)


def test_readings_of_the_check_sheet_that_do_not_agree_confirm_nothing() -> None:
    readings = [Reading(name, 0.0, 0.0) for name in "ABCDE"]
    assert slips.confirms(cal.fit(A4, readings), A4)
    readings[0] = replace(readings[0], right=0.35, down=0.25)
    readings[1] = replace(readings[1], right=-0.35, down=-0.25)
    found = cal.fit(A4, readings)
    assert slips.left_over(found.lands, A4) <= CLOSE or found.worst_miss > 0.2
    assert not slips.confirms(found, A4)
