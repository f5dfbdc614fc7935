"""A few random edits of games in YAML: many more are tried by the modules that are called here, one by one."""

from pathlib import Path

import pytest
from proofs import fuzzed_boards, fuzzed_builds
from proofs.fuzzed_builds import GAMES

LANTERNS, TIDES = GAMES


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_build_after_edits_makes_and_says_what_a_fresh_one_does(tmp_path: Path) -> None:
    assert [*fuzzed_builds.differences(TIDES, seed=3, home=tmp_path, edits=1)] == []


def test_a_preview_after_edits_shows_and_says_what_one_does_that_begins_then(tmp_path: Path) -> None:
    assert fuzzed_boards.differences(LANTERNS, seed=0, home=tmp_path, edits=2) == []
