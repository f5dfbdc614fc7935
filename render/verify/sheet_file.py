"""One file of sheets: what its ticket, its pages and verify's own arithmetic say of it."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field
from pikepdf import Pdf

from render.base.findings import Severity
from render.base.geometry import IDENTITY, MM_PER_POINT, Size, box_around
from render.pdf import document
from render.sheets.options import MIN_MARGIN, Backs
from render.verify import fonts, marks, pdf_file, places, ticket
from render.verify.content import Digester, Face
from render.verify.faces import TWIN, WantedCards
from render.verify.faults import MAKE_AGAIN, NEAR, Fault, NotReadable, mm
from render.verify.marks import Mark
from render.verify.pdf_file import PdfFile
from render.verify.places import Block, Side
from render.verify.ticket import FileSide, Ticket

SIZES, PLACES, BACKS, COPIES = "sizes", "places", "backs", "copies"
DRAWINGS, MARKS, FONTS, EDGES, HINTS = "drawings", "marks", "fonts", "edges", "print hints"
TOPICS = (SIZES, PLACES, BACKS, COPIES, DRAWINGS, MARKS, FONTS, EDGES, HINTS)
TOPIC_OF = {
    "Q010": SIZES, "Q020": HINTS, "Q030": FONTS, "Q040": PLACES, "Q050": BACKS, "Q060": COPIES, "Q070": EDGES,
    "Q080": MARKS, "Q090": DRAWINGS, "I001": EDGES,
}  # fmt: skip

_HELPS = "make it again with `kotc pdf --printer`, which moves the cards, with a smaller `--grid`, or on larger paper"


class ExpectedPage(Struct):
    """What is to be beside the cards of a page; `is_right` if the page draws exactly that, above its cards."""

    marks: Sequence[Mark]
    page: document.Page
    is_right: bool = False
    inks: Collection[str] = ()


class SheetFile(Struct):
    """A file of sheets as read, with the sides of its sheets by number, and what is to be on its pages.

    `looked_at` are the topics that were checked, `unproved` those that could not be, with the reason.
    """

    path: Path
    document: PdfFile
    ticket: Ticket
    fronts: dict[int, Side] = field(default_factory=dict)
    backs: dict[int, Side] = field(default_factory=dict)
    slots: dict[int, str] = field(default_factory=dict)
    pages: list[ExpectedPage] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    looked_at: set[str] = field(default_factory=set)
    unproved: dict[str, str] = field(default_factory=dict)

    @property
    def faces(self) -> Iterator[Face]:
        return (face for page in self.document.pages for face in page.faces)

    @property
    def own_fonts(self) -> list[pdf_file.FileFont]:
        return [font for font in self.document.fonts if fonts.is_own(font)]

    def names(self, *, are_backs: bool) -> list[str]:
        """Return the cards of all fronts or of all backs, each as often as it occurs."""
        return [face.name for face in self.faces if face.is_back is are_backs]


def read(path: Path, document: PdfFile) -> SheetFile:
    """Return a file of sheets, judged by itself; NotReadable if it does not say what it is to be."""
    if document.ticket is None and document.creator != "kotc":
        hint = "only what `kotc pdf` and `kotc build` write can be verified"
        raise NotReadable("Q003", "it has no ticket that says what it is to be", hint)
    if document.ticket is None:
        hint = "files for a print shop are judged by `kotc preflight`; with `--set`, sheets that were saved again are judged, too"
        raise NotReadable("Q003", "it is not a print sheet, or another program lost what it is to be", hint)
    try:
        file = SheetFile(path, document, ticket.parse(document.ticket))
    except ValueError as error:
        raise NotReadable("Q003", f"its ticket cannot be used: {error}", MAKE_AGAIN) from None
    file.faults += _judged(file)
    return file


def assumed(path: Path, document: PdfFile, wanted: WantedCards) -> Iterator[SheetFile]:
    """Yield a file that lost its ticket as each of the sheets of cards that it could be, with the faces in their places."""
    left, bottom, right, top = (round(value * MM_PER_POINT, 2) for value in document.pages[0].boxes["MediaBox"])
    for words, said in wanted.tickets(Size(right - left, top - bottom)):
        held_to = ticket.assume(said, words)
        faces = [list(places.assumed(held_to, number)) for number in range(1, len(document.pages) + 1)]
        pages = [page._replace(faces=due, is_plain=True) for page, due in zip(document.pages, faces, strict=True)]
        file = SheetFile(path, document._replace(pages=pages), held_to)
        file.faults += _judged(file)
        if not any(fault.code in ("Q003", "Q010") for fault in file.faults):  # other pages, or no sheets of ours
            file.unproved["what it is to be"] = f"it does not say so any more, and was taken for sheets by `{words}`"
            file.unproved |= dict.fromkeys((HINTS, FONTS), "another program wrote the file anew")
            yield file


def _judged(file: SheetFile) -> Iterator[Fault]:
    """Yield everything that is wrong with a file by itself, but for what only its pictures show."""
    held_to, document = file.ticket, file.document
    off_size = list(pdf_file.sizes(document.pages, held_to))
    yield from off_size
    yield from pdf_file.settings(document, held_to)
    if not held_to.assumed:
        yield from fonts.wrong_fonts(font for font in document.fonts if not fonts.is_own(font))
    file.looked_at |= {SIZES, HINTS, FONTS}
    shown, due = len(document.pages), len(held_to.numbers) * (2 if held_to.backs is Backs.DUPLEX else 1)
    wrong = list(places.wrong_corrections(held_to))
    if shown != due:
        what = f"the file has {shown} pages, and its {'cards' if held_to.shop else 'sheets'} take {due}"
        wrong.append(Fault("Q003", what, hint="make it again with `kotc shop`" if held_to.shop else MAKE_AGAIN))
    if not all(page.is_plain for page in document.pages):
        wrong.append(Fault("Q006", "how cards are put in their places cannot be followed", hint=MAKE_AGAIN))
    if wrong:
        yield from wrong
        file.unproved |= dict.fromkeys((PLACES, BACKS, MARKS, EDGES), "it is not known where the cards are to be")
    else:
        yield from _sides(file)
        yield from _edges(file, {fault.page for fault in off_size})
        file.looked_at |= {PLACES, MARKS}
        _expect(file)
    are_backs = held_to.side is FileSide.BACKS
    wanted = {name: 0 if are_backs and back is None else number for name, (number, back) in held_to.cards.items()}
    yield from wrong_copies(file.names(are_backs=are_backs), wanted, "the ticket of the file", are_backs=are_backs)
    for name in held_to.missing:
        hint = "mend what `kotc check` says of the card, and make the sheets again"
        yield Fault("Q060", "it had an error, and a marked blank is in its place", card=name, hint=hint)
    file.looked_at.add(COPIES)


def _sides(file: SheetFile) -> Iterator[Fault]:
    """Yield what is wrong with the places of the faces, and keep them, page by page."""
    held_to, block = file.ticket, Block.of(file.ticket)
    for number, page in enumerate(file.document.pages, start=1):
        sheet, is_back_page = held_to.sheet_of(number), held_to.is_back_page(number)
        sides, faults = places.sides(page.faces, block, number, is_back_page=is_back_page)
        yield from faults
        for is_back, side in sides.items():
            for slot, (face, _, _) in side.slots.items():
                file.slots[id(face)] = block.named(slot, is_back=is_back)
            if not any("belong" in fault.message for fault in faults):
                (file.backs if is_back else file.fronts)[sheet] = side
                if not is_back:
                    yield from places.gaps(side, block, held_to.cards_on(sheet))
        if held_to.shop:
            yield from places.in_order(page.faces, number, held_to)
        slots = [(slot, is_back) for is_back, side in sides.items() for slot in side.slots]
        is_blank = is_back_page and not page.faces  # a page for no backs must be empty
        expected = [] if is_blank else marks.expected(block, sheet, slots, on_back=is_back_page)
        shift = held_to.correction if is_back_page and not is_blank else IDENTITY
        items = tuple(item for mark in expected for item in mark.items)
        file.pages.append(
            ExpectedPage(expected, document.Page(size=held_to.paper, placements=(), marks=items, shift=shift))
        )


def _expect(file: SheetFile) -> None:
    """Find out which pages draw exactly what is to be beside their cards."""
    data = draw_marks(file, range(len(file.pages)))
    with Pdf.open(io.BytesIO(data)) as pdf:
        digester = Digester()
        for page, expected, drawn in zip(file.document.pages, file.pages, pdf.pages, strict=True):
            content = digester.page(drawn)
            expected.inks = content.inks
            expected.is_right = page.rest == content.rest and page.is_below


def draw_marks(file: SheetFile, numbers: Iterable[int]) -> bytes:
    """Return a PDF of what is to be beside the cards of pages, counted from 0."""
    return document.write(
        [file.pages[number].page for number in numbers], document.PdfOptions("", press=file.ticket.press)
    )


def _edges(file: SheetFile, off_size: set[int]) -> Iterator[Fault]:
    """Yield where cards with their bleed are printed in the margins, or nearer to the edge than printers print.

    A correction may print into the margin of a page as far as the printer will move it back inwards.
    """
    held_to = file.ticket
    limit = MIN_MARGIN if any(held_to.offset) else min(MIN_MARGIN, held_to.margin)
    for number, page in enumerate(file.document.pages, start=1):
        corrected = places.corrected_by(held_to) if held_to.is_back_page(number) else 0.0
        points = [point for face in page.faces for point in face.window]
        if number in off_size or not points:
            continue
        box, paper = box_around(points), held_to.paper
        white = {
            "left": box.x, "top": box.y, "right": paper.width - box.right, "bottom": paper.height - box.bottom
        }  # fmt: skip
        edge, at = min(white.items(), key=lambda side: round(side[1], 3))
        where = f"{mm(max(at, 0.0))} mm from the {edge} edge" if at > -NEAR else f"{mm(-at)} mm beyond the {edge} edge"
        if at < held_to.margin - corrected - NEAR:
            yield Fault("Q070", f"cards are printed {where}, and {held_to.margin:g} mm are to stay white", number)
        elif (corrected or any(held_to.offset)) and at < limit - NEAR:
            most = (
                f"most printers leave {limit:g} mm white" if limit == MIN_MARGIN else f"{limit:g} mm are to stay white"
            )
            yield Fault(
                "I001", f"cards are printed {where}, and {most}", number, hint=_HELPS, severity=Severity.WARNING
            )
    if held_to.margin and off_size:
        file.unproved[EDGES] = "pages are not of the size of the paper"
    elif held_to.margin:
        file.looked_at.add(EDGES)


def wrong_copies(
    found: Iterable[str], wanted: Mapping[str, int], by: str, *, are_backs: bool = False
) -> Iterator[Fault]:
    """Yield which cards are not there as often as the ticket or the sets say."""
    counts = Counter(found)
    times = {0: "not at all", 1: "once", 2: "twice"}
    for name in sorted({*counts, *wanted}):
        here, due = counts[name], wanted.get(name)
        there = f"there {times.get(here, f'{here} times')}" if here else "missing"
        if due is None:
            yield Fault("Q060", f"{by} has no such card", card=name, is_back=are_backs)
        elif here != due:
            what = f"{there}, and {by} has it {times.get(due, f'{due} times')}"
            yield Fault("Q060", what, card=name, is_back=are_backs)


def by_set(found: Iterable[str], wanted: Mapping[str, int], drafts: Container[str]) -> Iterator[Fault]:
    """Yield which cards are not among the fronts of all files as often as the card files say; drafts may be missing."""
    names = [name.partition(TWIN)[0] for name in found]
    due = {name: number for name, number in wanted.items() if name in names or name not in drafts}
    yield from wrong_copies(names, due, "the set")
