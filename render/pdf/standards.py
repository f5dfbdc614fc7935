"""File standards of print and archives: what each asks of a PDF, and how to make a ReportLab file meet it.

The facts are those of ISO 15930-4 (PDF/X-1a:2003), ISO 15930-7 (PDF/X-4) and ISO 19005-2 (PDF/A-2b). The result has the
structure that a standard asks for. Only a certifier can say that a file conforms.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from html import escape
from io import BytesIO
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, BinaryIO, cast

from msgspec import Struct

if TYPE_CHECKING:  # a build asks for standards each time, and seldom for a file that meets one
    from pikepdf import Object, Pdf

REGISTRY = "http://www.color.org"  # the ICC's registry of printing conditions

_INFO_DATE = "D:20000101000000Z"  # fixed: files must not depend on a clock
_XMP_DATE = "2000-01-01T00:00:00Z"
_MAKER = "kotc"


class Standard(Struct, frozen=True, kw_only=True):
    """What a standard asks of a file.

    `intent` is the kind of output intent; `space` and `device_class` are the color space and class that the ICC header
    of its profile must name. `colors` are the families of color spaces that may be used. `says` are the XMP properties
    by which a file claims the standard, `key` the entry of the Info dictionary that does.
    """

    name: str
    title: str
    iso: str
    version: str
    intent: str
    space: str
    device_class: str
    colors: frozenset[str]
    transparency: bool = False
    key: tuple[str, str] | None = None
    says: tuple[tuple[str, str], ...] = ()


# What has plates of its own; in PDF/X-1a nothing else is allowed.
_PLATES = frozenset({"DeviceGray", "DeviceCMYK", "Separation", "DeviceN", "Indexed", "Pattern"})
_CALIBRATED = frozenset({"CalGray", "CalRGB", "Lab", "ICCBased"})  # colors that do not depend on a device

X_1A = Standard(
    name="x-1a",
    title="PDF/X-1a:2003",
    iso="ISO 15930-4",
    version="1.4",
    intent="GTS_PDFX",
    space="CMYK",
    device_class="prtr",  # an ICC header names an output device `prtr`, a display `mntr` (ICC.1:2022, 7.2.5)
    colors=_PLATES,
    key=("GTS_PDFXVersion", "PDF/X-1a:2003"),
)
X_4 = Standard(
    name="x-4",
    title="PDF/X-4",
    iso="ISO 15930-7",
    version="1.6",
    intent="GTS_PDFX",
    space="CMYK",
    device_class="prtr",
    colors=_PLATES | _CALIBRATED,
    transparency=True,
    says=(
        ("pdfxid:GTS_PDFXVersion", "PDF/X-4"),
        ("pdf:Trapped", "False"),
        ("xmpMM:VersionID", "1"),
        ("xmpMM:RenditionClass", "default"),
    ),
)
A_2B = Standard(
    name="a-2b",
    title="PDF/A-2b",
    iso="ISO 19005-2",
    version="1.7",
    intent="GTS_PDFA1",
    space="RGB ",  # four letters, as in an ICC header
    device_class="mntr",
    colors=_PLATES - {"DeviceCMYK"} | {"DeviceRGB"} | _CALIBRATED,
    transparency=True,
    says=(("pdfaid:part", "2"), ("pdfaid:conformance", "B")),
)

STANDARDS = {standard.name: standard for standard in (X_1A, X_4, A_2B)}


class OutputIntent(Struct, frozen=True):
    """The colors that a file was made for: the condition's name in the registry, and its ICC profile."""

    condition: str
    profile: bytes


def add_structure(data: bytes, standard: Standard, intent: OutputIntent, title: str) -> bytes:
    """Return the PDF with the structure that the standard asks for. Its colors must already be allowed ones."""
    from pikepdf import Array, Pdf

    with TemporaryFile() as out:  # on the disk, since a file of many pictures should not be in memory twice
        with Pdf.open(BytesIO(data)) as pdf:
            pdf.Root.OutputIntents = Array([_output_intent(pdf, standard, intent)])
            _describe(pdf, standard, title)
            _save(pdf, standard, cast("BinaryIO", out))
        del data
        out.seek(0)
        return out.read()


def _output_intent(pdf: Pdf, standard: Standard, intent: OutputIntent) -> Object:
    from pikepdf import Dictionary, Name, String

    profile = pdf.make_stream(intent.profile)
    profile.N = len(standard.space.strip())  # number of color components
    return pdf.make_indirect(
        Dictionary(
            Type=Name.OutputIntent,
            S=Name(f"/{standard.intent}"),
            OutputConditionIdentifier=String(intent.condition),
            OutputCondition=String(intent.condition),
            Info=String(intent.condition),
            RegistryName=String(REGISTRY),
            DestOutputProfile=profile,
        )
    )


def _describe(pdf: Pdf, standard: Standard, title: str) -> None:
    """Say in the file what it is: in the Info dictionary, and in XMP where the standard wants it."""
    from pikepdf import Dictionary, Name, String

    info = pdf.make_indirect(
        Dictionary(
            Title=String(title),
            Creator=String(_MAKER),
            Producer=String(_MAKER),
            CreationDate=String(_INFO_DATE),
            ModDate=String(_INFO_DATE),
            # Both PDF/X standards ask for True or False: whether a prepress step has trapped the colors.
            Trapped=Name("/False"),
        )
    )
    if standard.key:
        info[f"/{standard.key[0]}"] = String(standard.key[1])
    pdf.trailer.Info = info
    if standard.says:
        packet = pdf.make_stream(xmp_packet(standard.says, standard.title, title))
        packet.Type, packet.Subtype = Name.Metadata, Name.XML
        pdf.Root.Metadata = packet


def _save(pdf: Pdf, standard: Standard, out: BinaryIO) -> None:
    from pikepdf import ObjectStreamMode

    pdf.save(
        out,
        force_version=standard.version,
        # PDF/X-1a (PDF 1.4) knows no object streams; without them all three are the same.
        object_stream_mode=ObjectStreamMode.disable,
        deterministic_id=True,
        fix_metadata_version=False,
    )


_NAMESPACES = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "pdf": "http://ns.adobe.com/pdf/1.3/",
    "pdfaid": "http://www.aiim.org/pdfa/ns/id/",
    "pdfuaid": "http://www.aiim.org/pdfua/ns/id/",
    "pdfxid": "http://www.npes.org/pdfx/ns/id/",
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "xmpMM": "http://ns.adobe.com/xap/1.0/mm/",
}


def xmp_packet(says: Iterable[tuple[str, str]], standard: str, title: str) -> bytes:
    """Return the XMP packet: the facts of the Info dictionary, and what a file says of the standard of that name."""
    # A document id that depends on the title alone.
    identity = uuid.uuid5(uuid.NAMESPACE_URL, f"{standard} {title}")
    properties = (
        *says,
        ("xmp:CreatorTool", _MAKER),
        ("xmp:CreateDate", _XMP_DATE),
        ("xmp:ModifyDate", _XMP_DATE),
        ("xmp:MetadataDate", _XMP_DATE),
        ("pdf:Producer", _MAKER),
        ("xmpMM:DocumentID", f"uuid:{identity}"),
    )
    used = {"dc", *(name.split(":")[0] for name, _ in properties)}
    namespaces = " ".join(f'xmlns:{prefix}="{_NAMESPACES[prefix]}"' for prefix in sorted(used))
    values = "\n".join(f"<{name}>{escape(value, quote=False)}</{name}>" for name, value in properties)
    return _PACKET.format(namespaces=namespaces, title=escape(title, quote=False), values=values).encode("utf-8")


# The header and trailer of a packet as the XMP specification gives them; `w`: may be rewritten.
_PACKET = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" {namespaces}>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
{values}
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
"""
