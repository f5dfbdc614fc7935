"""`kotc explain`: a card's numbers, component by component."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from render.cli.commands.explain import explain
from tests.support.messages import words, write

SET = "name: Test\nedition: 17\n"
CARDS = """
    - name: Owl
      kind: minion
      level: 5
      sp: 1
      hp: 1
      text: |
        NIGHT SHIFT: Excavate 3 cards and target 1 excavated card; bounce it. (Shuffle the others.)
        GIFT: When this card is summoned (ghost-play): Self-exhaust 1 resource and pay 2 HP→ Draw 1 card.
    - name: Idle
      kind: spell
      level: 3
      text: Self-bury 4 resources→ Draw 1 card, then frobnicate.
    - {name: Soldier, kind: pawn}
    - {name: Rules, kind: tip, text: Draw a card.}
    - {name: Wolf, kind: creature, edition: 8, cost: 1, offense: 2, defense: 3}
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder whose `cards` hold one set."""
    monkeypatch.chdir(tmp_path)
    write(Path("cards/test"), {"set.yaml": SET, "cards.yaml": CARDS})


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(explain, arguments)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_the_table_of_a_minion() -> None:
    assert run("owl").stdout.strip("\n") == words("""
        Owl (owl), minion of the 17th Edition
                                                                                level UP
          SP and HP 1 1/2 rounded up              1 + 1/2 of 1                      2
          NIGHT SHIFT
          target    Excavate 3 cards and target 1 t = (x + 4y)/5 x = 3, y = 1
                    excavated card
          effect    bounce it                     2t             t = 1 2/5      2 4/5
          ability   2 4/5 rounded up                                                3
          GIFT
          condition When this card is summoned                                         1
                    (ghost-play)
          cost      Self-exhaust 1 resource       x/2            x = 1           -1/2
          cost      pay 2 HP                      x/4            x = 2           -1/2  1
          effect    Draw 1 card                   2x             x = 1              2
          ability                                                                   1
          card                                                                      6  2
          printed                                                                   5  0
    """)
    assert "error: the level of `owl` is 6, not 5 [V001]" in run("owl").stderr
    assert max(len(line) for line in run().stdout.split("\n")) <= 80
    card = "name: Sloth\nkind: minion\nlevel: 3\nsp: 2\nhp: 0\ntext: 'NAP: Self-bury 4 resources→ Draw 1 card.'\n"
    write(Path("cards/test"), {"sloth.yaml": card})
    (line,) = [line for line in run("sloth").stdout.split("\n") if "ability" in line]
    assert line.split() == ["ability", "-6,", "but", "at", "least", "1", "1"]


def test_the_table_of_a_spell_with_unknown_words() -> None:
    assert run("idle").stdout.strip("\n") == words("""
        Idle (idle), spell of the 17th Edition
                                                                                level UP
          cost      Self-bury 4 resources         2x             x = 4             -8
          effect    Draw 1 card                   2x             x = 1              2
          effect    frobnicate                    unknown                           ?  ?
          ability                                                                   ?
          card                                                                      ?  ?
          printed                                                                   3  0
    """)


def test_cards_that_have_no_level_by_the_rules() -> None:
    assert run("soldier", "rules", "wolf").stdout.strip("\n") == words("""
        Soldier (soldier), pawn of the 17th Edition
          a pawn has a level if `sp` and `hp` are given

        Rules (rules), tip of the 17th Edition
          a tip has no level

        Wolf (wolf), creature of the 8th Edition
          no rules for levels are known of the 8th Edition
    """)


def test_json_has_every_component_and_flaw_with_its_place() -> None:
    (owl,) = json.loads(run("owl", "--format", "json").stdout)
    assert (owl["level"], owl["ultra_points"], owl["printed"]) == (6, 2, {"level": 5, "ultra_points": 0})
    assert owl["stats"] == {"sp": 1, "hp": 1, "share": "1/2", "sum": "3/2", "level": 2}
    assert owl["abilities"][0]["sub_abilities"][0]["target"] == {
        "words": "Excavate 3 cards and target 1 excavated card",
        "start": 13,
        "end": 57,
        "component": "Excavate x cards and target up to y excavated cards",
        "formula": "(x + 4y)/5",
        "numbers": {"x": 3, "y": 1},
        "value": "7/5",
        "ultra_points": 0,
    }
    assert [each["level"] for each in owl["abilities"]] == [3, 1]
    (idle,) = json.loads(run("idle", "--format", "json").stdout)
    assert (idle["level"], idle["ultra_points"]) == (None, None)
    assert idle["flaws"] == [{"fault": "unknown", "role": "effect", "words": "frobnicate", "start": 41, "end": 51}]


def test_all_cards_of_a_path_are_explained_if_none_is_named() -> None:
    assert [each["card"] for each in json.loads(run("cards/test", "--format", "json").stdout)] == [
        "owl", "idle", "soldier", "rules", "wolf",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "said"),
    [("owls", "there is no card `owls`: did you mean `owl`?"), ("owl cards/tset", "`cards/tset` does not exist")],
)
def test_a_card_or_a_path_that_does_not_exist_is_wrong_usage(words: str, said: str) -> None:
    result = run(*words.split())
    assert (result.exit_code, said in result.stderr) == (2, True)


def test_a_card_is_explained_although_another_is_broken() -> None:
    write(Path("cards/test"), {"broken.yaml": "name: Broken\n"})
    assert run("owl").exit_code == 0
    assert run("broken").exit_code == run().exit_code == 1


@pytest.mark.parametrize(
    ("mistake", "shown"),
    [
        ("- {name: Odd, kind: minon, level: 2, sp: 2, hp: 0}", False),
        ("- {name: Odd, kind: minion, level: 2, sp: two, hp: 0}", False),
        ("- {name: Odd, kind: minion, level: 2, sp: 2, hp: 0, copies: many}", True),
        ("- Odd", False),
    ],
)
def test_one_card_with_an_error_does_not_hide_how_the_others_follow(mistake: str, shown: bool) -> None:
    sound = run().stdout
    with Path("cards/test/cards.yaml").open("a", encoding="utf-8") as cards:
        cards.write(f"\n{mistake}\n")
    result = run()
    assert (result.exit_code, "cards/test/cards.yaml:" in result.stderr, "error: " in result.stderr) == (1, True, True)
    assert result.stdout.startswith(sound.rstrip("\n"))
    assert ("Odd" in result.stdout) is shown
