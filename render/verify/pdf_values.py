"""Values of a PDF's objects as plain ones: numbers, names, boxes; and which entries our files' dictionaries have.

What a reader makes of an entry that `kotc` does not write is not known, and could be anything: another blend, a mask,
a layer that can be hidden. So such an entry is said.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from decimal import Decimal

from pikepdf import Array, Dictionary, Name, Object, Stream, String

from render.verify.faults import MAKE_AGAIN, NotReadable

DEEPEST = 12  # forms within forms: a face has five

Box = tuple[float, float, float, float]
"""Left, bottom, right and top of a page box, in points."""

BOXES = ("MediaBox", "CropBox", "BleedBox", "TrimBox", "ArtBox")

_STREAM = frozenset({"/Length", "/Filter"})
ENTRIES = {
    "the file": frozenset({"/Type", "/Pages", "/Lang", "/PageMode", "/PieceInfo", "/ViewerPreferences"}),
    "a file for a press": frozenset({"/OutputIntents", "/Metadata"}),
    "a page": frozenset(
        {
            "/Type",
            "/Parent",
            "/Contents",
            "/Resources",
            "/Rotate",
            "/UserUnit",
            "/Annots",
            *(f"/{box}" for box in BOXES),
        }
    ),
    "the list of pages": frozenset(
        {"/Type", "/Count", "/Kids", "/Parent", "/Resources", "/Rotate", *(f"/{box}" for box in BOXES)}
    ),
    "resources": frozenset({"/Font", "/XObject", "/ProcSet", "/ExtGState"}),
    "a graphics state": frozenset({"/Type", "/OP", "/op", "/OPM"}),
    "a content stream": _STREAM,
    "a form": _STREAM | {"/Type", "/Subtype", "/FormType", "/BBox", "/Matrix", "/Resources"},
    "a picture": _STREAM
    | {"/Type", "/Subtype", "/Width", "/Height", "/BitsPerComponent", "/ColorSpace", "/DecodeParms"},
    "the hints for printing": frozenset({"/PrintScaling", "/Duplex", "/NumCopies"}),
}

_PIECE = 1_000_000  # bytes
TOO_MUCH = "it unpacks to more than anybody could print"


def unknown(entry: Object | None, kind: str) -> list[str]:
    """Return the entries of a dictionary or stream that `kotc` does not write in one of its kind, without slashes."""
    keys = entry.keys() if isinstance(entry, Dictionary | Stream) else ()
    return sorted(key[1:] for key in keys if key not in ENTRIES[kind])


def inflated(packed: bytes, most: int) -> Iterator[bytes]:
    """Yield what was packed with Flate in pieces; NotReadable if it is damaged, or more than `most` bytes."""
    if not packed:
        return
    unpacking, length = zlib.decompressobj(), 0
    try:
        while not unpacking.eof:
            piece = unpacking.decompress(packed, _PIECE)
            packed = unpacking.unconsumed_tail
            length += len(piece)
            if length > most:
                raise NotReadable("Q007", TOO_MUCH)
            if not piece and not unpacking.eof:
                raise NotReadable("Q001", "it is damaged: what is packed breaks off", MAKE_AGAIN)
            yield piece
    except zlib.error as error:
        raise NotReadable("Q001", f"it is damaged: {error}", MAKE_AGAIN) from None


def inherited(page: Object, key: str) -> Object | None:
    """Return an entry of a page, or that of the nodes of the pages' tree above it."""
    node = page
    for _ in range(DEEPEST):
        if key in node or not isinstance(node.get("/Parent"), Dictionary):
            break
        node = node["/Parent"]
    found: Object | None = node.get(key)
    return found


def streams(contents: Object | None) -> Iterator[Stream]:
    """Yield the streams of a page's content."""
    for stream in [contents] if isinstance(contents, Stream) else items(contents):
        if isinstance(stream, Stream):
            yield stream


def box(value: Object | None) -> Box | None:
    """Return a page box with its corners in order; nothing if there is none, nan if it is not made of numbers."""
    if value is None:
        return None
    corners = numbers(value)
    if len(corners) != 4:
        return (float("nan"),) * 4
    (left, right), (bottom, top) = sorted(corners[::2]), sorted(corners[1::2])
    return left, bottom, right, top


def items(value: Object | None) -> Iterator[Object]:
    """Yield the items of an array; of anything else, itself; of nothing, nothing."""
    if isinstance(value, Array):
        yield from value
    elif value is not None:
        yield value


def numbers(value: Object | None) -> list[float]:
    return [number(item, float("nan")) for item in items(value)]


def number(value: object, missing: float) -> float:
    return float(value) if isinstance(value, int | float | Decimal) else missing


def dictionary(value: object) -> Dictionary:
    """Return a dictionary; an empty one for anything else."""
    return value if isinstance(value, Dictionary) else Dictionary()


def string(value: object) -> str:
    return str(value) if isinstance(value, String) else ""


def word(value: object) -> str:
    """Return a name without its slash; numbers and words of other kinds as they are written."""
    if isinstance(value, Name):
        return str(value)[1:]
    return str(value) if isinstance(value, String | int | Decimal) else ""


# --- fonts and pictures ---------------------------------------------------------------------------------------------

MOST_WIDTHS = 70_000  # a font has at most 65 536 glyphs

_TYPE0 = {"/Type", "/Subtype", "/BaseFont", "/Encoding", "/DescendantFonts", "/ToUnicode"}
_CID = {"/Type", "/Subtype", "/BaseFont", "/CIDSystemInfo", "/FontDescriptor", "/DW", "/W", "/CIDToGIDMap"}
_DESCRIPTOR = {
    *("/Type", "/FontName", "/Flags", "/FontBBox", "/ItalicAngle", "/Ascent", "/Descent", "/CapHeight", "/StemV"),
    "/FontFile2",
}


def widths(value: Object | None) -> dict[int, float]:
    """Return the widths of glyphs, `glyph [width] glyph [width]`; nan for a glyph whose width is said otherwise."""
    listed = list(items(value))[: 2 * MOST_WIDTHS]
    found: dict[int, float] = {}
    for glyph, of in zip(listed[::2], listed[1::2], strict=False):
        single = numbers(of) if isinstance(of, Array) else []
        found[int(number(glyph, -1.0))] = single[0] if len(single) == 1 else float("nan")
    return found


def font_oddities(font: Dictionary, inner: list[Dictionary], descriptors: list[Dictionary]) -> Iterator[str]:
    """Yield the ways in which a font is put into a file otherwise than by `kotc`: as glyphs by their numbers."""
    if len(inner) != 1 or set(font.keys()) != _TYPE0 or word(font.get("/Subtype")) != "Type0":
        yield "it is not one of glyphs by their numbers"
        return
    (one,), (descriptor,) = inner, descriptors
    if set(one.keys()) != _CID or set(descriptor.keys()) != _DESCRIPTOR:
        yield "it has other entries than fonts of kotc"
    if len({word(held) for held in (font.get("/BaseFont"), one.get("/BaseFont"), descriptor.get("/FontName"))}) != 1:
        yield "it has several names"
    said = (
        word(font.get("/Encoding")),
        word(one.get("/Subtype")),
        word(one.get("/CIDToGIDMap")),
        number(one.get("/DW"), -1),
    )
    if said != ("Identity-H", "CIDFontType2", "Identity", 0.0):
        yield "its codes are not the numbers of its glyphs"
    system = dictionary(one.get("/CIDSystemInfo"))
    if [string(system.get(key)) for key in ("/Registry", "/Ordering")] != ["Adobe", "Identity"]:
        yield "its codes are those of another list of characters"


def is_plain_picture(image: Stream, filters: list[str], size: tuple[int, int, int], unpacked: int) -> bool:
    """Whether a picture is packed as `kotc` does it: a JPEG, or rows of 8 bits behind the number of a filter."""
    width, height, channels = size
    if channels == 0 or number(image.get("/BitsPerComponent"), 0) != 8 or min(width, height) < 1:
        return False
    how = image.get("/DecodeParms")
    if filters == ["DCTDecode"]:
        return how is None
    said = dictionary(how)
    wanted = {"/Predictor": 15, "/Colors": channels, "/Columns": width, "/BitsPerComponent": 8}
    is_said = {key: number(value, -1.0) for key, value in said.items()} == wanted
    return filters == ["FlateDecode"] and is_said and unpacked == height * (width * channels + 1)
