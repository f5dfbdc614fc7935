"""Levels and Ultra Points of the 17th Edition: those of the official cards, and of every component of its guide."""

from __future__ import annotations

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


def test_thor_is_of_level_9() -> None:
    text = (
        "THOR'S HAMMER: When this card attacks, after Attack Formation (ghost-play): Target 1 on-field minion; "
        "destroy it."
    )
    assert numbers_of(text, sp=4, hp=6) == (9, 0)


def test_tornado_is_of_level_4() -> None:
    assert numbers_of("Target up to 2 on-field minions; destroy the targets.") == (4, 0)


def test_antibiotic_is_of_level_2() -> None:
    assert numbers_of("2-dice-heal yourself. (Roll 2 dice and gain HP equal to the result.)") == (2, 0)


def test_asteroid_impact_is_of_level_8_with_2_ultra_points() -> None:
    assert numbers_of("Target all level 4 or lower on-field minions; destroy the targets.") == (8, 2)


def test_microraptor_is_of_level_2() -> None:
    assert numbers_of("", sp=1, hp=2) == (2, 0)


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


def test_two_costs_are_joined_by_and() -> None:
    assert numbers_of("Self-exhaust 2 resources and self-bury 1 card in your hand→ Draw 2 cards.") == (2, 0)


def test_three_costs_are_a_list() -> None:
    costs = "Self-exhaust 1 resource, self-destroy 1 on-field minion, and self-sheathe 1 random card in your hand"
    assert numbers_of(f"{costs}→ Draw 3 cards.") == (3, 0)


def test_effects_are_joined_by_then_and_also() -> None:
    text = "Target up to 2 on-field minions; conscript the targets, then place 1 Shield Counter on each target, also "
    assert numbers_of(f"{text}draw 1 card.") == (5, 0)


def test_each_sentence_has_targets_of_its_own() -> None:
    text = "Target 1 on-field minion; destroy it. Target up to 3 cards in your grave; bounce the targets. Draw 1 card."
    assert numbers_of(text) == (10, 1)


def test_a_spell_may_be_of_level_0_and_the_ability_of_a_minion_is_at_least_1() -> None:
    text = "Self-bury 4 resources→ Draw 1 card."
    assert numbers_of(text) == (0, 0)
    assert numbers_of(f"NAME: {text}", sp=2, hp=2) == (4, 0)


def test_an_ability_is_rounded_up_after_its_costs_are_off() -> None:
    text = "Self-exhaust 1 resource→ Target 1 on-field minion; conscript it."
    assert numbers_of(text) == (0, 0)
    assert numbers_of(f"{text} Target 1 on-field minion; distract it.") == (1, 0)


def test_each_ability_of_a_minion_is_rounded_up_by_itself() -> None:
    half = "Target 1 on-field minion; conscript it. Draw 1 card."
    assert numbers_of(f"ONE: {half}\nTWO: {half}", sp=0, hp=1) == (1 + 3 + 3, 0)


def test_half_of_the_hp_is_rounded_up() -> None:
    assert [numbers_of("", sp=1, hp=hp)[0] for hp in range(5)] == [1, 2, 2, 3, 3]


def test_tutorial_text_has_no_level() -> None:
    assert numbers_of("NAME: Draw 1 card. (Draw 9 cards.)\n(It is yours.)", sp=0, hp=0) == (2, 0)


def test_curly_quotes_and_arrows_of_two_characters_are_understood() -> None:
    assert numbers_of("See enemy’s hand and target 1 card therein; silo it.") == (4, 0)
    assert numbers_of("Self-exhaust 2 resources -> Draw 1 card.") == (1, 0)


# --- flaws ---


def faults(text: str, sp: int | None = None) -> list[tuple[LevelFault, str]]:
    return [(flaw.fault, flaw.words.text) for flaw in derived(text, sp, sp).flaws]


def test_unknown_words_are_a_flaw_in_every_role() -> None:
    text = "When it rains: dance 1 jig and pay 1 HP→ Pick 1 card; fry it, then draw 1 card."
    expected = ["When it rains", "dance 1 jig", "Pick 1 card", "fry it"]
    assert faults(text) == [(LevelFault.UNKNOWN, words) for words in expected]


def test_an_effect_on_targets_needs_a_target_selection_in_its_sentence() -> None:
    text = "Target 1 on-field minion; draw 1 card. Destroy the targets."
    assert faults(text) == [(LevelFault.NO_TARGETS, "Destroy the targets")]


def test_the_number_0_is_no_number_of_a_component() -> None:
    assert faults("Draw 0 cards.") == [(LevelFault.UNKNOWN, "Draw 0 cards")]


def test_an_ability_does_something() -> None:
    assert faults("IDLE:", sp=1) == [(LevelFault.NO_EFFECT, "IDLE:")]


def test_a_spell_has_one_ability() -> None:
    assert faults("Draw 1 card.\nDraw 2 cards.\nDraw 3 cards.") == [
        (LevelFault.ABILITIES, "Draw 2 cards.\nDraw 3 cards.")
    ]
    assert faults("(Nothing happens.)") == [(LevelFault.NO_ABILITY, "(Nothing happens.)")]


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
