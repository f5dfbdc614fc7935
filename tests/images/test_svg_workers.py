"""Processes that draw SVGs: they stay, none outlives its work, and what ends one does not reach the next drawing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

from render.images.files import svg_drawing
from render.images.files.svg_workers import BrokenDrawingError, DrawingLimits, SvgPng, TooMuchError, drawn
from tests.support.repository import ROOT
from tests.support.sets import kotc, write_set

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists processes like this")

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{0}" viewBox="0 0 10 10">'
GOOD = HEAD.format(20) + '<circle cx="5" cy="5" r="4" fill="#0a0"/></svg>'
SLOW = HEAD.format(1500) + "<g fill-opacity='.5'>" + "<rect width='10' height='10'/>" * 9000 + "</g></svg>"
BROKEN = HEAD.format(0) + "</svg>"
LARGE = HEAD.format(7500) + "<rect width='10' height='10'/></svg>"
LIMITS = DrawingLimits(8, 200_000_000)


def workers(parent: int | None = None) -> set[int]:
    """Return the numbers of the processes that a process has for drawing."""
    found: set[int] = set()
    for number in (each.name for each in Path("/proc").iterdir() if each.name.isdigit()):
        with suppress(OSError):  # it has ended meanwhile
            above = int(Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[1])
            if above == (parent or os.getpid()) and b"svg_process" in Path(f"/proc/{number}/cmdline").read_bytes():
                found.add(int(number))
    return found


def alone() -> SvgPng:
    """Draw a picture that anything can draw."""
    return drawn(GOOD, LIMITS)


def gone(numbers: set[int], seconds: float = 60) -> bool:
    """Whether all processes have ended, in time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not any(Path(f"/proc/{number}/cmdline").exists() and _runs(number) for number in numbers):
            return True
        time.sleep(0.02)
    return False


def _runs(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_one_process_makes_one_drawing_after_the_other() -> None:
    alone()
    before = workers()
    assert [alone().png for _ in range(20)] == [alone().png] * 20
    assert workers() == before


def test_threads_have_drawings_made_at_the_same_time_and_get_their_own() -> None:
    sizes = [*range(10, 60)]
    with ThreadPoolExecutor(4) as pool:
        pngs = [*pool.map(lambda size: drawn(GOOD.replace('"20"', f'"{size}"'), LIMITS).png, sizes)]
    assert [int.from_bytes(png[16:20], "big") for png in pngs] == sizes


def test_an_idle_process_that_is_killed_is_replaced_unseen() -> None:
    before = alone().png
    for number in workers():
        os.kill(number, signal.SIGKILL)
    assert alone().png == before


def test_a_process_that_is_killed_while_it_draws_is_replaced_unseen() -> None:
    few = SLOW.replace("<rect width='10' height='10'/>" * 9000, "<rect width='10' height='10'/>" * 60)
    wanted = drawn(few, LIMITS).png
    idle = workers()
    killed: list[int] = []

    def kill() -> None:
        time.sleep(0.15)
        for number in workers():
            os.kill(number, signal.SIGKILL)
            killed.append(number)

    thread = Thread(target=kill)
    thread.start()
    found = drawn(few, LIMITS).png
    thread.join()
    assert found == wanted
    assert set(killed) & idle


def test_a_drawing_that_takes_too_long_is_stopped_and_the_next_is_drawn() -> None:
    start = time.process_time()
    with pytest.raises(TooMuchError):
        drawn(SLOW, DrawingLimits(1, 200_000_000))
    assert time.process_time() - start < 1  # here, where it was waited for
    assert alone().png.startswith(b"\x89PNG")


def test_a_drawing_that_takes_too_much_memory_is_stopped_and_the_next_is_drawn() -> None:
    with pytest.raises(TooMuchError):
        drawn(LARGE, LIMITS)
    assert alone().png.startswith(b"\x89PNG")
    assert drawn(LARGE, DrawingLimits(8, 900_000_000)).png.startswith(b"\x89PNG")


def test_the_time_of_one_drawing_is_not_taken_from_the_next() -> None:
    alone()
    some = SLOW.replace("<rect width='10' height='10'/>" * 8970, "")
    before, taken = workers(), 0.0
    while taken < 1.2:  # more than one may take
        taken += drawn(some, DrawingLimits(1, 200_000_000)).seconds
    assert workers() == before


def test_broken_drawings_among_good_ones_change_none_of_them() -> None:
    wanted = alone().png
    for number in range(12):
        with pytest.raises(BrokenDrawingError if number % 4 else TooMuchError):
            drawn(BROKEN if number % 4 else LARGE, LIMITS)
        assert alone().png == wanted
    assert len(workers()) <= 8  # no more than tests had at a time


def test_what_the_library_says_of_a_broken_drawing_is_its_own_word() -> None:
    with pytest.raises(BrokenDrawingError) as error:
        drawn(BROKEN, LIMITS)
    assert str(error.value) == "InvalidSize"


def test_a_forked_process_has_its_own() -> None:
    alone()
    before = workers()
    child = os.fork()
    if not child:
        same = workers(os.getpid()) & before
        alone()
        os._exit(0 if not same and len(workers(os.getpid())) == 1 else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert alone().png.startswith(b"\x89PNG")
    assert workers() >= before


PROGRAM = f"""
import sys, time
sys.path.insert(0, {str(ROOT)!r})
from render.images.files import svg_drawing
from render.images.files.svg_workers import DrawingLimits, drawn
drawn({GOOD!r}, DrawingLimits(8, 200_000_000))
print("ready", flush=True)
{{}}
"""


@pytest.mark.parametrize(
    ("does", "by"),
    [("pass", None), ("time.sleep(60)", signal.SIGKILL), ("time.sleep(60)", signal.SIGTERM), ("1 / 0", None)],
    ids=["ends", "is killed", "is stopped", "fails"],
)
def test_processes_end_with_the_one_that_they_draw_for(does: str, by: signal.Signals | None) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(does)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        found = workers(process.pid) if by else set()
        if by:
            assert found
            process.send_signal(by)
        process.wait()
        assert gone(found)


def test_ctrl_c_ends_a_drawing_that_is_under_way_at_once(tmp_path: Path) -> None:
    (tmp_path / "slow.svg").write_text(SLOW)
    program = PROGRAM.format(f"drawn(open({str(tmp_path / 'slow.svg')!r}).read(), DrawingLimits(60, 200_000_000))")
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        found = workers(process.pid)
        time.sleep(0.3)
        start = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait() != 0
        assert time.monotonic() - start < 20  # seconds; the drawing takes 35 of processor time
        assert gone(found)


def test_a_card_set_with_broken_drawings_among_good_ones_says_each_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(svg_drawing, "SECONDS", 1)
    cards = "".join(
        f"- {{name: Card {number}, kind: minion, level: 1, sp: 1, hp: 0, art: {number}.svg}}\n" for number in range(16)
    )
    folder = write_set(Path("s"), cards)
    deep = "<g opacity='.9'><rect x='-1e6' width='2e6' height='40'/>" * 50 + "</g>" * 50
    for number in range(16):
        inner = deep if number % 8 == 0 else "<circle r='3'/>"
        (folder / f"{number}.svg").write_text(HEAD.format(9) + f"<!-- {number} -->{inner}</svg>")
    result = kotc("check", "s")
    said = [line for line in (result.stdout + result.stderr).splitlines() if "error" in line and "[A0" in line]
    assert all("[A015]" in line for line in said)
    assert len(said) == 2
