"""Keep freed memory in the process, where glibc would return it to the system at once.

A card's picture is larger than what glibc (2.36) keeps, so each one was returned to the system, and the next one
fetched from it anew, page by page.
"""

from __future__ import annotations

import sys

# Numbers of parameters, from glibc's malloc.h.
_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3

_KEPT = 2**30  # bytes of free memory to keep
_LARGEST = 2**25  # bytes: glibc's maximum; larger blocks are still mapped one by one


def keep_freed_memory() -> None:
    """Let this process keep up to 1 GiB of freed memory; does nothing without glibc."""
    if sys.platform != "linux":
        return
    import ctypes

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_TRIM_THRESHOLD, _KEPT)
        mallopt(_M_MMAP_THRESHOLD, _LARGEST)
