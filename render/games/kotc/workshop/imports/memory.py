"""What the last import wrote, by the ids of cards: a small file in the folder of the set, to be kept with it.

It tells what a person has changed since. Without it nothing is lost: every key then counts as a person's.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from render.base.findings import Diagnostic, Refused, Span
from render.base.reach import read_bounded
from render.games.kotc.workshop.imports.imported import ORDER, Value

FILE = ".kotc-import.json"
_LARGEST = 16 << 20  # bytes: ten thousand cards
_FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What the last import wrote for a card: the values that its file gave, and the digest of its picture.

    `source` is the name of the imported file, `file` that of the card file. `complete` tells that the imported file
    said all of the card.
    """

    source: str
    file: str
    values: Mapping[str, Value]
    picture: str
    complete: bool = True


Memory = dict[str, Remembered]
"""What is remembered, by the ids of cards."""


def digest(data: bytes) -> str:
    """Return what a picture is remembered by."""
    return hashlib.sha256(data).hexdigest()


def recall(folder: Path) -> Memory:
    """Return what the last import into a folder wrote; Refused if its file is damaged."""
    file = folder / FILE
    if not file.exists():
        return {}
    held = read_bounded(file, _LARGEST, folder)
    try:
        said = json.loads(held or b"")
        return {card: _remembered(entry) for card, entry in said["cards"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        message = f"`{file}`, which tells what earlier imports wrote, cannot be read"
        hint = "restore it, or delete it: every key of a card then counts as changed by hand"
        raise Refused([Diagnostic("X016", message, hint).at(Span(file=file))]) from None


def _remembered(entry: Mapping[str, object]) -> Remembered:
    source, file, picture, values = (entry[key] for key in ("from", "file", "picture", "values"))
    if not (
        isinstance(source, str) and isinstance(file, str) and isinstance(picture, str) and isinstance(values, dict)
    ):
        raise TypeError
    said = {key: _value(values[key]) for key in values if key in ORDER}
    return Remembered(source=source, file=file, values=said, picture=picture, complete=entry["complete"] is True)


def _value(value: object) -> Value:
    match value:
        case str():
            return value
        case dict() if all(isinstance(each, str) for pair in value.items() for each in pair):
            return value
    raise TypeError


def written(memory: Memory) -> bytes:
    """Return the file of what is remembered."""
    cards = {
        card: {
            "from": entry.source,
            "file": entry.file,
            "complete": entry.complete,
            "picture": entry.picture,
            "values": {**entry.values},
        }
        for card, entry in sorted(memory.items())
    }
    return f"{json.dumps({'format': _FORMAT, 'cards': cards}, ensure_ascii=False, indent=1)}\n".encode()
