"""Values of a PDF as plain ones. Whatever a file holds in place of a number or a list, nothing here fails.

Work is counted: a small file that unpacks to more than anybody could print is given up, and reported.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Stream

_PIECE = 1 << 20  # bytes unpacked at a time
_PACKED = {"FlateDecode", "Fl", "LZWDecode", "LZW", "RunLengthDecode", "RL"}
_LARGEST = 64 << 20  # bytes of one stream, unpacked: a picture of 600 dpi on a card has 13 million
_LARGEST_PACKED = 1 << 20  # bytes packed with old filters, which can only be unpacked as a whole
MAX_DEPTH = 40  # of values in values and forms in forms


class TooMuchWork(Exception):
    """A file asks for more work than anybody could want. What was found until then stays true."""


class TooLarge(TooMuchWork):
    """One thing is too large to be examined; other things are not."""


@dataclass(slots=True)
class Effort:
    """The work that a file may still ask for: bytes unpacked, and steps of reading what is drawn."""

    bytes: float = math.inf
    steps: float = math.inf

    def step(self, count: int = 1) -> None:
        self.steps -= count
        if self.steps < 0:
            raise TooMuchWork("it draws more than anybody could print")

    def unpack(self, count: int) -> None:
        self.bytes -= count
        if self.bytes < 0:
            raise TooMuchWork("it unpacks to more than anybody could print")


def unpack_stream(stream: Stream, effort: Effort, most: int = _LARGEST) -> bytes:
    """Return the unpacked bytes of a stream; TooMuchWork if there are too many, PdfError if it is damaged."""
    packed = [name for name in filters(stream) if name in _PACKED]
    if not packed:
        data = stream.read_bytes()
        effort.unpack(len(data))
        return data
    if len(packed) > 1 or packed[0] not in ("FlateDecode", "Fl"):
        if len(stream.read_raw_bytes()) > _LARGEST_PACKED or len(packed) > 1:
            raise TooLarge("something is packed in a way that cannot be unpacked in bounds")
        effort.unpack(_LARGEST_PACKED * 64)  # the growth assumed for them
        return stream.read_bytes()
    effort.unpack(inflated_length(stream.read_raw_bytes(), most))
    return stream.read_bytes()


def inflated_length(data: bytes, most: int) -> int:
    """Return the unpacked length of Flate data, as far as they can be read; TooLarge if it is over `most`."""
    return sum(len(piece) for piece in inflated(data, most))


def inflated(data: bytes, most: int) -> Iterator[bytes]:
    """Yield Flate data unpacked in pieces, as far as they can be read; TooLarge if there are over `most` bytes."""
    unpacking, length = zlib.decompressobj(), 0
    while not unpacking.eof:
        try:
            piece = unpacking.decompress(data, _PIECE)
        except zlib.error:
            return
        data = unpacking.unconsumed_tail
        length += len(piece)
        if length > most:
            raise TooLarge("something unpacks to more than anybody could print")
        if not piece:
            return
        yield piece


def filters(stream: Stream) -> list[str]:
    """Return the filters of a stream, outermost first, without their slashes."""
    return [as_name(name) for name in as_items(stream.get("/Filter"))]


def as_dictionary(value: object) -> Dictionary:
    """Return a dictionary; an empty one for anything else. For a stream, it is that of its entries."""
    if isinstance(value, Stream):
        return value.stream_dict
    return value if isinstance(value, Dictionary) else Dictionary()


def as_items(value: object) -> list[Object]:
    """Return the items of an array; [] for None; any other value as the only item."""
    if isinstance(value, Array):
        return list(value)
    return [] if value is None else [value]  # type: ignore[list-item]


def as_array(value: object) -> list[Object]:
    """Return the items of an array; [] for anything else."""
    return list(value) if isinstance(value, Array) else []


def as_entries(value: object) -> list[tuple[str, Object]]:
    """Return the entries of a dictionary, sorted, keys without their slashes."""
    return [(key[1:], one) for key, one in sorted(as_dictionary(value).items())]


def as_number(value: object, default: float = math.nan) -> float:
    """Return a finite number; the default for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return default
    made = float(value)
    return made if math.isfinite(made) else default


def as_numbers(value: object, count: int | None = None) -> list[float]:
    """Return the numbers of an array; [] if any item is none, or if there are not `count` of them."""
    found = [as_number(one) for one in as_array(value)]
    if any(map(math.isnan, found)) or (count is not None and len(found) != count):
        return []
    return found


def as_integer(value: object, default: int = 0) -> int:
    """Return a whole number of bounded size; the default for anything else."""
    made = as_number(value, math.nan)
    return int(made) if abs(made) < 1 << 40 else default


def as_name(value: object) -> str:
    """Return a name without its slash, or a string; "" for anything else."""
    if isinstance(value, Name):
        return str(value)[1:]
    if isinstance(value, pikepdf.String):
        return as_string(value)
    return ""


def as_string(value: object) -> str:
    """Return a string as text; "" for anything else."""
    try:
        return str(value) if isinstance(value, pikepdf.String) else ""
    except UnicodeError:
        return bytes(value).decode("latin-1") if isinstance(value, pikepdf.String) else ""


def is_true(value: object) -> bool:
    """Return whether a value is `true`."""
    return value is True


def is_false(value: object) -> bool:
    """Return whether a value is `false`."""
    return value is False


def key_of(value: object) -> tuple[int, int] | None:
    """Return the object number by which a value is recognized; None for one that has none."""
    known = value.objgen if isinstance(value, Object) else (0, 0)
    return None if known == (0, 0) else known
