"""What our modules remember from one call to the next, for a process that lives longer than what that came from."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import _lru_cache_wrapper  # it has no other name
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class BoundedCache(Generic[V]):
    """What was used last, as far as it fits into `most` bytes; `size` returns how many a value takes."""

    def __init__(self, most: int, size: Callable[[V], int]) -> None:
        self._most, self._size = most, size
        self._kept: OrderedDict[Hashable, V] = OrderedDict()
        self._taken = 0
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        """Return what is kept by the key, or make it; threads make different things at the same time."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()
        with self._lock:
            if key not in self._kept:
                self._kept[key] = made
                self._taken += self._size(made)
            while self._taken > self._most:
                self._taken -= self._size(self._kept.popitem(last=False)[1])
        return made


def clear_caches() -> None:
    """Empty every cache of `functools` in our modules: fonts, rules and shapes are looked at anew, and memory is free.

    What is kept by its content, within bounds, stays: pictures, compiled templates, packed rows.
    """
    for name, module in list(sys.modules.items()):
        if name.startswith("render."):
            for value in list(vars(module).values()):
                if isinstance(value, _lru_cache_wrapper):
                    value.cache_clear()
