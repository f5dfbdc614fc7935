"""Levels and Ultra Points that are wrong or cannot be told: exactly what their author reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from render.base.findings import as_text
from render.games.kotc.editions.finding import find
from render.games.kotc.levels.components import Components
from render.games.kotc.levels.rules import review
from render.games.kotc.model.edition import Role
from render.games.kotc.sets import survey
from tests.support.messages import SET, said_of_card, words, write


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder, so that places are as short as the author's."""
    monkeypatch.chdir(tmp_path)


def said_of(card: str, set_yaml: str = SET) -> str:
    """Return all that is said of the numbers of a card."""
    sets, findings = survey([write(Path("s"), {"set.yaml": set_yaml, "card.yaml": card})])
    assert findings == []
    return as_text(review(sets[0]))


# --- wrong numbers ---


def test_a_wrong_level() -> None:
    card = """
        name: Storm Hammer
        kind: minion
        level: 8
        sp: 4
        hp: 6
        text: "HAMMER: Target 1 on-field minion; destroy it."
    """
    assert said_of(card) == words("""
        s/card.yaml:3:8: error: the level of `storm-hammer` is 9, not 8 [V001]
          3 | level: 8
            |        ^
          hint: SP 4 + 1/2 of HP 6 = 7, HAMMER 2 (destroy it 2): level 9
    """)


def test_a_wrong_level_with_costs_and_fractions() -> None:
    card = """
        name: Trade
        kind: spell
        level: 2
        text: Self-exhaust 1 resource and self-bury 1 card in your hand→ Draw 1 card. Draw 1 card.
    """
    assert said_of(card) == words("""
        s/card.yaml:3:8: error: the level of `trade` is 3, not 2 [V001]
          3 | level: 2
            |        ^
          hint: the ability 3 (Draw 1 card 2 + Draw 1 card 2 - Self-exhaust 1 resource 1/2 - self-bury 1 card in your hand 1): level 3
    """)


def test_wrong_numbers_of_a_minion_with_several_ultra_components() -> None:
    card = """
        name: Diver
        kind: minion
        level: 6
        ultra_points: 2
        sp: 1
        hp: 2
        text: "DIVE: When this card is summoned (ghost-play): Pay 2 HP→ Target 1 card in your grave; bounce it."
    """
    assert said_of(card) == words("""
        s/card.yaml:3:8: error: the level of `diver` is 4, not 6 [V001]
          3 | level: 6
            |        ^
          hint: SP 1 + 1/2 of HP 2 = 2, DIVE 2 (bounce it 2 - Pay 2 HP 1/2): level 4
        s/card.yaml:4:15: error: `diver` has 3 Ultra Points, not 2 [V002]
          4 | ultra_points: 2
            |               ^
          hint: `When this card is summoned (ghost-play)` 1, `Pay 2 HP` 1, `Target 1 card in your grave` 1: 3 Ultra Points
    """)


def test_ultra_points_that_are_not_given() -> None:
    card = """
        name: Dawn
        kind: spell
        level: 2
        text: "When this card is summoned (ghost-play): Draw 1 card."
    """
    assert said_of(card) == words("""
        s/card.yaml:1:1: error: `dawn` has 1 Ultra Point, not 0 [V002]
          1 | name: Dawn
            | ^^^^
          hint: add `ultra_points: 1`; `When this card is summoned (ghost-play)` 1: 1 Ultra Point
    """)


def test_words_that_have_a_new_wording_are_shown_it() -> None:
    assert said_of("name: Wave\nkind: spell\nlevel: 2\ntext: Target 1 in-play card; clone it.\n") == words("""
        s/card.yaml:4:7: warning: `Target 1 in-play card` is no target selection of the 17th Edition [V003]
          4 | text: Target 1 in-play card; clone it.
            |       ^^^^^^^^^^^^^^^^^^^^^
          hint: the 17th Edition writes `on-field minion` for `in-play card`
    """)


def test_ultra_points_of_nothing() -> None:
    card = "name: Dusk\nkind: spell\nlevel: 2\nultra_points: 1\ntext: Draw 1 card.\n"
    assert said_of(card) == words("""
        s/card.yaml:4:15: error: `dusk` has 0 Ultra Points, not 1 [V002]
          4 | ultra_points: 1
            |               ^
          hint: none of its components has any
    """)


# --- words from which no level follows ---


def test_unknown_components_and_what_may_be_meant() -> None:
    card = """
        name: Mist
        kind: spell
        level: 2
        text: |
          When you takes damage: Pay 2 hitpoints→ Target 1 minion on field; destory it, then frobnicate.
    """
    assert said_of(card) == words("""
        s/card.yaml:5:3: warning: `When you takes damage` is no activation condition of the 17th Edition [V003]
          5 |   When you takes damage: Pay 2 hitpoints→ Target 1 minion on field; destory it, then frobnicate.
            |   ^^^^^^^^^^^^^^^^^^^^^
          hint: the nearest is `When you take damage`; `kotc effects WORDS --edition 17` finds others, `kotc explain V003` says more
        s/card.yaml:5:26: warning: `Pay 2 hitpoints` is no activation cost of the 17th Edition [V003]
          5 |   When you takes damage: Pay 2 hitpoints→ Target 1 minion on field; destory it, then frobnicate.
            |                          ^^^^^^^^^^^^^^^
          hint: the nearest is `pay x HP`; `kotc effects WORDS --edition 17` finds others, `kotc explain V003` says more
        s/card.yaml:5:43: warning: `Target 1 minion on field` is no target selection of the 17th Edition [V003]
          5 |   When you takes damage: Pay 2 hitpoints→ Target 1 minion on field; destory it, then frobnicate.
            |                                           ^^^^^^^^^^^^^^^^^^^^^^^^
          hint: the nearest is `Target up to x on-field minions`; `kotc effects WORDS --edition 17` finds others, `kotc explain V003` says more
        s/card.yaml:5:69: warning: `destory it` is no effect of the 17th Edition [V003]
          5 |   When you takes damage: Pay 2 hitpoints→ Target 1 minion on field; destory it, then frobnicate.
            |                                                                     ^^^^^^^^^^
          hint: the nearest is `destroy the targets`; `kotc effects WORDS --edition 17` finds others, `kotc explain V003` says more
        s/card.yaml:5:86: warning: `frobnicate` is no effect of the 17th Edition [V003]
          5 |   When you takes damage: Pay 2 hitpoints→ Target 1 minion on field; destory it, then frobnicate.
            |                                                                                      ^^^^^^^^^^
          hint: `kotc effects WORDS --edition 17` finds what may be written, `kotc explain V003` says how
    """)


@pytest.mark.parametrize("edition", range(9, 18))
@pytest.mark.parametrize("words", ["He barks", "frobnicate", "win the game", "each player loses"])
def test_made_up_words_get_no_component_that_only_looks_like_them(words: str, edition: int) -> None:
    components = Components(find(edition).components)
    assert [components.nearest(role, words) for role in Role] == [""] * len(Role)


@pytest.mark.parametrize(
    ("role", "words", "text"),
    [
        (Role.EFFECT, "destory it", "destroy the targets"),
        (Role.EFFECT, "draws 2 card", "draw x cards"),
        (Role.COST, "pay 2 HPs", "pay x HP"),
        (Role.TARGET, "target a minion", "Target up to x on-field minions"),
        (Role.CONDITION, "When you take any damage", "When you take damage"),
    ],
)
def test_slips_get_the_component_that_was_meant(role: Role, words: str, text: str) -> None:
    assert Components(find(17).components).nearest(role, words) == text


def test_components_in_the_wrong_place_and_the_number_0() -> None:
    card = "name: Fog\nkind: spell\nlevel: 2\ntext: When you take damage. Draw 0 cards. Pay 2 HP.\n"
    assert said_of(card) == words("""
        s/card.yaml:4:7: warning: `When you take damage` is no effect of the 17th Edition [V003]
          4 | text: When you take damage. Draw 0 cards. Pay 2 HP.
            |       ^^^^^^^^^^^^^^^^^^^^
          hint: it is an activation condition: it stands before a colon
        s/card.yaml:4:29: warning: `Draw 0 cards` is no effect of the 17th Edition [V003]
          4 | text: When you take damage. Draw 0 cards. Pay 2 HP.
            |                             ^^^^^^^^^^^^
          hint: the numbers of a component are at least 1
        s/card.yaml:4:43: warning: `Pay 2 HP` is no effect of the 17th Edition [V003]
          4 | text: When you take damage. Draw 0 cards. Pay 2 HP.
            |                                           ^^^^^^^^
          hint: it is an activation cost: it stands before an arrow
    """)


def test_an_effect_on_targets_that_none_selects_and_an_ability_without_effect() -> None:
    card = """
        name: Lost
        kind: minion
        level: 2
        sp: 1
        hp: 1
        text: |
          ONE: Destroy the targets.
          TWO: When you take damage:
    """
    assert said_of(card) == words("""
        s/card.yaml:7:8: warning: `Destroy the targets` has no target selection before it [V004]
          7 |   ONE: Destroy the targets.
            |        ^^^^^^^^^^^^^^^^^^^
          hint: begin its sentence with one, such as `Target this card;`
        s/card.yaml:8:3: warning: the ability `TWO: When you take damage:` has no effect [V005]
          8 |   TWO: When you take damage:
            |   ^^^^^^^^^^^^^^^^^^^^^^^^^^
          hint: add a sentence that says what it does
    """)


def test_spells_of_two_abilities_and_of_none() -> None:
    assert said_of("name: A\nkind: spell\nlevel: 2\ntext: |\n  Draw 1 card.\n  Draw 2 cards.\n") == words("""
        s/card.yaml:6:3: warning: a spell has one ability, and this one has more [V005]
          6 |   Draw 2 cards.
            |   ^^^^^^^^^^^^^
          hint: write it in one line
    """)
    assert said_of("name: A\nkind: spell\nlevel: 2\ntext: (Nothing happens.)\n") == words("""
        s/card.yaml:4:7: warning: a spell has one ability, and this one has none [V005]
          4 | text: (Nothing happens.)
            |       ^^^^^^^^^^^^^^^^^^
          hint: add a sentence that says what it does
    """)


# --- numbers that are left to the rules ---


def test_auto_with_words_from_which_no_level_follows() -> None:
    card = "name: A\nkind: spell\nlevel: auto\nultra_points: auto\ntext: Draw 1 card, then destory this card.\n"
    assert said_of_card(card) == words("""
        s/card.yaml:5:25: error: `level: auto` and `ultra_points: auto` cannot be worked out: `destory this card` is no effect of the 17th Edition [C010]
          5 | text: Draw 1 card, then destory this card.
            |                         ^^^^^^^^^^^^^^^^^
          hint: the nearest is `destroy the targets`; `kotc effects WORDS --edition 17` finds others, `kotc explain V003` says more
    """)


def test_auto_in_an_edition_whose_rules_are_not_known() -> None:
    assert said_of_card("name: A\nkind: spell\nlevel: auto\nedition: 18\ntext: Draw 1 card.\n") == words("""
        s/card.yaml:3:8: error: `level: auto` cannot be worked out: no rules for levels are known of the 18th Edition [C010]
          3 | level: auto
            |        ^^^^
          hint: write the number, or import its rules with `kotc edition import`
    """)


def test_auto_on_a_pawn_without_sp_and_hp() -> None:
    assert said_of_card("name: A\nkind: pawn\nlevel: auto\n") == words("""
        s/card.yaml:3:8: error: `level: auto` cannot be worked out without `sp` and `hp` [C010]
          3 | level: auto
            |        ^^^^
          hint: add both, or write the number
    """)


def test_the_cost_of_a_creature_cannot_be_worked_out_either_without_rules() -> None:
    card = "name: A\nkind: creature\nedition: 8\ncost: auto\noffense: 1\ndefense: 2\n"
    assert said_of_card(card) == words("""
        s/card.yaml:4:7: error: `cost: auto` cannot be worked out: no rules for levels are known of the 8th Edition [C010]
          4 | cost: auto
            |       ^^^^
          hint: write the number, or import its rules with `kotc edition import`
    """)


def test_auto_on_a_pawn_of_an_old_edition_without_offense_and_defense() -> None:
    assert said_of_card("name: A\nkind: pawn\nedition: 9\ncost: auto\n") == words("""
        s/card.yaml:4:7: error: `cost: auto` cannot be worked out without `offense` and `defense` [C010]
          4 | cost: auto
            |       ^^^^
          hint: add both, or write the number
    """)


def test_a_broken_data_file_beside_the_set_is_said_once() -> None:
    cards = "".join(f"- {{name: A{n}, kind: spell, level: auto, text: Draw 1 card.}}\n" for n in range(3))
    write(Path("s/editions"), {"17.yaml": "edition: 17\n"})
    said = said_of_card(cards)
    assert "s/editions/17.yaml:1:1: error: " in said
    assert "C010" not in said
    assert len(said.split("error: ")) == len(set(said.split("error: ")))


# --- what an import did not understand, and old editions ---

UNREAD = """
    edition: 10
    terms: {minion: creature, sp: offense, hp: defense, level: cost}
    deck: {cards: 40}
    levels: {hp_share: 1/5, round: card, least_of_minion: 1, least_of_minion_ability: 1, least_of_spell_ability: 1}
    effects:
    - {text: "Draw {x} cards.", level: 2x}
    unknown:
    - {section: effects, line: 812, words: "(2q) “Frobnicate [x] targets.”"}
    - {section: effects, line: 830, words: "(t) “Frown.”"}
"""


def said_by_unread_rules(card: str) -> str:
    write(Path("s/editions"), {"10.yaml": UNREAD})
    return said_of(card, "name: S\nedition: 10\n")


def test_auto_where_an_import_did_not_understand_how_levels_are_calculated() -> None:
    unread = f'{UNREAD.rstrip()}\n    - {{section: levels, line: 7, words: "?"}}\n'
    write(Path("s/editions"), {"10.yaml": unread})
    assert said_of_card("name: A\nkind: spell\nedition: 10\ncost: auto\ntext: Draw 2 cards.\n") == words("""
        s/card.yaml:4:7: error: `cost: auto` cannot be worked out: the import of the 10th Edition did not understand how levels are calculated [C010]
          4 | cost: auto
            |       ^^^^
          hint: write the number, or what `unknown` in the file of the edition lists for `levels`
    """)


@pytest.mark.parametrize(
    ("card", "hint"),
    [
        ("kind: spell\ntext: This creature cannot attack.", "it is a caveat, and only creatures have caveats"),
        (
            "kind: creature\noffense: 1\ndefense: 2\ntext: |\n"
            "  This creature cannot attack.\n  This creature cannot attack.",
            "it is a caveat: it stands alone in the first line, and a creature has at most one",
        ),
    ],
)
def test_caveats_where_there_is_none(card: str, hint: str) -> None:
    assert said_of(f"name: A\ncost: 1\n{card}\n", "name: S\nedition: 9\n").endswith(f"  hint: {hint}")


def test_words_that_an_import_may_not_have_understood_are_not_judged() -> None:
    card = "name: A\nkind: spell\ncost: 9\ntext: Frobnicate 2 targets. Draw 2 cards.\n"
    assert said_by_unread_rules(card) == words("""
        s/card.yaml:4:7: warning: `Frobnicate 2 targets.` may be an effect of the 10th Edition that its import did not understand [V006]
          4 | text: Frobnicate 2 targets. Draw 2 cards.
            |       ^^^^^^^^^^^^^^^^^^^^^
          hint: line 812 of the page, `(2q) “Frobnicate [x] targets.”`, or 1 more: write it into `effects`
    """)


def test_sections_that_were_understood_are_judged_as_ever() -> None:
    assert said_by_unread_rules("name: A\nkind: spell\ncost: 9\ntext: Draw 2 cards.\n") == words("""
        s/card.yaml:3:7: error: the cost of `a` is 4, not 9 [V001]
          3 | cost: 9
            |       ^
          hint: the ability 4 (Draw 2 cards 4): cost 4
    """)


def test_a_formula_without_a_value_for_the_numbers_of_a_card() -> None:
    text = "Target 1 level 12 or lower enemy creature; destroy it."
    assert said_of(f"name: A\nkind: spell\ncost: 1\ntext: {text}\n", "name: S\nedition: 11\n") == words("""
        s/card.yaml:4:7: warning: `Target 1 level 12 or lower enemy creature` has no level: its formula `x/(10 - y)` divides by 0 or less for these numbers [V005]
          4 | text: Target 1 level 12 or lower enemy creature; destroy it.
            |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          hint: choose other numbers
    """)


def test_an_ability_of_an_old_edition_with_two_costs() -> None:
    text = "Exhaust 1 of your resources. Destroy 1 of your resources. Draw 2 cards."
    assert said_of(f"name: A\nkind: spell\ncost: 1\ntext: {text}\n", "name: S\nedition: 9\n") == words("""
        s/card.yaml:4:36: warning: an ability has one activation cost, and this one has more [V005]
          4 | text: Exhaust 1 of your resources. Destroy 1 of your resources. Draw 2 cards.
            |                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          hint: remove the others
    """)


def test_a_part_of_an_old_ability_in_the_place_of_another() -> None:
    text = "Draw 2 cards. Target this card. Exhaust all targets."
    assert said_of(f"name: A\nkind: spell\ncost: 1\ntext: {text}\n", "name: S\nedition: 9\n") == words("""
        s/card.yaml:4:21: warning: `Target this card.` is no effect of the 9th Edition [V003]
          4 | text: Draw 2 cards. Target this card. Exhaust all targets.
            |                     ^^^^^^^^^^^^^^^^^
          hint: it is a target selection: it stands before the effects, once in an ability
        s/card.yaml:4:39: warning: `Exhaust all targets.` has no target selection before it [V004]
          4 | text: Draw 2 cards. Target this card. Exhaust all targets.
            |                                       ^^^^^^^^^^^^^^^^^^^^
          hint: write one before it, such as `Target this card.`
    """)
