"""How well `kotc verify` judges: a sample; `python tests/benchmarks/prove.py verified_sheets.measure` tries all that is in its tables."""

import io
import shutil
from collections import Counter

import pytest
from pikepdf import Pdf
from proofs.verified_sheets.measure import Row, awaited, judge, outcome, outcome_of_bug, outcome_of_sound, rows
from proofs.verified_sheets.sheet_bugs import BUGS
from proofs.verified_sheets.sound import GHOSTSCRIPT, TABLE, Sound, saved_by
from proofs.verified_sheets.whole_sheets import Sheets, ox, printed


def held(title: str, why: str) -> None:
    """What is awaited is not judged as it should be yet, and is no longer named as awaited once it is."""
    assert bool(why) == (title in awaited()), why or "is judged as it should be: remove it from `awaited`"


@pytest.mark.parametrize("row", [row for row in rows() if row.in_sample], ids=lambda row: row.title)
def test_a_fault_is_found_and_what_is_called_harmless_changes_no_pixel(row: Row) -> None:
    held(row.title, outcome(row))


@pytest.mark.parametrize("sound", [sound for sound in TABLE if sound.in_sample], ids=lambda sound: sound.name)
def test_a_sound_file_is_not_refused(sound: Sound) -> None:
    if sound.is_missing:
        pytest.skip(f"there is no {sound.program}")
    held(sound.name, outcome_of_sound(sound))


@pytest.mark.skipif(shutil.which("gs") is None, reason="there is no Ghostscript")
@pytest.mark.parametrize(("by", "found"), [(0.02, []), (0.05, ["Q040"]), (2.0, ["Q040"])], ids=str)
def test_a_face_beside_its_place_is_seen_in_a_file_that_does_not_say_its_places(by: float, found: list[str]) -> None:
    files, corner = printed(ox(), "--paper", "150x110"), "11.5 10.55 63.5 88.9 re W n\n1 0 0 1 11.5 10.55"  # in mm
    ((file, data),) = files.items()
    with Pdf.open(io.BytesIO(data)) as pdf:
        content = pdf.pages[0].Contents.read_bytes()
        assert corner.encode() in content
        moved = content.replace(corner.encode(), corner.replace("11.5", f"{11.5 + by}").encode())
        pdf.pages[0].Contents = pdf.make_stream(moved)
        pdf.save(changed := io.BytesIO())
    saved = saved_by((*GHOSTSCRIPT, "IN"), changed.getvalue())
    assert [code for code, _ in judge(Sheets({file: saved}, ox()), with_set=True).found] == found


@pytest.mark.parametrize("name", BUGS)
def test_a_bug_in_the_making_of_sheets_is_found(name: str) -> None:
    held(name, outcome_of_bug(name))


def test_each_row_is_there_once_and_what_is_awaited_is_a_row() -> None:
    titles = Counter([*(row.title for row in rows()), *(sound.name for sound in TABLE), *BUGS])
    assert set(titles.values()) == {1}
    assert awaited() <= titles.keys()
    assert {row.kind for row in rows()} == {"paper", "press", "harmless"}
