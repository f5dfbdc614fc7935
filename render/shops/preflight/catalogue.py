"""What a file does besides showing pages: actions, scripts, forms, other files, layers, notes; and its packing."""

from __future__ import annotations

from collections.abc import Iterator

import pikepdf
from pikepdf import Array, Dictionary, Object, Pdf, Stream

from render.base.findings import Problem, Severity
from render.base.geometry import Rect
from render.pdf.standards import A_2B, X_1A, Standard
from render.shops.preflight.boxes import corners
from render.shops.preflight.objects.reading import (
    as_array,
    as_dictionary,
    as_integer,
    as_name,
    as_numbers,
    as_string,
    filters,
    is_false,
    is_true,
    key_of,
)

_ACTIVE = {"OpenAction": "an action", "AA": "actions", "AcroForm": "a form to fill in", "Collection": "a portfolio"}
_ACTIONS = (
    "Launch", "Sound", "Movie", "ResetForm", "ImportData", "JavaScript", "Hide", "SetOCGState", "Rendition", "Trans",
    "GoTo3DView",
)  # fmt: skip
"""Actions that ISO 19005-2, 6.5.1 forbids."""
# The only named actions that it allows.
_NAMED = ("NextPage", "PrevPage", "FirstPage", "LastPage")
_BOXES = ("MediaBox", "BleedBox")
_MAX_NODES = 10_000  # of a tree in the file, which may be circular


def of_catalogue(pdf: Pdf, standard: Standard, severity: Severity) -> Iterator[Problem]:
    """Judge the catalog: ISO 15930-4, 6.14, 6.17.

    ISO 15930-7, 6.18, 6.21, 6.24, 6.26; ISO 19005-2, 6.4, 6.5, 6.8-6.11.
    """
    root = as_dictionary(pdf.Root)
    names = as_dictionary(root.get("/Names"))
    if "/JavaScript" in names:
        yield Problem("F051", "the file holds JavaScript")
    if standard is A_2B:
        yield from _of_archive(root, names)
    else:
        for key, what in _ACTIVE.items():
            if f"/{key}" in root:
                yield Problem("F051", f"the file holds {what}: `{key}`")
        if "/EmbeddedFiles" in names:
            yield Problem("F051", "the file holds other files")
        shown = as_dictionary(root.get("/ViewerPreferences"))
        for key in ("ViewArea", "ViewClip", "PrintArea", "PrintClip"):
            if f"/{key}" in shown and as_name(shown[f"/{key}"]) not in _BOXES:
                yield Problem("F052", f"a part of the page is to be shown or printed: `{key}`")
    yield from _of_bookmarks(root)
    if "/AlternatePresentations" in names:
        yield Problem("F051", "the file has other ways to present it")
    layers = as_dictionary(root.get("/OCProperties"))
    if "/OCProperties" in root and standard is X_1A:
        yield Problem("F041", "the file has layers that can be hidden")
    elif layers:
        yield from _of_layers(layers, standard, severity)


def _of_archive(root: Dictionary, names: Dictionary) -> Iterator[Problem]:
    if "/AA" in root:
        yield Problem("F051", "the file holds actions: `AA`")
    yield from of_action(root.get("/OpenAction"))
    for key in ("Requirements", "NeedsRendering"):
        if f"/{key}" in root and not is_false(root[f"/{key}"]):
            yield Problem("F051", f"the file asks its reader for more than to show it: `{key}`")
    # Usage rights and certification are allowed (ISO 19005-2, 6.1.12).
    if set(as_dictionary(root.get("/Perms")).keys()) - {"/UR3", "/DocMDP"}:
        yield Problem("F051", "the file says who may do what with it: `Perms`")
    form = as_dictionary(root.get("/AcroForm"))
    if "/XFA" in form:
        yield Problem("F051", "the file holds a form of another kind: `XFA`")
    if is_true(form.get("/NeedAppearances")):
        yield Problem("F051", "the file asks its reader to draw its fields: `NeedAppearances`")
    if any(not _is_archive(file) for file in _embedded(names)):
        yield Problem("F051", "the file holds other files, one of which is no PDF/A")


def _embedded(names: Dictionary) -> Iterator[Object]:
    """Yield the files embedded in a file, from its name tree (ISO 32000-1, 7.9.6)."""
    waiting, seen = [as_dictionary(names.get("/EmbeddedFiles"))], 0
    while waiting and seen < _MAX_NODES:
        node = waiting.pop()
        seen += 1
        yield from as_array(node.get("/Names"))[1::2]  # names and files take turns
        waiting += [as_dictionary(kid) for kid in as_array(node.get("/Kids"))]


def _is_archive(file: object) -> bool:
    """Return whether an embedded file is a PDF that claims to be an archive (ISO 19005-2, 6.8)."""
    inner = as_dictionary(as_dictionary(file).get("/EF"))
    stream = inner.get("/F", inner.get("/UF"))
    if not isinstance(stream, Stream) or len(stream.read_raw_bytes()) > 1 << 24:
        return False
    data = stream.read_bytes()
    return data[:5] == b"%PDF-" and b"pdfaid" in data


def _of_bookmarks(root: Dictionary) -> Iterator[Problem]:
    """Yield what bookmarks do besides going to a page."""
    waiting, seen = [as_dictionary(root.get("/Outlines")).get("/First")], set[object]()
    while waiting and len(seen) < _MAX_NODES:
        entry = waiting.pop()
        said, key = as_dictionary(entry), key_of(entry) or len(seen)
        if not isinstance(entry, Dictionary) or key in seen:
            continue
        seen.add(key)
        yield from of_action(said.get("/A"))
        waiting += [said.get("/First"), said.get("/Next")]


def of_action(action: object) -> Iterator[Problem]:
    """Yield forbidden actions from a chain of actions."""
    waiting = [action]
    for _ in range(100):  # a chain may be circular
        if not waiting:
            return
        said = as_dictionary(waiting.pop())
        kind = as_name(said.get("/S"))
        if kind in _ACTIONS or (kind == "Named" and as_name(said.get("/N")) not in _NAMED):
            yield Problem("F051", f"the file asks its reader to act: `{kind}`")
        after = said.get("/Next")
        waiting += as_array(after) if isinstance(after, Array) else [after] if after is not None else []


def _of_layers(layers: Dictionary, standard: Standard, severity: Severity) -> Iterator[Problem]:
    """Judge layers: none switches itself, or is off, so that it is seen here and lost there."""
    usual = as_dictionary(layers.get("/D"))
    for way in (usual, *map(as_dictionary, as_array(layers.get("/Configs")))):
        if standard is A_2B and not as_string(way.get("/Name")):  # ISO 19005-2, 6.9
            yield Problem("F041", "a way to show the layers has no name")
        if "/AS" in way:
            yield Problem("F041", "layers are switched by whoever shows the file: `AS`")
    listed = {key: {key_of(one) for one in as_array(usual.get(key))} for key in ("/ON", "/OFF")}
    is_off = as_name(usual.get("/BaseState")) == "OFF"
    for layer in as_array(layers.get("/OCGs"))[:_MAX_NODES]:
        if key_of(layer) in listed["/OFF"] or (is_off and key_of(layer) not in listed["/ON"]):
            name = as_string(as_dictionary(layer).get("/Name"))
            hint = "leave it out, or turn it on: some programs print what is off"
            yield Problem("F041", f"the layer `{name[:40]}` is off", hint, severity=severity)


def of_page(page: pikepdf.Page, standard: Standard) -> Iterator[Problem]:
    """Yield what a page does, and what its annotations do."""
    if "/AA" in page.obj:
        yield Problem("F051", "there are actions: `AA`")
    if standard is A_2B and "/PresSteps" in page.obj:
        yield Problem("F051", "there are steps of a presentation: `PresSteps`")
    if "/Annots" in page.obj and not isinstance(page.obj["/Annots"], Array):
        yield Problem("F051", "what is laid over it cannot be read: `Annots`")
    for note in as_array(page.obj.get("/Annots"))[:_MAX_NODES]:
        said = as_dictionary(note)
        yield from _of_note_in_archive(said) if standard is A_2B else _of_note_in_print(said, page)


def _of_note_in_print(note: Dictionary, page: pikepdf.Page) -> Iterator[Problem]:
    """Judge notes (ISO 15930-4, 6.13; ISO 15930-7, 6.17): outside the bleed, printers' marks outside the trim."""
    kind = as_name(note.get("/Subtype"))
    if kind == "TrapNet":
        return
    boxes = ("TrimBox", "ArtBox") if kind == "PrinterMark" else ("BleedBox", "TrimBox", "ArtBox")
    name = next((each for each in boxes if f"/{each}" in page.obj), "MediaBox")
    bounds, place = corners(page, name), as_numbers(note.get("/Rect"), 4)
    if bounds is None or not place:
        yield Problem("F051", "there are annotations, links or fields")
        return
    shared = _rect(place).shared(_rect(list(bounds)))
    if shared.width >= 0 and shared.height >= 0:
        yield Problem("F051", "there are annotations, links or fields", f"on the page: `{kind or '?'}`")


def _rect(values: list[float]) -> Rect:
    x1, y1, x2, y2 = values
    return Rect(min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1))


# The kinds of annotations of PDF 1.7 that an archive may have (ISO 19005-2, 6.3.1).
_NOTES = (
    "Text", "Link", "FreeText", "Line", "Square", "Circle", "Polygon", "PolyLine", "Highlight", "Underline", "Squiggly",
    "StrikeOut", "Stamp", "Caret", "Ink", "Popup", "FileAttachment", "Widget", "PrinterMark", "TrapNet", "Watermark",
    "Redact",
)  # fmt: skip
_INVISIBLE, _HIDDEN, _PRINT, _NO_VIEW, _TOGGLE = 1, 2, 4, 32, 256  # flags of annotations (ISO 32000-1, table 165)


def _of_note_in_archive(note: Dictionary) -> Iterator[Problem]:
    """Judge an annotation (ISO 19005-2, 6.3): it is seen and printed just as the file shows it."""
    kind = as_name(note.get("/Subtype"))
    if kind not in _NOTES:
        yield Problem("F051", f"something is laid over it that the standard does not have: `{kind or '?'}`")
    if "/A" in note:
        yield from of_action(note["/A"])
    if "/AA" in note:
        yield Problem("F051", "a field or a note acts: `AA`")
    if kind == "Popup":
        return
    flags = as_integer(note.get("/F"), 0)
    if "/F" not in note or not flags & _PRINT or flags & (_INVISIBLE | _HIDDEN | _NO_VIEW | _TOGGLE):
        yield Problem("F051", f"something is laid over it that is not always seen and printed: `{kind or '?'}`")
    place = as_numbers(note.get("/Rect"), 4)
    is_empty = bool(place) and place[0] == place[2] and place[1] == place[3]
    looks = as_dictionary(note.get("/AP"))
    if kind != "Link" and not is_empty and ("/N" not in looks or len(looks.keys()) != 1):
        yield Problem("F051", f"something is laid over it that does not say how it looks: `{kind or '?'}`")


# --- streams --------------------------------------------------------------------------------------------------------

_OLD = {"LZWDecode": "LZW", "LZW": "LZW"}  # the second name is that of inline pictures
_LATER = {"JBIG2Decode": "JBIG2", "JPXDecode": "JPEG 2000"}  # filters that came with PDF 1.4 and 1.5
_KNOWN = {
    "FlateDecode", "Fl", "ASCIIHexDecode", "AHx", "ASCII85Decode", "A85", "RunLengthDecode", "RL", "CCITTFaxDecode",
    "CCF", "DCTDecode", "DCT", "JBIG2Decode", "JPXDecode", "Crypt",
}  # fmt: skip


def of_streams(pdf: Pdf, standard: Standard) -> Iterator[Problem]:
    """Judge the packing of streams: ISO 15930-4, 6.4 and 6.5; ISO 15930-7, 6.7 and 6.8; ISO 19005-2, 6.1.7."""
    for stream in pdf.objects:
        if not isinstance(stream, Stream):
            continue
        for name in filters(stream):
            if name in _OLD:
                yield Problem("F052", "something is packed with LZW", "pack it with Flate")
            elif standard is X_1A and name in _LATER:
                hint = "pack it with Flate or as a JPEG"
                yield Problem("F052", f"something is packed with {_LATER[name]}, which {X_1A.title} lacks", hint)
            elif name not in _KNOWN:
                yield Problem("F052", f"something is packed in a way that PDF does not have: `{name[:40]}`")
            elif name == "Crypt":
                yield Problem("F052", "something is encrypted by itself: `Crypt`")
        if "/F" in stream or "/FFilter" in stream or "/FDecodeParms" in stream:
            yield Problem("F052", "something lies in another file")
        if "/Ref" in stream:  # a reference XObject (ISO 32000-1, 8.10.4)
            yield Problem("F052", "a form stands for a page of another file")


def page_of_limits(page: pikepdf.Page, standard: Standard) -> Iterator[Problem]:
    """Yield a problem if a page is smaller or larger than readers must be able to show (ISO 19005-2, 6.1.13)."""
    bounds = corners(page, "MediaBox")
    if standard is A_2B and bounds:
        sides = (bounds[2] - bounds[0], bounds[3] - bounds[1])
        if min(sides) < 3 or max(sides) > 14_400:  # units: 1/24 in and 200 in
            yield Problem("F052", "it is smaller or larger than readers need to show")
