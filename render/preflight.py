"""Preflight: what is wrong with a finished PDF, read back with another library than the one that drew it.

It trusts nothing that the writer remembers. No fault found means that a file is structured as the standard asks, as
far as is looked here; it is no certificate.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, Stream

from render.diag import Diagnostic, reason
from render.preflight_content import ContentReader, Fault
from render.preflight_pages import PageShape, boxes, sides
from render.standards import Standard

__all__ = ["Demands", "PageShape", "preflight"]


@dataclass(frozen=True, slots=True)
class Demands:
    """What a file is held to: a standard, and what a shop asks for beyond it, where it does.

    `ink_limit` is in per cent; `sides` are `Back` and `Front` in the order of a card's pages.
    """

    standard: Standard
    ink_limit: float | None = None
    shape: PageShape | None = None
    sides: tuple[str, ...] = ()


def preflight(data: bytes, demands: Demands) -> list[Diagnostic]:
    """Return all faults of a PDF, each kind of fault once, with the pages that have it."""
    try:
        with warnings.catch_warnings(), Pdf.open(BytesIO(data)) as pdf:
            warnings.simplefilter("error")  # what is amended in reading is not what stands in the file
            return [*_of_document(pdf, demands), *_of_pages(pdf, demands)]
    except pikepdf.PasswordError:
        return [Diagnostic("F003", "the file is encrypted, and opens with a password only")]
    except pikepdf.PdfError as error:
        return [Diagnostic("F001", f"the file cannot be read as a PDF: {reason(error)}")]
    except Exception as error:  # a value where another kind of value belongs: a file can hold any of them anywhere
        return [Diagnostic("F001", f"the file is not built as a PDF should be: {reason(error)}")]


def _of_document(pdf: Pdf, demands: Demands) -> Iterator[Diagnostic]:
    for check in (_syntax, _claim, _description, _intent, _forbidden, _streams):
        for fault in check(pdf, demands.standard):
            yield Diagnostic(fault.code, fault.what, hint=fault.hint)
    for wrong in sides(list(pdf.pages), demands.sides) if demands.sides else ():
        yield Diagnostic("F025", wrong)


def _of_pages(pdf: Pdf, demands: Demands) -> Iterator[Diagnostic]:
    reader = ContentReader(demands.standard, demands.ink_limit)
    found: dict[Fault, list[int]] = {}
    for number, page in enumerate(pdf.pages, start=1):
        faults = {*boxes(page, demands.shape), *reader.faults(page), *_interactive(page)}
        for fault in sorted(faults, key=lambda fault: (fault.code, fault.what)):
            found.setdefault(fault, []).append(number)
    for fault, pages in found.items():
        yield Diagnostic(fault.code, f"{_listed(pages)}: {fault.what}", hint=fault.hint)


def _listed(pages: list[int]) -> str:
    if len(pages) == 1:
        return f"page {pages[0]}"
    return f"page {pages[0]} and {len(pages) - 1} more"


def _syntax(pdf: Pdf, _: Standard) -> Iterator[Fault]:
    for problem in pdf.check_pdf_syntax():
        yield Fault("F002", f"the file is damaged: {reason(problem)}")
    if pdf.is_encrypted:
        yield Fault("F003", "the file is encrypted", "save it without a password")


def _claim(pdf: Pdf, standard: Standard) -> Iterator[Fault]:
    """Check that the file says which standard it keeps, and has no later version than the standard."""
    version = max(pdf.pdf_version, str(pdf.Root.get("/Version", "/1.0"))[1:])
    if version > standard.version:
        yield Fault("F004", f"it is PDF {version}, and {standard.title} is at most PDF {standard.version}")
    if standard.key and str(pdf.docinfo.get(f"/{standard.key[0]}", "")) != standard.key[1]:
        yield Fault("F005", f"it does not say that it is {standard.title}: `{standard.key[0]}` in the Info dictionary")
    if standard.says:
        with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as said:
            for name, value in standard.says:
                if said.get(name) != value:
                    yield Fault("F005", f"it does not say that it is {standard.title}: `{name}` in its XMP metadata")


def _description(pdf: Pdf, standard: Standard) -> Iterator[Fault]:
    info = pdf.docinfo
    for key in ("Title", "CreationDate", "ModDate"):
        if not str(info.get(f"/{key}", "")):
            yield Fault("F006", f"there is no `{key}` in the Info dictionary")
    if standard.intent == "GTS_PDFX" and str(info.get("/Trapped", "")) not in ("/True", "/False"):
        yield Fault("F007", "it does not say whether it is trapped", "`Trapped` is to be `True` or `False`")
    if "/ID" not in pdf.trailer:
        yield Fault("F008", "the file has no ID in its trailer")


def _intent(pdf: Pdf, standard: Standard) -> Iterator[Fault]:
    """Check that the file names one printing condition, with a profile of the right kind."""
    intents = [intent for intent in pdf.Root.get("/OutputIntents", Array()) if _is(intent, standard.intent)]
    if len(intents) != 1:
        yield Fault("F010", f"there are {len(intents)} output intents `{standard.intent}`, and there is to be one")
        return
    (intent,) = intents
    if not str(intent.get("/OutputConditionIdentifier", "")):
        yield Fault("F012", "the output intent does not name its printing condition")
    profile = intent.get("/DestOutputProfile")
    if not isinstance(profile, Stream):
        yield Fault("F011", "the output intent has no colour profile")
        return
    header = profile.read_bytes()[:128]
    kind, space = header[12:16].decode("latin-1"), header[16:20].decode("latin-1")
    if header[36:40] != b"acsp":
        yield Fault("F011", "the colour profile of the output intent is none")
    elif (kind, space) != (standard.device_class, standard.space):
        wanted = f"`{standard.device_class}`, `{standard.space.strip()}`"
        yield Fault("F011", f"the colour profile of the output intent is `{kind}`, `{space.strip()}`, not {wanted}")
    elif profile.get("/N") != len(standard.space.strip()):
        yield Fault("F011", "the colour profile of the output intent has another number of channels than it says")


def _is(intent: pikepdf.Object, kind: str) -> bool:
    return intent.get("/S") == Name(f"/{kind}")


_ACTIVE = {"OpenAction": "an action", "AA": "actions", "AcroForm": "a form to fill in", "Collection": "a portfolio"}


def _forbidden(pdf: Pdf, standard: Standard) -> Iterator[Fault]:
    for key, what in _ACTIVE.items():
        if f"/{key}" in pdf.Root:
            yield Fault("F051", f"the file holds {what}: `{key}`")
    names = pdf.Root.get("/Names", Dictionary())
    for key, what in (("JavaScript", "JavaScript"), ("EmbeddedFiles", "other files")):
        if f"/{key}" in names:
            yield Fault("F051", f"the file holds {what}")
    if "/OCProperties" in pdf.Root and not standard.transparency:
        yield Fault("F043", "the file has layers that can be hidden")


def _interactive(page: pikepdf.Page) -> Iterator[Fault]:
    if len(page.obj.get("/Annots", Array())):
        yield Fault("F050", "there are annotations, links or fields")
    if "/AA" in page.obj:
        yield Fault("F051", "there are actions: `AA`")


def _streams(pdf: Pdf, _: Standard) -> Iterator[Fault]:
    for stream in pdf.objects:
        if not isinstance(stream, Stream):
            continue
        filters = stream.get("/Filter", Array())
        packed = {str(name) for name in (filters if isinstance(filters, Array) else [filters])}
        if packed & {"/LZWDecode", "/LZW"}:
            yield Fault("F052", "something is packed with LZW", "pack it with Flate")
        if "/F" in stream:
            yield Fault("F053", "something lies in another file")
        if "/Ref" in stream:
            yield Fault("F053", "a form stands for a page of another file")
