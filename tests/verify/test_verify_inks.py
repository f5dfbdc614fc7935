"""Mistakes that not every viewer shows: ink over ink, the press of a file, pictures that break off, what is read.

The sheets are for a press: black text stands on a tint, which it overprints.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pikepdf import Pdf

from render.sheets.options import Structure
from tests.support.sheet_files import Change, found_after, verified, written
from tests.verify import faults
from tests.verify.whole_sheets import SMALL, job, ox

pytestmark = pytest.mark.usefixtures("in_empty_folder")


def sheets(structure: Structure = Structure.X_4) -> Path:
    press = structure is not Structure.HOME
    (file,) = written(printed=job(ox(), is_for_press=press), paper=SMALL, standard=structure)
    return file


def found(change: Change, *more: object, structure: Structure = Structure.X_4) -> list[str]:
    return found_after(change, sheets(structure), *map(Path, map(str, more)))


@pytest.mark.parametrize("structure", Structure)
def test_the_sheets_pass_as_they_are(structure: Structure) -> None:
    assert verified(sheets(structure), "--set", ox()).exit_code == 0


# --- ink over ink ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (
            faults.black_that_leaves_a_hole,
            "the text `Ox` does not overprint what lies below it, otherwise than its card's",
        ),
        (faults.gray_that_overprints, "the text `grey` overprints what lies below it, otherwise than its card's"),
    ],
)
def test_with_the_set_ink_overprints_where_it_is_to(change: Change, what: str) -> None:
    file = sheets()
    with Pdf.open(file, allow_overwriting_input=True) as pdf:
        change(pdf)
        pdf.save(file)
    result = verified(file, "--set", ox())
    assert result.exit_code == 1
    assert f"page 1: `ox`: {what}, in column 1, row 1 [Q090]" in result.stdout


def test_another_mode_of_overprinting_is_found() -> None:
    assert found(faults.other_mode_of_overprinting) == [
        "page 1: kotc does not write another mode of overprinting [Q006]"
    ]


# --- for which press ------------------------------------------------------------------------------------------------


HINT = "\n  hint: make it again with `kotc pdf`"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (faults.no_condition, "it names no printing condition, and is to be for `CGATS TR 006` [Q006]"),
        (faults.two_conditions, "it names 2 printing conditions, and is to be for `CGATS TR 006` [Q006]"),
        (faults.other_condition, "it is for `FOGRA39`, and is to be for `CGATS TR 006` [Q006]"),
        (faults.other_profile, "its color profile is not that of `CGATS TR 006` [Q006]"),
    ],
)
@pytest.mark.parametrize("structure", [Structure.X_1A, Structure.X_4])
def test_a_file_is_for_its_press(structure: Structure, change: Change, what: str) -> None:
    assert found(change, structure=structure) == [what + HINT]


# --- pictures that cannot be drawn ----------------------------------------------------------------------------------

OTHERWISE = "page 1: kotc does not write a picture that is packed otherwise [Q006]"
BREAKS_OFF = "it is damaged: a JPEG picture is none, or breaks off [Q001]"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (faults.jpeg_cut_in_half, BREAKS_OFF),
        (faults.jpeg_without_its_content, BREAKS_OFF),
        (faults.jpeg_that_is_none, BREAKS_OFF),
        (faults.jpeg_of_fillers, BREAKS_OFF),
        (faults.jpeg_of_other_height, OTHERWISE),
        (faults.in_other_colors, OTHERWISE),
        (faults.of_other_width, OTHERWISE),
        (faults.of_filters_that_there_are_not, OTHERWISE),
    ],
)
def test_a_picture_that_cannot_be_drawn_is_found_without_the_set(change: Change, what: str) -> None:
    assert what in [each.partition("\n")[0] for each in found(change, structure=Structure.HOME)]


# --- what is read, and how it is written ----------------------------------------------------------------------------


def test_a_glyph_that_is_read_as_another_letter_where_it_stands_is_found() -> None:
    assert found(faults.read_as("O"), structure=Structure.HOME) == []
    assert found(faults.letter_read_as_a_word, structure=Structure.HOME) == [
        "the font `DejaVuSans`: a glyph is read as other letters than it draws where it stands [Q030]"
        "\n  hint: letters would be drawn or found as others"
    ]


def test_a_text_that_is_read_as_a_whole_is_not_ours() -> None:
    assert any(
        "which kotc does not write" in each for each in found(faults.text_read_as_one_letter, structure=Structure.HOME)
    )


def test_a_form_whose_map_has_too_many_numbers_is_found() -> None:
    assert "pages 1 and 2: kotc does not write a map of a form that is none [Q006]" in found(
        faults.maps_of_seven_numbers
    )


def test_numbers_that_run_into_each_other_are_not_followed() -> None:
    (what,) = found(faults.numbers_that_run_together)
    assert re.fullmatch(
        r"page 1: what is drawn cannot be followed: what stands at byte \d+ cannot be read \[Q006\]", what
    )
