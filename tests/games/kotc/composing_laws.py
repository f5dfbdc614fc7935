"""Laws of writing abilities: what was written from components is read as these components."""

import random

from hypothesis import given
from hypothesis import strategies as st

from render.games.kotc.composing import AbilityWriter, TextPlan, plan_of
from render.games.kotc.editions.reading import usual_grammar
from tests.support.ability_plans import random_ability
from tests.support.level_cases import EDITION, RECKONER, card


@given(st.randoms(use_true_random=False), st.booleans())
def test_an_ability_that_was_written_is_read_as_the_same(chance: random.Random, is_spell: bool) -> None:
    count = 1 if is_spell else chance.randint(1, 3)
    name = "" if is_spell else "NAME"
    plan = TextPlan(tuple(random_ability(EDITION, chance, name=name) for _ in range(count)))
    text = AbilityWriter(usual_grammar(17)).text(plan)
    derivation = RECKONER.derive(card(text) if is_spell else card(text, 1, 1))
    assert derivation is not None
    found = plan_of(text, derivation)
    assert found is not None, text
    # Joints that were left to the writer are "then".
    assert AbilityWriter(usual_grammar(17)).text(found) == text
    assert _components(found) == _components(plan)


def _components(plan: TextPlan) -> list[object]:
    found: list[object] = []
    for ability in plan.abilities:
        found += [ability.condition, *ability.costs]
        for each in ability.sub_abilities:
            found += [each.target, *each.effects]
    return found
