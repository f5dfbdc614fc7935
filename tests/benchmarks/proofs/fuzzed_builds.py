"""Builds after random edits give the files and messages that a fresh build gives; run by hand.

`python tests/benchmarks/prove.py fuzzed_builds 0 10` tries ten rows of edits of two games in YAML. What was built before is
known to the process, and to the manifests; of the fresh build, nothing is.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from click.testing import Result
from PIL import Image

from proofs.fuzzed_cards import empty_caches
from proofs.fuzzed_lanterns import begin_lanterns, edit_lanterns
from proofs.fuzzed_tides import begin_tides, edit_tides
from tests.cli.test_same_findings import said
from tests.support.builds import NOT_COMPARED, tree
from tests.support.sets import kotc


class EditedGame(NamedTuple):
    """How a game is written into a folder and edited there, and what is built of it."""

    begin: Callable[[Path], None]
    edit: Callable[[Path, Random], str]
    sources: tuple[str, ...]


GAMES = (
    EditedGame(begin_lanterns, edit_lanterns, ("lanterns",)),
    EditedGame(begin_tides, edit_tides, ("tides", "deck.yaml")),
)


def differences(game: EditedGame, seed: int, home: Path, edits: int = 8) -> Iterator[str]:
    """Yield where a check or a build after an edit differs from a fresh one, in an empty folder."""
    chance, done = Random(seed), list[str]()
    game.begin(home)
    for _ in range(edits):
        done += [game.edit(home, chance) for _ in range(chance.choice((1, 1, 1, 2, 4)))]
        for found in _differ(game.sources, home, chance):
            yield f"{done}: {found}"


def _differ(sources: Sequence[str], home: Path, chance: Random) -> Iterator[str]:
    workers = chance.choice(("1", "2"))
    checked = kotc("check", *sources)
    again = kotc("build", *sources, "--out", "out", "--workers", workers)
    empty_caches()
    fresh = kotc("build", *sources, "--out", "fresh", "--workers", "1")
    if checked.output != kotc("check", *sources).output:
        yield f"checks\n{checked.output}\n{kotc('check', *sources).output}"
    yield from _told_otherwise(again, fresh, checked)
    if fresh.exit_code == again.exit_code == 0:
        if wrong := unequal(home / "out", home / "fresh"):
            yield f"files {wrong} by {workers} workers"
        yield from _drawn_alone(sources[0], home, chance)
    shutil.rmtree(home / "fresh", ignore_errors=True)


def _drawn_alone(source: str, home: Path, chance: Random) -> Iterator[str]:
    """Yield what differs if one of the cards is drawn by itself, and nothing is known of any other."""
    pictures = sorted((home / "fresh" / source / "png").glob("*.png"))
    if not pictures:
        return
    chosen = chance.choice(pictures)
    with Image.open(chosen) as image:
        dpi = round(image.info["dpi"][0])
    empty_caches()
    card = chosen.name.split(".")[0]
    result = kotc("png", source, "--card", card, "--dpi", dpi, "--out", "alone", "--workers", "1")
    for file in (home / "alone").glob("*.png"):
        if file.read_bytes() != (chosen.parent / file.name).read_bytes():
            yield f"{file.name} alone"
    if not (home / "alone" / chosen.name).exists():
        yield f"{chosen.name} is not made alone: {result.output}"
    shutil.rmtree(home / "alone", ignore_errors=True)


def unequal(out: Path, fresh: Path) -> list[str]:
    """Return the names of files that a build made otherwise than a fresh one.

    Of manifests, that templates count which no card asks for is no difference: a build that finds nothing to do does
    not look for new ones.
    """
    one, other = tree(out), tree(fresh)
    names = [name for name in sorted({*one, *other}) if one.get(name) != other.get(name)]
    return [name for name in names if not (name.endswith(".kotc.json") and _means_the_same(out / name, fresh / name))]


def _means_the_same(manifest: Path, fresh: Path) -> bool:
    if not (manifest.exists() and fresh.exists()):
        return False
    one, other = (json.loads(each.read_bytes()) for each in (manifest, fresh))
    for each in (one, other):
        each["inputs"] = {key: value for key, value in each["inputs"].items() if key in one["inputs"]}
    return all(one.get(key) == other.get(key) for key in {*one, *other} - {*NOT_COMPARED})


def _told_otherwise(again: Result, fresh: Result, checked: Result) -> Iterator[str]:
    """Yield how what is said by a build differs from what a fresh one says, and of errors from what a check says."""
    if again.exit_code != fresh.exit_code or said(again.output) != said(fresh.output):
        yield f"messages\n{again.output}\n{fresh.output}"
    elif fresh.exit_code and again.output.replace("out/", "fresh/") != fresh.output:
        yield f"words\n{again.output}\n{fresh.output}"
    told, known = said(fresh.output), said(checked.output)
    if not {each for each in known if ": error: " in each} <= {*told} <= {*known}:
        yield f"check\n{checked.output}\n{fresh.output}"


def tried(differences: Callable[[EditedGame, int, Path], Iterable[str]], first: int, last: int) -> int:
    """Try seeds with both games, each in a folder of its own, and return how many differences there are."""
    told = 0
    for seed in range(first, last):
        for game in GAMES:
            with tempfile.TemporaryDirectory() as home:
                os.chdir(home)
                for found in differences(game, seed, Path(home)):
                    told += 1
                    print(f"seed {seed}: {found}", flush=True)
    print(f"{len(GAMES) * (last - first)} rows of edits, {told} differences")
    return told


if __name__ == "__main__":
    sys.exit(1 if tried(differences, int(sys.argv[1]), int(sys.argv[2])) else 0)
