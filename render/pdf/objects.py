"""The objects of a PDF file: finished pieces, each named by what it holds, so that equal ones are in a file once.

ReportLab writes the values in them. Only the numbers by which objects name each other are missing: `render.pdf.file`
puts them in.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Mapping
from operator import itemgetter

from msgspec import Struct
from reportlab.pdfbase import pdfdoc

from render.base.caches import cached
from render.images.resample import PixelSize
from render.scene.items import Picture

MARK = b"\x01"
"""What stands in a head before and after the name of another object; strings and names in a PDF have it only escaped."""

_PLAIN = pdfdoc.DummyDoc()  # ReportLab asks a document how to encrypt: not at all


class Shown(Struct, frozen=True):
    """A picture as it is shown: the name of its object, and as how many pixels it is printed there."""

    name: str
    picture: Picture
    size: PixelSize


class Piece(Struct, frozen=True):
    """An object of a file but for the numbers of others: the text of its dictionary, and its stream if it has one.

    `parts` are the objects that it names. Fonts and pictures are made once all of a file is known: `fonts` are the
    glyphs of each face that its stream shows, and what they stand for; `pictures` is what it draws.
    """

    name: bytes
    head: bytes
    stream: bytes | None = None
    parts: tuple[Piece, ...] = ()
    fonts: Mapping[str, Mapping[int, str]] = {}
    pictures: tuple[Shown, ...] = ()


class Reference(pdfdoc.PDFObject):  # type: ignore[misc] # ReportLab has no types
    """The place of an object's number in the text of another one."""

    def __init__(self, name: bytes) -> None:
        self.name = name

    def format(self, _document: object) -> bytes:
        """Return what stands there until the numbers are known; ReportLab calls this."""
        return MARK + self.name + MARK


class _Dictionary(pdfdoc.PDFDictionary):  # type: ignore[misc] # ReportLab has no types
    """A dictionary whose names are made once: those of a card are on each card."""

    def format(self, document: object) -> bytes:
        """Return it as it stands in a file, with its entries in order; ReportLab calls this."""
        entries = sorted(self.dict.items(), key=itemgetter(0))
        rows = [_key(key) + pdfdoc.format(value, document) for key, value in entries]
        lines = [b" ".join(rows[start : start + _ON_A_LINE]) for start in range(0, len(rows), _ON_A_LINE)]
        return b"<<\n%b\n>>" % b" \n  ".join(lines)


_ON_A_LINE = 6  # entries


def to(piece: Piece) -> Reference:
    return Reference(piece.name)


def font_name(face: str) -> bytes:
    """Return what the font object of a face is called."""
    return b"font " + face.encode("utf-8", "surrogateescape")


def picture_name(picture: Shown) -> bytes:
    """Return what the object of a picture is called."""
    return b"picture " + picture.name.encode("ascii")


def dictionary(**entries: object) -> pdfdoc.PDFDictionary:
    """Return a dictionary; texts that begin with `/` are names, and lists are arrays."""
    return _Dictionary({key: _object(value) for key, value in entries.items()})


def array(values: Iterable[object]) -> pdfdoc.PDFArray:
    return pdfdoc.PDFArray(list(map(_object, values)))


def string(ascii_text: str) -> bytes:
    """Return a text of printable ASCII letters as a string, at once: ReportLab makes a list of its letters."""
    escaped = ascii_text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"({escaped})".encode("ascii")


def written(value: object) -> bytes:
    """Return a value as it stands in a file."""
    text: bytes = pdfdoc.format(value, _PLAIN)
    return text


def piece(
    entries: pdfdoc.PDFDictionary,
    stream: bytes | None = None,
    parts: Iterable[Piece] = (),
    fonts: Mapping[str, Mapping[int, str]] | None = None,
    pictures: Iterable[Shown] = (),
) -> Piece:
    """Return a finished object; `stream` is as its entries say, packed or not."""
    if stream is not None:
        entries["Length"] = len(stream)
    head, parts, pictures, fonts = written(entries), tuple(parts), tuple(pictures), fonts or {}
    name = name_of(head, stream, [part.name for part in parts], fonts, pictures)
    return Piece(name, head, stream, parts, fonts, pictures)


def name_of(
    head: bytes, stream: bytes | None, parts: Iterable[bytes], fonts: Iterable[str], pictures: Iterable[Shown]
) -> bytes:
    """Return the name of an object with these parts: a digest of what it holds."""
    summary = hashlib.sha256(head)
    summary.update(stream or b"")
    # A page names what its stream shows, and not the stream: two streams may say the same, and show other things.
    summary.update("\0".join((*fonts, *(each.name for each in pictures))).encode("utf-8", "surrogateescape"))
    for part in parts:
        summary.update(part)
    return summary.hexdigest()[:32].encode("ascii")  # 128 bits tell all objects ever made apart


def packed(content: bytes, **entries: object) -> Piece:
    """Return a stream with these entries, packed here."""
    return piece(dictionary(Filter="/FlateDecode", **entries), zlib.compress(content))


@cached(1024)
def _key(name: str) -> bytes:
    return _name(name) + b" "


@cached(1024)
def _name(name: str) -> bytes:
    text: str = pdfdoc.PDFName(name)
    return text.encode("ascii")


def _object(value: object) -> object:
    if isinstance(value, str) and value.startswith("/"):
        return _name(value[1:])
    return array(value) if isinstance(value, list) else value
