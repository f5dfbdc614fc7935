"""Ctrl-C while a command works with threads and processes: it ends, and leaves no lock locked and no file by halves."""

import itertools
import sys
from functools import partial
from pathlib import Path

import pytest

from tests.support.interruptions import interrupted_at_line
from tests.support.sets import kotc, write_set

DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><circle cx="30" cy="20" r="{0}"/></svg>'


@pytest.fixture
def drawn(tmp_path: Path) -> Path:
    """A set of six cards with three drawings, which threads draw ahead for a PDF."""
    cards = "".join(f"- {{name: Card {n}, kind: minion, level: 1, sp: 1, hp: 0, art: {n % 3}.svg}}\n" for n in range(6))
    folder = write_set(tmp_path / "set", cards)
    for n in range(3):
        (folder / f"{n}.svg").write_text(DRAWING.format(10 + n))
    return folder


@pytest.mark.skipif(sys.platform == "win32", reason="signals are of another kind there")
@pytest.mark.parametrize(("command", "step"), [("pdf", 71), ("build", 181)])
def test_a_command_ends_whichever_line_of_pythons_threads_ctrl_c_comes_at(
    drawn: Path, tmp_path: Path, command: str, step: int
) -> None:
    statuses = []

    def work(out: Path) -> None:
        statuses.append(kotc(command, drawn, "--out", out).exit_code)

    for at in itertools.count(1, step):
        out = tmp_path / f"{at}.pdf"  # `build` makes a folder of that name
        came = interrupted_at_line(at, partial(work, out))
        assert not list(tmp_path.rglob("*.part"))
        if not came:
            break
        assert out.is_dir() or not out.exists()
    assert statuses == [130] * (len(statuses) - 1) + [0]
    assert len(statuses) > 5
