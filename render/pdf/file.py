"""The structure of a PDF file: objects one after the other, pages in a tree, and where each object is.

Objects without a stream of their own are packed together, a hundred in a stream (ISO 32000-1, 7.5.7).

What is written is forgotten but for its number and place, so that memory does not grow with what the pages show.
"""

from __future__ import annotations

import hashlib
import zlib
from array import array
from collections.abc import Iterable
from typing import BinaryIO

from msgspec import Struct, field
from reportlab.pdfbase import pdfdoc

from render.base.patterns import regex
from render.pdf.objects import MARK, Piece, Reference, Shown, dictionary, piece, written

_MOST_KIDS = 256  # of a node of the page tree: to find a page, readers look through all of a node
_REFERENCE = regex(b"%b([^%b]+)%b" % (MARK, MARK, MARK))
_PACKED_AT_ONCE = 100  # objects: a reader that wants one unpacks all of a stream
_PACKED = 1 << 63
_HEADER = b"%PDF-1.6\n%\xe2\xe3\xcf\xd3\n"  # four bytes over 127 say that it is no text (ISO 32000-1, 7.5.2)


_ABOVE = Reference(b"above")  # in a page, the node of the tree that it will hang on


def page_of(entries: pdfdoc.PDFDictionary, parts: Iterable[Piece]) -> Piece:
    """Return a page with these entries, which other files may have as well; what it names is among its parts."""
    return piece(_within(entries), parts=parts)


def _within(entries: pdfdoc.PDFDictionary) -> pdfdoc.PDFDictionary:
    entries["Parent"] = _ABOVE
    return entries


class _Node(Struct):
    """An open node of the page tree: what hangs on it, and how many pages these are in all."""

    name: bytes
    kids: list[Reference] = field(default_factory=list)
    pages: int = 0


class PdfFile:
    """A file being written: `out` gets each object at once. OSError if it cannot be written.

    `fonts` are the glyphs of each face that it shows so far, with what they first stand for, and `pictures` the pictures
    by name, in their largest size.
    """

    def __init__(self, out: BinaryIO) -> None:
        self._out, self._digest, self._length = out, hashlib.sha256(), 0
        # Where each object is, by its number less 1: where it begins, or, with _PACKED, the number of the stream that has
        # it and its place there. 0: not written yet.
        self._places = array("Q")
        self._waiting: list[tuple[int, bytes]] = []  # numbers and texts of the objects that the next stream will have
        self._streams = 0
        self._numbers: dict[bytes, int] = {}
        self._open: list[_Node] = []  # of each level of the page tree the last node, from the pages up
        self._pages = self._nodes = 0
        self.fonts: dict[str, dict[int, str]] = {}
        self.pictures: dict[str, Shown] = {}
        self._put(_HEADER)

    def add(self, piece: Piece, name: bytes = b"") -> None:
        """Write an object and those that it names, unless they are there; `name` is what others call it."""
        if self.has(name or piece.name):
            return
        for part in piece.parts:
            self.add(part)
        for face, glyphs in piece.fonts.items():
            known = self.fonts.setdefault(face, {})
            if not known.keys() >= glyphs.keys():
                known |= {glyph: text for glyph, text in glyphs.items() if glyph not in known}
        for each in piece.pictures:
            before = self.pictures.get(each.name, each)
            size = max(before.size[0], each.size[0]), max(before.size[1], each.size[1])
            self.pictures[each.name] = Shown(each.name, before.picture, size)
        self._write(name or piece.name, piece.head, piece.stream)

    def has(self, name: bytes) -> bool:
        """Return whether an object is in the file."""
        number = self._numbers.get(name)
        return number is not None and self._places[number - 1] > 0

    def add_page(self, page: Piece) -> None:
        """Write the next page, which `page_of` gave, and its parts."""
        for part in page.parts:
            self.add(part)
        self._pages += 1
        self._hang(0, b"page %d" % self._pages, page.head, 1)

    def finish(self, catalog: pdfdoc.PDFDictionary, info: pdfdoc.PDFDictionary) -> None:
        """Write the tree of the pages, the catalog, and what readers begin with. There is at least one page."""
        level = 0
        while level + 1 < len(self._open):
            self._close(level)
            level += 1
        root = self._open[level]
        self._write(root.name, written(_node(root)))
        catalog["Type"], catalog["Pages"] = "/Catalog", Reference(root.name)
        self._write(b"info", written(info))
        self._pack()
        # The catalog last, and not packed: `kotc` looks for the ticket near the end of a file.
        number = self._number(b"catalog")
        self._places[number - 1] = self._length
        self._put(b"%d 0 obj\n%b\nendobj\n" % (number, self._numbered(written(catalog))))
        identity = b"<%b>" % self._digest.hexdigest()[:32].encode("ascii")
        start = self._length
        self._places[self._number(b"cross-reference") - 1] = start
        # 7.5.8: of each object its kind, its place in 5 bytes, and 2 for its place within a stream.
        rows = bytearray(b"\0\0\0\0\0\0\xff\xff")
        for place in self._places:
            number, index = divmod(place - _PACKED, _PACKED_AT_ONCE) if place >= _PACKED else (place, 0)
            rows += b"%c%b%b" % (1 + (place >= _PACKED), number.to_bytes(5), index.to_bytes(2))
        packed = zlib.compress(rows)
        entries = dictionary(
            Type="/XRef", Size=1 + len(self._places), W=[1, 5, 2], Filter="/FlateDecode", Length=len(packed)
        )
        entries["Root"], entries["Info"] = Reference(b"catalog"), Reference(b"info")
        entries["ID"] = b"[%b %b]" % (identity, identity)
        self._write(b"cross-reference", written(entries), packed)
        self._put(b"startxref\n%d\n%%%%EOF\n" % start)

    def _hang(self, level: int, name: bytes, head: bytes, pages: int) -> None:
        """Write a page, or a node of pages, and hang it on the open node above it."""
        if level == len(self._open):
            self._open.append(self._new_node())
        elif len(self._open[level].kids) == _MOST_KIDS:
            self._close(level)
        above = self._open[level]
        self._write(name, head.replace(written(_ABOVE), written(Reference(above.name))))
        above.kids.append(Reference(name))
        above.pages += pages

    def _close(self, level: int) -> None:
        node, self._open[level] = self._open[level], self._new_node()
        self._hang(level + 1, node.name, written(_within(_node(node))), node.pages)

    def _new_node(self) -> _Node:
        self._nodes += 1
        return _Node(b"node %d" % self._nodes)

    def _write(self, name: bytes, head: bytes, stream: bytes | None = None) -> None:
        number = self._number(name)
        text = self._numbered(head)
        if stream is None:
            self._waiting.append((number, text))
            self._places[number - 1] = _PACKED
            if len(self._waiting) == _PACKED_AT_ONCE:
                self._pack()
            return
        self._places[number - 1] = self._length
        self._put(b"%d 0 obj\n%b\nstream\n" % (number, text))
        self._put(stream)
        self._put(b"\nendstream\nendobj\n")

    def _pack(self) -> None:
        """Write the objects that wait, if any, as one stream: their numbers and places first, then the objects."""
        if not self._waiting:
            return
        self._streams += 1
        name, places, length = b"objects %d" % self._streams, list[int](), 0
        for _, text in self._waiting:
            places.append(length)
            length += len(text) + 1
        for index, (number, _) in enumerate(self._waiting):
            self._places[number - 1] = _PACKED + self._number(name) * _PACKED_AT_ONCE + index
        first = b" ".join(b"%d %d" % (number, at) for (number, _), at in zip(self._waiting, places, strict=True))
        packed = zlib.compress(b"\n".join((first, *(text for _, text in self._waiting))))
        entries = dictionary(
            Type="/ObjStm", N=len(places), First=len(first) + 1, Filter="/FlateDecode", Length=len(packed)
        )
        self._waiting.clear()
        self._write(name, written(entries), packed)

    def _number(self, name: bytes) -> int:
        """Return the number of an object, which gets one when it is first named."""
        number = self._numbers.get(name)
        if number is None:
            self._places.append(0)
            number = self._numbers[name] = len(self._places)
        return number

    def _numbered(self, head: bytes) -> bytes:
        return _REFERENCE.sub(lambda match: b"%d 0 R" % self._number(match[1]), head)

    def _put(self, data: bytes) -> None:
        self._out.write(data)
        self._digest.update(data)
        self._length += len(data)


def _node(node: _Node) -> pdfdoc.PDFDictionary:
    return dictionary(Type="/Pages", Count=node.pages, Kids=node.kids)
