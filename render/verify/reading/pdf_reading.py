"""Open a PDF: its pages, boxes, hints, fonts and contents as plain values, all of bounded size.

pikepdf is used here and in `pdf_values`. Nothing is repaired: a file that is damaged, packed or changed by another
program is refused, and so is one that would fill the memory.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from pikepdf import Dictionary, Name, Object, Pdf, Stream, String

from render.base.geometry import IDENTITY, Affine
from render.verify.reading import pdf_values, structure
from render.verify.reading.faults import MAKE_AGAIN, NotReadable
from render.verify.reading.pdf_values import (
    BOXES,
    MAX_DEPTH,
    TOO_MUCH,
    Box,
    as_dictionary,
    as_items,
    as_name,
    as_number,
    as_numbers,
    reading_errors,
    said_by_library,
)
from render.verify.reading.shades import Shade, as_shade

MAX_PAGES = 20_000
MAX_PIXELS = 64_000_000  # of a picture; `images.decode` takes at most 40 million
LARGEST_STREAM = 64_000_000  # bytes of a form or a font, unpacked
LARGEST_CONTENT = 256_000_000  # bytes of all contents together: a thousand cards have 3 million without pictures
LARGEST_PICTURES = 10_000_000_000  # bytes of all pictures, unpacked: a thousand of 750 x 1050 pixels have 2.4
MAX_ODD = 200  # foreign entries that are reported: nobody reads more


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FileFont:
    """A font of a file: its name without the tag of its subset, and whether its glyphs are in the file.

    `program` is the font itself, `widths` are the file's widths of its glyphs in thousandths of the size, `meaning` is
    the map from glyphs to letters. `oddities` are differences from the way in which `kotc` embeds fonts.
    """

    name: str
    is_embedded: bool
    program: bytes = b""
    widths: Mapping[int, float] = field(default_factory=dict)
    meaning: bytes = b""
    oddities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """A picture of a file: the digest of its entries and data, the number of its object, its size in pixels."""

    digest: bytes
    number: int = 0
    width: int = 0
    height: int = 0
    channels: int = 0
    is_jpeg: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """A form, which a file holds once: its content, its matrix, its resources, and the box that it is clipped to.

    A `group` is drawn as one: in "colors", or in "light" for a mask; empty for any other form.
    """

    content: bytes
    matrix: Affine
    resources: Resources
    box: Box | None = None
    group: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """A graphics state through which what lies beneath is seen: its opacity, and the form whose lightness is a mask."""

    opacity: float
    mask: Form | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Resources:
    """What a content can name, slashes included: pictures and forms, fonts, gradients.

    Of graphics states, it tells whether each overprints, or how each is seen through.
    """

    drawings: Mapping[bytes, Form | Image] = field(default_factory=dict)
    fonts: Mapping[bytes, FileFont] = field(default_factory=dict)
    overprints: Mapping[bytes, bool] = field(default_factory=dict)
    shades: Mapping[bytes, Shade] = field(default_factory=dict)
    seen: Mapping[bytes, Seen] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePage:
    """A page: its boxes, its rotation in degrees, its unit in points, its content, and whether it has annotations."""

    boxes: Mapping[str, Box]
    rotate: float
    unit: float
    content: bytes
    resources: Resources
    is_annotated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfFile:
    """A file: who made it, its title, the ticket of its sheets, the hints for printing it, and its pages.

    `acts` names what the file holds and `kotc` does not write, `odd` what its pages hold, with the first such page.
    `is_for_press` means that it names a printing condition, `overprints` that ink may lie on ink; `conditions` are the
    names of its conditions with the SHA-256 of their profiles.
    """

    creator: str
    producer: str
    title: str
    ticket: str | None
    hints: Mapping[str, str]
    acts: tuple[str, ...]
    odd: tuple[tuple[int, str], ...]
    is_for_press: bool
    conditions: tuple[tuple[str, bytes], ...]
    overprints: bool
    pages: tuple[FilePage, ...]


def read(path: Path) -> PdfFile:
    """Return the file's content; NotReadable if it is no PDF, or none that `kotc` wrote; OSError."""
    structure.check(path)
    with _opened(path) as pdf:
        if pdf.is_encrypted:
            raise NotReadable("Q001", "it is encrypted", "save it without a password")
        with reading_errors(path):
            document = _Reader().document(pdf)
            said = [str(warning) for warning in pdf.get_warnings()]
    if said:
        raise NotReadable("Q001", f"it is damaged: {said_by_library(said[0], path)}", MAKE_AGAIN)
    return document


def packed_pictures(path: Path, wanted: Iterable[Image]) -> Iterator[tuple[Image, bytes]]:
    """Yield pictures of a file with their packed data; NotReadable."""
    with _opened(path) as pdf, reading_errors(path):
        for image in wanted:
            found = pdf.get_object(image.number, 0)
            yield image, found.read_raw_bytes() if isinstance(found, Stream) else b""


def _opened(path: Path) -> Pdf:
    with reading_errors(path):
        return Pdf.open(_readable(path), attempt_recovery=False, suppress_warnings=True)


def _readable(path: Path) -> Path | BytesIO:
    """Return what pikepdf can open: the path, or the bytes of a file whose name is not UTF-8."""
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        return BytesIO(path.read_bytes())
    return path


@dataclass(slots=True, kw_only=True)
class _Reader:
    """Reads each form, picture and font once, however often it is named."""

    _known: dict[tuple[int, int], Form | Image | None] = field(default_factory=dict)
    _fonts: dict[tuple[int, int], FileFont] = field(default_factory=dict)
    _odd: dict[tuple[int, str], None] = field(default_factory=dict)
    _page_number: int = 0
    _states: bool = False
    _unpacked: int = 0
    _pictures: int = 0

    def document(self, pdf: Pdf) -> PdfFile:
        root, info = pdf.Root, as_dictionary(pdf.trailer.get("/Info"))
        if len(pdf.pages) > MAX_PAGES:
            raise NotReadable("Q001", f"it has {len(pdf.pages)} pages, more than {MAX_PAGES}")
        # Page-piece data of this program (ISO 32000-1, 14.5).
        private = as_dictionary(as_dictionary(root.get("/PieceInfo")).get("/kotc")).get("/Private")
        for_press = {key[1:] for key in pdf_values.ENTRIES["a file for a press"]}
        acts = pdf_values.unknown(root, "the file")
        hints = as_dictionary(root.get("/ViewerPreferences"))
        self._note(hints, "the hints for printing")
        return PdfFile(
            creator=pdf_values.as_string(info.get("/Creator")),
            producer=pdf_values.as_string(info.get("/Producer")),
            title=pdf_values.as_string(info.get("/Title")),
            ticket=pdf_values.as_string(private) if isinstance(private, String) else None,
            hints={key[1:]: as_name(value) for key, value in sorted(hints.items())},
            acts=tuple(key for key in acts if key not in for_press),
            is_for_press=bool(for_press & set(acts)),
            conditions=tuple(map(self._condition, pdf_values.as_items(root.get("/OutputIntents")))),
            pages=tuple(self._page(page.obj) for page in pdf.pages),
            odd=tuple(self._odd),
            overprints=self._states,
        )

    def _condition(self, intent: Object) -> tuple[str, bytes]:
        said = as_dictionary(intent)
        profile = said.get("/DestOutputProfile")
        data = self._data(profile) if isinstance(profile, Stream) else b""
        return pdf_values.as_string(said.get("/OutputConditionIdentifier")), hashlib.sha256(data).digest()

    def _note(self, entry: Object | None, kind: str) -> None:
        """Note the entries of a dictionary of that kind that `kotc` does not write."""
        for key in pdf_values.unknown(entry, kind):
            self._say(f"`{key[:40]}` in {kind}")

    def _say(self, what: str) -> None:
        if len(self._odd) < MAX_ODD:
            self._odd[self._page_number, what] = None

    def _page(self, page: Object) -> FilePage:
        self._page_number += 1
        self._note(page, "a page")
        above = page.get("/Parent")
        for _ in range(MAX_DEPTH):
            if not isinstance(above, Dictionary):  # the tree of pages may be circular
                break
            self._note(above, "the list of pages")
            above = above.get("/Parent")
        entry = {key: pdf_values.inherited(page, f"/{key}") for key in (*BOXES, "Rotate", "Resources")}
        return FilePage(
            boxes={key: corners for key in BOXES if (corners := pdf_values.as_box(entry[key])) is not None},
            rotate=as_number(entry["Rotate"], 0.0),
            unit=as_number(page.get("/UserUnit"), 1.0),
            content=b"\n".join(
                self._data(stream, "a content stream") for stream in pdf_values.streams(page.get("/Contents"))
            ),
            resources=self._resources(entry["Resources"], 0),
            is_annotated=page.get("/Annots") is not None,
        )

    def _resources(self, resources: Object | None, depth: int) -> Resources:
        self._note(resources, "resources")
        held = as_dictionary(resources)
        drawings, fonts, states = (as_dictionary(held.get(key)) for key in ("/XObject", "/Font", "/ExtGState"))
        patterns = as_dictionary(held.get("/Pattern"))
        through = {key for key, state in states.items() if "/ca" in as_dictionary(state)}
        found = {key.encode(): self._drawing(drawn, depth) for key, drawn in drawings.items()}
        return Resources(
            {name: drawing for name, drawing in found.items() if drawing is not None},
            {key.encode(): self._font(font) for key, font in fonts.items()},
            {key.encode(): self._overprints(state) for key, state in states.items() if key not in through},
            {key.encode(): shade for key, pattern in patterns.items() if (shade := self._shade(pattern))},
            {key.encode(): self._seen(states[key], depth) for key in through},
        )

    def _shade(self, pattern: Object) -> Shade | None:
        found = as_shade(pattern)
        if found is None:
            self._say("a gradient of another kind")
        return found

    def _seen(self, state: Object, depth: int) -> Seen:
        """Return a graphics state of opacity."""
        self._note(state, "a graphics state of opacity")
        said = as_dictionary(state)
        opacity, of_lines = (as_number(said.get(key), float("nan")) for key in ("/ca", "/CA"))
        if opacity != of_lines:
            self._say("lines of another opacity")
        if "/SMask" not in said:
            return Seen(opacity)
        mask = as_dictionary(said.get("/SMask"))
        self._note(mask, "a mask")
        form = self._drawing(mask.get("/G", said), depth)
        if mask.get("/S") != Name.Luminosity or not isinstance(form, Form) or form.group != "light":
            self._say("a mask of another kind")
            return Seen(opacity)
        return Seen(opacity, form)

    def _overprints(self, state: Object) -> bool:
        """Return whether a graphics state lets ink lie on ink."""
        self._note(state, "a graphics state")
        self._states = True
        said = as_dictionary(state)
        if as_number(said.get("/OPM"), 1.0) != 1:
            self._say("another mode of overprinting")
        # A missing entry counts as true, the worse case: this program always writes both.
        return any(bool(said.get(key, True)) for key in ("/OP", "/op"))

    def _drawing(self, drawn: Object, depth: int) -> Form | Image | None:
        """Return a form or a picture; None for anything else, and for a form that draws itself."""
        if not isinstance(drawn, Stream) or drawn.objgen == (0, 0):
            return None
        if depth > MAX_DEPTH:
            raise NotReadable("Q001", f"its forms are nested more than {MAX_DEPTH} levels deep")
        if drawn.objgen not in self._known:
            self._known[drawn.objgen] = None  # a form that names itself finds nothing
            self._known[drawn.objgen] = self._read(drawn, depth)
        return self._known[drawn.objgen]

    def _read(self, drawn: Stream, depth: int) -> Form | Image | None:
        match drawn.get("/Subtype"):
            case Name.Image:
                return self._image(drawn)
            case Name.Form:
                values = as_numbers(drawn.get("/Matrix"))
                if len(values) not in (0, 6):
                    self._say("a map of a form that is none")
                own = Affine(*values) if len(values) == 6 else IDENTITY
                inner = self._resources(drawn.get("/Resources"), depth + 1)
                box, group = pdf_values.as_box(drawn.get("/BBox")), self._group(drawn.get("/Group"))
                return Form(self._data(drawn, "a form"), own, inner, box, group)
        return None

    def _group(self, group: Object | None) -> str:
        """Return what kind of group a form is: in colors, in light, or none."""
        if group is None:
            return ""
        self._note(group, "a group")
        said = as_dictionary(group)
        kind = {"": "colors", "DeviceGray": "light"}.get(as_name(said.get("/CS")), "")
        if said.get("/S") != Name.Transparency or not bool(said.get("/I", False)) or not kind:
            self._say("a group of another kind")
        return kind

    def _font(self, font: Object) -> FileFont:
        if not isinstance(font, Dictionary) or font.objgen == (0, 0):
            return self._new_font(as_dictionary(font))
        if font.objgen not in self._fonts:
            self._fonts[font.objgen] = self._new_font(font)
        return self._fonts[font.objgen]

    def _new_font(self, font: Dictionary) -> FileFont:
        inner = [as_dictionary(one) for one in as_items(font.get("/DescendantFonts"))] or [font]
        descriptors = [as_dictionary(one.get("/FontDescriptor")) for one in inner]
        files = [next((one[key] for key in _FILES if key in one), None) for one in descriptors]
        programs = [self._data(file) if isinstance(file, Stream) else b"" for file in files]
        meaning = font.get("/ToUnicode")
        return FileFont(
            # Six capitals mark a subset (9.6.4).
            name=re.sub(r"^[A-Z]{6}\+", "", as_name(font.get("/BaseFont")) or "without a name"),
            is_embedded=all(programs),
            program=programs[0],
            widths=pdf_values.widths(inner[0].get("/W")),
            meaning=self._data(meaning) if isinstance(meaning, Stream) else b"",
            oddities=tuple(pdf_values.font_oddities(font, inner, descriptors)),
        )

    def _data(self, stream: Stream, kind: str = "") -> bytes:
        """Return a stream unpacked; only streams that are not packed, or with Flate alone, are read."""
        raw = stream.read_raw_bytes()
        filters = [as_name(name) for name in as_items(stream.get("/Filter"))]
        if filters == ["FlateDecode"] and stream.get("/DecodeParms") is None:
            raw = b"".join(pdf_values.inflated(raw, LARGEST_STREAM))
        elif filters:
            raise NotReadable("Q003", f"it is packed as kotc does not: `{' '.join(filters)[:60]}`", MAKE_AGAIN)
        if kind:
            self._note(stream, kind)
        self._unpacked += len(raw)
        if self._unpacked > LARGEST_CONTENT:
            raise NotReadable("Q001", TOO_MUCH)
        return raw

    def _image(self, image: Stream) -> Image:
        """Return a picture with a digest of its packed data and of the entries that say how to read them.

        NotReadable if it is damaged.
        """
        width, height = (as_number(image.get(key), 0.0) for key in ("/Width", "/Height"))
        if not 0 <= width * height <= MAX_PIXELS:
            raise NotReadable("Q001", f"a picture has {width:g} x {height:g} pixels")
        packed, filters = image.read_raw_bytes(), [as_name(name) for name in as_items(image.get("/Filter"))]
        channels = _CHANNELS.get(as_name(image.get("/ColorSpace")), 0)
        is_plain = pdf_values.is_plain_picture(image, filters, (int(width), int(height), channels))
        if filters == ["FlateDecode"]:
            # Each row begins with the number of its filter.
            is_plain &= pdf_values.are_rows(self._rows(packed), int(height), int(width) * channels + 1)
        elif filters == ["DCTDecode"]:
            of_itself = pdf_values.of_jpeg(packed)
            if of_itself is None:
                raise NotReadable("Q001", "it is damaged: a JPEG picture is none, or breaks off", MAKE_AGAIN)
            is_plain &= of_itself == (width, height, channels)
        summary = hashlib.sha256(packed)
        for key, value in sorted(image.items()):
            if isinstance(value, Stream):
                summary.update(key.encode() + hashlib.sha256(value.read_raw_bytes()).digest())
            elif key != "/Length":  # the length says nothing about what is seen
                said = value.unparse() if isinstance(value, Object) else str(value).encode()
                summary.update(key.encode() + said)
        found = Image(
            digest=summary.digest(),
            number=image.objgen[0],
            width=int(width),
            height=int(height),
            channels=channels,
            is_jpeg=filters == ["DCTDecode"],
        )
        self._note(image, "a picture")
        if not is_plain:
            self._say("a picture that is packed otherwise")
        return found

    def _rows(self, packed: bytes) -> Iterator[bytes]:
        """Yield the unpacked data of a picture, and count them."""
        for piece in pdf_values.inflated(packed, LARGEST_PICTURES - self._pictures):
            self._pictures += len(piece)
            yield piece


_FILES = ("/FontFile", "/FontFile2", "/FontFile3")
_CHANNELS = {"DeviceGray": 1, "DeviceRGB": 3, "DeviceCMYK": 4}
