"""What templates print of the values of a game in YAML: lines, icons, and nothing for what is not given."""

from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
import pytest
from PIL import Image

from tests.games.declared.lanterns import SVG, write_files
from tests.support.sets import kotc

GAME = """\
name: Tales
fields: {story: text, again: {value: story}, power: number, tags: list}
kinds: {tale: {}}
"""
CARD = (180, 252)  # pt: 63.5 x 88.9 mm, in the middle of the sheet
BOX = '<text x="5" y="20" width="53" height="60" font-size="4">{}</text>\n'
STORY = "story: |\n    One & two.\n    Three.\n\n    Four.\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_tale(folder: Path, template: str, card: str, game: str = GAME) -> None:
    write_files(
        folder,
        {
            "set/game.yaml": game,
            "set/set.yaml": "name: Tales\nback: none\n",
            "set/cards.yaml": f"- name: Tale\n  {card}\n",
            "set/tale.svg": SVG.format(template),
        },
    )


def printed(folder: Path, template: str, card: str) -> list[str]:
    """Return the lines that a card shows, from top to bottom."""
    write_tale(folder, template, card)
    result = kotc("pdf", "set", "--grid", "1x1", "--out", "card.pdf")
    assert result.exit_code == 0, result.output
    with pdfium.PdfDocument("card.pdf") as pdf:
        page = pdf[0]
        middle, half = [side / 2 for side in page.get_size()], [side / 2 for side in CARD]
        box = (middle[0] - half[0], middle[1] - half[1], middle[0] + half[0], middle[1] + half[1])
        words: str = page.get_textpage().get_text_bounded(*box)
        return words.split("\r\n")


@pytest.mark.parametrize("value", ["card.story", "card.again", "card['story']"])
def test_a_text_is_printed_with_its_line_breaks(folder: Path, value: str) -> None:
    assert printed(folder, BOX.format(f"{{{{ {value} }}}}"), STORY) == ["One & two.", "Three.", "Four."]


def test_a_text_of_several_lines_is_a_text_to_templates(folder: Path) -> None:
    asked = "{{ card.story.splitlines()|length }} {{ card.story|length }} {{ card.story|upper }} {{ card.story[:3] }}"
    assert printed(folder, BOX.format(asked), STORY) == ["4 24 ONE & TWO. THREE.", "FOUR. One"]


def test_a_text_of_several_lines_needs_a_height(folder: Path) -> None:
    write_tale(folder, '<text x="5" y="20" width="53">{{ card.story }}</text>\n', STORY)
    assert "tale.svg:2:1: error: template `tale`: `height` of `<text>`: expected a length, found none [T007]" in (
        kotc("check", "set").output
    )
    write_tale(folder, '<text x="5" y="20" width="53">{{ card.story }}</text>\n', "story: One line.")
    assert kotc("check", "set").exit_code == 0


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("{{ card.power }}", ""),
        ("{{ none }}", ""),
        ("{{ 'x' ~ card.power ~ card.power }}", "x"),
        ("{{ [card.power, 'x', none]|join('-') }}", "-x-"),
        ("{{ [{'a': none}, {'a': 'x'}]|join(attribute='a') }}", "x"),
        ("{{ card.power|upper }}{{ card.power|string }}{{ card.power|replace('o', 'x') }}", ""),
        ("{{ 'x' if card.power == none and card.power is none }}", "x"),
        ("{% macro part(power) %}{{ power }}{% endmacro %}{{ part(card.power) }}{{ part(power=none) }}", ""),
    ],
)
def test_a_number_that_is_not_given_prints_nothing(folder: Path, written: str, shown: str) -> None:
    assert printed(folder, BOX.format(f"[{written}]"), "tags: []") == [f"[{shown}]"]


def test_a_number_that_is_given_is_printed(folder: Path) -> None:
    shown = "{{ card.power }}{{ card.power|upper }}{{ card.power ~ '' }}{{ [card.power]|join }}"
    assert printed(folder, BOX.format(shown), "power: 0") == ["0000"]


DOT = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5" fill="#ff0000"/></svg>'


@pytest.mark.parametrize(
    ("icons", "height"),
    [
        ('{T: icons/dot.svg, "#": {file: icons/dot.svg, size: 3}}', 0.9),
        ("{T: {file: icons/dot.svg}}", 0.9),
        ("{T: {file: icons/dot.svg, size: 0.25}}", 0.25),
        ('{"#": {file: icons/dot.svg, size: 2.5}}', 2.5),
        ("{T: {file: icons/dot.svg, size: 4}}", 4),
    ],
)
def test_an_icon_is_as_high_as_the_game_says(folder: Path, icons: str, height: float) -> None:
    game = f"name: Tales\nfields: {{cost: icons}}\nkinds: {{tale: {{}}}}\nicons: {icons}\n"
    cost = "T" if "T:" in icons else "7"
    write_tale(folder, BOX.format("{{ card.cost }}").replace('"4"', '"10"'), f'cost: "{{{cost}}}"', game)
    write_files(folder, {"set/icons/dot.svg": DOT})
    assert kotc("png", "set", "--dpi", "254", "--out", ".").exit_code == 0
    with Image.open("tale.png") as picture:
        red = np.asarray(picture.convert("RGB"))[:, :, 1] < 128
    assert red.any(axis=1).sum() == pytest.approx(height * 100, abs=1)


@pytest.mark.parametrize(
    "tags", ['"swift, shy"', "[swift, shy]", "slow", "It runs to the sea, and back again.", ">-\n    swift, shy", "','"]
)
def test_a_text_with_commas_is_doubted_only_if_it_may_be_a_list(folder: Path, tags: str) -> None:
    write_tale(folder, BOX.format("{{ card.tags|join }} {{ card.story }} {{ card.power }}"), f"tags: {tags}")
    assert kotc("check", "set").output == "1 card checked: nothing to report\n"
