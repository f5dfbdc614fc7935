"""Levels and Ultra Points that are wrong or cannot be told: exactly what their author reads."""

from pathlib import Path
from typing import Any

import pytest

from render.base.findings import as_text
from render.games.kotc.editions.finding import find
from render.games.kotc.languages.english import EnglishVocabulary
from render.games.kotc.levels.rules import review
from render.games.kotc.model.edition import Role
from render.games.kotc.sets import survey
from tests.support.messages import SET, assert_says, said_of_card, write

pytestmark = pytest.mark.usefixtures("in_empty_folder")


def said_of(card: str, set_yaml: str = SET) -> str:
    """Return all that is said of the numbers of a card."""
    sets, findings = survey([write(Path("s"), {"set.yaml": set_yaml, "card.yaml": card})])
    assert findings == []
    return as_text(review(sets[0]))


# --- wrong numbers ---


SAID_BY_SAID_OF: dict[str, tuple[Any, ...]] = {
    "a wrong level": (
        """
        name: Storm Hammer
        kind: minion
        level: 8
        sp: 4
        hp: 6
        text: "HAMMER: Target 1 on-field minion; destroy it."
    """,
        ["3:8 V001 the level of `storm-hammer` is 9, not 8 (SP 4 + 1/2 of HP 6 = 7, HAMMER 2 (destroy it 2): level 9)"],
    ),
    "a wrong level with costs and fractions": (
        """
        name: Trade
        kind: spell
        level: 2
        text: Self-exhaust 1 resource and self-bury 1 card in your hand→ Draw 1 card. Draw 1 card.
    """,
        ["3:8 V001 the level of `trade` is 3, not 2"],
    ),
    "wrong numbers of a minion with several ultra components": (
        """
        name: Diver
        kind: minion
        level: 6
        ultra_points: 2
        sp: 1
        hp: 2
        text: "DIVE: When this card is summoned (ghost-play): Pay 2 HP→ Target 1 card in your grave; bounce it."
    """,
        [
            "3:8 V001 the level of `diver` is 4, not 6 (SP 1 + 1/2 of HP 2 = 2, DIVE 2 (bounce it 2 - Pay 2 HP 1/2): level 4)",
            "4:15 V002 `diver` has 3 Ultra Points, not 2",
        ],
    ),
    "ultra points that are not given": (
        """
        name: Dawn
        kind: spell
        level: 2
        text: "When this card is summoned (ghost-play): Draw 1 card."
    """,
        ["1:1 V002 `dawn` has 1 Ultra Point, not 0"],
    ),
    "words that have a new wording are shown it": (
        "name: Wave\nkind: spell\nlevel: 2\ntext: Target 1 in-play card; clone it.\n",
        ["4:7 V003 warning: `Target 1 in-play card` is no target selection of the 17th Edition"],
    ),
    "ultra points of nothing": (
        "name: Dusk\nkind: spell\nlevel: 2\nultra_points: 1\ntext: Draw 1 card.\n",
        ["4:15 V002 `dusk` has 0 Ultra Points, not 1 (none of its components has any)"],
    ),
    "unknown components and what may be meant": (
        """
        name: Mist
        kind: spell
        level: 2
        text: |
          When you takes damage: Pay 2 hitpoints→ Target 1 minion on field; destory it, then frobnicate.
    """,
        [
            "5:3 V003 warning: `When you takes damage` is no activation condition of the 17th Edition",
            "5:26 V003 warning: `Pay 2 hitpoints` is no activation cost of the 17th Edition",
            "5:43 V003 warning: `Target 1 minion on field` is no target selection of the 17th Edition",
            "5:69 V003 warning: `destory it` is no effect of the 17th Edition",
            "5:86 V003 warning: `frobnicate` is no effect of the 17th Edition",
        ],
    ),
    "components in the wrong place and the number 0": (
        "name: Fog\nkind: spell\nlevel: 2\ntext: When you take damage. Draw 0 cards. Pay 2 HP.\n",
        [
            "4:7 V003 warning: `When you take damage` is no effect of the 17th Edition",
            "4:29 V003 warning: `Draw 0 cards` is no effect of the 17th Edition (the numbers of a component are at least 1)",
            "4:43 V003 warning: `Pay 2 HP` is no effect of the 17th Edition",
        ],
    ),
    "an effect on targets that none selects and an ability without effect": (
        """
        name: Lost
        kind: minion
        level: 2
        sp: 1
        hp: 1
        text: |
          ONE: Destroy the targets.
          TWO: When you take damage:
    """,
        [
            "7:8 V004 warning: `Destroy the targets` has no target selection before it",
            "8:3 V005 warning: the ability `TWO: When you take damage:` has no effect (add a sentence that says what it does)",
        ],
    ),
    "a spell of two abilities": (
        "name: A\nkind: spell\nlevel: 2\ntext: |\n  Draw 1 card.\n  Draw 2 cards.\n",
        ["6:3 V005 warning: a spell has one ability, and this one has more (write it in one line)"],
    ),
    "a spell without ability": (
        "name: A\nkind: spell\nlevel: 2\ntext: (Nothing happens.)\n",
        ["4:7 V005 warning: a spell has one ability, and this one has none (add a sentence that says what it does)"],
    ),
    "a formula without a value for the numbers of a card": (
        "name: A\nkind: spell\nedition: 11\ncost: 1\ntext: Target 1 level 12 or lower enemy creature; destroy it.\n",
        [
            "5:7 V005 warning: `Target 1 level 12 or lower enemy creature` has no level: its formula `x/(10 - y)` divides by 0 or less for these numbers"
        ],
    ),
    "an ability of an old edition with two costs": (
        "name: A\nkind: spell\nedition: 9\ncost: 1\ntext: Exhaust 1 of your resources. Destroy 1 of your resources. Draw 2 cards.\n",
        ["5:36 V005 warning: an ability has one activation cost, and this one has more (remove the others)"],
    ),
    "a part of an old ability in the place of another": (
        "name: A\nkind: spell\nedition: 9\ncost: 1\ntext: Draw 2 cards. Target this card. Exhaust all targets.\n",
        [
            "5:21 V003 warning: `Target this card.` is no effect of the 9th Edition",
            "5:39 V004 warning: `Exhaust all targets.` has no target selection before it",
        ],
    ),
}


@pytest.mark.parametrize(("given", "wanted"), SAID_BY_SAID_OF.values(), ids=SAID_BY_SAID_OF)
def test_what_its_author_reads_said_of(given: Any, wanted: list[str]) -> None:
    assert_says(said_of(given), *wanted)


# --- words from which no level follows ---


@pytest.mark.parametrize("edition", range(9, 18))
@pytest.mark.parametrize("words", ["He barks", "frobnicate", "win the game", "each player loses"])
def test_made_up_words_get_no_component_that_only_looks_like_them(words: str, edition: int) -> None:
    components = EnglishVocabulary(find(edition))
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
    assert EnglishVocabulary(find(17)).nearest(role, words) == text


# --- numbers that are left to the rules ---


SAID_BY_SAID_OF_CARD: dict[str, tuple[Any, ...]] = {
    "auto with words from which no level follows": (
        "name: A\nkind: spell\nlevel: auto\nultra_points: auto\ntext: Draw 1 card, then destory this card.\n",
        [
            "5:25 C010 `level: auto` and `ultra_points: auto` cannot be worked out: `destory this card` is no effect of the 17th Edition"
        ],
    ),
    "auto in an edition whose rules are not known": (
        "name: A\nkind: spell\nlevel: auto\nedition: 18\ntext: Draw 1 card.\n",
        ["3:8 C010 `level: auto` cannot be worked out: no rules for levels are known of the 18th Edition"],
    ),
    "auto on a pawn without sp and hp": (
        "name: A\nkind: pawn\nlevel: auto\n",
        ["3:8 C010 `level: auto` cannot be worked out without `sp` and `hp` (add both, or write the number)"],
    ),
    "the cost of a creature cannot be worked out either without rules": (
        "name: A\nkind: creature\nedition: 8\ncost: auto\noffense: 1\ndefense: 2\n",
        ["4:7 C010 `cost: auto` cannot be worked out: no rules for levels are known of the 8th Edition"],
    ),
    "auto on a pawn of an old edition without offense and defense": (
        "name: A\nkind: pawn\nedition: 9\ncost: auto\n",
        ["4:7 C010 `cost: auto` cannot be worked out without `offense` and `defense` (add both, or write the number)"],
    ),
}


@pytest.mark.parametrize(("given", "wanted"), SAID_BY_SAID_OF_CARD.values(), ids=SAID_BY_SAID_OF_CARD)
def test_what_its_author_reads_said_of_card(given: Any, wanted: list[str]) -> None:
    assert_says(said_of_card(given), *wanted)


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


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "Frobnicate 2 targets. Draw 2 cards.",
            "4:7 V006 warning: `Frobnicate 2 targets.` may be an effect of the 10th Edition that its import did not understand",
        ),
        ("Draw 2 cards.", "3:7 V001 the cost of `a` is 4, not 9 (the ability 4 (Draw 2 cards 4): cost 4)"),
    ],
)
def test_only_sections_that_were_understood_are_judged(text: str, wanted: str) -> None:
    write(Path("s/editions"), {"10.yaml": UNREAD})
    assert_says(said_of(f"name: A\nkind: spell\ncost: 9\ntext: {text}\n", "name: S\nedition: 10\n"), wanted)


def test_a_wrong_cost_is_told_to_programs_by_the_key_that_the_card_gives() -> None:
    card = "name: A\nkind: spell\ncost: 9\ntext: Draw 1 card.\n"
    (card_set,), _ = survey([write(Path("s"), {"set.yaml": "name: S\nedition: 9\n", "card.yaml": card})])
    assert [(each.code, each.field) for each in review(card_set)] == [("V001", "cost")]


def test_auto_where_an_import_did_not_understand_how_levels_are_calculated() -> None:
    unread = f'{UNREAD.rstrip()}\n    - {{section: levels, line: 7, words: "?"}}\n'
    write(Path("s/editions"), {"10.yaml": unread})
    assert_says(
        said_of_card("name: A\nkind: spell\nedition: 10\ncost: auto\ntext: Draw 2 cards.\n"),
        "4:7 C010 `cost: auto` cannot be worked out: the import of the 10th Edition did not understand how levels are calculated",
    )


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
