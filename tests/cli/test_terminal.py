"""What a terminal shows: color where it is wanted, and messages fitted to its width, with carets below their words."""

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import pytest

from render.base.columns import columns
from render.cli.streams import look_of
from tests.support import forks
from tests.support.messages import words
from tests.support.sets import write_set
from tests.support.terminals import NEEDS_TERMINALS, kotc_on_a_terminal, on_a_terminal, plain_environment

CHECK = ["check", "s"]
COLOR = re.compile(r"\x1b\[[0-9;]+m")

MISTAKES = """
    - name: Storm Hammer
      kind: minoin
      level: 9
      text: "HAMMER: When this card attacks, after Attack Formation (ghost-play): Target 1 on-field minion 猫 etc."
    - {name: 龍龍龍龍龍龍龍龍龍龍龍龍, id: dragon, kind: tip, te: a}
    - {name: "Café ❤️ \u0065\u0301 👩‍🚒", kind: tip,	txt: a}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_set(tmp_path / "s", MISTAKES)
    return tmp_path


def on_columns(folder: Path, number: int, **more: str) -> str:
    """Return what `kotc check` shows on a terminal of so many columns."""
    said, status = kotc_on_a_terminal(
        *CHECK, columns=number, folder=folder, environment=plain_environment(TERM="xterm", **more)
    )
    assert status == 1
    return said.replace("\r\n", "\n")


AT_80 = """
    s/cards.yaml:3:9: error: expected `minion`, `spell`, `creature`, `pawn` or
        `tip`, found `minoin` [C007]
      3 |   kind: minoin
        |         ^^^^^^
      hint: did you mean `minion`?
    s/cards.yaml:5:104: error: no bundled font has `猫` (U+732B), in `text` of
        `storm-hammer` [C017]
      5 | …s, after Attack Formation (ghost-play): Target 1 on-field minion 猫 etc."
        |                                                                   ^^
      hint: write it with other characters
"""
AT_40 = """
    s/cards.yaml:3:9: error: expected
        `minion`, `spell`, `creature`,
        `pawn` or `tip`, found `minoin`
        [C007]
      3 |   kind: minoin
        |         ^^^^^^
      hint: did you mean `minion`?
"""


@NEEDS_TERMINALS
@pytest.mark.parametrize(("number", "shown"), [(80, AT_80), (40, AT_40)])
def test_messages_are_fitted_to_the_width_of_the_terminal(folder: Path, number: int, shown: str) -> None:
    said = on_columns(folder, number, NO_COLOR="1")
    assert said.startswith(words(shown) + "\n")
    assert max(map(columns, said.split("\n"))) <= number


@NEEDS_TERMINALS
def test_a_process_of_its_own_shows_the_same(folder: Path) -> None:
    command = [sys.executable, "-m", "render", *CHECK]
    said, status = on_a_terminal(command, 60, folder, plain_environment(TERM="xterm"))
    assert status == 1
    without_bars = re.sub(r"\r[^\n]*\r", "", said.replace("\r\n", "\n"))  # on a machine that takes long
    assert without_bars == on_columns(folder, 60)


@NEEDS_TERMINALS
@pytest.mark.parametrize("number", [20, 40, 60, 80, 200])
def test_carets_stay_below_their_words_whatever_these_are_made_of(folder: Path, number: int) -> None:
    said = on_columns(folder, number, NO_COLOR="1")
    found = re.findall(r"^  \d+ (\| .*)\n +(\| +)(\^+)$", said, re.MULTILINE)
    marked = []
    for line, before, carets in found:
        at = next(index for index in range(len(line) + 1) if columns(line[:index]) >= len(before))
        end = next(index for index in range(at, len(line) + 1) if columns(line[at:index]) >= len(carets))
        marked.append(line[at:end])
    assert {"minoin", "猫", "te", "txt"} <= set(marked)


@NEEDS_TERMINALS
def test_severity_code_carets_hint_and_place_have_color(folder: Path) -> None:
    said = on_columns(folder, 120)
    assert said.startswith(
        "\x1b[1ms/cards.yaml:3:9:\x1b[0m \x1b[1;31merror:\x1b[0m expected `minion`, `spell`, `creature`, `pawn` or"
        " `tip`, found `minoin` \x1b[31m[C007]\x1b[0m\n"
        "  \x1b[36m3\x1b[0m \x1b[36m|\x1b[0m   kind: minoin\n"
        "    \x1b[36m|\x1b[0m         \x1b[1;31m^^^^^^\x1b[0m\n"
        "  \x1b[1;36mhint:\x1b[0m did you mean `minion`?\n"
    )


@NEEDS_TERMINALS
@pytest.mark.parametrize("number", [40, 80])
def test_color_changes_no_letter(folder: Path, number: int) -> None:
    assert COLOR.sub("", on_columns(folder, number)) == on_columns(folder, number, NO_COLOR="1")


# --- where there is no terminal ---


def piped(folder: Path, *more: str, **environment: str) -> str:
    return forks.ran(*CHECK, *more, folder=folder, environment=plain_environment(**environment)).stdout.decode()


def test_nothing_is_wrapped_and_nothing_colored_where_no_terminal_is(folder: Path) -> None:
    said = piped(folder, TERM="xterm-256color", COLUMNS="40")
    assert "\x1b" not in said
    assert (
        "s/cards.yaml:3:9: error: expected `minion`, `spell`, `creature`, `pawn` or `tip`, found `minoin` [C007]"
        in said
    )


def test_a_very_long_line_is_cut_around_the_words_all_the_same(folder: Path) -> None:
    excerpt = re.search(r"  5 \| (.*)\n( +\| +)\^\^\n", piped(folder))
    assert excerpt
    line, before = excerpt.groups()
    assert (line[0], columns(line)) == ("…", 100)
    assert line[line.index("猫") :] == '猫 etc."'
    assert columns(line[: line.index("猫")]) == len(before) - len("    | ")


def test_color_can_be_forced_into_a_pipe_but_not_into_what_programs_read(folder: Path) -> None:
    plain, forced = piped(folder), piped(folder, FORCE_COLOR="1")
    assert COLOR.search(forced)
    assert COLOR.sub("", forced) == plain
    assert json.loads(piped(folder, "--format", "json", FORCE_COLOR="1"))[0]["code"] == "C007"
    assert "\x1b" not in piped(folder, "--format", "github", CLICOLOR_FORCE="1")


# --- the variables of the environment ---

ON, OFF = True, False


@pytest.fixture
def terminal() -> Iterator[TextIO]:
    import pty

    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as stream:
        yield stream
    os.close(ours)


@NEEDS_TERMINALS
@pytest.mark.parametrize(
    ("environment", "on_terminal", "in_pipe"),
    [
        ({}, ON, OFF),
        ({"TERM": "xterm"}, ON, OFF),
        ({"TERM": "dumb"}, OFF, OFF),
        ({"CLICOLOR": "1"}, ON, OFF),
        ({"CLICOLOR": "0"}, OFF, OFF),
        ({"NO_COLOR": "1"}, OFF, OFF),
        ({"NO_COLOR": "0"}, OFF, OFF),
        ({"NO_COLOR": ""}, ON, OFF),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, OFF, OFF),
        ({"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, OFF, OFF),
        ({"FORCE_COLOR": "1"}, ON, ON),
        ({"FORCE_COLOR": "3", "TERM": "dumb"}, ON, ON),
        ({"FORCE_COLOR": "0"}, OFF, OFF),
        ({"FORCE_COLOR": "false", "CLICOLOR_FORCE": "1"}, OFF, OFF),
        ({"FORCE_COLOR": ""}, ON, OFF),
        ({"CLICOLOR_FORCE": "1"}, ON, ON),
        ({"CLICOLOR_FORCE": "1", "CLICOLOR": "0"}, ON, ON),
        ({"CLICOLOR_FORCE": "0"}, ON, OFF),
        ({"CLICOLOR_FORCE": "0", "CLICOLOR": "0"}, OFF, OFF),
    ],
)
def test_the_environment_decides_on_color(
    environment: dict[str, str], on_terminal: bool, in_pipe: bool, terminal: TextIO, tmp_path: Path
) -> None:
    with (tmp_path / "file").open("w") as file:
        assert (look_of(terminal, environment).color, look_of(file, environment).color) == (on_terminal, in_pipe)


@NEEDS_TERMINALS
@pytest.mark.parametrize(("environment", "width"), [({}, 80), ({"COLUMNS": "50"}, 50), ({"COLUMNS": "wide"}, 80)])
def test_a_terminal_that_does_not_know_its_width_has_that_of_the_environment_or_80(
    environment: dict[str, str], width: int, terminal: TextIO
) -> None:
    assert look_of(terminal, environment).width == width
