"""What a migration says beside the cards: of decks that use them, of rules that are missing, in the edition's words."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from render.games.kotc.editions.finding import SHIPPED
from tests.support.messages import write
from tests.support.sets import kotc
from tests.support.templates import with_plain_back

SET = "name: {}\nedition: 17\noutputs: [sheets]\n"
CARDS = """
    - {name: Ant, kind: minion, level: 1, sp: 1, hp: 0}
    - {name: Dawn, kind: spell, level: 2, text: Draw 1 card.}
"""
PRUNED = ('"silo the targets", edition: 16', '"silo the targets", edition: 18')
DECK = "name: Zoo\nedition: 17\nsets: [../cards/basic]\ncards: {ant: 38, dawn: 2}\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a set, two decks of it, one of another set, and rules of an 18th Edition."""
    monkeypatch.chdir(tmp_path)
    for name in ("basic", "other"):
        with_plain_back(write(Path("cards") / name, {"set.yaml": SET.format(name), "cards.yaml": CARDS}))
    write(Path("cards"), {"near.yaml": DECK.replace("../cards/", "")})
    write(Path("decks"), {"zoo.yaml": DECK, "other.yaml": DECK.replace("basic", "other")})
    rules(lambda text: text)
    return tmp_path


def rules(change: object) -> None:
    text = (SHIPPED / "17.yaml").read_text(encoding="utf-8").replace("edition: 17", "edition: 18", 1)
    assert callable(change)
    write(Path("editions"), {"18.yaml": change(text)})


COMMANDS = ["migrate --dry-run", "migrate", "upgrade --dry-run", "upgrade"]
UPGRADE = ("upgrade", "--to", "18")


def contents() -> dict[str, bytes]:
    files = [file for folder in ("cards", "decks") for file in Path(folder).rglob("*.yaml")]
    return {file.as_posix(): file.read_bytes() for file in files if ".kotc" not in file.parts}


def before_and_after(*arguments: str) -> dict[str, Any]:
    """Return what the command tells programs of decks, by their files."""
    result = kotc(*UPGRADE, "--dry-run", "--format", "json", *arguments)
    assert result.exit_code == 0, result.output
    return {deck["file"]: deck for deck in json.loads(result.stdout)["decks"]}


@pytest.mark.parametrize("command", COMMANDS)
def test_decks_go_along_with_their_cards_and_are_named(command: str) -> None:
    before = contents()
    result = kotc(*command.split(), "cards/basic", "--to", "18")
    assert result.exit_code == 0, result.output
    named = re.findall(r"^(\S+): from the 17th to the 18th Edition, (.+)$", result.stderr, re.MULTILINE)
    assert named == [("cards/near.yaml", "0 errors"), ("decks/zoo.yaml", "0 errors")]
    if "--dry-run" in command:
        assert contents() == before
        assert re.findall(r"^\+\+\+ b/(.+)$", result.stdout, re.MULTILINE) == [
            "cards/basic/set.yaml",
            "cards/near.yaml",
            "decks/zoo.yaml",
        ]
    else:
        assert Path("decks/zoo.yaml").read_text(encoding="utf-8") == DECK.replace("17", "18")
        assert kotc("deck", "decks/zoo.yaml").exit_code == 0
        assert contents()["decks/other.yaml"] == before["decks/other.yaml"]


COURIER = "    - {name: Courier, kind: spell, level: 2, text: Target 1 card on top of any deck; silo it.}\n"
OWL = """
    - name: Owl
      kind: minion
      level: 4
      sp: 1
      hp: 2
      ultra_points: 1
      text: |
        SWOOP: When this card in your battlefield is destroyed (ghost-play): Target 1 card in your grave; bounce it.
"""


def test_all_that_keeps_a_deck_from_being_played_is_said_at_once() -> None:
    rules(lambda text: text.replace("ultra_points: 10", "ultra_points: 1").replace(*PRUNED))
    write(Path("cards/basic"), {"cards.yaml": CARDS + COURIER + OWL})
    write(Path("decks"), {"zoo.yaml": DECK.replace("ant: 38, dawn: 2", "ant: 32, courier: 4, owl: 2, bee: 2")})
    zoo = before_and_after("cards/basic")["decks/zoo.yaml"]
    assert (zoo["edition"], zoo["cards"], zoo["playable"]) == ({"before": 17, "after": 18}, 38, 34)
    # Too few cards, too many Ultra Points, a card that is missing, and one that is pruned.
    assert [each["code"] for each in zoo["errors"]] == ["B025", "B026", "B027", "B022"]


def test_a_pruned_card_is_named_with_the_number_of_cards_that_are_left() -> None:
    rules(lambda text: text.replace(*PRUNED))
    write(Path("cards/basic"), {"cards.yaml": CARDS + COURIER})
    write(Path("decks"), {"zoo.yaml": DECK.replace("dawn: 2", "courier: 2")})
    said = kotc(*UPGRADE, "cards/basic").stderr
    assert (
        "decks/zoo.yaml: from the 17th to the 18th Edition, 1 error\n  decks/zoo.yaml:4:18: `courier` may not" in said
    )
    assert "  without the cards that it may not have, it has 38, and needs 2 more\n" in said


def test_a_card_that_no_set_has_is_named_and_the_deck_goes_along() -> None:
    write(Path("decks"), {"zoo.yaml": DECK.replace("dawn", "bee")})
    said = kotc(*UPGRADE, "cards/basic").stderr
    assert "decks/zoo.yaml: from the 17th to the 18th Edition, 2 errors\n" in said
    assert "no set has a card `bee` [B022]" in said
    assert "a deck of the 18th Edition has 40 to 60 cards, and this one has 38 [B025]" in said


def test_a_deck_of_two_sets_says_which_of_them_was_not_taken_along() -> None:
    both = DECK.replace("[../cards/basic]", "[../cards]").replace("ant: 38, dawn: 2", "basic/ant: 38, other/dawn: 2")
    write(Path("decks"), {"zoo.yaml": both})
    said = kotc(*UPGRADE, "cards/basic", "--dry-run").stderr
    assert "  has older cards of `cards/other`, which is not taken along\n" in said
    assert "not taken along" not in kotc(*UPGRADE, "cards/basic", "cards/other").stderr
    assert Path("decks/zoo.yaml").read_text(encoding="utf-8") == both.replace("17", "18")


def test_a_deck_of_three_sets_says_which_two_were_not_taken_along() -> None:
    shutil.copytree("cards/other", "cards/third")
    cards = "basic/ant: 38, other/dawn: 1, third/dawn: 1"
    both = DECK.replace("[../cards/basic]", "[../cards]").replace("ant: 38, dawn: 2", cards)
    write(Path("decks"), {"zoo.yaml": both})
    said = kotc(*UPGRADE, "cards/basic", "--dry-run").stderr
    assert "  has older cards of `cards/other` and `cards/third`, which are not taken along\n" in said


def test_a_deck_elsewhere_is_taken_if_it_is_given() -> None:
    far = write(Path("far/away/decks"), {"far.yaml": DECK.replace("..", "../../..")})
    write(Path("far/away/decks/editions"), {"18.yaml": Path("editions/18.yaml").read_text(encoding="utf-8")})
    assert "far.yaml" not in kotc(*UPGRADE, "cards/basic", "--dry-run").stderr
    for path in ("far/away/decks/far.yaml", "far/away/decks"):
        assert "far.yaml: from the 17th to the 18th" in kotc(*UPGRADE, path, "cards/basic", "--dry-run").stderr
    result = kotc(*UPGRADE, "far/away/decks/far.yaml")
    assert result.exit_code == 0
    assert "1 file written" in result.stderr
    assert "edition: 18" in (far / "far.yaml").read_text(encoding="utf-8")


def test_a_deck_of_which_no_card_goes_along_stays_and_it_is_said_why() -> None:
    rules(lambda text: text.replace("clean_slate: 13", "clean_slate: 18"))
    before = contents()
    said = kotc(*UPGRADE, "cards/basic", "decks/zoo.yaml").stderr
    assert "decks/zoo.yaml: stays of the 17th Edition, 0 errors\n  none of its cards may be played" in said
    assert contents() == before


def test_a_deck_goes_along_with_drafts_of_its_cards_and_names_them() -> None:
    text = '"Destroy 1 of your cards in play. Draw 3 cards."'
    set_yaml = "name: Old\nedition: 9\noutputs: {png: {dpi: 72}}\n"
    write(
        Path("cards/basic"),
        {"set.yaml": set_yaml, "cards.yaml": f"- {{name: Wish, kind: spell, cost: 4, text: {text}}}\n"},
    )
    write(Path("decks"), {"zoo.yaml": "name: Zoo\nedition: 9\nsets: [../cards/basic]\ncards: {wish: 40}\n"})
    assert "zoo.yaml" not in kotc("upgrade", "cards/basic", "--to", "11", "--dry-run").stderr
    said = kotc("upgrade", "cards/basic", "--to", "11", "--draft", "--dry-run").stderr
    assert "decks/zoo.yaml: from the 9th to the 11th Edition, 0 errors\n  has 1 draft to judge: `wish`\n" in said


@pytest.mark.parametrize("command", ["migrate", "upgrade"])
def test_if_a_deck_cannot_be_written_nothing_is_and_the_way_out_is_said(command: str) -> None:
    Path("decks/broken.yaml").write_text("sets: [../cards/basic\ncards: [ant]\n", encoding="utf-8")
    before = contents()
    Path("decks/zoo.yaml").chmod(0o444)
    result = kotc(command, "cards/basic", "--to", "18")
    assert result.exit_code == 3
    assert "decks/broken.yaml: cannot be read" in result.stderr  # all that is in the way, at once
    assert "cannot use `decks/zoo.yaml`: the file is read-only: nothing was written" in result.stderr
    assert "`chmod u+w decks/zoo.yaml`" in result.stderr
    assert contents() == before
    assert not Path("out/.kotc.rebuild").exists()


BROKEN = {
    "name: Zoo\nedition: 17\nsets [../cards/basic]\n": "3:1",
    "name: Zoo\nsets:\n\t- x\ncards: {ant: 40}\n": "3:1",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_deck_near_that_cannot_be_read_is_named_and_left_alone(command: str) -> None:
    for deck, place in BROKEN.items():
        write(Path("decks"), {"zoo.yaml": deck})
        result = kotc(*command.split(), "cards/basic", "--to", "18")
        assert result.exit_code == 0, result.output
        assert "decks/zoo.yaml: cannot be read, 1 error\n  mend it, and give `decks/zoo.yaml` to" in result.stderr
        assert f"  decks/zoo.yaml:{place}: " in result.stderr
        assert Path("decks/zoo.yaml").read_text(encoding="utf-8") == deck
        write(Path("cards/basic"), {"set.yaml": "name: basic\nedition: 17\n"})


def test_a_broken_deck_near_that_uses_other_sets_is_not_spoken_of() -> None:
    write(Path("decks"), {"other.yaml": "name: Zoo\nedition: 17\nsets: [../cards/other]\ncards: {ant: [}\n"})
    assert "other.yaml" not in kotc(*UPGRADE, "cards/basic", "--dry-run").stderr


def test_the_page_shows_decks_with_what_is_wrong() -> None:
    write(Path("decks"), {"zoo.yaml": DECK.replace("dawn", "bee")})
    kotc(*UPGRADE, "cards/basic", "--report", "page.html")
    page = Path("page.html").read_text(encoding="utf-8")
    assert "<h3>Zoo <small>decks/zoo.yaml</small></h3>\n<p><del>17th Edition</del> <ins>18th Edition</ins>, 38" in page
    assert "no set has a card <q>bee</q>" in page


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
