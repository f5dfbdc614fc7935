"""What was printed last: the manifest of then, kept beside that of the last build until something is printed again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from render.base.files import replace_file
from render.build.compare.baseline import UnusableError, of_file
from render.build.compare.diff import Baseline
from render.build.state import manifest, sealed_values

PRINTED = ".kotc.printed.json"


def mark_printed(folder: Path) -> bool:
    """Note that the outputs in a folder are printed; False if nothing, or only part of it, was built there. OSError."""
    data = sealed_values.read_beside(folder / manifest.MANIFEST)
    if not data or not manifest.read(folder).complete:
        return False
    replace_file(folder / PRINTED, data, folder.parent)
    return True


def since_print(folders: Mapping[Path, Path]) -> dict[Path, Baseline]:
    """Return what was printed last of sets and decks, by their origins, as are their folders of outputs.

    UnusableError if nothing is marked; Refused if a mark is damaged; OSError.
    """
    missing = next((folder for folder in folders.values() if not (folder / PRINTED).is_file()), None)
    if missing:
        message = f"nothing in `{missing}` is marked as printed: print its sheets"
        raise UnusableError(f"{message}, then say so with `kotc build --mark-printed`")
    return {origin: of_file(folder / PRINTED, "the last print") for origin, folder in folders.items()}
