"""A text of which words were replaced, as one text to read: old words, new words and those that stay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from render.games.kotc.legality.rewording import Edit


class Marking(Enum):
    """Whether words stay, went or came."""

    SAME = ""
    OLD = "old"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Run:
    """Words of a text that have the same mark."""

    text: str
    mark: Marking


def runs(text: str, edits: Iterable[Edit]) -> tuple[Run, ...]:
    """Return a text with the words that are put in and taken out by edits, from left to right.

    Old words stand before the new ones in their place; changes with nothing but a space between them are one.
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
