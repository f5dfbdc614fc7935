"""The edition of the set in a folder, for commands that need no card of it."""

from __future__ import annotations

import re
from pathlib import Path

from render.base.findings import Refused
from render.game.folder import SET_FILE
from render.source.nodes import Mapping, Scalar
from render.source.reader import read

_EDITION = re.compile(r"[1-9][0-9]{0,2}")  # as card files may have it


def edition_of_folder(folder: Path) -> int | None:
    """Return the edition that the `set.yaml` of a folder gives; None without one, whatever else is wrong with it."""
    file = folder / SET_FILE
    try:
        root = read(file, folder).root if file.is_file() else None
    except Refused:
        return None
    values = {key.value: value for key, value in root.entries} if isinstance(root, Mapping) else {}
    node = values.get("edition")
    return int(node.value) if isinstance(node, Scalar) and _EDITION.fullmatch(node.value) else None
