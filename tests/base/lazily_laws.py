"""What is made when it is asked for is what a list of it would be, and no part of it is made before."""

from hypothesis import given
from hypothesis import strategies as st

from render.base.lazily import Lazily, chosen, joined, thing_of, where, with_handles

NUMBERS = st.lists(st.integers(0, 99), max_size=20)


def doubled(numbers: list[int], made: list[int]) -> Lazily[int]:
    return Lazily(numbers, lambda number: made.append(number) or 2 * number)  # type: ignore[func-returns-value]


@given(NUMBERS, NUMBERS, st.data())
def test_it_is_what_a_tuple_of_it_is(numbers: list[int], more: list[int], data: st.DataObject) -> None:
    usual, made = tuple(2 * number for number in numbers), list[int]()
    lazily = doubled(numbers, made)
    places = data.draw(st.lists(st.sampled_from(range(len(usual))), max_size=9) if usual else st.just([]))
    part = data.draw(st.slices(len(usual)))
    picked, longer, cut = chosen(lazily, places), joined(lazily, more), lazily[part]
    handles = [handle for _, handle in with_handles(longer)]
    made.clear()
    assert (len(lazily), len(picked), len(longer), len(cut)) == (
        len(usual),
        len(places),
        len(handles),
        len(usual[part]),
    )
    assert not made
    assert (*lazily,) == usual
    assert (*cut,) == usual[part]
    assert (*picked,) == chosen(usual, places)
    assert (*longer,) == joined(usual, more) == (*usual, *more)
    assert (*map(thing_of, handles),) == (*longer,)
    assert (*where(longer, lambda number: number > 40),) == where((*usual, *more), lambda number: number > 40)


def test_what_is_there_stands_for_itself() -> None:
    assert [*with_handles(("a", "b"))] == [("a", "a"), ("b", "b")]
