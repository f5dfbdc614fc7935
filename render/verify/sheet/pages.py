"""Page boxes, hints for printing, fonts, and whatever has no place in a file of sheets."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Sequence

from render.base.findings import Problem
from render.base.geometry import MM_PER_POINT, Flip
from render.sheets.options import Backs
from render.verify.faces.drawn import DrawnPage
from render.verify.reading.faults import MAKE_AGAIN, Fault, mm
from render.verify.reading.pdf_reading import FilePage, PdfFile
from render.verify.reading.pdf_values import BOXES, Box
from render.verify.reading.ticket import Ticket

NEAR = 0.01  # mm

# Values of the viewer preference Duplex (ISO 32000-1, table 150).
_DUPLEX = {Flip.LONG_EDGE: "DuplexFlipLongEdge", Flip.SHORT_EDGE: "DuplexFlipShortEdge"}


def sizes(pages: Sequence[FilePage], ticket: Ticket) -> Iterator[Fault]:
    """Yield what is wrong with the boxes of the pages: each is the whole paper, upright, in points."""
    paper = ticket.paper
    for number, page in enumerate(pages, start=1):
        media = page.boxes.get("MediaBox")
        if media is None or not _is_near(media, (0.0, 0.0, paper.width / MM_PER_POINT, paper.height / MM_PER_POINT)):
            what = f"the page is {_size(media)}, and the paper is {mm(paper.width)} x {mm(paper.height)} mm"
            yield Fault(Problem("Q010", what), number)
        yield from _trim(page, number, ticket) if ticket.shop else ()
        for name in BOXES[1:]:
            box = page.boxes.get(name)
            if ticket.shop and name == "TrimBox":
                continue
            if media is not None and box is not None and not _is_near(box, media):
                hint = "viewers print what lies within it, and scale it to the paper" if name == "CropBox" else ""
                yield Fault(Problem("Q010", f"the {name} is {_size(box)}, and not the whole page", hint), number)
        if "TrimBox" not in page.boxes:
            yield Fault(Problem("Q010", "there is no TrimBox"), number)
        if page.rotate != 0:
            yield Fault(Problem("Q010", f"the page is rotated by {page.rotate:g} degrees"), number)
        # UserUnit scales the whole page (ISO 32000-1, table 30).
        if page.unit != 1:
            yield Fault(
                Problem("Q010", f"the page's unit is {page.unit:g} points, so that it prints in another size"), number
            )


def _trim(page: FilePage, number: int, ticket: Ticket) -> Iterator[Fault]:
    """Yield what is wrong with the trim of a card on a page of its own: it is the page without its bleed."""
    media, trim, bleed = page.boxes.get("MediaBox"), page.boxes.get("TrimBox"), ticket.bleed[0] / MM_PER_POINT
    if "BleedBox" not in page.boxes:
        yield Fault(Problem("Q010", "there is no BleedBox"), number)
    if media is None or trim is None:
        return
    due = media[0] + bleed, media[1] + bleed, media[2] - bleed, media[3] - bleed
    if not _is_near(trim, due):
        card = ticket.card
        at = f"{mm(card.width)} x {mm(card.height)} mm in the middle of the page"
        yield Fault(Problem("Q010", f"the TrimBox is {_size(trim)}, and the card is {at}"), number)


def nested(pages: Sequence[FilePage]) -> Iterator[Fault]:
    """Yield where a page box lies outside the media box, for pages of which nothing else is known."""
    for number, page in enumerate(pages, start=1):
        media = page.boxes.get("MediaBox")
        for name in BOXES[1:]:
            box = page.boxes.get(name)
            if media is not None and box is not None and not _is_within(box, media):
                yield Fault(Problem("Q010", f"the {name} reaches out of the page"), number)


def hints(document: PdfFile, ticket: Ticket) -> Iterator[Fault]:
    """Yield which hints for printing are missing or wrong."""
    wanted = {
        "PrintScaling": "None",
        "Duplex": _DUPLEX[ticket.flip] if ticket.backs is Backs.DUPLEX and not ticket.shop else "Simplex",
    }
    for key, value in wanted.items():
        found = document.hints.get(key)
        if found != value:
            what = f"the hint `{key}` is {f'`{found[:40]}`' if found else 'missing'}, and is to be `{value}`"
            hint = "viewers would scale the page, or offer to" if key == "PrintScaling" else ""
            yield Fault(Problem("Q020", what, hint))
    if document.hints.get("NumCopies", "1") != "1":
        yield Fault(Problem("Q020", f"the file asks to be printed {document.hints['NumCopies'][:10]} times"))


def fonts(drawn: Sequence[DrawnPage], pages: Sequence[FilePage]) -> Iterator[Fault]:
    """Yield the fonts that are not in the file, whether text is set in them or not."""
    for number, (page, seen) in enumerate(zip(pages, drawn, strict=True), start=1):
        for font in sorted({*seen.fonts, *page.resources.fonts.values()}, key=lambda font: font.name):
            if not font.is_embedded:
                hint = "another font would be printed in its place"
                yield Fault(Problem("Q030", f"the font `{font.name[:60]}` is not embedded", hint), number)


def strange(document: PdfFile, drawn: Iterable[DrawnPage], *, is_for_press: bool) -> Iterator[Fault]:
    """Yield what is in the file and `kotc` does not write; `is_for_press` means that it must keep a standard."""
    for act in document.acts:
        yield Fault(Problem("Q006", f"the file holds what kotc does not write: `{act}`"))
    if document.is_for_press and not is_for_press:
        yield Fault(Problem("Q006", "it says for which press it is, and is to be for none"))
    if document.overprints and not is_for_press:
        yield Fault(Problem("Q006", "it has graphics states, which files for a press alone have"))
    for number, what in document.odd:
        yield Fault(Problem("Q006", f"kotc does not write {what}"), number)
    for number, (page, seen) in enumerate(zip(document.pages, drawn, strict=True), start=1):
        if page.is_annotated:
            yield Fault(Problem("Q006", "annotations lie on the page"), number)
        for oddity in seen.oddities:
            yield Fault(Problem("Q006", oddity), number)


def conditions(document: PdfFile, wanted: tuple[str, bytes]) -> Iterator[Fault]:
    """Yield a fault if the file is not for the one printing condition it should be for, by name and profile."""
    found, (name, profile) = document.conditions, wanted  # output intents: ISO 32000-1, 14.11.5
    if len(found) != 1:
        what = f"{len(found)} printing conditions" if found else "no printing condition"
        yield Fault(Problem("Q006", f"it names {what}, and is to be for `{name}`", MAKE_AGAIN))
    elif found[0][0] != name:
        yield Fault(Problem("Q006", f"it is for `{found[0][0][:40]}`, and is to be for `{name}`", MAKE_AGAIN))
    elif found[0][1] != hashlib.sha256(profile).digest():
        yield Fault(Problem("Q006", f"its color profile is not that of `{name}`", MAKE_AGAIN))


def _size(box: Box | None) -> str:
    if box is None or not all(map(math.isfinite, box)):
        return "of no size"
    left, bottom, right, top = (value * MM_PER_POINT for value in box)
    at = "" if abs(left) < NEAR and abs(bottom) < NEAR else f" at {mm(left)}, {mm(bottom)}"
    return f"{mm(right - left)} x {mm(top - bottom)} mm{at}"


def _is_near(box: Box, other: Box) -> bool:
    return all(abs(a - b) * MM_PER_POINT <= NEAR for a, b in zip(box, other, strict=True))


def _is_within(box: Box, outer: Box) -> bool:
    near = NEAR / MM_PER_POINT
    return (
        box[0] >= outer[0] - near
        and box[1] >= outer[1] - near
        and box[2] <= outer[2] + near
        and box[3] <= outer[3] + near
    )
