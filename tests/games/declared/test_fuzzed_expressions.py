"""A game of random expressions: many more are tried by `python tests/benchmarks/prove.py fuzzed_expressions`."""

from pathlib import Path

from proofs.fuzzed_expressions import differences


def test_expressions_say_the_same_of_a_card_in_any_order_alone_and_in_two_processes(tmp_path: Path) -> None:
    assert [*differences(5, tmp_path, alone=2)] == []
