"""What the lack of memory looks like, which Python, the system and the loader of libraries say in words of their own."""

from __future__ import annotations

_WORDS = ("cannot allocate memory", "failed to map segment from shared object")  # errno's, and glibc's loader's


def lacks_memory(error: BaseException | None) -> bool:
    """Return whether there was no memory: for this error, or for the one that it came from."""
    if error is None:
        return False
    said = isinstance(error, MemoryError) or any(words in str(error).lower() for words in _WORDS)
    return said or lacks_memory(error.__cause__ or error.__context__)
