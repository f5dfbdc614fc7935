"""Memory that is freed is kept for what comes next, where the C library would give it back at once.

A picture of a card has more bytes than glibc (2.36) keeps of what is freed. So each was given back to the system, and
the next one was got from it anew, page by page.
"""

from __future__ import annotations

import sys

# malloc.h
_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3

_KEPT = 2**30  # bytes
_LARGEST = 2**25  # bytes: glibc takes no more; what is larger is still asked for by itself


def keep_freed_memory() -> None:
    """Let this process keep up to 1 GiB that it does not need any more; without effect where there is no glibc."""
    if sys.platform != "linux":
        return
    import ctypes  # noqa: PLC0415 - few processes draw

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_TRIM_THRESHOLD, _KEPT)
        mallopt(_M_MMAP_THRESHOLD, _LARGEST)
