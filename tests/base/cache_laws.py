"""What a cache of a bounded size keeps: what was used last, and no more bytes than it may."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from render.base.caches import BoundedCache


@given(st.lists(st.integers(0, 12)), st.integers(0, 30))
def test_what_was_used_last_is_kept_as_far_as_it_fits(used: list[int], most: int) -> None:
    made: list[int] = []
    kept = BoundedCache[bytes](most, len)
    order: list[int] = []

    def make(number: int) -> bytes:
        made.append(number)
        return bytes(number)

    for number in used:
        was_kept, before = number in order, len(made)
        assert kept.get(number, lambda number=number: make(number)) == bytes(number)  # type: ignore[misc]
        assert (len(made) == before) is was_kept
        order = [each for each in order if each != number] + [number]
        while sum(order) > most:
            order.pop(0)
