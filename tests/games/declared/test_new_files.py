"""Sets and cards that are begun for a game in YAML pass its checks: icons, two faces, pictures that are asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from tests.games.declared.lanterns import BACK, SVG, write_files
from tests.support.sets import kotc

GAME = """\
name: Tides
fields:
  cost: {type: icons, required: true}
  rules: text
  power: number
kinds:
  split: {fields: [cost, rules!, power!], faces: 2, template: all}
  moon: {fields: [rules!], faces: [all, back]}
  plain: {fields: [cost], template: all}
icons: {"#": icons/number.svg, T: icons/turn.svg}
"""
ICON = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4"/></svg>\n'
WORDS = SVG.format('<text x="5" y="9">{{ card.name }} {{ card.cost }} {{ card.rules }} {{ card.power }}</text>')
FILES = {
    "game.yaml": GAME,
    "icons/number.svg": ICON,
    "icons/turn.svg": ICON,
    "templates/all.svg": WORDS,
    "templates/back.svg": BACK,
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which commands run, with the folder of a game."""
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path / "game", FILES)
    return tmp_path


def test_what_is_begun_for_kinds_with_icons_and_two_faces_is_sound() -> None:
    assert kotc("init", "more", "--game", "game").exit_code == 0
    assert kotc("check", "more").output == "3 cards checked: nothing to report\n"
    assert kotc("new", "plain", "Ebb", "--to", "more").exit_code == 0
    assert kotc("new", "split", "Dusk // Dawn", "--to", "more").exit_code == 0
    assert kotc("new", "moon", "Tide", "--to", "more").exit_code == 0
    text = Path("more/cards.yaml").read_text("utf-8")
    assert '\n- name: Ebb\n  kind: plain\n  cost: "{T}"\n' in text
    assert "\n  faces:\n    - name: Dusk\n      cost: " in text
    assert text.endswith("    - name: Tide 2\n      rules: Words for the card.\n")
    assert kotc("check", "more").output == "6 cards checked: nothing to report\n"


def test_a_picture_that_is_missing_is_asked_for(folder: Path) -> None:
    write_files(folder / "game", {"game.yaml": GAME.replace("{fields: [cost]", "{fields: [cost, art!]")})
    write_files(folder / "more", {"set.yaml": "name: More\ngame: ../game\n"})
    refused = kotc("new", "plain", "Ebb", "--to", "more")
    assert refused.exit_code == 1
    assert "hint: name its picture with --art FILE" in refused.output
    Image.new("RGB", (60, 45), "#2a6fb5").save("sea.png")
    assert kotc("new", "plain", "Ebb", "--to", "more", "--art", "sea.png").exit_code == 0
    assert "art: art/sea.png" in Path("more/cards.yaml").read_text("utf-8")
