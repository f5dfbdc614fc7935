"""Kinds of card that an edition has beside minions and spells: `kinds` in its file, and all that follows for cards."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from PIL import Image

from render.cli.main import main
from render.games.kotc.sets import load_sets
from tests.support.new_kinds import Reckoned, reckoned_cards, write_editions
from tests.support.sets import kotc, write_set

SET = "name: Old things\nedition: 18\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_editions(Path("editions"))
    return tmp_path


def written(cards: list[Reckoned]) -> Path:
    return write_set(Path("s"), "".join(card.yaml for card in cards), SET)


def levels() -> dict[str, tuple[int | None, int]]:
    (card_set,) = load_sets([Path("s")])
    return {card.id: (card.level, card.ultra_points) for card in card_set.cards}


def test_levels_are_those_that_the_words_of_the_rules_give() -> None:
    cards = reckoned_cards(60, seed=1)
    folder = written(cards)
    assert levels() == {card.id: (card.level, card.ultra_points) for card in cards}
    assert "nothing to report" in kotc("check", folder).output


def test_a_wrong_level_is_said_with_the_right_one() -> None:
    folder = write_set(Path("s"), "- {name: Bell, kind: relic, level: 4, hp: 7, text: 'TOLL: Draw 2 cards.'}\n", SET)
    said = kotc("check", folder).output
    assert "the level of `bell` is 9, not 4 [V001]" in said
    assert "2/3 of HP 7 = 5, TOLL 4 (Draw 2 cards 4): level 9" in said


def test_sets_and_decks_go_to_the_next_edition_with_the_levels_that_its_rules_give() -> None:
    cards = reckoned_cards(30, seed=2)
    folder = written(cards)
    counts = "".join(f"  {card.id}: 1\n" for card in cards)
    deck = Path("old.yaml")
    deck.write_text(f"name: Old\nedition: 18\nsets: [s]\ncards:\n{counts}", encoding="utf-8")
    assert "Old, a deck of the 18th Edition: 30 cards" in kotc("deck", deck).output
    result = kotc("migrate", folder, deck, "--to", "19")
    assert result.exit_code == 0, result.output
    assert levels() == {card.id: (card.later, card.ultra_points) for card in cards}
    assert "edition: 19" in deck.read_text(encoding="utf-8")
    assert "Old, a deck of the 19th Edition: 30 cards" in kotc("deck", deck).output


def test_a_deck_lists_each_kind_by_itself() -> None:
    written(reckoned_cards(12, seed=3))
    Path("old.yaml").write_text(
        "name: Old\nedition: 18\nsets: [s]\ncards: {relic-1: 2, relic-2: 1, ritual-0: 1}\n", encoding="utf-8"
    )
    assert re.search(r"^3 relics", kotc("deck", "old.yaml").output, re.MULTILINE)


def test_a_card_has_the_frame_of_the_nearest_kind_until_the_set_has_one() -> None:
    folder = write_set(
        Path("s"),
        "- {name: Bell, kind: relic, level: 2, hp: 1}\n- {name: Fog, kind: minion, level: 1, sp: 0, hp: 1}\n",
        SET,
    )
    assert kotc("png", folder, "--out", "before").exit_code == 0
    bell, fog = (Image.open(f"before/{name}.png").convert("RGB") for name in ("bell", "fog"))
    frame, sp = (10, 10, 60, 60), (80, 830, 150, 930)  # pixels: the border; where SP stands
    assert bell.crop(frame).tobytes() == fog.crop(frame).tobytes()
    assert bell.crop(sp).getcolors() == [(7000, (255, 255, 255))]
    assert fog.crop(sp).getcolors() != bell.crop(sp).getcolors()
    Path("s/templates").mkdir()
    Path("s/templates/relic.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="63.5mm" height="88.9mm" viewBox="0 0 63.5 88.9">'
        '<rect width="63.5" height="88.9" fill="#00ff00"/><text x="5" y="20" width="50" font-size="4">{{ card.name }} '
        "{{ card.level }} {{ card.hp }}</text></svg>",
        encoding="utf-8",
    )
    assert kotc("png", folder, "--out", "after").exit_code == 0
    assert Image.open("after/bell.png").convert("RGB").getpixel((375, 900)) == (0, 255, 0)


@pytest.mark.parametrize(
    ("card", "said"),
    [
        ("kind: relic, level: 2, sp: 1, hp: 2", "a relic has no `sp` [C003]"),
        ("kind: relic, level: 2, sp: 1, hp: 2", "its edition needs `sp_share: 0`"),
        ("kind: relic, level: 2", "`bell` has no `hp` [C004]"),
        ("kind: relik, level: 2, hp: 2", "did you mean `relic`?"),
        ("kind: ritual, level: 2", "`bell` has no `text` [C004]"),
        ("kind: relic, edition: 17, level: 2, hp: 2", "found `relic` [C007]"),
        ("kind: ritual, level: 9, text: \"Draw 2 cards.\\nDraw 2 cards.\"", "a ritual has one ability, and this one has more"),
    ],
)  # fmt: skip
def test_what_a_card_of_a_new_kind_may_not_have_is_said(card: str, said: str) -> None:
    assert said in kotc("check", write_set(Path("s"), f"- {{name: Bell, {card}}}\n", SET)).output


def test_a_difference_of_editions_names_the_cards_of_a_kind_that_is_another() -> None:
    folder = write_set(
        Path("s"),
        "- {name: Bell, kind: relic, level: 2, hp: 2}\n- {name: Moon, kind: ritual, level: 4, text: Draw 2 cards.}\n",
        SET,
    )
    said = kotc("edition", "diff", "18", "19", folder).output
    assert "+ kinds: name: relic, hp_share: 1/2, least: 2, least_of_ability: 1" in said
    assert "bell: kinds: relic" in said
    assert "moon: repriced: draw {x} cards" in said


def test_an_edition_without_the_kind_cannot_judge_it() -> None:
    text = Path("editions/19.yaml").read_text(encoding="utf-8").replace("name: relic", "name: idol")
    Path("editions/19.yaml").write_text(text, encoding="utf-8")
    folder = write_set(Path("s"), "- {name: Bell, kind: relic, level: 2, hp: 2}\n", SET)
    assert "the 19th Edition has no cards of the kind `relic`" in kotc("check", folder, "--edition", "19").output
    kotc("migrate", folder, "--to", "19")
    assert "edition: 18" in Path("s/set.yaml").read_text(encoding="utf-8")


def test_a_set_and_a_deck_may_give_the_kind_a_back_of_its_own() -> None:
    cards = "- {name: Bell, kind: relic, level: 2, hp: 2}\n"
    folder = write_set(Path("s"), cards, SET + "back: {relic: none}\n")
    (card_set,) = load_sets([folder])
    assert [card.back for card in card_set.cards] == ["none"]
    assert "did you mean `relic`?" in kotc("check", write_set(Path("t"), cards, SET + "back: {relik: none}\n")).output
    Path("d.yaml").write_text(
        "name: D\nedition: 18\nsets: [s]\nback: {relic: back}\ncards: {bell: 1}\n", encoding="utf-8"
    )
    assert "[D0" not in kotc("deck", "d.yaml").output
    assert kotc("schema", "--update", folder).exit_code == 0
    schema = json.loads(Path("s/.kotc/set.schema.json").read_text(encoding="utf-8"))
    assert Draft202012Validator(schema).is_valid({"name": "A", "back": {"relic": "none", "spell": "back"}})
    assert not Draft202012Validator(schema).is_valid({"name": "A", "back": {"relik": "none"}})


def test_blank_cards_may_be_of_the_kind() -> None:
    assert kotc("pdf", "--blank", "relic:9", "--out", "a.pdf").exit_code == 0
    folder = write_set(Path("s"), "- {name: Bell, kind: relic, level: 2, hp: 2}\n", SET)
    assert kotc("png", folder, "--blank", "relic", "--blank", "ritual", "--out", "out").exit_code == 0
    assert sorted(file.name for file in Path("out").glob("*.png")) == ["blank-relic.png", "blank-ritual.png"]
    said = kotc("pdf", folder, "--blank", "relic", "--edition", "17", "--out", "b.pdf").stderr
    assert "the 17th Edition has no cards of the kind `relic`: ask for another edition with --edition" in said
    assert "did you mean `relic`?" in kotc("pdf", folder, "--blank", "relik", "--out", "b.pdf").stderr


def test_shells_and_lists_offer_the_kind() -> None:
    assert "relic" in kotc("pdf", "--list").stdout
    Path("editions").rename("s-editions")
    folder = write_set(Path("s"), "- {name: Bell, kind: relic, level: 2, hp: 2}\n", SET)
    Path("s-editions").rename(folder / "editions")
    words = {"_KOTC_COMPLETE": "zsh_complete", "COMP_WORDS": "kotc pdf s --kind rel", "COMP_CWORD": "4"}
    assert "relic" in CliRunner().invoke(main, [], env=words, prog_name="kotc").stdout


def test_editors_and_commands_know_the_kind() -> None:
    folder = write_set(Path("s"), "- {name: Bell, kind: relic, level: 2, hp: 2}\n", SET)
    assert kotc("new", "relic", "Egg", "--to", folder).exit_code == 0
    assert levels() == {"bell": (2, 0), "egg": (2, 0)}
    assert kotc("schema", "--update", folder).exit_code == 0
    schema = json.loads(Path("s/.kotc/cards.schema.json").read_text(encoding="utf-8"))
    (own,) = [each for each in schema["$defs"]["card"]["allOf"] if each.get("then", {}).get("title") == "relic"]
    assert own["then"]["required"] == ["hp", "level"]
    shown = json.loads(kotc("explain", "bell", "--format", "json").stdout)
    assert (shown[0]["kind"], shown[0]["stats"]["hp"], shown[0]["stats"]["share"], shown[0]["level"]) == (
        "relic",
        2,
        "2/3",
        2,
    )
    assert kotc("png", folder, "--kind", "relic", "--out", "out").exit_code == 0
