"""One file of sheets: read, and checked against its own ticket."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from render.base.findings import Problem
from render.base.geometry import IDENTITY, Affine
from render.sheets.options import Backs
from render.verify.faces import embedded
from render.verify.faces.drawn import DrawnPage, PageTracer
from render.verify.faces.painting import Painter
from render.verify.faces.scenes import Inks, on_press, on_screen
from render.verify.reading import pdf_reading, shop_ticket, ticket
from render.verify.reading.content import UnreadableContent
from render.verify.reading.faults import MAKE_AGAIN, Fault, NotReadable
from render.verify.reading.pdf_reading import FileFont, PdfFile
from render.verify.reading.ticket import Ticket
from render.verify.sheet import backs, beside, copies, near_edge, pages, places, shop_pages
from render.verify.sheet.edges import edges
from render.verify.sheet.places import Block, SheetSide

SIZES, PLACES, BACKS, COPIES = "sizes", "places", "backs", "copies"
DRAWINGS, MARKS, FONTS, EDGES, HINTS = "drawings", "marks", "fonts", "edges", "print hints"
TOPICS = (SIZES, PLACES, BACKS, COPIES, DRAWINGS, MARKS, FONTS, EDGES, HINTS)

_OF_CODES = {
    "Q010": SIZES,
    "Q020": HINTS,
    "Q030": FONTS,
    "Q040": PLACES,
    "Q050": BACKS,
    "Q060": COPIES,
    "Q070": EDGES,
    "Q080": MARKS,
    "Q090": DRAWINGS,
    "I001": EDGES,
}


def topic(code: str) -> str:
    """Return the topic of a finding; "" if it is about the file as such."""
    return _OF_CODES.get(code, "")


_NONE = embedded.FontUse({}, {}, {})


@dataclass(slots=True, kw_only=True)
class SheetFile:
    """A file of sheets as read: what it says, what is drawn, and the sides of its sheets by sheet number.

    `looked_at` are the topics that were checked, `unproved` those that could not be, with the reason.
    `own_fonts` are those that can be held only to the set.
    """

    path: Path
    document: PdfFile
    ticket: Ticket
    drawn: list[DrawnPage] = field(default_factory=list)
    fronts: dict[int, SheetSide] = field(default_factory=dict)
    backs: dict[int, SheetSide] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    looked_at: set[str] = field(default_factory=set)
    unproved: dict[str, str] = field(default_factory=dict)
    own_fonts: embedded.FontUse = _NONE

    def names(self, *, are_backs: bool) -> list[str]:
        """Return the cards of all fronts or of all backs, each as often as it occurs."""
        return [face.name for page in self.drawn for face in page.faces if face.is_back is are_backs]

    @property
    def sheets(self) -> range:
        """The numbers of its sheets within its job."""
        return range(self.ticket.first, self.ticket.last + 1)


def read(path: Path) -> SheetFile:
    """Return a file of sheets, judged by itself; NotReadable if it is none; OSError."""
    document = pdf_reading.read(path)
    if document.ticket is None:
        raise _without_ticket(document)
    try:
        held_to = shop_ticket.read(document.ticket)
    except ValueError as error:
        raise NotReadable("Q003", f"its ticket cannot be used: {error}", MAKE_AGAIN) from None
    file = SheetFile(path=path, document=document, ticket=held_to)
    file.faults += _judged(file)
    return file


def _without_ticket(document: PdfFile) -> NotReadable:
    """Return why a file is no file of sheets, and what can still be seen of it."""
    if document.creator != "kotc":
        return NotReadable("Q003", "it was not written by kotc: it has no ticket that says what it is to be", _ONLY)
    if not document.producer.startswith(_PRODUCERS):
        return NotReadable("Q003", "another program saved it again, and lost what it is to be", MAKE_AGAIN)
    tracer = PageTracer(len(document.pages))
    drawn = [tracer.page(page) for page in document.pages]
    seen = [*pages.nested(document.pages), *pages.fonts(drawn, document.pages)]
    why = "kotc wrote it, but it is not a print sheet: only its page boxes and fonts were looked at"
    return NotReadable("Q003", why, _SHOP, seen)


_ONLY = "only what `kotc pdf` and `kotc build` write can be verified"
_PRODUCERS = ("kotc", "ReportLab")  # that files for print shops, and all others, name
_SHOP = "files for a print shop are judged by `kotc preflight`"


def _judged(file: SheetFile) -> Iterator[Fault]:
    """Yield everything that is wrong with a file by itself."""
    document = file.document
    tracer = PageTracer(len(document.pages))
    file.drawn = [tracer.page(page) for page in document.pages]
    off_size = list(pages.sizes(document.pages, file.ticket))
    yield from off_size
    yield from pages.hints(document, file.ticket)
    yield from pages.fonts(file.drawn, document.pages)
    use = embedded.FontUse(tracer.shown, tracer.meant, _named(document))
    yield from embedded.proved(use.part(False))
    file.own_fonts = use.part(True)
    yield from pages.strange(document, file.drawn, is_for_press=file.ticket.standard is not None)
    condition = shop_ticket.condition_of(file.ticket)
    if condition:
        from render.images.inks import profile_bytes

        yield from pages.conditions(document, (condition[0], profile_bytes(condition[1])))
    file.looked_at |= {SIZES, HINTS, FONTS}
    # An instruction that is not understood may move or hide all that follows it.
    if any(page.oddities for page in file.drawn):
        file.unproved |= dict.fromkeys((PLACES, BACKS, COPIES, MARKS, EDGES), "what is drawn is not all understood")
        return
    yield from _cards(file)
    yield from _edges(file, {fault.page for fault in off_size})


def _named(document: PdfFile) -> dict[bytes, FileFont]:
    """Return the fonts that pages can name."""
    return {name: font for page in document.pages for name, font in page.resources.fonts.items()}


def _cards(file: SheetFile) -> Iterator[Fault]:
    wrong = [*_number_of_pages(file), *places.correction(file.ticket)]
    if wrong:
        yield from wrong
        file.unproved |= dict.fromkeys((PLACES, BACKS, MARKS), "it is not known where the cards are to be")
    else:
        yield from _sides(file)
        file.looked_at |= {PLACES, MARKS}
    are_backs = file.ticket.side is ticket.FileSide.BACKS
    yield from copies.by_ticket(file.names(are_backs=are_backs), file.ticket, are_backs=are_backs)
    yield from copies.missing(file.ticket)
    file.looked_at.add(COPIES)


def _number_of_pages(file: SheetFile) -> Iterator[Fault]:
    shown = len(file.document.pages)
    due = len(file.sheets) * (2 if file.ticket.backs is Backs.DUPLEX else 1)
    if shown != due:
        what = f"the file has {shown} pages, and its {'cards' if file.ticket.shop else 'sheets'} take {due}"
        yield Fault(Problem("Q003", what, "make it again with `kotc shop`" if file.ticket.shop else MAKE_AGAIN))


def _sides(file: SheetFile) -> Iterator[Fault]:
    """Yield what is wrong with the places of the faces, page by page."""
    block, backs_mode = Block.of(file.ticket), file.ticket.backs
    painter = Painter(len(file.drawn), is_beside=True)
    for number, page in enumerate(file.drawn, start=1):
        is_duplex = backs_mode is Backs.DUPLEX
        place = (number - 1) // 2 if is_duplex else number - 1  # in a duplex file every sheet has two pages
        sheet = file.ticket.last - place if file.ticket.is_reversed else file.ticket.first + place
        is_back_page = _is_back(file.ticket, number)
        wrong = list(
            backs.faces_on_wrong_side(number, page, is_back_page=is_back_page, is_fold=backs_mode is Backs.FOLD)
        )
        yield from wrong
        # Back pages are measured as if they were not corrected.
        undo = file.ticket.correction.inverse if is_back_page else IDENTITY
        found: list[SheetSide] = []
        for are_backs, sides in ((False, file.fronts), (True, file.backs)):
            if are_backs is not is_back_page and backs_mode is not Backs.FOLD:
                continue
            faces_by_slot = SheetSide(number)
            faces = tuple(face for face in page.faces if face.is_back is are_backs)
            yield from places.assign_slots(faces_by_slot, faces, block, undo)
            found.append(faces_by_slot)
            if wrong:
                continue
            sides[sheet] = faces_by_slot
            if not are_backs:
                yield from places.gaps(faces_by_slot, file.ticket, _due(file.ticket, sheet))
        if file.ticket.shop:
            yield from shop_pages.in_order(page, number, file.ticket, is_back=is_back_page)
        yield from _beside(file, _Sheet(number, sheet, is_back_page, undo), found, painter)


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A page: its number, its sheet's number, whether it is a back, and the inverse of its correction."""

    page: int
    sheet: int
    is_back: bool
    undo: Affine


def _beside(file: SheetFile, at: _Sheet, cards: list[SheetSide], painter: Painter) -> Iterator[Fault]:
    """Yield what is wrong with everything drawn beside the faces of a page. A page for no backs must be empty."""
    drawn, block = file.drawn[at.page - 1], Block.of(file.ticket)
    wanted: list[beside.ExpectedMark] = []
    if drawn.faces or not at.is_back:
        words = beside.words(block, at.sheet, on_back=at.is_back)
        wanted = beside.marks(block, words, cards, on_back=at.is_back, inks=_colors(file.ticket))
    try:
        painted = painter.painted(drawn.beside, file.document.pages[at.page - 1].resources)
        # From points, with y upwards, to mm, with y downwards; then as if the sheet had not been corrected.
        found = [each.taken(at.undo @ drawn.to_mm) for each in painted]
    except UnreadableContent as error:
        yield Fault(Problem("Q006", f"what is drawn beside the cards cannot be followed: {error}"), at.page)
        return
    wrong = list(beside.foreign(found, wanted, cards, block, at.page))
    yield from wrong
    if drawn.is_over_marks and not wrong:
        yield Fault(Problem("Q080", "cards are drawn over the marks, which are to lie over them"), at.page)


def _colors(held_to: Ticket) -> Inks:
    """Return how a file writes colors: as numbers of sRGB, or as inks of its press."""
    press = shop_ticket.press_of(held_to)
    if press is None:
        return on_screen
    return partial(on_press, press=press)


def _is_back(held_to: Ticket, page: int) -> bool:
    """Return whether a page, counted from 1, should hold backs."""
    if held_to.backs is not Backs.DUPLEX:
        return held_to.side is ticket.FileSide.BACKS
    # Fronts and backs alternate, and the front comes first unless a shop asks for the back.
    return (page % 2 == 0) is not (held_to.shop is not None and held_to.shop.backs_first)


def _due(held_to: Ticket, sheet: int) -> int:
    """Return how many cards a sheet should hold: only the last sheet of a file may have empty slots."""
    return min(held_to.slots, held_to.copies - (sheet - held_to.first) * held_to.slots)


def _edges(file: SheetFile, off_size: set[int]) -> Iterator[Fault]:
    """Yield where something is printed in the margins of pages that have the right size.

    A correction may print into the margin of a page as far as the printer will move it back inwards.
    """
    held_to = file.ticket
    margins, moved = [], {}
    for number, page in enumerate(file.drawn, start=1):
        is_back_page = _is_back(held_to, number)
        corrected = places.corrected_by(held_to) if is_back_page else 0.0
        margins.append(0.0 if number in off_size else max(0.0, held_to.margin - corrected))
        if (corrected or any(held_to.offset)) and number not in off_size:
            moved[number] = page
    yield from edges(file.path, margins, held_to.margin)
    yield from near_edge.near_edges(file.path, moved, held_to)
    if held_to.margin == 0:
        return
    if off_size:
        file.unproved[EDGES] = "pages are not of the size of the paper"
    else:
        file.looked_at.add(EDGES)
