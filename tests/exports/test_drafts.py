"""Drafts: reported until somebody removes the key, and in no file for others unless that is asked for."""

import csv
from pathlib import Path

import pytest

from tests.support.sets import kotc, write_set
from tests.support.templates import with_plain_back

SET = "name: Mine\nedition: 17\noutputs: {png: {dpi: 72}, sheets: true, gallery: true, shops: [makeplayingcards]}\n"
CARDS = """
- {name: Ox, kind: spell, level: 2, draft: true, text: Draw 1 card.}
- {name: Fox, kind: spell, level: 2, draft: false, text: Draw 1 card.}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    with_plain_back(write_set(tmp_path / "mine", CARDS, SET))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ordered(folder: Path) -> list[str]:
    return [row["name"] for row in csv.DictReader((folder / "order.csv").read_text().splitlines())]


def test_check_reports_each_draft_and_nothing_else() -> None:
    result = kotc("check", "mine")
    assert result.exit_code == 0
    assert result.output.count("is a draft [C024]") == 1
    assert "`ox`" in result.output


def test_many_drafts_are_one_warning_for_people_and_one_each_for_programs(folder: Path) -> None:
    cards = "".join(CARDS.splitlines(keepends=True)[1].replace("Ox", f"Ox {number}") for number in range(5))
    (folder / "mine/cards.yaml").write_text(cards)
    said = kotc("check", "mine").output
    assert said.count("C024") == 1
    assert "mine/cards.yaml:1:" in said
    assert "5 cards are drafts: `ox-0`, `ox-1`, `ox-2` and 2 more [C024]" in said
    assert "5 cards checked: 5 warnings" in said
    assert kotc("check", "mine", "--format", "json").output.count('"C024"') == 5


def test_strict_stops_at_nothing_once_the_key_is_gone(folder: Path) -> None:
    (folder / "mine/cards.yaml").write_text(CARDS.replace("draft: true, ", ""))
    assert "C024" not in kotc("check", "mine").output


def test_a_build_has_drafts_on_sheets_at_home_and_in_nothing_for_others(folder: Path) -> None:
    assert kotc("build", "mine").exit_code == 0
    assert (folder / "out/mine/png/ox.png").exists()
    assert ordered(folder / "out/mine/makeplayingcards") == ["Fox"]
    assert "png/ox.png" not in (folder / "out/mine/gallery.html").read_text()
    assert kotc("verify", "out/mine/sheets.pdf", "--set", "mine").exit_code == 0
    assert kotc("verify", "out/mine/makeplayingcards", "--set", "mine").exit_code == 0


def test_drafts_are_built_for_others_while_they_are_asked_for(folder: Path) -> None:
    kotc("build", "mine")
    assert "with --drafts, for this build alone" in kotc("build", "mine", "--drafts").stderr
    assert ordered(folder / "out/mine/makeplayingcards") == ["Ox", "Fox"]
    assert "png/ox.png" in (folder / "out/mine/gallery.html").read_text()
    kotc("build", "mine")
    assert ordered(folder / "out/mine/makeplayingcards") == ["Fox"]


@pytest.mark.parametrize(
    ("command", "options"),
    [("shop", ["makeplayingcards"]), ("table", ["--for", "folder"]), ("table", ["--for", "tabletop-simulator"])],
)
def test_commands_for_others_leave_drafts_out_and_say_so(command: str, options: list[str]) -> None:
    without, with_them = (kotc(command, *options, "mine", *more, "-o", "to") for more in ([], ["--drafts"]))
    assert without.exit_code == with_them.exit_code == 0, without.stderr + with_them.stderr
    assert "left out as a draft: `ox`; --drafts uses them, too" in without.stderr
    assert "left out" not in with_them.stderr


def test_sheets_for_a_press_have_no_drafts_and_those_for_home_have() -> None:
    assert "left out as a draft" in kotc("pdf", "mine", "--standard", "x-4", "-o", "press.pdf").stderr
    assert "left out" not in kotc("pdf", "mine", "-o", "home.pdf").stderr
    for file in ("press.pdf", "home.pdf"):
        assert kotc("verify", file, "--set", "mine").exit_code == 0


def test_cuts_are_those_of_the_sheets(folder: Path) -> None:
    cuts = [
        kotc("cut", "mine", "--standard", "x-4", "--sheet", "1", *more, "-o", "cuts.svg") for more in ([], ["--drafts"])
    ]
    assert ["1 card of a sheet" in cuts[0].stderr, "2 cards of a sheet" in cuts[1].stderr] == [True, True]


def test_a_deck_for_a_table_has_no_drafts(folder: Path) -> None:
    (folder / "mine/set.yaml").write_text("name: Mine\n")
    (folder / "mine/game.yaml").write_text("name: Herds\nkinds: {beast: {back: none}}\n")
    (folder / "mine/beast.svg").write_text('<svg width="63.5" height="88.9"/>')
    (folder / "mine/cards.yaml").write_text("- {name: Ox, draft: true}\n- {name: Fox}\n")
    (folder / "deck.yaml").write_text("name: Deck\ngame: mine\nsets: mine\ncards: {ox: 2, fox: 1}\n")
    result = kotc("table", "--for", "folder", "deck.yaml", "-o", "to")
    assert result.exit_code == 0, result.output
    assert "left out as a draft: `ox`" in result.stderr
    assert [file.name for file in (folder / "to").glob("*.png")] == ["fox.png"]


def test_a_set_of_drafts_alone_has_nothing_for_others(folder: Path) -> None:
    (folder / "mine/cards.yaml").write_text(CARDS.replace("false", "true"))
    result = kotc("shop", "makeplayingcards", "mine")
    assert result.exit_code == 2
    assert "every card is a draft" in result.stderr
    assert "2 PNGs and 1 sheet in" in kotc("build", "mine").stderr
    assert not (folder / "out/mine/makeplayingcards").exists()


def test_a_game_in_yaml_has_drafts_unless_it_has_a_field_of_that_name(folder: Path) -> None:
    (folder / "mine/set.yaml").write_text("name: Mine\n")
    (folder / "mine/beast.svg").write_text('<svg width="63.5" height="88.9"/>')
    for fields, is_draft in (("{}", True), ("{draft: flag}", False)):
        (folder / "mine/game.yaml").write_text(f"name: Herds\nfields: {fields}\nkinds: {{beast: {{back: none}}}}\n")
        (folder / "mine/cards.yaml").write_text("- {name: Ox, draft: true}\n- {name: Fox}\n")
        result = kotc("check", "mine")
        assert result.exit_code == 0, result.output
        assert ("C024" in result.output) is is_draft
