"""A few sets of random cards: many more are tried by `python tests/benchmarks/prove.py fuzzed_tables`."""

from pathlib import Path

import pytest
from proofs.fuzzed_tables import differences


@pytest.mark.parametrize("seed", [1, 2])
def test_cards_with_odd_texts_are_the_same_after_an_export_in_any_format(seed: int, tmp_path: Path) -> None:
    assert [*differences(seed, tmp_path, cards=4)] == []
