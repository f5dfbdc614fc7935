"""Values of which some fields say where they come from, and do not count when two are compared."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import ClassVar

from msgspec import Struct

from render.base.caches import cached


class PartlyCompared(Struct, frozen=True):
    """A frozen value that equals another of its type if all fields do but those that are `uncompared`.

    Nor are these shown where it is printed for a developer.
    """

    uncompared: ClassVar[frozenset[str]] = frozenset()

    def _compared(self) -> tuple[object, ...]:
        return _looked_at(type(self))[1](self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PartlyCompared) or type(other) is not type(self):
            return NotImplemented
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash(self._compared())

    def __repr__(self) -> str:
        return _looked_at(type(self))[0] % self._compared()


@cached(None)
def _looked_at(of: type[PartlyCompared]) -> tuple[str, Callable[[object], tuple[object, ...]]]:
    """Return how a type is printed, with `%r` for each field that counts, and what gives these: two at least."""
    names = [name for name in of.__struct_fields__ if name not in of.uncompared]
    return f"{of.__name__}({', '.join(f'{name}=%r' for name in names)})", attrgetter(*names)
