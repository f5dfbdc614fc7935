"""`kotc check --templates`: what a designer would miss in templates is told, at its place, and nothing of what is meant."""

import json
from pathlib import Path

import pytest

from tests.games.declared.test_games_page import FILES
from tests.support.messages import write
from tests.support.sets import kotc

GAME = """\
name: Herds
fields:
  family: {type: choice, choices: [ox, hippopotamus], default: ox}
  weight: {type: number, range: [0, 999]}
  motto: line
  notes: line
  shade: {value: "'#' ~ family"}
kinds: {beast: {}}
icons: {T: icons/t.svg, Z: icons/t.svg}
"""
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9">{}</svg>\n'
BEAST = """{% include "looks.svg" %}
<text id="name" x="5" y="10" width="50" font-size="5">{{ card.name }}</text>
<text id="weight" x="5" y="20" width="8" font-size="5">{{ card.weight }}</text>
<text x="5" y="30" width="40" font-size="5">{{ card.family }}</text>
<text x="5" y="40" width="40" font-size="5">{{ card.motto }}</text>
"""
FILES_OF_SET = {
    "game.yaml": GAME,
    "set.yaml": "name: Herd\n",
    "cards.yaml": "- {name: Ox, weight: 30}\n- {name: Cow}\n",
    "templates/beast.svg": SVG.format(BEAST),
    "templates/looks.svg": "<g/>",
    "templates/back.svg": SVG.format(""),
    "icons/t.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def said(changed: dict[str, str], *options: str) -> list[tuple[str, str, int, str]]:
    """Return the codes, files, lines and messages of what is told of the set with some of its files changed."""
    for name, text in {**FILES_OF_SET, **changed}.items():
        write(Path("herd") / Path(name).parent, {Path(name).name: text})
    result = kotc("check", "herd", "--templates", "--format", "json", *options)
    found = json.loads(result.stdout)
    assert {each["severity"] for each in found} <= {"warning"}, found
    return [(each["code"], Path(each["file"]).name, each["line"], each["message"]) for each in found]


def test_what_is_used_nowhere_filled_by_nobody_or_has_no_room_is_told_at_its_place() -> None:
    assert sorted(said({})) == [
        ("M036", "game.yaml", 6, "no template shows the field `notes`, and nothing else uses it"),
        ("M036", "game.yaml", 7, "no template shows the field `shade`, and nothing else uses it"),
        ("M037", "game.yaml", 9, "no card and no template uses the icon `T`"),
        ("M037", "game.yaml", 9, "no card and no template uses the icon `Z`"),
        ("T018", "beast.svg", 5, "the template `beast` has a place for `motto`, which no card gives"),
        (
            "T019", "game.yaml", 4,
            "template `beast`: with `weight: 999`, `weight` does not fit: "
            "condensed and shrunk to 14.2 pt it is 9.5 mm long, and its line 8.0 mm",
        ),
    ]  # fmt: skip


def test_it_is_told_only_if_it_is_asked_for_and_can_be_left_out() -> None:
    said({})
    assert kotc("check", "herd").stderr == "2 cards checked: nothing to report\n"
    assert [each[0] for each in said({}, "--ignore", "T,M036")] == ["M037", "M037"]
    assert [each[0] for each in said({"set.yaml": "name: Herd\nignore: [M, T018]\n"})] == ["T019"]
    assert kotc("check", "herd", "--templates", "--where", "weight > 3").exit_code == 2


@pytest.mark.parametrize(
    "changed",
    [
        {"cards.yaml": "- {name: Ox, motto: Moo., weight: 30}\n- {name: Cow}\n"},
        {"templates/beast.svg": SVG.format(BEAST.replace("<text x=\"5\" y=\"40\"", "{% if card.motto %}<text").replace("card.motto }}</text>", "card.motto }}</text>{% endif %}"))},
        {"templates/beast.svg": SVG.format(BEAST.replace("{{ card.motto }}", "{{ card.motto or '–' }}"))},
        {"templates/beast.svg": SVG.format(BEAST.replace("{{ card.motto }}", "{{ card.motto|default('–') }}"))},
    ],
)  # fmt: skip
def test_a_place_that_a_card_fills_or_that_is_asked_about_first_is_meant(changed: dict[str, str]) -> None:
    assert "T018" not in {code for code, *_ in said(changed)}


def test_icons_are_used_by_texts_of_cards_of_the_game_and_by_templates() -> None:
    game = GAME.replace("motto: line", "motto: {type: rich, default: 'Turn {T}.'}")
    assert [each[3][-2] for each in said({"game.yaml": game}) if each[0] == "M037"] == ["Z"]
    card = "- {name: Ox, motto: '{Z}'}\n"
    game = GAME.replace("motto: line", "motto: rich")
    assert [each[3][-2] for each in said({"game.yaml": game, "cards.yaml": card}) if each[0] == "M037"] == ["T"]
    icon = '<text x="5" y="50" font-size="5"><icon href="icons/t.svg"/></text>'
    assert "M037" not in {each[0] for each in said({"templates/beast.svg": SVG.format(BEAST + icon)})}


def test_classes_and_ids_that_are_nearly_right_are_told_and_others_are_not() -> None:
    style = "<style>.title {{fill: red}} #frame, .st0 {{fill: blue}}</style>"
    drawn = (
        f'{style.replace("{{", "{").replace("}}", "}")}<rect id="fram" class="titel rest" width="9" height="9"/>{BEAST}'
    )
    drawn = drawn.replace('id="weight"', 'id="wieght"')
    found = [each for each in said({"templates/beast.svg": SVG.format(drawn)}) if each[0] == "T020"]
    assert sorted(message for *_, message in found) == [
        "the style `#frame` is that of no element",
        "the style `.title` is that of no element",
        "the text `wieght` has the id of no value of a card",
    ]


def test_a_choice_has_room_if_its_longest_word_has_in_the_language_of_the_card() -> None:
    narrow = SVG.format(
        BEAST.replace('width="40" font-size="5">{{ card.family', 'width="20" font-size="5">{{ card.family')
    )
    found = [each for each in said({"templates/beast.svg": narrow}) if each[0] == "T019"]
    assert found[0][1:3] == ("game.yaml", 3)
    assert "with `family: hippopotamus`" in found[0][3]


def test_sets_of_one_game_are_looked_at_together() -> None:
    said({})
    write(
        Path("game"),
        {"game.yaml": GAME.replace("  notes: line\n", "").replace("  shade: {value: \"'#' ~ family\"}\n", "")},
    )
    for name in ("templates/beast.svg", "templates/looks.svg", "templates/back.svg", "icons/t.svg"):
        write(Path("game") / Path(name).parent, {Path(name).name: FILES_OF_SET[name]})
    for name, icon in (("one", "T"), ("two", "Z")):
        write(
            Path("sets") / name,
            {
                "set.yaml": f"name: {name}\ngame: ../../game\n",
                "cards.yaml": f"- {{name: {name}, weight: 9, motto: '{{{icon}}}'}}\n",
            },
        )
    found = json.loads(kotc("check", "sets", "--templates", "--format", "json").stdout)
    assert [each["code"] for each in found if each["code"] in ("M037", "T018")] == []


@pytest.mark.parametrize("example", ["cards/fivewinds", "cards/windfall", "cards/starter"])
def test_the_examples_have_nothing_of_it(example: str) -> None:
    from tests.support.repository import ROOT

    assert json.loads(kotc("check", ROOT / example, "--templates", "--format", "json").stdout) == []


def test_neither_has_the_game_of_the_page_nor_a_new_one() -> None:
    for name, text in FILES.items():
        write(Path("lanterns") / Path(name).parent, {Path(name).name: text})
    assert kotc("init", "moon", "--game", "new").exit_code == 0
    for folder in ("lanterns", "moon"):
        assert kotc("check", folder, "--templates").stdout == ""


def test_templates_of_the_other_game_are_looked_at_too() -> None:
    cards = "- {name: Ox, kind: minion, level: 4, sp: 2, hp: 4}\n"
    template = '{% extends "kotc/minion.svg" %}{% block nmae %}{% endblock %}'
    write(Path("zoo/templates"), {"minion.svg": template})
    write(Path("zoo"), {"set.yaml": "name: Zoo\nedition: 17\n", "cards.yaml": cards})
    assert "T016" not in kotc("check", "zoo").stdout
    assert "has a block `nmae` that nothing draws [T016]" in kotc("check", "zoo", "--templates").stdout
