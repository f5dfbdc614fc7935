"""Values of PDF objects as plain ones: numbers, names, boxes; and the entries that dictionaries of our files have.

What a reader makes of an entry that `kotc` does not write is unknown, and could be anything: another blend, a mask, a
layer that can be hidden. So such an entry is reported.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Stream, String

from render.base.findings import reason
from render.verify.reading.faults import MAKE_AGAIN, NotReadable

MAX_DEPTH = 12  # of forms in forms: a face has five

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
            *(f"/{as_box}" for as_box in BOXES),
        }
    ),
    "the list of pages": frozenset(
        {"/Type", "/Count", "/Kids", "/Parent", "/Resources", "/Rotate", *(f"/{as_box}" for as_box in BOXES)}
    ),
    "resources": frozenset({"/Font", "/XObject", "/ProcSet", "/ExtGState", "/Pattern"}),
    "a graphics state": frozenset({"/Type", "/OP", "/op", "/OPM"}),
    "a graphics state of opacity": frozenset({"/Type", "/CA", "/ca", "/SMask"}),
    "a mask": frozenset({"/Type", "/S", "/G"}),
    "a group": frozenset({"/Type", "/S", "/I", "/CS"}),
    "a content stream": _STREAM,
    "a form": _STREAM | {"/Type", "/Subtype", "/FormType", "/BBox", "/Matrix", "/Resources", "/Group"},
    "a picture": _STREAM
    | {"/Type", "/Subtype", "/Width", "/Height", "/BitsPerComponent", "/ColorSpace", "/DecodeParms"},
    "the hints for printing": frozenset({"/PrintScaling", "/Duplex", "/NumCopies"}),
}

_PIECE = 1_000_000  # bytes  # unpacked at a time
TOO_MUCH = "it unpacks to more than anybody could print"


def unknown(entry: Object | None, kind: str) -> list[str]:
    """Return the entries of a dictionary or stream that `kotc` does not write in one of its kind, without slashes."""
    keys = entry.keys() if isinstance(entry, Dictionary | Stream) else ()
    return sorted(key[1:] for key in keys if key not in ENTRIES[kind])


def inflated(packed: bytes, most: int) -> Iterator[bytes]:
    """Yield Flate data unpacked in pieces; NotReadable if they are damaged, or more than `most` bytes."""
    if not packed:
        return
    unpacking, length = zlib.decompressobj(), 0
    try:
        while not unpacking.eof:
            piece = unpacking.decompress(packed, _PIECE)
            packed = unpacking.unconsumed_tail
            length += len(piece)
            if length > most:
                raise NotReadable("Q001", TOO_MUCH)
            if not piece and not unpacking.eof:  # no output before the end: data are missing
                raise NotReadable("Q001", "it is damaged: what is packed breaks off", MAKE_AGAIN)
            yield piece
    except zlib.error as error:
        raise NotReadable("Q001", f"it is damaged: {error}", MAKE_AGAIN) from None


def inherited(page: Object, key: str) -> Object | None:
    """Return an entry of a page, or of the nodes above it in the page tree (ISO 32000-1, 7.7.3.4)."""
    node = page
    for _ in range(MAX_DEPTH):
        if key in node or not isinstance(node.get("/Parent"), Dictionary):
            break
        node = node["/Parent"]
    found: Object | None = node.get(key)
    return found


def streams(contents: Object | None) -> Iterator[Stream]:
    """Yield the streams of a page's content."""
    for stream in [contents] if isinstance(contents, Stream) else as_items(contents):
        if isinstance(stream, Stream):
            yield stream


def as_box(value: Object | None) -> Box | None:
    """Return a page box with its corners in order; None if there is none, nan if it is not made of numbers."""
    if value is None:
        return None
    corners = as_numbers(value)
    if len(corners) != 4:
        return (float("nan"),) * 4
    # A PDF may give any two opposite corners (7.9.5).
    (left, right), (bottom, top) = sorted(corners[::2]), sorted(corners[1::2])
    return left, bottom, right, top


def as_items(value: Object | None) -> Iterator[Object]:
    """Yield the items of an array; nothing for None; any other value as the only item."""
    if isinstance(value, Array):
        yield from value
    elif value is not None:
        yield value


def as_numbers(value: Object | None) -> list[float]:
    return [as_number(item, float("nan")) for item in as_items(value)]


def as_number(value: object, missing: float) -> float:
    return float(value) if isinstance(value, int | float | Decimal) else missing


def as_dictionary(value: object) -> Dictionary:
    """Return a dictionary; an empty one for anything else."""
    return value if isinstance(value, Dictionary) else Dictionary()


def as_string(value: object) -> str:
    return str(value) if isinstance(value, String) else ""


def as_name(value: object) -> str:
    """Return a name without its slash; numbers and other words as they are written."""
    if isinstance(value, Name):
        return str(value)[1:]
    return str(value) if isinstance(value, String | int | Decimal) else ""


# --- what the library refuses ----------------------------------------------------------------------------------------


class reading_errors:
    """A context that turns the library's errors about a file into NotReadable."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        match error:
            case pikepdf.PasswordError():
                raise NotReadable("Q001", "it is encrypted, and opens with a password only") from None
            case UnicodeError():
                raise NotReadable("Q001", "it is damaged: a name in it is not UTF-8", MAKE_AGAIN) from None
            case pikepdf.PdfError():
                why = said_by_library(str(error), self._path)
                raise NotReadable("Q001", f"it is damaged: {why}", MAKE_AGAIN) from None


def said_by_library(said: str, path: Path) -> str:
    """Return the library's words about a file, without the file's name."""
    return reason(said.replace(str(path), "").partition("\n")[0]) or "it cannot be read"


# --- fonts and pictures ---------------------------------------------------------------------------------------------

MAX_WIDTHS = 70_000  # a font has at most 65 536 glyphs

# The entries of fonts as `pdf.fonts` writes them; other entries could change which glyph a code shows.
_TYPE0 = {"/Type", "/Subtype", "/BaseFont", "/Encoding", "/DescendantFonts", "/ToUnicode"}
_CID = {"/Type", "/Subtype", "/BaseFont", "/CIDSystemInfo", "/FontDescriptor", "/DW", "/W", "/CIDToGIDMap"}
_DESCRIPTOR = {
    *("/Type", "/FontName", "/Flags", "/FontBBox", "/ItalicAngle", "/Ascent", "/Descent", "/CapHeight", "/StemV"),
    "/FontFile2",
}
_COMPACT = "/FontFile3"  # the entry in its place for outlines of PostScript, which need no CIDToGIDMap


def widths(value: Object | None) -> dict[int, float]:
    """Return the widths of glyphs from `glyph [width] glyph [width]`; nan for a width in any other form."""
    listed = list(as_items(value))[: 2 * MAX_WIDTHS]
    found: dict[int, float] = {}
    for glyph, of in zip(listed[::2], listed[1::2], strict=False):
        single = as_numbers(of) if isinstance(of, Array) else []
        found[int(as_number(glyph, -1.0))] = single[0] if len(single) == 1 else float("nan")
    return found


def font_oddities(font: Dictionary, inner: list[Dictionary], descriptors: list[Dictionary]) -> Iterator[str]:
    """Yield how a font differs from those that `kotc` embeds, whose codes are the numbers of glyphs."""
    if len(inner) != 1 or set(font.keys()) != _TYPE0 or as_name(font.get("/Subtype")) != "Type0":
        yield "it is not one of glyphs by their numbers"
        return
    (one,), (descriptor,) = inner, descriptors
    is_compact = _COMPACT in descriptor
    of_glyphs, of_descriptor = _CID, _DESCRIPTOR
    if is_compact:
        of_glyphs, of_descriptor = _CID - {"/CIDToGIDMap"}, _DESCRIPTOR - {"/FontFile2"} | {_COMPACT}
    if set(one.keys()) != of_glyphs or set(descriptor.keys()) != of_descriptor:
        yield "it has other entries than fonts of kotc"
    if len({as_name(held) for held in (font.get("/BaseFont"), one.get("/BaseFont"), descriptor.get("/FontName"))}) != 1:
        yield "it has several names"
    said = (
        as_name(font.get("/Encoding")),
        as_name(one.get("/Subtype")),
        as_name(one.get("/CIDToGIDMap")),
        as_number(one.get("/DW"), -1),
    )
    if said != ("Identity-H", *(("CIDFontType0", "") if is_compact else ("CIDFontType2", "Identity")), 0.0):
        yield "its codes are not the numbers of its glyphs"
    program = descriptor.get(_COMPACT)
    if is_compact and not (isinstance(program, Stream) and as_name(program.get("/Subtype")) == "CIDFontType0C"):
        yield "its program is of another kind than fonts of kotc"
    system = as_dictionary(one.get("/CIDSystemInfo"))
    if [as_string(system.get(key)) for key in ("/Registry", "/Ordering")] != ["Adobe", "Identity"]:
        yield "its codes are those of another list of characters"


def is_plain_picture(image: Stream, filters: list[str], size: tuple[int, int, int]) -> bool:
    """Return whether a picture's entries are as `kotc` writes them: for a JPEG, or for rows of 8 bits."""
    width, height, channels = size
    if channels == 0 or as_number(image.get("/BitsPerComponent"), 0) != 8 or min(width, height) < 1:
        return False
    how = image.get("/DecodeParms")
    if filters == ["DCTDecode"]:
        return how is None
    said = as_dictionary(how)
    # 15: each row names its own PNG filter (7.4.4.4).
    wanted = {"/Predictor": 15, "/Colors": channels, "/Columns": width, "/BitsPerComponent": 8}
    is_said = {key: as_number(value, -1.0) for key, value in said.items()} == wanted
    return filters == ["FlateDecode"] and is_said


def are_rows(pieces: Iterator[bytes], count: int, row: int) -> bool:
    """Return whether unpacked pieces are that many rows, each with PNG's filter 0 (None) or 2 (Up)."""
    length, are_known = 0, True
    for piece in pieces:
        filters = piece[-length % row :: row]  # the first byte of each row in this piece
        are_known &= not filters.strip(b"\0\2")
        length += len(piece)
    return are_known and length == count * row


def of_jpeg(packed: bytes) -> tuple[int, int, int] | None:
    """Return width, height and channels that a JPEG states; None if it is none, or is cut short."""
    at = 2 if packed.startswith(b"\xff\xd8") else len(packed)  # SOI (ITU T.81, B.1.1)
    while packed[at : at + 1] == b"\xff" and len(packed) > at + 10:
        kind, length = packed[at + 1], int.from_bytes(packed[at + 2 : at + 4])
        if kind == 0xFF:  # fill bytes may stand before a marker
            at += 1
            continue
        if kind in _FRAMES:
            # Behind marker, length and precision: height, width, components (B.2.2).
            height, width = (int.from_bytes(packed[at + side : at + side + 2]) for side in (5, 7))
            return (width, height, packed[at + 9]) if b"\xff\xd9" in packed[at:] else None
        at += 2 + length
    return None


_FRAMES = {0xC0, 0xC1, 0xC2}  # SOF markers of baseline, extended and progressive JPEGs, which PDF readers know
