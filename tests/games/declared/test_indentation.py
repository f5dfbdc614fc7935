"""A wrong indent, or a tab, in any line of a game, its set and its cards: nothing is said of what only follows from it.

`python -m tests.games.declared.test_indentation` tries every line, the tests some of them.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from render.base.findings import Diagnostic
from render.game.sources import check_sets
from tests.games.declared.lanterns import BACK, SVG, write_files

GAME = """\
name: Zoo
fields:
  element:
    type: choice
    choices: [fire, water]
    required: true
  power: {type: number, range: [0, 9]}
  badge: picture
  color:
    value: "{'fire': '#a00', 'water': '#00a'}[element]"
  double:
    value: power * 2 if power is not none else none
kinds:
  beast:
    fields: [element, power!]
    check:
      - that: power > 2
        message: a beast has power
  twin:
    fields: [element, power!]
    faces: 2
  token:
    fields: [element, badge]
    deck: false
id: "{{ name }}-{{ element }}"
table: [name, element, power]
"""
SET = """\
name: Zoo
sheet:
  paper: a4
  gutter: 3
outputs:
  png:
    dpi: 100
  sheets: true
"""
CARDS = """\
- name: Dog
  kind: beast
  element: fire
  power: 4
  copies: 2
- name: Cat
  kind: beast
  element: water
  power: 3
- kind: twin
  element: water
  faces:
    - name: Day
      power: 3
    - name: Night
      power: 5
- name: Joker
  kind: token
  element: fire
"""
FRONT = SVG.format(
    '<text y="20" width="63" fill="{{ card.color }}">{{ card.name }} {{ card.double }} {{ card.badge }}</text>\n'
)
FILES = {
    "game.yaml": GAME,
    "set.yaml": SET,
    "cards.yaml": CARDS,
    **{f"templates/{kind}.svg": FRONT for kind in ("beast", "twin", "token")},
    "templates/back.svg": BACK,
}


def wrong_indents(text: str) -> Iterator[tuple[int, str]]:
    """Yield the text with another indent of one line, and the number of that line."""
    lines = text.splitlines(keepends=True)
    for index, line in enumerate(lines):
        words = line.lstrip(" ")
        spaces = len(line) - len(words)
        for indent in {" " * (spaces + 1), " " * (spaces + 2), " " * max(spaces - 1, 0), ""} - {" " * spaces}:
            yield index + 1, "".join([*lines[:index], indent + words, *lines[index + 1 :]])


def tabs(text: str) -> Iterator[tuple[int, str]]:
    """Yield the text with a tab in the indent of one line, and the number of that line."""
    lines = text.splitlines(keepends=True)
    for index, line in enumerate(lines):
        words = line.lstrip(" ")
        for indent in {"\t", line[: len(line) - len(words)] + "\t"}:
            yield index + 1, "".join([*lines[:index], indent + words, *lines[index + 1 :]])


def findings_of(folder: Path, file: str, text: str) -> list[Diagnostic]:
    write_files(folder, {**FILES, file: text})
    return list(check_sets([folder]).findings)


def is_true_alone(findings: list[Diagnostic], file: str, line: int, *, tab: bool) -> bool:
    """Whether a tab is the only finding, at its place; after a wrong indent, whether nothing else is before it."""
    places = [(each.code, each.span.file.name, each.span.line) for each in findings if each.span]
    if tab:
        # A value may stand on a line of its own, behind anything.
        return places == [("Y008", file, line)] or not findings
    syntax = [code for code, *_ in places if code in ("Y007", "Y008")]
    return all(name == file for _, name, _ in places) and (len(places) <= 1 or not syntax or len(places) == len(syntax))


def wrong_verdicts(folder: Path, step: int = 1) -> Iterator[str]:
    """Yield each damage after which something false is said, with what is said; of every `step`th damage."""
    for file in ("cards.yaml", "game.yaml", "set.yaml"):
        for damages, tab in ((wrong_indents, False), (tabs, True)):
            for line, text in [*damages(FILES[file])][::step]:
                findings = findings_of(folder, file, text)
                if not is_true_alone(findings, file, line, tab=tab):
                    yield f"{file}:{line}: {[(each.code, each.message, str(each.span)) for each in findings]}"


def test_the_files_themselves_are_sound(tmp_path: Path) -> None:
    assert findings_of(tmp_path, "set.yaml", SET) == []


def test_nothing_is_said_of_what_follows_from_an_indent(tmp_path: Path) -> None:
    assert list(wrong_verdicts(tmp_path, step=5)) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "code", "line"),
    [
        ("cards.yaml", "  power: 4", "\tpower: 4", "Y008", 4),
        ("cards.yaml", "  power: 4", "   power: 4", "Y007", 4),
        ("cards.yaml", "  copies: 2", " copies: 2", "Y007", 5),
        ("cards.yaml", "- name: Cat", "\t- name: Cat", "Y008", 6),
        ("cards.yaml", "- name: Cat", " - name: Cat", "Y007", 6),
        ("set.yaml", "sheet:", "\tsheet:", "Y008", 2),
        ("set.yaml", "name: Zoo", "  name: Zoo", "Y007", 1),
        ("set.yaml", "  paper: a4", "paper: a4", "Y007", 4),
        ("game.yaml", "  power: {", "    power: {", "M002", 7),
        ("game.yaml", "kinds:", "  kinds:", "M022", 13),
    ],
)
def test_one_wrong_line_is_one_finding(file: str, old: str, new: str, code: str, line: int, tmp_path: Path) -> None:
    findings = findings_of(tmp_path, file, FILES[file].replace(old, new, 1))
    assert [(each.code, each.span and each.span.line) for each in findings] == [(code, line)]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        wrong = list(wrong_verdicts(Path(folder)))
    tried = sum(len([*damages(FILES[file])]) for file in ("cards.yaml", "game.yaml", "set.yaml") for damages in (wrong_indents, tabs))  # fmt: skip
    print("\n".join([*wrong, f"{tried} damaged files, {len(wrong)} with a false finding"]))
    sys.exit(bool(wrong))
