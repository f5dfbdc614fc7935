"""`kotc suggest`: legal cards of a wish, the shortest first, and none missed that trying everything finds."""

import json
import random
import shlex
from functools import cache
from pathlib import Path

import pytest
from proofs.random_wishes import random_wish

from render.games.kotc.editions.finding import find
from render.games.kotc.model.cards import Card
from render.games.kotc.workshop.suggestions.suggesting import as_yaml, suggest
from render.games.kotc.workshop.suggestions.wish import Wish, stands_in, wished_words
from tests.support.brute_force import Tried, small, spells_of_one_sentence, texts_of_level
from tests.support.level_cases import EDITION
from tests.support.sets import kotc, write_set

SET = "name: Suggested\nedition: 17\n"


@cache
def tried(number: int) -> list[Tried]:
    return spells_of_one_sentence(find(number), 2)


@pytest.mark.parametrize("number", [9, 11, 12, 17])
def test_what_trying_everything_finds_is_found_and_no_longer(number: int) -> None:
    chance = random.Random(number)
    for _ in range(6):
        wish = random_wish(chance, is_spell=True)
        mine = [each for each in tried(number) if fits(each, wish)]
        if not mine:
            continue
        found = suggest(wish, find(number), 1).cards
        assert found, (wish, mine[0])
        # What does something to a card of its owner may come last.
        harmless = [len(each.text) for each in mine if not {"this", "your"} & set(wished_words(each.text))]
        assert not harmless or len(found[0].text) <= min(harmless), wish


def fits(each: Tried, wish: Wish) -> bool:
    if wish.condition or each.level != wish.level:
        return False
    if wish.ultra_points is not None and each.ultra_points > wish.ultra_points:
        return False
    said = wished_words(each.text)
    wanted = [stands_in(wished_words(words), said) for words in wish.words]
    return all(wanted) and not any(stands_in(wished_words(words), said) for words in wish.unwanted)


FEW = [
    "When you take damage",
    "self-exhaust {x} resources",
    "pay {x} HP",
    "Target up to {x} on-field minions",
    "Excavate {x} cards and target up to {y} excavated cards",
    "conscript the targets",
    "place {x} Dice Counters on each target",
    "draw {x} cards",
]


@pytest.mark.parametrize("level", [0, 2, 3])
def test_of_few_components_all_cards_are_found_the_shortest_first(level: int) -> None:
    edition = small(EDITION, FEW, 2)
    found = suggest(Wish(level=level, is_spell=True), edition, 100_000, all_numbers=True)
    texts = [each.text for each in found.cards]
    assert found.is_all
    assert [len(text) for text in texts] == sorted(len(text) for text in texts)
    assert len(texts) == len(set(texts))
    assert set(texts) == texts_of_level(edition, level, 2)


@pytest.mark.parametrize("number", range(9, 18))
def test_check_finds_nothing_wrong_with_any_suggestion(number: int, tmp_path: Path) -> None:
    chance = random.Random(number)
    edition = find(number)
    cards: list[Card] = []
    while len(cards) <= 10:
        wish = random_wish(chance, is_spell=chance.random() < 0.5)
        cards += suggest(wish, edition, 3).cards
    named = as_yaml(cards).split("- name: Suggestion ")
    write_set(tmp_path, "".join(f"- name: Card {at}-{each}" for at, each in enumerate(named) if each), SET)
    assert kotc("check", tmp_path).output == f"{len(cards)} cards checked: nothing to report\n"


def test_the_shortest_text_comes_first_as_yaml_to_paste() -> None:
    result = kotc("suggest", "--edition", 17, "--level", 5, "--with", "draw", "--count", 2)
    assert result.exit_code == 0
    assert result.stdout == (
        "- name: Suggestion 1\n  kind: spell\n  edition: 17\n  level: 5\n  ultra_points: 1\n"
        "  text: |\n    Pay 4 HP→ Draw 3 cards.\n"
        "- name: Suggestion 2\n  kind: spell\n  edition: 17\n  level: 5\n"
        "  text: |\n    Draw 1 card. 3-dice-heal yourself.\n"
    )
    assert result.stderr == "2 spells of level 5, 17th Edition, the shortest text first\n"


def test_a_minion_gets_sp_and_hp_that_bring_it_to_its_level() -> None:
    result = kotc(
        *("suggest", "--edition", 17, "--kind", "minion", "--level", 9, "--with", "destroy it"),
        *("--count", 1, "--format", "json"),
    )
    text = "ABILITY: Target 1 on-field minion; destroy it."
    number = {"name": "Suggestion 1", "kind": "minion", "edition": 17, "level": 9, "sp": 4, "hp": 6}
    assert json.loads(result.stdout) == [number | {"text": text, "characters": len(text)}]


def wished(**options: object) -> list[str]:
    given = {"level": 3, "is_spell": True} | options
    return [each.text for each in suggest(Wish(**given), EDITION, 3).cards]  # type: ignore[arg-type]


def test_each_part_of_a_wish_holds() -> None:
    assert wished(words=("Draw 2 cards",), ultra_points=0)[0] == "Self-sheathe 1 resource→ Draw 2 cards."
    assert wished(condition=True)[0] == "When you take damage: 3-dice-heal yourself."
    assert wished(unwanted=("dice", "craft", "pay"))[0] == "Target 1 on-field minion; sheathe it."
    one = wished(words=("draw", "craft"), sub_abilities=1, ultra_points=0)[0]
    assert one == "Draw 1 card, then craft 1 level 1 pawn."
    assert wished(is_spell=False, sp=3, hp=0, level=2) == []
    assert wished(is_spell=False, sp=2, hp=2, abilities=0) == [""]
    two = wished(is_spell=False, sp=1, hp=0, abilities=2, ultra_points=0)[0]
    assert two == "ABILITY 1: 1-dice-heal yourself.\nABILITY 2: Craft 1 level 1 pawn."


def test_with_all_numbers_the_same_components_come_again() -> None:
    found = suggest(Wish(level=5, is_spell=True, words=("draw",)), EDITION, 3, all_numbers=True).cards
    assert [each.text for each in found] == [
        "Pay 4 HP→ Draw 3 cards.",
        "Pay 12 HP→ Draw 4 cards.",
        "Pay 20 HP→ Draw 5 cards.",
    ]


COSTS = ("self", "pay", "remove", "gift")


def test_what_only_a_target_selection_without_need_gives_is_found_last() -> None:
    wish = Wish(level=2, is_spell=True, words=("draw", "target this card"), unwanted=COSTS)
    found = suggest(wish, EDITION, 1)
    assert found.repeating
    assert found.cards[0].text == "Target this card; draw 1 card."


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--level", 5, "--with", "drow"], "no component of the 17th Edition has `drow`: did you mean `draw`?"),
        (["--level", 5, "--kind", "creature"], "the 17th Edition has no creatures: ask for `minion`"),
        (["--level", 5, "--sp", 1], "a spell has no SP and no HP: leave out --sp and --hp, or ask for --kind minion"),
        (["cards"], "paths need --fit, the id of a card"),
        ([], "Missing option '--level'."),
        (["--begin", "Draw", "--level", 5], "--level does nothing beside --begin: leave it out"),
        (["--fit", "ant"], "--edition does nothing beside --fit: leave it out"),
        ([""], "Missing option '--level'."),
        (["a spell of level 5", "--begin", "Draw"], "a wish in words does nothing beside --begin: leave it out"),
        (["a spell with draw"], "say the level, as in `of level 5`"),
        (["a spell of level 2 with draw or heal"], "ask for one thing, then for the other"),
        (["a spell of level 2", "--level", 3], "the wish says `level`, and so does an option: say it once"),
        (["a spell of level 2 with frobnicate"], "no component of the 17th Edition has `frobnicate`"),
        (["a minion of level 99999"], "expected a whole number from 0 to 999, found `99999`"),
        (["--level", 5, "--abilities", 2], "a spell has one ability: leave out --abilities"),
    ],
)
def test_a_wish_that_makes_no_sense_is_wrong_usage(arguments: list[object], message: str) -> None:
    result = kotc("suggest", "--edition", 17, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    ("said", "options"),
    [
        ("a spell of level 5 with draw", "--level 5 --with draw"),
        (
            "Two minions of level 7 that kill, with 3 SP",
            "--kind minion --level 7 --with destroy --sp 3 --count 2",
        ),
        (
            "spells of level 2 without dice or craft in edition 16",
            "--level 2 --without dice --without craft --edition 16",
        ),
        (
            "creature of cost 6 with 2 abilities and hand, 9th Edition",
            "--edition 9 --kind creature --level 6 --abilities 2 --with hand",
        ),
        ("level 4 spell drawing cards and no ultra points", "--level 4 --with draw --ultra-points 0"),
        (
            "a minion of level 6 with a condition but no dice",
            "--kind minion --level 6 --condition --without dice",
        ),
        ("a level 3 minion with 2 hp and without conditions", "--kind minion --level 3 --hp 2 --no-condition"),
        ("level 4 with draw 2 cards", "--level 4 --with 'draw 2 cards'"),
    ],
)
def test_a_wish_may_be_said_in_plain_words(said: str, options: str) -> None:
    result = kotc("suggest", *said.split())
    assert result.exit_code == 0
    assert result.stdout == kotc("suggest", *shlex.split(options)).stdout != ""
    assert kotc("suggest", said).stdout == result.stdout


def test_words_that_are_read_as_others_are_told() -> None:
    assert kotc("suggest", "a spell of level 2 that kills").stderr.startswith("`kill` is read as `destroy`\n")
    assert kotc("suggest", "a spell of level 2 that deals damage").stderr.startswith("`deal` is read as `wound`\n")


def test_inside_a_set_the_edition_is_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_set(tmp_path, "", "name: Old\nedition: 9\n")
    monkeypatch.chdir(tmp_path)
    assert "edition: 9\n" in kotc("suggest", "a spell of level 2 with draw").stdout


def test_a_wish_that_nothing_fits_is_said() -> None:
    result = kotc("suggest", "--edition", 17, "--kind", "minion", "--level", 1, "--sp", 3)
    assert result.exit_code == 0
    assert result.stdout == ""
    assert result.stderr == "there is no minion of level 1, 17th Edition, that is wished for\n"


@pytest.mark.parametrize("words", ["two minions of level 7 that kill, with 3 SP", "a spell of level 4 that buries"])
def test_a_wish_is_about_what_a_card_does_to_others(words: str) -> None:
    wish, *_ = words.split(",")
    cards = json.loads(kotc("suggest", *words.replace("two", "12").split(), "--format", "json").stdout)
    assert cards
    for card in cards:
        effects = card["text"].rpartition("→")[2].lower()
        assert ("destroy" if "kill" in wish else "bury") in effects, card["text"]
        assert "this card" not in effects
        assert "your" not in effects


def test_who_asks_for_their_own_card_or_a_cost_gets_it() -> None:
    assert wished(words=("target this card", "sheathe"))[0] == "Target this card; sheathe it."
    (card,) = json.loads(
        kotc("suggest", *"one spell of level 3 with self-sheathe and draw --format json".split()).stdout
    )
    assert card["text"].startswith("Self-sheathe")


def test_what_only_harms_its_owner_is_found_last() -> None:
    edition = small(
        EDITION, ["Target this card", "Target up to {x} cards in your hand", "destroy the targets", "draw {x} cards"], 2
    )
    found = suggest(Wish(level=2, is_spell=True), edition, 1000, all_numbers=True)
    is_harm = ["destroy" in each.text for each in found.cards]
    assert found.is_all
    assert is_harm == sorted(is_harm)
    assert set(is_harm) == {True, False}
