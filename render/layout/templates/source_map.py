"""Where in its template's own file each part of what a template gave was written.

After a mistake was found, the template is filled in once more, with marks at each element, attribute and expression.
A mark names a place of a file, whichever template includes, extends or imports it. Without its marks the text is the
one before; if it is not, since a template counts the letters of its own output, no place is known.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

import jinja2

from render.base.findings import Refused, Span
from render.layout.templates.filling import Source, source_of
from render.layout.templates.template import FillingStopped, Templates
from render.source.nodes import span

_BEGIN, _END = "\ue000", "\ue001"  # of a mark; characters for private use, which no font of ours has
_MARK = re.compile(f"{_BEGIN}([0-9]+){_END}")
_STRING = r"""\"(?:[^"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'"""
_JINJA = re.compile(
    rf"""\{{\#.*?\#\}}
    |\{{%[-+]?\s*raw\s*[-+]?%\}}.*?\{{%[-+]?\s*endraw\s*[-+]?%\}}
    |\{{%(?:{_STRING}|[^"'%]|%(?!\}}))*%\}}
    |\{{\{{(?:{_STRING}|[^"'}}]|\}}(?!\}}))*\}}\}}""",
    re.DOTALL | re.VERBOSE,
)
# What gets a mark in the text between tags: elements, names of attributes, and the first word of each line.
_MARKED = re.compile(r"""<|(?<=\s)[A-Za-z_:][\w:.-]*(?=\s*=)|(?<=\n)[ \t]*+(?=[^\s<])""")
_ATTRIBUTE = re.compile(r"""\s*([^\s=<>"'/]+)\s*=\s*("[^"]*"|'[^']*')""")
_NAME = re.compile(r"<[^\s/>]*")
_WORD = re.compile(r"</?[^\s>]*>?|[^\s<]+")


class _Origin(NamedTuple):
    """A place in the text of a template's file; what follows it is as written for `length` characters."""

    file: Path
    text: str
    offset: int
    length: int


class MarkedTemplates(Templates):
    """The templates of a set with marks; `origins` says what each stands for."""

    def __init__(self, templates: Templates) -> None:
        super().__init__((), ())
        self._inner = templates
        self.origins: list[_Origin] = []

    def source(self, name: str) -> Source:
        """Return a template with marks."""
        if name not in self._sources:
            source = self._inner.source(name)
            self._sources[name] = source_of(self._marked(source.text, Path(source.file)), f"{name}, marked")
        return self._sources[name]

    def source_map(self, name: str, values: Mapping[str, object], text: str) -> SourceMap | None:
        """Return where each part of what a template gave stands; None if that cannot be known."""
        try:
            marked = self.filled(f"{name}.svg", values)
        except (FillingStopped, jinja2.TemplateError, Refused, OSError, ValueError):
            return None
        found = SourceMap(text, self.origins, marked)
        return found if found.is_sound else None

    def _marked(self, text: str, file: Path) -> str:
        if _BEGIN in text:
            return text
        parts, at = [], 0
        for tag in _JINJA.finditer(text):
            parts += [self._between(text, file, at, tag.start())]
            # A mark before `{{-` would keep the spaces that it removes.
            if tag[0].startswith("{{") and not tag[0].startswith("{{-"):
                parts.append(self._mark(_Origin(file, text, tag.start(), 0)))
            parts.append(tag[0])
            at = tag.end()
        return "".join([*parts, self._between(text, file, at, len(text))])

    def _between(self, text: str, file: Path, start: int, end: int) -> str:
        """Return the text between two tags with its marks, each before something that is no space."""
        part = text[start:end]
        words = part.lstrip()
        found = _MARKED.finditer(part)
        places = {match.start() if match[0].strip() else match.end() for match in found}
        if words:
            places.add(len(part) - len(words))
        marked, at = [], 0
        for place in sorted(place for place in places if place < len(part)):
            marked += [part[at:place], self._mark(_Origin(file, text, start + place, len(part) - place))]
            at = place
        return "".join([*marked, part[at:]])

    def _mark(self, origin: _Origin) -> str:
        self.origins.append(origin)
        return f"{_BEGIN}{len(self.origins) - 1}{_END}"


class SourceMap:
    """Finds places in the files of templates for places in what they gave."""

    def __init__(self, text: str, origins: list[_Origin], marked: str) -> None:
        self._text, self._origins = text, origins
        self._offsets: list[int] = []
        self._marks: list[int] = []
        clean, at, length = [], 0, 0
        for mark in _MARK.finditer(marked):
            clean.append(marked[at : mark.start()])
            length += mark.start() - at
            at = mark.end()
            self._offsets.append(length)
            self._marks.append(int(mark[1]))
        self.is_sound = bool(self._marks) and "".join([*clean, marked[at:]]) == text

    def of_element(self, number: int, attribute: str = "", words: str = "") -> Span | None:
        """Return the place of the element with this number, from 0, in the order of the text; or of a part of it.

        That is an attribute or a property of its `style`, or the first words like these in the element.
        """
        if not 0 <= number < len(self._starts):
            return None
        start = self._starts[number]
        name = _NAME.match(self._text, start)
        end = name.end() if name else start + 1
        if attribute:
            part = self._attribute(end, attribute, words)
            if part:
                return self.place(*part)
        elif words and (at := self._text.find(words, end)) >= 0:
            return self.place(at, at + len(words))
        return self.place(start, end)

    def of_line(self, line: int, column: int) -> Span | None:
        """Return the place of what stands in a line, from 1, and column, from 0, of what the template gave."""
        start = 0
        for _ in range(line - 1):
            start = self._text.find("\n", start) + 1
        return self.of_offset(start + column)

    def of_offset(self, offset: int) -> Span | None:
        """Return the place of the tag or word that begins at an index of what the template gave, or behind its `</`."""
        offset = min(offset, len(self._text))
        begin = offset - 2 if self._text[max(offset - 2, 0) : offset] == "</" else offset
        word = _WORD.match(self._text, begin)
        return self.place(begin, word.end() if word else begin + 1)

    def place(self, start: int, end: int) -> Span | None:
        """Return the place of what stands from `start` to `end` of what the template gave."""
        index = bisect_right(self._offsets, start) - 1
        if index < 0:
            return None
        origin = self._origins[self._marks[index]]
        behind = min(start - self._offsets[index], origin.length)
        within = behind + end - start <= origin.length
        length = end - start if within else 2 if origin.length == 0 else 1
        begin = origin.offset + behind
        return span(origin.file, origin.text, (begin, begin + length))

    def _attribute(self, at: int, attribute: str, words: str) -> tuple[int, int] | None:
        """Return where an attribute stands of the element whose name ends at `at`."""
        style: tuple[int, int] | None = None
        while match := _ATTRIBUTE.match(self._text, at):
            if match[1] == attribute or match[1].rpartition(":")[2] == attribute:
                inner = match[2].find(words) if words else -1
                if inner >= 0:
                    return match.start(2) + inner, match.start(2) + inner + len(words)
                return match.start(1), match.end(1)
            if match[1] == "style":
                found = re.search(rf"(?<![\w-]){re.escape(attribute)}(?=\s*:)", match[2])
                style = (match.start(2) + found.start(), match.start(2) + found.end()) if found else None
            at = match.end()
        return style

    @cached_property
    def _starts(self) -> list[int]:
        """Where each element begins."""
        return _starts(self._text)


def _starts(text: str) -> list[int]:
    data = text.encode("utf-8", "surrogatepass")
    found: list[int] = []
    parser = expat.ParserCreate("utf-8")  # whatever encoding the text declares: it was read already
    parser.StartElementHandler = lambda _name, _attributes: found.append(parser.CurrentByteIndex)
    try:
        parser.Parse(data, True)
    except expat.ExpatError:
        return []
    if len(data) == len(text):
        return found
    starts, at, characters = [], 0, 0
    for each in found:
        characters += len(data[at:each].decode("utf-8", "surrogatepass"))
        at = each
        starts.append(characters)
    return starts
