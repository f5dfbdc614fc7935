"""Caches: one bounded by bytes, and a way to empty those of `functools` in a process that runs for long (`watch`)."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import _lru_cache_wrapper  # it has no other name
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class BoundedCache(Generic[V]):
    """A cache that keeps the values used last, up to `most` bytes in all; `size` returns the bytes of one value."""

    def __init__(self, most: int, size: Callable[[V], int]) -> None:
        self._most, self._size = most, size
        self._kept: OrderedDict[Hashable, V] = OrderedDict()
        self._taken = 0
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        """Return the cached value of the key, or make it. Threads may make different values at the same time."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()
        with self._lock:
            if key not in self._kept:
                self._kept[key] = made
                self._taken += self._size(made)
            # The value just made stays unless it alone is too large: the loop drops the oldest first.
            while self._taken > self._most:
                self._taken -= self._size(self._kept.popitem(last=False)[1])
        return made


def clear_caches() -> None:
    """Empty every `functools` cache of this program, so that files are read again and memory is freed.

    The caches that are keyed by content and bounded stay: pictures, compiled templates, packed rows.
    """
    for name, module in list(sys.modules.items()):
        # A cached function imported elsewhere is the same object, so clearing it twice does no harm.
        if name.startswith("render."):
            for value in list(vars(module).values()):
                if isinstance(value, _lru_cache_wrapper):
                    value.cache_clear()
