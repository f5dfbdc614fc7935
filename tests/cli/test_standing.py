"""Which set a command means without a path, and where its outputs go: it depends on where the user stands."""

from pathlib import Path

import pytest

from tests.support.sets import SET, kotc, write_set
from tests.support.templates import with_plain_back

CARD = "- {name: Wolf, kind: minion, level: 2, sp: 1, hp: 1}\n"
DRAWING = ("check", "png", "pdf", "build", "explain", "balance")


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with two sets in `cards`, and one beside them."""
    for name in ("cards/mine", "cards/yours", "alone"):
        with_plain_back(write_set(tmp_path / name, CARD, f"{SET}outputs: {{png: {{dpi: 72}}, sheets: true}}\n"))
    (tmp_path / "alone/art/sketches").mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize("command", DRAWING)
@pytest.mark.parametrize("place", ["alone", "alone/art", "alone/art/sketches"])
def test_in_the_folder_of_a_set_and_below_every_command_needs_no_path(
    here: Path, monkeypatch: pytest.MonkeyPatch, command: str, place: str
) -> None:
    monkeypatch.chdir(here / place)
    assert kotc(command).exit_code == 0


@pytest.mark.parametrize(
    ("place", "command", "made"),
    [
        (".", "png", "out/mine/png/wolf.png"),
        ("alone", "png", "alone/out/alone/png/wolf.png"),
        ("alone/art", "png", "alone/out/alone/png/wolf.png"),
        ("alone/art/sketches", "pdf", "alone/out/alone/sheets.pdf"),
        ("alone/art/sketches", "build", "alone/out/alone/sheets.pdf"),
    ],
)
def test_outputs_go_to_out_where_one_stands_or_in_the_folder_of_the_set_around(
    here: Path, monkeypatch: pytest.MonkeyPatch, place: str, command: str, made: str
) -> None:
    monkeypatch.chdir(here / place)
    assert kotc(command).exit_code == 0
    assert (here / made).is_file()
    assert {each.name for each in here.rglob("out")} == {"out"}
    assert len([*here.rglob("out")]) == 1


def test_the_set_in_whose_folder_one_stands_comes_before_a_folder_cards(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "alone/cards").mkdir()
    monkeypatch.chdir(here / "alone")
    assert kotc("check").stderr == "1 card checked: nothing to report\n"


def test_in_a_folder_of_sets_all_of_them_are_meant(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here / "cards")
    assert kotc("check").stderr == "2 cards checked: nothing to report\n"


def test_a_message_names_a_file_as_it_is_reached_from_here(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "alone/cards.yaml").write_text("- {name: Wolf, kind: minoin}\n", encoding="utf-8")
    monkeypatch.chdir(here / "alone/art/sketches")
    assert kotc("check").stdout.startswith("../../cards.yaml:1:22: error: ")


def test_cards_beside_sets_without_a_file_of_their_own_are_said(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "cards/mine/set.yaml").unlink()
    monkeypatch.chdir(here)
    for command in ("check", "build", "png", "pdf"):
        result = kotc(command)
        said = result.stdout + result.stderr
        assert "warning: `cards/mine` has card files but no `set.yaml`, and is ignored [P005]\n" in said


# --- `kotc` without a command ---------------------------------------------------------------------------------------


def test_without_a_command_kotc_names_the_set_and_what_comes_next(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here / "alone")
    result = kotc()
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "Test: 1 card here, not built yet\n"
        "next:\n"
        "  kotc preview  shows the cards while you edit them\n"
        "  kotc check    tells what is wrong or doubtful\n"
        "  kotc build    makes what the set asks for, in out\n"
        "kotc --help lists all commands\n"
    )


def test_without_a_command_kotc_tells_what_is_stale(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here)
    kotc("build", "cards/mine")
    assert kotc().stdout.startswith(
        "Test: 1 card in cards/mine, out/mine is up to date\nTest: 1 card in cards/yours, not built yet\nnext:\n"
    )
    (here / "cards/mine/cards.yaml").write_text(CARD.replace("Wolf", "Fox"), encoding="utf-8")
    assert kotc().stdout.startswith("Test: 1 card in cards/mine, changed since out/mine was built\n")


def test_without_a_command_kotc_tells_of_errors(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "alone/cards.yaml").write_text("- {name: Wolf, kind: minoin}\n", encoding="utf-8")
    monkeypatch.chdir(here / "alone/art")
    assert kotc().stdout == (
        "Test: 1 error in ..\n"
        "next:\n"
        "  kotc check  shows the errors and how to mend them\n"
        "kotc --help lists all commands\n"
    )


def test_where_no_set_is_found_kotc_says_where_it_looked_and_how_to_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = kotc()
    assert (result.exit_code, result.stdout) == (
        0,
        "found no set: no `set.yaml` here or in a folder above, and no folder `cards` here\n"
        "to begin:\n"
        "  kotc init  makes a set with three cards and their pictures\n"
        "kotc --help lists all commands\n",
    )


def test_a_folder_cards_without_a_set_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cards").mkdir()
    monkeypatch.chdir(tmp_path)
    assert kotc().stdout.startswith("found no set in cards: no folder in it has a `set.yaml`\nto begin:\n")
