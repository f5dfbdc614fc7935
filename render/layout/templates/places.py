"""Where in a template's file something stands that is wrong in what the template gives.

What it gives has no places of its own: an element is looked for in the file by its name, its `id` and an attribute, a
line by its words, and what stopped the template by the line that ran last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from render.base.caches import cached
from render.base.findings import Span

_MAX_TEXT = 1 << 20  # characters of a template in which places are looked for


@dataclass(frozen=True, slots=True)
class TemplatePart:
    """What is looked for in a template: an element with that `id`, or an attribute of it."""

    tag: str
    element_id: str = ""
    attribute: str = ""


def place_of_part(file: Path, part: TemplatePart) -> Span:
    """Return the place of an element or attribute; that of the file if it is written nowhere in it."""
    text = _text(file, _changed(file))
    found = list(re.finditer(rf"<{re.escape(part.tag)}\b[^<>]*", text))
    if part.element_id:
        named = re.compile(rf"\bid\s*=\s*[\"']{re.escape(part.element_id)}[\"']")
        found = [match for match in found if named.search(match[0])] or found
    for match in found:
        if not part.attribute:
            return span_of(file, text, match.start(), match.start() + 1 + len(part.tag))
        inner = re.search(rf"(?<![\w:-]){re.escape(part.attribute)}(?=\s*=)", match[0])
        if inner:
            return span_of(file, text, match.start() + inner.start(), match.start() + inner.end())
    if found and part.attribute:
        return place_of_part(file, TemplatePart(part.tag, part.element_id))
    return Span(file=file)


def place_of_line(file: Path, line: str, number: int) -> Span:
    """Return the place of line `number`, from 1, of what a template gave; that of the file if it is not in it."""
    text = _text(file, _changed(file))
    lines = text.split("\n")
    at = [index for index, each in enumerate(lines) if each.strip() == line.strip()] if line.strip() else []
    if not at:
        return Span(file=file)
    index = min(at, key=lambda each: abs(each + 1 - number))
    start = sum(len(each) + 1 for each in lines[:index])
    indent = len(lines[index]) - len(lines[index].lstrip())
    return span_of(file, text, start + indent, start + len(lines[index].rstrip()))


def place_that_ran(ran: Iterable[tuple[str, int]], file: Path, word: str = "") -> Span:
    """Return the line of a template that ran last, or the word in it if it is there."""
    lines = [(Path(each), number) for each, number in ran if Path(each).suffix == file.suffix]
    return _whole_line(*lines[-1], word) if lines else Span(file=file)


def _whole_line(file: Path, number: int, word: str) -> Span:
    lines = _text(file, _changed(file)).split("\n")
    if not 0 < number <= len(lines):
        return Span(file=file, line=number, column=1, end_line=number, end_column=1)
    line = lines[number - 1].rstrip()
    start, end = len(line) - len(line.lstrip()), len(line)
    named = [each.span() for each in re.finditer(rf"\b{re.escape(word)}\b", line)] if word else []
    if len(named) == 1:  # of several, nobody knows which
        ((start, end),) = named
    return Span(file=file, line=number, column=start + 1, end_line=number, end_column=end + 1, excerpt=line)


def span_of(file: Path, text: str, start: int, end: int) -> Span:
    """Return the place of the characters from `start` to `end`, which stand in one line of a file's text."""
    line = text.count("\n", 0, start) + 1
    begin = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", start)
    excerpt = text[begin : line_end if line_end >= 0 else None].rstrip()
    return Span(
        file=file, line=line, column=start - begin + 1, end_line=line, end_column=end - begin + 1, excerpt=excerpt
    )


def _changed(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


@cached(16)
def _text(file: Path, _changed_at: int) -> str:
    try:
        with file.open(encoding="utf-8", errors="replace", newline=None) as stream:
            return stream.read(_MAX_TEXT)
    except OSError:
        return ""
