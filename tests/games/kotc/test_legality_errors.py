"""Cards that an edition does not allow: exactly what their author reads."""

from pathlib import Path
from typing import Any

import pytest

from render.base.findings import as_text
from render.games.kotc.checking import findings_by_rules
from render.games.kotc.legality.legality import findings
from render.games.kotc.model.edition import Edition
from render.games.kotc.sets import load_sets
from tests.support.messages import assert_says, write
from tests.support.rulebooks import ELEVENTH, NINTH, SEVENTEENTH, TENTH

pytestmark = pytest.mark.usefixtures("in_empty_folder")

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


def said(card: str, edition: Edition) -> str:
    """Return all that the edition says of the card file `s/card.yaml`."""
    (card_set,) = load_sets([write(Path("s"), {"set.yaml": "name: Starter\n", "card.yaml": card})])
    return as_text(finding for each in card_set.cards for finding in findings(each, edition))


def test_nothing_is_said_of_a_legal_card() -> None:
    assert said(MINION.format("Draw 2 cards."), SEVENTEENTH) == ""


SAID: dict[str, tuple[Any, ...]] = {
    "a design before the clean slate": (
        MINION.format("Draw 2 cards.").replace("13", "12"),
        SEVENTEENTH,
        ["3:12 K002 a card of the 12th Edition is pruned in the 17th Edition"],
    ),
    "a text whose level was revised": (
        MINION.format("Target 1 on-field minion; silo it."),
        SEVENTEENTH,
        ["8:37 K003 the level of `silo it` was revised in the 16th Edition, the card is of the 13th"],
    ),
    "a text that is refurbished": (
        MINION.format("Target up to 4 in-play cards; destroy the targets."),
        SEVENTEENTH,
        ["8:26 K006 warning: `in-play cards` is refurbished in the 17th Edition (it now reads `on-field minions`)"],
    ),
    "a text that is refurbished in two steps": (
        MINION.format("When this in-play card is damaged: Draw 1 card."),
        SEVENTEENTH,
        ["8:11 K006 warning: `When this in-play card is damaged:` is refurbished in the 17th Edition"],
    ),
    "a text that is redacted": (
        OLD.format("Pay 5 hitpoints. Target 1 card in play."),
        NINTH,
        ["5:8 K005 `Pay 5 hitpoints.` is redacted (the 9th Edition does not allow `Pay {x} hitpoints.` on any card)"],
    ),
    "a text whose cost was revised": (
        OLD.format("Draw 1 card."),
        NINTH,
        ["5:8 K004 the cost of `Draw 1 card.` was revised in the 9th Edition, the card is of the 8th"],
    ),
    "a revised text": (
        OLD.format("Activate when you take damage. Draw 1 of them."),
        TENTH,
        ["5:8 K006 warning: `Activate when you take damage.` is revised in the 10th Edition"],
    ),
    "a design older than the clean slate of the 11th edition": (
        OLD.format("Draw 1 of them."),
        ELEVENTH,
        ["3:10 K002 a card of the 8th Edition is banned in the 11th Edition"],
    ),
    "a later design": (
        OLD.format("Target 1 card in play.").replace("8", "11"),
        NINTH,
        ["3:10 K007 a card of the 11th Edition cannot be judged by the rules of the 9th Edition"],
    ),
    "a design of the other game": (
        MINION.format("Draw 2 cards."),
        ELEVENTH,
        ["3:12 K007 a card of the 13th Edition cannot be played by the rules of the 11th Edition"],
    ),
}


@pytest.mark.parametrize("title", SAID)
def test_what_its_author_reads(title: str) -> None:
    *given, wanted = SAID[title]
    assert_says(said(*given), *wanted)


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
    assert_says(judged_by(DOUBTFUL), "4:7 K013 `Pay 15 hitpoints.` has the number 15, and at most 14 is allowed")


def test_rules_of_which_an_import_did_not_understand_all() -> None:
    unread = "".join(f'    - {{section: {each}, line: 7, words: "?"}}\n' for each in ("levels", "redacted", "effects"))
    rules = DOUBTFUL.replace(", limits: {x: 14}", "")
    assert_says(
        judged_by(f"{rules.rstrip(' ')}    unknown:\n{unread}"),
        "1:1 K012 warning: cards of the 10th Edition are judged with doubt: its import did not understand all rules",
    )
