"""How the number of a card comes about in each edition, as `kotc explain` shows it.

A change of the table shows as a diff of `tests/games/kotc/explained/NN.txt`. When it is meant, rewrite them with
`python -m tests.games.kotc.test_explained_editions`.
"""

import json
import tempfile
from pathlib import Path

import pytest

from render.games.kotc.levels.explain import Explained, as_text
from render.games.kotc.levels.rules import Rules, of_card
from render.games.kotc.sets import load_sets
from tests.support.messages import write

FOLDER = Path(__file__).parent / "explained"

SACRIFICE = "You must sacrifice 1 card in play to summon this creature.\n"
LAMP = (
    "LAMP: Activate when at least 2 of your cards in play (excluding this card) are destroyed. Exhaust 1 of your "
    "resources. Target up to 3 cards in play with at least 1 counter. Destroy all targets."
)
LOOK = (
    "Have one opponent look at exactly 5 cards on top of your deck and target up to 2 of those cards selected by that "
    "player. See all targets."
)
ACTION = "You must remove 3 counters from this card to attack with, defend with, or use an ability of this creature.\n"
OLD = (
    "Summon cost: Self-exhaust 3 creatures.\nLAMP: When you take at least 10 damage: Self-exhaust 1 resource, then "
    "target up to 3 level 4 or lower enemy creatures; destroy the targets, then draw 2 cards.\nHORN: Draw 1 card."
)
IN_PLAY = "LAMP: When you take damage: Self-exhaust 1 resource, also self-destroy 1 in-play card→ {}"
HAND = "See {} hand and target 1 card therein; down-level it by 1. Draw 1 card."
TARGETS = (
    "LAMP: {} 1 resource and self-destroy 1 {}→ Target up to 2 {}s; bounce the targets, also place 1 {} on each target."
)


def creature(cost: int, text: str) -> str:
    return f"- {{name: Keeper, kind: creature, cost: {cost}, offense: 2, defense: 11, text: {json.dumps(text)}}}\n"


def minion(level: int, text: str) -> str:
    return f"- {{name: Keeper, kind: minion, level: {level}, sp: 2, hp: 11, text: {json.dumps(text)}}}\n"


def spell(number: str, worth: int, text: str) -> str:
    return f"- {{name: Trade, kind: spell, {number}: {worth}, text: {json.dumps(text)}}}\n"


CARDS = {
    9: creature(10, SACRIFICE + LAMP) + spell("cost", 1, LOOK),
    10: creature(1, f"{ACTION}This card has no abilities.") + spell("cost", 1, "Draw 2 cards."),
    11: creature(4, OLD) + spell("cost", 1, "Target 1 in-play card; add 3 to its defense. Deal 4 cards."),
    12: minion(7, IN_PLAY.format(HAND.format("one opponent's"))) + spell("level", 1, "1-dice-heal yourself."),
    13: minion(11, IN_PLAY.format(HAND.format("enemy's"))) + spell("level", 2, "Draw 1 card."),
    14: minion(12, TARGETS.format("Self-exhaust", "in-play card", "in-play card", "Trap Counter"))
    + spell("level", 0, "Self-bury 4 random cards in your hand→ Draw 1 card."),
    15: minion(11, TARGETS.format("Self-bury", "in-play card", "in-play card", "Fatigue Counter"))
    + spell("level", 6, "Summon 2 level 3 pawns."),
    16: minion(10, TARGETS.format("Self-bury", "on-field minion", "on-field minion", "Fatigue Counter"))
    + spell("level", 5, "Remove 1 counter on this card→ Craft 2 level 3 pawns."),
    17: minion(9, TARGETS.format("Self-bury", "on-field minion", "on-field minion", "Medic Counter"))
    + spell("level", 2, "When this card is summoned (ghost-play): pay 2 HP→ 1-dice-wound enemy."),
}


def explained(number: int, folder: Path) -> str:
    """Return the tables of the edition's cards, and what `check` says of their numbers."""
    (card_set,) = load_sets([write(folder, {"set.yaml": f"name: S\nedition: {number}\n", "cards.yaml": CARDS[number]})])
    rules = Rules(folder)
    calculator = rules.of(number)
    assert calculator is not None
    tables = as_text([Explained(card, calculator.derive(card)) for card in card_set.cards])
    said = [f"{each.message}\n  {each.hint}\n" for card in card_set.cards for each in of_card(card, rules)]
    return "\n".join((tables, "", *said))


@pytest.mark.parametrize("number", CARDS)
def test_the_numbers_of_an_edition_are_explained(number: int, tmp_path: Path) -> None:
    assert explained(number, tmp_path) == (FOLDER / f"{number:02}.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    for each in CARDS:
        with tempfile.TemporaryDirectory() as folder:
            (FOLDER / f"{each:02}.txt").write_text(explained(each, Path(folder)), encoding="utf-8")
