"""The nodes of a YAML file, and where they and their characters stand in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable
from collections.abc import Mapping as MappingOf
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from msgspec import Struct

from render.base.caches import cached
from render.base.findings import Diagnostic, Span, printable, quoted
from render.base.patterns import regex
from render.source import scalar_values
from render.source.scalar_values import Range, ScalarStyle

BOM = "\ufeff"  # the byte order mark that some editors put at the start of a file


class Scalar(NamedTuple):  # four times as fast to make as a frozen dataclass, and cards consist of scalars
    """A value: its text in Unicode's form NFC; `start` and `end` are offsets into the document's text."""

    value: str
    style: ScalarStyle
    start: int
    end: int


class Sequence(Struct, frozen=True):
    """A list of nodes."""

    items: tuple[Node, ...]
    start: int
    end: int


class Mapping(Struct, frozen=True):
    """Keys and values in the order of the file; no key stands twice.

    The values of the keys that are `lost` could not be read, or not all of them, which is said elsewhere.
    """

    entries: tuple[tuple[Scalar, Node], ...]
    start: int
    end: int
    lost: tuple[str, ...] = ()

    def get(self, key: str) -> Node | None:
        """Return the value of the key; None if the mapping does not have it."""
        return next((value for name, value in self.entries if name.value == key), None)


Node = Scalar | Sequence | Mapping


class Document(Struct, frozen=True):
    """A file as read: its whole text, with byte order mark and line ends, and its root node."""

    has_comments: ClassVar[bool] = True
    """Whether `#` begins a comment in such a file."""

    file: Path
    text: str
    root: Node

    @property
    def items(self) -> tuple[Node, ...]:
        """What the file lists, or the one thing that it holds."""
        return self.root.items if isinstance(self.root, Sequence) else (self.root,)

    @property
    def mappings(self) -> list[Mapping]:
        """The mappings among what the file lists, or the one that it is: the cards of a card file."""
        return [each for each in self.items if isinstance(each, Mapping)]

    def span(self, node: Node) -> Span:
        """Return the place of the node, without the blank lines behind it."""
        return self.between(node.start, node.start + len(self.text[node.start : node.end].rstrip()))

    def between(self, start: int, end: int) -> Span:
        """Return the place of the text from offset `start` to before `end`."""
        return span(self.file, self.text, (start, end))

    def named(self, path: str) -> str:
        """Return the keys of a path as messages name them; the items of lists are counted from 0."""
        return path

    def findings_of_card(self, node: Mapping, findings: Iterable[Diagnostic]) -> Iterable[Diagnostic]:
        """Return what is said of a card of this file, given what is wrong with its values."""
        return findings

    def heading(self, key: Scalar) -> Span:
        """Return the place where a key is named."""
        return self.span(key)

    def adding(self, key: str, example: str, path: str = "") -> str:
        """Return the hint for a key that is missing below the keys of `path`; `example` is a value for it, or ""."""
        return f"add a line such as `{key}: {example}`" if example else f"add a line that begins with `{key}: `"

    @property
    def leaving_out(self) -> str:
        """What to do about a key that is none and shall stay, for the end of a hint; "" for a file that cannot have any."""
        return ""

    def heading_meant(self, key: Scalar, known: Collection[str]) -> str:
        """Return the heading that a key in a table is meant for, such as `faces.2.name` of `face2.name`; else ""."""
        return ""

    def small_cards(self, count: int) -> str:
        """Return the hint for cards that show so many small cards."""
        return "write below `faces:` the keys of each, behind a dash"

    def listing(self, key: str, items: Iterable[str]) -> str:
        """Return the hint for texts that stand in one, with commas between them."""
        words = ", ".join(items)
        return f'write `{key}: [{words}]`, or `{key}: "{words}"` if it is one text'

    def pair(self, key: str, value: str) -> str:
        """Return a value with its key as it is written: `power: 3`, or in a cell `3`."""
        return f"{key}: {value}"

    def breaking(self, key: str) -> str:
        """Return the hint for a text that should have a new line."""
        return f"write `{key}: |`, and below it the text with its lines as they are printed, indented"

    def giving(self, key: str, value: str, path: str = "") -> str:
        """Return the hint for a single value of a key below the keys of `path`."""
        return f"write `{key}: {value}`"

    def places(self, scalar: Scalar) -> list[Range]:
        """Return the range of the text from which each character of the value came."""
        return scalar_values.ranges(self.text, (scalar.start, scalar.end), scalar.style, scalar.value)

    def extent(self, scalar: Scalar, start: int, end: int) -> Range:
        """Return the range of the text that holds the characters `start` to before `end` of the value.

        Replacing that range replaces those characters, as long as the new words need no escape. An empty range is the
        place to insert words.
        """
        places = self.places(scalar)
        first = _place_before(scalar, places, start)
        return (first, places[end - 1][1]) if start < end else (first, first)

    def locate(self, scalar: Scalar, start: int, end: int) -> Span:
        """Return the place in the file of the characters `start` to before `end` of the value."""
        return self.between(*self.extent(scalar, start, end))

    def offset(self, scalar: Scalar, index: int) -> int:
        """Return the offset in the text of character `index` of the value; its end for the value's length."""
        return self.extent(scalar, index, index)[0]


def node_at(node: Node | None, path: Iterable[str], other: MappingOf[str, str] = MappingProxyType({})) -> Node | None:
    """Return the value at a path of keys, in which the items of a list are counted from 0; None if there is none.

    `other` are other names of keys. A path may go on below a single value: `art: a.jpg` is short for a mapping.
    """
    for name in path:
        if isinstance(node, Sequence) and name.isdecimal():
            node = node.items[int(name)] if int(name) < len(node.items) else None
        elif isinstance(node, Mapping):
            node = node.get(name) or node.get(other.get(name, name))
        else:
            return node
    return node


def first_key(node: Node) -> Node:
    """Return the first key of a mapping, or of the mapping that a list begins with; else the node itself."""
    match node:
        case Mapping(entries=entries) if entries:
            return entries[0][0]
        case Sequence(items=items) if items:
            return first_key(items[0])
    return node


_LONGEST_EXCERPT = 4096  # characters: a file of one huge line must not cost its length for every finding

_LINE_START = regex(r"\r\n|\r|\n")


@cached(2)  # each keeps its text
def line_starts(text: str) -> list[int]:
    """Return the offset of each line of a text."""
    return [0, *(match.end() for match in _LINE_START.finditer(text))]


def span(file: Path, text: str, extent: Range) -> Span:
    """Return the place of a range of a file's text."""
    starts = line_starts(text)
    (line, column), (end_line, end_column) = (_position(starts, text, offset) for offset in extent)
    line_end = starts[line] if line < len(starts) else len(text)
    excerpt = ""
    if line_end - starts[line - 1] <= _LONGEST_EXCERPT:
        excerpt = _shown(text[starts[line - 1] : line_end])
    return Span(file=file, line=line, column=column, end_line=end_line, end_column=end_column, excerpt=excerpt)


@cached(16)
def _shown(line: str) -> str:
    """Return a line as a message shows it; cached, since one line may have thousands of findings."""
    return printable(line.rstrip("\r\n").lstrip(BOM))


def _position(starts: list[int], text: str, offset: int) -> tuple[int, int]:
    line = bisect_right(starts, offset)
    column = offset - starts[line - 1] + 1
    # The byte order mark is no column that an editor shows.
    return line, column - 1 if line == 1 and column > 1 and text.startswith(BOM) else column


def _place_before(scalar: Scalar, places: list[Range], index: int) -> int:
    if index < len(places):
        return places[index][0]
    if places:
        return places[-1][1]
    # An empty value: inside its quotes.
    return scalar.start + (scalar.style in (ScalarStyle.SINGLE, ScalarStyle.DOUBLE))


def describe_node(node: Node) -> str:
    """Return in words what the author wrote."""
    match node:
        case Scalar(value="", style=ScalarStyle.PLAIN):
            return "nothing"
        case Scalar(value=value, style=ScalarStyle.PLAIN):
            return quoted(value)
        case Scalar(value=value):
            return f"the text {quoted(value)}"
        case Mapping():
            return f"keys and values{_shown_if_flat(node)}"
    return f"a list{_shown_if_flat(node)}"


_MAX_FLAT = 9  # values of a list or mapping that a message shows: more say nothing new


def scalars_of(node: Node) -> list[str]:
    """Return the values of a list or mapping that are no lists or mappings themselves."""
    if isinstance(node, Scalar):
        return [node.value]
    values = node.items if isinstance(node, Sequence) else [value for _, value in node.entries]
    return [each.value for each in values if isinstance(each, Scalar)]


def _shown_if_flat(node: Mapping | Sequence) -> str:
    """Return the values of a short list or mapping as words of a message; "" if there are others in it."""
    words = scalars_of(node)
    if not words or len(words) != len(node.items if isinstance(node, Sequence) else node.entries):
        return ""
    if len(words) > _MAX_FLAT:
        return ""
    if isinstance(node, Mapping):
        pairs = zip((key.value for key, _ in node.entries), words, strict=True)
        said = ", ".join(f"{key}: {word}" if word else key for key, word in pairs)
        return f", {quoted('{' + said + '}')}"
    return f", {quoted('[' + ', '.join(words) + ']')}"
