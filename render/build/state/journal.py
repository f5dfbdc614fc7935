"""The journal of a running build: which files are being made, their digests, and which are done.

A line counts only if it is whole, whoever wrote it: processes that draw note a file themselves before it gets its name.
So whatever stops a build, what it wrote is known by its digest.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from render.base.files import remove_file, replace_file
from render.base.reach import open_folder
from render.build.state.sealed_values import read_beside, sealed_line, sealed_lines

JOURNAL = ".kotc.journal"

_APPENDING = os.O_WRONLY | os.O_APPEND  # POSIX, write(): what several processes append does not mix


@dataclass(frozen=True, slots=True)
class Note:
    """Notes in a folder's journal that a file with this digest is about to get the name of an output."""

    folder: Path
    name: str

    def __call__(self, digest: str) -> None:
        """Write the line; OSError."""
        with open_folder(self.folder, self.folder.parent) as folder:
            # Opened anew for each file: a process that draws may have been spawned, and then inherits no handle.
            handle = folder.open(JOURNAL, _APPENDING)
        try:
            _append(handle, {"writes": {self.name: digest}})
        finally:
            os.close(handle)


class Journal:
    """What a build notes while it runs."""

    def __init__(self, folder: Path, making: Iterable[str], read: Mapping[str, Sequence[str]]) -> None:
        """Begin a journal, or continue the existing one; OSError if it is not a file of ours."""
        self.folder = folder
        self._handle = _begun(folder)
        self._note({"making": sorted(making), "read": read})

    def writes(self, digests: Mapping[str, str]) -> None:
        """Note the digests of files that are about to get these names."""
        self._note({"writes": digests})

    def done(self, name: str, fields: Mapping[str, object]) -> None:
        """Note that the files of an output are written, and what to remember of it."""
        self._note({"name": name, **fields})

    def _note(self, what: Mapping[str, object]) -> None:
        _append(self._handle, what)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._handle)


def lines(folder: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the journal of a folder, line by line."""
    yield from sealed_lines(read_beside(folder / JOURNAL))


def is_there(folder: Path) -> bool:
    """Return whether a build was stopped in the folder."""
    return os.path.lexists(folder / JOURNAL)


def remove(folder: Path) -> None:
    """Remove the journal."""
    with suppress(FileNotFoundError):
        remove_file(folder / JOURNAL, folder.parent)


def _begun(folder: Path) -> int:
    """Return the journal, open for writing at its end.

    One with a second name (hard link) is first replaced by a copy.
    """
    file = folder / JOURNAL
    with open_folder(folder, folder.parent, made=True) as place:
        found = place.look(JOURNAL)
        # Appending would change a file that somebody knows by another name.
        if found and stat.S_ISREG(found.st_mode) and found.st_nlink > 1:
            replace_file(file, read_beside(file), folder.parent)
        handle = place.open(JOURNAL, _APPENDING | os.O_CREAT)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EEXIST, "not a file that can be written to", str(file))
    return handle


def _append(handle: int, what: Mapping[str, object]) -> None:
    line = sealed_line(what)
    # Python does not raise an error for it: the disk is full, and the line is cut off.
    if os.write(handle, line) < len(line):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), JOURNAL)
