"""What a migration says beside the cards: of decks that use them, of rules that are missing, in the edition's words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from render.games.kotc.editions.finding import SHIPPED
from tests.support.messages import write
from tests.support.sets import kotc
from tests.support.templates import with_plain_back

CARDS = """
    - {name: Ant, kind: minion, level: 1, sp: 1, hp: 0}
    - {name: Dawn, kind: spell, level: 2, text: Draw 1 card.}
"""
DECK = "name: Zoo\nedition: 17\nsets: [../cards/basic]\ncards: {ant: 38, dawn: 2}\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a set, two decks of it, one of another set, and rules of an 18th Edition."""
    monkeypatch.chdir(tmp_path)
    for name in ("basic", "other"):
        with_plain_back(write(Path("cards") / name, {"set.yaml": f"name: {name}\nedition: 17\n", "cards.yaml": CARDS}))
    write(Path("cards"), {"near.yaml": DECK.replace("../cards/", "")})
    write(Path("decks"), {"zoo.yaml": DECK, "other.yaml": DECK.replace("basic", "other")})
    rules(lambda text: text)
    return tmp_path


def rules(change: object) -> None:
    text = (SHIPPED / "17.yaml").read_text(encoding="utf-8").replace("edition: 17", "edition: 18", 1)
    assert callable(change)
    write(Path("editions"), {"18.yaml": change(text)})


@pytest.mark.parametrize("command", ["migrate --dry-run", "migrate", "upgrade --dry-run", "upgrade"])
def test_every_deck_of_the_set_is_named_with_what_is_wrong_with_it_then(command: str) -> None:
    result = kotc(*command.split(), "cards/basic", "--to", "18")
    assert result.exit_code == 0, result.output
    named = re.findall(r"^(\S+), a deck of the 17th Edition, uses these cards: (.+)$", result.stderr, re.MULTILINE)
    assert named == [("cards/near.yaml", "2 errors"), ("decks/zoo.yaml", "2 errors")]
    assert result.stderr.count("  `ant` may not be in a deck of the 17th Edition [B027]\n") == 2
    assert "hint: `edition: 18` in the deck judges it by the new rules" in result.stderr
    is_done = "--dry-run" not in command
    assert ("2 errors" in kotc("deck", "decks/zoo.yaml").stderr) is is_done
    Path("decks/zoo.yaml").write_text(DECK.replace("17", "18"), encoding="utf-8")
    if is_done:
        assert kotc("deck", "decks/zoo.yaml").exit_code == 0


def test_a_deck_is_no_set_to_upgrade() -> None:
    result = kotc("upgrade", "decks/zoo.yaml", "--to", "18")
    assert result.exit_code == 1
    assert "error: `decks/zoo.yaml` is a deck, and sets are needed here [P008]" in result.stderr
    assert "hint: give its sets: `cards/basic`" in result.stderr


def without_levels(text: str) -> str:
    return re.sub(r"levels:\n(?:  .+\n)+", "", text)


def without_share(text: str) -> str:
    return re.sub(r"  hp_share.+\n", "", text)


def without_costs(text: str) -> str:
    return re.sub(r"costs:\n(?:- .+\n)+", "", text)


@pytest.mark.parametrize(
    ("change", "missing", "judged"),
    [
        (without_levels, "`levels`", ()),
        (without_share, "`levels.hp_share`", ("dawn",)),
        (without_costs, "`costs`", ("ant", "dawn")),
    ],
)
def test_rules_that_the_edition_before_has_are_missed_at_every_command(
    change: object, missing: str, judged: tuple[str, ...]
) -> None:
    rules(change)
    warning = f"warning: the rules of the 18th Edition have no {missing}, which those of the 17th have"
    for command in ("migrate --dry-run --to 18", "upgrade --dry-run --to 18", "check --edition 18"):
        assert warning in kotc(*command.split(), "cards/basic").output, command
    wrong = CARDS.replace("level: 1", "level: 99").replace("level: 2", "level: 98")
    write(Path("cards/basic"), {"set.yaml": "name: basic\nedition: 18\n", "cards.yaml": wrong})
    said = kotc("check", "cards/basic")
    assert f"{warning} [K012]" in said.output
    assert re.findall(r"the level of `(.+?)`", said.output) == list(judged)


def test_a_card_that_nobody_can_judge_has_a_column_of_its_own() -> None:
    rules(without_levels)
    result = kotc("migrate", "cards/basic", "--to", "18", "--report", "report.html")
    assert "basic: 2 not judged\n" in result.stderr
    assert "not judged: `ant`, `dawn`: no rules for levels are known of the 18th Edition" in result.stderr
    assert "18" not in Path("cards/basic/cards.yaml").read_text(encoding="utf-8")
    assert "not judged" in Path("report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("to", "card", "numbers"),
    [
        (10, "{name: A, kind: spell, edition: 9, cost: 9, text: Increase your hitpoints by 2.}", "cost"),
        (16, "{name: A, kind: spell, edition: 15, level: 9, text: Draw 1 card.}", "level"),
        (17, "{name: A, kind: spell, edition: 15, level: 9, text: Draw 1 card.}", "level or Ultra Points"),
    ],
)
def test_only_the_numbers_of_the_edition_are_spoken_of(to: int, card: str, numbers: str) -> None:
    write(Path("one"), {"set.yaml": "name: One\n", "cards.yaml": f"- {card}\n"})
    said = kotc("migrate", "one", "--to", to, "--dry-run").stderr
    verb = "differ" if " " in numbers else "differs"
    assert f"1 card whose {numbers} {verb} by the new rules: --relevel writes the new ones" in said
    assert ("Ultra Points" in said) is ("Ultra Points" in numbers)
