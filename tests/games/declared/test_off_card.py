"""What a template draws wholly off the card is told of at its element; what bleeds, or is on any card, is not."""

from pathlib import Path

import pytest

from tests.games.declared.lanterns import write_files
from tests.support.sets import kotc
from tests.support.templates import svg

FILES = {
    "game.yaml": "name: Lamps\nfields: {oil: {type: number}}\nkinds: {lamp: {}}\n",
    "set.yaml": "name: Lamps\nback: none\n",
    "cards.yaml": "- {name: One, oil: 1}\n- {name: Two, oil: 2}\n",
}
NAME = "<text y='9'>{{ card.name }} {{ card.oil }}</text>\n"
ON = "<rect x='{{ (card.oil - 2) * 100 }}' width='9' height='9'/>"  # off the first card, on the second


FAR = "`<circle>` lies wholly off the card, 32 mm to the right of it"


@pytest.fixture
def s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path("s")


def said_of(s: Path, content: str, **files: str) -> list[str]:
    """Return the lines with warnings about a template with this content."""
    more = {name.replace("_", ".", 1): text for name, text in files.items()}
    write_files(s, {**FILES, "lamp.svg": svg(f"\n{NAME}{content}"), **more})
    return [line for line in kotc("check", "s").stdout.split("\n") if "warning: " in line or "error: " in line]


def test_the_element_is_told_with_where_it_lies_and_what_to_do(s: Path) -> None:
    said_of(s, "<rect x='100' y='5' width='9' height='9'/>")
    assert kotc("check", "s").stdout == (
        "s/lamp.svg:3:1: warning: template `lamp`: `<rect>` lies wholly off the card, 36 mm to the right of it: "
        "nobody sees it [T017]\n"
        "  3 | <rect x='100' y='5' width='9' height='9'/>\n"
        "    | ^^^^^\n"
        "  hint: move it onto the card, which is 63.5 x 88.9 mm, or remove it\n"
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("<text id='oil' y='700' width='40'>far</text>", '`<text id="oil">` lies wholly off the card, 608 mm below it'),
        ("<circle cx='9' cy='-30' r='4' fill='teal'/>", "`<circle>` lies wholly off the card, 26 mm above it"),
        ("<path d='M-30 5h4v4z' style='fill:#000'/>", "`<path>` lies wholly off the card, 26 mm to the left of it"),
        (
            "<g transform='translate(0 200)'><g><rect width='5' height='5'/></g><circle r='4'/></g>",
            "`<g>` lies wholly off the card, 107 mm below it",
        ),
        ("<g><rect width='5' height='5'/><circle cx='99' r='4'/></g>", FAR),
        ("{% if card.oil == 2 %}<circle cx='99' r='4'/>{% endif %}", FAR),
    ],
)
def test_what_is_off_all_cards_is_told_once(content: str, said: str, s: Path) -> None:
    (line,) = said_of(s, content)
    assert line.startswith("s/lamp.svg:3:")
    assert line.endswith(f": warning: template `lamp`: {said}: nobody sees it [T017]")


@pytest.mark.parametrize(
    "content",
    [
        "<rect x='-5' y='-5' width='73.5' height='98.9'/>",
        "<circle cx='66' cy='5' r='2'/>",
        "<rect x='100' width='9' height='9' fill='none'/>",
        "<text x='9' y='700' width='40'></text>",
        ON,
        "{% for x in (5, 100) %}<rect x='{{ x }}' width='3' height='3'/>{% endfor %}",
        "<defs><rect id='r' x='100' width='9' height='9'/></defs><use href='#r' x='-90'/>",
    ],
)
def test_what_bleeds_paints_nothing_or_is_on_some_card_is_not_told(content: str, s: Path) -> None:
    assert said_of(s, content) == []


def test_a_line_that_tells_of_itself_is_not_told_twice(s: Path) -> None:
    said = said_of(s, "<text x='10' y='800' font-size='3'>far</text>")
    assert {line.rsplit(" ", 1)[1] for line in said} == {"[L010]"}
    assert "  hint: move it: no part of it is on the card\n" in kotc("check", "s").stdout


def test_backs_and_parts_are_looked_at_too(s: Path) -> None:
    back, part = svg("<rect width='9' height='9'/><rect y='200' width='9' height='9'/>"), "<circle cx='99' r='4'/>"
    files = {"set_yaml": "name: Lamps\nback: night\n", "night_svg": back, "part_svg": part}
    below = "`<rect>` lies wholly off the card, 111 mm below it"
    assert said_of(s, "{% include 'part.svg' %}", **files) == [
        f"s/night.svg:2:29: warning: template `night`: {below}: nobody sees it [T017]",
        f"s/part.svg:1:1: warning: template `lamp`: {FAR}: nobody sees it [T017]",
    ]


def test_only_check_says_it(s: Path) -> None:
    said_of(s, "<rect x='100' width='9' height='9'/>")
    assert "T017" not in kotc("png", "s", "--out", "png").output
