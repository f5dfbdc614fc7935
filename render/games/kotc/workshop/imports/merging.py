"""What an import changes in a card that is there already: only what its file says otherwise than at the last import.

A person may have changed, added or removed keys since. Such a key stays as the person left it. It is known by what the
last import wrote; where that is not remembered, every key counts as the person's.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from render.base.findings import Diagnostic, Refused, Span
from render.base.patterns import regex
from render.base.reach import read_bounded
from render.games.kotc.workshop.imports.imported import ORDER, Value

Values = Mapping[str, Value]


class KeptByHand(Struct, frozen=True):
    """A key that a person changed, and whose file says something new: what the card has, and what the file says."""

    key: str
    card: Value | None
    file: Value | None


class Merged(Struct, frozen=True):
    """The changes to make to a card, and the keys that stay although the file says something new."""

    changes: dict[str, Value | None]
    kept: tuple[KeptByHand, ...]


def merge(card: Values, last: Values, new: Values, of_set: Values) -> Merged:
    """Return what becomes of a card with the values `card` when its file, which said `last`, says `new`.

    `of_set` has the values of keys that a card takes from its set if it does not have them.
    """
    changes: dict[str, Value | None] = {}
    kept = []
    for key in ORDER:
        said, before = new.get(key), last.get(key)
        has = card.get(key, of_set.get(key))
        if said in (before, has):
            continue
        if has == before:
            changes[key] = said
        else:
            kept.append(KeptByHand(key, has, said))
    return Merged(changes, tuple(kept))


# --- what the last import wrote, by the ids of cards: a small file in the folder of the set --------------------------

MEMORY_FILE = ".kotc-import.json"
_LARGEST = 16 << 20  # bytes: ten thousand cards
_FORMAT = 1
_HALVES = regex("[\ud800-\udfff]")


class Remembered(Struct, frozen=True, kw_only=True):
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


def recall(folder: Path) -> tuple[Memory, str]:
    """Return what the last import into a folder wrote, and the text of its file; Refused if that is damaged."""
    file = folder / MEMORY_FILE
    if not file.exists():
        return {}, ""
    held = read_bounded(file, _LARGEST, folder)
    try:
        text = (held or b"").decode("utf-8")
        return {card: _remembered(entry) for card, entry in json.loads(text)["cards"].items()}, text
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


def written(memory: Memory) -> str:
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
    text = json.dumps({"format": _FORMAT, "cards": cards}, ensure_ascii=False, indent=1)
    # A name of a file that is not UTF-8 holds halves of characters, which JSON can only escape.
    return _HALVES.sub(lambda half: f"\\u{ord(half[0]):04x}", f"{text}\n")
