"""What a cache of a bounded size keeps: what was used last, and no more bytes than it may."""

from hypothesis import given
from hypothesis import strategies as st

from render.base.caches import BoundedCache, cached, clear_caches, stored


@given(st.lists(st.integers(0, 12)), st.integers(0, 30))
def test_a_cache_keeps_what_was_used_last_as_far_as_it_fits(used: list[int], most: int) -> None:
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


@given(st.lists(st.integers(1, 12), unique=True), st.integers(0, 30), st.integers(1, 5))
def test_a_cache_keeps_more_than_usual_only_of_its_last_values(sizes: list[int], usual: int, few: int) -> None:
    kept = BoundedCache[bytes](1000, len, usual, few)
    for size in sizes:
        kept.get(size, lambda size=size: bytes(size))  # type: ignore[misc]
    last = [size for size in sizes if kept.find(size)]
    assert last == sizes[len(sizes) - len(last) :]
    assert len(last) >= min(len(sizes), few)
    assert len(last) <= few or sum(last) <= usual


def test_a_process_forgets_what_may_be_stale_and_keeps_what_is_keyed_by_content() -> None:
    by_content = stored(BoundedCache[bytes](100, len))
    numbers = iter(range(9))
    by_arguments = cached(None)(lambda: next(numbers))
    by_content.put("key", b"value")
    assert (by_arguments(), by_arguments()) == (0, 0)
    clear_caches()
    assert (by_arguments(), len(by_content)) == (1, 1)
    clear_caches(by_content=True)
    assert (by_arguments(), len(by_content)) == (2, 0)
