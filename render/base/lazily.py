"""Things that are made when they are asked for, so that few of them are in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeVar, overload

from msgspec import Struct

AT_HAND = 16_384  # cards, or what is made of them, that stay in memory: they take about as much as the program itself

Made = TypeVar("Made")


class Ready(NamedTuple):
    """A thing that is there, among others that are made when they are asked for."""

    thing: Any


class Lazily(Sequence[Made], Generic[Made]):
    """What `make` makes of each of some things, unless it is `Ready`, each time that it is asked for."""

    def __init__(self, things: Sequence[Any], make: Callable[[Any], Made]) -> None:
        self._things, self._make = things, make

    def __len__(self) -> int:
        return len(self._things)

    def __iter__(self) -> Iterator[Made]:
        return map(self._made, self._things)

    @overload
    def __getitem__(self, index: int) -> Made: ...
    @overload
    def __getitem__(self, index: slice) -> Lazily[Made]: ...
    def __getitem__(self, index: int | slice) -> Made | Lazily[Made]:
        things = self._things[index]
        return Lazily(things, self._make) if isinstance(index, slice) else self._made(things)

    def _made(self, thing: Any) -> Made:
        return thing.thing if isinstance(thing, Ready) else self._make(thing)

    def chosen(self, numbers: Iterable[int]) -> Lazily[Made]:
        """Return those with these numbers, in that order."""
        return Lazily(chosen(self._things, numbers), self._make)

    def joined(self, more: Iterable[Made]) -> Lazily[Made]:
        """Return these and, behind them, things that are there."""
        return Lazily(joined(self._things, map(Ready, more)), self._make)


class OneOf(Struct, Generic[Made], frozen=True):
    """One of such things, to be made whenever it is asked for."""

    things: Lazily[Made]
    number: int


def thing_of(handle: Made | OneOf[Made]) -> Made:
    """Return the thing that a handle stands for."""
    return handle.things[handle.number] if isinstance(handle, OneOf) else handle


# These return a tuple of things that are at hand, and of what is made lazily, something that is made lazily, too.


def chosen(things: Sequence[Made], numbers: Iterable[int]) -> Sequence[Made]:
    """Return the things with these numbers, in that order."""
    return things.chosen(numbers) if isinstance(things, Lazily) else tuple(things[number] for number in numbers)


def where(things: Sequence[Made], is_wanted: Callable[[Made], bool]) -> Sequence[Made]:
    """Return the things that are wanted, in order."""
    return chosen(things, [number for number, thing in enumerate(things) if is_wanted(thing)])


def joined(things: Sequence[Made], more: Iterable[Made]) -> Sequence[Made]:
    """Return the things, and more behind them."""
    return things.joined(more) if isinstance(things, Lazily) else (*things, *more)


def with_handles(things: Sequence[Made]) -> Iterator[tuple[Made, Made | OneOf[Made]]]:
    """Yield each thing, and what stands for it: itself, or what makes it again."""
    if isinstance(things, Lazily):
        return ((thing, OneOf(things, number)) for number, thing in enumerate(things))
    return zip(things, things, strict=True)
