"""Change values of a YAML file where they stand; every other character of the file stays.

New words are written in the style of the value that they go into. The result is read again, and used only if it says
exactly what was meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from render.base.findings import Refused, printable
from render.games.kotc.legality.rewording import Edit
from render.source import reader
from render.source.nodes import BOM, Document, Mapping, Node, Scalar
from render.source.scalar_values import ScalarStyle, escape_within


class NewWords(Struct, frozen=True):
    """Words for some characters of a value, from left to right."""

    scalar: Scalar
    edits: tuple[Edit, ...]


class NewKey(Struct, frozen=True):
    """A key for a mapping, with a plain value, behind the entry of the key `after`.

    `comment` are lines below it; of a mapping in braces, above the line in which it begins.
    """

    mapping: Mapping
    after: str
    key: str
    value: str
    comment: tuple[str, ...] = ()


class NewText(Struct, frozen=True):
    """Another text in lines for a key of a mapping, in the place of a single value."""

    mapping: Mapping
    key: str
    text: str


class NoKey(Struct, frozen=True):
    """A key of a mapping that goes, with its value."""

    mapping: Mapping
    key: str


Revision = NewWords | NewKey | NewText | NoKey


def replace_scalar(scalar: Scalar, value: str) -> NewWords:
    """Return the revision that gives a scalar another value."""
    return NewWords(scalar, (Edit(0, len(scalar.value), value),))


def revise(document: Document, revisions: Sequence[Revision]) -> str | None:
    """Return the text of the file with the revisions; None if they cannot be written into it."""
    # Cards may share a text by an alias: it is rewritten once.
    splices = [splice for revision in dict.fromkeys(revisions) for splice in _splices(document, revision)]
    pieces, at = [], 0
    for splice in sorted(splices, key=lambda each: (each.start, each.end)):
        pieces += [document.text[at : splice.start], splice.words]
        at = splice.end
    text = "".join((*pieces, document.text[at:]))
    try:
        read = reader.parse(text, document.file)
    except Refused:
        return None
    return text if _Meant(()).shape(read.root) == _Meant(revisions, document.text).shape(document.root) else None


# --- what a file says -----------------------------------------------------------------------------------------------

Shape = tuple[object, ...]


class _Meant:
    """What nodes say after some revisions."""

    def __init__(self, revisions: Iterable[Revision], source: str = "") -> None:
        """`source` is the text in which the mappings of the revisions stand."""
        self.edits: dict[int, tuple[Edit, ...]] = {}
        self.keys: dict[tuple[int, str], list[NewKey]] = {}
        self.texts: dict[tuple[int, str], Shape | None] = {}
        for each in revisions:
            match each:
                case NewWords():
                    self.edits[id(each.scalar)] = each.edits
                case NewKey():
                    self.keys.setdefault((id(each.mapping), each.after), []).append(each)
                case NewText():
                    style = ScalarStyle.DOUBLE if source.startswith("{", each.mapping.start) else ScalarStyle.LITERAL
                    self.texts[id(each.mapping), each.key] = (style, each.text)
                case NoKey():
                    self.texts[id(each.mapping), each.key] = None

    def shape(self, node: Node) -> Shape:
        """Return all values of a node with their styles."""
        match node:
            case Scalar():
                value = self.value(node)
                return (node.style, value.rstrip("\n") if node.style is ScalarStyle.LITERAL else value)
            case Mapping(entries=entries):
                return ("mapping", *(pair for entry in entries for pair in self.pairs(node, entry)))
        return ("sequence", *map(self.shape, node.items))

    def value(self, node: Scalar) -> str:
        value = node.value
        for edit in reversed(self.edits.get(id(node), ())):
            value = value[: edit.start] + edit.new + value[edit.end :]
        return value

    def pairs(self, mapping: Mapping, entry: tuple[Scalar, Node]) -> Iterator[Shape]:
        key = entry[0].value
        new = self.texts.get((id(mapping), key), ())
        if new is not None:
            yield self.value(entry[0]), new or self.shape(entry[1])
        for each in self.keys.get((id(mapping), entry[0].value), ()):
            yield each.key, (ScalarStyle.PLAIN, each.value)


# --- what is written ------------------------------------------------------------------------------------------------


class _Splice(Struct, frozen=True):
    """Words that replace a stretch of the file's text."""

    start: int
    end: int
    words: str


def _splices(document: Document, revision: Revision) -> Iterator[_Splice]:
    match revision:
        case NewWords(scalar, edits):
            for edit in edits:
                yield _Splice(*document.extent(scalar, edit.start, edit.end), escape_within(edit.new, scalar.style))
        case NewKey(mapping) if document.text.startswith("{", mapping.start):
            yield _in_braces(revision)
            if revision.comment:
                start = _line_start(document.text, mapping.start)
                indent = re.match(rf"{BOM}?[ ]*", document.text[start:])
                at = start + (1 if document.text.startswith(BOM, start) else 0)
                lines = _comment(revision, indent[0].removeprefix(BOM) if indent else "", document.text)
                yield _Splice(at, at, "".join(lines))
        case NewKey():
            yield _on_a_line(document, revision)
        case NewText():
            yield _as_text(document.text, revision)
        case NoKey():
            yield _removal(document.text, revision)


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def _indent(text: str, mapping: Mapping) -> str:
    """Return the indent of the keys of a mapping that is not in braces."""
    return " " * len(text[_line_start(text, mapping.start) : mapping.start].lstrip(BOM))


def _comment(new: NewKey, indent: str, text: str) -> list[str]:
    """Return the lines of a comment, with line ends."""
    return [f"{indent}# {printable(line)}".rstrip() + _first_line_end(text) for line in new.comment]


def _in_braces(new: NewKey) -> _Splice:
    """Return `, key: value` behind an entry in braces; the key is quoted as that entry's is."""
    key, value = _entry(new.mapping, new.after)
    quote = {ScalarStyle.SINGLE: "'", ScalarStyle.DOUBLE: '"'}.get(key.style, "")
    return _Splice(value.end, value.end, f", {quote}{new.key}{quote}: {new.value}")


_LINE_END = re.compile(r"\r\n|\r|\n|\Z")


def _on_a_line(document: Document, new: NewKey) -> _Splice:
    """Return lines below an entry and its comment, with the entry's indent and line end."""
    text = document.text
    end = _end_of_line(text, _end(text, _entry(new.mapping, new.after)[1]))
    line_end, indent = end[0] or _first_line_end(text), _indent(text, new.mapping)
    lines = "".join((f"{indent}{new.key}: {new.value}{line_end}", *_comment(new, indent, text)))
    return _Splice(end.end(), end.end(), lines if end[0] else f"{line_end}{lines.removesuffix(line_end)}")


_SHARED = re.compile(r"\s*:\s*([*&][^\s,\]}]+)")
_HEADER_COMMENT = re.compile(r"[|>][-+0-9]*([ \t]+#[^\r\n]*)")


def _as_text(text: str, new: NewText) -> _Splice:
    """Return a text in place of a value, in lines below `|`; in braces, in quotes. A comment beside it stays there."""
    key, value = _entry(new.mapping, new.key)
    start, end = value.start, _end(text, value)
    shared = _SHARED.match(text, key.end)
    if shared and start < key.start:  # an alias: the value stands where its anchor is
        start, end = shared.span(1)
    elif shared:  # the anchor goes, since each card that had the text gets one of its own
        start = shared.start(1)
    if text.startswith("{", new.mapping.start):
        return _Splice(start, end, json.dumps(new.text, ensure_ascii=False))
    line_end, indent = _first_line_end(text), _indent(text, new.mapping)
    comment = _HEADER_COMMENT.match(text, value.start) if value.start > key.start else None
    last = _end_of_line(text, end).start()
    beside = (comment[1] if comment else "") + text[end:last].rstrip()
    lines = (f"{indent}  {line}" if line else "" for line in new.text.split("\n"))
    return _Splice(start, last, line_end.join((f"|{beside}", *lines)))


def _removal(text: str, gone: NoKey) -> _Splice:
    """Return nothing in place of an entry; the entry after it takes the place of one behind a dash."""
    key, value = _entry(gone.mapping, gone.key)
    end = _end(text, value)
    if text.startswith("{", gone.mapping.start):
        behind = re.compile(r"\s*,\s*").match(text, end)
        before = re.search(r"\s*,\s*\Z", text[: key.start])
        if behind or before is None:
            return _Splice(key.start, behind.end() if behind else end, "")
        return _Splice(before.start(), end, "")
    start, line = _line_start(text, key.start), _end_of_line(text, end)
    if not text[start : key.start].strip(f" {BOM}"):
        return _Splice(start + (1 if text.startswith(BOM, start) else 0), line.end(), "")
    following = [name.start for name, _ in gone.mapping.entries if name.start > key.start]
    return _Splice(key.start, following[0] if following else end, "")


def _entry(mapping: Mapping, key: str) -> tuple[Scalar, Node]:
    return next(entry for entry in mapping.entries if entry[0].value == key)


def _end(text: str, value: Node) -> int:
    """Return where a value ends, without the lines behind it that a block counts as its own."""
    return value.start + len(text[value.start : value.end].rstrip())


def _end_of_line(text: str, at: int) -> re.Match[str]:
    end = _LINE_END.search(text, at)
    assert end is not None, "every text has an end"
    return end


def _first_line_end(text: str) -> str:
    found = _LINE_END.search(text)
    return (found[0] if found else "") or "\n"
