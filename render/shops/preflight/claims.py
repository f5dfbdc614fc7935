"""What a file says of itself: version, standard, dates, and the colors that it was made for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, Stream
from PIL import Image

from render.base.findings import Problem, Severity
from render.images.color_profiles import colors_of
from render.pdf.standards import A_2B, REGISTRY, X_1A, X_4, Standard
from render.shops.preflight.objects.reading import (
    Effort,
    TooLarge,
    as_array,
    as_dictionary,
    as_integer,
    as_name,
    as_string,
    unpack_stream,
)

_LARGEST_PACKET = 1 << 20  # bytes of XMP
_PROFILES = {"GRAY": 1, "RGB ": 3, "CMYK": 4}  # color spaces in an ICC header, and their channels
_HEAD = re.compile(rb"%PDF-1\.[0-7]\r?\n?%[\x80-\xff]{4}|%PDF-1\.[0-7]\r%[\x80-\xff]{4}")  # ISO 19005-2, 6.1.2


@dataclass(frozen=True, slots=True)
class Claims:
    """What a file says of itself: its bytes, its Info dictionary, and the properties of its XMP packet."""

    pdf: Pdf
    data: bytes
    info: Dictionary
    xmp: Mapping[str, str] | None
    packet: bytes


def read_claims(pdf: Pdf, data: bytes, effort: Effort) -> Claims:
    """Read what a file says of itself; an unreadable XMP packet counts as none."""
    info = as_dictionary(pdf.trailer.get("/Info"))
    packet = pdf.Root.get("/Metadata")
    if not isinstance(packet, Stream):
        return Claims(pdf, data, info, None, b"")
    try:
        words = unpack_stream(packet, effort, _LARGEST_PACKET)
        with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False, strict=True) as known:
            return Claims(pdf, data, info, {key: _words(known, key) for key in _ASKED if key in known}, words)
    except TooLarge:
        return Claims(pdf, data, info, None, b"")
    except Exception:  # whatever the bytes are: the XML parser raises many kinds of errors
        return Claims(pdf, data, info, None, b"")


_ASKED = (
    "pdfxid:GTS_PDFXVersion", "pdf:Trapped", "xmpMM:DocumentID", "xmpMM:VersionID", "xmpMM:RenditionClass", "dc:title",
    "xmp:CreateDate", "xmp:ModifyDate", "pdfaid:part", "pdfaid:conformance",
)  # fmt: skip


def _words(known: pikepdf.models.PdfMetadata, key: str) -> str:
    value = known.get(key)
    return value if isinstance(value, str) else " ".join(str(each) for each in value) if value else ""


def copies_of_cards(pdf: Pdf) -> dict[str, int]:
    """Return the copies of each card by its id, as the ticket of a file that this program made for a shop has them."""
    private = as_dictionary(as_dictionary(pdf.Root.get("/PieceInfo")).get("/kotc")).get("/Private")
    try:
        ticket = json.loads(as_string(private) or "{}")
        return {card: count for card, count, _ in ticket["cards"]} if ticket.get("kind") == "shop" else {}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):  # any JSON may stand there
        return {}


def of_claim(file: Claims, standard: Standard) -> Iterator[Problem]:
    """Yield a problem if a file does not claim the standard, or uses later features (ISO 15930-4, 5 and 6.7)."""
    pdf = file.pdf
    # A catalog may raise the version of the head (ISO 32000-1, 7.5.2).
    version = max(pdf.pdf_version, as_name(pdf.Root.get("/Version"))[:4] or "1.0")
    if version > standard.version:
        message = f"it is PDF {version}, and {standard.title} is at most PDF {standard.version}"
        yield Problem("F005", message)
    if standard is X_1A:
        yield from _of_x_1a(file)
    elif standard is X_4:
        yield from _of_x_4(file)
    else:
        yield from _of_a_2b(file)
    if "/ID" not in pdf.trailer:
        yield Problem("F005", "the file has no ID in its trailer")


def _of_x_1a(file: Claims) -> Iterator[Problem]:
    if re.search(rb"/Type\s*/XRef\b", file.data) or _has_object_streams(file.pdf):
        message = "its objects are packed together in streams, which PDF 1.5 brought"
        yield Problem("F005", message, "save it as PDF 1.4")
    found = as_string(file.info.get("/GTS_PDFXVersion"))
    if found == "PDF/X-1:2001" and as_string(file.info.get("/GTS_PDFXConformance")) == "PDF/X-1a:2001":
        message = f"it says that it is PDF/X-1a:2001, which is older than {X_1A.title}"
        yield Problem("F005", message, severity=Severity.WARNING)
    elif found != X_1A.title:
        yield Problem("F005", f"it does not say that it is {X_1A.title}: `GTS_PDFXVersion` in the Info dictionary")
    for key in ("Title", "CreationDate", "ModDate"):
        found = as_string(file.info.get(f"/{key}"))
        if not found:
            yield Problem("F005", f"there is no `{key}` in the Info dictionary")
        elif key != "Title" and not _DATE.fullmatch(found):
            yield Problem("F005", f"`{key}` in the Info dictionary is no date: `{found[:40]}`")
    if as_name(file.info.get("/Trapped")) not in ("True", "False"):
        yield _NOT_TRAPPED


_DATE = re.compile(r"D:\d{4}(?:\d\d){0,5}(?:Z|[+-])?(?:\d\d'?){0,2}\s*")  # ISO 32000-1, 7.9.4, as loosely as readers do
_NOT_TRAPPED = Problem("F005", "it does not say whether it is trapped", "`Trapped` is to be `True` or `False`")


def _has_object_streams(pdf: Pdf) -> bool:
    # 2: the object is packed in an object stream (ISO 32000-1, table 18).
    return any(entry.type == 2 for entry in pdf.get_xref_table().values())


def _of_x_4(file: Claims) -> Iterator[Problem]:
    """Judge the claims of PDF/X-4: ISO 15930-7, 6.9 to 6.11."""
    xmp = file.xmp or {}
    if xmp.get("pdfxid:GTS_PDFXVersion") != X_4.title:
        yield Problem("F005", f"it does not say that it is {X_4.title}: `pdfxid:GTS_PDFXVersion` in its XMP metadata")
    for key in ("xmpMM:DocumentID", "xmpMM:VersionID", "xmpMM:RenditionClass"):
        if key not in xmp:
            yield Problem("F005", f"its XMP metadata have no `{key}`", severity=Severity.WARNING)
    for key, old in (("dc:title", "Title"), ("xmp:CreateDate", "CreationDate"), ("xmp:ModifyDate", "ModDate")):
        if not xmp.get(key) and not as_string(file.info.get(f"/{old}")):
            yield Problem("F005", f"there is no `{key}` in its XMP metadata")
    if xmp.get("pdf:Trapped", as_name(file.info.get("/Trapped"))) not in ("True", "False"):
        yield _NOT_TRAPPED


def _of_a_2b(file: Claims) -> Iterator[Problem]:
    """Judge the claims of PDF/A-2b: ISO 19005-2, 6.1.2, 6.1.3, 6.6.2 and 6.6.4."""
    if not _HEAD.match(file.data):
        message = "its head is not as the standard asks: `%PDF-1.7` as its first bytes, and a line of signs above 127"
        yield Problem("F005", message)
    if not re.search(rb"%%EOF(\r\n|\r|\n)?\Z", file.data[-16:]):  # at most one end of line may follow
        yield Problem("F005", "something follows its end: `%%EOF`")
    xmp = file.xmp or {}
    # U and A ask for all that B asks for.
    if xmp.get("pdfaid:part") != "2" or xmp.get("pdfaid:conformance") not in ("B", "U", "A"):
        for key, wanted in (("pdfaid:part", ("2",)), ("pdfaid:conformance", ("B", "U", "A"))):
            if xmp.get(key) not in wanted:
                yield Problem("F005", f"it does not say that it is {A_2B.title}: `{key}` in its XMP metadata")
    head = file.packet[:200]
    if re.search(rb"<\?xpacket begin=[^?]*\s(bytes|encoding)=", head):  # ISO 19005-2, 6.6.2.1 forbids both attributes
        yield Problem("F005", "the packet of its XMP metadata says how long or in which signs it is written")
    yield from _undescribed(file)


_NAMESPACE = re.compile(rb"xmlns:([A-Za-z_][\w.-]*)\s*=\s*[\"']([^\"']*)[\"']")
_KNOWN = frozenset(
    f"http://{each}"
    for each in (
        "www.w3.org/1999/02/22-rdf-syntax-ns#", "purl.org/dc/elements/1.1/", "ns.adobe.com/xap/1.0/",
        "ns.adobe.com/xap/1.0/mm/", "ns.adobe.com/xap/1.0/rights/", "ns.adobe.com/xap/1.0/bj/",
        "ns.adobe.com/xap/1.0/t/pg/", "ns.adobe.com/xap/1.0/g/", "ns.adobe.com/xap/1.0/g/img/",
        "ns.adobe.com/xap/1.0/sType/ResourceRef#", "ns.adobe.com/xap/1.0/sType/ResourceEvent#",
        "ns.adobe.com/xap/1.0/sType/Version#", "ns.adobe.com/xap/1.0/sType/Dimensions#",
        "ns.adobe.com/xap/1.0/sType/Font#", "ns.adobe.com/xap/1.0/sType/Job#",
        "ns.adobe.com/xmp/Identifier/qual/1.0/", "ns.adobe.com/xmp/1.0/DynamicMedia/", "ns.adobe.com/pdf/1.3/",
        "ns.adobe.com/photoshop/1.0/", "ns.adobe.com/camera-raw-settings/1.0/", "ns.adobe.com/tiff/1.0/",
        "ns.adobe.com/exif/1.0/", "ns.adobe.com/exif/1.0/aux/", "www.aiim.org/pdfa/ns/id/",
        "www.aiim.org/pdfa/ns/extension/", "www.aiim.org/pdfa/ns/schema#", "www.aiim.org/pdfa/ns/property#",
        "www.aiim.org/pdfa/ns/type#", "www.aiim.org/pdfa/ns/field#",
    )
) | {"adobe:ns:meta/"}  # fmt: skip
"""Namespaces of properties that every reader knows: ISO 19005-2, 6.6.2.3, and the XMP specification of 2005."""


def _undescribed(file: Claims) -> Iterator[Problem]:
    """Yield a problem for properties in the metadata that are neither known nor described there."""
    described = set(re.findall(rb"namespaceURI>\s*([^<\s]+)\s*<|namespaceURI\s*=\s*[\"']([^\"']+)", file.packet))
    known = {uri.decode("latin-1") for pair in described for uri in pair if uri} | _KNOWN
    for prefix, uri in sorted(set(_NAMESPACE.findall(file.packet))):
        is_used = re.search(rb"[<\s]" + re.escape(prefix) + rb":[A-Za-z_]", file.packet)
        if is_used and uri.decode("latin-1") not in known:
            message = f"its XMP metadata have properties that they do not describe: `{prefix.decode('latin-1')[:40]}`"
            yield Problem("F005", message, "describe them in an extension schema, or leave them out")


# --- output intents -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Intent:
    """The output intent of a file: the color space of its profile as ICC names it, empty if there is none."""

    space: str
    faults: tuple[Problem, ...]


def intent(pdf: Pdf, standard: Standard, effort: Effort, *, is_srgb: bool = False) -> Intent:
    """Return the colors that a file says it was made for, and what is wrong with that.

    ISO 15930-4, 6.2; ISO 15930-7, 6.4; ISO 19005-2, 6.2.3. An archive needs no intent unless it has device colors,
    which is known only when all is read. With `is_srgb`, RGB has to be sRGB.
    """
    found = [as_dictionary(each) for each in as_array(pdf.Root.get("/OutputIntents", Array()))]
    kind = [each for each in found if each.get("/S") == Name(f"/{standard.intent}")]
    profiles = {
        each["/DestOutputProfile"].objgen for each in kind if isinstance(each.get("/DestOutputProfile"), Stream)
    }
    if standard is A_2B and not kind:
        return Intent("", ())
    if len(kind) != 1 and not (standard is A_2B and len(profiles) <= 1):
        message = f"there are {len(kind)} output intents `{standard.intent}`, and there is to be one"
        return Intent("CMYK" if standard is not A_2B else "", (Problem("F010", message),))
    faults = tuple(_of_intent(kind[0], standard, effort, is_srgb=is_srgb))
    header = _header(kind[0].get("/DestOutputProfile"), effort)
    # An ICC header has `acsp` at byte 36 and the color space at byte 16 (ICC.1:2022, 7.2).
    space = header[16:20].decode("latin-1") if header[36:40] == b"acsp" else standard.space
    return Intent(space if space in _PROFILES else standard.space, faults)


def _of_intent(one: Dictionary, standard: Standard, effort: Effort, *, is_srgb: bool) -> Iterator[Problem]:
    if not as_string(one.get("/OutputConditionIdentifier")):
        yield Problem("F010", "the output intent does not name its printing condition")
    if "/DestOutputProfileRef" in one:
        yield Problem("F010", "the profile of the output intent lies in another file")
    profile = one.get("/DestOutputProfile")
    if not isinstance(profile, Stream):
        # PDF/X-1a may name a registered condition instead of embedding its profile.
        is_registered = standard is X_1A and as_string(one.get("/RegistryName")).rstrip("/") == REGISTRY
        if not is_registered and "/DestOutputProfileRef" not in one:
            yield Problem("F010", "the output intent has no color profile")
        return
    header = _header(profile, effort)
    # Bytes 12 to 15: the class of the profile.
    kind, space = header[12:16].decode("latin-1"), header[16:20].decode("latin-1")
    classes = ("prtr", "mntr") if standard is A_2B else ("prtr",)
    spaces = ("CMYK",) if standard is X_1A else tuple(_PROFILES)
    if header[36:40] != b"acsp":
        yield Problem("F010", "the color profile of the output intent is none")
    elif kind not in classes or space not in spaces:
        wanted = f"`{standard.device_class}`, `{standard.space.strip()}`"
        message = f"the color profile of the output intent is `{kind}`, `{space.strip()}`, not {wanted}"
        yield Problem("F010", message)
    elif as_integer(profile.get("/N")) != _PROFILES[space]:
        yield Problem("F010", "the color profile of the output intent has another number of channels than it says")
    elif int.from_bytes(header[:4]) > _length(profile, effort):  # the first four bytes give the profile's length
        yield Problem("F010", "the color profile of the output intent is cut off")
    elif header[8] > 4:  # the major version
        yield Problem("F010", f"the color profile of the output intent is of ICC {header[8]}, and 4 is the latest")
    elif is_srgb and space == "RGB " and not is_srgb_profile(unpack_stream(profile, effort)):
        yield Problem("F010", "the color profile of the output intent is not sRGB, and the shop asks for sRGB")


def is_srgb_profile(profile: bytes) -> bool:
    """Return whether a profile gives RGB numbers the colors of sRGB."""
    colors = colors_of(Image.new("RGB", (1, 1)), profile)
    return colors.transform is None and colors.doubt is None


def _header(profile: object, effort: Effort) -> bytes:
    """Return the first 128 bytes of a profile."""
    if not isinstance(profile, Stream):
        return bytes(128)
    try:
        return unpack_stream(profile, effort)[:128].ljust(128, b"\0")
    except TooLarge:
        return bytes(128)


def _length(profile: Stream, effort: Effort) -> int:
    return len(unpack_stream(profile, effort))
