"""How well `kotc verify` judges: a sample of the rows of `measure.txt`; `python -m tests.verify.measure` tries all."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.verify.measure import Row, awaited, outcome, rows


@pytest.mark.parametrize("row", [row for row in rows() if row.in_sample], ids=lambda row: row.title)
def test_a_fault_is_judged_as_it_should_be(row: Row) -> None:
    """One that is awaited is not yet, and is no longer named as awaited once it is."""
    why = outcome(row)
    assert bool(why) == (row.title in awaited()), why or "is judged as it should be: remove it from `awaited`"


def test_each_row_is_there_once_and_what_is_awaited_is_a_row() -> None:
    titles = Counter(row.title for row in rows())
    assert set(titles.values()) == {1}
    assert awaited() <= titles.keys()
    assert {row.kind for row in rows()} == {"paper", "press", "harmless"}
