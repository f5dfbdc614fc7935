"""Ctrl-C while a command works with threads and processes: it ends soon, and leaves no lock locked and no file by halves."""

import itertools
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from render.base.forking import MIN_THINGS
from render.png.workers import MIN_CARDS
from tests.support.interruptions import interrupted_at_line
from tests.support.sets import SET, kotc, write_set
from tests.support.terminals import NEEDS_TERMINALS, plain_environment

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
@pytest.mark.parametrize(("command", "step"), [("pdf", 113), ("build", 307)])
def test_a_command_ends_whichever_line_of_pythons_threads_ctrl_c_comes_at(
    drawn: Path, tmp_path: Path, command: str, step: int
) -> None:
    statuses = []

    def work(out: Path) -> None:
        statuses.append(kotc(command, drawn, "--out", out, "--no-store").exit_code)

    for at in itertools.count(1, step):
        out = tmp_path / f"{at}.pdf"  # `build` makes a folder of that name
        came = interrupted_at_line(at, partial(work, out))
        assert not list(tmp_path.rglob("*.part"))
        if not came:
            break
        assert out.is_dir() or not out.exists()
    assert statuses == [130] * (len(statuses) - 1) + [0]
    assert len(statuses) > 5


# Ctrl-C at a place of a test's choice, in a process of its own, which tells when it is there. What stands for the work
# there takes a minute, and no exception ends it: as a library does that computes.
AT_A_PLACE = """\
import importlib, os, sys, time
from render.__main__ import main

module, name = sys.argv.pop(1).split(":")
place = importlib.import_module(module)

def never_ending(*_, **__):
    os.write(1, b"there\\n")  # in one piece: two processes may be there
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            time.sleep(1)
        except KeyboardInterrupt:
            pass

setattr(place, name, never_ending)
main()
"""
PLACES = {
    "reading": ("check", "render.game.sets.set_reader:declared_set", 2),
    "laying out, in two processes": ("check", "render.game.side_layout:fit_scene", MIN_THINGS),
    "the rules": ("check", "render.games.kotc.checking:findings_by_rules", 2),
    "drawing a page": ("pdf", "render.pdf.document:_add_page", 2),
    "drawing pictures in two processes": ("png", "render.png.paint:paint", MIN_CARDS),
    "packing in a thread": ("png --workers 1", "render.png.packing:pack", 2),
    "a file for a shop": ("shop makeplayingcards", "render.png.packing:encode", 2),
    "writing": ("pdf", "render.base.files:open_folder", 2),
}
SOON = 0.3  # seconds of the promise; a machine with much else to do gets more
SLACK = 2.0


@NEEDS_TERMINALS
@pytest.mark.parametrize("place", PLACES)
def test_ctrl_c_ends_all_processes_soon_in_every_phase(tmp_path: Path, place: str) -> None:
    command, where, number = PLACES[place]
    cards = "".join(f"- {{name: Card {n}, kind: minion, level: 1, sp: 1, hp: 0}}\n" for n in range(number))
    made = write_set(tmp_path / "set", cards)
    out = [] if command == "check" else ["--out", str(tmp_path / "out")]
    process = subprocess.Popen(
        [sys.executable, "-c", AT_A_PLACE, where, *command.split(), str(made), *out],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=plain_environment(), start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "there\n"
        since = time.monotonic()
        os.kill(process.pid, signal.SIGINT)  # alone, where a terminal sends it to all
        said = process.communicate(timeout=30)[1]  # until the last process has closed its streams
        took = time.monotonic() - since
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 130, said
    assert re.fullmatch(r"stopped( after 0 of \d+ PNGs)?\n", said)
    assert took < SOON + SLACK
    assert not list(tmp_path.rglob("*.part"))


@NEEDS_TERMINALS
def test_what_was_made_before_ctrl_c_stays_and_is_counted_and_the_next_build_goes_on(tmp_path: Path) -> None:
    cards = "".join(f"- {{name: Card {n}, kind: minion, level: 1, sp: 1, hp: 0}}\n" for n in range(MIN_CARDS))
    made = write_set(tmp_path / "set", cards, f"{SET}outputs: {{png: {{dpi: 300}}}}\n")
    build = [sys.executable, "-m", "render", "build", str(made), "--out", str(tmp_path / "out"), "--workers", "2"]
    process = subprocess.Popen(
        build, stderr=subprocess.PIPE, text=True, env=plain_environment(), start_new_session=True
    )
    pictures = tmp_path / "out/set/png"
    while not (pictures.is_dir() and len(list(pictures.glob("*.png"))) >= 5) and process.poll() is None:
        time.sleep(0.001)
    os.killpg(process.pid, signal.SIGINT)
    said = process.communicate(timeout=30)[1]
    there = {file.name: file.stat().st_mtime_ns for file in pictures.glob("*.png")}
    assert said == f"stopped after {len(there)} of {MIN_CARDS} PNGs; run the command again to continue\n"
    assert kotc("build", made, "--out", tmp_path / "out").exit_code == 0
    kept = {file.name: file.stat().st_mtime_ns for file in pictures.glob("*.png") if file.name in there}
    assert kept == there
    assert len(list(pictures.glob("*.png"))) == MIN_CARDS
