"""Compare the faces of a file with the cards of sets: each card is drawn again from its file, pictures included."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from render.base.findings import Problem
from render.base.geometry import Size
from render.layout.press import PressLook
from render.pdf.standards import STANDARDS
from render.scene.items import TextRun, walk
from render.text.font_files.own_face import OwnFace
from render.verify import same_pictures
from render.verify.faces import embedded
from render.verify.faces.painting import Painter
from render.verify.faces.scenes import on_press, on_screen
from render.verify.likeness import PICTURES, Cards, Likeness
from render.verify.reading import pdf_reading
from render.verify.reading.faults import Fault
from render.verify.reading.shop_ticket import press_of
from render.verify.reading.ticket import Ticket
from render.verify.sheet.places import SheetSide, slot_name
from render.verify.sheet_file import SheetFile


@dataclass(frozen=True, slots=True)
class WantedCards:
    """What sets ask for: copies and name of each card by id, their faces, and the sources of their bleed.

    Faces are drawn for a size of card, and for a press or not.
    """

    copies: Mapping[str, int]
    names: Mapping[str, str]
    faces: Callable[[Size, bool], Cards]
    bleed_from: tuple[str, ...] = ()


def faults(file: SheetFile, wanted: WantedCards) -> Iterator[Fault]:
    """Yield which faces of a file are drawn differently than their cards say."""
    ticket = file.ticket
    press = press_of(ticket)
    colors = partial(on_press, press=press) if press else on_screen
    look = PressLook(press, ticket.drawing.is_rich, _has_transparency(ticket)) if press else None
    faces = wanted.faces(ticket.card, press is not None)
    if file.own_fonts:
        yield from embedded.proved(file.own_fonts, _own_readings(faces))
    likeness = Likeness(
        cards=faces,
        drawing=ticket.drawing,
        bleeds=ticket.bleed,
        inks=colors,
        painter=Painter(len(file.drawn)),
        look=look,
    )
    slots = {id(placed.face): number for side in _sides(file) for number, placed in side.faces_by_slot.items()}
    for page, drawn in enumerate(file.drawn, start=1):
        resources = file.document.pages[page - 1].resources
        for face in drawn.faces:
            number = slots.get(id(face))
            slot = "" if number is None else slot_name(ticket, number, is_back=face.is_back)
            yield from likeness.faults(face, resources, page, slot)
    # The file is read again, in the order of its objects, so that one picture at a time is in memory.
    images = {each.image for each in likeness.shown}
    packed = pdf_reading.packed_pictures(file.path, sorted(images, key=lambda image: image.number))
    for shown in same_pictures.other(likeness.shown, packed, press):
        problem = Problem("Q090", "its picture shows something else than its card's")
        yield Fault(problem, shown.page, card=shown.card, is_back=shown.is_back, kind=PICTURES)


def _own_readings(cards: Cards) -> dict[str, set[tuple[int, str]]]:
    """Return the faces of sets' own fonts that cards are set in, and what their glyphs stand for."""
    readings: dict[str, set[tuple[int, str]]] = {}
    for scene in (scene for faces in cards.values() for sides in faces for scene in sides if scene):
        for item in walk(scene.items):
            if isinstance(item, TextRun) and isinstance(item.face, OwnFace):
                readings.setdefault(item.face, set()).update(zip(item.glyphs, item.text, strict=True))
    return readings


def _has_transparency(ticket: Ticket) -> bool:
    standard = STANDARDS.get(ticket.standard or "")
    return standard is None or standard.transparency


def _sides(file: SheetFile) -> Iterator[SheetSide]:
    yield from file.fronts.values()
    yield from file.backs.values()
