"""A few random games: many more are tried by `python tests/benchmarks/prove.py fuzzed_cards`."""

from pathlib import Path

import pytest
from proofs.fuzzed_cards import differences, write_pictures
from proofs.kept_games import kept_game


@pytest.mark.parametrize("seed", [17, 94])
def test_cards_are_the_same_in_whatever_order_they_are_drawn(seed: int, tmp_path: Path) -> None:
    write_pictures(tmp_path)
    assert [*differences(kept_game(seed, 3), tmp_path)] == []
