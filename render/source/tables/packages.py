"""Spreadsheets as packages: zip files of XML, unpacked and parsed.

Only the parts that hold cells are looked at, whatever else lies in the package. A document type, and with it every
entity, is refused, so that nothing outside the file is read.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import NoReturn
from xml.parsers import expat

from render.base.findings import quoted
from render.source.tables.cells import unreadable

_BLOCK = 1 << 16
_ENCRYPTED = 0x1  # a flag of an entry
_ENCODINGS = ("utf-8", "utf-16", "iso-8859-1", "us-ascii")  # that expat reads itself; Python's codecs may read anything

Attributes = Mapping[str, str]


LOCKED = "the file is protected by a password"
UNLOCK = "save it without a password"


class PartHandler:
    """Is told of the elements of a part by their names without prefix."""

    def start(self, name: str, attributes: Attributes) -> None:
        """An element begins; its attributes have the names that the part's namespaces give them."""

    def end(self, name: str) -> None:
        """An element ends."""

    def characters(self, words: str) -> None:
        """Words stand in an element, perhaps not all of them."""


class TablePackage:
    """The parts of a spreadsheet; Refused if the file is no package."""

    def __init__(self, content: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(BytesIO(content))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
            raise unreadable("the file is damaged: it is no whole package") from None
        self._entries = {entry.filename: entry for entry in self._zip.infolist()}

    def has(self, name: str) -> bool:
        """Return whether there is a part of that name."""
        return name in self._entries

    def read(self, name: str, take: Callable[[bytes], object]) -> None:
        """Give the bytes of a part to `take`, block by block; Refused."""
        entry = self._entries.get(name)
        if entry is None:
            raise unreadable(f"the file is damaged: it has no `{name[:60]}`")
        if entry.flag_bits & _ENCRYPTED:
            raise unreadable(LOCKED, UNLOCK)
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise unreadable("the file is packed in an unusual way")
        try:
            with self._zip.open(entry) as stream:
                while block := stream.read(_BLOCK):
                    take(block)
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError):
            raise unreadable("the file is damaged: it cannot be unpacked") from None

    def head(self, name: str) -> bytes:
        """Return a whole small part."""
        blocks: list[bytes] = []
        self.read(name, blocks.append)
        return b"".join(blocks)

    def parse(self, name: str, handler: PartHandler) -> None:
        """Tell the handler of the elements of a part."""
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        local: dict[str, str] = {}  # names without what says where they are from: there are few

        def start(element: str, attributes: dict[str, str]) -> None:
            name = local.get(element) or local.setdefault(element, element.rpartition(" ")[2])
            handler.start(name, attributes)

        def end(element: str) -> None:
            handler.end(local[element])

        parser.StartElementHandler, parser.EndElementHandler = start, end
        parser.CharacterDataHandler = handler.characters
        parser.StartDoctypeDeclHandler = _refuse_document_type
        parser.XmlDeclHandler = _check_encoding
        try:
            self.read(name, lambda block: parser.Parse(block, False))
            parser.Parse(b"", True)
        except expat.ExpatError:
            raise unreadable("the file is damaged: a part of it is no XML") from None


def _check_encoding(_version: str, encoding: str | None, _standalone: int) -> None:
    if encoding and encoding.lower() not in _ENCODINGS:
        raise unreadable(f"the file is damaged: a part of it is in the encoding {quoted(encoding)}")


def _refuse_document_type(*_: object) -> NoReturn:
    raise unreadable("the file has a document type, which spreadsheets do not have")
