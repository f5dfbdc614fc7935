"""`kotc calibrate` as people use it: a sheet, readings, a printer that is kept, looked at, refined and forgotten."""

import os
import re
import stat
import sys
from pathlib import Path

import pillow_heif
import pypdfium2
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from render.base.findings import Refused
from render.base.geometry import IDENTITY, Affine, Flip, Size
from render.base.sizes import PAPERS
from render.cli.commands.calibrate import calibrate
from render.sheets.calibration import printers
from render.sheets.calibration.printers import Calibration
from render.sheets.option_values import clean_name
from tests.support.photographed_sheets import Shot, taken
from tests.support.sets import kotc, write_set
from tests.support.simulated_printers import furthest, printer
from tests.support.systems import not_as_superuser
from tests.support.templates import with_plain_back

READINGS = "A 1.3 -0.2, B 1.5 0.5, C 2.3 -0.3, D 2.5 0.4, E 1.9 0.1"
SLIPPED = READINGS.replace("A 1.3", "A 4.3")
A4 = PAPERS["a4"]
ATTIC = ("--paper", "a4", "--printer", "Attic")


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
        (["--orientation", "landscape"], "--orientation needs --paper"),
        (["--paper", "a4", "--replace"], "need --read"),
        (["--paper", "a4", "--tray", "2"], "need --read"),
        (["--list", "--remove", "Attic"], "use only one of"),
        (["--list", "--printer", "Attic"], "--printer does not go with --list"),
        (["--remove", "Attic", "--paper", "a4"], "--paper does not go with --remove"),
        ([*ATTIC, "--read", READINGS, "--out", "a.pdf"], "--out does not go with --read"),
        (["--paper", "a4", "--read", READINGS], "--printer is missing"),
        (["--printer", "Attic", "--read", READINGS], "--paper is missing"),
        (["--printer", "Attic", "--offset", "1,1"], "--paper is missing: which paper does it print on?"),
        ([*ATTIC, "--read", "A 1"], "cannot read `A 1`"),
        ([*ATTIC, "--read", "A 1 1"], "three crosses are needed at least"),
        ([*ATTIC, "--read", "A 1 1 E 1 1 D 1 1"], "`A`, `D` and `E` lie on one line"),
        ([*ATTIC, "--read", READINGS, "--refine", "x"], "none is calibrated yet"),
        (["--printer", "Attic"], "none is calibrated yet"),
        (["--remove", "Attic"], "there is no printer `Attic`"),
        (["--paper", "a4", "--printer", 'At"tic', "--read", READINGS], 'has no `"` in it'),
        (["--paper", "a4", "--printer", " ", "--read", READINGS], "a printer needs a name"),
        (["--paper", "a4", "--printer", "x" * 61, "--read", READINGS], "at most 60 characters"),
        (["--paper", "a4", "--printer", "a\tb\x1b", "--read", READINGS], "in it"),
        (
            [*ATTIC, "--offset", "1,5,-0,8"],
            "cannot read the offset `1,5,-0,8`: write mm with a point, such as `1.5,-0.8`",
        ),
        ([*ATTIC, "--offset", "1.5"], "cannot read the offset `1.5`"),
        ([*ATTIC, "--offset", "1.5,nan"], "cannot read the offset `1.5,nan`"),
        ([*ATTIC, "--offset", "1.5mm,2mm"], "cannot read the offset"),
        ([*ATTIC, "--offset", ""], "cannot read the offset"),
        ([*ATTIC, "--offset", "15,-8"], "off by more than 10 mm"),
        ([*ATTIC, "--offset", "1,1", "--read", READINGS], "--read and --offset say the same"),
        ([*ATTIC, "--offset", "1,1", "--check", "abc123"], "--check needs --read, not --offset"),
        ([*ATTIC, "--offset", "1,1", "--out", "a.pdf"], "--out does not go with --offset"),
        ([*ATTIC, "--offset", "1,1", "--list"], "use only one of"),
        ([*ATTIC, "--photo", "a.jpg", "--read", READINGS], "--photo is instead of --read and --offset"),
        ([*ATTIC, "--photo", "a.jpg", "--out", "a.pdf"], "--out does not go with --photo"),
        (
            [*ATTIC, "--photo", "a.jpg", "--photo", "b.jpg"],
            "--photo takes one picture, and 2 are given: one against the",
        ),
        ([*ATTIC, "--backs-lie", "2 right, 1 left"], "the offset `2 right, 1 left` goes to the side twice"),
        ([*ATTIC, "--backs-lie", "1 up 1 low"], "the offset `1 up 1 low` goes up or down twice"),
        ([*ATTIC, "--backs-lie", "2 sideways"], "cannot read the offset `2 sideways`: write mm with a point, such as"),
        ([*ATTIC, "--backs-lie", "right"], "cannot read the offset `right`"),
        ([*ATTIC, "--backs-lie", "-2 mm right"], "cannot read the offset `-2 mm right`"),
        ([*ATTIC, "--backs-lie", "2 in right"], "cannot read the offset `2 in right`"),
        ([*ATTIC, "--backs-lie", "2 cm right"], "backs are off by more than 10 mm"),
    ],
)
def test_wrong_usage_is_said_and_nothing_is_kept(arguments: list[str], says: str, folder: Path) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert says in " ".join(result.output.split())
    assert not folder.exists()
    assert not Path("out").exists()


# --- readings -------------------------------------------------------------------------------------------------------


def test_what_was_found_is_said_and_kept() -> None:
    result = kept("Living room")
    assert result.exit_code == 0
    assert "shifted by 1.91 mm to the right, 0.11 mm down" in result.output
    for said in ("turned by", "too wide", "skewed by", "no reading is more than 0.0", "backs are moved by up to 2."):
        assert said in result.output
    one = printers.calibration("living  ROOM")
    assert (one.printer, one.paper, one.flip) == ("Living room", A4, Flip.LONG_EDGE)
    x, y = one.correction.apply(105, 148.5)
    assert (x - 105, y - 148.5) == pytest.approx((1.91, -0.11), abs=0.05)


def test_readings_may_come_one_by_one() -> None:
    together = kept()
    one_by_one = [part for reading in READINGS.split(", ") for part in ("--read", reading.replace(" ", "=", 1))]
    apart = run(*ATTIC, "--replace", *one_by_one)
    assert apart.output == together.output


def test_contradictions_are_refused_and_nothing_is_kept(folder: Path) -> None:
    result = run(*ATTIC, "--read", SLIPPED)
    assert result.exit_code == 1
    assert "cross A lies 0." in result.output
    assert "read A and D again" in result.output
    assert not folder.exists()


def test_a_missing_reading_is_a_warning() -> None:
    result = run(*ATTIC, "--read", READINGS.rsplit(",", 1)[0])
    assert result.exit_code == 0
    assert "warning: E was not read: a slip in the others is harder to find [R011]" in result.output


# --- applying twice, or not at all ----------------------------------------------------------------------------------


def test_a_printer_is_not_calibrated_over_by_mistake() -> None:
    kept()
    before = printers.calibration("Attic")
    again = kept("ATTIC")
    assert again.exit_code == 2
    assert "--check and the code on the sheet" in again.output
    assert printers.calibration("Attic") == before


LEFT = "A 0.5 0, B 0.5 0, C 0.5 0, D 0.5 0, E 0.5 0"
NOTHING = "A 0.1 0, B 0 -0.1, C 0.1 0, D 0 0, E 0 0.1"


@pytest.mark.parametrize("flag", ["--check", "--refine"])
def test_readings_refine_what_was_applied_to_their_sheet_and_only_once(flag: str) -> None:
    kept()
    first, its_code = printers.calibration("Attic"), code()
    refine = ("--printer", "Attic", "--read", LEFT, flag)
    result = run(*refine, its_code)
    assert result.exit_code == 0
    assert "warning: 0.50 mm is left in the corners of the cards [R016]" in result.output
    second = printers.calibration("Attic")
    moved = second.correction.apply(105, 148.5)
    assert moved == pytest.approx((first.correction.apply(105 + 0.5, 148.5)), abs=1e-6)
    again = run(*refine, its_code)
    assert again.exit_code == 2
    assert f"the code of the sheet is {its_code}" in again.output
    assert printers.calibration("Attic") == second
    assert run(*refine, "ffffff").exit_code == 2
    assert run(*refine, code(), "--replace").exit_code == 2


# --- confirming -----------------------------------------------------------------------------------------------------


def test_a_correction_is_confirmed_by_its_check_sheet_and_by_nothing_else() -> None:
    said = kept().output
    assert "not confirmed yet: print the check sheet and type what you read on it\n" in said
    assert said.endswith('\n  kotc calibrate --printer "Attic"\n')
    before = printers.calibration("Attic")
    assert (before.confirmed, "not confirmed, code" in run("--list").output) == (False, True)
    result = run("--printer", "Attic", "--check", code(), "--read", NOTHING)
    assert result.exit_code == 0
    assert re.fullmatch(
        r"Attic: confirmed: no more than 0\.\d\d mm is left in the corners of the cards\n"
        r'saved in .*printers\.yaml; print with\n  kotc pdf --printer "Attic"\n',
        result.output,
    )
    after = printers.calibration("Attic")
    assert (after.confirmed, after.correction, after.code) == (True, before.correction, before.code)
    assert ", confirmed, code" in run("--list").output


def test_what_is_mended_or_read_anew_is_not_confirmed_any_more() -> None:
    kept()
    run("--printer", "Attic", "--check", code(), "--read", NOTHING)
    run("--printer", "Attic", "--check", code(), "--read", LEFT)
    assert not printers.calibration("Attic").confirmed
    run("--printer", "Attic", "--check", code(), "--read", NOTHING)
    run(*ATTIC, "--read", READINGS, "--replace")
    assert not printers.calibration("Attic").confirmed


def test_three_crosses_confirm_nothing_and_change_nothing() -> None:
    kept()
    before = printers.calibration("Attic")
    result = run("--printer", "Attic", "--check", code(), "--read", "A 0 0, B 0 0, C 0 0")
    assert result.exit_code == 0
    assert "only A, B and C were read: a slip in them cannot be found [R011]" in result.output
    assert "not confirmed yet" in result.output
    assert printers.calibration("Attic") == before


def test_a_check_sheet_of_another_printer_with_the_same_correction_is_refused() -> None:
    for name in ("Attic", "Cellar"):
        kept(name)
    codes = [line.rsplit(" ", 1)[1] for line in run("--list").output.splitlines()]
    assert len(set(codes)) == 2
    assert run("--printer", "Attic", "--check", codes[1], "--read", NOTHING).exit_code == 2


def test_a_check_sheet_is_refused_once_the_printer_is_calibrated_anew() -> None:
    kept()
    stale = code()
    run(*ATTIC, "--read", LEFT, "--replace")
    result = run("--printer", "Attic", "--check", stale, "--read", NOTHING)
    assert result.exit_code == 2
    assert f"the code of the sheet is {stale}, but the correction of `Attic` has the code {code()}" in result.output
    assert not printers.calibration("Attic").confirmed


FIRST = "A 2 1, B 2 1, C 2 1, D 2 1, E 2 1"


@pytest.mark.parametrize(
    ("left", "slip"),
    [
        ("-4 -2", "4.43 mm is left, because in the earlier readings all signs were wrong"),
        ("4 2", "4.43 mm is left, because in the earlier readings and in these all signs were wrong"),
        ("-1 1", "1.40 mm is left, because in the earlier readings right and down were exchanged"),
        ("1 -1", "1.40 mm is left, because in the earlier readings and in these right and down were exchanged"),
        ("-4 0", "4.00 mm is left, because in the earlier readings the signs of the level scales were wrong"),
        ("0 -2", "2.00 mm is left, because in the earlier readings the signs of the upright scales were wrong"),
        ("0 2", "2 mm is left, because in the earlier readings and in these the signs of the upright scales were wrong"),
    ],
)  # fmt: skip
def test_the_slip_that_explains_what_is_left_is_named_and_mended(left: str, slip: str) -> None:
    run(*ATTIC, "--read", FIRST)
    result = run("--printer", "Attic", "--check", code(), "--read", ", ".join(f"{name} {left}" for name in "ABCDE"))
    assert result.exit_code == 0
    said = [line for line in result.output.splitlines() if "[R015]" in line]
    assert len(said) == 1
    assert slip.split(" mm ")[1] in said[0]
    assert 'the correction is fixed: `kotc calibrate --printer "Attic"` prints its check sheet' in result.output
    after = printers.calibration("Attic")
    assert not after.confirmed
    both = "and in these" in slip
    right, down = map(float, left.split())
    truly = {"all": (-right, -down), "right": (down, right), "the": (right, -down)}
    off = truly[slip.rpartition("readings " if not both else "these ")[2].split()[0]] if both else (right, down)
    behind = after.lands.apply(105, 148.5)
    assert behind == pytest.approx((105 + 2 + off[0], 148.5 + 1 + off[1]), abs=1e-6)


def test_an_error_that_no_slip_explains_is_corrected_and_reported() -> None:
    run(*ATTIC, "--read", "A 1 0, B 1 0, C 1 0, D 1 0, E 1 0")
    result = run("--printer", "Attic", "--check", code(), "--read", ", ".join(f"{name} 0 3.5" for name in "ABCDE"))
    assert (
        "warning: 3.50 mm is left in the corners of the cards, no less than the 1.00 mm before the correction, and"
        " no known slip explains it [R016]\n"
        "  hint: start over: print a sheet without a correction, and type its readings with --replace\n"
    ) in result.output


def test_readings_that_no_printer_can_cause_are_doubted() -> None:
    """Of a printer that turns backs by half a degree: right and down exchanged, and the signs of one axis wrong."""
    for texts, what in (
        ("A 1.2 0.8, B 1.2 -0.8, C -1.2 0.8, D -1.2 -0.8, E 0 0", "skewed by 0.98°"),
        ("A -1 0, B 1 0, C -1 0, D 1 0, E 0 0", "1.09 % too wide"),
        ("A -1 1.2, B 1 1.2, C -1 -1.2, D 1 -1.2, E 0 0", "1.09 % too wide and 0.97 % too short"),
    ):
        result = run(*ATTIC, "--replace", "--read", texts)
        assert f"warning: the readings say that backs are {what}, but printers do not do that [R013]" in result.output


# --- with a ruler ---------------------------------------------------------------------------------------------------


def test_an_offset_is_kept_like_readings_that_are_all_the_same() -> None:
    result = run("--paper", "letter", "--printer", "Attic", "--offset", "-1.5,0.8")
    assert result.exit_code == 0
    assert result.output == (
        "Attic: seen from the front, the back lies\n"
        "  shifted by 1.50 mm to the left, 0.80 mm down\n"
        "  to correct this, backs are moved by up to 1.70 mm, at their bottom right corner\n"
        f"saved in {printers.folder() / printers.FILE}, not confirmed yet: print the check sheet and type what you read"
        ' on it\n  kotc calibrate --printer "Attic"\n'
    )
    by_ruler = printers.calibration("Attic")
    texts = ", ".join(f"{name} -1.5 0.8" for name in "ABCDE")
    run("--paper", "letter", "--printer", "Attic", "--replace", "--read", texts)
    by_eye = printers.calibration("Attic")
    assert by_ruler.correction == pytest.approx(by_eye.correction, abs=1e-9)
    assert (by_ruler.paper, by_ruler.confirmed) == (PAPERS["letter"], False)


def test_an_offset_does_not_replace_a_calibration_by_mistake() -> None:
    kept()
    refused = run(*ATTIC, "--offset", "1,1")
    assert refused.exit_code == 2
    assert "`Attic` is calibrated already: if you measured a print without its correction" in refused.output
    assert run(*ATTIC, "--offset", "1,1", "--replace").exit_code == 0


# --- what is printed for a printer ----------------------------------------------------------------------------------


def test_sheets_for_a_printer_warn_until_its_correction_is_confirmed() -> None:
    kept()
    folder = with_plain_back(write_set(Path("s"), "- {name: Ant, kind: pawn}\n", "name: T\nedition: 17\n"))
    warning = (
        "warning: the correction of `Attic` is not confirmed: a slip in the readings can make it worse [R014]\n"
        '  hint: `kotc calibrate --printer "Attic"` prints the check sheet: type what you read on it\n'
    )
    assert kotc("pdf", folder, "--printer", "Attic", "--out", "a.pdf").stderr.startswith(warning)
    run("--printer", "Attic", "--check", code(), "--read", NOTHING)
    assert kotc("pdf", folder, "--printer", "Attic", "--out", "a.pdf").stderr.startswith("T: 1 sheet")


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
                clean = clean_name(name)
            except ValueError:
                continue
            made[clean.casefold()] = Calibration(printer=clean, tray="2", paper=paper, flip=flip, correction=correction)
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
        (GOOD.replace("  flip: long-edge\n", ""), "R004"),
        (
            GOOD.replace("long-edge", "longedge"),
            "4:9: error: expected `long-edge` or `short-edge`, found `longedge` [R007]",
        ),
        (GOOD.replace("210x297", "A five"), "R007"),
        (
            GOOD.replace("1.001", "one"),
            "5:15: error: expected six numbers in brackets, found a list, `[one, 0, 0, 1, 1.5, -0.5]` [R005]",
        ),
        (GOOD.replace("1.001", "nan"), "R005"),
        (GOOD.replace("1.001, ", ""), "R005"),
        (GOOD.replace("1.001", "7"), "R007"),
        (GOOD.replace("1.5", "150"), "R007"),
        (GOOD.replace("[1.001, 0, 0, 1, 1.5, -0.5]", "7"), "R005"),
        (GOOD.replace('"2"', "[2]"), "R005"),
        (GOOD.replace('"Attic"', '""'), "R007"),
        (GOOD + "  confirmed: yes\n", "6:14: error: expected `true` or `false`, found `yes` [R007]"),
        (GOOD + "  confirmed: [true]\n", "R007"),
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
        assert (found if " " in found else f"[{found}]") in result.output
        assert "printers.yaml" in result.output
    assert file.read_text(encoding="utf-8") == text
    with pytest.raises(Refused):
        printers.calibration("Attic")


def test_a_damaged_file_is_not_to_be_mended_by_examples_of_cards(folder: Path) -> None:
    folder.mkdir()
    (folder / "printers.yaml").write_text("%", encoding="utf-8")
    said = run("--list").output
    assert "calibrate your printers again" in said
    assert "cards/reference/yaml.md" not in said


def test_the_file_may_be_written_by_hand(folder: Path) -> None:
    folder.mkdir()
    (folder / "printers.yaml").write_text(GOOD, encoding="utf-8")
    assert printers.calibration("attic") == Calibration(
        printer="Attic", tray="2", paper=A4, flip=Flip.LONG_EDGE, correction=Affine(1.001, 0, 0, 1, 1.5, -0.5)
    )


@not_as_superuser
def test_a_folder_that_cannot_be_written_is_the_machines_fault(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    result = kept()
    assert result.exit_code == 3
    assert "[E001]" in result.output


def test_a_file_in_place_of_the_folder_is_the_machines_fault(folder: Path) -> None:
    folder.write_text("", encoding="utf-8")
    result = kept()
    assert (result.exit_code, "[E001]" in result.output) == (3, True)


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


# --- an offset in words ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("2 mm right, 1 mm down", "2,1"),
        ("2 mm to the right and 1 mm up", "2,-1"),
        ("0.5 cm too far left", "-5,0"),
        ("1.5mm too high", "0,-1.5"),
        ("1 LOW 2 LEFT.", "-2,1"),
        (".5 below", "0,0.5"),
    ],
)
def test_an_offset_in_words_means_the_same_as_in_numbers(words: str, numbers: str) -> None:
    for name, asked in (("Words", words), ("Numbers", numbers)):
        result = run("--paper", "a4", "--printer", name, "--backs-lie", asked)
        assert result.exit_code == 0, result.output
    said, meant = printers.calibration("Words"), printers.calibration("Numbers")
    assert said.correction == meant.correction != Affine()


PX = 10  # for each mm


def ink_of_back(file: Path) -> tuple[float, float, float, float]:
    """Return the box of all ink on the page with the backs, in mm from its top left, as the page is seen."""
    page = pypdfium2.PdfDocument(file)[1]
    picture = page.render(scale=PX * 25.4 / 72).to_pil().convert("L").point(lambda gray: 255 if gray < 200 else 0)
    left, top, right, bottom = picture.getbbox() or (0, 0, 0, 0)
    return left / PX, top / PX, right / PX, bottom / PX


@pytest.mark.parametrize(
    ("flip", "lie", "moved"),
    [
        # Turned about its upright edge, the sheet shows what lies to the right of the front at the left of the back.
        ("long-edge", "2 mm right, 1 mm down", (2, -1)),
        ("long-edge", "2 mm left, 1 mm up", (-2, 1)),
        # Turned about its level edge, what lies low on the front is high on the back.
        ("short-edge", "2 mm right, 1 mm down", (-2, 1)),
    ],
)
def test_backs_are_moved_against_where_they_lie(flip: str, lie: str, moved: tuple[int, int]) -> None:
    with_plain_back(write_set(Path("one"), "{name: One, kind: minion, level: 1, sp: 1, hp: 0, copies: 9}\n"))
    plain = ("--flip", flip, "--crop-marks", "off", "--no-slug", "--no-ruler", "--grid", "2x2")
    assert run("--paper", "a4", "--flip", flip, "--printer", "Attic", "--backs-lie", lie).exit_code == 0
    assert kotc("pdf", "one", "--out", "plain.pdf", *plain).exit_code == 0
    assert kotc("pdf", "one", "--out", "corrected.pdf", "--printer", "Attic", *plain).exit_code == 0
    before, after = ink_of_back(Path("plain.pdf")), ink_of_back(Path("corrected.pdf"))
    right, down = moved
    assert after == pytest.approx([before[0] + right, before[1] + down, before[2] + right, before[3] + down], abs=0.11)


# --- pictures -------------------------------------------------------------------------------------------------------

SHOT = Shot(pixels=1400)
PRINTS = printer(A4, (1.8, -0.7), 0.3, (1.002, 0.999))
QUICK = {"preset": "ultrafast"}  # of HEIF, which takes seconds to be small


def photographed(shot: Shot = SHOT, prints: Affine = PRINTS, name: str = "IMG.JPG") -> str:
    Path(name).write_bytes(taken(shot, prints))
    return name


def test_one_picture_calibrates_a_printer_and_a_second_one_confirms_it() -> None:
    result = run("--printer", "Attic", "--tray", "2", "--photo", photographed())
    assert result.exit_code == 0
    assert "Attic: seen from the front, the back lies" in result.output
    assert "  shifted by 1.80 ± 0.01 mm to the left, 0.70 ± 0.01 mm up" in result.output
    assert '\n  kotc pdf --printer "Attic"\n' in result.output
    one = printers.calibration("Attic")
    assert (one.paper, one.flip, one.tray, one.confirmed) == (A4, Flip.LONG_EDGE, "2", True)
    assert furthest(PRINTS @ one.correction, IDENTITY, A4) <= 0.05

    again = run("--printer", "Attic", "--photo", "IMG.JPG")
    assert again.exit_code == 2
    assert "has no correction applied: add --replace to start over with it" in " ".join(again.output.split())

    Path("check.jpg").write_bytes(taken(SHOT, PRINTS, applied=one))
    checked = run("--photo", "check.jpg")
    assert checked.exit_code == 0
    assert re.search(r"confirmed: no more than 0\.0\d mm is left in the corners of the cards", checked.output)
    assert printers.calibration("Attic") == one
    assert run("--photo", "check.jpg", "--check", "abc123").exit_code == 2

    Path("later.jpg").write_bytes(taken(SHOT, Affine.move(0.9, 0.0) @ PRINTS, applied=one))
    later = run("--photo", "later.jpg")
    assert "0.90 ± 0.01 mm" in later.output
    better = printers.calibration("Attic")
    assert furthest(Affine.move(0.9, 0.0) @ PRINTS @ better.correction, IDENTITY, A4) <= 0.05
    unknown = run("--photo", "later.jpg")
    assert unknown.exit_code == 2
    assert f"of the correction {one.code}, and no printer here has that" in " ".join(unknown.output.split())


def test_a_picture_that_is_refused_changes_nothing(folder: Path) -> None:
    result = run("--printer", "Attic", "--photo", photographed(Shot(pixels=1400, from_back=True)))
    assert result.exit_code == 1
    assert "IMG.JPG:1:1: error: the picture shows the back of the sheet [R022]" in result.output
    Path("text.jpg").write_text("no picture", encoding="utf-8")
    for name, code in (("text.jpg", "A005"), ("absent.jpg", "A003"), (".", "A002")):
        missing = run("--printer", "Attic", "--photo", name)
        assert (missing.exit_code, f"[{code}]" in missing.output) == (1, True), missing.output
    assert not folder.exists()


@pytest.mark.parametrize("kind", ["TIFF", "PNG", "HEIF", "WEBP"])
def test_a_picture_may_be_of_any_kind_that_cameras_and_scanners_write(kind: str) -> None:
    pillow_heif.register_heif_opener()
    with Image.open(photographed()) as picture:
        picture.save(f"scan.{kind.lower()}", kind, quality=90, enc_params=QUICK)
    assert run("--printer", "Attic", "--photo", f"scan.{kind.lower()}").exit_code == 0
    assert furthest(PRINTS @ printers.calibration("Attic").correction, IDENTITY, A4) <= 0.05


def test_a_heic_without_its_package_is_told_with_a_way_out(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    Path("a.heic").write_bytes(b"\0\0\0\x18ftypheic" + bytes(100))
    damaged = run("--printer", "Attic", "--photo", "a.heic")
    assert "`a.heic` is a HEIC that cannot be decoded" in damaged.output
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    result = run("--printer", "Attic", "--photo", "a.heic")
    assert (result.exit_code, folder.exists()) == (1, False)
    assert "`a.heic` is a HEIC, which needs the package `pillow-heif` [A005]" in result.output
    assert "install it with `pip install 'kotc[heic]'`, or export the picture as a JPEG\n" in result.output
    Path("a.heic").rename("a.jpg")
    renamed = run("--printer", "Attic", "--photo", "a.jpg").output
    assert "`a.jpg` is a HEIC inside, whatever its name, which needs the package `pillow-heif` [A005]" in renamed
    assert "or export the picture as a JPEG: to rename it is not enough\n" in renamed


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "TIFF", "HEIF"])
def test_a_picture_that_is_too_large_is_to_be_made_as_large_as_a_sheet_needs(kind: str, folder: Path) -> None:
    pillow_heif.register_heif_opener()
    Image.new("L", (8000, 6000), 200).save("large.img", kind, enc_params=QUICK)
    result = run("--printer", "Attic", "--photo", "large.img")
    assert (result.exit_code, folder.exists()) == (1, False)
    said = "`large.img` has 8000 x 6000 pixels, 48 megapixels: at most 40 megapixels are read [A007]"
    assert said in result.output
    assert "save it smaller, as a JPEG: 4000 pixels along a sheet are more than enough to measure it\n" in result.output
