"""Known keys with wrong values: each is one finding, at its place, that says what may be meant, or why it is wrong."""

from pathlib import Path

import pytest

from render.game.sources import check_sets
from tests.games.declared.lanterns import CARDS, FILES, FRONT, GAME, SET, write_files
from tests.support.sets import kotc

LINE = '<text x="5" y="10"'
COLORS = "colors: {ember: 'X'}\n"
MEANT = [
    ("game.yaml", GAME + COLORS.replace("X", "#12345"), "M005", "3 or 6 digits behind the `#`, and this one 5"),
    ("game.yaml", GAME + COLORS.replace("X", "#gg0000"), "M005", "`g` is no digit of a color"),
    ("game.yaml", GAME + COLORS.replace("X", "12ab34"), "M005", 'write `"#12ab34"`'),
    ("game.yaml", GAME + COLORS.replace("X", "teal"), "M005", 'write `"#008080"`'),
    ("game.yaml", GAME.replace("  wild:   flag", "  wild:   richtext"), "M007", "did you mean `rich`?"),
    ("game.yaml", GAME.replace("  wild:   flag", "  wild:   select"), "M007", "did you mean `choice`?"),
    ("set.yaml", f"{SET}sheet: {{paper: A5}}\n", "S007", "write `148x210`, or `a4`, the nearest"),
    ("set.yaml", f"{SET}sheet: {{card_size: large}}\n", "S007", "write `88.9x139.7`, or `jumbo`, the nearest"),
    ("set.yaml", f"{SET}sheet: {{paper: leter}}\n", "S007", "did you mean `letter`?"),
    ("set.yaml", f"{SET}sheet: {{bleed_from: '#12345'}}\n", "S007", "digits"),
    ("cards.yaml", CARDS + CARDS.splitlines()[0], "C013", "`copies: 2`"),
    ("cards.yaml", CARDS.replace("- {name: Joker, kind", "-name: Joker\n  kind"), "Y007", "write `- name: Joker`"),
    ("templates/beast.svg", FRONT.replace(LINE, f'{LINE} text-anchor="center"'), "T007", "did you mean `middle`?"),
    ("templates/beast.svg", FRONT.replace(LINE, f'{LINE} text-anchor="right"'), "T007", "did you mean `end`?"),
    ("templates/beast.svg", FRONT.replace(LINE, f'{LINE} height="9" vertical-align="center"'), "T007", "did you mean `middle`?"),
    ("templates/beast.svg", FRONT.replace(LINE, f'{LINE} font-family="Georgia"'), "T007", "the fonts are `DejaVu Sans`"),
    ("templates/beast.svg", FRONT.replace(LINE, f'{LINE} font-family="Deja Vu Sans"'), "T007", "mean `DejaVu Sans`?"),
    ("templates/beast.svg", FRONT.replace('"#ffffff"', '"#fffff"'), "T007", "and this one 5"),
    ("templates/beast.svg", FRONT.replace('"#ffffff"', '"blakc"'), "T007", "did you mean `black`?"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "text", "code", "words"), MEANT)
def test_a_wrong_value_is_one_finding_that_says_what_is_meant(
    file: str, text: str, code: str, words: str, tmp_path: Path
) -> None:
    write_files(tmp_path, {**FILES, file: text})
    (finding,) = check_sets([tmp_path]).findings
    assert (finding.code, finding.span and finding.span.file.name) == (code, Path(file).name)
    assert words in f"{finding.message}\n{finding.hint}"


def test_the_command_line_names_the_nearest_size_as_well(tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    result = kotc("pdf", tmp_path, "--paper", "A5", "-o", tmp_path / "a.pdf")
    assert result.exit_code == 2
    assert "`148x210`, or `a4`" in " ".join(result.output.split())


EXTENDING = '{{% extends "{}.svg" %}}{{% block art %}}<rect width="5" height="5"/>{{% endblock %}}'
CIRCLES = {
    "`beast.svg` asks for `beast.svg`": {"beast": EXTENDING.format("beast")},
    "`beast.svg` asks for `token.svg`, which asks for `beast.svg`": {
        "beast": EXTENDING.format("token"),
        "token": EXTENDING.format("beast"),
    },
    "`beast.svg` asks for `parts.svg`, which asks for `beast.svg`": {
        "beast": FRONT.replace("</svg>", '{% include "parts.svg" %}</svg>'),
        "parts": '{% include "beast.svg" %}{{ card.art.href }}',
    },
}


@pytest.mark.parametrize("circle", CIRCLES)
def test_templates_in_a_circle_are_one_finding_that_names_it(circle: str, tmp_path: Path) -> None:
    templates = {f"templates/{name}.svg": text for name, text in CIRCLES[circle].items()}
    cards = CARDS.replace("family: Bears, weight: 300", "family: Bears, weight: 300, art: templates/back.svg")
    write_files(tmp_path, {**FILES, "cards.yaml": cards, **templates})
    (finding,) = check_sets([tmp_path]).findings
    assert (finding.code, finding.span and finding.span.file.name) == ("T003", "beast.svg")
    assert circle in finding.message
