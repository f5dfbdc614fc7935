"""Pictures in the folder `art` of a set that nothing in the set names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from render.base.findings import Refused
from render.game.folder import SET_FILE, card_files
from render.source import reader
from render.source.nodes import Mapping, Node, Scalar, Sequence

ART = "art"
PICTURES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".svg", ".heic", ".heif", ".avif", ".gif", ".tif", ".tiff"})
"""The endings of pictures, also of kinds that are not read: people drop these into `art`, too."""

MAX_FILES = 5000  # in `art`: beyond, a folder is no folder of card pictures
MAX_TEMPLATE = 4 << 20  # bytes


def loose_pictures(folder: Path) -> list[str]:
    """Return the pictures in `art` of a set that neither a card nor `set.yaml` nor a template names, sorted.

    There are none if a file of the set cannot be read, since it may name any of them.
    """
    pictures = list(_pictures(folder / ART))
    if not pictures:
        return []
    named = _named(folder)
    if named is None:
        return []
    home = Path(os.path.realpath(folder))
    used = {os.path.normcase(os.path.realpath(home / name)) for name in named}
    loose = [each for each in pictures if os.path.normcase(os.path.realpath(each)) not in used]
    templates = list(_templates(folder)) if loose else []
    return [each.relative_to(folder).as_posix() for each in loose if not any(each.name in text for text in templates)]


def _pictures(art: Path) -> Iterator[Path]:
    """Yield the pictures in a folder and below, sorted, without hidden ones; none if there are too many files."""
    found, count = [], 0
    for place, folders, names in os.walk(art):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        count += len(names)
        if count > MAX_FILES:
            return
        found += [Path(place, name) for name in names if _is_picture(name)]
    yield from sorted(found)


def _is_picture(name: str) -> bool:
    return not name.startswith(".") and Path(name).suffix.lower() in PICTURES


def _named(folder: Path) -> set[str] | None:
    """Return all values in the files of a set that may be paths of pictures; None if a file cannot be read."""
    try:
        documents = [reader.read(file, folder) for file in (folder / SET_FILE, *card_files(folder))]
    except Refused:
        return None
    return {value for document in documents for value in _values(document.root) if "." in value and "\0" not in value}


def _values(node: Node) -> Iterator[str]:
    match node:
        case Scalar():
            yield node.value
        case Mapping():
            yield from _all_values(value for _, value in node.entries)
        case Sequence():
            yield from _all_values(node.items)


def _all_values(nodes: Iterable[Node]) -> Iterator[str]:
    for node in nodes:
        yield from _values(node)


def _templates(folder: Path) -> Iterator[str]:
    """Yield the texts of a set's templates, which may show pictures, too."""
    for place in (folder, folder / "templates"):
        for file in sorted(place.glob("*.svg")):
            if file.is_file() and file.stat().st_size <= MAX_TEMPLATE:
                yield file.read_text(encoding="utf-8", errors="replace")
