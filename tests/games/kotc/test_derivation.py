"""How a card's level follows, as previews and editors show it: every step with its amount and its place in the file."""

from fractions import Fraction
from pathlib import Path

import pytest

from render.game import registry
from render.game.derivations import Derivation
from render.game.registry import game_of
from render.game.sources import survey
from render.games.kotc.editions.finding import SHIPPED, known
from render.games.kotc.levels import rules
from render.games.kotc.model.cards import own_card
from tests.games.quartet.game import GAME as QUARTET
from tests.support.messages import write
from tests.support.repository import ROOT

OWL = """
    name: Owl
    kind: minion
    level: 5
    sp: 1
    hp: 1
    text: |
      NIGHT SHIFT: Excavate 3 cards and target 1 excavated card; bounce it.
      GIFT: When this card is summoned (ghost-play): Self-exhaust 1 resource and pay 2 HP→ Draw 1 card.
"""


def derivations(folder: Path) -> dict[str, Derivation | None]:
    sets, _ = survey([folder])
    return {card.id: game_of(card).derivation(card, each) for each in sets for card in each.cards}


def derivation(folder: Path, card: str, edition: str = "17") -> Derivation | None:
    write(folder, {"set.yaml": f"name: Test\nedition: {edition}\n", "cards.yaml": card})
    (only,) = derivations(folder).values()
    return only


def amount(words: str) -> Fraction:
    """Return the value of `+4`, `-1/2`, `+2 4/5`."""
    sign = -1 if words.startswith("-") else 1
    return sign * sum((Fraction(each) for each in words.lstrip("+-").split()), Fraction(0))


def test_each_step_has_its_words_its_amount_and_its_key(tmp_path: Path) -> None:
    shown = derivation(tmp_path, OWL)
    assert shown is not None
    assert [(step.role, step.words, step.amount, step.extra, step.key) for step in shown.steps] == [
        ("SP", "SP 1", "+1", "", "sp"),
        ("HP", "HP 1", "+1/2", "", "hp"),
        ("SP and HP", "rounded up", "+1/2", "", ""),
        ("target", "Excavate 3 cards and target 1 excavated card", "", "", "text"),
        ("effect", "bounce it", "+2 4/5", "", "text"),
        ("NIGHT SHIFT", "rounded up", "+1/5", "", ""),
        ("condition", "When this card is summoned (ghost-play)", "", "1 Ultra Point", "text"),
        ("cost", "Self-exhaust 1 resource", "-1/2", "", "text"),
        ("cost", "pay 2 HP", "-1/2", "1 Ultra Point", "text"),
        ("effect", "Draw 1 card", "+2", "", "text"),
    ]
    assert (shown.result, shown.numbers) == ("level 6, 2 Ultra Points", (("level", "6"), ("ultra_points", "2")))
    assert shown.summary.endswith(": level 6")


@pytest.mark.parametrize("folder", ["starter", "eleventh"])
def test_the_amounts_of_all_steps_together_are_the_level(folder: str) -> None:
    for card, shown in derivations(ROOT / "cards" / folder).items():
        if shown and shown.result:
            level = sum(amount(step.amount) for step in shown.steps if step.amount)
            assert level == int(dict(shown.numbers).get("level") or dict(shown.numbers)["cost"]), card


def test_the_place_of_a_step_is_that_of_its_words_in_the_text(tmp_path: Path) -> None:
    write(tmp_path, {"set.yaml": "name: Test\nedition: 17\n", "cards.yaml": OWL})
    ((card_set,), _) = survey([tmp_path])
    (card,) = card_set.cards
    shown = game_of(card).derivation(card, card_set)
    assert shown is not None
    placed = [step for step in shown.steps if step.place]
    assert len(placed) == 6
    for step in placed:
        assert step.place and own_card(card).text[slice(*step.place)] == step.words


def test_the_numbers_of_a_creature_have_the_names_of_its_game(tmp_path: Path) -> None:
    shown = derivation(tmp_path, "{name: Wolf, kind: creature, cost: 1, offense: 2, defense: 3}", "9")
    assert shown is not None
    assert [step.key for step in shown.steps if step.key] == ["offense", "defense"]
    assert shown.numbers == (("cost", str(sum(amount(step.amount) for step in shown.steps))),)


def test_without_a_level_the_summary_says_why_and_nothing_is_summed(tmp_path: Path) -> None:
    card = "{name: Idle, kind: spell, level: 3, text: 'Self-bury 4 resources→ Draw 1 card, then frobnicate.'}"
    shown = derivation(tmp_path, card)
    assert shown is not None
    assert (shown.result, shown.numbers) == ("", ())
    assert shown.summary == "`frobnicate` is no effect of the 17th Edition"
    assert not [step for step in shown.steps if step.words == "rounded up"]


@pytest.mark.parametrize("card", ["{name: Rules, kind: tip, text: Draw.}", "{name: Soldier, kind: pawn}"])
def test_cards_without_a_level_have_no_derivation(card: str, tmp_path: Path) -> None:
    assert derivation(tmp_path, card) is None


def test_a_game_without_levels_has_no_derivations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._GAMES, "quartet", QUARTET)
    card = "{name: Bear, kind: beast, family: Bears, weight: 300}"
    write(tmp_path, {"set.yaml": "name: Test\ngame: quartet\n", "cards.yaml": card})
    assert derivations(tmp_path) == {"bear": None}


def test_the_rules_are_looked_for_once_for_each_time_that_a_set_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards = "\n".join(f"- {{name: Owl {number}, kind: minion, level: 3, sp: {number}, hp: 1}}" for number in range(20))
    write(tmp_path, {"set.yaml": "name: Test\nedition: 17\n", "cards.yaml": cards})
    looked_for: list[Path] = []

    def noted(folder: Path) -> list[tuple[int, Path]]:
        looked_for.append(folder)
        return known(folder)

    monkeypatch.setattr(rules, "known", noted)
    before = derivations(tmp_path)
    assert len(before) == 20 and None not in before.values() and len(looked_for) == 1
    # The set's own rules come meanwhile: reading it again finds them.
    write(tmp_path / "editions", {"17.yaml": (SHIPPED / "17.yaml").read_bytes().replace(b"1/2", b"1/1")})
    after = derivations(tmp_path)
    assert len(looked_for) == 2 and after != before
