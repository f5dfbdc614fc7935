"""What `kotc` writes passes `kotc verify --set`, and wrong pictures do not: a sample of `right_sheets`."""

import unicodedata
from pathlib import Path

import pytest
from proofs.verified_sheets.right_sheets import (
    SAMPLES,
    SHOWING,
    Sample,
    font_set,
    letter_set,
    letters_of,
    made_fonts,
    missed,
    picture_set,
    refused,
)

SMALL = [sample for sample in SAMPLES if max(sample.size) <= 1500]
OTHERS = [sample for sample in SHOWING if max(sample.size) <= 1500][:3]


@pytest.mark.parametrize(
    ("fit", "dpi", "samples"), [("whole", 200, SMALL[::4]), ("stamp", 300, SMALL[2::4])], ids=["whole", "stamp"]
)
def test_right_sheets_pass_with_pictures_of_all_kinds_and_sizes(
    tmp_path: Path, fit: str, dpi: int, samples: list[Sample]
) -> None:
    made = picture_set(tmp_path / "set", fit, samples)
    assert refused(made, "--art-dpi", dpi) == ""


def test_wrong_pictures_are_found_among_reduced_ones(tmp_path: Path) -> None:
    made = picture_set(tmp_path / "set", "whole", OTHERS)
    assert list(missed(made, [sample.name for sample in OTHERS], "whole", "--art-dpi", 200)) == []


def test_right_sheets_pass_with_fonts_of_all_kinds(tmp_path: Path) -> None:
    for number, (font, role) in enumerate(made_fonts(tmp_path / "made").items()):
        assert refused(font_set(tmp_path / str(number), font, role)) == "", font.name


def test_right_sheets_pass_with_letters_that_draw_each_other(tmp_path: Path) -> None:
    """Marks of tone join, and a vowel of Lao is drawn with two glyphs."""
    made = letter_set(tmp_path / "set", "DejaVu Sans Condensed", "˥˦˧˨˩ກຳ")
    assert refused(made) == ""


@pytest.mark.parametrize("face", ["DejaVu Sans", "DejaVu Sans Condensed Bold"])
def test_right_sheets_pass_with_all_letters_from_right_to_left_alone_and_joined(tmp_path: Path, face: str) -> None:
    letters = [char for char in letters_of(face) if unicodedata.bidirectional(char) in ("R", "AL", "AN")]
    joined = ["(سلام)", "مُحَمَّد", "שָׁלוֹם", "[לא]", "لا إله", "می\u200cخواهم", "abc"]
    assert refused(letter_set(tmp_path / "set", face, [*letters, *joined])) == ""
