"""Card files at rest: once cards are read, their nodes are let go, and read again when somebody asks for them.

Nodes take about as much memory as the cards that are made of them, and are asked for where something is wrong.
"""

from __future__ import annotations

import zlib
from pathlib import Path

from render.base.caches import cached
from render.source.building import NodeBuilder
from render.source.nodes import Document, Mapping, Node, Scalar, Sequence
from render.source.reader import parse_partly

_NOTHING = Sequence((), 0, 0)
_FASTEST = 1


class DocumentAtRest(Document, frozen=True):
    """A file of which only the text is kept, as deflated UTF-8."""

    packed: bytes = b""

    @property  # type: ignore[misc] # a field there
    def text(self) -> str:
        return _unpacked(self.packed)

    @property  # type: ignore[misc] # a field there
    def root(self) -> Node:
        return _read_again(self)[0]


class MappingAtRest(Mapping, frozen=True):
    """A mapping of such a file, of which only the place is kept."""

    document: DocumentAtRest = DocumentAtRest(Path(), "", _NOTHING)

    @property  # type: ignore[misc] # a field there
    def entries(self) -> tuple[tuple[Scalar, Node], ...]:
        return _entries(self.document, self.start, self.end)


def document_at_rest(document: Document) -> Document:
    """Return a file without its nodes; a table, whose cells are not read again, stays as it is."""
    if type(document) is not Document:
        return document
    packed = zlib.compress(document.text.encode("utf-8", "surrogatepass"), _FASTEST)
    return DocumentAtRest(document.file, "", _NOTHING, packed)


def mapping_at_rest(node: Mapping, document: Document) -> Mapping:
    """Return a mapping without what is in it, if its `document` is at rest."""
    if not isinstance(document, DocumentAtRest):
        return node
    return MappingAtRest((), node.start, node.end, node.lost, document)


@cached(2)
def _unpacked(packed: bytes) -> str:
    return zlib.decompress(packed).decode("utf-8", "surrogatepass")


@cached(64)
def _entries(document: DocumentAtRest, start: int, end: int) -> tuple[tuple[Scalar, Node], ...]:
    """Return what is in the mapping at a place: read from its lines alone, or with the whole file if these do not do."""
    builder = NodeBuilder(document.file, document.text, (document.text.rfind("\n", 0, start) + 1, end))
    node = builder.document()
    node = node.items[0] if isinstance(node, Sequence) and len(node.items) == 1 else node
    is_it = isinstance(node, Mapping) and (node.start, node.end) == (start, end)
    if not isinstance(node, Mapping) or not is_it or builder.findings or builder.has_anchors:
        node = _read_again(document)[1][start, end]
    return node.entries


@cached(2)
def _read_again(document: DocumentAtRest) -> tuple[Node, dict[tuple[int, int], Mapping]]:
    """Return the root of a file, and its mappings by their places."""
    read, _ = parse_partly(document.text, document.file)
    assert read  # it was read before
    mappings: dict[tuple[int, int], Mapping] = {}
    waiting: list[Node] = [read.root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Mapping):
            mappings.setdefault((node.start, node.end), node)
            waiting += [value for _, value in node.entries]
        elif isinstance(node, Sequence):
            waiting += node.items
    return read.root, mappings
