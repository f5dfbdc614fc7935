"""`kotc calibrate` as people use it: a sheet, readings, a printer that is kept, looked at, refined and forgotten."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from render import printers
from render.calibration import Calibration
from render.cli_calibrate import calibrate
from render.diag import Refused
from render.geometry import PAPERS, Affine, Flip, Size

READINGS = "A 1.3 -0.2, B 1.5 0.4, C 2.4 -0.3, D 2.6 0.3, E 1.9 0.1"
SLIPPED = READINGS.replace("A 1.3", "A 4.3")
A4 = PAPERS["a4"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty configuration folder, and an empty folder to work in."""
    monkeypatch.setenv("KOTC_CONFIG", str(tmp_path / "configuration"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "configuration"


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(calibrate, list(arguments))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def kept(name: str = "Attic") -> Result:
    return run("--paper", "a4", "--printer", name, "--read", READINGS)


def code() -> str:
    return run("--list").output.strip().rsplit(" ", 1)[1]


# --- the sheet ------------------------------------------------------------------------------------------------------


def test_a_sheet_is_written_and_its_print_settings_are_said() -> None:
    result = run("--paper", "letter", "--flip", "short-edge")
    assert result.exit_code == 0
    assert Path("out/calibration.pdf").read_bytes().startswith(b"%PDF")
    assert "print at 100 % (actual size), both sides, flipped on the short edge" in result.output


def test_the_sheet_of_a_printer_needs_no_paper_and_takes_no_other() -> None:
    kept()
    assert run("--printer", "attic", "--out", "again.pdf").exit_code == 0
    assert Path("again.pdf").exists()
    other = run("--printer", "Attic", "--paper", "letter")
    assert other.exit_code == 2
    assert "`Attic` was calibrated for paper of 210 x 297 mm, not of 215.9 x 279.4 mm" in other.output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "--paper is missing"),
        (["--paper", "a5"], "found `a5`"),
        (["--paper", "150x200"], "200 mm a side at least"),
        (["--orientation", "landscape"], "--orientation goes with --paper"),
        (["--paper", "a4", "--replace"], "go with --read"),
        (["--paper", "a4", "--tray", "2"], "go with --read"),
        (["--list", "--remove", "Attic"], "one at a time"),
        (["--list", "--printer", "Attic"], "--printer does not go with --list"),
        (["--remove", "Attic", "--paper", "a4"], "--paper does not go with --remove"),
        (
            ["--paper", "a4", "--printer", "Attic", "--read", READINGS, "--out", "a.pdf"],
            "--out does not go with --read",
        ),
        (["--paper", "a4", "--read", READINGS], "--printer is missing"),
        (["--printer", "Attic", "--read", READINGS], "--paper is missing"),
        (["--paper", "a4", "--printer", "Attic", "--read", "A 1"], "cannot read `A 1`"),
        (["--paper", "a4", "--printer", "Attic", "--read", "A 1 1"], "three crosses are needed at least"),
        (["--paper", "a4", "--printer", "Attic", "--read", "A 1 1 E 1 1 D 1 1"], "`A`, `D` and `E` lie on one line"),
        (["--paper", "a4", "--printer", "Attic", "--read", READINGS, "--refine", "x"], "none is calibrated yet"),
        (["--printer", "Attic"], "none is calibrated yet"),
        (["--remove", "Attic"], "there is no printer `Attic`"),
        (["--paper", "a4", "--printer", 'At"tic', "--read", READINGS], 'has no `"` in it'),
        (["--paper", "a4", "--printer", " ", "--read", READINGS], "a printer needs a name"),
        (["--paper", "a4", "--printer", "x" * 61, "--read", READINGS], "at most 60 characters"),
        (["--paper", "a4", "--printer", "a\tb\x1b", "--read", READINGS], "in it"),
    ],
)
def test_wrong_usage_is_said_and_nothing_is_kept(arguments: list[str], says: str, folder: Path) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert says in result.output
    assert not folder.exists()
    assert not Path("out").exists()


# --- readings -------------------------------------------------------------------------------------------------------


def test_what_was_found_is_said_and_kept() -> None:
    result = kept("Living room")
    assert result.exit_code == 0
    assert "shifted by 1.95 mm to the right, 0.0" in result.output
    for said in ("turned by", "too wide", "skewed by", "no reading is more than 0.0", "backs are moved by up to 2.6"):
        assert said in result.output
    one = printers.calibration("living  ROOM")
    assert (one.printer, one.paper, one.flip) == ("Living room", A4, Flip.LONG_EDGE)
    x, y = one.correction.apply(105, 148.5)
    assert (x - 105, y - 148.5) == (pytest.approx(1.95, abs=0.05), pytest.approx(-0.06, abs=0.05))


def test_readings_may_come_one_by_one() -> None:
    together = kept()
    one_by_one = [part for reading in READINGS.split(", ") for part in ("--read", reading.replace(" ", "=", 1))]
    apart = run("--paper", "a4", "--printer", "Attic", "--replace", *one_by_one)
    assert apart.output == together.output


def test_contradictions_are_refused_and_nothing_is_kept(folder: Path) -> None:
    result = run("--paper", "a4", "--printer", "Attic", "--read", SLIPPED)
    assert result.exit_code == 1
    assert "cross A lies 0." in result.output
    assert "read A and D again" in result.output
    assert not folder.exists()


def test_a_missing_reading_is_a_warning() -> None:
    result = run("--paper", "a4", "--printer", "Attic", "--read", READINGS.rsplit(",", 1)[0])
    assert result.exit_code == 0
    assert "warning: E was not read: a slip in the others is harder to find [R011]" in result.output


# --- applying twice, or not at all ----------------------------------------------------------------------------------


def test_a_printer_is_not_calibrated_over_by_mistake() -> None:
    kept()
    before = printers.calibration("Attic")
    again = kept("ATTIC")
    assert again.exit_code == 2
    assert "--refine and the code on the sheet" in again.output
    assert printers.calibration("Attic") == before


def test_readings_refine_what_was_applied_to_their_sheet_and_only_once() -> None:
    kept()
    first, its_code = printers.calibration("Attic"), code()
    refine = ("--printer", "Attic", "--read", "A 0.1 0, B 0.1 0, C 0.1 0, D 0.1 0, E 0.1 0", "--refine")
    assert run(*refine, its_code).exit_code == 0
    second = printers.calibration("Attic")
    moved = second.correction.apply(105, 148.5)
    assert moved == pytest.approx((first.correction.apply(105 + 0.1, 148.5)), abs=1e-6)
    again = run(*refine, its_code)
    assert again.exit_code == 2
    assert f"the code of the sheet is {its_code}" in again.output
    assert printers.calibration("Attic") == second
    assert run(*refine, "ffffff").exit_code == 2
    assert run(*refine, code(), "--replace").exit_code == 2


def test_a_printer_can_be_calibrated_anew() -> None:
    kept()
    run("--paper", "letter", "--printer", "Attic", "--read", READINGS, "--replace", "--tray", "by hand")
    assert printers.calibration("Attic").paper == PAPERS["letter"]
    assert "Attic, tray by hand: 215.9 x 279.4 mm" in run("--list").output


# --- the file of printers -------------------------------------------------------------------------------------------


def test_printers_are_listed_by_name_and_forgotten() -> None:
    assert "no printer is calibrated yet" in run("--list").output
    for name in ("cellar", "Attic", "Bureau"):
        kept(name)
    assert [line.split(":")[0] for line in run("--list").output.splitlines()] == ["Attic", "Bureau", "cellar"]
    assert run("--remove", "BUREAU").exit_code == 0
    unknown = run("--remove", "Atic")
    assert unknown.exit_code == 2
    assert "there is no printer `Atic`: did you mean `Attic`?" in unknown.output
    assert "there is `Attic` and `cellar`" in run("--remove", "xyz").output
    for name in ("Attic", "cellar"):
        run("--remove", name)
    assert printers.calibrations() == []


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=60)
LITTLE = st.floats(-0.02, 0.02)


@given(
    st.lists(NAMES, unique_by=str.casefold, max_size=4),
    st.builds(
        Affine,
        *(
            st.floats(low, high)
            for low, high in [(0.98, 1.02), (-0.02, 0.02), (-0.02, 0.02), (0.98, 1.02), (-4, 4), (-4, 4)]
        ),
    ),
    st.sampled_from([*PAPERS.values(), Size(210.5, 297.25)]),
    st.sampled_from(Flip),
)
def test_what_is_kept_is_found_again_to_the_last_digit(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], correction: Affine, paper: Size, flip: Flip
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KOTC_CONFIG", str(tmp_path_factory.mktemp("printers")))
        made = {}
        for name in names:
            try:
                clean = printers.clean_name(name)
            except ValueError:
                continue
            made[clean.casefold()] = Calibration(clean, "2", paper, flip, correction)
            printers.keep(made[clean.casefold()])
        for one in made.values():
            assert printers.calibration(one.printer) == one
        assert {one.printer for one in printers.calibrations()} == {one.printer for one in made.values()}


GOOD = '"Attic":\n  tray: "2"\n  paper: 210x297\n  flip: long-edge\n  correction: [1.001, 0, 0, 1, 1.5, -0.5]\n'


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "Y006"),
        ("- Attic\n", "R001"),
        ("Attic: 7\n", "R001"),
        (GOOD.replace("flip", "flop"), "R002"),
        (GOOD.replace("  flip: long-edge\n", ""), "R003"),
        (GOOD.replace("long-edge", "longedge"), "R004"),
        (GOOD.replace("210x297", "A five"), "R004"),
        (GOOD.replace("1.001", "one"), "R004"),
        (GOOD.replace("1.001", "nan"), "R004"),
        (GOOD.replace("1.001, ", ""), "R004"),
        (GOOD.replace("1.001", "7"), "R004"),
        (GOOD.replace("1.5", "150"), "R004"),
        (GOOD.replace("[1.001, 0, 0, 1, 1.5, -0.5]", "7"), "R004"),
        (GOOD.replace('"2"', "[2]"), "R004"),
        (GOOD.replace('"Attic"', '""'), "R004"),
        (GOOD[:-20], "Y007"),
        (GOOD + GOOD, "Y012"),
        ("\0", "Y005"),
    ],
)
def test_a_damaged_file_is_said_with_its_place_and_left_as_it_is(text: str, found: str, folder: Path) -> None:
    folder.mkdir()
    file = folder / "printers.yaml"
    file.write_text(text, encoding="utf-8")
    for result in (run("--list"), run("--printer", "Attic"), kept(), run("--remove", "Attic")):
        assert result.exit_code == 1
        assert f"[{found}]" in result.output
        assert "printers.yaml" in result.output
    assert file.read_text(encoding="utf-8") == text
    with pytest.raises(Refused):
        printers.calibration("Attic")


def test_a_damaged_file_is_not_to_be_mended_by_examples_of_cards(folder: Path) -> None:
    folder.mkdir()
    (folder / "printers.yaml").write_text("%", encoding="utf-8")
    said = run("--list").output
    assert "calibrate your printers again" in said
    assert "cards/README.md" not in said


def test_the_file_may_be_written_by_hand(folder: Path) -> None:
    folder.mkdir()
    (folder / "printers.yaml").write_text(GOOD, encoding="utf-8")
    assert printers.calibration("attic") == Calibration(
        "Attic", "2", A4, Flip.LONG_EDGE, Affine(1.001, 0, 0, 1, 1.5, -0.5)
    )


@pytest.mark.skipif(
    os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere"
)
def test_a_folder_that_cannot_be_written_is_the_machines_fault(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    result = kept()
    assert result.exit_code == 3
    assert "[E001]" in result.output


def test_a_file_in_place_of_the_folder_is_the_machines_fault(folder: Path) -> None:
    folder.write_text("", encoding="utf-8")
    result = kept()
    assert result.exit_code == 3
    assert "[E001]" in result.output


@pytest.mark.parametrize(
    ("variables", "wanted"),
    [
        ({"KOTC_CONFIG": "/a/b", "XDG_CONFIG_HOME": "/x"}, "/a/b"),
        ({"KOTC_CONFIG": "", "XDG_CONFIG_HOME": "/x"}, "/x/kotc"),
        ({"KOTC_CONFIG": "", "XDG_CONFIG_HOME": "relative", "HOME": "/home/kim"}, "/home/kim/.config/kotc"),
        ({"KOTC_CONFIG": "", "XDG_CONFIG_HOME": "", "HOME": "/home/kim"}, "/home/kim/.config/kotc"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="folders of Linux and macOS")
def test_the_configuration_folder_is_the_one_that_is_agreed(
    variables: dict[str, str], wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert printers.folder() == Path(wanted)
