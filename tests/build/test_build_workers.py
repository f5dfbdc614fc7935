"""Builds by one process and by two: the same tree, no card lost to another; Ctrl-C stops them."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from render.png import workers
from tests.support.builds import check_truth, times, tree, without_progress
from tests.support.full_set import everything
from tests.support.repository import ROOT
from tests.support.sets import kotc

pytestmark = pytest.mark.usefixtures("all_cores")

MORE = range(workers.MIN_CARDS)
"""Cards beside the three of the set: enough for processes to begin."""


@dataclass(frozen=True, slots=True)
class Made:
    """A set and the tree that one process makes of it."""

    folder: Path
    tree: dict[str, str]


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = everything(tmp_path_factory.mktemp("alone") / "set", [])
    cards = [
        f"- {{name: Card {n}, kind: minion, level: {n}, sp: 1, hp: 0, art: {('a.jpg', 'b.png')[n % 2]}}}" for n in MORE
    ]
    (folder / "more.yaml").write_text("\n".join(cards), encoding="utf-8")
    out = folder.parent / "out"
    assert kotc("build", folder, "--out", out, "--workers", "1").exit_code == 0
    return Made(folder, tree(out / "set"))


def test_two_workers_make_the_same_tree(alone: Made, tmp_path: Path) -> None:
    result = kotc("build", alone.folder, "--out", tmp_path, "--workers", "2")
    assert result.exit_code == 0, result.output
    assert tree(tmp_path / "set") == alone.tree


def test_an_error_in_one_card_does_not_lose_the_others(alone: Made, tmp_path: Path) -> None:
    out = tmp_path / "set"
    (out / "png/card-7.png").mkdir(parents=True)
    result = kotc("build", alone.folder, "--out", tmp_path, "--workers", "2")
    assert result.exit_code == 3
    assert f"cannot use `{out / 'png/card-7.png'}`: is a directory" in result.output
    others = {name for name in alone.tree if name.startswith("png/")} - {"png/card-7.png"}
    assert {name: digest for name, digest in tree(out).items() if name in others} == {
        name: alone.tree[name] for name in others
    }

    (out / "png/card-7.png").rmdir()
    before = times(out)
    assert kotc("build", alone.folder, "--out", tmp_path, "--workers", "2").exit_code == 0
    assert tree(out) == alone.tree
    assert {name: stamp for name, stamp in times(out).items() if name in others} == {
        name: before[name] for name in others
    }


# --- Ctrl-C ---------------------------------------------------------------------------------------------------------

ALONE, GROUP = os.kill, getattr(os, "killpg", os.kill)
"""Who gets the signal: the process, or the workers too, as by a terminal."""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are of another kind there")
@pytest.mark.parametrize(
    ("count", "sent", "pngs"),
    [("2", GROUP, 0), ("1", GROUP, 8), ("2", ALONE, 15), ("2", GROUP, 23)],
    ids=["before any", "one process", "two, itself alone", "two, after all"],
)
def test_ctrl_c_leaves_whole_files_and_says_what_is_done(
    alone: Made, tmp_path: Path, count: str, sent: Callable[[int, int], None], pngs: int
) -> None:
    said = stopped(alone.folder, tmp_path, count, sent, pngs)
    made = len(list((tmp_path / "set/png").glob("*.png")))
    assert said in {"stopped\n", f"stopped after {made} of 23 PNGs; run the command again to continue\n"}
    assert made == 0 or said != "stopped\n"
    check_truth(tmp_path / "set")
    assert list(tmp_path.rglob("*.part")) == []
    assert kotc("build", alone.folder, "--out", tmp_path).exit_code == 0
    assert tree(tmp_path / "set") == alone.tree


def test_ctrl_c_stops_the_program_while_it_is_being_loaded(alone: Made, tmp_path: Path) -> None:
    code = "import runpy, sys\nsys.meta_path.insert(0, type('Stop', (), {'find_spec': find}))\n"
    find = "def find(name, *_):\n    if name == 'render.cli.selection':\n        raise KeyboardInterrupt\n"
    run = "sys.argv[0] = 'kotc'\nrunpy.run_module('render', run_name='__main__')\n"
    result = subprocess.run(
        [sys.executable, "-c", find + code + run, "build", alone.folder, "--out", tmp_path],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stdout, result.stderr) == (130, "", "stopped\n")


def stopped(folder: Path, out: Path, count: str, sent: Callable[[int, int], None], pngs: int) -> str:
    """Begin a build, stop it by Ctrl-C when there are so many PNGs, and return what it says."""
    for _ in range(100):  # it may be done before it is stopped
        shutil.rmtree(out / "set", ignore_errors=True)
        build = subprocess.Popen(
            [sys.executable, "-m", "render", "build", folder, "--out", out, "--workers", count],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        while build.poll() is None and not has_come_to(out / "set", pngs):
            time.sleep(0.001)
        if build.poll() is None:
            sent(build.pid, signal.SIGINT)
        said = build.communicate(timeout=60)[1]
        if build.returncode:
            break
    assert build.returncode in (130, -signal.SIGINT), said  # which shells call 130, too
    return without_progress(said)


def has_come_to(out: Path, pngs: int) -> bool:
    """Whether a build has begun and made so many PNGs."""
    return (out / ".kotc.lock").exists() and len(list((out / "png").glob("*.png"))) >= pngs
