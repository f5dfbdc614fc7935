"""`build` with options of sheets, and for a printer: what counts for one build, what stays, and what is said of it."""

import json
import re
import shutil
from pathlib import Path

import pikepdf
import pytest

from render.base.geometry import Affine, Flip
from render.base.sizes import PAPERS
from render.sheets.calibration import printers
from render.sheets.calibration.printers import Calibration
from tests.support.sets import SET, kotc, write_set
from tests.support.templates import PLAIN_BACK

CARDS = "- {name: One, kind: minion, level: 1, sp: 1, hp: 0}\n- {name: Two, kind: minion, level: 2, sp: 2, hp: 0}\n"
SHEETS = Path("out/mine/sheets.pdf")
LOW, LOWER = Affine.move(0.5, -1), Affine.move(0.5, -1.5)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with a set, and with an empty folder for printers."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KOTC_CONFIG", str(tmp_path / "config"))
    write_set(Path("mine"), CARDS, f"{SET}outputs: {{png: {{dpi: 72}}, sheets: true}}\n")
    Path("mine/back.svg").write_text(PLAIN_BACK, encoding="utf-8")


def calibrated(correction: Affine = LOW, name: str = "Attic") -> None:
    paper, flip = PAPERS["a4"], Flip.LONG_EDGE
    printers.keep(Calibration(printer=name, tray="", paper=paper, flip=flip, correction=correction, confirmed=True))


def built(*asked: object) -> str:
    result = kotc("build", "mine", *asked)
    assert result.exit_code == 0, result.output
    return result.stderr


def set_sheet(words: str) -> None:
    file = Path("mine/set.yaml")
    kept = re.sub("sheet:.*\n", "", file.read_text(encoding="utf-8"))
    file.write_text(f"{kept}sheet: {words}\n", encoding="utf-8")


def correction() -> tuple[float, ...]:
    """Return how far the content of the page with the backs is moved, by its first matrix: in pt, y up."""
    with pikepdf.open(SHEETS) as pdf:
        matrices = (each for each in pikepdf.parse_content_stream(pdf.pages[1]) if str(each.operator) == "cm")
        right, up = (float(str(number)) for number in [*next(matrices).operands][4:])
        return round(right, 2), round(up - float(pdf.pages[1].mediabox[3]), 2)  # y is down within it


def paper() -> tuple[int, int]:
    with pikepdf.open(SHEETS) as pdf:
        box = pdf.pages[0].mediabox
        return round(float(box[2])), round(float(box[3]))


def test_an_option_counts_for_one_build_and_the_next_one_says_that_it_is_gone() -> None:
    built()
    said = built("--paper", "letter", "--no-slug", "--explain")
    assert said.startswith("sheets.pdf: options changed\n")
    assert "(1 written, 2 unchanged)" in said
    assert "  with --paper letter --no-slug, for this build alone: write it under `sheet` to keep it\n" in said
    assert paper() == (612, 792)
    assert "(0 written, 3 unchanged)" in built("--no-slug", "--paper", "letter")
    said = built()
    assert "(1 written, 2 unchanged)" in said
    assert "  the build before was made with --paper letter --no-slug, and this one goes by `sheet` again\n" in said
    assert paper() == (595, 842)
    assert "before" not in built()


def test_sheets_of_an_option_are_those_of_the_same_key() -> None:
    built("--paper", "letter", "--crop-marks", "corner")
    asked = SHEETS.read_bytes()
    set_sheet("{paper: letter, crop_marks: corner}")
    built()
    assert SHEETS.read_bytes() == asked


def test_what_an_option_makes_impossible_is_said_and_nothing_is_made() -> None:
    result = kotc("build", "mine", "--grid", "9x9")
    assert result.exit_code == 1
    assert "9 x 9 cards" in result.stderr
    assert "the command line asks for `--grid 9x9`" in result.stderr
    assert not SHEETS.exists()


# --- printers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["option", "key"])
def test_a_build_for_a_printer_is_corrected_as_kotc_pdf_is(way: str) -> None:
    calibrated()
    plain = kotc("pdf", "mine", "--out", "plain.pdf", "--printer", "attic")
    assert plain.exit_code == 0
    if way == "key":
        set_sheet("{printer: attic}")
    built(*(["--printer", "attic"] if way == "option" else []))
    assert SHEETS.read_bytes() == Path("plain.pdf").read_bytes()
    mm = 72 / 25.4
    assert correction() == (round(0.5 * mm, 2), round(1 * mm, 2))


def test_a_new_calibration_makes_the_sheets_stale_and_another_printers_does_not() -> None:
    calibrated()
    set_sheet("{printer: Attic}")
    built()
    assert "(0 written, 3 unchanged)" in built()
    calibrated(name="Cellar")
    assert "(0 written, 3 unchanged)" in built()
    calibrated(LOWER)
    assert built("--explain").startswith("sheets.pdf: calibration changed\n")
    assert kotc("verify", SHEETS, "--set", "mine").exit_code == 0


def test_changed_sheets_are_corrected_too() -> None:
    calibrated()
    set_sheet("{printer: Attic}")
    built()
    shutil.copy("out/mine/.kotc.json", "printed.json")
    write_set(Path("mine"), CARDS.replace("Two", "Two and a Half"), Path("mine/set.yaml").read_text(encoding="utf-8"))
    built("--changed-since", "printed.json")
    with pikepdf.open("out/mine/changed.pdf") as pdf:
        ticket = re.search(rb'"correction":\[([^]]*)\]', Path("out/mine/changed.pdf").read_bytes())
        assert len(pdf.pages) == 2
    assert ticket
    assert json.loads(b"[%s]" % ticket[1]) == list(LOW)


def test_an_unknown_printer_is_an_error_with_those_that_are_known() -> None:
    set_sheet("{printer: HP}")
    result = kotc("build", "mine")
    assert result.exit_code == 1
    assert "there is no printer `HP`: none is calibrated yet, `kotc calibrate` does that [R017]" in result.stderr
    calibrated()
    assert "there is no printer `HP`: there is `Attic`" in kotc("build", "mine").stderr
    result = kotc("pdf", "mine")
    assert "`printer` under `sheet`: there is no printer `HP`" in result.stderr
    assert result.exit_code == 2
    built("--printer", "none")


def test_a_printer_that_was_calibrated_for_other_paper_is_an_error() -> None:
    calibrated()
    set_sheet("{printer: Attic}")
    result = kotc("build", "mine", "--paper", "letter")
    assert result.exit_code == 1
    assert "`Attic` was calibrated for paper of 210 x 297 mm, not of 215.9 x 279.4 mm [R017]" in result.stderr


def test_sheets_without_back_sides_need_no_printer() -> None:
    set_sheet("{printer: HP, backs: none}")
    built()


@pytest.mark.parametrize("command", ["build", "pdf"])
def test_it_is_said_that_corrected_sheets_are_replaced_by_others(command: str) -> None:
    calibrated(name="Living room")
    built("--printer", "living room")
    said = kotc(command, "mine").stderr
    assert "was corrected for `Living room` before, and is not any more" in said
    assert '--printer "Living room" corrects it again, and `printer: Living room` under `sheet` does so always' in said
    assert "corrected" not in kotc(command, "mine").stderr


def test_a_printer_that_nobody_has_confirmed_is_doubtful_in_every_build() -> None:
    printers.keep(Calibration(printer="New", tray="", paper=PAPERS["a4"], flip=Flip.LONG_EDGE, correction=LOW))
    set_sheet("{printer: New}")
    assert "the correction of `New` is not confirmed" in built()
    assert "the correction of `New` is not confirmed" in built()
