"""What a process remembers: results by arguments, and values by content, bounded by size.

A process that runs for long (`watch`) forgets what may be stale. What outlives a process is in a `Memory`.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, Protocol, TypeVar

from render.base.memory import return_freed_memory

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper  # it has no other name

P = ParamSpec("P")
V = TypeVar("V")
S = TypeVar("S", bound="BoundedCache[Any] | dict[Any, Any]")

_BY_ARGUMENTS: list[Callable[[], None]] = []
_BY_CONTENT: list[BoundedCache[Any] | dict[Any, Any]] = []


def clear_caches(*, by_content: bool = False) -> None:
    """Forget all that may be stale, so that files are read again, and return freed memory to the system.

    What is keyed by content and bounded stays unless it is asked for: pictures, compiled templates, packed rows.
    """
    for clear in _BY_ARGUMENTS:
        clear()
    for store in _BY_CONTENT if by_content else ():
        store.clear()
    return_freed_memory()


def cached(most: int | None) -> Callable[[Callable[..., V]], _lru_cache_wrapper[V]]:
    """Decorate a function whose results are kept by its arguments: the last `most` of them, or all (None)."""

    def decorate(function: Callable[..., V]) -> _lru_cache_wrapper[V]:
        cache = functools.lru_cache(maxsize=most)(function)
        _BY_ARGUMENTS.append(cache.cache_clear)
        return cache

    return decorate


from_text: Callable[[Any, str], Any] = cached(4096)(lambda kind, text: kind(text))
"""Returns a value such as a path of its text, for msgspec's `dec_hook`: cards share pictures, and paths are slow to make."""


def cached_texts(most: int) -> Callable[[Callable[P, V]], Callable[P, V]]:
    """Decorate a function whose first argument is a text: results are kept for the last texts, of `most` characters in all."""

    def decorate(function: Callable[P, V]) -> Callable[P, V]:
        cache: BoundedCache[tuple[int, V]] = BoundedCache(most, lambda kept: kept[0])
        _BY_ARGUMENTS.append(cache.clear)

        @functools.wraps(function)
        def remembered(*given: P.args, **named: P.kwargs) -> V:
            return cache.get(given, lambda: (len(given[0]), function(*given, **named)))[1]  # type: ignore[arg-type] # a text

        return remembered

    return decorate


def stored(store: S) -> S:
    """Say that the keys of a store are the content that its values are made of, so that they are never stale."""
    _BY_CONTENT.append(store)
    return store


class Memory(Protocol):
    """Keeps bytes by keys from one run of the program to the next, and may forget them."""

    def find(self, keys: Collection[bytes]) -> Mapping[bytes, bytes]:
        """Return what is kept by these keys."""

    def keep(self, rows: Mapping[bytes, bytes]) -> object:
        """Keep bytes by their keys."""


class BoundedCache(Generic[V]):
    """A cache that keeps the values used last, up to `most` in all of whatever `size` counts of one value.

    With `usual`, it keeps no more than that in all, or the last `few` values if these are larger.
    """

    def __init__(self, most: int, size: Callable[[V], int], usual: int | None = None, few: int = 4) -> None:
        self._most, self._size, self._usual, self._few = most, size, most if usual is None else usual, few
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
            while self._taken > (self._usual if len(self._kept) > self._few else self._most):
                self._taken -= self._size(self._kept.popitem(last=False)[1])
        return made
