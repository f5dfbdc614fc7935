"""Slips of people who read a calibration sheet: what is doubted at once, what the check sheet finds, what is confirmed.

`misread` simulates the printers and the people.
"""

import numpy as np
import pytest
from msgspec.structs import replace
from proofs.misreadings import (
    A4,
    ALL_SIGNS,
    ENDS,
    EXCHANGED,
    FLIP,
    LEVEL,
    NAMED,
    OPPOSITE,
    SIDES,
    UPRIGHT,
    in_the_reference,
    skewed_printers,
    tried,
)

from render.sheets.calibration import fit as cal
from render.sheets.calibration.fit import SLIPS, Reading, Readings, Slip
from tests.support.repository import ROOT
from tests.support.simulated_printers import CLOSE, blurred, normal, read, seen

REFERENCE = ROOT / "out/printer.md"


# --- sound readings -------------------------------------------------------------------------------------------------


def test_500_sound_printers_are_all_confirmed_with_the_promised_accuracy() -> None:
    tally = tried(None, 500)
    assert (tally.refused, tally.warned, tally.found, tally.confirmed) == (0, 0, 0, 500)
    assert max(tally.left) <= CLOSE


def test_500_sound_printers_with_less_exact_readings_are_never_called_skewed_or_stretched() -> None:
    blur = normal(500)
    for number, prints in enumerate(skewed_printers(500)):
        found = cal.fit(A4, blurred(read(seen(prints, A4, FLIP), A4), blur[number]))
        assert "R013" not in [doubt.code for doubt in cal.doubts(found)]


def test_less_exact_readings_confirm_99_printers_of_100_with_the_promised_accuracy() -> None:
    tally = tried(None, 500, eyes=normal)
    assert tally.confirmed > 300
    assert np.quantile(tally.left, 0.99) <= CLOSE
    assert not tally.named


# --- slips ----------------------------------------------------------------------------------------------------------

MAX_LEFT = 0.4  # mm: what a slip leaves that the check sheet does not show, since it does so little


IN_THE_REFERENCE = {
    "+ taken for − on all scales": ALL_SIGNS,
    "+ taken for − on the level scales": LEVEL,
    "+ taken for − on the upright scales": UPRIGHT,
    "right and down exchanged": EXCHANGED,
    "crosses exchanged, left for right": SIDES,
    "crosses exchanged, top for bottom": ENDS,
    "crosses exchanged, each for the one opposite": OPPOSITE,
}
"""What out/printer.md calls the slips."""


@pytest.mark.parametrize(
    ("called", "warned", "named"),
    [*zip(IN_THE_REFERENCE, (0.0, 0.6, 0.6, 0.35, 0.6, 0.6, 0.25), (0.9, 0.9, 0.9, 0.9, 0.85, 0.85, 0.9), strict=True)],
)
def test_a_slip_is_doubted_at_once_or_found_by_the_check_sheet(called: str, warned: float, named: float) -> None:
    """`warned` of all are doubted at once at least; the rest the check finds, but for those that hardly matter."""
    slip = IN_THE_REFERENCE[called]
    tally = tried(slip, 500)
    assert tally.refused == 0
    assert tally.warned >= warned * tally.count
    assert tally.found >= 0.97 * tally.count
    assert all(left < 0.315 for left in tally.left)
    assert tally.named[slip.words, False] >= named * tally.asked
    assert tally.mended >= 0.99 * tally.named.total()
    (row,) = (row for row in REFERENCE.read_text(encoding="utf-8").splitlines() if row.startswith(f"| {called} |"))
    assert row.endswith(in_the_reference(tally))


@pytest.mark.parametrize("slip", [EXCHANGED, ALL_SIGNS, LEVEL, UPRIGHT, SIDES, ENDS], ids=lambda slip: slip.words)
def test_a_slip_that_is_made_again_on_the_check_sheet_is_found_all_the_same(slip: Slip) -> None:
    tally = tried(slip, 50, on_both=True)
    assert all(left <= MAX_LEFT for left in tally.left)
    assert tally.found + len(tally.left) == tally.count
    assert tally.named[slip.words, True] >= 0.8 * tally.asked
    assert tally.mended >= 0.99 * tally.named.total()


@pytest.mark.parametrize("pair", [("A", "B"), ("A", "D"), ("A", "E")], ids="".join)
def test_two_crosses_exchanged_are_refused_or_found_unless_it_hardly_matters(pair: tuple[str, str]) -> None:
    for on_both in (False, True):
        tally = tried(NAMED[f"the crosses {pair[0]} and {pair[1]} were exchanged"], 50, on_both=on_both)
        assert all(left <= MAX_LEFT for left in tally.left)
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
    assert cal.confirms(found, A4) == (len(names) > 3)


def test_readings_of_the_check_sheet_that_do_not_agree_confirm_nothing() -> None:
    readings = [Reading(name, 0.0, 0.0) for name in "ABCDE"]
    assert cal.confirms(cal.fit(A4, readings), A4)
    readings[0] = replace(readings[0], right=0.35, down=0.25)
    readings[1] = replace(readings[1], right=-0.35, down=-0.25)
    found = cal.fit(A4, readings)
    assert cal.left_over(found.lands, A4) <= CLOSE or found.worst_miss > 0.2
    assert not cal.confirms(found, A4)
