"""`kotc balance`: a deck or a set in figures, with the exact odds of an opening hand."""

import json
import re
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest

from render.game.figures import chance_of, chance_of_any, chances, expected, percent
from tests.support.messages import write
from tests.support.repository import ROOT
from tests.support.sets import kotc

GOLDEN = ROOT / "tests/games/kotc/golden/balance.html"

SET = """
    - {name: Ant, kind: minion, level: 1, sp: 1, hp: 0, copies: 3}
    - {name: Bear, kind: minion, level: 4, sp: 2, hp: 4}
    - name: Spark & Dawn
      kind: spell
      level: 3
      text: Target 1 on-field minion; place 2 Sword Counters on it, then place 1 Damage Counter on it.
      copies: 2
    - {name: Comet, kind: spell, level: 2, ultra_points: 2, text: 1-dice-wound enemy., copies: 0}
    - {name: Doll, kind: pawn, copies: 5}
"""
DECK = """
    name: Zoo
    edition: 17
    sets: [basic]
    cards: {ant: 20, bear: 10, spark-dawn: 9, comet: 1}
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(Path())


def write_files(folder: Path) -> None:
    write(folder / "basic", {"set.yaml": "name: Basic\nedition: 17\n", "cards.yaml": SET})
    write(folder, {"zoo.yaml": DECK})


@pytest.mark.parametrize(
    ("deck", "copies", "hand"), [(1, 0, 5), (4, 2, 5), (7, 3, 5), (8, 8, 3), (9, 1, 5), (10, 4, 4)]
)
def test_the_odds_are_those_of_counting_every_hand(deck: int, copies: int, hand: int) -> None:
    hands = list(combinations(range(deck), min(hand, deck)))
    counted = [sum(card < copies for card in each) for each in hands]
    found = chances(deck, copies, hand)
    assert found == tuple(Fraction(counted.count(n), len(hands)) for n in range(min(hand, deck) + 1))
    assert sum(found) == 1
    assert chance_of_any(deck, copies, hand) == Fraction(sum(map(bool, counted)), len(hands))
    assert expected(deck, copies, hand) == Fraction(sum(counted), len(hands))
    assert chance_of(deck, copies, hand + 1, hand) == chance_of(deck, copies, -1, hand) == 0


@pytest.mark.parametrize(
    ("odds", "said"),
    [("0", "0 %"), ("1", "100 %"), ("1/100000", "0.1 %"), ("99999/100000", "99.9 %"), ("1/3", "33.3 %")],
)
def test_only_what_is_certain_is_said_to_be(odds: str, said: str) -> None:
    assert percent(Fraction(odds)) == said


def test_a_set_is_shown_as_a_deck_with_its_copies() -> None:
    result = kotc("balance", "basic")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "Basic: 6 cards, 4 minions, 2 spells, level 2.17 on average, 0 Ultra Points\n"
        "\n"
        "level   minions  spells\n"
        "1             3          ###\n"
        "2\n"
        "3                     2  ++\n"
        "4             1          #\n"
        "\n"
        "counters: Damage (2), Sword (2)\n"
        "\n"
        "opening hand of 5 cards\n"
        "  0 minions                        0 %\n"
        "  1 minion                         0 %\n"
        "  2 minions                        0 %\n"
        "  3 minions                     66.7 %\n"
        "  4 minions                     33.3 %\n"
        "  5 minions                        0 %\n"
        "  a card up to level 1           100 %\n"
    )


def test_a_deck_file_counts_its_own_cards_and_ultra_points() -> None:
    result = kotc("balance", "zoo.yaml", "--format", "json")
    (found,) = json.loads(result.stdout)
    assert (found["name"], found["cards"], found["minions"], found["spells"]) == ("Zoo", 40, 30, 10)
    assert (found["ultra_points"], found["most_ultra_points"]) == (2, 10)
    assert found["mean_level"] == "89/40"
    assert found["hand"]["minions"][5] == {"minions": 5, "odds": "609/2812", "percent": 21.6572}
    assert found["hand"]["card"][3] == {"id": "comet", "odds": "1/8", "percent": 12.5}


def test_creatures_have_costs_and_no_ultra_points() -> None:
    old = "- {name: Wolf, kind: creature, cost: 3, offense: 2, defense: 5, text: This card has no abilities.}\n"
    write(Path("old"), {"set.yaml": "name: Old\nedition: 11\n", "cards.yaml": old})
    said = kotc("balance", "old").stdout
    assert said.startswith("Old: 1 card, 1 creature, 0 spells, cost 3.00 on average\n\ncost    creatures  spells\n3 ")


def test_a_set_without_cards_that_are_played_says_so() -> None:
    write(Path("dolls"), {"set.yaml": "name: Dolls\nedition: 17\n", "cards.yaml": "- {name: Doll, kind: pawn}\n"})
    assert kotc("balance", "dolls").output == "Dolls: no cards that are played\n"


def test_the_page_is_the_golden_one_and_needs_no_network() -> None:
    assert kotc("balance", "zoo.yaml", "basic", "--page", "page.html").exit_code == 0
    written = Path("page.html").read_text(encoding="utf-8")
    assert written == GOLDEN.read_text(encoding="utf-8")
    assert not re.search(r"https?:|<script|<link|@import|url\(", written)


def test_a_deck_with_an_error_gets_no_page() -> None:
    write(Path(), {"small.yaml": DECK.replace("20", "2")})
    result = kotc("balance", "small.yaml", "--page", "page.html")
    assert result.exit_code == 1
    assert "B025" in result.stderr
    assert not Path("page.html").exists()


if __name__ == "__main__":
    import os
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_files(Path())
        kotc("balance", "zoo.yaml", "basic", "--page", GOLDEN)
