"""Cards that an edition does not allow: exactly what their author reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from render.base.findings import as_text
from render.games.kotc.checking import findings_by_rules
from render.games.kotc.legality.legality import findings
from render.games.kotc.model.edition import Edition
from render.games.kotc.sets import load_sets
from tests.support.messages import words, write
from tests.support.rulebooks import ELEVENTH, NINTH, SEVENTEENTH, TENTH

MINION = """
    - name: Thor
      kind: minion
      edition: 13
      level: 9
      sp: 4
      hp: 6
      text: |
        TAKE: {}
"""
OLD = """
    name: Rise
    kind: spell
    edition: 8
    cost: 2
    text: '{}'
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder, so that places are as short as the author's."""
    monkeypatch.chdir(tmp_path)


def said(card: str, edition: Edition) -> str:
    """Return all that the edition says of the card file `s/card.yaml`."""
    (card_set,) = load_sets([write(Path("s"), {"set.yaml": "name: Starter\n", "card.yaml": card})])
    return as_text(finding for each in card_set.cards for finding in findings(each, edition))


def test_nothing_is_said_of_a_legal_card() -> None:
    assert said(MINION.format("Draw 2 cards."), SEVENTEENTH) == ""


def test_a_design_before_the_clean_slate() -> None:
    assert said(MINION.format("Draw 2 cards.").replace("13", "12"), SEVENTEENTH) == words("""
        s/card.yaml:3:12: error: a card of the 12th Edition is pruned in the 17th Edition [K002]
          3 |   edition: 12
            |            ^^
          hint: the 13th Edition was a clean slate: design the card anew
    """)


def test_a_text_whose_level_was_revised() -> None:
    assert said(MINION.format("Target 1 on-field minion; silo it."), SEVENTEENTH) == words("""
        s/card.yaml:8:37: error: the level of `silo it` was revised in the 16th Edition, the card is of the 13th [K003]
          8 |     TAKE: Target 1 on-field minion; silo it.
            |                                     ^^^^^^^
          hint: design the card anew: only cards of the 16th Edition or later may have `silo the targets`
    """)


def test_a_text_that_is_refurbished() -> None:
    assert said(MINION.format("Target up to 4 in-play cards; destroy the targets."), SEVENTEENTH) == words("""
        s/card.yaml:8:26: warning: `in-play cards` is refurbished in the 17th Edition [K006]
          8 |     TAKE: Target up to 4 in-play cards; destroy the targets.
            |                          ^^^^^^^^^^^^^
          hint: it now reads `on-field minions`
    """)


def test_a_text_that_is_refurbished_in_two_steps() -> None:
    assert said(MINION.format("When this in-play card is damaged: Draw 1 card."), SEVENTEENTH) == words("""
        s/card.yaml:8:11: warning: `When this in-play card is damaged:` is refurbished in the 17th Edition [K006]
          8 |     TAKE: When this in-play card is damaged: Draw 1 card.
            |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          hint: it now reads `When your on-field minion(s) is damaged:`
    """)


def test_a_text_that_is_redacted() -> None:
    assert said(OLD.format("Pay 5 hitpoints. Target 1 card in play."), NINTH) == words("""
        s/card.yaml:5:8: error: `Pay 5 hitpoints.` is redacted [K005]
          5 | text: 'Pay 5 hitpoints. Target 1 card in play.'
            |        ^^^^^^^^^^^^^^^^
          hint: the 9th Edition does not allow `Pay {x} hitpoints.` on any card
    """)


def test_a_text_whose_cost_was_revised() -> None:
    assert said(OLD.format("Draw 1 card."), NINTH) == words("""
        s/card.yaml:5:8: error: the cost of `Draw 1 card.` was revised in the 9th Edition, the card is of the 8th [K004]
          5 | text: 'Draw 1 card.'
            |        ^^^^^^^^^^^^
          hint: design the card anew: only cards of the 9th Edition or later may have `Draw {x} cards.`
    """)


def test_a_revised_text() -> None:
    assert said(OLD.format("Activate when you take damage. Draw 1 of them."), TENTH) == words("""
        s/card.yaml:5:8: warning: `Activate when you take damage.` is revised in the 10th Edition [K006]
          5 | text: 'Activate when you take damage. Draw 1 of them.'
            |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          hint: it now reads `Activate when you take at least 5 damage.`
    """)


def test_a_design_older_than_the_clean_slate_of_the_11th_edition() -> None:
    assert said(OLD.format("Draw 1 of them."), ELEVENTH) == words("""
        s/card.yaml:3:10: error: a card of the 8th Edition is banned in the 11th Edition [K002]
          3 | edition: 8
            |          ^
          hint: the 11th Edition was a clean slate: design the card anew
    """)


def test_a_later_design() -> None:
    assert said(OLD.format("Target 1 card in play.").replace("8", "11"), NINTH) == words("""
        s/card.yaml:3:10: error: a card of the 11th Edition cannot be judged by the rules of the 9th Edition [K007]
          3 | edition: 11
            |          ^^
          hint: ask for the edition of its design or a later one
    """)


def test_a_design_of_the_other_game() -> None:
    assert said(MINION.format("Draw 2 cards."), ELEVENTH) == words("""
        s/card.yaml:3:12: error: a card of the 13th Edition cannot be played by the rules of the 11th Edition [K007]
          3 |   edition: 13
            |            ^^
          hint: the game of creatures became that of minions with the 12th
    """)


# --- what an import did not understand, and limits ---


def judged_by(rules: str) -> str:
    write(Path("s/editions"), {"10.yaml": rules})
    card = "name: A\nkind: spell\ncost: 11\ntext: Pay 15 hitpoints. Draw 13 cards.\n"
    (card_set,) = load_sets([write(Path("s"), {"set.yaml": "name: S\nedition: 10\n", "card.yaml": card})])
    return as_text(findings_by_rules([card_set]))


DOUBTFUL = """
    edition: 10
    terms: {minion: creature, sp: offense, hp: defense, level: cost}
    deck: {cards: 40}
    levels: {hp_share: 1/5, round: card, least_of_minion_ability: 1, least_of_spell_ability: 1}
    conditions: [{text: "Activate when you sneeze.", level: 1}]
    costs:
    - {text: "Pay {x} hitpoints.", level: x, limits: {x: 14}}
    targets: [{text: "Target this card.", t: 1}]
    effects:
    - {text: "Draw {x} cards.", level: 2x}
"""


def test_a_number_above_the_limit_of_its_edition() -> None:
    assert judged_by(DOUBTFUL) == words("""
        s/card.yaml:4:7: error: `Pay 15 hitpoints.` has the number 15, and at most 14 is allowed [K013]
          4 | text: Pay 15 hitpoints. Draw 13 cards.
            |       ^^^^^^^^^^^^^^^^^
          hint: the 10th Edition limits `Pay {x} hitpoints.`
    """)


def test_rules_of_which_an_import_did_not_understand_all() -> None:
    unread = "".join(f'    - {{section: {each}, line: 7, words: "?"}}\n' for each in ("levels", "redacted", "effects"))
    rules = DOUBTFUL.replace(", limits: {x: 14}", "")
    assert judged_by(f"{rules.rstrip(' ')}    unknown:\n{unread}") == words("""
        s/card.yaml:1:1: warning: cards of the 10th Edition are judged with doubt: its import did not understand all rules [K012]
          1 | name: A
            | ^^^^
          hint: see `unknown` in its file, line 7 of the page for `levels`, line 7 of the page for `redacted`: write it where it belongs
    """)
