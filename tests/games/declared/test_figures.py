"""`kotc balance` of games in YAML: every number and choice is counted, and odds are those of drawing every hand."""

import csv
import io
import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest

from tests.support.messages import write
from tests.support.sets import kotc

GAME = """
name: Lanterns
fields:
  rarity: {type: choice, choices: [common, rare, mythic], default: common}
  cost: {type: number, range: [-9, 9999]}
  tags: list
  wild: flag
  twice: {value: "cost * 2 if cost is not none else none"}
  color: {value: "'#' ~ rarity"}
kinds:
  lamp: {fields: [rarity, cost, tags, wild]}
  oil: {fields: [cost]}
  token: {fields: [cost], deck: false}
"""
CARDS = """
- {name: Wick, kind: lamp, rarity: rare, cost: 4, tags: [tin, old], wild: true}
- {name: Glow, kind: lamp, cost: 1, tags: [tin], copies: 3}
- {name: Drop, kind: oil, cost: 1, copies: 2}
- {name: Soot, kind: oil}
- {name: Spare, kind: oil, cost: 7, copies: 0}
- {name: Ember, kind: token, cost: 9}
"""
# The seven cards of the set as a player holds them: kind, rarity and cost of each copy.
PILE = [("lamp", "rare", 4), *[("lamp", "common", 1)] * 3, *[("oil", "", 1)] * 2, ("oil", "", None)]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path("lamps"), {"set.yaml": "name: Lamps\n", "game.yaml": GAME, "cards.yaml": CARDS})
    write(Path(), {"deck.yaml": "name: Night\ngame: lamps\nsets: [lamps]\ncards: {wick: 2, glow: 2, soot: 1}\n"})


def figures(*arguments: object) -> dict[str, dict[object, dict[str, object]]]:
    """Return what is said of each value, by the names of the curves."""
    result = kotc("balance", *arguments, "--format", "json")
    assert result.exit_code == 0, result.output
    (found,) = json.loads(result.stdout)
    return {each["name"]: {one["value"]: one for one in each["values"]} for each in found["curves"]}


@pytest.mark.parametrize("hand", [1, 3, 7])
def test_odds_and_means_are_those_of_every_hand_that_can_be_drawn(hand: int) -> None:
    hands = list(combinations(PILE, hand))
    found = figures("lamps", "--hand", hand)
    for at, name in enumerate(("kind", "rarity", "cost")):
        assert {value for value, one in found[name].items() if one["cards"]} == {card[at] for card in PILE} - {"", None}
        for value, one in found[name].items():
            drawn = [sum(card[at] == value for card in each) for each in hands]
            assert Fraction(str(one["odds"])) == Fraction(sum(map(bool, drawn)), len(hands))
            assert Fraction(str(one["on_average"])) == Fraction(sum(drawn), len(hands))


def test_numbers_choices_lists_and_flags_are_counted_with_copies_and_by_kind() -> None:
    found = figures("lamps")
    assert list(found) == ["kind", "rarity", "cost", "tags", "wild", "twice"]
    assert found["cost"][1] | {"odds": 0, "percent": 0, "on_average": 0} == {
        "value": 1, "cards": 5, "kinds": {"lamp": 3, "oil": 2}, "odds": 0, "percent": 0, "on_average": 0,
    }  # fmt: skip
    assert {name: one["cards"] for name, one in found["tags"].items()} == {"old": 1, "tin": 4}
    assert {name: one["cards"] for name, one in found["wild"].items()} == {"yes": 1}
    assert {name: one["cards"] for name, one in found["rarity"].items()} == {"common": 3, "rare": 1, "mythic": 0}


def test_a_table_says_how_many_have_a_number_or_less() -> None:
    assert kotc("balance", "lamps", "--by", "cost", "--hand", 2).stdout == (
        "Lamps: 7 cards, odds of an opening hand of 2\n"
        "\n"
        "kind  cards  in a hand  on average\n"
        "lamp      4     85.7 %        1.14  ####\n"
        "oil       3     71.4 %        0.86  ###\n"
        "\n"
        "cost: 1 to 4, 1.50 on average\n"
        "      cards  lamp  oil  in a hand  or less  on average\n"
        "1         5     3    2     95.2 %   95.2 %        1.43  #####\n"
        "2                                   95.2 %\n"
        "3                                   95.2 %\n"
        "4         1     1          28.6 %    100 %        0.29  #\n"
    )


def test_many_numbers_are_put_together_and_none_is_lost() -> None:
    cards = "".join(f"- {{name: C{number}, kind: oil, cost: {number * 7 - 9}}}\n" for number in range(40))
    write(Path("lamps"), {"cards.yaml": cards})
    lines = kotc("balance", "lamps", "--by", "cost").stdout.split("\n")
    rows = lines[lines.index(next(line for line in lines if line.startswith("cost:"))) + 2 : -1]
    assert rows[0].startswith("-50 to -1 ")
    assert len(rows) < 12
    assert sum(int(row.split()[3]) for row in rows) == 40


def test_a_deck_counts_what_it_has_and_cards_may_be_chosen() -> None:
    assert {kind: one["cards"] for kind, one in figures("deck.yaml")["kind"].items()} == {"lamp": 4, "oil": 1}
    assert {kind: one["cards"] for kind, one in figures("lamps", "--where", "cost < 2")["kind"].items()} == {
        "lamp": 3,
        "oil": 2,
    }


def test_any_value_may_be_counted_by_and_one_that_is_none_is_refused() -> None:
    assert list(figures("lamps", "--by", "color")["color"]) == ["#", "#common", "#rare"]
    result = kotc("balance", "lamps", "--by", "rarty")
    assert (result.exit_code, "cards have no `rarty`: did you mean `rarity`?" in result.stderr) == (2, True)


def test_a_spreadsheet_gets_a_row_for_all_cards_and_for_each_kind() -> None:
    rows = list(csv.DictReader(io.StringIO(kotc("balance", "lamps", "--format", "csv", "--hand", 1).stdout)))
    of_one = [
        (row["kind"], row["cards"], row["at least one"])
        for row in rows
        if row["field"] == "cost" and row["value"] == "1"
    ]
    assert of_one == [("", "5", "0.714286"), ("lamp", "3", "0.428571"), ("oil", "2", "0.285714")]


def test_the_page_has_a_table_for_each_curve() -> None:
    assert kotc("balance", "lamps", "--page", "page.html").exit_code == 0
    page = Path("page.html").read_text(encoding="utf-8")
    assert page.count("<caption>") == 6
    assert '<th scope="row">mythic</th><td>0</td><td>0 %</td>' in page
