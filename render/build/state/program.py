"""The version of the program that builds: its own code and data, and the libraries that affect the bytes."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

from render.build.state.inputs import PACKAGE, file_stamp

_LIBRARIES = ("isal", "jinja2", "numpy", "pikepdf", "pillow", "reportlab", "resvg", "uharfbuzz")
_APART = ("__pycache__", "data")  # fonts, templates and editions in `data` are inputs of their own


def looks() -> str:
    """Return a digest of the stamps of the program's files, which changes only with an installation."""
    files = [(file, file_stamp(file)) for file in _files()]
    installed = [(entry, os.stat(entry).st_mtime_ns) for entry in sys.path if entry.endswith("-packages")]  # noqa: PTH116
    return hashlib.sha256(repr((files, installed, sys.version)).encode("utf-8")).hexdigest()


def version() -> str:
    """Return a digest of the program's code and data, and the versions of its libraries."""
    from importlib import metadata

    found = hashlib.sha256(sys.version.encode("utf-8"))
    for name in _LIBRARIES:
        try:
            found.update(f"{name} {metadata.version(name)}\n".encode())
        except metadata.PackageNotFoundError:
            found.update(f"{name} is not there\n".encode())
    for file in _files():
        found.update(f"{Path(file).relative_to(PACKAGE).as_posix()}\n".encode())
        found.update(Path(file).read_bytes())
    return found.hexdigest()


def _files() -> list[str]:
    """Return the paths of the files that decide what the program does, in order."""
    # With texts and one list: every build asks for hundreds of files, also if there is nothing else to do.
    found, folders = [], [str(PACKAGE)]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    if entry.name not in _APART:
                        folders.append(entry.path)
                elif not entry.name.endswith(".md"):
                    found.append(entry.path)
    return sorted(found)
