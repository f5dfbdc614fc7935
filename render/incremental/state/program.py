"""The version of the program that builds: its own code and data, and the libraries that affect the bytes."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from render.incremental.state.inputs import PACKAGE, file_stamp

_LIBRARIES = ("isal", "jinja2", "numpy", "pikepdf", "pillow", "reportlab", "resvg", "uharfbuzz")
_APART = ("__pycache__", "data")  # fonts, templates and editions in `data` are inputs of their own


def looks() -> str:
    """Return a digest of the stamps of the program's files, which changes only with an installation."""
    files = [(file, file_stamp(Path(file))) for file in _files(str(PACKAGE))]
    installed = [(entry, os.stat(entry).st_mtime_ns) for entry in sys.path if entry.endswith("-packages")]  # noqa: PTH116
    return hashlib.sha256(repr((files, installed, sys.version)).encode("utf-8")).hexdigest()


def version() -> str:
    """Return a digest of the program's code and data, and the versions of its libraries."""
    from importlib import metadata  # noqa: PLC0415 - seldom needed, and slow

    found = hashlib.sha256(sys.version.encode("utf-8"))
    for name in _LIBRARIES:
        try:
            found.update(f"{name} {metadata.version(name)}\n".encode())
        except metadata.PackageNotFoundError:
            found.update(f"{name} is not there\n".encode())
    for file in _files(str(PACKAGE)):
        found.update(f"{Path(file).relative_to(PACKAGE).as_posix()}\n".encode())
        found.update(Path(file).read_bytes())
    return found.hexdigest()


def _files(folder: str) -> Iterator[str]:
    """Yield the paths of the files that decide what the program does, in order."""
    with os.scandir(folder) as entries:
        found = sorted((entry.name, entry.is_dir()) for entry in entries)
    for name, is_folder in found:
        path = f"{folder}{os.sep}{name}"
        if is_folder and name not in _APART:
            yield from _files(path)
        elif not is_folder and not name.endswith(".md"):
            yield path
