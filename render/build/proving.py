"""Whether the outputs that were made are still there, byte for byte."""

from __future__ import annotations

from pathlib import Path

from render.build import manifest
from render.build.inputs import sha256


def troubles(folder: Path) -> tuple[int, list[str]] | None:
    """Return how many files were made, and what became of those that changed; nothing if nothing was built there."""
    known = manifest.read(folder).files
    if not known:
        return None
    found = []
    for name, digest in sorted(known.items()):
        file = folder / name
        if not file.is_file():
            found.append(f"`{file}` is lost")
        elif sha256(file) != digest:
            found.append(f"`{file}` is not as it was written")
    return len(known), found
