"""Spreadsheets as packages: zip files of XML, unpacked and parsed within bounds.

Only the parts that hold cells are looked at, whatever else lies in the package. A document type, and with it every
entity, is refused, so that no entity can grow and nothing outside the file is read. What a package says of its sizes is
not believed: what comes out of it is counted.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import NoReturn
from xml.parsers import expat

from render.base.findings import quoted
from render.source.tables.cells import TableTooLarge

MAX_PACKED = 16 << 20  # bytes of a file: pictures may lie in it
MAX_PARTS = 5_000  # of a package: each sheet is one, each picture another
MAX_UNPACKED = 128 << 20  # bytes of all parts that are read: a million empty rows take 80 MB
MAX_ELEMENTS = 2_500_000  # of all these: a million empty rows with a cell each, which take some seconds
MAX_DEPTH = 200  # of elements: a cell lies ten deep
MAX_TOKEN = 4 << 20  # bytes without an element or a text: older parsers start over with each block of such a thing
MAX_PACKAGE_TEXT = 16 << 20  # characters: as many as the card files of a set

_BLOCK = 1 << 16
_ENTRY = b"PK\x01\x02"  # begins an entry in the directory of a package
_ENCRYPTED = 0x1  # a flag of an entry
_ENCODINGS = ("utf-8", "utf-16", "iso-8859-1", "us-ascii")  # that expat reads itself; Python's codecs may read anything

Attributes = Mapping[str, str]


class UnreadableTable(Exception):
    """A file is no spreadsheet that can be read; the message says why, the hint what to do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


DAMAGED = "open it in the spreadsheet program, and save it as .xlsx or .ods"
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
    """The parts of a spreadsheet; UnreadableTable if the file is no package, or TableTooLarge."""

    def __init__(self, content: bytes) -> None:
        if content.count(_ENTRY) > MAX_PARTS:
            raise TableTooLarge(f"the file has more than {MAX_PARTS:,} parts", DAMAGED)
        try:
            self._zip = zipfile.ZipFile(BytesIO(content))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
            raise UnreadableTable("the file is damaged: it is no whole package", DAMAGED) from None
        self._entries = {entry.filename: entry for entry in self._zip.infolist()}
        self._unpacked = self._elements = 0

    def has(self, name: str) -> bool:
        """Return whether there is a part of that name."""
        return name in self._entries

    def read(self, name: str, take: Callable[[bytes], None]) -> None:
        """Give the bytes of a part to `take`, block by block; UnreadableTable or TableTooLarge."""
        entry = self._entries.get(name)
        if entry is None:
            raise UnreadableTable(f"the file is damaged: it has no `{name[:60]}`", DAMAGED)
        if entry.flag_bits & _ENCRYPTED:
            raise UnreadableTable(LOCKED, UNLOCK)
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise UnreadableTable("the file is packed in an unusual way", DAMAGED)
        try:
            with self._zip.open(entry) as stream:
                while block := stream.read(_BLOCK):
                    self._unpacked += len(block)
                    if self._unpacked > MAX_UNPACKED:
                        message = f"the file unpacks to more than {MAX_UNPACKED >> 20} MiB"
                        raise TableTooLarge(message, "delete the empty rows and columns below and beside the cards")
                    take(block)
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError):
            raise UnreadableTable("the file is damaged: it cannot be unpacked", DAMAGED) from None

    def head(self, name: str) -> bytes:
        """Return a whole small part."""
        blocks: list[bytes] = []
        self.read(name, blocks.append)
        return b"".join(blocks)

    def parse(self, name: str, handler: PartHandler) -> None:
        """Tell the handler of the elements of a part."""
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        depth = fed = 0
        local: dict[str, str] = {}  # names without what says where they are from: there are few

        def start(element: str, attributes: dict[str, str]) -> None:
            nonlocal depth
            depth += 1
            self._elements += 1
            if self._elements > MAX_ELEMENTS:
                message = f"the file has more than {MAX_ELEMENTS:,} rows and cells, empty ones too"
                raise TableTooLarge(message, "delete the empty rows and columns below and beside the cards")
            if depth > MAX_DEPTH:
                raise UnreadableTable(f"the file is damaged: elements nest more than {MAX_DEPTH} deep", DAMAGED)
            name = local.get(element) or local.setdefault(element, element.rpartition(" ")[2])
            handler.start(name, attributes)

        def end(element: str) -> None:
            nonlocal depth
            depth -= 1
            handler.end(local[element])

        def take(block: bytes) -> None:
            nonlocal fed
            parser.Parse(block, False)
            fed += len(block)
            if fed - parser.CurrentByteIndex > MAX_TOKEN:
                raise TableTooLarge(f"a part of the file is longer than {MAX_TOKEN >> 20} MiB", DAMAGED)

        parser.StartElementHandler, parser.EndElementHandler = start, end
        parser.CharacterDataHandler = handler.characters
        parser.StartDoctypeDeclHandler = _refuse_document_type
        parser.XmlDeclHandler = _check_encoding
        try:
            self.read(name, take)
            parser.Parse(b"", True)
        except expat.ExpatError:
            raise UnreadableTable("the file is damaged: a part of it is no XML", DAMAGED) from None


def _check_encoding(_version: str, encoding: str | None, _standalone: int) -> None:
    if encoding and encoding.lower() not in _ENCODINGS:
        raise UnreadableTable(f"the file is damaged: a part of it is in the encoding {quoted(encoding)}", DAMAGED)


def _refuse_document_type(*_: object) -> NoReturn:
    raise UnreadableTable("the file has a document type, which spreadsheets do not have", DAMAGED)
