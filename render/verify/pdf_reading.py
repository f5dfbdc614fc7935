"""Opening a PDF: its pages, boxes, hints, fonts and contents as plain values, all of bounded size.

pikepdf lives here. Nothing is repaired: a file that is damaged, packed or changed by another program is refused, and so
is one that would fill the memory.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from io import BytesIO
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, String

from render.diag import reason
from render.geometry import IDENTITY, Affine
from render.verify import structure
from render.verify.faults import MAKE_AGAIN, NotReadable

MOST_PAGES = 20_000
MOST_PIXELS = 64_000_000  # of a picture; `art` takes at most 40 million
LARGEST_STREAM = 64_000_000  # bytes of a form or a font, unpacked
LARGEST_CONTENT = 256_000_000  # of all contents together: a thousand cards take 3 million without their pictures
LARGEST_PICTURES = 10_000_000_000  # bytes of all pictures together, unpacked: a thousand of 750 x 1050 pixels take 2.4
DEEPEST = 12  # forms within forms: a face has five

Box = tuple[float, float, float, float]
"""Left, bottom, right and top of a page box, in points."""


@dataclass(frozen=True, slots=True)
class Font:
    """A font of a file: its name without the tag of its subset, and whether its glyphs are in the file."""

    name: str
    is_embedded: bool


@dataclass(frozen=True, slots=True)
class Image:
    """A picture of a file, by the digest of its entries and its data."""

    digest: bytes


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """A drawing that a file holds once: its content, its own map, and what it draws with."""

    content: bytes
    matrix: Affine
    resources: Resources


@dataclass(frozen=True, slots=True, eq=False)
class Resources:
    """What a content can name: pictures and forms, and fonts, by their names with the slash."""

    drawings: Mapping[bytes, Form | Image] = field(default_factory=dict)
    fonts: Mapping[bytes, Font] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its boxes, its turn in degrees, its unit in points, its content, and whether anything lies on it."""

    boxes: Mapping[str, Box]
    rotate: float
    unit: float
    content: bytes
    resources: Resources
    is_annotated: bool


@dataclass(frozen=True, slots=True)
class Document:
    """A file: who made it, its title, the ticket of its sheets, the hints for printing it, and its pages.

    `acts` names what the file does by itself when it is opened.
    """

    creator: str
    producer: str
    title: str
    ticket: str | None
    hints: Mapping[str, str]
    acts: tuple[str, ...]
    pages: tuple[Page, ...]


def read(path: Path) -> Document:
    """Return the file's content; NotReadable if it is no PDF, or not one as `kotc` writes it; OSError."""
    structure.check(path)
    try:
        with Pdf.open(_readable(path), attempt_recovery=False, suppress_warnings=True) as pdf:
            if pdf.is_encrypted:
                raise NotReadable("Q002", "it is encrypted", "save it without a password")
            return _Reader().document(pdf)
    except pikepdf.PasswordError:
        raise NotReadable("Q002", "it is encrypted, and opens with a password only") from None
    except UnicodeError:
        raise NotReadable("Q001", "it is damaged: a name in it is not UTF-8", MAKE_AGAIN) from None
    except pikepdf.PdfError as error:
        raise NotReadable("Q001", f"it is damaged: {_reason(error, path)}", MAKE_AGAIN) from None


def _readable(path: Path) -> Path | BytesIO:
    """Return what the library opens: the path, or the bytes of a file whose name is no UTF-8, which it cannot take."""
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        return BytesIO(path.read_bytes())
    return path


def _reason(error: pikepdf.PdfError, path: Path) -> str:
    """Return what the library says of a file, without the file's name."""
    return reason(str(error).replace(str(path), "").partition("\n")[0]) or "it cannot be read"


@dataclass(slots=True)
class _Reader:
    """Reads each form, picture and font once, however often it is named."""

    _known: dict[tuple[int, int], Form | Image | None] = field(default_factory=dict)
    _fonts: dict[tuple[int, int], Font] = field(default_factory=dict)
    _unpacked: int = 0
    _pictures: int = 0

    def document(self, pdf: Pdf) -> Document:
        root, info = pdf.Root, _dictionary(pdf.trailer.get("/Info"))
        if len(pdf.pages) > MOST_PAGES:
            raise NotReadable("Q007", f"it has {len(pdf.pages)} pages, more than {MOST_PAGES}")
        private = _dictionary(_dictionary(root.get("/PieceInfo")).get("/kotc")).get("/Private")
        acts = [key for key in ("/OpenAction", "/AA", "/AcroForm", "/OCProperties") if key in root]
        names = _dictionary(root.get("/Names"))
        acts += [key for key in ("/JavaScript", "/EmbeddedFiles") if key in names]
        hints = _dictionary(root.get("/ViewerPreferences"))
        return Document(
            creator=_string(info.get("/Creator")),
            producer=_string(info.get("/Producer")),
            title=_string(info.get("/Title")),
            ticket=_string(private) if isinstance(private, String) else None,
            hints={key[1:]: _word(value) for key, value in sorted(hints.items())},
            acts=tuple(key[1:] for key in acts),
            pages=tuple(self._page(page.obj) for page in pdf.pages),
        )

    def _page(self, page: Object) -> Page:
        entry = {key: _inherited(page, f"/{key}") for key in (*BOXES, "Rotate", "Resources")}
        return Page(
            boxes={key: corners for key in BOXES if (corners := _box(entry[key])) is not None},
            rotate=_number(entry["Rotate"], 0.0),
            unit=_number(page.get("/UserUnit"), 1.0),
            content=b"\n".join(self._data(stream) for stream in _streams(page.get("/Contents"))),
            resources=self._resources(entry["Resources"], 0),
            is_annotated=page.get("/Annots") is not None,
        )

    def _resources(self, resources: Object | None, depth: int) -> Resources:
        drawings, fonts = (_dictionary(_dictionary(resources).get(key)) for key in ("/XObject", "/Font"))
        found = {key.encode(): self._drawing(drawn, depth) for key, drawn in drawings.items()}
        return Resources(
            {name: drawing for name, drawing in found.items() if drawing is not None},
            {key.encode(): self._font(font) for key, font in fonts.items()},
        )

    def _drawing(self, drawn: Object, depth: int) -> Form | Image | None:
        """Return a form or a picture; nothing for what is neither, or draws itself."""
        if not isinstance(drawn, Stream) or drawn.objgen == (0, 0):
            return None
        if depth > DEEPEST:
            raise NotReadable("Q007", f"its forms are nested more than {DEEPEST} levels deep")
        if drawn.objgen not in self._known:
            self._known[drawn.objgen] = None  # a form that names itself finds nothing
            self._known[drawn.objgen] = self._read(drawn, depth)
        return self._known[drawn.objgen]

    def _read(self, drawn: Stream, depth: int) -> Form | Image | None:
        match drawn.get("/Subtype"):
            case Name.Image:
                return self._image(drawn)
            case Name.Form:
                values = _numbers(drawn.get("/Matrix"))
                own = Affine(*values) if len(values) == 6 else IDENTITY
                return Form(self._data(drawn), own, self._resources(drawn.get("/Resources"), depth + 1))
        return None

    def _font(self, font: Object) -> Font:
        if not isinstance(font, Dictionary) or font.objgen == (0, 0):
            return self._new_font(_dictionary(font))
        if font.objgen not in self._fonts:
            self._fonts[font.objgen] = self._new_font(font)
        return self._fonts[font.objgen]

    def _new_font(self, font: Dictionary) -> Font:
        inner = list(_items(font.get("/DescendantFonts"))) or [font]
        descriptors = [_dictionary(_dictionary(one).get("/FontDescriptor")) for one in inner]
        files = [next((one[key] for key in _FILES if key in one), None) for one in descriptors]
        is_embedded = all(isinstance(file, Stream) and len(self._data(file)) > 0 for file in files)
        meaning = font.get("/ToUnicode")
        if isinstance(meaning, Stream):
            self._data(meaning)  # it is not damaged
        name = _word(font.get("/BaseFont")) or "without a name"
        return Font(re.sub(r"^[A-Z]{6}\+", "", name), is_embedded)

    def _data(self, stream: Stream) -> bytes:
        """Return a stream unpacked; only what is not packed, or with Flate alone, is."""
        raw = stream.read_raw_bytes()
        filters = [_word(name) for name in _items(stream.get("/Filter"))]
        if filters == ["FlateDecode"] and stream.get("/DecodeParms") is None:
            raw = b"".join(_inflated(raw, LARGEST_STREAM))
        elif filters:
            raise NotReadable("Q003", f"it is packed as kotc does not: `{' '.join(filters)[:60]}`", MAKE_AGAIN)
        self._unpacked += len(raw)
        if self._unpacked > LARGEST_CONTENT:
            raise NotReadable("Q007", _TOO_MUCH)
        return raw

    def _image(self, image: Stream) -> Image:
        """Return a picture by its digest, of its data as packed and of how they are read; it is not damaged."""
        width, height = (_number(image.get(key), 0.0) for key in ("/Width", "/Height"))
        if width * height > MOST_PIXELS:
            raise NotReadable("Q007", f"a picture has {width:g} x {height:g} pixels")
        packed, filters = image.read_raw_bytes(), [_word(name) for name in _items(image.get("/Filter"))]
        if filters == ["FlateDecode"]:
            self._pictures += sum(map(len, _inflated(packed, LARGEST_PICTURES - self._pictures)))
        elif filters == ["DCTDecode"] and not packed.startswith(_JPEG):
            raise NotReadable("Q001", "it is damaged: a JPEG picture is none", MAKE_AGAIN)
        summary = hashlib.sha256(packed)
        for key, value in sorted(image.items()):
            if isinstance(value, Stream):
                summary.update(key.encode() + hashlib.sha256(value.read_raw_bytes()).digest())
            elif key != "/Length":
                said = value.unparse() if isinstance(value, Object) else str(value).encode()
                summary.update(key.encode() + said)
        return Image(summary.digest())


BOXES = ("MediaBox", "CropBox", "BleedBox", "TrimBox", "ArtBox")
_PIECE = 1_000_000  # bytes
_TOO_MUCH = "it unpacks to more than anybody could print"
_JPEG = b"\xff\xd8"  # how it begins; cameras write whatever they like behind its end
_FILES = ("/FontFile", "/FontFile2", "/FontFile3")


def _inflated(packed: bytes, most: int) -> Iterator[bytes]:
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
                raise NotReadable("Q007", _TOO_MUCH)
            if not piece and not unpacking.eof:
                raise NotReadable("Q001", "it is damaged: what is packed breaks off", MAKE_AGAIN)
            yield piece
    except zlib.error as error:
        raise NotReadable("Q001", f"it is damaged: {error}", MAKE_AGAIN) from None


def _inherited(page: Object, key: str) -> Object | None:
    """Return an entry of a page, or that of the nodes of the pages' tree above it."""
    node = page
    for _ in range(DEEPEST):
        if key in node or not isinstance(node.get("/Parent"), Dictionary):
            break
        node = node["/Parent"]
    found: Object | None = node.get(key)
    return found


def _streams(contents: Object | None) -> Iterator[Stream]:
    for stream in [contents] if isinstance(contents, Stream) else _items(contents):
        if isinstance(stream, Stream):
            yield stream


def _box(value: Object | None) -> Box | None:
    """Return a page box with its corners in order; nothing if there is none, nan if it is not made of numbers."""
    if value is None:
        return None
    corners = _numbers(value)
    if len(corners) != 4:
        return (float("nan"),) * 4
    (left, right), (bottom, top) = sorted(corners[::2]), sorted(corners[1::2])
    return left, bottom, right, top


def _items(value: Object | None) -> Iterator[Object]:
    """Yield the items of an array; of anything else, itself; of nothing, nothing."""
    if isinstance(value, Array):
        yield from value
    elif value is not None:
        yield value


def _numbers(value: Object | None) -> list[float]:
    return [_number(item, float("nan")) for item in _items(value)]


def _number(value: object, missing: float) -> float:
    return float(value) if isinstance(value, int | float | Decimal) else missing


def _dictionary(value: object) -> Dictionary:
    """Return a dictionary; an empty one for anything else."""
    return value if isinstance(value, Dictionary) else Dictionary()


def _string(value: object) -> str:
    return str(value) if isinstance(value, String) else ""


def _word(value: object) -> str:
    """Return a name without its slash; numbers and words of other kinds as they are written."""
    if isinstance(value, Name):
        return str(value)[1:]
    return str(value) if isinstance(value, String | int | Decimal) else ""
