"""Text in the columns of a terminal: how wide it is, how it wraps, and how a line is cut around the words that matter."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from msgspec import Struct

from render.base.patterns import regex

ELLIPSIS = "…"
"""Stands where a line was cut."""

_CONTEXT = 20  # columns before the words that stay where a line is cut
_MIN_CONTEXT = 2  # columns: the ellipsis, and a character to tell that it is not the beginning
_MIN_CUT = 3  # columns: an ellipsis for fewer would hide the beginning of a line for nothing
_JOINED_JAMO = range(0x1160, 0x1200)  # vowels and ends of Korean syllables, which are drawn into the first letter


class ShownPart(Struct, frozen=True):
    """What is shown of a line: `before` and `words` are the columns before the words that matter, and of these."""

    shown: str
    before: int
    words: int


def columns(text: str) -> int:
    """Return the width of the text on a terminal: wide East Asian characters take two columns, combining ones none."""
    return len(text) if text.isascii() else sum(map(_width, text))


def cut_around(line: str, start: int, end: int, width: int) -> ShownPart:
    """Return as much of the line as `width` columns show, with the characters from `start` to `end` in it.

    Words that are too wide themselves are cut at their end.
    """
    first, last = columns(line[:start]), columns(line[: max(start, end)])
    whole = columns(line)
    if whole <= width:
        return ShownPart(line, first, max(1, last - first))
    context = max(_MIN_CONTEXT, min(_CONTEXT, (width - (last - first)) // 2))
    left = max(0, min(first - context, whole - width))
    left = left if left > _MIN_CUT else 0
    cells = [cell for cell in _cells(line) if cell[0] >= left + (left > 0)]
    skipped = cells[0][0] - 1 if left else 0  # the ellipsis takes the column before the first cell that is kept
    cuts_end = whole - skipped > width
    room = skipped + width - cuts_end
    kept = [cell for cell in cells if cell[0] + columns(cell[1]) <= room]
    shown = f"{ELLIPSIS if left else ''}{''.join(text for _, text in kept)}{ELLIPSIS if cuts_end else ''}"
    before = first - skipped
    return ShownPart(shown, before, max(1, min(last - skipped, columns(shown)) - before))


_WORDS = regex(r"`[^`]*`\S*|\S+")  # what is in backticks is copied as a whole, so it stays on one line


def wrap(line: str, width: int | None, indent: str) -> list[str]:
    """Return the line broken between words to a width, if there is one; lines after the first have the indent.

    What is in backticks is one word, if it takes no more than half of the room.
    """
    if width is None or columns(line) <= width:
        return [line]
    indent = indent[: max(width // 4, 0)]
    lines, current, is_empty = [], line[: len(line) - len(line.lstrip(" "))], True
    for match in _WORDS.finditer(line):
        for word in [match[0]] if columns(match[0]) * 2 <= width - len(indent) else match[0].split(" "):
            if not is_empty and columns(current) + 1 + columns(word) > width:
                lines.append(current)
                current, is_empty = indent, True
            current += word if is_empty else f" {word}"
            is_empty = False
    return [*lines, current]


def _cells(line: str) -> Iterator[tuple[int, str]]:
    """Yield each character with the combining ones behind it, and the column where it begins."""
    column, cell = 0, ""
    for char in line:
        if cell and _width(char):
            yield column, cell
            column += columns(cell)
            cell = ""
        cell += char
    if cell:
        yield column, cell


def _width(char: str) -> int:
    if char < "\u0300":  # before the first combining character
        return 1
    # The selectors of a picture's or a letter's look are such marks, too (Unicode Standard Annex 11, section 5).
    if unicodedata.category(char) in ("Mn", "Me") or ord(char) in _JOINED_JAMO:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
