"""Laws of levels: a text built of components is worth the sum of their formulas."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from hypothesis import given
from hypothesis import strategies as st

from render.games.kotc.model.edition import Component, Role
from tests.support.laws import costly
from tests.support.level_cases import RECKONER, card, components, derived, numbers_of, printed, value

NUMBERS = st.fixed_dictionaries({name: st.integers(1, 12) for name in "xyz"})


@dataclass(frozen=True)
class Built:
    """Words of an ability, and what the formulas of their components give together."""

    words: str
    value: Fraction
    ultra_points: int


@st.composite
def sub_abilities(draw: st.DrawFn) -> Built:
    """A sentence: maybe a target selection, then effects; those on targets only behind one."""
    target = draw(st.none() | st.sampled_from(components(Role.TARGET)))
    known = [each for each in components(Role.EFFECT) if target or not (each.level and "t" in each.level.variables)]
    words, total, ultra_points, targets = "", Fraction(0), 0, Fraction(0)
    if target:
        numbers = draw(NUMBERS)
        targets = value(target, numbers)
        words, ultra_points = f"{printed(target, numbers, starts=True)}; ", target.ultra_points
    for index, effect in enumerate(draw(st.lists(st.sampled_from(known), min_size=1, max_size=4))):
        numbers = draw(NUMBERS)
        words += draw(st.sampled_from([", then ", ", also "])) if index else ""
        words += printed(effect, numbers, starts=not words, single=draw(st.booleans()))
        total += value(effect, numbers, targets)
        ultra_points += effect.ultra_points
    return Built(f"{words}.", total, ultra_points)


def listed(items: list[str]) -> str:
    """Return `a`, `a and b` or `a, b, and c`."""
    return " and ".join(items) if len(items) < 3 else f"{', '.join(items[:-1])}, and {items[-1]}"


@st.composite
def abilities(draw: st.DrawFn) -> Built:
    """A condition maybe, up to four costs, and sentences."""
    condition = draw(st.none() | st.sampled_from(components(Role.CONDITION)))
    costs: list[tuple[Component, dict[str, int]]] = draw(
        st.lists(st.tuples(st.sampled_from(components(Role.COST)), NUMBERS), max_size=4)
    )
    sentences = draw(st.lists(sub_abilities(), min_size=1, max_size=3))
    words = f"{printed(condition, {}, starts=True)}: " if condition else ""
    if costs:
        first = [printed(cost, numbers, starts=not words and not index) for index, (cost, numbers) in enumerate(costs)]
        words += f"{listed(first)}{draw(st.sampled_from(['→ ', '-> ']))}"
    words += " ".join(sentence.words for sentence in sentences)
    total = sum(sentence.value for sentence in sentences) - sum(value(*cost) for cost in costs)
    ultra_points = sum(sentence.ultra_points for sentence in sentences) + sum(cost.ultra_points for cost, _ in costs)
    return Built(words, Fraction(total), ultra_points + (condition.ultra_points if condition else 0))


@costly
@given(abilities())
def test_a_spell_is_worth_the_sum_of_its_components(ability: Built) -> None:
    assert numbers_of(ability.words) == (max(0, ceil(ability.value)), ability.ultra_points)


@costly
@given(st.lists(abilities(), max_size=3), st.integers(0, 30), st.integers(0, 30))
def test_a_minion_is_worth_its_stats_and_the_sum_of_its_abilities(built: list[Built], sp: int, hp: int) -> None:
    text = "\n".join(f"NAME {number}: {ability.words}" for number, ability in enumerate(built))
    level = ceil(sp + Fraction(hp, 2)) + sum(max(1, ceil(ability.value)) for ability in built)
    assert numbers_of(text, sp, hp) == (level, sum(ability.ultra_points for ability in built))


@costly
@given(abilities())
def test_the_pieces_say_where_they_stand(ability: Built) -> None:
    text = f"NAME: {ability.words}"
    pieces = [piece for each in derived(text, 1, 1).abilities for piece in each.pieces]
    assert all(text[piece.words.start : piece.words.end] == piece.words.text for piece in pieces)
    assert [piece.words.start for piece in pieces] == sorted(piece.words.start for piece in pieces)


@given(st.text(max_size=60) | st.lists(st.sampled_from([*"→:;.,()\n 1", "Draw 1 card", ", then "])).map("".join))
def test_any_text_has_a_level_or_a_flaw_that_stands_in_it(text: str) -> None:
    for sp in (None, 1):
        derivation = RECKONER.derive(card(text, sp, sp))
        assert derivation is not None
        for flaw in derivation.flaws:
            assert text[flaw.words.start : flaw.words.end] == flaw.words.text
