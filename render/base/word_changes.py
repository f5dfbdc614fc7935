"""How values differ from earlier ones, and texts word by word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct


class Edit(NamedTuple):
    """Words that replace the characters `start` to before `end` of the original text, as few as possible."""

    start: int
    end: int
    new: str


_MOST_PAIRS = 100_000  # of words, spaces too: a card has a hundred or two
_WORD = r"[\w'’-]+|\s+|."


def edits_between(before: str, after: str, start: int = 0) -> Iterator[Edit]:
    """Yield the differences between words before and after; a line break between words that stay also stays.

    The words before begin at the character `start` of the original text.
    """
    old, new = re.findall(_WORD, before), re.findall(_WORD, after)
    at = [start]
    for word in old:
        at.append(at[-1] + len(word))
    from difflib import SequenceMatcher

    # Frequent words of long texts are passed over, as a word that stands there a thousand times would take minutes. The
    # last block is always empty and at the end, so that a difference at the end is yielded as well.
    same = SequenceMatcher(None, old, new, autojunk=len(old) * len(new) > _MOST_PAIRS).get_matching_blocks()
    done = (0, 0)
    for block in same:
        if (block.a, block.b) != done:
            yield Edit(at[done[0]], at[block.a], "".join(new[done[1] : block.b]))
        done = (block.a + block.size, block.b + block.size)


def mark_changes(text: str, edits: Iterable[Edit]) -> list[tuple[str, str]]:
    """Return a text with the words that edits add ("new") and remove ("old"), from left to right; "" marks the others.

    Old words stand before the new ones; changes with only a space between them are joined.
    """
    marked: list[tuple[str, str]] = []
    at = 0
    for edit in _joined(text, edits):
        marked += [(text[at : edit.start], ""), (text[edit.start : edit.end], "old"), (edit.new, "new")]
        at = edit.end
    return [(words, mark) for words, mark in (*marked, (text[at:], "")) if words]


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


class ValueChange(Struct, frozen=True):
    """A value that was `old` and is `new`, "" for none; of texts, `runs` are the words with marks (`mark_changes`)."""

    key: str
    old: str
    new: str
    runs: tuple[tuple[str, str], ...] = ()

    @property
    def label(self) -> str:
        """The key as people read it."""
        return self.key.replace("_", " ")


def value_changes(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[ValueChange]:
    """Yield the values, by their keys, that are not the same."""
    for key in {**new, **old}:
        was, now = old.get(key, ""), new.get(key, "")
        if was != now:
            is_text = bool(was and now) and (" " in was.strip() or " " in now.strip())
            yield ValueChange(key, was, now, tuple(mark_changes(was, edits_between(was, now))) if is_text else ())
