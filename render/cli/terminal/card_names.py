"""Ids and names of cards, read quickly for a shell that waits: lines are searched, and no YAML is read.

A file that is just being written, with mistakes in it, gives its cards all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

_QUOTED = r"\"[^\"\n]*\"|'[^'\n]*'"
_BLOCK = re.compile(rf"^(?:- +|(?P<indent> *))(id|name): *({_QUOTED}|(?:(?! #).)*)", re.MULTILINE)
_FLOW = re.compile(rf"[{{,] *(id|name): *({_QUOTED}|[^,}}\n]*)")
_MAX_FILE = 1 << 20  # bytes: a larger card file is refused where it is read


def cards_of(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Yield id and name of the cards of sets, whose folders, files or parents the paths are; "" for a missing name."""
    from render.game.ids import slug

    for file in _files(paths):
        try:
            text = file.read_bytes()[:_MAX_FILE].decode("utf-8", "replace")
        except OSError:
            continue
        for block in _blocks(text):
            found = dict(_keys(block))
            name = found.get("name", "")
            if found:
                yield found.get("id") or slug(name), name


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    from render.game.folder import find_sets

    for files in find_sets(paths)[0]:
        yield from files.cards


def _blocks(text: str) -> Iterator[str]:
    """Yield each card's lines: an entry of the list, or the whole file if it holds one card."""
    starts = [match.start() for match in re.finditer("^- ", text, re.MULTILINE)] or [0]
    yield from (text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True))


def _keys(block: str) -> Iterator[tuple[str, str]]:
    """Yield `id` and `name` of a card, and not those of what is nested in it."""
    first = block.split("\n", 1)[0]
    if "{" in first:
        found = _FLOW.findall(block)
    else:
        deep = re.match("(?:- +)?", block)
        indent = deep.end() if deep else 0
        found = [(each[2], each[3]) for each in _BLOCK.finditer(block) if len(each["indent"] or " " * indent) == indent]
    for key, value in reversed(found):  # the first of each key counts
        yield key, value.strip().strip("\"'")
