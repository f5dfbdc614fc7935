"""What a file says of itself and does besides showing pages: version, standard, output intent, actions, layers, packing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream
from PIL import Image

from render.base.findings import Diagnostic
from render.base.patterns import regex
from render.images.color_profiles import colors_of
from render.pdf.reading.content import Layers
from render.pdf.reading.values import as_array, as_dictionary, as_integer, as_items, as_name, as_string, key_of
from render.pdf.standards import A_2B, REGISTRY, X_1A, X_4
from render.shops.preflight.rules import Rules

CHANNELS = {"GRAY": 1, "RGB ": 3, "CMYK": 4}  # color spaces in an ICC header, and their channels
_INFO, _XMP = "the Info dictionary", "its XMP metadata"
_ASKED = (
    "pdfxid:GTS_PDFXVersion", "pdf:Trapped", "xmpMM:DocumentID", "xmpMM:VersionID", "xmpMM:RenditionClass", "dc:title",
    "xmp:CreateDate", "xmp:ModifyDate", "pdfaid:part", "pdfaid:conformance",
)  # fmt: skip
_DATE = regex(r"D:\d{4}(?:\d\d){0,5}(?:Z|[+-])?(?:\d\d'?){0,2}\s*")  # ISO 32000-1, 7.9.4, as loosely as readers do
_HEAD = regex(rb"%PDF-1\.[0-7]\r?\n?%[\x80-\xff]{4}")  # ISO 19005-2, 6.1.2
_NAMESPACE = regex(rb"xmlns:([A-Za-z_][\w.-]*)\s*=\s*[\"']([^\"']*)[\"']")
# Namespaces of properties that every reader knows: ISO 19005-2, 6.6.2.3, and the XMP specification of 2005.
_KNOWN = {"adobe:ns:meta/", "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://purl.org/dc/elements/1.1/"} | {
    f"http://{owner}/{path}"
    for owner, paths in (
        (
            "ns.adobe.com",
            "xap/1.0/ xap/1.0/mm/ xap/1.0/rights/ xap/1.0/bj/ xap/1.0/t/pg/ xap/1.0/g/ xap/1.0/g/img/"
            " xap/1.0/sType/ResourceRef# xap/1.0/sType/ResourceEvent# xap/1.0/sType/Version# xap/1.0/sType/Dimensions#"
            " xap/1.0/sType/Font# xap/1.0/sType/Job# xmp/Identifier/qual/1.0/ xmp/1.0/DynamicMedia/ pdf/1.3/"
            " photoshop/1.0/ camera-raw-settings/1.0/ tiff/1.0/ exif/1.0/ exif/1.0/aux/",
        ),
        ("www.aiim.org/pdfa/ns", "id/ extension/ schema# property# type# field#"),
    )
    for path in paths.split()
}


# --- the claim ------------------------------------------------------------------------------------------------------


def judge_claim(pdf: Pdf, data: bytes, rules: Rules) -> Iterator[Diagnostic]:
    """Yield a problem if a file does not claim the standard, or uses later features (ISO 15930-4, 5 and 6.7)."""
    standard, info = rules.standard, as_dictionary(pdf.trailer.get("/Info"))
    # A catalog may raise the version of the head (ISO 32000-1, 7.5.2).
    version = max(pdf.pdf_version, as_name(pdf.Root.get("/Version"))[:4] or "1.0")
    if version > standard.version:
        yield from rules("file", "version", version, standard.title, standard.version)
    packet, xmp = _read_xmp(pdf)
    if standard is X_1A:
        yield from _judge_x_1a(pdf, data, info, rules)
    elif standard is X_4:
        yield from _judge_x_4(info, xmp, rules)
    else:
        yield from _judge_a_2b(data, packet, xmp, rules)
    if "/ID" not in pdf.trailer:
        yield from rules("file", "no ID")


def _read_xmp(pdf: Pdf) -> tuple[bytes, Mapping[str, str]]:
    """Return the XMP packet and the properties that matter; an unreadable packet has none."""
    packet = pdf.Root.get("/Metadata")
    if not isinstance(packet, Stream):
        return b"", {}
    try:
        data = packet.read_bytes()
        with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False, strict=True) as known:
            values = {key: known.get(key) for key in _ASKED if key in known}
    except Exception:  # whatever the bytes are: the XML parser raises many kinds of errors
        return b"", {}
    words = {key: value if isinstance(value, str) else " ".join(map(str, value or ())) for key, value in values.items()}
    return data, words


def _judge_x_1a(pdf: Pdf, data: bytes, info: Dictionary, rules: Rules) -> Iterator[Diagnostic]:
    # 2: the object is packed in an object stream (ISO 32000-1, table 18).
    if re.search(rb"/Type\s*/XRef\b", data) or any(entry.type == 2 for entry in pdf.get_xref_table().values()):
        yield from rules("file", "packed objects")
    claim = as_string(info.get("/GTS_PDFXVersion"))
    if claim == "PDF/X-1:2001" and as_string(info.get("/GTS_PDFXConformance")) == "PDF/X-1a:2001":
        yield from rules("file", "older", X_1A.title)
    elif claim != X_1A.title:
        yield from rules("file", "no claim", X_1A.title, "GTS_PDFXVersion", _INFO)
    for key in ("Title", "CreationDate", "ModDate"):
        value = as_string(info.get(f"/{key}"))
        if not value:
            yield from rules("file", "no key", key, _INFO)
        elif key != "Title" and not _DATE.fullmatch(value):
            yield from rules("file", "no date", key, value)
    if as_name(info.get("/Trapped")) not in ("True", "False"):
        yield from rules("file", "not trapped")


def _judge_x_4(info: Dictionary, xmp: Mapping[str, str], rules: Rules) -> Iterator[Diagnostic]:
    if xmp.get("pdfxid:GTS_PDFXVersion") != X_4.title:
        yield from rules("file", "no claim", X_4.title, "pdfxid:GTS_PDFXVersion", _XMP)
    for key in ("xmpMM:DocumentID", "xmpMM:VersionID", "xmpMM:RenditionClass"):
        if key not in xmp:
            yield from rules("file", "no ID of XMP", key)
    for key, old in (("dc:title", "Title"), ("xmp:CreateDate", "CreationDate"), ("xmp:ModifyDate", "ModDate")):
        if not xmp.get(key) and not as_string(info.get(f"/{old}")):
            yield from rules("file", "no key", key, _XMP)
    if xmp.get("pdf:Trapped", as_name(info.get("/Trapped"))) not in ("True", "False"):
        yield from rules("file", "not trapped")


def _judge_a_2b(data: bytes, packet: bytes, xmp: Mapping[str, str], rules: Rules) -> Iterator[Diagnostic]:
    if not _HEAD.match(data):
        yield from rules("file", "head")
    if not re.search(rb"%%EOF(\r\n|\r|\n)?\Z", data[-16:]):  # at most one end of line may follow
        yield from rules("file", "tail")
    # U and A ask for all that B asks for.
    for key, wanted in (("pdfaid:part", ("2",)), ("pdfaid:conformance", ("B", "U", "A"))):
        if xmp.get(key) not in wanted:
            yield from rules("file", "no claim", A_2B.title, key, _XMP)
    if re.search(rb"<\?xpacket begin=[^?]*\s(bytes|encoding)=", packet[:200]):  # ISO 19005-2, 6.6.2.1 forbids both
        yield from rules("file", "packet")
    described = re.findall(rb"namespaceURI>\s*([^<\s]+)\s*<|namespaceURI\s*=\s*[\"']([^\"']+)", packet)
    known = {uri.decode("latin-1") for pair in described for uri in pair} | _KNOWN
    for prefix, uri in sorted(set(_NAMESPACE.findall(packet))):
        is_used = re.search(rb"[<\s]" + re.escape(prefix) + rb":[A-Za-z_]", packet)
        if is_used and uri.decode("latin-1") not in known:
            yield from rules("file", "undescribed", prefix.decode("latin-1"))


def copies_of_cards(pdf: Pdf) -> dict[str, int]:
    """Return the copies of each card by its id, as the ticket of a file that this program made for a shop has them."""
    private = as_dictionary(as_dictionary(pdf.Root.get("/PieceInfo")).get("/kotc")).get("/Private")
    try:
        ticket = json.loads(as_string(private) or "{}")
        return {card: count for card, count, _ in ticket["cards"]} if ticket.get("kind") == "shop" else {}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):  # any JSON may stand there
        return {}


# --- the output intent ----------------------------------------------------------------------------------------------


def read_intent(pdf: Pdf, rules: Rules, *, is_srgb: bool) -> tuple[str, list[Diagnostic]]:
    """Return the color space that a file was made for as ICC names it, empty if none, and what is wrong with that.

    An archive needs no intent unless it has device colors, which is known only when all is read. With `is_srgb`, RGB has
    to be sRGB.
    """
    standard = rules.standard
    listed = [as_dictionary(each) for each in as_array(pdf.Root.get("/OutputIntents", Array()))]
    intents = [intent for intent in listed if intent.get("/S") == Name(f"/{standard.intent}")]
    profiles = {key_of(intent.get("/DestOutputProfile")) for intent in intents} - {None}
    if standard is A_2B and not intents:
        return "", []
    if len(intents) != 1 and not (standard is A_2B and len(profiles) <= 1):
        space = "CMYK" if standard is not A_2B else ""
        return space, list(rules("intent", "count", len(intents), standard.intent))
    profile = intents[0].get("/DestOutputProfile")
    data = profile.read_bytes() if isinstance(profile, Stream) else b""
    # An ICC header has `acsp` at byte 36 and the color space at byte 16 (ICC.1:2022, 7.2).
    space = data[16:20].decode("latin-1") if data[36:40] == b"acsp" else ""
    faults = list(_judge_intent(intents[0], data, rules, is_srgb=is_srgb))
    return (space if space in CHANNELS else standard.space), faults


def _judge_intent(intent: Dictionary, data: bytes, rules: Rules, *, is_srgb: bool) -> Iterator[Diagnostic]:
    standard, profile = rules.standard, intent.get("/DestOutputProfile")
    if not as_string(intent.get("/OutputConditionIdentifier")):
        yield from rules("intent", "nameless")
    is_elsewhere = "/DestOutputProfileRef" in intent
    if is_elsewhere:
        yield from rules("intent", "elsewhere")
    if not isinstance(profile, Stream):
        # PDF/X-1a may name a registered condition instead of embedding its profile.
        is_registered = standard is X_1A and as_string(intent.get("/RegistryName")).rstrip("/") == REGISTRY
        if not is_registered and not is_elsewhere:
            yield from rules("intent", "no profile")
        return
    kind, space = data[12:16].decode("latin-1"), data[16:20].decode("latin-1")  # bytes 12 to 15: its class
    classes = ("prtr", "mntr") if standard is A_2B else ("prtr",)
    spaces = ("CMYK",) if standard is X_1A else tuple(CHANNELS)
    if data[36:40] != b"acsp":
        yield from rules("intent", "no ICC")
    elif kind not in classes or space not in spaces:
        yield from rules("intent", "kind", kind, space.strip(), standard.device_class, standard.space.strip())
    elif as_integer(profile.get("/N")) != CHANNELS[space]:
        yield from rules("intent", "channels")
    elif int.from_bytes(data[:4]) > len(data):  # the first four bytes give the profile's length
        yield from rules("intent", "cut off")
    elif data[8] > 4:  # the major version
        yield from rules("intent", "later", data[8])
    elif is_srgb and space == "RGB " and not is_srgb_profile(data):
        yield from rules("intent", "not sRGB")


@lru_cache(maxsize=64)
def is_srgb_profile(profile: bytes) -> bool:
    """Return whether a profile gives RGB numbers the colors of sRGB."""
    colors = colors_of(Image.new("RGB", (1, 1)), profile)
    return colors.transform is None and colors.doubt is None


# --- the catalog and streams ----------------------------------------------------------------------------------------


def judge_catalog(pdf: Pdf, rules: Rules) -> Iterator[Diagnostic]:
    """Yield what a file does besides showing pages, and which of its layers print otherwise than they look."""
    root = as_dictionary(pdf.Root)
    yield from rules.of("catalog", root)
    if rules.standard is A_2B:
        yield from judge_action(root.get("/OpenAction"), rules)
        if not all(_is_archive(file) for file in _embedded(root)):
            yield from rules("catalog", "no archive")
    for bookmark in _linked(as_dictionary(root.get("/Outlines")).get("/First"), "/First", "/Next"):
        yield from judge_action(bookmark.get("/A"), rules)  # what it does besides going to a page
    properties, layers = as_dictionary(root.get("/OCProperties")), Layers(root)
    for way in (properties.get("/D"), *as_array(properties.get("/Configs"))) if properties else ():
        if not as_string(as_dictionary(way).get("/Name")):
            yield from rules("catalog", "nameless")
        if "/AS" in as_dictionary(way):
            yield from rules("catalog", "switched")
    for layer in layers.layers:
        if key_of(layer) in layers.off:
            yield from rules("catalog", "off", as_string(as_dictionary(layer).get("/Name")))


def judge_action(action: object, rules: Rules) -> Iterator[Diagnostic]:
    """Yield forbidden actions from a chain of actions (ISO 19005-2, 6.5.1)."""
    for entries in _linked(action, "/Next"):
        yield from rules.of("action", entries)


def _linked(first: object, *keys: str) -> Iterator[Dictionary]:
    """Yield a dictionary, and once each of those that it and they refer to by these keys."""
    waiting, seen = [first], set[object]()
    while waiting:
        entry = waiting.pop()
        if isinstance(entry, Dictionary) and key_of(entry) not in seen:
            seen |= {key_of(entry)} - {None}
            yield entry
            waiting += [each for key in keys for each in as_items(entry.get(key))]


def _embedded(root: Dictionary) -> Iterator[Object]:
    """Yield the files embedded in a file, from its name tree (ISO 32000-1, 7.9.6)."""
    for node in _linked(as_dictionary(root.get("/Names")).get("/EmbeddedFiles"), "/Kids"):
        yield from as_array(node.get("/Names"))[1::2]  # names and files take turns


def _is_archive(file: object) -> bool:
    """Return whether an embedded file is a PDF that claims to be an archive (ISO 19005-2, 6.8)."""
    files = as_dictionary(as_dictionary(file).get("/EF"))
    stream = files.get("/F", files.get("/UF"))
    if not isinstance(stream, Stream):
        return False
    data = stream.read_bytes()
    return data[:5] == b"%PDF-" and b"pdfaid" in data


def judge_streams(pdf: Pdf, rules: Rules) -> Iterator[Diagnostic]:
    """Yield how streams are packed that the standard has something against."""
    for stream in pdf.objects:
        if isinstance(stream, Stream):
            yield from rules.of("stream", stream.stream_dict)
