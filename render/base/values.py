"""Values of which some fields say where they come from, and do not count when two are compared."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct


class PartlyCompared(Struct, frozen=True):
    """A frozen value that equals another of its type if all fields do but those that are `uncompared`.

    Nor are these shown where it is printed for a developer.
    """

    uncompared: ClassVar[frozenset[str]] = frozenset()

    def _compared(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__struct_fields__ if name not in self.uncompared)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PartlyCompared) or type(other) is not type(self):
            return NotImplemented
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash(self._compared())

    def __repr__(self) -> str:
        names = (name for name in self.__struct_fields__ if name not in self.uncompared)
        shown = zip(names, self._compared(), strict=True)
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in shown)})"
