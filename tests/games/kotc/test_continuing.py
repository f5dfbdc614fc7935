"""`kotc suggest --begin`: how the beginning of an ability may go on."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from render.games.kotc.composing import AbilityWriter
from render.games.kotc.editions.finding import find
from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.editions.wording import TargetForm
from render.games.kotc.workshop.suggestions.continuing import continuations
from tests.support.ability_plans import random_ability
from tests.support.laws import costly
from tests.support.level_cases import EDITION
from tests.support.sets import kotc


@pytest.mark.parametrize(
    ("begun", "texts"),
    [
        ("Excavate 3 cards and", ["Excavate 3 cards and target up to y excavated cards"]),
        ("see enemy’s h", ["see enemy’s hand and target up to x cards therein"]),
        ("GREED: When you t", ["GREED: When you take damage"]),
        ("Self-bury 1 resource and self-bounce", ["Self-bury 1 resource and self-bounce x on-field minions"]),
        ("Target 1 on-field minion; petrify", ["Target 1 on-field minion; petrify it"]),
        ("Target this card; petrify the t", ["Target this card; petrify the target"]),
        ("Target up to 2 cards in your hand; silo", ["Target up to 2 cards in your hand; silo the targets"]),
        ("Draw 1 card, then dr", ["Draw 1 card, then draw x cards"]),
        ("Pay 2 HP→ Draw 1 card. Craft 1", ["Pay 2 HP→ Draw 1 card. Craft 1 level y pawn"]),
        ("petrify", []),  # without a target selection
        ("Frobnicate", []),
    ],
)
def test_a_beginning_goes_on_as_components_do(begun: str, texts: list[str]) -> None:
    assert [each.text for each in continuations(begun, EDITION)] == texts


@pytest.mark.parametrize(
    ("edition", "begun", "texts"),
    [
        (9, "Activate when you t", ["Activate when you take at least x damage."]),
        (9, "Target this card. See a", ["Target this card. See all targets."]),
        (9, "Target this card. See all targets. Dr", ["Target this card. See all targets. Draw x cards."]),
        (9, "See a", []),  # without a target selection
        (9, "This creature cannot a", ["This creature cannot attack."]),
        (10, "This creature cannot attack.\nWOOF: Dra", ["This creature cannot attack.\nWOOF: Draw x cards."]),
        (11, "Target 1 in-play card; des", ["Target 1 in-play card; destroy it"]),
        (11, "When you take at least 2 damage: Gain", ["When you take at least 2 damage: Gain x HP"]),
        (11, "Target up to 2 in-play cards; Destroy the targets. Si", None),
        (11, "Frobnicate", []),
    ],
)
def test_older_editions_go_on_by_their_own_grammar(edition: int, begun: str, texts: list[str] | None) -> None:
    expected = [f"{begun[:-2]}Silo the targets"] if texts is None else texts
    assert [each.text for each in continuations(begun, find(edition))] == expected


@costly
@given(st.randoms(use_true_random=False), st.floats(0, 1), st.sampled_from([9, 10, 11]))
def test_every_beginning_of_an_older_ability_goes_on_as_it_was(chance: random.Random, part: float, number: int) -> None:
    edition = find(number)
    plan, writer = random_ability(edition, chance), AbilityWriter(usual_grammar(number))
    if not writer.grammar.one_target:
        (sentence,) = plan.sub_abilities
        many = tuple(replace(each, form=TargetForm.MANY) for each in sentence.effects)
        plan = replace(plan, sub_abilities=(replace(sentence, effects=many),))
    text, last = writer.ability(plan), plan.sub_abilities[-1].effects[-1]
    words = writer.words(last)
    start = len(text) - len(words.rstrip(".")) - 1
    least = max((at + 1 for at, char in enumerate(words) if char.isdigit()), default=1)
    cut = min(start + max(least, round(part * len(words))), len(text) - 1)
    assert last.component in [each.component for each in continuations(text[:cut], edition)], text[:cut]


@costly
@given(st.randoms(use_true_random=False), st.floats(0, 1))
def test_every_beginning_of_an_ability_goes_on_as_it_was(chance: random.Random, part: float) -> None:
    """A component that is half written is among those that are offered, with its own number."""
    ability = random_ability(EDITION, chance)
    text = AbilityWriter(usual_grammar(17)).ability(ability).rstrip(".")
    last = ability.sub_abilities[-1].effects[-1]
    words = AbilityWriter(usual_grammar(17)).words(last)
    start = text.lower().rindex(words.lower())
    # As far as the last number, so that none is missing.
    least = max((at + 1 for at, char in enumerate(words) if char.isdigit()), default=1)
    cut = start + max(least, round(part * len(words)))
    assert last.component in [each.component for each in continuations(text[:cut], EDITION)], text[:cut]


def test_formulas_stand_behind_the_texts() -> None:
    said = kotc("suggest", "--edition", 17, "--begin", "Target 1 on-field minion; place 2 S").stdout
    assert said == (
        "Target 1 on-field minion; place 2 Sword Counters on it  [+xt]\n"
        "Target 1 on-field minion; place 2 Shield Counters on it  [+xt]\n"
    )
    assert kotc("suggest", "--edition", 17, "--begin", "pay").stdout == "pay x HP  [-x/4, 1 Ultra Point]\n"


def test_programs_get_roles_and_formulas() -> None:
    said = kotc("suggest", "--edition", 17, "--begin", "Excavate", "--format", "json").stdout
    text = "Excavate x cards and target up to y excavated cards"
    assert json.loads(said) == [{"text": text, "role": "target", "level": "(x + 4y)/5", "ultra_points": 0}]


def test_what_begins_no_component_is_said() -> None:
    said = kotc("suggest", "--edition", 17, "--begin", "Frobnicate")
    assert (said.exit_code, said.output) == (0, "no component begins as `Frobnicate` ends\n")
    said = kotc("suggest", "--edition", 11, "--begin", "Draw")
    assert (said.exit_code, said.stdout) == (0, "Draw x cards  [+ax]\n")
