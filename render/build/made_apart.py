"""What `png`, `pdf` and `shop` wrote where a build writes, too: a build may write over it as long as nobody changed it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from render.base.files import replace_file
from render.build.inputs import file_stamp
from render.build.manifest import UNREADABLE, Stamp, dump_json, parse_json, read_beside

FILE = ".kotc.made.json"


class _Made(Struct):
    """The stamps of files when they were made, by their names from the folder on, with `/`."""

    files: dict[str, Stamp]


def note_made(folder: Path, files: Iterable[Path], below: Path) -> None:
    """Note files that were made in a set's folder of outputs; `below` is as in `base/files`. OSError."""
    stamps = {file.relative_to(folder).as_posix(): file_stamp(file) for file in files}
    made = {name: stamp for name, stamp in stamps.items() if stamp}  # others could not be made
    if made:
        replace_file(folder / FILE, dump_json(_Made({**_unchanged(folder), **made})), below)


def made_apart(folder: Path) -> frozenset[str]:
    """Return the names of the files that were noted and have not changed since."""
    return frozenset(_unchanged(folder))


def _unchanged(folder: Path) -> dict[str, Stamp]:
    with suppress(*UNREADABLE):
        noted = parse_json(read_beside(folder / FILE), _Made).files
        return {name: stamp for name, stamp in noted.items() if stamp and file_stamp(folder / name) == stamp}
    return {}
