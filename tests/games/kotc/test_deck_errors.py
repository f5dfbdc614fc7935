"""Decks that are wrong: exactly what their author reads."""

from pathlib import Path
from typing import Any

import pytest

from render.base.findings import Refused, as_text
from render.games import kotc as kotc_game
from render.games.kotc.deck import read
from tests.support.messages import assert_says, write
from tests.support.schema_verdicts import disagreements
from tests.support.sets import kotc

CARDS = """
    - {name: Ant, kind: minion, level: 1, sp: 1, hp: 0}
    - {name: Comet, kind: spell, level: 2, ultra_points: 2, text: 1-dice-wound enemy.}
    - {name: Soldier, kind: pawn}
    - {name: Rules, kind: tip, text: Draw a card.}
"""
HEAD = "name: Zoo\nedition: 17\nsets: basic\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with a set."""
    monkeypatch.chdir(tmp_path)
    write(Path("basic"), {"set.yaml": "name: Basic\nedition: 17\n", "cards.yaml": CARDS})


def said_of(deck: str) -> str:
    """Return all that is said of a deck, of which the schema says the same."""
    write(Path(), {"zoo.yaml": deck})
    try:
        findings = read(Path("zoo.yaml")).findings
    except Refused as refused:
        findings = refused.findings
    of_deck = [each for each in findings if each.span and each.span.file == Path("zoo.yaml")]
    assert list(disagreements("deck", Path("zoo.yaml").read_text(encoding="utf-8"), of_deck)) == []
    return as_text(findings)


def test_a_deck_without_sets_is_shown_those_that_lie_near_it() -> None:
    deck = write(Path("decks"), {"zoo.yaml": "name: Zoo\nedition: 17\ncards: {ant: 40}\n"}) / "zoo.yaml"
    with pytest.raises(Refused) as refused:
        read(deck)
    assert_says(
        as_text(refused.value.findings),
        "decks/zoo.yaml:1:1 B004 the deck has no `sets` (add a line such as `sets: [../basic]`)",
    )


def test_a_deck_by_rules_of_which_an_import_did_not_understand_all() -> None:
    rules = (Path(kotc_game.__file__).parent / "editions" / "data" / "17.yaml").read_text(encoding="utf-8")
    write(Path("editions"), {"17.yaml": f'{rules}\nunknown:\n- {{section: deck, line: 7, words: "?"}}\n'})
    assert_says(
        said_of(HEAD + "cards: {ant: 40}\n"),
        "zoo.yaml:2:1 K012 warning: cards of the 17th Edition are judged with doubt: its import did not understand all rules",
    )


# --- the file ---


SAID: dict[str, tuple[Any, ...]] = {
    "everything that can be wrong in a deck file": (
        "nam: Zoo\nedition: 17th\nsets: [basic, basics, [x]]\ncards: {ant: none, comet: 0}\n",
        [
            "zoo.yaml:1:1 B002 unknown key `nam` (did you mean `name`?)",
            "zoo.yaml:2:10 B005 expected a whole number from 1 to 999, found `17th` (write `edition: 17`)",
            "zoo.yaml:3:7 B005 expected folders of sets, found a list (write for example `sets: [basic]`)",
            "zoo.yaml:3:15 B020 there is no folder `basics` (did you mean `basic`?)",
            "zoo.yaml:4:14 B005 expected a whole number from 1 to 999, found `none`",
            "zoo.yaml:4:27 B006 expected a whole number from 1 to 999, found `0`",
        ],
    ),
    "an option of sheets that is wrong": (
        HEAD + "cards: {ant: 40}\nsheet: {margin: wide, bleed: 1}\n",
        ["zoo.yaml:5:17 B007 expected 0 to 100 mm, found `wide`"],
    ),
    "a deck that has nothing it needs": (
        "name: Zoo\n",
        [
            "zoo.yaml:1:1 B004 the deck has no `cards` (add a line such as `cards: {storm-hammer: 2}`)",
            "zoo.yaml:1:1 B004 the deck has no `edition` (add a line such as `edition: 17`)",
            "zoo.yaml:1:1 B004 the deck has no `sets` (add a line such as `sets: [basic]`)",
        ],
    ),
    "a deck that is a list": ("- ant\n", ["zoo.yaml:1:1 B001 expected the keys of a deck, found a list, `[ant]`"]),
    "cards that are not there or not played": (
        f"{HEAD}cards:\n  ants: 2\n  basik/ant: 2\n  elephant: 1\n  soldier: 1\n  rules: 1\n",
        [
            "zoo.yaml:5:3 B022 no set has a card `ants` (did you mean `ant`?)",
            "zoo.yaml:6:3 B022 no set has a card `basik/ant` (did you mean `basic/ant`?)",
            "zoo.yaml:7:3 B022 no set has a card `elephant` (the sets are `Basic`)",
            "zoo.yaml:8:3 B024 `soldier` is a pawn, and does not belong in a deck (remove it from the deck)",
            "zoo.yaml:9:3 B024 `rules` is a tip, and does not belong in a deck (remove it from the deck)",
        ],
    ),
    "cards that are no list": (
        f"{HEAD}cards: ant\n",
        [
            "zoo.yaml:4:8 B005 expected ids of cards and how many of each, found `ant` (write for example `storm-hammer: 2`)"
        ],
    ),
    "lines that are no cards": (
        f"{HEAD}cards:\n- ant\n- [ant]\n- ant: 2\n",
        [
            "zoo.yaml:6:3 B005 expected a card and how many of it, found a list, `[ant]`",
            "zoo.yaml:7:3 B021 `ant` is listed twice, first at zoo.yaml:5:3 (write it once, with the sum of both)",
        ],
    ),
    "a deck that is too small": (
        f"{HEAD}cards: {{ant: 39}}\n",
        ["zoo.yaml:4:1 B025 a deck of the 17th Edition has 40 to 60 cards, and this one has 39 (add 1 card)"],
    ),
    "a deck that is too large": (
        f"{HEAD}cards: {{ant: 63}}\n",
        ["zoo.yaml:4:1 B025 a deck of the 17th Edition has 40 to 60 cards, and this one has 63 (take out 3 cards)"],
    ),
    "a deck of too many ultra points": (
        f"{HEAD}cards: {{ant: 36, comet: 6}}\n",
        ["zoo.yaml:4:1 B026 a deck of the 17th Edition has at most 10 Ultra Points, and this one has 12"],
    ),
}


@pytest.mark.parametrize("cards", ["{ant: 40}", "{ant: 60}", "{ant: 36, comet: 5}"])
def test_nothing_is_said_of_a_sound_deck(cards: str) -> None:
    assert said_of(f"{HEAD}cards: {cards}\n") == ""


@pytest.mark.parametrize(("given", "wanted"), SAID.values(), ids=SAID)
def test_what_its_author_reads(given: Any, wanted: list[str]) -> None:
    assert_says(said_of(given), *wanted)


# --- cards ---


def test_a_card_that_two_sets_have_and_one_that_is_listed_in_two_ways() -> None:
    write(Path("promo"), {"set.yaml": "name: Promo\nedition: 17\n", "cards.yaml": CARDS})
    deck = "name: Zoo\nedition: 17\nsets: [basic, promo]\ncards:\n  ant: 2\n"
    assert_says(said_of(deck), "zoo.yaml:5:3 B023 2 sets have a card `ant` (write `basic/ant` or `promo/ant`)")
    assert_says(
        said_of(f"{HEAD}cards:\n  ant: 39\n  basic/ant: 1\n"),
        "zoo.yaml:6:3 B021 `basic/ant` is listed twice, first at zoo.yaml:5:3 (write it once, with the sum of both)",
    )


def test_what_is_wrong_in_the_sets_is_said() -> None:
    write(Path("basic"), {"broken.yaml": "name: Broken\nkind: pown\n"})
    assert "basic/broken.yaml:2:7: error: expected `minion`" in said_of(f"{HEAD}cards: {{ant: 40}}\n")


# --- rules ---


@pytest.mark.parametrize("edition", [9, 10])
def test_decks_of_old_editions_have_exactly_40_cards(edition: int) -> None:
    wolf = f"- {{name: Wolf, kind: creature, edition: {edition}, cost: 3, offense: 2, defense: 2}}\n"
    write(Path("basic"), {"cards.yaml": wolf})
    head = HEAD.replace("17", str(edition))
    assert said_of(f"{head}cards: {{wolf: 40}}\n") == ""
    assert f"a deck of the {edition}th Edition has exactly 40 cards, and this one has 41" in said_of(
        f"{head}cards: {{wolf: 41}}\n"
    )


def test_a_card_that_may_not_be_played_in_the_edition_of_the_deck() -> None:
    old = "- {name: Wolf, kind: creature, edition: 9, cost: 3, offense: 2, defense: 2}\n"
    write(Path("basic"), {"old.yaml": old})
    said = said_of(f"{HEAD}cards:\n  ant: 39\n  wolf: 1\n")
    assert "zoo.yaml:6:3: error: `wolf` may not be in a deck of the 17th Edition [B027]" in said
    assert ", at basic/old.yaml:1:" in said


def test_a_card_with_outdated_words_is_a_warning() -> None:
    text = "Target up to 2 in-play cards; destroy the targets."
    write(Path("basic"), {"old.yaml": f"{{name: Old, kind: spell, edition: 13, level: 4, text: {text}}}\n"})
    said = said_of(f"{HEAD}cards: {{old: 40}}\n")
    assert "basic/old.yaml:1:" in said
    assert "warning: " in said
    assert "error: " not in said


def test_a_card_of_a_set_beside_the_folder_of_decks_is_named_by_the_short_path() -> None:
    write(Path("basic"), {"wrong.yaml": "name: Wrong\nkind: spell\nlevel: 1\ntext: Draw 1 card.\n"})
    write(Path("decks"), {"zoo.yaml": "name: Zoo\nedition: 17\nsets: ../basic\ncards: {wrong: 40}\n"})
    assert as_text(read(Path("decks/zoo.yaml")).findings).startswith("basic/wrong.yaml:3:8: error: ")


def test_an_edition_whose_rules_are_not_there() -> None:
    said = said_of("name: Zoo\nedition: 18\nsets: basic\ncards: {ant: 40}\n")
    assert said.startswith("zoo.yaml:2:1: error: the rules of the 18th Edition are not installed")


def test_without_a_file_the_deck_of_the_folder_is_meant() -> None:
    assert kotc("deck").stderr.endswith("Error: there is no deck here: give its FILE\n")
    write(Path(), {"zoo.yaml": HEAD + "cards: {ant: 40}\n"})
    assert kotc("deck").stdout == kotc("deck", "zoo.yaml").stdout != ""
    write(Path(), {"air.yaml": HEAD + "cards: {ant: 40}\n"})
    several = kotc("deck")
    assert several.stderr.endswith("Error: which deck? Here are `air.yaml` and `zoo.yaml`\n")
    assert several.exit_code == 2
