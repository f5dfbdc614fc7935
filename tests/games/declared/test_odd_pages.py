"""Templates whose page is larger than what some cards draw on it: each face is judged, and each template tells once."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from render.base import forking
from render.game import faces
from render.game.sources import load_sets
from tests.games.declared.lanterns import write_files
from tests.support.sets import kotc

PAGE = '<svg width="210mm" height="297mm" viewBox="0 0 210 297">\n{}</svg>\n'
SMALL = '<rect width="63.5" height="88.9"/>\n'
GROUND = '{% if card.wide %}<rect width="210" height="297"/>{% endif %}\n'
FILES = {
    "game.yaml": "name: Lamps\nfields: {wide: flag}\nkinds: {lamp: {}}\n",
    "set.yaml": "name: Lamps\nback: none\noutputs: [png]\n",
    "templates/lamp.svg": PAGE.format(GROUND + SMALL),
}
HINT = "  hint: make the page as large as the drawing: in Inkscape, choose Edit, Resize Page to Selection\n"


@pytest.fixture
def s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path("s")


def cards(*wide: bool) -> str:
    return "".join(f"- {{name: Card {number}, wide: {str(each).lower()}}}\n" for number, each in enumerate(wide, 1))


def said_of(s: Path, files: dict[str, str], command: str = "check") -> str:
    write_files(s, FILES | files)
    result = kotc(command, s)
    return result.stdout + result.stderr


def test_a_card_that_is_not_the_first_tells_that_it_draws_in_a_corner_and_is_named(s: Path) -> None:
    said = (
        "s/templates/lamp.svg:1:1: warning: template `lamp`: on `card-2`, `<svg>` is 210 x 297 mm, and draws on "
        f"63.5 x 88.9 mm of that alone [T008]\n{HINT}"
    )
    some = {"cards.yaml": cards(True, False, False, True)}
    assert said_of(s, some) == f"{said}4 cards checked: 1 warning\n"
    assert said in said_of(s, some, "build")


def test_the_first_card_of_the_file_is_named_whichever_picture_it_has(s: Path) -> None:
    write_files(s, {"art/a.svg": SVG, "art/z.svg": SVG})
    listed = "- {name: One, art: art/z.svg, wide: true}\n- {name: Two, art: art/z.svg}\n- {name: Six, art: art/a.svg}\n"
    assert "template `lamp`: on `two`, " in said_of(s, {"cards.yaml": listed})


def test_words_that_reach_over_the_page_are_drawn_too(s: Path) -> None:
    shown = SMALL + '<text x="150" y="250" font-size="9">{{ card.name }} {{ card.wide }}</text>\n'
    files = {"cards.yaml": cards(False), "templates/lamp.svg": PAGE.format(shown)}
    assert said_of(s, files) == "1 card checked: nothing to report\n"
    assert "[T008]" not in said_of(s, files, "build")


def test_what_lies_beside_the_page_is_no_part_of_the_drawing(s: Path) -> None:
    beside = SMALL + '<rect x="250" y="10" width="40" height="9"/><rect x="9" y="400" width="9" height="9"/>\n'
    said = said_of(s, {"cards.yaml": cards(False), "templates/lamp.svg": PAGE.format(beside)})
    assert "draws on 63.5 x 88.9 mm of that alone [T008]" in said


def test_sets_that_share_a_template_tell_of_its_page_once(s: Path) -> None:
    write_files(s, {"more/set.yaml": "name: More\ngame: ..\nback: none\n", "more/cards.yaml": "- {name: Other}\n"})
    said_of(s, {"cards.yaml": cards(False)})
    result = kotc("check", s, s / "more")
    assert result.stdout.count("[T008]") == 1, result.stdout


def test_a_build_tells_of_a_page_once_whichever_cards_it_lays_out_again(s: Path) -> None:
    files = {
        "game.yaml": "name: Lamps\nfields: {part: {type: line, default: a}}\nkinds: {lamp: {}}\n",
        "set.yaml": "name: Lamps\nback: none\noutputs: [sheets]\n",
        "templates/lamp.svg": PAGE.format(SMALL + '{% include card.part ~ ".svg" %}'),
        "templates/a.svg": '<circle cx="9" cy="9" r="4"/>',
        "templates/b.svg": '<circle cx="9" cy="9" r="4"/>',
    }
    listed = [f"- {{name: {name}, part: {part}}}\n" for name, part in zip("ABCD", "aaab", strict=True)]
    for order in listed, [*listed[1:], listed[0]], [*listed[1:], listed[0]]:
        write_files(s, FILES | files | {"cards.yaml": "".join(order)})
        command = [sys.executable, "-m", "render", "build", str(s)]  # one that knows nothing of the templates
        said = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
        assert said.count("[T008]") == 1, said


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no second process")
def test_two_processes_tell_of_a_page_what_one_does(s: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(s, FILES | {"cards.yaml": cards(*[number % 2 == 0 for number in range(160)])})
    (card_set,) = load_sets([s])
    told = []
    for can_fork in False, True:
        monkeypatch.setattr(forking, "can_fork", lambda can_fork=can_fork: can_fork)
        told.append([*faces.lay_out_set(card_set).findings])
        told.append(faces.findings(card_set))
    assert [each.message.split(", ")[0] for each in told[0]] == ["template `lamp`: on `card-2`"]
    assert told[1:] == told[:1] * 3


SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><rect width="900" height="900"/></svg>'
