"""Hostile input ends in a word, within bounds: a sample of what `python tests/benchmarks/prove.py hostile KIND` runs by the thousand."""

import os
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from proofs.hostile.__main__ import cases, kinds
from proofs.hostile.bounds import Sentinels, attempt, load, tried

from tests.support.sets import write_set

SAMPLE = 2
MORE = {"pictures": [24]}  # the 25th is at a bound

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who opens a file")


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    load()


@pytest.mark.parametrize("kind", kinds())
def test_hostile_input_ends_in_a_word_within_bounds(kind: str, tmp_path: Path) -> None:
    faults = []
    wanted = [*range(SAMPLE), *MORE.get(kind, [])]
    for number, case in enumerate(islice(cases(kind, seed=1), wanted[-1] + 1)):
        if number not in wanted:
            continue
        folder = tmp_path / str(number)
        folder.mkdir()
        faults += tried(case, folder)
    assert faults == []


@pytest.fixture
def sentinels(tmp_path: Path) -> Iterator[Sentinels]:
    planted = Sentinels(tmp_path / "outside")
    yield planted
    planted.close()


def test_a_sentinel_tells_that_it_was_read(sentinels: Sentinels) -> None:
    assert sentinels.touched() == []
    (sentinels.folder / "id_rsa").read_bytes()
    assert sentinels.touched() == ["outside the set: `id_rsa` was opened"]
    assert sentinels.touched() == []


def test_a_sentinel_tells_that_it_was_replaced(sentinels: Sentinels, tmp_path: Path) -> None:
    (tmp_path / "new").write_text("new", encoding="utf-8")
    (tmp_path / "new").replace(sentinels.folder / ".bashrc")
    assert "outside the set: `.bashrc` is another file now" in sentinels.touched()


def test_a_command_is_run_and_measured(tmp_path: Path) -> None:
    write_set(tmp_path / "set", "- {name: Tip, kind: tip, text: Eat well.}\n")
    run = attempt(["check", "set"], tmp_path)
    assert (run.status, run.traceback, run.faults()) == (0, "", [])
    assert 0 < run.seconds < 10
    assert run.mib < 300


def test_what_escapes_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proofs.hostile.bounds.run_here", lambda _words: dict[str, int]()["gone"])
    (fault,) = attempt(["check"], tmp_path).faults()
    assert "KeyError: 'gone'" in fault


def test_what_takes_too_long_or_too_much_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proofs.hostile.bounds.run_here", lambda _words: len(os.urandom(50_000_000)) * 0)
    run = attempt(["check"], tmp_path)
    assert run.faults() == []
    assert [fault.split(":")[1].split(",")[0].split()[0] for fault in run.faults(seconds=0, mib=10)] == ["took", "took"]
