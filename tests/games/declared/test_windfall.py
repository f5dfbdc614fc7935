"""The set of pairs in `cards/windfall`, the example to copy: thirty lines, and a game that is whole."""

import shutil
from pathlib import Path

import pytest

from tests.support.repository import ROOT
from tests.support.sets import kotc

WINDFALL = ROOT / "cards" / "windfall"
DECK = "name: Four\ngame: windfall\nsets: [windfall]\ncards: {apple: 2, kite: 2, moon: 2, boot: 2}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with the set, and with a deck of four pairs."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(WINDFALL, "windfall")
    Path("four.yaml").write_text(DECK, encoding="utf-8")


def test_it_is_about_thirty_lines_and_one_template() -> None:
    lines = [line for file in WINDFALL.glob("*.yaml") for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(lines) <= 30
    assert [path.name for path in WINDFALL.glob("templates/*")] == ["thing.svg"]


def test_it_is_built_and_its_sheets_are_proved() -> None:
    assert kotc("check", "windfall", "--strict").output == "9 cards checked: nothing to report\n"
    assert kotc("build", "windfall").exit_code == 0
    assert len(list(Path("out/windfall/png").iterdir())) == 9
    sheets = [str(path) for path in sorted(Path("out/windfall").glob("sheets*.pdf"))]
    proved = kotc("verify", *sheets, "--set", "windfall")
    assert "18 cards" in proved.output
    assert "all right" in proved.output


def test_four_of_its_pairs_are_a_deck_and_three_of_a_card_are_not() -> None:
    assert kotc("check", "four.yaml").output == "4 cards checked: nothing to report\n"
    deck = Path("four.yaml")
    deck.write_text(deck.read_text(encoding="utf-8").replace("kite: 2", "kite: 3"), encoding="utf-8")
    assert "a deck of Pairs has a card at most 2 times, found 3 [M043]" in kotc("check", "four.yaml").output
