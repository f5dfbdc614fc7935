"""`kotc explain CARD` in games of every kind: each value with the place that gives it."""

import json
from pathlib import Path

import pytest

from tests.support.messages import write
from tests.support.sets import kotc

GAME = """\
name: Lanterns
fields:
  rarity: {type: choice, choices: [common, rare], default: common}
  cost: {type: number, aliases: [price]}
  rules: text
  worth: {value: "cost * 2 if cost is not none else none"}
kinds:
  lamp: {size: mini, back: dark}
  twin: {faces: 2, fields: [cost, rules]}
id: "{{ name }} {{ kind }}"
"""
SET = """\
name: Lamps
languages: [en, de]
tables: {columns: {Preis: cost}}
sheet: {card_size: bridge}
"""
CARDS = """\
- &base
  name: Wick
  kind: lamp
  cost: 3
  rules: &words Glow.
- <<: *base
  name: Oil
  words: {de: {name: Öl}}
- {name: Soot, kind: lamp, rules: *words, price: 2, copies: 2, art: art/soot.svg}
- name: Day and Night
  kind: twin
  cost: 4
  faces: [{name: Day, rules: Up.}, {name: Night}]
"""
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="44.45" height="63.5"/>'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = {
        "game.yaml": GAME,
        "set.yaml": SET,
        "cards.yaml": CARDS,
        "more.csv": "name,kind,Preis,rules,name.de\nMoth,lamp,7,Fly.,Motte\n",
        "words.de.yaml": "Soot: {rules: Rußt.}\nday-and-night-twin: {faces: [{name: Tag}, {name: Nacht}]}\n",
        "templates/lamp.svg": f'{{% include "frame.svg" %}}{SVG}',
        "templates/frame.svg": "<g/>",
        "art/soot.svg": SVG,
    }
    for name, text in files.items():
        write(Path("lamps") / Path(name).parent, {Path(name).name: text})


def values(*arguments: object) -> dict[str, dict[str, object]]:
    result = kotc("explain", *arguments, "lamps", "--format", "json")
    assert result.exit_code == 0, result.output
    (card,) = json.loads(result.stdout)
    return {each["name"]: each for each in card["values"]}


def places(*arguments: object) -> dict[str, tuple[object, str]]:
    """Return each value with the line that gives it and how it does, `cost * 2` of a formula."""
    found = values(*arguments)
    lines = {
        name: f" {Path(str(each['file'])).name}:{each['line']}" if "file" in each else ""
        for name, each in found.items()
    }
    return {name: (each["value"], f"{each['from']}{lines[name]}") for name, each in found.items()}


def test_a_value_comes_from_the_card_the_game_the_set_or_a_formula() -> None:
    assert places("Wick") == {
        "id": ("wick-lamp", "`{{ name }} {{ kind }}` in the game"),
        "name": ("Wick", "the card cards.yaml:2"),
        "kind": ("lamp", "the card cards.yaml:3"),
        "copies": (1, "the default"),
        "art": (None, "not given"),
        "rarity": ("common", "the default of the game game.yaml:3"),
        "cost": (3, "the card cards.yaml:4"),
        "rules": ("Glow.", "the card cards.yaml:5"),
        "worth": (6, "`cost * 2 if cost is not none else none`, where `cost` is `3` game.yaml:6"),
        "template": ("lamp", "the game game.yaml:8"),
        "back": ("dark", "the game game.yaml:8"),
        "size": ("44.45 x 63.5 mm", "the kind `lamp` game.yaml:8"),
    }
    assert places("day-and-night-twin")["size"] == ("57.15 x 88.9 mm", "the set set.yaml:4")
    assert places("day-and-night-twin")["back"] == ("back", "the default")


def test_anchors_aliases_merges_and_other_names_are_told() -> None:
    assert places("Oil")["cost"] == (3, "taken over by `<<` cards.yaml:4")
    assert places("Oil")["name"] == ("Oil", "the card cards.yaml:7")
    assert places("Soot")["rules"] == ("Glow.", "an alias in the card cards.yaml:5")
    assert places("Soot")["cost"] == (2, "the card, as `price` cards.yaml:9")


def test_a_cell_is_named_with_its_column_as_the_table_has_it() -> None:
    cost = values("Moth")["cost"]
    assert (cost["value"], cost["from"], cost["file"], cost["cell"]) == (
        7,
        "the column `Preis`",
        "lamps/more.csv",
        "C2",
    )


def test_words_of_a_language_come_from_the_card_a_column_or_a_file() -> None:
    german = ("--language", "de")
    assert places("oil-lamp", *german)["name"] == ("Öl", "the words in `de` cards.yaml:8")
    assert places("oil-lamp", *german)["rules"] == ("Glow.", "taken over by `<<` cards.yaml:5")
    assert values("moth-lamp", *german)["name"]["cell"] == "E2"
    assert places("soot-lamp", *german)["rules"] == ("Rußt.", "the words in `de` words.de.yaml:1")
    assert places("day-and-night-twin", *german)["faces.1.name"] == ("Nacht", "the words in `de` words.de.yaml:2")


def test_a_language_that_the_set_has_not_is_refused() -> None:
    result = kotc("explain", "Oil", "lamps", "--language", "fr")
    assert (result.exit_code, result.stdout, "no words in `fr`" in result.stderr) == (1, "", True)


def test_a_variant_gives_values_of_its_own() -> None:
    card = "- {name: Ash, kind: lamp, cost: 1, variants: {foil: {cost: 9}}}\n"
    write(Path("lamps"), {"set.yaml": SET + "variants: {foil: {}}\n", "cards.yaml": CARDS + card})
    assert places("Ash")["cost"] == (1, "the card cards.yaml:14")
    assert places("Ash", "--variant", "foil")["cost"] == (9, "the variant `foil` of the card cards.yaml:14")
    assert "variants" not in places("Ash")


def test_a_variant_of_the_set_gives_values_before_the_card_itself() -> None:
    foil = "variants:\n  foil:\n    where: kind == 'lamp'\n    copies: 1\n    back: none\n"
    card = "- {name: Ash, kind: lamp, copies: 3, variants: {foil: {copies: 4}}}\n"
    write(Path("lamps"), {"set.yaml": SET + foil, "cards.yaml": CARDS + card})
    assert places("Soot", "--variant", "foil")["copies"] == (1, "the variant `foil` of the set set.yaml:8")
    assert places("Soot", "--variant", "foil")["back"] == ("none", "the variant `foil` of the set set.yaml:9")
    assert places("Ash", "--variant", "foil")["copies"] == (4, "the variant `foil` of the card cards.yaml:14")
    assert places("Soot")["copies"] == (2, "the card cards.yaml:9")


def test_faces_have_their_own_values_and_those_of_their_card() -> None:
    found = places("Night")  # the name of a face finds its card
    assert found["cost"] == found["faces.1.cost"] == (4, "the card cards.yaml:12")
    assert found["faces.0.rules"] == ("Up.", "the card cards.yaml:13")
    assert found["faces.1.rules"] == (None, "not given")
    assert "rules" not in found


def test_files_are_those_that_are_found() -> None:
    found = values("Soot")
    assert found["template"]["files"] == ["lamps/templates/lamp.svg", "lamps/templates/frame.svg"]
    assert found["art"]["files"] == ["lamps/art/soot.svg"]


def test_a_card_is_found_by_the_line_on_which_it_stands() -> None:
    (line,) = json.loads(kotc("explain", "lamps/cards.yaml:7", "--format", "json").stdout)
    (cell,) = json.loads(kotc("explain", "lamps/more.csv:2", "--format", "json").stdout)
    assert (line["card"], cell["card"]) == ("oil-lamp", "moth-lamp")
    result = kotc("explain", "lamps/cards.yaml:99")
    assert (result.exit_code, "there is no card `lamps/cards.yaml:99`" in result.stderr) == (2, True)


def test_the_table_for_people() -> None:
    assert kotc("explain", "Oil", "lamps").stdout == (
        "Oil (oil-lamp), lamp of Lamps\n"
        "  id        oil-lamp         `{{ name }} {{ kind }}` in the game\n"
        "  name      Oil              the card, lamps/cards.yaml:7:9\n"
        "  kind      lamp             taken over by `<<`, lamps/cards.yaml:3:9\n"
        "  copies    1                the default\n"
        "  rarity    common           the default of the game, lamps/game.yaml:3:60\n"
        "  cost      3                taken over by `<<`, lamps/cards.yaml:4:9\n"
        "  rules     Glow.            taken over by `<<`, lamps/cards.yaml:5:17\n"
        "  worth     6                `cost * 2 if cost is not none else none`, where\n"
        "                             `cost` is `3`, lamps/game.yaml:6:18\n"
        "  template  lamp             the game, lamps/game.yaml:8:3; files\n"
        "                             lamps/templates/lamp.svg, lamps/templates/frame.svg\n"
        "  back      dark             the game, lamps/game.yaml:8:28\n"
        "  size      44.45 x 63.5 mm  the kind `lamp`, lamps/game.yaml:8:16\n"
        "  not given: art\n"
    )


def test_cards_of_the_other_game_say_the_same_when_they_are_asked() -> None:
    cards = "- {name: Ox, kind: minion, level: auto, sp: 2, hp: 4}\n"
    write(Path("zoo"), {"set.yaml": "name: Zoo\nedition: 17\n", "cards.yaml": cards})
    (card,) = json.loads(kotc("explain", "ox", "zoo", "--values", "--format", "json").stdout)
    found = {each["name"]: (each["value"], each["from"]) for each in card["values"]}
    assert found["level"] == (4, "the rules: SP 2 + 1/2 of HP 4 = 4: level 4")
    assert found["edition"] == (17, "the set")
    words = "languages: [en, de]\ncredit: Ada, CC0.\nwords: {de: {credit: 'Von Ada, CC0.'}}\n"
    write(Path("zoo"), {"set.yaml": f"name: Zoo\nedition: 17\n{words}"})
    (card,) = json.loads(kotc("explain", "ox", "zoo", "--values", "--language", "de", "--format", "json").stdout)
    credit = next(each for each in card["values"] if each["name"] == "credit")
    assert (credit["value"], credit["from"], credit["line"]) == ("Von Ada, CC0.", "the set", 5)
    assert "SP and HP" in kotc("explain", "ox", "zoo").stdout
