"""A migration's effect on files: the difference that people see, and writing all of them or none."""

from __future__ import annotations

import difflib
import errno
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from render.base.files import replace_files
from render.base.findings import Diagnostic, Refused, Span, printable
from render.base.limits import YAML_FILE
from render.base.reach import read_bounded
from render.game.folder import SET_FILE


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file with its text before and after, including byte order mark and line ends."""

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


def write_all(changes: Iterable[FileChange]) -> None:
    """Write all files or none. OSError and Refused leave every file as it was.

    Refused if a file changed since it was read. The files of sets come last: a card may take its edition from there, so
    if the process is killed on the way, no card seems migrated that is not.
    """
    in_order = sorted(changes, key=lambda change: change.file.name == SET_FILE)
    replace_files((change.file, partial(_checked, change)) for change in in_order)


def _checked(change: FileChange) -> bytes:
    """Return the new content of a file that has not changed and may be written."""
    if read_bounded(change.file, YAML_FILE.most) != change.before.encode("utf-8"):
        message = f"`{change.file}` was changed while it was migrated"
        raise Refused([Diagnostic("K010", message, "save it and migrate again").at(Span(file=change.file))])
    if not change.file.stat().st_mode & 0o222:  # replacing needs no such right, but the author asked for protection
        raise PermissionError(errno.EACCES, "the file is read-only", str(change.file))
    return change.after.encode("utf-8")
