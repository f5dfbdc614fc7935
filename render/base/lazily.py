"""Things that are made when they are asked for, so that few of them are in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar, overload

Made = TypeVar("Made")


class Lazily(Sequence[Made], Generic[Made]):
    """What `make` makes of each of some things, each time that it is asked for."""

    def __init__(self, things: Sequence[Any], make: Callable[[Any], Made]) -> None:
        self._things, self._make = things, make

    def __len__(self) -> int:
        return len(self._things)

    def __iter__(self) -> Iterator[Made]:
        return map(self._make, self._things)

    @overload
    def __getitem__(self, index: int) -> Made: ...
    @overload
    def __getitem__(self, index: slice) -> Lazily[Made]: ...
    def __getitem__(self, index: int | slice) -> Made | Lazily[Made]:
        things = self._things[index]
        return Lazily(things, self._make) if isinstance(index, slice) else self._make(things)
