"""A file in its pieces: each card of a list is read by itself, so that one edit, or one mistake, concerns one card."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

from render.base.caches import cached
from render.base.findings import Refused
from render.lsp.sources.places import LineMap, Spot, Stretch
from render.source import reader
from render.source.nodes import BOM, Document, Mapping, Node, Scalar, Sequence

_FIRST = re.compile(
    r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n)|---[ \t]*(?:\r\n|\r|\n))*(?P<indent> *)(?P<dash>-[ \t\r\n])?"
)


@dataclass(frozen=True, slots=True)
class FilePiece:
    """A piece of a file: its text, and its first line, from 0."""

    file: Path
    text: str
    first: int

    @property
    def document(self) -> Document | None:
        """What it says; None if it cannot be read alone."""
        return document_of(self.text, self.file)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The cards in it, or the mapping that it is."""
        document = self.document
        if document is None:
            return ()
        root = document.root
        return root.items if isinstance(root, Sequence) else (root,)

    def stretch(self, start: int, end: int) -> Stretch:
        """Return the stretch in the file of a range of offsets in the piece."""
        found = line_map(self.text).stretch(start, end)
        return Stretch(self.moved(found.start), self.moved(found.end))

    def of_node(self, node: Node) -> Stretch:
        """Return the stretch of a node, without the blank lines behind it."""
        return self.stretch(node.start, node.start + len(self.text[node.start : node.end].rstrip()))

    def moved(self, spot: Spot) -> Spot:
        """Return the spot in the file of one in the piece."""
        return Spot(spot.line + self.first, spot.character)

    def offset(self, spot: Spot) -> int:
        """Return the offset in the piece of a spot in the file."""
        return line_map(self.text).offset(Spot(spot.line - self.first, spot.character))


@cached(4096)
def line_map(text: str) -> LineMap:
    """Return a text by its lines."""
    return LineMap(text)


def pieces_of(text: str, file: Path, first: int = 0, last: int | None = None) -> list[FilePiece]:
    """Return the pieces of a file that have a line from `first` to `last`, from the first to the last of them."""
    begins = _begins(text)
    if not begins:
        return [FilePiece(file, text, 0)]
    lines = line_map(text)
    ends = [*begins[1:], len(text)]
    numbers = [lines.spot(begin).line for begin in begins]
    found = []
    start = max(0, bisect_right(numbers, first) - 1)
    for number, begin, end in zip(numbers[start:], begins[start:], ends[start:], strict=True):
        if last is not None and number > last:
            break
        found.append(FilePiece(file, text[begin:end], number))
    return found


@cached(16)
def _begins(text: str) -> tuple[int, ...]:
    """Return the offsets of the items of the list that a file is; () if it is no list."""
    first = _FIRST.match(text, text.startswith(BOM))
    if first is None or first["dash"] is None:
        return ()
    items = re.compile(rf"^{first['indent']}-(?=[ \t\r\n]|\Z)", re.MULTILINE)
    return tuple(match.start() for match in items.finditer(text, first.start("indent")))


@cached(8192)
def document_of(text: str, file: Path) -> Document | None:
    """Return what a text says as a YAML file; None if it is none."""
    try:
        return reader.parse(text, file)
    except Refused:
        return None


@dataclass(frozen=True, slots=True)
class NodePlace:
    """The scalar at a place in a piece, the keys that lead to it, and the mapping of the card or file it is in.

    `on_key` says that it is the last of these keys, and not its value.
    """

    piece: FilePiece
    path: tuple[str, ...]
    scalar: Scalar
    card: Mapping
    on_key: bool


def node_at(piece: FilePiece, spot: Spot) -> NodePlace | None:
    """Return what is at a spot; None if there is no word."""
    offset = piece.offset(spot)
    for node in piece.nodes:
        if isinstance(node, Mapping) and node.start <= offset <= node.end:
            return _within(piece, node, node, offset, ())
    return None


def _within(piece: FilePiece, card: Mapping, node: Node, offset: int, path: tuple[str, ...]) -> NodePlace | None:
    match node:
        case Scalar():
            length = len(piece.text[node.start : node.end].rstrip())
            return NodePlace(piece, path, node, card, False) if node.start <= offset <= node.start + length else None
        case Sequence():
            inner = (_within(piece, card, item, offset, path) for item in node.items)
            return next((each for each in inner if each), None)
    for key, value in node.entries:
        if key.start <= offset <= key.end:
            return NodePlace(piece, (*path, key.value), key, card, True)
        if value.start <= offset <= value.end and (found := _within(piece, card, value, offset, (*path, key.value))):
            return found
    return None
