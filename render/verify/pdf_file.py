"""A PDF as a press and a reader see it: boxes, hints for printing, fonts, layers, and the cards that its pages draw.

`scan` reads a file of whoever wrote it, and returns plain values alone.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pikepdf
from msgspec import convert
from pikepdf import Dictionary, Name, Object, Pdf, Stream, String

from render.base import guard
from render.base.findings import Refused
from render.base.geometry import MM_PER_POINT, Flip
from render.base.limits import PDF_PAGES, TO_VERIFY
from render.base.progress import in_stage, stage
from render.pdf.reading.values import (
    BOXES,
    Corners,
    as_dictionary,
    as_entries,
    as_items,
    as_name,
    as_number,
    as_string,
    inherited,
    is_true,
    read_widths,
)
from render.sheets.options import Backs
from render.verify.content import Digester, FilePage, base_name
from render.verify.faults import MAKE_AGAIN, NEAR, Fault, NotReadable, mm
from render.verify.ticket import Ticket

_OF_PAGE, _BYTES_A_SECOND = 2.0, 2e6  # seconds more for each page to be drawn, and bytes for which there is one more
_TAIL = 2048  # bytes: readers look for the place of the table in the last thousand

# Values of the viewer preference Duplex (ISO 32000-1, table 150).
_DUPLEX = {Flip.LONG_EDGE: "DuplexFlipLongEdge", Flip.SHORT_EDGE: "DuplexFlipShortEdge"}
_ACTING = {
    "/AA": "acts by itself",
    "/AcroForm": "holds a form",
    "/Collection": "holds other files",
}


class FileFont(NamedTuple):
    """A font: its name, the name by which pages call it, its program, widths and letters, and its glyphs in use."""

    name: str
    called: str
    is_embedded: bool
    program: bytes
    widths: Mapping[int, float]
    meaning: bytes
    shown: Sequence[int]
    meant: Sequence[tuple[int, str]]
    oddity: str


class PdfFile(NamedTuple):
    """A file: its title, its ticket, its hints for printing, its printing conditions with their profiles.

    `strange` is what it holds with which it may print or read as something else, with the page, `odd` what only we do not
    write.
    """

    creator: str
    title: str
    ticket: str | None
    hints: Mapping[str, str]
    conditions: Sequence[tuple[str, bytes]]
    strange: Sequence[tuple[int, str]]
    overprints: bool
    pages: Sequence[FilePage]
    fonts: Sequence[FileFont]
    odd: Sequence[tuple[int, str]]


def read(path: Path) -> PdfFile:
    """Return what is in a file; NotReadable; OSError."""
    if not path.is_file():
        raise NotReadable("Q001", "it is not a file")
    with path.open("rb"):  # OSError, which a worker could not raise
        return convert(guarded(scan, path, pages=0), PdfFile, str_keys=True)


def guarded(function: Callable[..., Any], path: Path, *args: Any, pages: int) -> Any:
    """Return what a function makes of somebody's file in a worker; NotReadable, if it takes too much or is damaged."""
    size = path.stat().st_size
    limits = TO_VERIFY.plus(size / _BYTES_A_SECOND + _OF_PAGE * pages, 2 * size)
    try:
        with stage("measure", 0):
            return guard.run(function, os.fspath(path.absolute()), *args, limits=limits)
    except Refused as refused:
        (finding,) = refused.findings
        raise NotReadable(finding.code, finding.message, finding.hint) from None
    except guard.TooMuchError as error:
        raise NotReadable("Q001", f"it takes more than {limits} to be judged: too much {error.what}") from None
    except guard.WorkFailedError as error:
        raise NotReadable("Q001", f"it is damaged: {error.kind}: {str(error)[:100]}", MAKE_AGAIN) from None


def opened(path: str) -> Pdf:
    """Return a PDF that is whole; NotReadable; OSError."""
    with Path(path).open("rb") as file:
        if b"%PDF-" not in file.read(1024):
            raise NotReadable("Q001", "it is not a PDF")
        file.seek(max(0, file.seek(0, 2) - _TAIL))
        if not re.search(rb"startxref\s+\d+\s+%%EOF", file.read()):
            raise NotReadable("Q001", "it is cut off: its end is missing", MAKE_AGAIN)
    try:
        return Pdf.open(Path(path).open("rb"), attempt_recovery=False, suppress_warnings=True)
    except pikepdf.PasswordError:
        raise NotReadable("Q001", "it is encrypted", "save it without a password") from None
    except (pikepdf.PdfError, ValueError, RecursionError) as error:
        raise _damaged(error) from None


def _damaged(error: object) -> NotReadable:
    first = (str(error).splitlines() or [""])[0]
    words = re.sub(r"^.*?(?:offset \d+\)|object \d+ \d+[^:]*)?: ", "", first).encode("utf-8", "replace").decode()
    return NotReadable("Q001", f"it is damaged: {words[:200] or type(error).__name__}", MAKE_AGAIN)


def scan(path: str) -> PdfFile:
    """Return what is in a file; NotReadable."""
    with opened(path) as pdf:
        if len(pdf.pages) > PDF_PAGES.most:
            raise NotReadable("Q001", f"it has {len(pdf.pages)} pages, more than {PDF_PAGES.most}")
        try:
            found = _scanned(pdf)
        except (
            pikepdf.PdfError,
            zlib.error,
            ArithmeticError,
            LookupError,
            ValueError,
            TypeError,
            RuntimeError,
        ) as error:
            raise _damaged(error) from None
        for warning in pdf.get_warnings():
            raise _damaged(warning)
    return found


def _scanned(pdf: Pdf) -> PdfFile:
    info = as_dictionary(pdf.trailer.get("/Info"))
    # Page-piece data of this program (ISO 32000-1, 14.5).
    private = as_dictionary(as_dictionary(pdf.Root.get("/PieceInfo")).get("/kotc")).get("/Private")
    digester = Digester()
    pages = [digester.page(page) for page in in_stage("read", "pages", [*pdf.pages])]
    states = [as_dictionary(state) for state in digester.states.values()]
    if any(as_number(state.get("/OPM"), 1.0) != 1 for state in states):
        digester.odd["another mode of overprinting"] = 0
    intents = map(as_dictionary, as_items(pdf.Root.get("/OutputIntents")))
    return PdfFile(
        as_string(info.get("/Creator")),
        as_string(info.get("/Title")),
        as_string(private) if isinstance(private, String) else None,
        {key: as_name(value) or str(value) for key, value in as_entries(pdf.Root.get("/ViewerPreferences"))},
        [
            (as_string(each.get("/OutputConditionIdentifier")), _read(each.get("/DestOutputProfile")))
            for each in intents
        ],
        tuple(dict.fromkeys([*_strange(pdf), *_strange_states(states)])),
        any(is_true(state.get(key)) for state in states for key in ("/OP", "/op")),
        pages,
        tuple(_fonts(pdf, digester)),
        tuple((page, what) for what, page in digester.odd.items()),
    )


def _read(stream: object) -> bytes:
    return stream.read_bytes() if isinstance(stream, Stream) else b""


def _strange(pdf: Pdf) -> Iterator[tuple[int, str]]:
    """Yield what a file holds that no sheet has, and with which it may print or read as something else."""
    root, names = pdf.Root, as_dictionary(pdf.Root.get("/Names"))
    yield from ((0, f"it {what}") for key, what in _ACTING.items() if key in root)
    if as_name(as_dictionary(root.get("/OpenAction")).get("/S")) not in ("", "GoTo"):
        yield 0, "it acts when it is opened"
    layers = as_dictionary(as_dictionary(root.get("/OCProperties")).get("/D"))
    for is_so, what in (
        ("/JavaScript" in names, "it holds scripts"),
        (not (pdf.allow.print_lowres and pdf.allow.print_highres), "it forbids to be printed"),
        (layers.get("/BaseState") == Name.OFF or as_items(layers.get("/OFF")), "a layer is hidden"),
        (as_items(layers.get("/AS")), "layers are shown or hidden by themselves"),
    ):
        if is_so:
            yield 0, what
    for number, page in enumerate(pdf.pages, start=1):
        if as_items(page.obj.get("/Annots")):
            yield number, "annotations lie on the page"
        if "/AA" in page.obj:
            yield number, "the page acts by itself"
        spaces = as_dictionary(as_dictionary(inherited(page.obj, "/Resources")).get("/ColorSpace"))
        yield from (
            (number, f"`{key[1:]}` gives colors another meaning")
            for key in map(str, spaces.keys())
            if key.startswith("/Default")
        )


def _strange_states(states: Sequence[Dictionary]) -> Iterator[tuple[int, str]]:
    for state in states:
        for key in ("/TR", "/TR2", "/HT", "/BG", "/BG2", "/UCR", "/UCR2"):
            if key in state:
                yield 0, f"`{key[1:]}` changes how a press prints"


def _fonts(pdf: Pdf, digester: Digester) -> Iterator[FileFont]:
    """Yield the fonts in use, and those that pages could use."""
    fonts = dict(digester.fonts)
    called: dict[object, str] = {}
    for page in pdf.pages:
        for key, font in as_entries(as_dictionary(inherited(page.obj, "/Resources")).get("/Font")):
            number: object = font.objgen if font.objgen != (0, 0) else base_name(font)
            fonts.setdefault(number, font)
            called[number] = key
    for number, font in fonts.items():
        inner = ([as_dictionary(one) for one in as_items(font.get("/DescendantFonts"))] or [as_dictionary(font)])[0]
        described = as_dictionary(inner.get("/FontDescriptor"))
        file = next((described[key] for key in ("/FontFile", "/FontFile2", "/FontFile3") if key in described), None)
        shown = bytes(digester.shown.get(number, b""))
        yield FileFont(
            base_name(font) or "without a name",
            called.get(number, ""),
            isinstance(file, Stream) or font.get("/Subtype") == Name.Type3,
            _read(file),
            read_widths(inner.get("/W")),
            _read(font.get("/ToUnicode")),
            sorted({int.from_bytes(shown[at : at + 2]) for at in range(0, len(shown), 2)}),
            tuple(
                (int.from_bytes(code[:2]), text.decode("utf-16", "replace"))
                for code, text in digester.meant.get(number, ())
            ),
            _font_oddity(font, inner),
        )


def _font_oddity(font: Object, inner: Dictionary) -> str:
    """Return how a font's codes differ from the numbers of its glyphs; "" if they are these."""
    is_plain = font.get("/Subtype") == Name.Type0 and font.get("/Encoding") == Name("/Identity-H")
    is_mapped = inner.get("/Subtype") == Name.CIDFontType2 and inner.get("/CIDToGIDMap", Name.Identity) != Name.Identity
    return "" if is_plain and not is_mapped else "its codes are not the numbers of its glyphs"


# --- against the ticket ---------------------------------------------------------------------------------------------


def sizes(pages: Sequence[FilePage], ticket: Ticket) -> Iterator[Fault]:
    """Yield what is wrong with the boxes of the pages: each is the whole paper, upright, in points."""
    paper, bleed = ticket.paper, ticket.bleed[0] / MM_PER_POINT
    for number, page in enumerate(pages, start=1):
        media = page.boxes["MediaBox"]
        if not _is_near(media, (0.0, 0.0, paper.width / MM_PER_POINT, paper.height / MM_PER_POINT)):
            what = f"the page is {_size(media)}, and the paper is {mm(paper.width)} x {mm(paper.height)} mm"
            yield Fault("Q010", what, number)
        for name in BOXES[1:]:
            box, due = page.boxes.get(name), media
            if ticket.shop and name == "TrimBox":
                due = media[0] + bleed, media[1] + bleed, media[2] - bleed, media[3] - bleed
            if box is None and (name == "TrimBox" or (name == "BleedBox" and ticket.shop)):
                yield Fault("Q010", f"there is no {name}", number)
            elif box is not None and not _is_near(box, due):
                hint = "viewers print what lies within it, and scale it to the paper" if name == "CropBox" else ""
                what = "not the whole page" if due is media else "not the card in the middle of the page"
                yield Fault("Q010", f"the {name} is {_size(box)}, and {what}", number, hint=hint)
        if page.rotate != 0:
            yield Fault("Q010", f"the page is rotated by {page.rotate:g} degrees", number)
        if page.unit != 1:  # UserUnit scales the whole page (table 30)
            what = f"the page's unit is {page.unit:g} points, so that it prints in another size"
            yield Fault("Q010", what, number)


def _size(box: Corners) -> str:
    left, bottom, right, top = (value * MM_PER_POINT for value in box)
    at = "" if abs(left) < NEAR and abs(bottom) < NEAR else f" at {mm(left)}, {mm(bottom)}"
    return f"{mm(right - left)} x {mm(top - bottom)} mm{at}"


def _is_near(box: Corners, other: Corners) -> bool:
    return all(abs(a - b) * MM_PER_POINT <= NEAR for a, b in zip(box, other, strict=True))


def settings(file: PdfFile, ticket: Ticket) -> Iterator[Fault]:
    """Yield what a press or a reader would do otherwise than the ticket says: hints, conditions, whatever is strange."""
    duplex = _DUPLEX[ticket.flip] if ticket.backs is Backs.DUPLEX and not ticket.shop else "Simplex"
    for key, value in {"PrintScaling": "None", "Duplex": duplex}.items():
        found = file.hints.get(key)
        if found != value and not ticket.assumed:
            what = f"the hint `{key}` is {f'`{found[:40]}`' if found else 'missing'}, and is to be `{value}`"
            hint = "viewers would scale the page, or offer to" if key == "PrintScaling" else ""
            yield Fault("Q020", what, hint=hint)
    if "PrintPageRange" in file.hints:
        yield Fault("Q020", "the file asks to be printed in part")
    if file.hints.get("NumCopies", "1") != "1":
        yield Fault("Q020", f"the file asks to be printed {file.hints['NumCopies'][:10]} times")
    yield from (Fault("Q006", what, page) for page, what in file.strange)
    if not ticket.assumed:
        yield from (Fault("Q006", f"it holds {what}, which kotc does not write", page) for page, what in file.odd)
    if file.overprints and not ticket.standard:
        yield Fault("Q006", "something overprints, as in files for a press alone")
    if ticket.assumed:
        return
    names = [name for name, _ in file.conditions]
    if ticket.condition is None:
        if names:
            yield Fault("Q006", "it says for which press it is, and is to be for none")
        return
    from render.images.inks import profile_bytes

    name, profile = ticket.condition
    if names != [name]:
        yield Fault(
            "Q006", f"it is for {', '.join(names)[:80] or 'no press'}, and is to be for `{name}`", hint=MAKE_AGAIN
        )
    elif file.conditions[0][1] != profile_bytes(profile):
        yield Fault("Q006", f"its color profile is not that of `{name}`", hint=MAKE_AGAIN)
