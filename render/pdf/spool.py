"""Finished pieces as bytes, outside of memory: so a set of any size can be drawn before its pages are put together.

The bytes are what a second process sends, and what the store of faces keeps; reading them executes nothing.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from render.base.caches import from_text
from render.base.spill import Spill
from render.pdf.objects import Piece, Shown, name_of
from render.text.font_files.font_face import Location, OwnFace
from render.text.fonts import FILES

_IN_MEMORY = 2 << 20  # bytes of pieces; what comes later lies in a temporary file, which ends with the process
_LENGTH = 32  # bits: a piece has less than 4 GiB
_READY = 512  # pieces that are kept as such: parts that cards share, such as 150 gradients and layers of one face


class _Font(Struct, array_like=True):
    face: str
    own: tuple[str, bytes, str, Location] | None  # name, file, digest and place of a face of a set's own
    glyphs: dict[int, str]


class PackedPiece(Struct, array_like=True):
    """A piece as it is packed, with the names of those that it names."""

    head: bytes
    stream: bytes | None
    parts: tuple[bytes, ...]
    fonts: tuple[_Font, ...]
    pictures: tuple[Shown, ...]

    @property
    def files(self) -> Iterator[tuple[str, str]]:
        """The files of its pictures and of a set's own fonts, each with its SHA-256."""
        yield from ((str(each.picture.file), each.picture.digest) for each in self.pictures)
        yield from ((os.fsdecode(each.own[1]), each.own[2]) for each in self.fonts if each.own)


_ENCODER = msgspec.msgpack.Encoder(enc_hook=str)  # of paths
_DECODER = msgspec.msgpack.Decoder(PackedPiece, dec_hook=from_text)


def packed(piece: Piece, known: set[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Yield the names and bytes of a piece and all that it names, but for those whose names are `known`."""
    if piece.name in known:
        return
    known.add(piece.name)
    for part in piece.parts:
        yield from packed(part, known)
    yield piece.name, _bytes_of(piece)


def _bytes_of(piece: Piece) -> bytes:
    fonts = tuple(
        _Font(str(face), (face.called, os.fsencode(face.file), face.digest, face.location), dict(glyphs))
        if isinstance(face, OwnFace)
        else _Font(face, None, dict(glyphs))
        for face, glyphs in piece.fonts.items()
    )
    parts = tuple(part.name for part in piece.parts)
    return _ENCODER.encode(PackedPiece(piece.head, piece.stream, parts, fonts, piece.pictures))


def _face_of(font: _Font) -> str:
    if not font.own:
        return font.face
    called, file, digest, location = font.own
    return OwnFace(called, from_text(Path, os.fsdecode(file)), digest, location)


def unpacked(name: bytes, data: bytes) -> PackedPiece | None:
    """Return the piece of that name that was packed as these bytes; None if they are none, or those of another one."""
    with suppress(msgspec.MsgspecError):
        row = _DECODER.decode(data)
        if name == name_of(row.head, row.stream, row.parts, (font.face for font in row.fonts), row.pictures):
            return row if all(font.own or font.face in FILES for font in row.fonts) else None
    return None


class Spool:
    """Packed pieces by their names. It need not be closed."""

    def __init__(self) -> None:
        # Their bytes, or where these lie: a number takes less memory than a `Part`.
        self._packed: dict[bytes, bytes | int] = {}
        self._length, self._spill = 0, Spill()
        self._ready: OrderedDict[bytes, Piece] = OrderedDict()

    def put(self, name: bytes, data: bytes) -> None:
        """Add the bytes of a piece. OSError if the disk is full."""
        if name not in self._packed:
            self._packed[name] = data if self._length < _IN_MEMORY else self._spilled(data)
            self._length += len(data)

    def _spilled(self, data: bytes) -> int:
        part = self._spill.put(data)
        return part.begin << _LENGTH | part.length

    def add(self, piece: Piece) -> None:
        """Add a piece and all that it names. OSError if the disk is full."""
        if piece.name not in self._packed:
            for part in piece.parts:
                self.add(part)
            self.put(piece.name, _bytes_of(piece))

    def data(self, name: bytes) -> bytes:
        """Return the bytes of a piece that is there."""
        packed = self._packed[name]
        if isinstance(packed, bytes):
            return packed
        return self._spill.read(packed >> _LENGTH, packed & (1 << _LENGTH) - 1)

    def piece(self, name: bytes) -> Piece:
        """Return a piece that is there, and with it those that it names."""
        if name in self._ready:
            self._ready.move_to_end(name)
            return self._ready[name]
        row = _DECODER.decode(self.data(name))
        fonts = {_face_of(font): font.glyphs for font in row.fonts}
        piece = Piece(name, row.head, row.stream, tuple(map(self.piece, row.parts)), fonts, row.pictures)
        self._ready[name] = piece
        if len(self._ready) > _READY:
            self._ready.popitem(last=False)
        return piece
