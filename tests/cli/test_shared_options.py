"""Options of several commands: `-q`, `-o`, `-j`, `--list`, and all others, have one meaning; and `build --force`."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from render.cli.main import command as command_named
from render.cli.main import commands
from tests.support.builds import rewritten, times, tree
from tests.support.sets import kotc, write_set
from tests.support.templates import with_plain_back

WOLF = "- {name: Wolf, kind: minion, level: 1, sp: 1, hp: 0}\n"
WRONG_LEVEL = "- {name: Wolf, kind: minion, level: 3, sp: 1, hp: 0}\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with_plain_back(write_set(Path("s"), WOLF))


def every_command() -> Iterator[tuple[str, click.Command]]:
    for name in sorted(commands()):
        command = command_named(name)
        if isinstance(command, click.Group):
            yield from ((f"{name} {each}", below) for each, below in sorted(command.commands.items()))
        else:
            yield name, command


COMMANDS = dict(every_command())


@pytest.mark.parametrize(("short", "long"), [("-q", "--quiet"), ("-o", "--out"), ("-j", "--workers")])
def test_a_letter_stands_for_one_option_in_every_command(short: str, long: str) -> None:
    pairs = {(short in option.opts, long in option.opts) for each in COMMANDS.values() for option in each.params}
    assert pairs == {(True, True), (False, False)}


def test_every_command_can_be_quiet() -> None:
    assert [each.name for each in COMMANDS.values() if not any("-q" in option.opts for option in each.params)] == []


# --- quiet ---


@pytest.mark.parametrize("line", ["check s", "build s", "png s", "pdf s", "cut s", "table s --for folder"])
def test_who_is_quiet_says_nothing_of_what_went_well(line: str) -> None:
    result = kotc(*line.split(), "-q")
    assert (result.exit_code, result.stderr) == (0, "")


def test_who_is_quiet_still_gives_results() -> None:
    assert kotc("explain", "wolf", "s", "-q").stdout == kotc("explain", "wolf", "s").stdout != ""
    assert kotc("check", "s", "-q", "--format", "json").stdout == "[]\n"


def test_who_is_quiet_says_errors_and_no_warnings() -> None:
    write_set(Path("s"), WRONG_LEVEL + "- {name: Ant, kind: minoin, level: 1, sp: 1, hp: 0}\n")
    result = kotc("build", "s", "-q")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "error: expected `minion`" in result.stderr
    assert "warning" not in result.stderr
    assert not result.stderr.endswith("1 error\n")


def test_what_strict_stops_at_is_said_however_quiet_one_is() -> None:
    write_set(Path("s"), WOLF + "- {name: Ant, kind: minion, level: 1, sp: 1, hp: 0, text: 'PET: Gain 1 star.'}\n")
    loud, quiet = kotc("check", "s", "--strict"), kotc("check", "s", "--strict", "-q")
    assert (loud.exit_code, quiet.exit_code, quiet.stderr) == (1, 1, "")
    assert quiet.stdout == loud.stdout != ""


# --- lists ---


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ("png --list", "card sizes (--card-size):\n  poker     63.5 x 88.9 mm\n  standard  63 x 88 mm\n"),
        *(
            ("png --list", f"{title}:\n")
            for title in ("kinds (--blank)", "editions (--edition)", "languages (--language)")
        ),
        ("pdf --list", "  letter   215.9 x 279.4 mm"),
        ("pdf --list", "  x-4   PDF/X-4"),
        ("pdf --list", "  none yet; `kotc calibrate` measures yours"),
        ("preflight --list", "  drivethrucards"),
        ("check --list", "  17  "),
        ("edition --list", " 17th Edition  "),
        ("shop --list", "makeplayingcards"),
        ("init --list", "  kotc  the default"),
        ("--list", "  letter   215.9 x 279.4 mm"),
        ("--list", "shops:"),
    ],
)
def test_lists_have_what_is_there(line: str, row: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOTC_CONFIG", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    result = kotc(*line.split())
    assert result.exit_code == 0
    assert f"\n{row}" in f"\n{result.stdout}"


def test_the_editions_are_listed_in_both_ways() -> None:
    assert kotc("edition", "--list").stdout == kotc("edition", "list").stdout


# --- what is not there ---


@pytest.mark.parametrize(
    "line",
    [
        "check no", "build no", "png no", "pdf no", "cut no", "shop makeplayingcards no", "table no --for folder",
        "watch no", "preview no", "verify no", "preflight no --as x-4", "deck no", "balance no", "explain ./no",
        "suggest --fit a no", "migrate no", "upgrade no", "import no --to x", "edition import no",
        "edition diff 16 17 no",
    ],
)  # fmt: skip
def test_a_path_that_does_not_exist_is_wrong_usage_in_every_command(line: str) -> None:
    result = kotc(*line.split())
    assert result.exit_code == 2
    assert "no`" in result.stderr or "no'" in result.stderr
    assert "not exist" in result.stderr


# --- build --force ---


def test_build_force_makes_everything_again_and_the_same() -> None:
    kotc("build", "s")
    before, first = times(Path("out")), tree(Path("out"))
    assert "(0 written, 2 unchanged)" in kotc("build", "s").stderr
    result = kotc("build", "s", "--force", "--explain")
    said = "png/wolf.png: --force\nsheets.pdf: --force\nTest: 1 PNG and 1 sheet in out/s (2 written, 0 unchanged)\n"
    assert (result.exit_code, result.stderr[: len(said)]) == (0, said)
    assert rewritten(before, Path("out")) == {"s/png/wolf.png", "s/sheets.pdf", "s/.kotc.json"}
    assert tree(Path("out")) == first


def test_build_force_removes_what_is_no_longer_asked_for_and_nothing_of_others() -> None:
    kotc("build", "s")
    Path("out/s/png/mine.png").write_bytes(b"mine")
    write_set(Path("s"), WOLF.replace("Wolf", "Fox"))
    assert "(2 written, 0 unchanged, 1 removed)" in kotc("build", "s", "--force").stderr
    assert sorted(path.name for path in Path("out/s/png").iterdir()) == ["fox.png", "mine.png"]


def test_a_dry_run_of_build_force_changes_nothing() -> None:
    kotc("build", "s")
    before = times(Path("out"))
    assert "2 outputs would be made" in kotc("build", "s", "--force", "--dry-run").stderr
    assert rewritten(before, Path("out")) == set()


# --- what need not be given ---


def test_tables_and_cuts_go_to_the_usual_folder() -> None:
    assert kotc("table", "s", "--for", "folder").exit_code == 0
    assert kotc("cut", "s").exit_code == 0
    assert kotc("cut", "s", "--format", "dxf").exit_code == 0
    made = {path.relative_to("out").as_posix() for path in Path("out").rglob("*") if path.is_file()}
    assert made == {"s/folder/wolf.png", "s/folder/backs/1.png", "s/folder/cards.csv", "s/cuts.svg", "s/cuts.dxf"}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("table s", "--for is missing: give `--for tabletop-simulator` for that game, or `--for folder`"),
        ("preflight s/set.yaml", "--as is missing: by whose rules? There are x-1a, x-4, a-2b, "),
        ("import s/set.yaml", "--to is missing: give the folder of a set, which is made if it does not exist"),
    ],
)
def test_what_has_to_be_given_says_what_to_give(line: str, said: str) -> None:
    result = kotc(*line.split())
    assert result.exit_code == 2
    assert f"Error: {said}" in result.stderr


def test_sets_go_to_the_newest_edition_unless_another_is_asked_for() -> None:
    result = kotc("migrate", "s", "--dry-run")
    assert result.stderr.startswith("to the 17th Edition, the newest one here; --to chooses another\n")


def test_a_standard_has_one_name_whether_for_sheets_or_for_a_shop() -> None:
    assert kotc("pdf", "s", "--standard", "pdf-x4", "--bleed", "3").exit_code == 0
    by_one, by_other = kotc("shop", "x-4", "s"), kotc("shop", "pdf-x4", "s")
    assert (by_one.exit_code, by_one.stderr) == (by_other.exit_code, by_other.stderr)
    assert "out/s/pdf-x4" in by_one.stderr


# --- the same type and the same words ---

# Where an option means another thing than in the other commands, the thing is named.
OTHER = {
    "--by": {"balance": "any value of cards"},
    "--cards": {"box": "how many a box holds"},
    "--dry-run": {"import": "card files and pictures", "pull": "tables", "migrate": "card files", "upgrade": "card files and outputs"},
    "--format": {
        "cut": "a format of drawings", "explain": "not for GitHub", "migrate": "not for GitHub", "upgrade": "not for GitHub", "edition diff": "not for GitHub",
        "suggest": "cards to paste", "compare": "for a pull request",
        "balance": "for a spreadsheet",
        "effects": "not for GitHub",
    },
    "--edition": {"check": "the rules that judge", "suggest": "edition of new cards", "init": "edition of new cards",
                  "effects": "the rules to list",
                  "schema": "edition of cards that name none"},
    "--game": {"schema": "the game of cards to come"},
    "--kind": {"effects": "kinds of components", "suggest": "the kind of new cards"},
    "--language": {"effects": "of the words to list"},
    "--list": {"shop": "shops", "calibrate": "printers", "schema": "schemas", "table": "tables"},
    "--out": {
        "build": "also an address",
        "png": "PNGs", "pdf": "sheets", "calibrate": "a calibration sheet", "cut": "cuts", "shop": "files for others",
        "box": "a box", "dividers": "dividers", "table": "files for tables", "schema": "schemas", "compare": "a page", "site": "a site", "edition import": "rules",
    },
    "--paper": {"init": "a word for set.yaml"},
    "--page": {"balance": "figures", "effects": "the same list"},
    "--printer": {"calibrate": "a new name"},
    "--push": {"shop": "to an account", "table": "to a running game"},
    "--scheduler": {"pdf": "of workers that see the set"},
    "--force": {"export": "writes over a file"},
    "--to": {"export": "a file", "import": "the folder of a set", "new": "a set or a card file"},
    "--url": {"site": "of pages"},
    "--strict": {"preflight": "nothing of a game's rules"},
}  # fmt: skip


OPTIONS = sorted({flag for each in COMMANDS.values() for one in each.params for flag in one.opts if flag[:2] == "--"})


def with_option(flag: str) -> dict[str, click.Option]:
    """Return the option of that flag in each command that has it."""
    return {
        name: one
        for name, command in COMMANDS.items()
        for one in command.params
        if isinstance(one, click.Option) and flag in one.opts
    }


def look(option: click.Option) -> tuple[object, ...]:
    """Return the type and the words of an option; a default is what each command has."""
    limits = {key: getattr(option.type, key, None) for key in ("choices", "min", "max", "dir_okay", "file_okay")}
    words = re.sub(r"  \[default: .*\]$", "", option.help or "")
    return type(option.type), limits, option.metavar, option.is_flag, option.multiple, words


@pytest.mark.parametrize("flag", OPTIONS)
def test_what_means_the_same_has_the_same_type_and_words(flag: str) -> None:
    meanings: dict[str, list[object]] = {}
    for name, option in with_option(flag).items():
        meanings.setdefault(OTHER.get(flag, {}).get(name, ""), []).append(look(option))
    for meaning, all_said in meanings.items():
        assert all(each == all_said[0] for each in all_said), meaning
    assert len({repr(all_said[0]) for all_said in meanings.values()}) == len(meanings)


@pytest.mark.parametrize("flag", OPTIONS)
def test_a_flag_of_sheets_has_one_default(flag: str) -> None:
    """What no command and no set asks for is the same everywhere."""
    found = with_option(flag)
    if flag == "--paper":
        assert "[default" not in str(found.pop("calibrate").help)  # it is to be given
        assert "[default: what your country uses]" in str(found.pop("init").help)
    if "pdf" in found and (flag not in OTHER or flag == "--paper"):
        assert len({option.help for option in found.values()}) == 1


@pytest.mark.parametrize("name", [name for name in COMMANDS if with_option("--bleed").get(name)])
@pytest.mark.parametrize("length", ["3", "3mm", "3 mm", "0.3cm"])
def test_a_bleed_is_written_alike_in_every_command(name: str, length: str) -> None:
    context = click.Context(COMMANDS[name])
    option = with_option("--bleed")[name]
    assert option.process_value(context, length) == pytest.approx(3.0)
