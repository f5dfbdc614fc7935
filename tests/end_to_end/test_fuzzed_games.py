"""A few random games, sets and edits of them: many more are tried by the modules that are called here, one by one."""

from pathlib import Path

import pytest
from proofs import fuzzed_boards, fuzzed_builds, fuzzed_cards, fuzzed_expressions, fuzzed_tables
from proofs.kept_games import kept_game

pytestmark = pytest.mark.usefixtures("in_empty_folder")

LANTERNS, TIDES = fuzzed_builds.GAMES


def test_a_build_after_edits_makes_and_says_what_a_fresh_one_does(tmp_path: Path) -> None:
    assert [*fuzzed_builds.differences(TIDES, seed=3, home=tmp_path, edits=1)] == []


def test_a_preview_after_edits_shows_and_says_what_one_does_that_begins_then(tmp_path: Path) -> None:
    assert fuzzed_boards.differences(LANTERNS, seed=0, home=tmp_path, edits=2) == []


def test_expressions_say_the_same_of_a_card_in_any_order_alone_and_in_two_processes(tmp_path: Path) -> None:
    assert [*fuzzed_expressions.differences(5, tmp_path, alone=2)] == []


@pytest.mark.parametrize("seed", [17, 94])
def test_cards_are_the_same_in_whatever_order_they_are_drawn(seed: int, tmp_path: Path) -> None:
    fuzzed_cards.write_pictures(tmp_path)
    assert [*fuzzed_cards.differences(kept_game(seed, 3), tmp_path)] == []


@pytest.mark.parametrize("seed", [1, 2])
def test_cards_with_odd_texts_are_the_same_after_an_export_in_any_format(seed: int, tmp_path: Path) -> None:
    assert [*fuzzed_tables.differences(seed, tmp_path, cards=4)] == []
