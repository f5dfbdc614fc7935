"""What a migration does to files: the difference that people are shown, and writing all of them or none."""

from __future__ import annotations

import difflib
import errno
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from render.diag import Diagnostic, Refused, Span, printable


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file with its text before and after, byte order mark and line ends as they are."""

    file: Path
    before: str
    after: str


_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


def unified_diff(changes: Iterable[FileChange]) -> str:
    """Return the changes as a unified diff; line ends are shown as `\\n`."""
    return "".join(line for change in changes for line in _diff(change))


def _diff(change: FileChange) -> Iterator[str]:
    before, after = (_LINE.findall(text) for text in (change.before, change.after))
    name = change.file.as_posix().lstrip("/")
    for line in difflib.unified_diff(before, after, f"a/{name}", f"b/{name}"):
        words = line.rstrip("\r\n")
        yield f"{printable(words)}\n"
        if words == line:
            yield "\\ No newline at end of file\n"


def write_all(changes: Sequence[FileChange]) -> None:
    """Write all files or none. OSError and Refused leave every file as it was.

    Refused if a file is not any more what it was when it was read. The new texts go to files beside the old ones,
    which then take their names one by one; should one of them not succeed, the old ones get their names back.
    """
    replacing = [_Replacing(change) for change in changes]
    try:
        for each in replacing:
            each.prepare()
        for each in replacing:
            each.replace()
    except BaseException:
        for each in replacing:
            each.restore()
        raise
    finally:
        for each in replacing:
            each.tidy()


class _Replacing:
    """One file on its way: its new text and a second name of the old one lie beside it."""

    def __init__(self, change: FileChange) -> None:
        self.change = change
        self.file = change.file.resolve()  # a link stays a link
        self.new: Path | None = None
        self.old: Path | None = None
        self.replaced = False

    def prepare(self) -> None:
        before = self.file.read_bytes()
        if before != self.change.before.encode("utf-8"):
            message = f"`{self.change.file}` was changed while it was migrated"
            raise Refused([Diagnostic("K010", message, Span(self.change.file), "save it and migrate again")])
        mode = self.file.stat().st_mode & 0o7777
        if not mode & 0o222:  # replacing asks nothing of the file itself, but its author does
            raise PermissionError(errno.EACCES, "the file is read-only", str(self.change.file))
        self.old = self._beside(before, mode)
        self.new = self._beside(self.change.after.encode("utf-8"), mode)

    def replace(self) -> None:
        assert self.new is not None, "prepared before"
        self.new.replace(self.file)
        self.replaced = True

    def restore(self) -> None:
        """Give the old file its name back; whatever fails here is not to hide what failed before."""
        if self.replaced and self.old is not None:
            with suppress(OSError):
                self.old.replace(self.file)

    def tidy(self) -> None:
        for file in (self.new, self.old):
            if file is not None:
                with suppress(OSError):
                    file.unlink(missing_ok=True)

    def _beside(self, content: bytes, mode: int) -> Path:
        """Write a file beside this one, hidden, with its mode, and flush it to the disk."""
        handle, name = tempfile.mkstemp(prefix=f".{self.file.name}.", suffix=".part", dir=self.file.parent)
        file = Path(name)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            file.chmod(mode)
        except BaseException:
            with suppress(OSError):
                file.unlink()
            raise
        return file
