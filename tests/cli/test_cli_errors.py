"""The command line: wrong usage, a disk that does not play along, and what each command says and returns."""

import json
import re
import subprocess
import sys
from pathlib import Path

import click
import pypdfium2
import pytest
from click.testing import Result
from PIL import Image

from render import __version__
from render.cli.main import command as command_called
from render.cli.main import commands, groups
from tests.support.messages import words
from tests.support.sets import kotc, write_set
from tests.support.systems import not_as_superuser

pytestmark = pytest.mark.usefixtures("in_empty_folder")

MINION = "kind: minion, level: 2, sp: 1, hp: 1"
STORM = f"- {{name: Storm, {MINION}}}\n"
NO_SET = (
    "found no set: no `set.yaml` here or in a folder above, and no folder `cards` here; "
    "`kotc init` makes a set, or give the folder of a set or a card file"
)
DRAWING = ("check", "png", "pdf", "build")
COMMANDS = tuple(sorted(commands()))


def a_set(folder: str, cards: str = STORM, name: str = "Test", sheet: str = "{paper: a4}") -> None:
    write_set(Path(folder), cards, f"name: {name}\nedition: 17\nsheet: {sheet}\n")


def refusal(result: Result) -> str:
    """Return what is said of wrong usage, behind the two lines that say where the help is."""
    assert (result.exit_code, result.stdout) == (2, "")
    *usage, message = result.stderr.rstrip("\n").split("\n")
    assert [line.split()[0] for line in usage if line] == ["Usage:", "Try"]
    return message.removeprefix("Error: ")


def files() -> list[str]:
    """Return the files here that belong to no set, but for the one by which builds know those of other commands."""
    made = (path for path in Path.cwd().rglob("*") if path.is_file() and path.name != ".kotc.made.json")
    every = (path.relative_to(Path.cwd()) for path in made)
    return sorted(path.as_posix() for path in every if not (path.parent / "set.yaml").exists())


# --- wrong usage: paths and cards ---


@pytest.mark.parametrize("command", DRAWING)
def test_no_folder_of_cards_here(command: str) -> None:
    assert refusal(kotc(command)) == NO_SET


def test_wrong_usage_says_how_it_is_used() -> None:
    run = subprocess.run([sys.executable, "-m", "render", "check"], check=False, capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (
        2,
        "",
        f"Usage: kotc check [OPTIONS] [PATH]...\nTry 'kotc check --help' for help.\n\nError: {NO_SET}\n",
    )


@pytest.mark.parametrize("command", DRAWING)
def test_a_path_that_does_not_exist(command: str) -> None:
    a_set("cards/starter")
    assert refusal(kotc(command, "cards/startr")) == (
        "Invalid value for PATH: `cards/startr` does not exist: did you mean `cards/starter`?"
    )
    assert refusal(kotc(command, "cards/mine")) == "Invalid value for PATH: `cards/mine` does not exist"


PAPERS = (
    "expected `a4`, `a3`, `letter`, `legal`, `tabloid`, `sra3`, `sra4`, `arch-b`, `super-b` or a size such as `210x297`"
)
SIDES = "expected a paper from 10 to 2000 mm a side, found"
TOO_SMALL = (
    "no card of 63.5 x 88.9 mm fits a paper of 73 x 99 mm with margins of 5 mm: it must be at least 73.5 x 98.9 mm"
)
DPI = "'--dpi': expected a number from 72 to 1200, found"
FORMATS = "'--format': expected `text`, `json` or `github`, found"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("verify s/card.yaml", "'FILE...': `s/card.yaml` does not exist: did you mean `s/cards.yaml`?"),
        ("verify s", "FILE: `s` is a set, not its sheets: give their file, such as `out/s/sheets.pdf`"),
        ("pdf s --out s.png", "'--out': sheets are a PDF: write `s.pdf`, not `s.png`; `kotc png` draws pictures"),
        ("pdf s --out s", "'--out': File 's' is a directory."),
        ("png s --out s/set.yaml", "'--out': Directory 's/set.yaml' is a file."),
        ("build s --out s/set.yaml", "'--out': Directory 's/set.yaml' is a file."),
        ("png s --card strom", "--card: there is no card `strom`: did you mean `storm`?"),
        ("pdf s --card strom", "--card: there is no card `strom`: did you mean `storm`?"),
        ("png s --card storm --card xyzzy --card 42", "--card: there is no card `xyzzy` or `42`"),
        ("pdf s --paper a5", f"'--paper': {PAPERS}, found `a5`: write `148x210`, or `a4`, the nearest"),
        ("pdf s --paper 210", f"'--paper': {PAPERS}, found `210`"),
        ("pdf s --paper=", f"'--paper': {PAPERS}, found nothing"),
        ("pdf s --paper 9x100", f"'--paper': {SIDES} `9x100`"),
        ("pdf s --paper 100x2001", f"'--paper': {SIDES} `100x2001`"),
        ("pdf s --paper=-210x297", f"'--paper': {SIDES} `-210x297`"),
        ("pdf s --paper widexhigh", "'--paper': expected a length such as 3, 3mm, 8pt or 2.5in, found `wide`"),
        ("pdf s --flip side", "'--flip': expected `long-edge` or `short-edge`, found `side`"),
        ("png s --dpi 71", f"{DPI} `71`"),
        ("png s --dpi 1201", f"{DPI} `1201`"),
        ("png s --dpi nan", "'--dpi': 'nan' is not a number"),
        ("png s --dpi high", f"{DPI} `high`"),
        ("png s --dpi 300,5", f"{DPI} `300,5`: write `300.5`, with a point"),
        ("png s --workers 0", "'--workers': expected a whole number from 1 to 256, found `0`"),
        ("png s --bleed=-0.1", "'--bleed': expected 0 to 5 mm, found `-0.1`"),
        ("png s --bleed 5.1", "'--bleed': expected 0 to 5 mm, found `5.1`"),
        ("png s --bleed nan", "'--bleed': expected 0 to 5 mm, found `nan`"),
        ("png s --bleed 2,5", "'--bleed': expected 0 to 5 mm, found `2,5`: write `2.5`, with a point"),
        ("check s --format xml", f"{FORMATS} `xml`"),
        ("check s --format jsno", f"{FORMATS} `jsno`: did you mean `json`?"),
    ],
)
def test_a_value_that_cannot_be_is_wrong_usage_and_nothing_is_made(line: str, said: str) -> None:
    a_set("s")
    assert refusal(kotc(*line.split())) == f"Invalid value for {said}"
    assert files() == []


def test_a_folder_within_a_set() -> None:
    a_set("s")
    Path("s/art").mkdir()
    assert kotc("build", "s/art").stderr == (
        "error: there is no set in `s/art`: neither the folder nor a subfolder has a `set.yaml` [S020]\n"
        "  hint: it lies in the set `s`: give that one\n"
        "1 error\n"
    )


def test_a_path_in_the_home_folder_that_the_shell_left_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    a_set(str(home / "s"))
    assert kotc("png", "~/s", "--out=~/pictures").exit_code == 0
    assert (home / "pictures/storm.png").is_file()
    assert not Path("~").exists()


@pytest.mark.parametrize(("other", "both"), [("Two", "`One` and `Two` both have"), ("One", "both have")])
def test_two_sets_with_the_same_card_into_one_folder(other: str, both: str) -> None:
    a_set("one", name="One")
    a_set("two", name=other)
    said = refusal(kotc("png", "one", "two", "--out", "all"))
    assert f"{both} a card `storm`: write each set into its own folder" in said
    assert files() == []


def test_two_sets_with_different_cards_share_a_folder() -> None:
    a_set("one", name="One")
    a_set("two", f"- {{name: Rain, {MINION}}}\n", name="Two")
    result = kotc("png", "one", "two", "--out", "all", "--dpi", "72")
    assert (result.exit_code, result.stderr) == (0, "One: 1 PNG in all\nTwo: 1 PNG in all\n")
    assert files() == ["all/rain.png", "all/storm.png"]


@pytest.mark.parametrize("command", ["png", "pdf", "build"])
def test_two_sets_whose_folders_have_one_name_do_not_overwrite_each_other(command: str) -> None:
    a_set("mine/starter", name="Mine")
    a_set("yours/starter", name="Yours")
    assert "starter" in refusal(kotc(command, "mine/starter", "yours/starter"))
    assert files() == []


# --- wrong usage: sheets ---


@pytest.mark.parametrize(("sheet", "flag"), [("{paper: letter}", "--paper"), ("{flip: short-edge}", "--flip")])
def test_sets_that_ask_for_different_sheets_in_one_file(sheet: str, flag: str) -> None:
    a_set("one")
    a_set("two", sheet=sheet)
    said = refusal(kotc("pdf", "one", "two", "--out", "all.pdf"))
    assert said == f"the sets ask for different sheets: choose with `{flag}`"
    assert files() == []


def test_sets_that_ask_for_different_sheets_agree_on_what_is_chosen() -> None:
    a_set("one", name="One")
    a_set("two", name="Two", sheet="{paper: letter, flip: short-edge}")
    result = kotc("pdf", "one", "two", "--out", "all.pdf", "--paper", "a4", "--flip", "long-edge")
    assert (result.exit_code, result.stderr) == (
        0,
        "One, Two: 1 sheet in all.pdf\n  print at 100 % (actual size), both sides, flipped on the long edge\n"
        "  2 cards, 9 on a sheet of A4\n",
    )


def test_a_paper_that_is_too_small_for_a_card() -> None:
    a_set("s")
    assert refusal(kotc("pdf", "s", "--paper", "73x99")) == TOO_SMALL
    assert files() == []


@pytest.mark.parametrize("command", ["pdf", "build"])
def test_a_set_whose_paper_is_too_small_for_a_card(command: str) -> None:
    a_set("s", sheet="{paper: 73x99}")
    result = kotc(command, "s")
    assert result.exit_code in (1, 2)
    assert TOO_SMALL in result.output
    assert files() == []


@pytest.mark.parametrize("chosen", [(), ("--card", "rain")])
def test_no_copies_to_print(chosen: tuple[str, ...]) -> None:
    rain = f"- {{name: Rain, {MINION}, copies: 0}}\n"
    a_set("s", STORM + rain if chosen else rain)
    assert refusal(kotc("pdf", "s", *chosen)) == "Test: every card has `copies: 0`, so there is nothing to print"


def test_one_of_two_sets_without_copies_to_print_writes_nothing() -> None:
    a_set("one", name="One")
    a_set("two", f"- {{name: Rain, {MINION}, copies: 0}}\n", name="Two")
    assert refusal(kotc("pdf", "one", "two")) == "Two: every card has `copies: 0`, so there is nothing to print"
    assert files() == []


def test_a_build_without_copies_to_print_makes_no_sheets() -> None:
    a_set("s", f"- {{name: Rain, {MINION}, copies: 0}}\n")
    assert kotc("build", "s").exit_code == 0
    assert "out/s/png/rain.png" in files()
    assert "out/s/sheets.pdf" not in files()


def test_ranges_and_numbers_in_help_are_words() -> None:
    assert "  --dpi N  " in kotc("png", "--help").stdout
    assert "72 to 1200" in kotc("png", "--help").stdout


@pytest.mark.parametrize("bleed", ["2", "2mm", "0.2cm"])
def test_a_bleed_is_a_length_as_for_sheets(bleed: str) -> None:
    a_set("s")
    assert kotc("png", "s", "--bleed", bleed, "--dpi", "72", "--out", "out").exit_code == 0
    with Image.open("out/storm.png") as image:
        assert image.size == (191, 263)  # 67.5 x 92.9 mm


# --- a disk that does not play along ---


@pytest.mark.parametrize(("command", "where"), [("png", "out/s/png"), ("pdf", "out/s")])
def test_a_file_in_the_place_of_the_usual_folder(command: str, where: str) -> None:
    a_set("s")
    Path("out").write_text("mine")
    result = kotc(command, "s")
    assert (result.exit_code, result.stdout) == (3, "")
    said = f"error: cannot use `{where}`: not a directory [E001]\n"
    assert result.stderr == ("1 PNG of 1 could not be made\n" if command == "png" else "") + said
    assert Path("out").read_text() == "mine"


@pytest.mark.parametrize(
    ("command", "file"), [("png", "png/storm.png"), ("pdf", "sheets.pdf"), ("build", "sheets.pdf")]
)
def test_a_folder_in_the_place_of_a_file(command: str, file: str) -> None:
    a_set("s")
    Path("out/s", file).mkdir(parents=True)
    result = kotc(command, "s")
    assert (result.exit_code, result.stdout) == (3, "")
    said = f"error: cannot use `out/s/{file}`: is a directory [E001]\n"
    assert result.stderr == ("1 PNG of 1 could not be made\n" if command == "png" else "") + said


@not_as_superuser
@pytest.mark.parametrize("command", ["png", "pdf", "build"])
def test_a_folder_that_may_not_be_written(command: str) -> None:
    a_set("s")
    Path("out").mkdir(mode=0o500)
    result = kotc(command, "s")
    said = "error: cannot use `out/s`: permission denied; let your account write there: `chmod u+rwx out` [E001]\n"
    counted = "1 PNG of 1 could not be made\n" if command == "png" else ""
    assert (result.exit_code, result.stdout, result.stderr) == (3, "", counted + said)


# --- check and its formats ---

MISTAKES = """
    - name: Storm
      kind: minyon
      level: 1
    - {name: "100%, off", kind: tip, text: A 猫.}
"""
COARSE = f"- {{name: Storm, {MINION}, art: a.png}}\n"


def a_coarse_set(folder: str) -> None:
    a_set(folder, COARSE)
    Image.new("L", (300, 190)).save(f"{folder}/a.png")


SOUND = "1 card checked: nothing to report\n"


@pytest.mark.parametrize(("form", "shown"), [("text", ("", SOUND)), ("json", ("[]\n", SOUND)), ("github", ("", SOUND))])
def test_a_sound_set(form: str, shown: tuple[str, str]) -> None:
    a_set("s")
    result = kotc("check", "s", "--format", form)
    assert (result.exit_code, (result.stdout, result.stderr)) == (0, shown)


def test_without_a_path_the_sets_in_the_folder_cards_are_checked() -> None:
    a_set("cards/one")
    a_set("cards/two", STORM + f"- {{name: Rain, {MINION}}}\n")
    assert kotc("check").stderr == "3 cards checked: nothing to report\n"


def test_a_set_with_errors() -> None:
    a_set("s", MISTAKES)
    result = kotc("check", "s")
    assert (result.exit_code, result.stderr) == (1, "2 errors\n")
    assert result.stdout == (
        words("""
        s/cards.yaml:3:9: error: expected `minion`, `spell`, `creature`, `pawn` or `tip`, found `minyon` [C007]
          3 |   kind: minyon
            |         ^^^^^^
          hint: did you mean `minion`?
        s/cards.yaml:5:42: error: no bundled font has `猫` (U+732B), in `text` of `100-off` [C017]
          5 | - {name: "100%, off", kind: tip, text: A 猫.}
            |                                          ^^
          hint: write it with other characters
        """)
        + "\n"
    )


def test_a_set_with_only_warnings_is_a_sound_set() -> None:
    a_coarse_set("s")
    result = kotc("check", "s")
    assert (result.exit_code, result.stderr) == (0, "1 card checked: 1 warning\n")
    assert result.stdout.startswith(
        "s/cards.yaml:1:60: warning: the picture `a.png` has only 135 dpi at its printed size"
    )


@pytest.mark.parametrize("command", ["png", "pdf", "build"])
def test_warnings_are_said_and_keep_nothing_from_being_written(command: str) -> None:
    a_coarse_set("s")
    result = kotc(command, "s")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "warning: the picture `a.png` has only 135 dpi" in result.stderr
    assert files() != []


def test_json_is_a_list_of_objects_with_lines_and_columns_from_1() -> None:
    a_set("s", MISTAKES)
    result = kotc("check", "s", "--format", "json")
    assert (result.exit_code, result.stderr) == (1, "2 errors\n")
    assert json.loads(result.stdout) == [
        {
            "code": "C007",
            "severity": "error",
            "message": "expected `minion`, `spell`, `creature`, `pawn` or `tip`, found `minyon`",
            "file": "s/cards.yaml",
            "line": 3,
            "column": 9,
            "card": "storm",
            "field": "kind",
            "hint": "did you mean `minion`?",
            "end_line": 3,
            "end_column": 15,
        },
        {
            "code": "C017",
            "severity": "error",
            "message": "no bundled font has `猫` (U+732B), in `text` of `100-off`",
            "file": "s/cards.yaml",
            "line": 5,
            "column": 42,
            "card": "100-off",
            "field": "text",
            "hint": "write it with other characters",
            "end_line": 5,
            "end_column": 43,
        },
    ]


def test_programs_are_told_of_a_path_that_does_not_exist_in_their_format() -> None:
    result = kotc("check", "gone.yaml", "other", "--format", "json")
    assert [each["message"] for each in json.loads(result.stdout)] == [
        "there is no `gone.yaml`",
        "there is no `other`",
    ]
    assert (result.exit_code, result.stderr) == (2, "")
    result = kotc("check", "gone.yaml", "--format", "github")
    assert (result.exit_code, result.stdout[:8], result.stderr) == (2, "::error ", "")


def test_the_first_line_and_column_are_1_in_json() -> None:
    write_set(Path("s"), STORM, "nmae: Test\nedition: 17\n")
    first = json.loads(kotc("check", "s", "--format", "json").stdout)[0]
    assert (first["code"], first["file"], first["line"], first["column"]) == ("S002", "s/set.yaml", 1, 1)


def test_json_of_what_has_no_place_has_nulls() -> None:
    Path("s").mkdir()
    assert json.loads(kotc("check", "s", "--format", "json").stdout) == [
        {
            "code": "S020",
            "severity": "error",
            "message": "there is no set in `s`: neither the folder nor a subfolder has a `set.yaml`",
            "file": None,
            "line": None,
            "column": None,
            "card": None,
            "field": None,
            "hint": "`kotc init s` makes one there",
            "end_line": None,
            "end_column": None,
        }
    ]


def test_json_of_a_warning() -> None:
    a_coarse_set("s")
    result = kotc("check", "s", "--format", "json")
    (finding,) = json.loads(result.stdout)
    assert (result.exit_code, finding["severity"], finding["field"]) == (0, "warning", "art.file")


def test_github_shows_each_finding_on_a_line_of_its_own() -> None:
    a_set("s", MISTAKES)
    result = kotc("check", "s", "--format", "github")
    assert (result.exit_code, result.stderr) == (1, "2 errors\n")
    assert result.stdout.split("\n") == [
        "::error file=s/cards.yaml,line=3,col=9,title=C007::"
        "expected `minion`, `spell`, `creature`, `pawn` or `tip`, found `minyon`; did you mean `minion`?",
        "::error file=s/cards.yaml,line=5,col=42,title=C017::"
        "no bundled font has `猫` (U+732B), in `text` of `100-off`; write it with other characters",
        "",
    ]


def test_github_is_told_of_a_warning_as_a_warning() -> None:
    a_coarse_set("s")
    said = kotc("check", "s", "--format", "github").stdout
    assert said.startswith("::warning file=s/cards.yaml,line=1,col=60,title=A011::the picture `a.png` has only 135 dpi")


def test_what_github_reserves_is_escaped() -> None:
    a_set("a,b: 100%", "{name: A, kind: tip, text: 5%, x: 1}")
    said = kotc("check", "a,b: 100%", "--format", "github").stdout
    assert said.startswith("::error file=a%2Cb%3A 100%25/cards.yaml,line=1,col=32,title=C002::unknown key `x`; ")


# --- what is made, and what is said of it ---


def test_png_draws_the_chosen_cards() -> None:
    a_set("s", STORM + f"- {{name: Rain, {MINION}}}\n- {{name: Hail, {MINION}}}\n")
    result = kotc("png", "s", "--card", "rain", "--card", "hail", "--dpi", "72")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "Test: 2 PNGs in out/s/png\n")
    assert files() == ["out/s/png/hail.png", "out/s/png/rain.png"]


def test_pdf_makes_a_file_for_each_set_and_says_how_to_print_it() -> None:
    a_set("one", name="One")
    a_set("two", STORM.replace("hp: 1", "hp: 1, copies: 10"), name="Two", sheet="{flip: short-edge}")
    result = kotc("pdf", "one", "two")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == (
        "One: 1 sheet in out/one/sheets.pdf\n"
        "  print at 100 % (actual size), both sides, flipped on the long edge\n"
        "  1 card, 9 on a sheet of A4\n"
        "Two: 2 sheets in out/two/sheets.pdf\n"
        "  print at 100 % (actual size), both sides, flipped on the short edge\n"
        "  10 cards, 9 on a sheet of A4\n"
    )
    assert [len(pypdfium2.PdfDocument(file)) for file in files()] == [2, 4]


def test_errors_of_one_set_keep_the_others_from_being_written() -> None:
    a_set("one", name="One")
    a_set("two", MISTAKES, name="Two")
    result = kotc("build", "one", "two")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.endswith("\n2 errors\n")
    assert files() == []


# --- help ---


def test_the_help_names_every_command_in_its_group() -> None:
    result = kotc("--help")
    assert result.exit_code == 0
    parts = dict(part.split(":\n", 1) for part in result.stdout.split("\n\n") if ":\n" in part)
    named = {title: re.findall(r"^  (\w+)  ", parts[title], re.MULTILINE) for title in groups()}
    assert named == {title: [*group] for title, group in groups().items()}
    assert sorted(name for names in named.values() for name in names) == sorted(COMMANDS)


def test_the_list_of_commands_has_every_line_whole() -> None:
    said = kotc("--help").stdout
    assert [words for _, words in commands().values() if words not in said] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_names_every_option(command: str) -> None:
    result = kotc(command, "--help")
    assert (result.exit_code, result.stderr) == (0, "")
    options = [each for each in command_called(command).params if isinstance(each, click.Option)]
    assert [name for option in options for name in option.opts if name not in result.stdout] == []


def test_help_can_be_asked_for_with_one_letter() -> None:
    """In a process of its own: click keeps the flags of a command's help as they were when it was first run."""
    code = "from tests.support.sets import kotc\nimport sys\n"
    code += "sys.exit(any(kotc(name, '-h').stdout != kotc(name, '--help').stdout for name in sys.argv[1:]))"
    root = Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", code, *COMMANDS], cwd=root, check=False).returncode == 0


def test_the_version() -> None:
    result = kotc("--version")
    assert (result.exit_code, result.stdout) == (0, f"kotc, version {__version__}\n")


def test_a_command_is_found_by_its_earlier_name_which_says_the_new_one() -> None:
    a_set("s")
    today, earlier = (kotc(name, "s", "--to", "17") for name in ("upgrade", "rebuild"))
    assert today.stderr.endswith("nothing to migrate; `kotc build` updates the outputs\n")
    said = "`kotc rebuild` is called `kotc upgrade` now; the old name goes on working\n"
    assert (earlier.exit_code, earlier.stdout, earlier.stderr) == (0, today.stdout, said + today.stderr)


def test_a_command_that_there_is_not() -> None:
    assert refusal(kotc("shuffle")) == "there is no command `shuffle`: `kotc --help` lists the commands"
    assert refusal(kotc("print")) == "there is no command `print`: did you mean `pdf`?"
    assert refusal(kotc("chek")) == "there is no command `chek`: did you mean `check`?"
    assert refusal(kotc("explian")) == "there is no command `explian`: did you mean `explain`?"
    assert refusal(kotc("help", "chek")) == "there is no command `chek`: did you mean `check`?"


def test_help_is_a_command_too() -> None:
    assert kotc("help").output == kotc("--help").output == kotc("-h").output
    assert kotc("help", "png").output == kotc("png", "--help").output
    assert kotc("help", "edition", "diff").output == kotc("edition", "diff", "-h").output


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("build --dpi 300", "`--dpi` is an option of `kotc png` and `kotc site`, not of `kotc build`"),
        ("check --copies=each", "`--copies` is an option of `kotc shop`, not of `kotc check`"),
        ("build --langauge de", "there is no option `--langauge`: did you mean `--language`?"),
        ("build --output here", "there is no option `--output`: `kotc build` calls it `--out`"),
        ("png --jobs 2", "there is no option `--jobs`: `kotc png` calls it `--workers`"),
        ("pdf --orient portrait", "there is no option `--orient`: did you mean `--orientation`?"),
        ("png --force", "`--force` is an option of `kotc build` and `kotc export`, not of `kotc png`"),
        ("pdf --fork", "there is no option `--fork`: `kotc pdf --help` lists those of this command"),
        ("check -z", "there is no option `-z`: `kotc check --help` lists those of this command"),
        ("check -o x", "`-o` is an option of"),
    ],
)
def test_an_option_that_the_command_does_not_have(line: str, said: str) -> None:
    assert refusal(kotc(*line.split())).startswith(said)
