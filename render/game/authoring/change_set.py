"""Files that one command changes together: worked out first, shown as a difference, written all or none."""

from __future__ import annotations

import difflib
import errno
import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct

from render.base.files import ChangedMeanwhile, replace_files
from render.base.findings import Diagnostic, Refused, Span, printable
from render.base.patterns import regex
from render.base.reach import LinkError
from render.game.folder import SET_FILE, is_deck

OtherFile = tuple[Path, Callable[[], bytes]]
"""A file that is no card file, a picture for example, and what makes its bytes when its turn comes."""


class FileChange(Struct, frozen=True):
    """A file with its text before and after, including byte order mark and line ends; a new file was empty."""

    file: Path
    before: str
    after: str


class FileChanged(Refused):
    """A file was changed since it was read."""


def joined(changes: Iterable[FileChange]) -> list[FileChange]:
    """Return the changes with one for each file that is another in the end, in the order of their first ones."""
    by_file: dict[Path, FileChange] = {}
    for change in changes:
        before = by_file.get(change.file, change).before
        by_file[change.file] = FileChange(change.file, before, change.after)
    return [change for change in by_file.values() if change.before != change.after]


_LINE = regex(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


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


def write_all(
    changes: Iterable[FileChange],
    *,
    pictures: Iterable[OtherFile] = (),
    memory: FileChange | None = None,
    below: Path | None = None,
) -> None:
    """Write all files or none. OSError and FileChanged leave every file as it was.

    FileChanged if one of the changes is to a file that says something else by now. If the process is killed on the
    way, running the command again does the rest: pictures come before the cards that show them, the files of sets
    behind those of their cards, which may take their edition from there, then decks, and last what the next run must
    know of this one. `below` is as in `replace_files`.
    """
    in_order = sorted(changes, key=lambda change: (is_deck(change.file), change.file.name == SET_FILE))
    in_order += [memory] if memory else []
    # Replacing needs no such right, but the author asked for protection.
    there = [change.file for change in in_order if change.before or os.path.lexists(change.file)]
    for file in there:
        if file.is_symlink():
            raise LinkError(file, "put the file itself in its place")
    if closed := [file for file in there if not file.stat().st_mode & 0o222]:
        raise PermissionError(
            errno.EACCES, f"the file is read-only: nothing was written; {_opening(closed)}", str(closed[0])
        )
    texts = ((change.file, partial(change.after.encode, "utf-8")) for change in in_order)
    held = {change.file: change.before.encode("utf-8") for change in in_order}
    try:
        replace_files([*pictures, *texts], below, held)
    except ChangedMeanwhile as changed:
        message = f"`{changed.filename}` was changed meanwhile"
        place = Span(file=Path(changed.filename))
        raise FileChanged([Diagnostic("K010", message, "run the command again").at(place)]) from None


def _opening(files: Sequence[Path]) -> str:
    """Return what to do about files that are read-only."""
    names = " ".join(shlex.quote(str(file)) for file in files)
    way = f"`chmod u+w {names}`" if os.name == "posix" else f"take that mark off {names}"
    away = ", or move the deck into a folder elsewhere to leave it as it is" if is_deck(files[0]) else ""
    return f"let it change with {way}, and run the command again{away}"
