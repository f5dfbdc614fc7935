"""Same input, same bytes, same words: wherever, whenever and however often everything is made."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.support.builds import tree
from tests.support.folder_order import ORDERS
from tests.support.full_set import FILES, SPELLS, everything
from tests.support.repository import ROOT
from tests.support.sets import write_set

RUN = "from render.cli.main import main; main(prog_name='kotc')"
MOVED = """
import datetime, time_machine
time_machine.travel(datetime.datetime({year}, 2, 28, 23, 59, tzinfo=datetime.UTC)).start()
assert datetime.datetime.now(datetime.UTC).year == {year}
"""
LISTED = "from tests.support import folder_order; folder_order.begin('{order}')"


@dataclass(frozen=True, slots=True)
class World:
    """What is different elsewhere: the environment, the umask, when files were changed, what a process begins with.

    The time is in ns; `moved` if the program lies elsewhere, too, and all of its files were changed then.
    """

    environment: Mapping[str, str] = field(default_factory=dict)
    umask: int = 0o022
    changed: int | None = None
    moved: bool = False
    begins: str = ""


WORLDS = {
    "another time zone, hash seed and umask, no date, a clock in 1985, folders forwards, a program elsewhere": World(
        {"TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "1", "SOURCE_DATE_EPOCH": "yesterday"},
        umask=0o077,
        changed=1,
        moved=True,
        begins=LISTED.format(order="forwards") + MOVED.format(year=1985),
    ),
    "another locale and date, a clock in 2039, files from the future, folders listed backwards": World(
        {"LC_ALL": "C", "PYTHONHASHSEED": "4242", "TZ": "America/New_York", "SOURCE_DATE_EPOCH": "1999999999"},
        umask=0,
        changed=4_000_000_000 * 10**9,
        begins=LISTED.format(order="backwards") + MOVED.format(year=2039),
    ),
}


@dataclass(frozen=True, slots=True)
class Made:
    """A folder of sets, the tree that was made of it, and what was said, whatever the folder of outputs is called."""

    sets: Path
    tree: Mapping[str, str]
    said: str


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("here")
    everything(folder / "sets" / "set")
    write_set(folder / "sets" / "another", SPELLS.replace(", art: small.png", ""))  # with the shipped back
    return build(World(), ROOT, folder / "sets", folder / "out")


def build(world: World, program: Path, sets: Path, out: Path) -> Made:
    """Build sets in another world, by the program that lies in a folder."""
    result = run(world, program, sets.parent, "build", sets.name, "--out", out)
    assert result.returncode == 0, result.stderr
    return Made(sets, tree(out), result.stderr.replace(str(out), "OUT"))


def run(world: World, program: Path, at: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command of a program in a folder."""
    return subprocess.run(
        [sys.executable, "-P", "-c", f"{world.begins}\n{RUN}", *arguments],
        cwd=at,
        env={**os.environ, "PYTHONPATH": f"{program}{os.pathsep}{ROOT}", **world.environment},
        umask=world.umask,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def copied(folder: Path, to: Path, changed: int | None) -> Path:
    """Copy a folder; if a time is given, in ns, all files were changed then."""
    shutil.copytree(folder, to, ignore=shutil.ignore_patterns("__pycache__"), copy_function=shutil.copyfile)
    if changed is not None:
        for path in to.rglob("*"):
            os.utime(path, ns=(changed, changed))
    return to


@pytest.mark.parametrize("world", WORLDS.values(), ids=WORLDS)
def test_another_world_gives_the_same_tree_and_the_same_words(here: Made, tmp_path: Path, world: World) -> None:
    program = tmp_path / "program" if world.moved else ROOT
    for part in ("render", "templates", "fonts") if world.moved else ():
        copied(ROOT / part, program / part, world.changed)
    elsewhere = copied(here.sets, tmp_path / "a folder of another name" / "sets", world.changed)
    made = build(world, program, elsewhere, tmp_path / "other")
    assert made.tree.keys() >= {f"set/{file}" for file in FILES}
    assert made.tree == here.tree
    assert "[A011]" in made.said
    assert made.said == here.said


def test_what_is_wrong_is_said_in_the_same_order_however_folders_are_listed(tmp_path: Path) -> None:
    for name in "first", "second":
        folder = everything(tmp_path / "sets" / name)
        (folder / "A.jpg").write_bytes((folder / "a.jpg").read_bytes())
        for file, right, wrong in ("minions", "kind", "kinds"), ("spells", "small.png", "aa.jpg"):
            text = (folder / f"{file}.yaml").read_text(encoding="utf-8")
            (folder / f"{file}.yaml").write_text(text.replace(right, wrong), encoding="utf-8")
    worlds = [World(begins=LISTED.format(order=order)) for order in ORDERS]
    one, other = (run(world, ROOT, tmp_path, "check", "sets", "--format", "json") for world in worlds)
    assert one.returncode == other.returncode == 1
    assert "did you mean `a.jpg`?" in one.stdout
    assert one.stdout == other.stdout
