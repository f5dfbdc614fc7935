"""Variants of cards of Keeper of the Cards: they look otherwise, and the rules judge the cards as they are."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from render.game.home import Versions
from render.game.sources import load_sets
from render.games.kotc.model.cards import Card, own_card
from tests.support.sets import kotc, write_set

SET = """\
name: Mine
edition: 17
credit: Card design by me, CC0.
variants:
  alt: {where: level > 2, flavor: Once more., credit: By another.}
  dark: {where: false}
"""
CARDS = """\
- {name: Wolf, kind: minion, level: auto, sp: 3, hp: 4, text: Draw 1 card.}
- name: Dog
  kind: minion
  level: 2
  sp: 1
  hp: 1
  words: {de: {name: Hund}}
  variants: {dark: {art: {file: art/dog.svg, author: A. Author}, flavor: It is night., text_size: 6}}
"""
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><circle r="90" fill="#102030"/></svg>'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with the set `mine`."""
    monkeypatch.chdir(tmp_path)
    write_set(Path("mine"), CARDS, SET)
    Path("mine/art").mkdir()
    Path("mine/art/dog.svg").write_text(DRAWING, encoding="utf-8")


def cards_in(variant: str, language: str = "") -> list[Card]:
    (card_set,) = load_sets("mine", language, versions=Versions((variant,)))
    return [own_card(card) for card in card_set.cards]


def test_a_card_looks_otherwise_and_has_the_numbers_of_the_rules() -> None:
    plain, _ = cards_in("")
    (wolf,) = cards_in("alt")
    assert (wolf.flavor, wolf.credit, plain.flavor) == ("Once more.", "By another.", "")
    assert (wolf.level, wolf.shown_text) == (plain.level, plain.shown_text)


def test_a_card_has_another_picture_in_a_variant_that_it_gives() -> None:
    (dog,) = cards_in("dark")
    assert dog.art
    assert (dog.art.name, dog.art.author, dog.flavor) == ("art/dog.svg", "A. Author", "It is night.")
    assert cards_in("")[1].art is None
    assert kotc("build", "mine").exit_code == 0
    assert Path("out/mine/dark/png/dog.png").read_bytes() != Path("out/mine/png/dog.png").read_bytes()


def test_a_variant_is_printed_in_another_language() -> None:
    (dog,) = cards_in("dark", "de")
    assert (dog.name, dog.flavor) == ("Hund", "It is night.")


@pytest.mark.parametrize("key", ["id: cat", "kind: spell", "edition: 16", "text: Draw 2 cards.", "level: 3", "sp: 9"])
@pytest.mark.parametrize("file", ["set.yaml", "cards.yaml"])
def test_what_the_rules_judge_is_the_same_in_all_variants(key: str, file: str) -> None:
    text = Path("mine", file).read_text(encoding="utf-8")
    Path("mine", file).write_text(text.replace("flavor: ", f"{key}, flavor: "), encoding="utf-8")
    assert f"`{key.partition(':')[0]}` is the same in all variants of a card [C003]" in kotc("check", "mine").output


def test_the_rules_find_what_they_find_in_the_plain_cards_once() -> None:
    Path("mine/cards.yaml").write_text(CARDS.replace("level: auto", "level: 3"), encoding="utf-8")
    assert kotc("check", "mine").output.count("[V") == 1


def test_editors_check_variants() -> None:
    schema = Draft202012Validator(json.loads(kotc("schema", "set").stdout))
    variants = {"foil": {"where": "level > 2", "layers": {"shine": True}, "flavor": "x"}}
    assert schema.is_valid({"name": "Mine", "layers": {"guides": False}, "variants": variants})
    assert not schema.is_valid({"name": "Mine", "layers": {"guides": "off"}})
    assert not schema.is_valid({"name": "Mine", "variants": {"Foil": {}}})
    assert not schema.is_valid({"name": "Mine", "variants": {"foil": {"layers": {"shine": 3}}}})
