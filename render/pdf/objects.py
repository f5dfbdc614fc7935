"""The objects of a PDF file: finished pieces, each named by what it holds, so that equal ones are in a file once.

A value is a dictionary, a list, a number, a `Text`, a `Reference`, or a string: a name if it begins with `/`, and else what
stands in the file. Only the numbers by which objects name each other are missing: `render.pdf.file` puts them in.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Mapping, Sequence
from math import log10
from typing import assert_never

from msgspec import Struct

from render.base.caches import cached
from render.images.resample import PixelSize
from render.scene.items import Picture

MARK = b"\x01"
"""What stands in a head before and after the name of another object; strings and names in a PDF have it only escaped."""

Dictionary = dict[str, "Value"]


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


class Reference(Struct, frozen=True):
    """The place of an object's number in the text of another one, by the object's name."""

    name: bytes


class Text(Struct, frozen=True):
    """Words for people or programs, such as a title."""

    words: str


Value = Dictionary | Sequence["Value"] | float | str | bytes | Text | Reference


def to(piece: Piece) -> Reference:
    return Reference(piece.name)


def font_name(face: str) -> bytes:
    """Return what the font object of a face is called."""
    return b"font " + face.encode("utf-8", "surrogateescape")


def picture_name(picture: Shown) -> bytes:
    """Return what the object of a picture is called."""
    return b"picture " + picture.name.encode("ascii")


def dictionary(**entries: Value) -> Dictionary:
    return entries


def piece(
    entries: Dictionary,
    stream: bytes | None = None,
    parts: Iterable[Piece] = (),
    fonts: Mapping[str, Mapping[int, str]] | None = None,
    pictures: Iterable[Shown] = (),
) -> Piece:
    """Return a finished object; `stream` is as its entries say, packed or not."""
    if stream is not None:
        entries["Length"] = len(stream)
    head, parts, pictures, fonts = written(entries), tuple(parts), tuple(pictures), fonts or {}
    summary = hashlib.sha256(head + (stream or b""))
    # A page names what its stream shows, and not the stream: two streams may say the same, and show other things.
    summary.update("\0".join((*fonts, *(each.name for each in pictures))).encode("utf-8", "surrogateescape"))
    for part in parts:
        summary.update(part.name)
    name = summary.hexdigest()[:32].encode("ascii")  # 128 bits tell all objects ever made apart
    return Piece(name, head, stream, parts, fonts, pictures)


def packed(content: bytes, **entries: Value) -> Piece:
    """Return a stream with these entries, packed here."""
    return piece(dictionary(Filter="/FlateDecode", **entries), zlib.compress(content))


# --- values -----------------------------------------------------------------------------------------------------------


def written(value: Value) -> bytes:
    """Return a value as it stands in a file (ISO 32000-1, 7.3)."""
    match value:
        case dict():
            entries = ((_name(key), written(value[key])) for key in sorted(value))
            # Between a key and what begins with a delimiter no space is needed (7.2.2).
            return b"<<%b>>" % b"".join(key + b" "[text[:1] in b"/([<" :] + text for key, text in entries)
        case str():
            return _name(value[1:]) if value.startswith("/") else value.encode("ascii")
        case int() | float():
            return _number(value)
        case Reference():
            return MARK + value.name + MARK
        case Text():
            return b"(%b)" % b"".join(map(_escaped, _encoded(value.words)))
        case bytes():
            return value
        case Sequence():
            return b"[%b]" % b" ".join(map(written, value))
        case _:
            assert_never(value)


@cached(4096)
def _name(name: str) -> bytes:
    """Return a name; what is no regular character stands in it as `#` with its number (7.3.5)."""
    return "".join(
        ["/", *(f"#{ord(each):02x}" if each in _ODD or not "!" <= each <= "~" else each for each in name)]
    ).encode()


_ODD = "/%()<>{}[]#"


def _number(value: float) -> bytes:
    """Return a number with seven digits at most, and no more than six behind the point."""
    size = abs(value)
    if size <= 1e-7:
        return b"0"
    digits = 6 if size <= 1 else max(0, 6 - int(log10(size)))
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if digits else text
    return (text[1:] if text.startswith("0.") else text).encode()


def _encoded(words: str) -> bytes:
    """Return the bytes of a text: in PDF's own encoding, which is that of Latin 1 but for these, or in UTF-16 (7.9.2)."""
    try:
        return words.translate(_OF_PDF).encode("latin-1")
    except UnicodeEncodeError:
        return b"\xfe\xff" + words.encode("utf-16-be")


_OF_PDF = {
    **dict.fromkeys((*range(0x18, 0x20), *range(0x7F, 0xA1), 0xAD), "\ufffd"),  # not in it
    **{ord(sign): chr(0x18 + at) for at, sign in enumerate("˘ˇˆ˙˝˛˚˜")},
    **{ord(sign): chr(0x80 + at) for at, sign in enumerate("•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž")},
    ord("€"): "\xa0",
}  # table D.2


def _escaped(byte: int) -> bytes:
    """Return a byte of a text between parentheses (table 3)."""
    sign = b"%c" % byte
    return b"\\" + sign if sign in b"\\()" else sign if 32 <= byte < 127 else b"\\%03o" % byte
