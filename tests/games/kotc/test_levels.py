"""Levels and Ultra Points of the 17th Edition: those of the official cards, and of every component of its guide."""

from fractions import Fraction
from pathlib import Path

import pytest

from render.games.kotc.editions.finding import find
from render.games.kotc.levels.levels import LevelCalculator
from render.games.kotc.levels.rules import review
from render.games.kotc.levels.stretches import LevelFault
from render.games.kotc.model.cards import Card, Kind
from render.games.kotc.model.edition import Component, Role
from render.games.kotc.sets import load_sets
from tests.support.level_cases import (
    EDITION,
    RECKONER,
    card,
    components,
    derived,
    numbers_of,
    printed,
    spell_level,
    value,
)
from tests.support.messages import SET, write
from tests.support.repository import ROOT

CARDS = ROOT / "cards"
(STARTER,) = load_sets([CARDS / "starter"])

# --- official cards ---


HAMMER = "When this card attacks, after Attack Formation (ghost-play): Target 1 on-field minion; destroy it."


@pytest.mark.parametrize(
    ("text", "sp", "hp", "numbers"),
    [
        (f"THOR'S HAMMER: {HAMMER}", 4, 6, (9, 0)),
        ("Target up to 2 on-field minions; destroy the targets.", None, None, (4, 0)),
        ("2-dice-heal yourself. (Roll 2 dice and gain HP equal to the result.)", None, None, (2, 0)),
        ("Target all level 4 or lower on-field minions; destroy the targets.", None, None, (8, 2)),
        ("", 1, 2, (2, 0)),
    ],
    ids=["Thor", "Tornado", "Antibiotic", "Asteroid Impact", "Microraptor"],
)
def test_official_cards_have_the_numbers_that_are_printed_on_them(
    text: str, sp: int | None, hp: int | None, numbers: tuple[int, int]
) -> None:
    assert numbers_of(text, sp=sp, hp=hp) == numbers


@pytest.mark.parametrize(
    "card", [card for card in STARTER.cards if card.kind is not Kind.TIP], ids=lambda card: card.id
)
def test_the_starter_deck_has_the_numbers_that_are_printed_on_it(card: Card) -> None:
    derivation = RECKONER.derive(card)
    if card.kind is Kind.PAWN:  # its SP and HP are written on it when it is crafted
        assert derivation is None
        return
    assert derivation is not None
    assert derivation.flaws == ()
    assert (derivation.level, derivation.ultra_points) == (card.level, card.ultra_points)


# --- every component by itself ---


def named(component: Component) -> str:
    return component.text


NUMBERS = [{"x": 1, "y": 1, "z": 1}, {"x": 2, "y": 3, "z": 4}, {"x": 5, "y": 2, "z": 7}]


@pytest.mark.parametrize("component", components(Role.CONDITION), ids=named)
def test_a_condition_adds_no_level(component: Component) -> None:
    text = f"{printed(component, {}, starts=True)}: Draw 1 card."
    assert numbers_of(text) == (2, component.ultra_points)
    assert numbers_of(f"NAME: {text}", sp=0, hp=0) == (2, component.ultra_points)


@pytest.mark.parametrize("component", components(Role.COST), ids=named)
@pytest.mark.parametrize("numbers", NUMBERS, ids=str)
def test_a_cost_takes_its_formula_off(component: Component, numbers: dict[str, int]) -> None:
    expected = spell_level(40 - value(component, numbers)), component.ultra_points
    first = printed(component, numbers, starts=True)
    assert numbers_of(f"{first}→ Draw 20 cards.") == numbers_of(f"{first}-> Draw 20 cards.") == expected
    behind_a_condition = f"When you take damage: {printed(component, numbers)}→ Draw 20 cards."
    assert numbers_of(behind_a_condition) == expected


@pytest.mark.parametrize("component", components(Role.TARGET), ids=named)
@pytest.mark.parametrize("numbers", NUMBERS, ids=str)
def test_a_target_selection_gives_its_targets_to_the_effect(component: Component, numbers: dict[str, int]) -> None:
    text = f"{printed(component, numbers, starts=True)}; bury the targets."
    assert numbers_of(text) == (spell_level(4 * value(component, numbers)), component.ultra_points)


@pytest.mark.parametrize("component", components(Role.EFFECT), ids=named)
@pytest.mark.parametrize("numbers", NUMBERS, ids=str)
def test_an_effect_adds_its_formula(component: Component, numbers: dict[str, int]) -> None:
    one, three = value(component, numbers, Fraction(1)), value(component, numbers, Fraction(3))
    many = f"Target up to 3 on-field minions; {printed(component, numbers)}."
    single = f"Target 1 on-field minion; {printed(component, numbers, single=True)}."
    assert numbers_of(many) == (spell_level(three), component.ultra_points)
    assert numbers_of(single) == (spell_level(one), component.ultra_points)
    if one == three:  # it is on no targets and can begin a sentence
        assert numbers_of(f"{printed(component, numbers, starts=True)}.") == (spell_level(one), component.ultra_points)


def test_every_component_has_a_test() -> None:
    tested = [component for role in Role for component in components(role)]
    assert len(tested) == len(EDITION.components) >= 80


# --- how components come together ---


SILO = "Self-exhaust 1 resource→ Target 1 on-field minion; conscript it."
HALF = "Target 1 on-field minion; conscript it. Draw 1 card."
SHIELDS = "conscript the targets, then place 1 Shield Counter on each target, also draw 1 card"
RANDOM = "self-sheathe 1 random card in your hand"


@pytest.mark.parametrize(
    ("text", "sp", "hp", "numbers"),
    [
        # Two costs are joined by `and`, three are a list, effects are joined by `then` and `also`.
        ("Self-exhaust 2 resources and self-bury 1 card in your hand→ Draw 2 cards.", None, None, (2, 0)),
        (f"Self-exhaust 1 resource, self-destroy 1 on-field minion, and {RANDOM}→ Draw 3 cards.", None, None, (3, 0)),
        (f"Target up to 2 on-field minions; {SHIELDS}.", None, None, (5, 0)),
        # Each sentence has targets of its own.
        (
            "Target 1 on-field minion; destroy it. Target up to 3 cards in your grave; bounce the targets. Draw 1 card.",
            None, None, (10, 1),
        ),
        # A spell may be of level 0, and the ability of a minion is of 1 at least.
        ("Self-bury 4 resources→ Draw 1 card.", None, None, (0, 0)),
        ("NAME: Self-bury 4 resources→ Draw 1 card.", 2, 2, (4, 0)),
        # An ability is rounded up after its costs are off, each by itself.
        (SILO, None, None, (0, 0)),
        (f"{SILO} Target 1 on-field minion; distract it.", None, None, (1, 0)),
        (f"ONE: {HALF}\nTWO: {HALF}", 0, 1, (1 + 3 + 3, 0)),
        # Tutorial text has no level; half of the HP is rounded up.
        ("NAME: Draw 1 card. (Draw 9 cards.)\n(It is yours.)", 0, 0, (2, 0)),
        *(("", 1, hp, (level, 0)) for hp, level in enumerate((1, 2, 2, 3, 3))),
    ],
)  # fmt: skip
def test_how_components_come_together(text: str, sp: int | None, hp: int | None, numbers: tuple[int, int]) -> None:
    assert numbers_of(text, sp=sp, hp=hp) == numbers


def test_curly_quotes_and_arrows_of_two_characters_are_understood() -> None:
    assert numbers_of("See enemy’s hand and target 1 card therein; silo it.") == (4, 0)
    assert numbers_of("Self-exhaust 2 resources -> Draw 1 card.") == (1, 0)


# --- flaws ---


def faults(text: str, sp: int | None = None) -> list[tuple[LevelFault, str]]:
    return [(flaw.fault, flaw.words.text) for flaw in derived(text, sp, sp).flaws]


@pytest.mark.parametrize(
    ("text", "sp", "fault", "words"),
    [
        (
            "When it rains: dance 1 jig and pay 1 HP→ Pick 1 card; fry it, then draw 1 card.",
            None, LevelFault.UNKNOWN, ["When it rains", "dance 1 jig", "Pick 1 card", "fry it"],
        ),
        (
            "Target 1 on-field minion; draw 1 card. Destroy the targets.",
            None, LevelFault.NO_TARGETS, ["Destroy the targets"],
        ),
        ("Draw 0 cards.", None, LevelFault.UNKNOWN, ["Draw 0 cards"]),
        ("IDLE:", 1, LevelFault.NO_EFFECT, ["IDLE:"]),
        ("Draw 1 card.\nDraw 2 cards.\nDraw 3 cards.", None, LevelFault.ABILITIES, ["Draw 2 cards.\nDraw 3 cards."]),
        ("(Nothing happens.)", None, LevelFault.NO_ABILITY, ["(Nothing happens.)"]),
    ],
)  # fmt: skip
def test_words_from_which_no_level_follows_are_flaws(
    text: str, sp: int | None, fault: LevelFault, words: list[str]
) -> None:
    assert faults(text, sp) == [(fault, each) for each in words]


def test_flaws_stand_where_their_words_do() -> None:
    text = "ONE: Draw 1 card.\nTWO: Draw 1 card. Fry 1 egg, then boil 1 egg, also boil 1 egg."
    assert [text[flaw.words.start : flaw.words.end] for flaw in derived(text, 1, 1).flaws] == [
        "Fry 1 egg", "boil 1 egg", "boil 1 egg",
    ]  # fmt: skip


def test_pieces_stand_where_their_words_do() -> None:
    text = "ONE: Pay 1 HP and pay 2 HP→ Draw 1 card.\nTWO: Target this card; clone it, then draw 1 card."
    pieces = [piece for each in derived(text, 1, 1).abilities for piece in each.pieces]
    assert [text[piece.words.start : piece.words.end] for piece in pieces] == [piece.words.text for piece in pieces]
    assert len(pieces) == 6


# --- numbers that are left to the rules ---


def test_auto_is_worked_out_when_a_set_is_loaded(tmp_path: Path) -> None:
    cards = """
        - {name: Dawn, kind: spell, level: auto, ultra_points: auto, text: 1-dice-wound enemy.}
        - {name: Dusk, kind: spell, level: 7, ultra_points: auto, text: 1-dice-wound enemy.}
        - {name: Ant, kind: minion, level: auto, sp: 1, hp: 3}
        - {name: Soldier, kind: pawn, level: auto, sp: 1, hp: 2}
    """
    (card_set,) = load_sets([write(tmp_path, {"set.yaml": SET, "cards.yaml": cards})])
    numbers = {card.name: (card.level, card.ultra_points) for card in card_set.cards}
    assert numbers == {"Dawn": (2, 2), "Dusk": (7, 2), "Ant": (3, 0), "Soldier": (2, 0)}


RULES = """
    edition: 18
    terms: {minion: minion, sp: SP, hp: HP, level: level}
    deck: {cards: 40-60, ultra_points: 10}
    levels: {hp_share: 1/5, least_of_minion_ability: 2, least_of_spell_ability: 1}
    costs:
    - {text: "sing {x} songs and dance", level: 2x}
    effects:
    - {text: "draw {x} cards", level: 3x}
    - {text: "draw {x} cards, then rest", level: x/2}
"""


FACTORS = """
    edition: 18
    terms: {minion: minion, sp: SP, hp: HP, level: level}
    deck: {cards: 40-60}
    levels: {hp_share: 1/2, least_of_minion_ability: 1, least_of_spell_ability: 0}
    conditions:
    - {text: "When you frown", a: 1/3}
    - {text: "When you smile", level: 2}
    - {text: "When you rest"}
    effects:
    - {text: "draw {x} cards", level: 3ax}
"""


def test_a_later_edition_may_bring_back_factors_and_relief_of_conditions(tmp_path: Path) -> None:
    write(tmp_path / "editions", {"18.yaml": FACTORS})
    calculator = LevelCalculator(find(18, tmp_path))
    texts = (
        "Draw 2 cards.",
        "When you frown: Draw 2 cards.",
        "When you smile: Draw 2 cards.",
        "When you rest: Draw 2 cards.",
    )
    found = [calculator.derive(card(text, edition=18)) for text in texts]
    assert [each and (each.level, each.flaws) for each in found] == [(6, ()), (2, ()), (4, ()), (6, ())]


def test_the_rules_of_another_edition_beside_the_set_are_its_own(tmp_path: Path) -> None:
    cards = """
        - {name: Ant, kind: minion, level: auto, sp: 1, hp: 6, text: "REST: Draw 1 card, then rest."}
        - {name: Choir, kind: spell, level: auto, text: "Sing 1 song and dance→ Draw 1 card, then draw 2 cards."}
        - {name: Solo, kind: spell, level: auto, text: "Sing 1 song and dance and sing 9 songs and dance→ Draw 1 card."}
    """
    write(tmp_path / "editions", {"18.yaml": RULES})
    (card_set,) = load_sets([write(tmp_path, {"set.yaml": SET.replace("17", "18"), "cards.yaml": cards})])
    assert {card.name: card.level for card in card_set.cards} == {"Ant": 5, "Choir": 7, "Solo": 1}
    assert review(card_set) == []
