"""How far the work is: a bar on a terminal, lines in a log, nothing with `--quiet`; and nothing is garbled."""

import io
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from render.base.progress import Progress, describe
from render.png.workers import MIN_CARDS
from tests.support.sets import write_set
from tests.support.terminals import on_a_terminal


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def told(width: int | None, steps: Iterator[tuple[float, int]] | list[tuple[float, int]], total: int = 100) -> str:
    """Return what is written when after so many seconds so many more are made."""
    stream, clock = io.StringIO(), Clock()
    with Progress(total, "PNGs", stream, None if width is None else lambda: width, clock) as progress:
        for seconds, count in steps:
            clock.now += seconds
            progress.more(count)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("far", "words"),
    [
        ((0, 9, 3.0), "0 of 9 PNGs"),
        ((312, 1000, 3.0), "312 of 1000 PNGs, 104 PNGs/s, 7 s left"),
        ((5, 1000, 10.0), "5 of 1000 PNGs, 0.5 PNGs/s, 33 min left"),
        ((1, 1000, 10.0), "1 of 1000 PNGs, 0.1 PNGs/s, 2 h 46 min left"),
        ((9, 9, 0.0), "9 of 9 PNGs"),
    ],
)
def test_what_is_said(far: tuple[int, int, float], words: str) -> None:
    done, total, seconds = far
    assert describe(done, total, "PNGs", seconds) == words


def test_a_log_gets_a_line_every_ten_seconds() -> None:
    lines = told(None, [(1.0, 2)] * 35).splitlines()
    assert lines == [
        "20 of 100 PNGs, 2.0 PNGs/s, 40 s left",
        "40 of 100 PNGs, 2.0 PNGs/s, 30 s left",
        "60 of 100 PNGs, 2.0 PNGs/s, 20 s left",
    ]


@pytest.mark.parametrize("width", [None, 80])
def test_quick_work_shows_no_progress(width: int | None) -> None:
    assert told(width, [(0.1, 25)] * 4) == ""


def test_a_bar_is_redrawn_in_place_and_removed_at_the_end() -> None:
    parts = told(80, [(0.4, 10)] * 10).split("\r")
    assert parts[1] == "[####--------------------] 20 of 100 PNGs, 25 PNGs/s, 3 s left"
    assert parts[-1] == ""
    assert parts[-2].strip() == ""
    assert len(parts[-2]) == max(map(len, parts))


@pytest.mark.parametrize("width", [10, 40, 200])
def test_a_bar_is_never_wider_than_the_terminal(width: int) -> None:
    assert max(map(len, told(width, [(0.4, 10)] * 10).split("\r"))) < width


def shown(text: str) -> list[str]:
    """Return the lines that are left on a terminal: what follows a carriage return is written over what was there."""
    lines = []
    for line in text.replace("\r\n", "\n").split("\n"):
        left = ""
        for part in line.split("\r"):
            left = part + left[len(part) :]
        lines.append(left.rstrip())
    return [line for line in lines if line]


# What is shown of long work, shown of all work: no test need draw for seconds, and on no machine it is done too soon.
AT_ONCE = """\
from render.base import progress
from render.__main__ import main
progress._PATIENCE = progress._REDRAWN = 0
main()
"""


def drawing(folder: Path, number: int) -> list[str]:
    """Return a command that draws so many cards, and shows a bar after each."""
    cards = "".join(f"- {{name: Card {n}, kind: minion, level: 1, sp: 1, hp: 0}}\n" for n in range(number))
    made = write_set(folder / "set", cards)
    return [sys.executable, "-c", AT_ONCE, "png", str(made), "--dpi", "72", "--out", str(folder / "out")]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize(("workers", "number"), [(1, 6), (2, MIN_CARDS)])
def test_a_terminal_shows_a_bar_and_then_only_the_summary(tmp_path: Path, workers: int, number: int) -> None:
    written, status = on_a_terminal([*drawing(tmp_path, number), "--workers", str(workers)], 200)
    assert status == 0, written
    assert re.search(rf"\[#+-+\] \d+ of {number} PNGs, [\d.]+ PNGs/s, \d+ s left", written)
    assert shown(written) == [f"Test: {number} PNGs in {tmp_path / 'out'}"]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_quiet_shows_no_bar(tmp_path: Path) -> None:
    written, status = on_a_terminal([*drawing(tmp_path, 6), "--quiet", "--workers", "1"], 200)
    assert (written.replace("\r\n", "\n"), status) == ("", 0)


def test_a_pipe_gets_no_bar(tmp_path: Path) -> None:
    result = subprocess.run([*drawing(tmp_path, 6), "--workers", "1"], capture_output=True, text=True, check=True)
    *lines, last = result.stderr.splitlines()  # a machine that takes long says so, a line every ten seconds
    assert last == f"Test: 6 PNGs in {tmp_path / 'out'}"
    assert all(" of 6 PNGs, " in line for line in lines)
    assert not {"\r", "["} & set(result.stderr.replace(str(tmp_path), ""))


@pytest.mark.parametrize("width", [2, 20, 41, 201])
def test_a_narrow_terminal_shows_how_many_are_made_before_it_shows_a_bar(width: int) -> None:
    line = told(width, [(2.0, 12)], total=300).split("\r")[1]
    assert len(line) < width
    assert "12 of 300 PNGs, 6.0 PNGs/s"[: width - 1] in line
    assert ("[" in line) is (width == 201)
