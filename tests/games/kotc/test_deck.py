"""Deck files: what a deck has, how it is listed, and its sheets."""

import re
from pathlib import Path

import pypdfium2
import pytest
from click.testing import CliRunner, Result

from render.base.findings import has_errors
from render.game.cards import home_of
from render.games.kotc.commands.deck import deck
from render.games.kotc.deck import read
from tests.support.messages import words, write
from tests.support.pages import page
from tests.support.repository import ROOT

BASIC = """
    - {name: Ant, kind: minion, level: 1, sp: 1, hp: 0}
    - {name: Bear, kind: minion, level: 4, sp: 2, hp: 4}
    - {name: Dawn, kind: spell, level: 2, text: Draw 1 card.}
"""
ULTRA = """
    - {name: Ant, kind: minion, level: 3, sp: 3, hp: 0}
    - {name: Comet, kind: spell, level: 2, ultra_points: 2, text: 1-dice-wound enemy.}
"""
DECK = """
    name: Zoo
    edition: 17
    sets: [basic, more/ultra]
    cards: {basic/ant: 20, bear: 10, dawn: 8, comet: 2}
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with two sets and a deck of both."""
    monkeypatch.chdir(tmp_path)
    write(Path("basic"), {"set.yaml": "name: Basic\nedition: 17\n", "cards.yaml": BASIC})
    write(Path("more/ultra"), {"set.yaml": "name: Ultra\nedition: 17\n", "cards.yaml": ULTRA})
    write(Path(), {"zoo.yaml": DECK})


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(deck, arguments)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_a_deck_is_listed_by_level_with_its_sums() -> None:
    result = run("zoo.yaml")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.strip("\n") == words("""
        Zoo, a deck of the 17th Edition: 40 cards, 4 Ultra Points

        30 minions                 level  UP
         20  Ant                       1
         10  Bear                      4

        10 spells                  level  UP
          2  Comet                     2   2
          8  Dawn                      2

        level  1   20  ####################
        level  2   10  ##########
        level  3    0
        level  4   10  ##########
    """)


def test_cards_come_from_several_sets_by_id_or_by_folder_and_id() -> None:
    checked = read(Path("zoo.yaml"))
    assert [(home_of(each.card).name, each.card.id, each.count) for each in checked.deck.entries] == [
        ("basic", "ant", 20), ("basic", "bear", 10), ("basic", "dawn", 8), ("ultra", "comet", 2),
    ]  # fmt: skip
    assert checked.findings == ()


def test_a_list_of_cards_means_the_same_as_a_mapping() -> None:
    cards = "cards: [basic/ant: 20, bear: 10, dawn: 8, comet: 1, ultra/ant]"
    write(Path(), {"zoo.yaml": re.sub("cards: .*", cards, DECK)})
    counts = {each.line.card: each.count for each in read(Path("zoo.yaml")).deck.entries}
    assert counts == {"basic/ant": 20, "bear": 10, "dawn": 8, "comet": 1, "ultra/ant": 1}


def test_a_folder_of_sets_stands_for_all_of_them_and_one_set_needs_no_list() -> None:
    write(Path(), {"zoo.yaml": "name: Zoo\nedition: 17\nsets: more\ncards: {comet: 5, ant: 35}\n"})
    assert read(Path("zoo.yaml")).deck.ultra_points == 10


def test_sets_are_found_from_the_folder_of_the_deck_file() -> None:
    write(Path("decks"), {"zoo.yaml": DECK.replace("basic, more/ultra", "../basic, ../more/ultra")})
    assert read(Path("decks/zoo.yaml")).deck.size == 40


def test_an_old_deck_is_of_creatures_with_costs_and_without_ultra_points() -> None:
    old = "- {name: Wolf, kind: creature, cost: 3, offense: 2, defense: 2}\n"
    write(Path("old"), {"set.yaml": "name: Old\nedition: 10\n", "cards.yaml": old})
    write(Path(), {"old.yaml": "name: Pack\nedition: 10\nsets: old\ncards: {wolf: 40}\n"})
    assert run("old.yaml").stdout.strip("\n") == words("""
        Pack, a deck of the 10th Edition: 40 cards

        40 creatures                cost
         40  Wolf                      3

        cost  3   40  ########################################
    """)


def test_bars_of_many_cards_are_cut_down_to_fit() -> None:
    write(Path(), {"zoo.yaml": "name: Zoo\nedition: 17\nsets: basic\ncards: {ant: 300, bear: 1}\n"})
    lines = run("zoo.yaml").stdout.split("\n")
    assert lines[-5] == f"level  1  300  {'#' * 50}"
    assert lines[-2] == "level  4    1  #"


def test_the_sheets_have_each_card_as_often_as_the_deck() -> None:
    result = run("zoo.yaml", "--pdf", "zoo.pdf")
    assert "Zoo: 5 sheets in zoo.pdf\n  print at 100 % (actual size), both sides" in result.stderr
    fronts = "\n".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument("zoo.pdf"))
    counts = {name: len(re.findall(rf"^{name}\s*$", fronts, re.MULTILINE)) for name in ("Ant", "Bear", "Dawn", "Comet")}
    assert counts == {"Ant": 20, "Bear": 10, "Dawn": 8, "Comet": 2}
    assert "Zoo · 17th Edition · sheet 1 of 5 · front" in fronts


def test_no_sheets_are_written_of_a_deck_that_may_not_be_played() -> None:
    write(Path(), {"zoo.yaml": DECK.replace("bear: 10", "bear: 9")})
    assert run("zoo.yaml", "--pdf", "zoo.pdf").exit_code == 1
    assert not Path("zoo.pdf").exists()


def test_the_sheets_take_paper_and_flip_from_the_sets_or_the_command() -> None:
    basic = "name: Basic\nedition: 17\nsheet: {paper: letter, flip: short-edge}\n"
    write(Path("basic"), {"set.yaml": basic})
    result = run("zoo.yaml", "--pdf", "zoo.pdf")
    assert result.exit_code == 2
    assert "the sets ask for different sheets: choose with `--paper`" in result.stderr
    assert run("zoo.yaml", "--pdf", "zoo.pdf", "--paper", "a4", "--flip", "long-edge").exit_code == 0


@pytest.mark.parametrize("asked", [["--paper", "letter"], ["--no-slug"], ["--grid", "auto"], ["--printer", "Attic"]])
def test_options_of_sheets_without_a_file_for_these_are_refused(asked: list[str]) -> None:
    result = run("zoo.yaml", *asked)
    assert result.exit_code == 2
    assert "options of sheets need --pdf" in result.stderr


RULES = """
    edition: 18
    terms: {minion: minion, sp: SP, hp: HP, level: level}
    deck: {cards: 40-60, ultra_points: 10}
    levels: {hp_share: 1/2, least_of_minion_ability: 1, least_of_spell_ability: 0}
    revised_ultra_points:
    - {text: "{x}-dice-wound enemy", edition: 18}
    effects:
    - {text: "{x}-dice-wound enemy", level: 2x, ultra_points: 5}
    - {text: "draw {x} cards", level: 2x}
"""


def test_revised_ultra_points_of_older_cards_are_worked_out_anew() -> None:
    write(Path("editions"), {"18.yaml": RULES})
    write(Path(), {"zoo.yaml": DECK.replace("17", "18")})
    checked = read(Path("zoo.yaml"))
    assert [entry.ultra_points for entry in checked.deck.entries] == [0, 0, 0, 5]
    assert checked.deck.ultra_points == 10
    assert not has_errors(checked.findings)


def test_the_example_of_the_reference_is_a_deck_that_may_be_played() -> None:
    (example,) = re.findall(r"```yaml\n(# cards/decks/lamplit\.yaml\n.*?)```", page("cards/decks.md"), re.DOTALL)
    write(Path("decks"), {"lamplit.yaml": example.replace("../starter", str(ROOT / "cards" / "starter"))})
    checked = read(Path("decks/lamplit.yaml"))
    assert checked.findings == ()
    assert checked.deck.name == "The Lamplit Coast"
