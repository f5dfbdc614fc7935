"""Change values of a YAML file where they stand; every other character of the file stays.

New words are written in the style of the value that they go into. The result is read again, and used only if it says
exactly what was meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from render.base.findings import Refused
from render.games.kotc.legality.rewording import Edit
from render.source import reader
from render.source.nodes import BOM, Document, Mapping, Node, Scalar
from render.source.scalars.scalar_ranges import ScalarStyle
from render.source.scalars.scalar_writing import escape_within


@dataclass(frozen=True, slots=True)
class NewWords:
    """Words for some characters of a value, from left to right."""

    scalar: Scalar
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key for a mapping, with a plain value, behind the entry of the key `after`."""

    mapping: Mapping
    after: str
    key: str
    value: str


Revision = NewWords | NewKey


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
    return text if _Meant(()).shape(read.root) == _Meant(revisions).shape(document.root) else None


# --- what a file says -----------------------------------------------------------------------------------------------

Shape = tuple[object, ...]


class _Meant:
    """What nodes say after some revisions."""

    def __init__(self, revisions: Iterable[Revision]) -> None:
        self.edits: dict[int, tuple[Edit, ...]] = {}
        self.keys: dict[tuple[int, str], list[NewKey]] = {}
        for each in revisions:
            if isinstance(each, NewWords):
                self.edits[id(each.scalar)] = each.edits
            else:
                self.keys.setdefault((id(each.mapping), each.after), []).append(each)

    def shape(self, node: Node) -> Shape:
        """Return all values of a node with their styles."""
        match node:
            case Scalar():
                return (node.style, self.value(node))
            case Mapping(entries=entries):
                return ("mapping", *(pair for entry in entries for pair in self.pairs(node, entry)))
        return ("sequence", *map(self.shape, node.items))

    def value(self, node: Scalar) -> str:
        value = node.value
        for edit in reversed(self.edits.get(id(node), ())):
            value = value[: edit.start] + edit.new + value[edit.end :]
        return value

    def pairs(self, mapping: Mapping, entry: tuple[Scalar, Node]) -> Iterator[Shape]:
        yield entry[0].value, self.shape(entry[1])
        for each in self.keys.get((id(mapping), entry[0].value), ()):
            yield each.key, (ScalarStyle.PLAIN, each.value)


# --- what is written ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Splice:
    """Words that replace a stretch of the file's text."""

    start: int
    end: int
    words: str


def _splices(document: Document, revision: Revision) -> Iterator[_Splice]:
    match revision:
        case NewWords(scalar, edits):
            for edit in edits:
                yield _Splice(*document.extent(scalar, edit.start, edit.end), escape_within(edit.new, scalar.style))
        case NewKey(mapping):
            in_braces = document.text.startswith("{", mapping.start)
            yield _in_braces(revision) if in_braces else _on_a_line(document, revision)


def _in_braces(new: NewKey) -> _Splice:
    """Return `, key: value` behind an entry in braces; the key is quoted as that entry's is."""
    key, value = _entry(new)
    quote = {ScalarStyle.SINGLE: "'", ScalarStyle.DOUBLE: '"'}.get(key.style, "")
    return _Splice(value.end, value.end, f", {quote}{new.key}{quote}: {new.value}")


_LINE_END = re.compile(r"\r\n|\r|\n|\Z")


def _on_a_line(document: Document, new: NewKey) -> _Splice:
    """Return a line below an entry and its comment, with the entry's indent and line end."""
    text = document.text
    value = _entry(new)[1]
    end = _LINE_END.search(text, value.start + len(text[value.start : value.end].rstrip()))
    assert end is not None, "every text has an end"
    line_end = end[0] or _first_line_end(text)
    line_start = max(text.rfind("\n", 0, new.mapping.start), text.rfind("\r", 0, new.mapping.start)) + 1
    line = f"{' ' * len(text[line_start : new.mapping.start].lstrip(BOM))}{new.key}: {new.value}"
    return _Splice(end.end(), end.end(), f"{line}{line_end}" if end[0] else f"{line_end}{line}")


def _entry(new: NewKey) -> tuple[Scalar, Node]:
    return next((key, value) for key, value in new.mapping.entries if key.value == new.after)


def _first_line_end(text: str) -> str:
    found = _LINE_END.search(text)
    return (found[0] if found else "") or "\n"
