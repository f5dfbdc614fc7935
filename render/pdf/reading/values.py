"""Values of a PDF as plain ones. Whatever a file holds in place of a number or a list, nothing here fails."""

from __future__ import annotations

import hashlib
import math
import zlib
from collections.abc import Collection, Iterator
from decimal import Decimal

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Stream

from render.base.geometry import Affine

MAX_DEPTH = 40  # of values in values and forms in forms
BOXES = ("MediaBox", "CropBox", "BleedBox", "TrimBox", "ArtBox")  # ISO 32000-1, 14.11.2
_PIECE = 1 << 20  # bytes unpacked at a time

Corners = tuple[float, float, float, float]
"""Left, bottom, right and top of a box, in points."""


def inflated(data: bytes) -> Iterator[bytes]:
    """Yield Flate data unpacked in pieces, as far as they can be read."""
    unpacking = zlib.decompressobj()
    while not unpacking.eof:
        try:
            piece = unpacking.decompress(data, _PIECE)
        except zlib.error:
            return
        data = unpacking.unconsumed_tail
        if not piece:
            return
        yield piece


def filters(stream: Stream) -> list[str]:
    """Return the filters of a stream, outermost first, without their slashes."""
    return [as_name(name) for name in as_items(stream.get("/Filter"))]


# --- plain values ---------------------------------------------------------------------------------------------------


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
    if type(value) not in _NUMBERS:
        return default
    number = float(value)  # type: ignore[arg-type] # it is one of these
    return number if math.isfinite(number) else default


_NUMBERS = frozenset((int, float, Decimal))  # and no bool, which is an int as well


def as_numbers(value: object, count: int | None = None) -> list[float]:
    """Return the numbers of an array; [] if any item is none, or if there are not `count` of them."""
    numbers = [as_number(one) for one in as_array(value)]
    if any(map(math.isnan, numbers)) or (count is not None and len(numbers) != count):
        return []
    return numbers


def as_integer(value: object, default: int = 0) -> int:
    """Return a whole number of bounded size; the default for anything else."""
    number = as_number(value)
    return int(number) if abs(number) < 1 << 40 else default


def read_widths(value: object) -> dict[int, float]:
    """Return widths of glyphs by character id: `first [w w w]` and `first last w` (9.7.4.3); nan for what is no number."""
    widths, parts, at = dict[int, float](), as_array(value), 0
    while at + 1 < len(parts):
        first, listed = as_integer(parts[at], -1), parts[at + 1]
        if isinstance(listed, Array):
            widths |= {first + number: as_number(width) for number, width in enumerate(as_array(listed))}
            at += 2
        else:
            width = as_number(parts[at + 2]) if at + 2 < len(parts) else math.nan
            widths |= dict.fromkeys(range(max(first, 0), min(as_integer(listed, -1), 65_535) + 1), width)
            at += 3
    return widths


def as_name(value: object) -> str:
    """Return a name without its slash, or a string; "" for anything else."""
    if isinstance(value, Name):
        try:
            return str(value)[1:]
        except UnicodeError:
            return value.unparse()[1:].decode("latin-1")
    return as_string(value)


def as_string(value: object) -> str:
    """Return a string as text; "" for anything else."""
    try:
        return str(value) if isinstance(value, pikepdf.String) else ""
    except UnicodeError:
        return bytes(value).decode("latin-1") if isinstance(value, pikepdf.String) else ""


def is_true(value: object) -> bool:
    return value is True


def is_false(value: object) -> bool:
    return value is False


def as_matrix(value: object) -> Affine:
    """Return a matrix; the identity for anything else."""
    return Affine(*as_numbers(value, 6))


def as_corners(value: object) -> Corners | None:
    """Return a box with its corners in order, since a PDF may give any two of them (7.9.5); None for anything else."""
    values = as_numbers(value, 4)
    if not values:
        return None
    (left, right), (bottom, top) = sorted(values[::2]), sorted(values[1::2])
    return left, bottom, right, top


def key_of(value: object) -> tuple[int, int] | None:
    """Return the object number by which a value is recognized; None for one that has none."""
    number = value.objgen if isinstance(value, Object) else (0, 0)
    return None if number == (0, 0) else number


# --- pages and digests ----------------------------------------------------------------------------------------------


def inherited(page: Object, key: str) -> Object | None:
    """Return an entry of a page, or of the nodes above it in the page tree (ISO 32000-1, 7.7.3.4)."""
    node = page
    for _ in range(MAX_DEPTH):
        if key in node or not isinstance(node.get("/Parent"), Dictionary):
            break
        node = node["/Parent"]
    entry: Object | None = node.get(key)
    return entry


def page_boxes(page: Object) -> dict[str, Corners]:
    """Return the boxes that a page has, by name; the media box of one without is the US Letter that viewers take."""
    values = {name: inherited(page, f"/{name}") if name in BOXES[:2] else page.get(f"/{name}") for name in BOXES}
    boxes = {name: as_corners(value) for name, value in values.items()}
    return {"MediaBox": (0.0, 0.0, 612.0, 792.0)} | {name: box for name, box in boxes.items() if box is not None}


_OF_PACKING = ("/Length", "/Filter", "/DecodeParms")


def digest(value: object, ignored: Collection[str] = ("/Parent", "/Metadata", "/PieceInfo", "/StructParents")) -> bytes:
    """Return a digest of a value with all that it refers to: of a form, for one, its content and its resources.

    How streams are packed without loss, the numbers of objects, and the order of entries do not count.
    """
    known: dict[tuple[int, int], bytes] = {}

    def of(one: object, depth: int) -> bytes:
        key = key_of(one)
        if key is None or depth > MAX_DEPTH:
            return computed(one, depth)
        if key not in known:
            known[key] = b"itself"  # where it refers to itself
            known[key] = computed(one, depth)
        return known[key]

    def computed(one: object, depth: int) -> bytes:
        summary = hashlib.sha256()
        if depth > MAX_DEPTH:
            summary.update(b"deep")
        elif isinstance(one, Array):
            summary.update(b"[%d" % len(one) + b"".join(of(item, depth + 1) for item in one))
        elif isinstance(one, Dictionary | Stream):
            entries, data = sorted(one.items()), b""
            if isinstance(one, Stream):
                try:
                    data = one.read_bytes()
                    entries = [entry for entry in entries if entry[0] not in _OF_PACKING]
                except pikepdf.PdfError:  # packed with loss, as a JPEG is
                    data = one.read_raw_bytes()
                    entries = [entry for entry in entries if entry[0] != "/Length"]
            for name, item in entries:
                if name not in ignored:
                    summary.update(name.encode() + b"\0" + of(item, depth + 1))
            summary.update(b"<%d" % len(data) + data)
        elif isinstance(one, Name | pikepdf.String):
            summary.update(one.unparse())
        else:
            number = as_number(one)
            summary.update(repr(one if math.isnan(number) else number).encode())
        return summary.digest()

    return of(value, 0)
