"""Caches: every one of the program is registered here, to be listed and emptied; and one bounded by its size.

A process that runs for long (`watch`) empties those that may be stale.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper  # it has no other name

V = TypeVar("V")


class Store(Protocol):
    """What keeps values at the level of a module: a BoundedCache, or a dictionary."""

    def __len__(self) -> int: ...

    def clear(self) -> None: ...


S = TypeVar("S", bound=Store)


@dataclass(frozen=True, slots=True)
class Cache:
    """A registered cache: the module and the name of what it keeps, how many values there are, and how to empty it.

    One that is keyed `by_content` is never stale.
    """

    name: str
    count: Callable[[], int]
    clear: Callable[[], None]
    by_content: bool


_REGISTERED: dict[str, Cache] = {}


def caches() -> tuple[Cache, ...]:
    """Return every cache of the modules that are loaded, in the order of their names."""
    return tuple(_REGISTERED[name] for name in sorted(_REGISTERED))


def clear_caches() -> None:
    """Empty every cache that may be stale, so that files are read again and memory is freed.

    The caches that are keyed by content and bounded stay: pictures, compiled templates, packed rows.
    """
    for cache in caches():
        if not cache.by_content:
            cache.clear()


def cached(most: int | None) -> Callable[[Callable[..., V]], _lru_cache_wrapper[V]]:
    """Decorate a function whose results are kept by its arguments: the last `most` of them, or all (None)."""

    def register(function: Callable[..., V]) -> _lru_cache_wrapper[V]:
        kept = functools.lru_cache(maxsize=most)(function)
        name = f"{function.__module__}.{function.__qualname__}"
        _REGISTERED[name] = Cache(name, lambda: kept.cache_info().currsize, kept.cache_clear, by_content=False)
        return kept

    return register


def stored(name: str, store: S) -> S:
    """Register a store whose keys are the content that its values are made of; `name` begins with its module."""
    _REGISTERED[name] = Cache(name, store.__len__, store.clear, by_content=True)
    return store


class BoundedCache(Generic[V]):
    """A cache that keeps the values used last, up to `most` in all of whatever `size` counts of one value."""

    def __init__(self, most: int, size: Callable[[V], int]) -> None:
        self._most, self._size = most, size
        self._kept: OrderedDict[Hashable, V] = OrderedDict()
        self._taken = 0
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def clear(self) -> None:
        """Drop all values."""
        with self._lock:
            self._kept.clear()
            self._taken = 0

    def find(self, key: Hashable) -> V | None:
        """Return the cached value of the key, if there is one."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        """Return the cached value of the key, or make it. Threads may make different values at the same time."""
        known = self.find(key)
        if known is not None:
            return known
        return self.put(key, make())

    def put(self, key: Hashable, made: V) -> V:
        """Keep a value, and return it; another one of the same key stays, and is returned."""
        with self._lock:
            if key in self._kept:
                return self._kept[key]
            self._kept[key] = made
            self._taken += self._size(made)
            # The value just made stays unless it alone is too large: the loop drops the oldest first.
            while self._taken > self._most:
                self._taken -= self._size(self._kept.popitem(last=False)[1])
        return made
