"""The faces that a file should show, drawn anew from the cards of sets by the PDF back end."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct, field
from pikepdf import Pdf

from render.base.geometry import Edges, Rect, Size
from render.base.progress import stage
from render.images.press import ART_DPI
from render.layout.bleed import add_bleed
from render.layout.press import PressLook
from render.pdf.document import Page, PdfOptions, write
from render.pdf.standards import STANDARDS
from render.scene import proofs
from render.scene.items import Placement, Scene, TextRun, walk
from render.scene.proof_kinds import Proof
from render.text.font_files.font_face import OwnFace
from render.verify.content import Digester, Face
from render.verify.fonts import Readings
from render.verify.ticket import Ticket

TWIN = ":"  # cards of several sets with the same id are told apart in a file: `thor` and `thor:2`
ROOM = 10.0  # mm around the trim of a face that is drawn: more than any bleed
_AT_ONCE = 100  # faces in one file, which is in memory

Cards: TypeAlias = "Mapping[str, Sequence[tuple[Scene, Scene | None]]]"
"""Front and back of cards according to their files, by id: one entry for each set that has a card with that id."""


class WantedCards(Struct, frozen=True):
    """What sets ask for: copies and name of each card by id, their faces, and the sources of their bleed.

    The cards that are `drafts` are in some files only. `sizes` are those of cards that are not as large as their set's.

    Faces are drawn for a size of card, and for a press or not. `tickets` gives what sheets of a size of paper may be.
    """

    copies: Mapping[str, int]
    names: Mapping[str, str]
    faces: Callable[[Size, bool], Cards]
    bleed_from: tuple[str, ...] = ()
    drafts: frozenset[str] = frozenset()
    tickets: Callable[[Size], Iterable[tuple[str, dict[str, Any]]]] = lambda _: ()
    sizes: Mapping[str, Size] = {}

    def copies_of(self, size: Size) -> Mapping[str, int]:
        """Return the copies of the cards that are printed in a size, lying or standing."""
        is_theirs = any(size in (each, each.sideways) for each in self.sizes.values())

        def fits(own: Size | None) -> bool:
            return not is_theirs if own is None else size in (own, own.sideways)

        return {name: number for name, number in self.copies.items() if fits(self.sizes.get(name))}


class CardFaces(Struct):
    """The faces of cards as a file with this ticket shows them, and the digests of their drawings."""

    cards: Cards
    ticket: Ticket
    art_dpi: float = ART_DPI
    _scenes: dict[tuple[int, bool], Scene] = field(default_factory=dict)
    _drawings: dict[int, Face] = field(default_factory=dict)
    _sets: dict[str, int] = field(default_factory=dict)

    def scene(self, name: str, *, is_back: bool) -> Scene | None:
        """Return the face of a card with its bleed; None if it has none, or if there is no such card."""
        known = self.cards.get(name.partition(TWIN)[0])
        if not known:
            return None
        face = known[min(self._sets.get(name, 0), len(known) - 1)][is_back]
        if face is None:
            return None
        if (id(face), is_back) not in self._scenes:
            self._scenes[id(face), is_back] = self._drawn(face, self.ticket.bleed[is_back])
        return self._scenes[id(face), is_back]

    def _drawn(self, face: Scene, bleed: float) -> Scene:
        ticket = self.ticket
        if ticket.proof is not Proof.NONE:
            return proofs.proof(face, ticket.proof, ticket.radius)
        if ticket.press is None:
            return add_bleed(face, bleed, ticket.bleed_from)
        standard = STANDARDS.get(ticket.standard or "")
        look = PressLook(ticket.press, ticket.rich_black, standard is None or standard.transparency)
        from render.shops.flattening import inked_face

        return inked_face(face, bleed, ticket.bleed_from, look)

    def prove(self, faces: Iterable[Face]) -> set[tuple[str, bool, bytes]]:
        """Return which faces are drawn as their cards say, by the digests of their drawings."""
        distinct = {(face.name, face.is_back, face.digest): face for face in faces}
        self._tell_twins(distinct.values())
        if self.ticket.assumed:  # nothing is known of its drawings
            return set()
        self._digest(self.scene(name, is_back=is_back) for name, is_back, _ in distinct)
        return {
            (name, is_back, found)
            for name, is_back, found in distinct
            if (scene := self.scene(name, is_back=is_back)) and self._drawings[id(scene)].digest == found
        }

    def drawing(self, face: Face) -> Face:
        """Return a face as it should be drawn; itself if there is no such card."""
        scene = self.scene(face.name, is_back=face.is_back)
        return self._drawings[id(scene)] if scene else face

    def _tell_twins(self, faces: Iterable[Face]) -> None:
        """Let each name of cards with one id stand for the first set whose card it shows."""
        for face in faces:
            name = face.name.partition(TWIN)[0]
            number = len(self.cards.get(name, ()))
            if number < 2 or face.is_back or face.name in self._sets:
                continue
            taken = {set_ for other, set_ in self._sets.items() if other.partition(TWIN)[0] == name}
            free = [each for each in range(number) if each not in taken] or [0]
            for each in free if face.digest else ():
                self._sets[face.name] = each
                scene = self.scene(face.name, is_back=False)
                self._digest([scene])
                if self._drawings[id(scene)].digest == face.digest:
                    break
            else:
                self._sets[face.name] = free[0]

    def _digest(self, scenes: Iterable[Scene | None]) -> None:
        new = list({id(each): each for each in scenes if each and id(each) not in self._drawings}.values())
        with stage("measure", len(new), "faces") as step:
            for start in range(0, len(new), _AT_ONCE):
                batch = new[start : start + _AT_ONCE]
                with Pdf.open(io.BytesIO(self.draw(batch))) as pdf:
                    digester = Digester()
                    for scene, page in zip(batch, pdf.pages, strict=True):
                        (self._drawings[id(scene)],) = digester.page(page).faces
                        step()

    def draw(self, scenes: Sequence[Scene]) -> bytes:
        """Return a PDF with a page for each face: its trim is ROOM mm off the corner of the page."""
        edges, pages = Edges(ROOM, ROOM, ROOM, ROOM), []
        for each in scenes:
            size = each.size
            placed = Placement(face=each, box=Rect(ROOM, ROOM, size.width, size.height), bleed=edges)
            pages.append(Page(size=Size(size.width + 2 * ROOM, size.height + 2 * ROOM), placements=(placed,)))
        return write(pages, PdfOptions("", press=self.ticket.press, art_dpi=self.art_dpi))

    def readings(self) -> dict[str, Readings]:
        """Return the own faces of sets that cards are set in, and what their glyphs stand for."""
        readings: dict[str, set[tuple[int, str]]] = {}
        for scene in (scene for faces in self.cards.values() for sides in faces for scene in sides if scene):
            for item in walk(scene.items):
                if isinstance(item, TextRun) and isinstance(item.face, OwnFace):
                    readings.setdefault(item.face, set()).update(zip(item.glyphs, item.text, strict=True))
        return dict(readings)
