"""Memory of this process: what the lack of it looks like, and whether what is freed goes back to the system."""

from __future__ import annotations

import sys
from collections.abc import Callable

# Python, the system and the loader of libraries say it in words of their own: errno's, and glibc's loader's.
_WORDS = ("cannot allocate memory", "failed to map segment from shared object")


def lacks_memory(error: BaseException | None) -> bool:
    """Return whether there was no memory: for this error, or for the one that it came from."""
    if error is None:
        return False
    said = isinstance(error, MemoryError) or any(words in str(error).lower() for words in _WORDS)
    return said or lacks_memory(error.__cause__ or error.__context__)


# Numbers of parameters, from glibc's malloc.h.
_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3
_M_ARENA_MAX = -8

_KEPT_FREE = 2**30  # bytes of free memory to keep
_LARGEST_BLOCK = 2**25  # bytes: glibc's maximum; larger blocks are still mapped one by one


def keep_freed_memory() -> None:
    """Let this process keep up to 1 GiB of freed memory; does nothing without glibc."""
    share_freed_memory()
    _set(_M_TRIM_THRESHOLD, _KEPT_FREE)
    _set(_M_MMAP_THRESHOLD, _LARGEST_BLOCK)


def share_freed_memory() -> None:
    """Let a thread that begins from now on take what others free, and none keep it for itself; nothing without glibc."""
    _set(_M_ARENA_MAX, 1)


def return_freed_memory() -> None:
    """Return what is free to the system; does nothing without glibc."""
    if trim := _of_glibc("malloc_trim"):
        trim(0)


def _set(parameter: int, value: int) -> None:
    if mallopt := _of_glibc("mallopt"):
        mallopt(parameter, value)


def _of_glibc(name: str) -> Callable[..., object] | None:
    if sys.platform != "linux":
        return None
    import ctypes

    return getattr(ctypes.CDLL(None), name, None)
