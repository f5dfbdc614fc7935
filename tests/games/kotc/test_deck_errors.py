"""Decks that are wrong: exactly what their author reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from render.base.findings import Refused, as_text
from render.games import kotc as kotc_game
from render.games.kotc.deck import read
from tests.support.messages import words, write
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


def test_a_deck_by_rules_of_which_an_import_did_not_understand_all() -> None:
    rules = (Path(kotc_game.__file__).parent / "editions" / "data" / "17.yaml").read_text(encoding="utf-8")
    write(Path("editions"), {"17.yaml": f'{rules}\nunknown:\n- {{section: deck, line: 7, words: "?"}}\n'})
    assert said_of(HEAD + "cards: {ant: 40}\n") == words("""
        zoo.yaml:2:1: warning: cards of the 17th Edition are judged with doubt: its import did not understand all rules [K012]
          2 | edition: 17
            | ^^^^^^^
          hint: see `unknown` in its file, line 7 of the page for `deck`: write it where it belongs
    """)


# --- the file ---


def test_everything_that_can_be_wrong_in_a_deck_file() -> None:
    deck = "nam: Zoo\nedition: 17th\nsets: [basic, basics, [x]]\ncards: {ant: none, comet: 0}\n"
    assert said_of(deck) == words("""
        zoo.yaml:1:1: error: unknown key `nam` [B002]
          1 | nam: Zoo
            | ^^^
          hint: did you mean `name`?
        zoo.yaml:2:10: error: expected a whole number from 1 to 999, found `17th` [B005]
          2 | edition: 17th
            |          ^^^^
          hint: write `edition: 17`
        zoo.yaml:3:7: error: expected folders of sets, found a list [B005]
          3 | sets: [basic, basics, [x]]
            |       ^^^^^^^^^^^^^^^^^^^^
          hint: write for example `sets: [starter]`
        zoo.yaml:3:15: error: there is no folder `basics` [B020]
          3 | sets: [basic, basics, [x]]
            |               ^^^^^^
          hint: folders of sets are given from the folder of the deck file
        zoo.yaml:4:14: error: expected a whole number from 1 to 999, found `none` [B005]
          4 | cards: {ant: none, comet: 0}
            |              ^^^^
        zoo.yaml:4:27: error: expected a whole number from 1 to 999, found `0` [B006]
          4 | cards: {ant: none, comet: 0}
            |                           ^
    """)


def test_an_option_of_sheets_that_is_wrong() -> None:
    assert said_of(HEAD + "cards: {ant: 40}\nsheet: {margin: wide, bleed: 1}\n") == words("""
        zoo.yaml:5:17: error: expected 0 to 100 mm, found `wide` [B007]
          5 | sheet: {margin: wide, bleed: 1}
            |                 ^^^^
    """)


def test_a_deck_that_has_nothing_it_needs() -> None:
    assert said_of("name: Zoo\n") == words("""
        zoo.yaml:1:1: error: the deck has no `cards` [B004]
          1 | name: Zoo
            | ^^^^
          hint: add a line such as `cards: {storm-hammer: 2}`
        zoo.yaml:1:1: error: the deck has no `edition` [B004]
          1 | name: Zoo
            | ^^^^
          hint: add a line such as `edition: 17`
        zoo.yaml:1:1: error: the deck has no `sets` [B004]
          1 | name: Zoo
            | ^^^^
          hint: add a line such as `sets: [starter]`
    """)


def test_a_deck_that_is_a_list() -> None:
    assert said_of("- ant\n") == words("""
        zoo.yaml:1:1: error: expected the keys of a deck, found a list, `[ant]` [B001]
          1 | - ant
            | ^^^^^
          hint: a deck begins with a line such as `name: The Lamplit Coast`
    """)


def test_cards_that_are_no_list_and_lines_that_are_no_cards() -> None:
    assert said_of(f"{HEAD}cards: ant\n") == words("""
        zoo.yaml:4:8: error: expected ids of cards and how many of each, found `ant` [B005]
          4 | cards: ant
            |        ^^^
          hint: write for example `storm-hammer: 2`
    """)
    assert said_of(f"{HEAD}cards:\n- ant\n- [ant]\n- ant: 2\n") == words("""
        zoo.yaml:6:3: error: expected a card and how many of it, found a list, `[ant]` [B005]
          6 | - [ant]
            |   ^^^^^
          hint: write for example `storm-hammer: 2`
        zoo.yaml:7:3: error: `ant` is listed twice, first at zoo.yaml:5:3 [B021]
          7 | - ant: 2
            |   ^^^
          hint: write it once, with the sum of both
    """)


# --- cards ---


def test_cards_that_are_not_there_or_not_played() -> None:
    deck = f"{HEAD}cards:\n  ants: 2\n  basik/ant: 2\n  elephant: 1\n  soldier: 1\n  rules: 1\n"
    assert said_of(deck) == words("""
        zoo.yaml:5:3: error: no set has a card `ants` [B022]
          5 |   ants: 2
            |   ^^^^
          hint: did you mean `ant`?
        zoo.yaml:6:3: error: no set has a card `basik/ant` [B022]
          6 |   basik/ant: 2
            |   ^^^^^^^^^
          hint: did you mean `basic/ant`?
        zoo.yaml:7:3: error: no set has a card `elephant` [B022]
          7 |   elephant: 1
            |   ^^^^^^^^
          hint: the sets are `Basic`
        zoo.yaml:8:3: error: `soldier` is a pawn, and does not belong in a deck [B024]
          8 |   soldier: 1
            |   ^^^^^^^
          hint: remove it from the deck
        zoo.yaml:9:3: error: `rules` is a tip, and does not belong in a deck [B024]
          9 |   rules: 1
            |   ^^^^^
          hint: remove it from the deck
    """)


def test_a_card_that_two_sets_have_and_one_that_is_listed_in_two_ways() -> None:
    write(Path("promo"), {"set.yaml": "name: Promo\nedition: 17\n", "cards.yaml": CARDS})
    deck = "name: Zoo\nedition: 17\nsets: [basic, promo]\ncards:\n  ant: 2\n"
    assert said_of(deck) == words("""
        zoo.yaml:5:3: error: 2 sets have a card `ant` [B023]
          5 |   ant: 2
            |   ^^^
          hint: write `basic/ant` or `promo/ant`
    """)
    assert said_of(f"{HEAD}cards:\n  ant: 39\n  basic/ant: 1\n") == words("""
        zoo.yaml:6:3: error: `basic/ant` is listed twice, first at zoo.yaml:5:3 [B021]
          6 |   basic/ant: 1
            |   ^^^^^^^^^
          hint: write it once, with the sum of both
    """)


def test_what_is_wrong_in_the_sets_is_said() -> None:
    write(Path("basic"), {"broken.yaml": "name: Broken\nkind: pown\n"})
    assert "basic/broken.yaml:2:7: error: expected `minion`" in said_of(f"{HEAD}cards: {{ant: 40}}\n")


# --- rules ---


def test_decks_that_are_too_small_or_too_large() -> None:
    assert said_of(f"{HEAD}cards: {{ant: 39}}\n") == words("""
        zoo.yaml:4:1: error: a deck of the 17th Edition has 40 to 60 cards, and this one has 39 [B025]
          4 | cards: {ant: 39}
            | ^^^^^
          hint: add 1 card
    """)
    assert said_of(f"{HEAD}cards: {{ant: 63}}\n") == words("""
        zoo.yaml:4:1: error: a deck of the 17th Edition has 40 to 60 cards, and this one has 63 [B025]
          4 | cards: {ant: 63}
            | ^^^^^
          hint: take out 3 cards
    """)
    assert said_of(f"{HEAD}cards: {{ant: 40}}\n") == said_of(f"{HEAD}cards: {{ant: 60}}\n") == ""


@pytest.mark.parametrize("edition", [9, 10])
def test_decks_of_old_editions_have_exactly_40_cards(edition: int) -> None:
    wolf = f"- {{name: Wolf, kind: creature, edition: {edition}, cost: 3, offense: 2, defense: 2}}\n"
    write(Path("basic"), {"cards.yaml": wolf})
    head = HEAD.replace("17", str(edition))
    assert said_of(f"{head}cards: {{wolf: 40}}\n") == ""
    assert f"a deck of the {edition}th Edition has exactly 40 cards, and this one has 41" in said_of(
        f"{head}cards: {{wolf: 41}}\n"
    )


def test_a_deck_of_too_many_ultra_points() -> None:
    assert said_of(f"{HEAD}cards: {{ant: 36, comet: 5}}\n") == ""
    assert said_of(f"{HEAD}cards: {{ant: 36, comet: 6}}\n") == words("""
        zoo.yaml:4:1: error: a deck of the 17th Edition has at most 10 Ultra Points, and this one has 12 [B026]
          4 | cards: {ant: 36, comet: 6}
            | ^^^^^
          hint: they are of `comet` 6 x 2
    """)


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


def test_a_card_with_a_wrong_level_is_an_error() -> None:
    write(Path("basic"), {"wrong.yaml": "name: Wrong\nkind: spell\nlevel: 1\ntext: Draw 1 card.\n"})
    assert said_of(f"{HEAD}cards: {{wrong: 40}}\n") == words("""
        basic/wrong.yaml:3:8: error: the level of `wrong` is 2, not 1 [V001]
          3 | level: 1
            |        ^
          hint: the ability 2 (Draw 1 card 2): level 2
    """)


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
