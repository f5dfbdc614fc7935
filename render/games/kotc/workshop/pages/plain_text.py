"""Pages saved as plain text: headings, paragraphs and lists told apart by their lines.

A line of its own is a block. An item of a list begins with `-` or `•`, or stands below a line with nothing but `*`; it
goes on in the lines that begin with a space. A short line without a full stop is a heading. `**` marks bold words.
Rows of a table begin with `|`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from render.games.kotc.workshop.pages.tree import Element, MarkupPage, Node, Words

LONGEST_HEADING = 60  # characters: the longest of the rulebooks, "Redacted Ability Text (Banned Cards)", has 36

_LINE = re.compile(r"[^\n]+")
_ITEM = re.compile(r" ?(?:[-•]) +(?:[0-9]{1,3}\. +)?")
_BULLET = re.compile(r"\s*[*•]\s*")
_HEADING = re.compile(r"[A-Z][^|“”\"→]*[^\s.:;,!?|”\"]")
_MARK = re.compile(r"\*\*")
_RULE = re.compile(r"\|(?:\s*:?-+:?\s*\|)+\s*")  # the line below the head of a table


@dataclass(frozen=True, slots=True)
class _Line:
    """A line: what kind of block it begins, and the offsets of its words."""

    kind: str
    start: int
    end: int


def parse_plain_text(text: str, file: Path) -> MarkupPage:
    """Turn a page of plain text into a tree."""
    blocks: list[Element] = []
    lines = list(_lines(text))
    at = 0
    while at < len(lines):
        last = at + 1
        while last < len(lines) and lines[last].kind in ("more", lines[at].kind if lines[at].kind == "tr" else "more"):
            last += 1
        blocks.append(_block(text, lines[at:last], is_first=not blocks))
        at = last
    return MarkupPage(file, text, Element("", tuple(blocks), 0, len(text)))


def _lines(text: str) -> Iterator[_Line]:
    """Yield the lines that have words; `more` continues an item."""
    before, is_bullet = "", False
    for match in _LINE.finditer(text):
        line = match[0]
        if not line.strip() or _RULE.fullmatch(line):
            continue
        if _BULLET.fullmatch(line):
            is_bullet = True
            continue
        item = _ITEM.match(line)
        skipped = item.end() if item else len(line) - len(line.lstrip())
        kind = "li" if item or is_bullet else _kind(line, before)
        is_bullet = False
        before = "li" if kind == "more" else kind
        yield _Line(kind, match.start() + skipped, match.start() + len(line.rstrip()))


def _kind(line: str, before: str) -> str:
    if line.startswith("|"):
        return "tr"
    if line[0] == " " and before == "li":
        return "more"
    return "h3" if len(line) <= LONGEST_HEADING and _HEADING.fullmatch(line.rstrip()) else "p"


def _block(text: str, lines: list[_Line], *, is_first: bool) -> Element:
    kind, start, end = lines[0].kind, lines[0].start, lines[-1].end
    if kind == "tr":
        rows = (Element("tr", tuple(_cells(text, line)), line.start, line.end) for line in lines)
        return Element("table", tuple(rows), start, end)
    if kind == "h3" and is_first:
        kind = "h2"  # the title of the page
    words: list[Node] = []
    for line in lines:
        words += [Words(" ", line.start, line.start)] if words else []
        words += _words(text, line.start, line.end)
    block = Element("p" if kind == "more" else kind, tuple(words), start, end)
    return Element("ul", (block,), start, end) if kind == "li" else block


def _words(text: str, start: int, end: int) -> Iterator[Words]:
    """Yield the words of a line without the marks of bold ones."""
    at = start
    for mark in [*_MARK.finditer(text, start, end)]:
        if mark.start() > at:
            yield Words(text[at : mark.start()], at, mark.start())
        at = mark.end()
    if at < end:
        yield Words(text[at:end], at, end)


def _cells(text: str, line: _Line) -> Iterator[Element]:
    """Yield the cells of a row; those of the first row of a table are read as a row of texts as well."""
    at = line.start + 1
    while at < line.end:
        found = text.find("|", at, line.end)
        end = found if found >= 0 else line.end
        yield Element("td", tuple(_words(text, at, end)), at, end)
        at = end + 1
