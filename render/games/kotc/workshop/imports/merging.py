"""What an import changes in a card that is there already: only what its file says otherwise than at the last import.

A person may have changed, added or removed keys since. Such a key stays as the person left it. It is known by what the
last import wrote; where that is not remembered, every key counts as the person's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from render.games.kotc.workshop.imports.imported import ORDER, Value

Values = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class KeptByHand:
    """A key that a person changed, and whose file says something new: what the card has, and what the file says."""

    key: str
    card: Value | None
    file: Value | None


@dataclass(frozen=True, slots=True)
class Merged:
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
