"""Whether the outputs that were made are still there, byte for byte."""

from __future__ import annotations

from pathlib import Path

from render.incremental.state import manifest
from render.incremental.state.inputs import sha256_of_output


def troubles(folder: Path) -> tuple[int, list[str]] | None:
    """Return how many files were made, and words about those that changed; None if nothing was built there."""
    known = manifest.read(folder).files
    if not known:
        return None
    found = []
    for name, digest in sorted(known.items()):
        now = sha256_of_output(folder, name)
        if not now:
            found.append(f"`{folder / name}` is missing")
        elif now != digest:
            found.append(f"`{folder / name}` was changed after the build")
    return len(known), found
