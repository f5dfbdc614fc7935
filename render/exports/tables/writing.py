"""Writing the files of a table into a folder, where those of an earlier run that are no longer part of it are removed.

Names of pictures change with what they show, so that a run would leave the picture of each card that changed. What it
wrote stands in a file beside the others; nothing is removed that this does not name, or that somebody has changed since.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path

from msgspec import convert

from render.base.files import remove_empty_folder, remove_file, replace_file
from render.base.progress import in_stage
from render.base.reach import read_bounded
from render.exports.tables.formats import Part

RECORD = ".kotc-table.json"
_LARGEST = 100_000_000  # bytes

Written = dict[str, dict[str, str]]
"""The SHA-256 of files by their names, for each table by what it is called."""


def write_part(part: Part, folder: Path, below: Path | None) -> None:
    """Write the files of a table, and if it has a name, remove those that only the earlier one of that name had. OSError.

    `below` is as in `render.base.files`.
    """
    files: dict[str, str] = {}
    # The last one refers to the others, so it never names a missing one.
    for name, draw in in_stage("draw", "files", part.files.items()):
        data = draw()
        replace_file(folder / name, data, below)
        files[name] = hashlib.sha256(data).hexdigest()
    if not part.name:
        return
    before, key = _written(folder), f"{[*files][-1]} of {part.name}"
    after = {**before, key: files}
    kept = {name for names in after.values() for name in names}
    for name, digest in before.get(key, {}).items():
        if name not in kept:
            _remove(folder, name, digest, below or folder)
    replace_file(folder / RECORD, f"{json.dumps(after, indent=0)}\n".encode(), below)


def _written(folder: Path) -> Written:
    """Return what earlier runs wrote; what nobody can read counts as nothing."""
    with suppress(ValueError, RecursionError):
        return convert(json.loads(read_bounded(folder / RECORD, _LARGEST) or b"{}"), Written)
    return {}


def _remove(folder: Path, name: str, digest: str, below: Path) -> None:
    """Remove a file that still has its digest; a name that leads elsewhere, in a record that somebody wrote, is passed over."""
    if any(part in ("", ".", "..") for part in name.split("/")) or {*name} & {*"\\:\0"}:
        return
    data = read_bounded(folder / name, _LARGEST, below)
    if data is not None and hashlib.sha256(data).hexdigest() == digest:
        remove_file(folder / name, below)
        if "/" in name:
            remove_empty_folder((folder / name).parent, below)
