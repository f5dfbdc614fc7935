"""Texts that an editor has not saved: they lie over the files, and whoever reads these reads them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType

_UNSAVED: ContextVar[Mapping[str, str]] = ContextVar("unsaved", default=MappingProxyType({}))


@contextmanager
def with_unsaved(texts: Mapping[str, str]) -> Iterator[None]:
    """Let YAML files, in this thread and until the block ends, be read as if they held these texts.

    The keys are the real paths of the files, without links (`os.path.realpath`).
    """
    token = _UNSAVED.set(texts)
    try:
        yield
    finally:
        _UNSAVED.reset(token)


def unsaved_content(file: Path) -> bytes | None:
    """Return the bytes that lie over a file; None without any."""
    texts = _UNSAVED.get()
    text = texts.get(os.path.realpath(file)) if texts else None
    return None if text is None else text.encode("utf-8", "surrogatepass")
