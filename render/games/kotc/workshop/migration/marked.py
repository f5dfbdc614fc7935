"""A text with replaced words as one text to read: old words, new words and those that stay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from render.games.kotc.legality.rewording import Edit


class Marking(Enum):
    """Whether words stay, were removed or were added."""

    SAME = ""
    OLD = "old"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Run:
    """Words of a text with the same mark."""

    text: str
    mark: Marking


def runs(text: str, edits: Iterable[Edit]) -> tuple[Run, ...]:
    """Return a text with the words that edits add and remove, from left to right.

    Old words stand before the new ones; changes with only a space between them are joined.
    """
    found: list[Run] = []
    at = 0
    for edit in _joined(text, edits):
        found += [
            Run(text[at : edit.start], Marking.SAME),
            Run(text[edit.start : edit.end], Marking.OLD),
            Run(edit.new, Marking.NEW),
        ]
        at = edit.end
    return tuple(run for run in (*found, Run(text[at:], Marking.SAME)) if run.text)


def _joined(text: str, edits: Iterable[Edit]) -> Iterator[Edit]:
    last: Edit | None = None
    for edit in edits:
        between = text[last.end : edit.start] if last else "."
        if last and not between.strip():
            last = Edit(last.start, edit.end, last.new + between + edit.new)
            continue
        if last:
            yield last
        last = edit
    if last:
        yield last
