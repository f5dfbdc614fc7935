"""Components become the words that a guide asks for, and are found again in the words."""

import pytest

from render.games.kotc.composing import (
    AbilityPlan,
    AbilityWriter,
    SubAbilityPlan,
    TextPlan,
    plan_of,
    speaking_of_one,
    targets_one,
)
from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.editions.wording import TargetForm
from render.games.kotc.languages.vocabulary import ComponentUse
from render.games.kotc.model.edition import Component, Edition, Role
from render.games.kotc.sets import load_sets
from tests.support.level_cases import EDITION, RECKONER, card
from tests.support.repository import ROOT


def chosen(text: str, *numbers: int, edition: Edition = EDITION) -> ComponentUse:
    """Return the component with that text, and the numbers of its variables in order."""
    found = next(each for each in edition.components if each.text == text)
    return ComponentUse(found, tuple(zip("xyz", numbers, strict=False)))


def written(ability: AbilityPlan, edition: int = 17) -> str:
    return AbilityWriter(usual_grammar(edition)).ability(ability)


DRAW, BOUNCE = "draw {x} cards", "bounce the targets"
MINIONS, DICE = "Target up to {x} on-field minions", "place {x} Dice Counters on each target"


def sentence(effects: list[ComponentUse], target: ComponentUse | None = None) -> SubAbilityPlan:
    return speaking_of_one(SubAbilityPlan(tuple(effects), target))


@pytest.mark.parametrize(
    ("costs", "expected"),
    [
        ([], "Draw 1 card."),
        (["self-exhaust {x} resources"], "Self-exhaust 1 resource→ Draw 1 card."),
        (
            ["self-exhaust {x} resources", "self-bury {x} cards in your hand"],
            "Self-exhaust 1 resource and self-bury 1 card in your hand→ Draw 1 card.",
        ),
        (
            ["self-exhaust {x} resources", "self-bounce {x} on-field minions", "remove {x} counters on this card"],
            "Self-exhaust 1 resource, self-bounce 1 on-field minion, and remove 1 counter on this card→ Draw 1 card.",
        ),
    ],
)
def test_costs_are_a_list_with_one_arrow_and_one_capital(costs: list[str], expected: str) -> None:
    plan = AbilityPlan(
        sub_abilities=(sentence([chosen(DRAW, 1)]),), costs=tuple(chosen(text, 1) for text in costs), name=""
    )
    assert written(plan) == expected


def test_a_cost_behind_a_condition_has_no_capital() -> None:
    plan = AbilityPlan(
        sub_abilities=(sentence([chosen(DRAW, 2)]), sentence([chosen("{x}-dice-heal yourself", 3)])),
        condition=chosen("When you take damage"),
        costs=(chosen("pay {x} HP", 4),),
        name="GREED",
        tutorial="Pay first.",
    )
    assert written(plan) == "GREED: When you take damage: pay 4 HP→ Draw 2 cards. 3-dice-heal yourself. (Pay first.)"


@pytest.mark.parametrize(
    ("number", "effects", "expected"),
    [
        (1, [chosen(BOUNCE)], "Target 1 on-field minion; bounce it."),
        (2, [chosen(BOUNCE)], "Target up to 2 on-field minions; bounce the targets."),
        (
            1,
            [chosen(BOUNCE), chosen(DICE, 2)],
            "Target 1 on-field minion; bounce it, then place 2 Dice Counters on it.",
        ),
        (1, [chosen(DRAW, 1), chosen(BOUNCE)], "Target 1 on-field minion; draw 1 card, then bounce the target."),
        (1, [chosen(DRAW, 2), chosen(BOUNCE)], "Target 1 on-field minion; draw 2 cards, then bounce it."),
        (
            1,
            [chosen("remove up to {x} counters on each target", 1)],
            "Target 1 on-field minion; remove up to 1 counter on it.",
        ),
    ],
)
def test_one_target_is_it_unless_that_could_be_another_thing(
    number: int, effects: list[ComponentUse], expected: str
) -> None:
    plan = AbilityPlan(sub_abilities=(sentence(effects, chosen(MINIONS, number)),))
    assert written(plan) == expected


@pytest.mark.parametrize(
    ("text", "numbers", "one"),
    [
        ("Target this card", (), True),
        (MINIONS, (1,), True),
        (MINIONS, (2,), False),
        ("Excavate {x} cards and target up to {y} excavated cards", (6, 1), True),
        ("Excavate {x} cards and target up to {y} excavated cards", (1, 2), False),
        ("Target all level {x} or lower on-field minions", (1,), False),
    ],
)
def test_the_most_targets_decide_whether_there_is_one(text: str, numbers: tuple[int, ...], one: bool) -> None:
    assert targets_one(chosen(text, *numbers)) is one


OLD = {
    "condition": Component(role=Role.CONDITION, text="When at least {x} cards in your hand are destroyed"),
    "cost": Component(role=Role.COST, text="Self-exhaust {x} resources"),
    "target": Component(role=Role.TARGET, text="Target up to {x} in-play cards"),
    "effect": Component(role=Role.EFFECT, text="Destroy the targets"),
    "caveat": Component(role=Role.CAVEAT, text="Cannot attack."),
}


def one_of_each(suffix: str = "") -> TextPlan:
    def one(role: str, form: TargetForm = TargetForm.MANY) -> ComponentUse:
        component = OLD[role]
        numbers = (("x", 1),) if "{x}" in component.text else ()
        stopped = Component(role=component.role, text=f"{component.text}{suffix}")
        return ComponentUse(stopped, numbers, form)

    ability = AbilityPlan(
        sub_abilities=(SubAbilityPlan((one("effect", TargetForm.MANY if suffix else TargetForm.ONE),), one("target")),),
        condition=one("condition"),
        costs=(one("cost"),),
        name="LOSS",
    )
    return TextPlan((ability,), ComponentUse(OLD["caveat"]))


def test_in_the_11th_edition_colons_semicolons_and_full_stops_end_what_begins_with_a_capital() -> None:
    assert AbilityWriter(usual_grammar(11)).text(one_of_each()) == (
        "Cannot attack.\nLOSS: When at least 1 card in your hand is destroyed: Self-exhaust 1 resource; "
        "Target 1 in-play card; Destroy the target."
    )


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (1, "Target 1 in-play card; Add 3 to its offense."),
        (2, "Target up to 2 in-play cards; Batch add 3 to the targets' offense."),
    ],
)
def test_in_the_11th_edition_one_target_is_no_batch(number: int, expected: str) -> None:
    batch = Component(role=Role.EFFECT, text="Batch add {x} to the targets' offense")
    target = ComponentUse(OLD["target"], (("x", number),))
    assert written(AbilityPlan(sub_abilities=(sentence([ComponentUse(batch, (("x", 3),))], target),)), 11) == expected


def test_up_to_the_10th_edition_all_components_are_sentences() -> None:
    assert AbilityWriter(usual_grammar(10)).text(one_of_each(".")) == (
        "Cannot attack.\nLOSS: When at least 1 card in your hand is destroyed. Self-exhaust 1 resource. "
        "Target up to 1 in-play card. Destroy the targets."
    )


def test_up_to_the_13th_edition_costs_are_joined_by_also() -> None:
    costs = (chosen("self-exhaust {x} resources", 1), chosen("self-bury {x} resources", 2))
    plan = AbilityPlan(sub_abilities=(sentence([chosen(DRAW, 1)]),), costs=costs)
    assert written(plan, 13) == "Self-exhaust 1 resource, also self-bury 2 resources→ Draw 1 card."


def test_every_text_of_the_starter_deck_is_written_again_from_its_components() -> None:
    for starter in load_sets([ROOT / "cards" / "starter"]):
        for each in starter.cards:
            derivation = RECKONER.derive(each)
            if derivation is not None and each.edition == 17:
                plan = plan_of(each.text, derivation)
                assert plan is not None
                assert AbilityWriter(usual_grammar(17)).text(plan) == each.text.strip(), each.id


def test_a_text_with_words_that_are_no_component_has_no_plan() -> None:
    derivation = RECKONER.derive(card("Frobnicate 2 cards."))
    assert derivation is not None
    assert plan_of("Frobnicate 2 cards.", derivation) is None
