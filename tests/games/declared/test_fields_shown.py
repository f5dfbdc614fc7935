"""Fields that cards give and nothing shows: one warning for each, and none where the game uses it otherwise."""

from pathlib import Path

import pytest

from render.game.declared.cards import DeclaredCard
from render.game.declared.reading.game_keys import ALSO_IN_TEMPLATES, COMMON, RESERVED
from render.game.registry import game_of
from render.game.sources import load_sets
from tests.support.sets import kotc
from tests.support.templates import svg

GAME = """\
name: Lamps
fields: {oil: {aliases: [fuel]}, wick: line, glass: line, glow: {value: "wick ~ '!'"}}
kinds: {lamp: {fields: [oil, wick, glass]}}
table: [id, glass]
"""
CARDS = """\
- {name: One, kind: lamp, wick: Flat, glass: Clear}
- {name: Two, kind: lamp, fuel: Rape, wick: Flat, glass: Clear}
- {name: Three, kind: lamp, oil: Rape, wick: Flat, glass: Clear}
"""


def said_of(folder: Path, content: str, **files: str) -> str:
    usual = {
        "game.yaml": GAME,
        "set.yaml": "name: Lamps\nback: none\n",
        "cards.yaml": CARDS,
        "lamp.svg": svg(content),
        "part.svg": "<text>{{ card.oil }}</text>",
    }
    for name, text in (usual | {name.replace("_", "."): text for name, text in files.items()}).items():
        (folder / name).write_text(text, encoding="utf-8")
    return kotc("check", "s").stdout


@pytest.fixture
def s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s").mkdir()
    return tmp_path / "s"


def test_a_field_that_no_template_shows_is_said_once(s: Path) -> None:
    assert (
        said_of(s, "<text>{{ card.name }}</text>")
        == """\
s/cards.yaml:2:33: warning: the template `lamp` never shows `oil`, which 2 cards give [T014]
  2 | - {name: Two, kind: lamp, fuel: Rape, wick: Flat, glass: Clear}
    |                                 ^^^^
  hint: print `{{ card.oil }}` in it, or leave `oil` out
"""
    )


def test_fields_of_both_sides_are_shown_by_either(s: Path) -> None:
    game = "name: G\nfields: {oil: line, wick: line}\nkinds: {lamp: {fields: [oil, wick], faces: [lamp, dark]}}\n"
    cards = "- {kind: lamp, faces: [{name: A, oil: x}, {name: B, wick: y}]}\n"
    dark = svg("<text>{{ card.face.oil }}</text>")
    assert (
        said_of(s, "", game_yaml=game, cards_yaml=cards, dark_svg=dark)
        == """\
s/cards.yaml:1:59: warning: the templates `lamp` and `dark` never show `wick` [T014]
  1 | - {kind: lamp, faces: [{name: A, oil: x}, {name: B, wick: y}]}
    |                                                           ^
  hint: print `{{ card.wick }}` in it, or leave `wick` out
"""
    )


@pytest.mark.parametrize(
    "content",
    [
        "<text>{{ card.oil }}</text>",
        "{% if card.name == 'Nobody' %}<text>{{ card.oil }}</text>{% endif %}",
        '{% include "part.svg" %}',
        '{% include ["none.svg", "part.svg"] %}',
        "{% set part = 'part' %}{% include part ~ '.svg' %}",
        "<text>{{ card['oil'] }}</text>",
        "{% for key in card %}<text>{{ key }}</text>{% endfor %}",
        "{% for key, value in card.items() %}<text>{{ value }}</text>{% endfor %}",
        "{% for key, value in card | dictsort %}<text>{{ key }}</text>{% endfor %}",
        "{% set it = card %}{% for key in it %}<text>{{ it[key] }}</text>{% endfor %}",
        "{% macro m(it) %}<text>{{ it.oil }}</text>{% endmacro %}{{ m(card) }}",
        "{% macro m(it, what) %}<text>{{ it[what] }}</text>{% endmacro %}{{ m(card, 'o' ~ 'il') }}",
    ],
)
def test_a_field_that_a_template_may_show_is_none(content: str, s: Path) -> None:
    assert "T014" not in said_of(s, content)


@pytest.mark.parametrize(
    "more", ["order: [oil]", 'id: "{{ name }} {{ oil }}"', "table: [id, oil]"], ids=["order", "id", "table"]
)
def test_a_field_that_the_game_uses_otherwise_is_none(more: str, s: Path) -> None:
    game = GAME.replace("table: [id, glass]\n", "") + f"{more}\n"
    assert "`oil`" not in said_of(s, "<text>{{ card.glass }}</text>", game_yaml=game)


def test_only_check_says_it(s: Path) -> None:
    said_of(s, "<text>{{ card.name }}</text>")
    assert "T014" not in kotc("png", "s", "--out", "png", "--strict").stdout


def test_a_set_ignores_it_if_it_says_so(s: Path) -> None:
    assert "T014" not in said_of(s, "", set_yaml="name: Lamps\nback: none\nignore: [T014]\n")


def test_what_templates_see_beside_fields_is_the_name_of_no_field() -> None:
    card_set = load_sets(Path(__file__).parents[3] / "cards" / "windfall")[0]
    card = card_set.cards[0]
    assert isinstance(card, DeclaredCard)
    shown = game_of(card_set).values(card, card_set, {}, 0.0)
    assert shown.keys() <= {*COMMON, *RESERVED, *ALSO_IN_TEMPLATES, *(name for name, _ in card.values), "art"}
