"""Costs and levels up to the 11th Edition: those of official cards, and what the guides say of each part."""

from fractions import Fraction
from pathlib import Path

import pytest

from render.games.kotc.editions.finding import find
from render.games.kotc.levels.levels import LevelCalculator, LevelDerivation
from render.games.kotc.levels.rules import review
from render.games.kotc.levels.stretches import LevelFault
from render.games.kotc.sets import load_sets
from tests.support.level_cases import card
from tests.support.messages import write

CALCULATORS = {number: LevelCalculator(find(number)) for number in (9, 10, 11)}

# What is printed on official cards of the 9th Edition (CC0): their numbers and ability texts.
OFFICIAL = (Path(__file__).parent / "official_cards_of_the_9th.yaml").read_text(encoding="utf-8")

# Their author has owned that these three are misprinted. The guide says 8 - 4 of the first, 3 - 1 of the second, and
# 1 + 2 + 2 of the abilities of the third, whose caveat takes off all that its defense adds.
MISPRINTED = {"bloodborne-transmission": (6, 4), "show-of-aggression": (3, 2), "spirit-board": (4, 5)}


def derived(text: str, offense: int | None = None, defense: int | None = None, edition: int = 9) -> LevelDerivation:
    derivation = CALCULATORS[edition].derive(card(text, offense, defense, edition=edition))
    assert derivation is not None
    return derivation


def cost(text: str, offense: int | None = None, defense: int | None = None, edition: int = 9) -> int:
    """Return the cost of a creature or spell in whose text there is no flaw."""
    derivation = derived(text, offense, defense, edition)
    assert derivation.flaws == ()
    return derivation.level


def faults(text: str, offense: int | None = None, defense: int | None = None, edition: int = 9) -> list[LevelFault]:
    return [flaw.fault for flaw in derived(text, offense, defense, edition).flaws]


# --- official cards ---


def test_the_costs_of_official_cards_follow_from_the_guide_but_for_three_misprints(tmp_path: Path) -> None:
    (card_set,) = load_sets([write(tmp_path, {"set.yaml": "name: Official\nedition: 9\n", "cards.yaml": OFFICIAL})])
    told = {each.card: each.message for each in review(card_set)}
    assert told == {
        name: f"the cost of `{name}` is {worth}, not {printed}" for name, (printed, worth) in MISPRINTED.items()
    }


# --- up to the 10th Edition: the caveat, then the abilities, rounded up once ---


SACRIFICE = "You must sacrifice {} cards in play to summon this creature."


@pytest.mark.parametrize(
    ("text", "offense", "defense", "expected"),
    [
        # A creature adds a fifth of its defense, is rounded up once, and costs at least 1.
        ("This card has no abilities.", 1, 5, 2),
        ("", 1, 6, 3),
        ("This card has no abilities.", 0, 0, 1),
        ("This creature cannot attack.", 0, 5, 1),
        # 2 + 4/5 + 2/3 * 8 = 8 2/15: rounded one by one it would be 3 + 6.
        ("Target up to 2 cards in play with at least 2 counters. Destroy all targets.", 2, 4, 9),
        ("A: Target up to 1 card in play with at least 2 counters. Destroy all targets.", 2, 1, 5),
        # A caveat takes off offense and defense, and nothing of abilities.
        (SACRIFICE.format(3), 5, 25, 4),
        (f"{SACRIFICE.format(30)}\nA: Draw 2 cards.", 5, 25, 4),
        # An ability costs at least 1 after its reliefs.
        ("Exhaust 9 of your resources. Draw 1 card.", None, None, 1),
        ("A: Activate when this card is damaged, but not destroyed. Draw 1 card.\nB: Draw 2 cards.", 0, 0, 5),
        # Numbers of 1 are singular, and `up to` stays.
        ("Activate when at least 1 card in your hand is destroyed. Draw 1 card.", None, None, 1),
        ("Activate when at least 2 cards in your hand are destroyed. Draw 4 cards.", None, None, 6),
        ("Target up to 1 card in play. Exhaust all targets.", None, None, 2),
    ],
)
def test_what_a_card_of_the_9th_edition_costs(
    text: str, offense: int | None, defense: int | None, expected: int
) -> None:
    assert cost(text, offense, defense) == expected


def test_a_quotient_of_squares() -> None:
    look = "Have one opponent look at exactly 7 cards on top of their own deck and target up to 2 of those cards "
    assert derived(f"{look}selected by that player. Destroy all targets.").value == Fraction(32, 7)


def test_the_caveats_that_only_the_10th_edition_has() -> None:
    text = "If this in-play creature is unexhausted at the end of your own Battle Phase, destroy this creature."
    assert cost(text, 3, 0, edition=10) == 1
    assert faults(text, 3, 0) == [LevelFault.UNKNOWN]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Destroy all targets.", [LevelFault.NO_TARGETS]),
        ("Exhaust 1 of your resources. Pay 3 hitpoints. Draw 1 card.", [LevelFault.UNKNOWN, LevelFault.COSTS]),
        ("Draw 2 cards. Target this card. Exhaust all targets.", [LevelFault.UNKNOWN, LevelFault.NO_TARGETS]),
        ("Target this card. Target up to 2 cards in play. See all targets.", [LevelFault.UNKNOWN]),
        ("Draw 2 cards.\nDraw 2 cards.", [LevelFault.ABILITIES]),
        ("Target up to 2 cards in play.", [LevelFault.NO_EFFECT]),
        ("Activate when this in-play card is destroyed.", [LevelFault.NO_EFFECT]),
        ("Draw 2 cards and pass.", [LevelFault.UNKNOWN]),
        ("Draw 2 cards, then draw 2 cards.", [LevelFault.UNKNOWN]),
    ],
)
def test_what_does_not_follow_the_guide_of_the_9th(text: str, expected: list[LevelFault]) -> None:
    assert faults(text) == expected


# --- the 11th Edition: conditions give a factor, costs and targets end in semicolons ---


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Draw 3 cards.", Fraction(3)),
        ("When this in-play card is destroyed: Draw 3 cards.", Fraction(3, 2)),
        ("When at least 4 of your in-play cards (excluding this card) are destroyed: draw 3 cards.", Fraction(3, 4)),
        ("When you take at least 5 damage: Draw 3 cards, then deal 6 cards.", Fraction(3)),
        ("Self-exhaust 3 resources; Draw 3 cards.", Fraction(3, 2)),
        ("Self-exhaust 3 resources; Target 1 in-play card; Destroy the target. Draw 3 cards.", Fraction(7, 2)),
        ("Self-exhaust 1 resource, then target this card; add 2 to its offense.", Fraction(1, 12)),
        (
            "Excavate 3 cards and target up to 2 excavated cards; silo the targets, also exhaust the targets.",
            Fraction(49, 4),
        ),
        ("Target up to 2 level 4 or lower enemy creatures; Destroy the targets.", Fraction(2, 3)),
        ("Target 1 level 4 or lower enemy creature; batch subtract 3 from the targets' offense.", Fraction(19, 24)),
        ("When this card is damaged, but not destroyed: 4-dice-burn yourself and one opponent.", Fraction(8, 3)),
        ("You may re-roll up to 1 die this turn. (Any die.)", Fraction(1, 4)),
    ],
)
def test_what_an_ability_of_the_11th_edition_is_worth(text: str, value: Fraction) -> None:
    derivation = derived(text, edition=11)
    assert derivation.flaws == ()
    assert [each.value for each in derivation.abilities] == [value]


def test_caveats_of_the_11th_edition() -> None:
    assert cost("Summon cost: Self-destroy 1 in-play card.\nA: Draw 2 cards.", 2, 5, edition=11) == 3
    assert cost("Berzerker. (Destroyed if unexhausted at the end of your own Battle Phase.)", 2, 6, edition=11) == 2
    assert cost("Cannot attack.", 0, 1, edition=11) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Self-exhaust 1 resource, then draw 1 card.", [LevelFault.UNKNOWN]),
        ("Target 1 level 10 or lower enemy creature; destroy it.", [LevelFault.NO_VALUE]),
        ("Target 1 level 12 or lower enemy creature; destroy it.", [LevelFault.NO_VALUE]),
        ("When you frown: Target 1 in-play card; destroy it.", [LevelFault.UNKNOWN]),
        ("Draw 3 cards; Draw 1 card.", [LevelFault.UNKNOWN]),
        ("Activate when you take at least 5 damage. Draw 1 card.", [LevelFault.UNKNOWN]),
    ],
)
def test_what_does_not_follow_the_guide_of_the_11th(text: str, expected: list[LevelFault]) -> None:
    assert faults(text, edition=11) == expected
