"""A template that is not there is told where it is named: in the card, or in `game.yaml`; once for all cards."""

from pathlib import Path

import pytest

from tests.games.declared.lanterns import write_files
from tests.support.sets import kotc
from tests.support.templates import svg

pytestmark = pytest.mark.usefixtures("in_empty_folder")

GAME = """\
name: Lamps
kinds:
  lamp: {}
  dusk: {template: duskk}
  two: {faces: [lampp, zz]}
"""
CARDS = """\
- {name: A, kind: lamp}
- {name: B, kind: lamp}
- {name: C, kind: dusk}
- {kind: two, faces: [{name: D}, {name: E}]}
"""
KOTC = """\
- {name: Tea, kind: tip, edition: 17, text: Drink., template: postr}
- {name: Rest, kind: tip, edition: 17, text: Sleep., template: poster}
"""


def test_templates_of_kinds_are_told_in_the_file_of_the_game() -> None:
    write_files(Path("s"), {"game.yaml": GAME, "set.yaml": "name: S\nback: none\n", "cards.yaml": CARDS})
    assert (
        kotc("check", "s").stdout
        == """\
s/game.yaml:3:3: error: there is no template `lamp` [T001]
  3 |   lamp: {}
    |   ^^^^
  hint: it was looked for as `s/templates/lamp.svg` and `s/lamp.svg`
s/game.yaml:4:20: error: there is no template `duskk` [T001]
  4 |   dusk: {template: duskk}
    |                    ^^^^^
  hint: it was looked for as `s/templates/duskk.svg` and `s/duskk.svg`
s/game.yaml:5:17: error: there is no template `lampp` [T001]
  5 |   two: {faces: [lampp, zz]}
    |                 ^^^^^
  hint: it was looked for as `s/templates/lampp.svg` and `s/lampp.svg`
s/game.yaml:5:24: error: there is no template `zz` [T001]
  5 |   two: {faces: [lampp, zz]}
    |                        ^^
  hint: it was looked for as `s/templates/zz.svg` and `s/zz.svg`
"""
    )


def write_kotc() -> None:
    poster = svg("<text y='9'>{{ card.name }}</text>")
    write_files(Path("s"), {"set.yaml": "name: S\n", "cards.yaml": KOTC, "poster.svg": poster})


def test_the_template_of_a_card_is_told_in_the_card() -> None:
    write_kotc()
    assert (
        kotc("check", "s").stdout
        == """\
s/cards.yaml:1:63: error: there is no template `postr` [T001]
  1 | - {name: Tea, kind: tip, edition: 17, text: Drink., template: postr}
    |                                                               ^^^^^
  hint: did you mean `poster`? It was looked for as `s/templates/postr.svg` and `s/postr.svg`
"""
    )


def test_a_card_of_keeper_of_the_cards_is_drawn_by_its_template_and_a_build_notices() -> None:
    write_kotc()
    cards = Path("s/cards.yaml")
    cards.write_text(cards.read_text().replace("postr", "poster"))
    assert kotc("build", "s").exit_code == 0
    plain = Path("out/s/png/tea.png").read_bytes()
    cards.write_text(cards.read_text().replace(", template: poster", "", 1))
    assert "png/tea.png: template changed" in kotc("build", "s", "--explain").output
    assert Path("out/s/png/tea.png").read_bytes() != plain
    Path("s/poster.svg").write_text(svg("<text y='19'>{{ card.name }}</text>"))
    said = kotc("build", "s", "--explain").output
    assert "png/rest.png: template changed" in said
    assert "png/tea.png" not in said


def test_a_build_notices_a_game_newly_beside_the_set_and_that_it_is_gone() -> None:
    game = "name: G\nkinds: {tip: {fields: [edition, text]}}\nfields: {edition: number, text: text}\n"
    cards = "- {name: Tea, kind: tip, edition: 17, text: Drink.}\n"
    write_files(Path("s"), {"set.yaml": "name: S\nback: none\n", "cards.yaml": cards})
    assert kotc("build", "s").exit_code == 0
    before = Path("out/s/png/tea.png").read_bytes()
    write_files(Path("s"), {"game.yaml": game})
    assert "s/game.yaml:2:9: error: there is no template `tip` [T001]" in kotc("build", "s").output
    write_files(Path("s"), {"templates/tip.svg": svg("<text y='9'>{{ card.text }}</text>")})
    assert kotc("build", "s").exit_code == 0
    assert Path("out/s/png/tea.png").read_bytes() != before
    Path("s/game.yaml").unlink()
    Path("s/templates/tip.svg").unlink()
    assert kotc("build", "s").exit_code == 0
    assert Path("out/s/png/tea.png").read_bytes() == before


LAMP = "name: Lamps\nkinds:\n  lamp: {fields: [rules]}\nfields:\n  rules: rich\n"


def said_of(files: dict[str, str]) -> str:
    """Return what is said of a set with one lamp, which has a template and a back."""
    usual = {"game.yaml": LAMP, "set.yaml": "name: S\n", "cards.yaml": "- {name: A, kind: lamp, rules: Shine.}\n"}
    write_files(Path("s"), {**usual, "lamp.svg": svg("<text y='9'>{{ card.rules }}</text>"), **files})
    return kotc("check", "s").stdout


ICONS = {"back.svg": svg(""), "game.yaml": f"{LAMP}icons: {{T: t.svg}}\n", "t.svg": svg("<rect width='1' height='1'/>")}


@pytest.mark.parametrize(
    ("files", "facts"),
    [
        ({}, ["hint: draw it as `s/templates/back.svg` or `s/back.svg`; without a back, write `back: none`"]),
        (
            {"set.yaml": "name: S\nback: back.svg\n", "templates/back.svg": svg("<rect/>")},
            ["hint: for the template of that name, write `back: back`, without `.svg`"],
        ),
        (
            {"templates/back.svg": svg("<text y='9'>{{ card.name }}</text>")},
            ["nothing is called `card` here [T003]", "hint: a back serves all cards"],
        ),
        (
            {**ICONS, "cards.yaml": '- {name: A, kind: lamp, rules: "Shine. {T}\\n\\nGlow."}\n'},
            [
                "`height` of `<text>`: expected a length, found none",
                "hint: a text of several lines or paragraphs needs both",
            ],
        ),
    ],
    ids=["no back", "ending", "of a card", "paragraphs"],
)
def test_what_is_said_of_backs_and_of_texts_of_one_line(files: dict[str, str], facts: list[str]) -> None:
    said = said_of(files)
    assert [fact for fact in facts if fact not in said] == []


def test_an_icon_that_is_no_drawing_is_told_once_in_the_game() -> None:
    write_files(Path("s"), {})
    Path("s").mkdir(exist_ok=True)
    Path("s/t.svg").write_bytes(b"\x89PNG\r\n")
    said = said_of({"game.yaml": f"{LAMP}icons: {{T: t.svg}}\n", "back.svg": svg("")})
    assert said.startswith("s/game.yaml:6:12: error: the icon `t.svg` is a PNG picture, whatever its name says [M033]")
    assert said.count("error:") == 1
