"""What is drawn on a page: the faces of cards, each with its place and a digest of its drawing, and all beside them.

A face stands between the marks `/Card << /Name (id) /Side /Front >> BDC` and `EMC`, and is written in one way: enclosed
in `q` and `Q`, clipped to a box, and put in its place. Any other way is an oddity, and so is anything that breaks the
`grammar`: what is not understood cannot be proved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from render.base.geometry import IDENTITY, MM_PER_POINT, Affine, Rect
from render.verify.reading import content
from render.verify.reading.content import Instruction, UnreadableContent
from render.verify.reading.grammar import Grammar, NotOurs
from render.verify.reading.pdf_reading import FileFont, FilePage, Resources
from render.verify.reading.sums import MAX_OPERATORS, DrawnSum, Sums

MAX_LISTED = 300_000  # instructions of a face outside forms: a text of 1000 glyphs takes a few hundred
MAX_BESIDE = 20_000  # instructions of a page outside faces: marks are in forms


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFace:
    """A face as found: its card, its side, and its place.

    `place` takes mm of the card, from the top left of its trim, to mm of the page, from the top left of its media box,
    y down. `window` are the corners on the page of the box that it is clipped to. `drawing` is the digest of what is
    drawn, whatever the names of forms and fonts; `body` are the instructions that draw it.
    """

    name: str
    is_back: bool
    place: Affine
    window: tuple[tuple[float, float], ...]
    drawing: bytes
    body: tuple[Instruction, ...] = ()
    is_blank: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPage:
    """The faces on a page in drawing order, the fonts that are used, and all oddities, in words.

    `beside` are the instructions outside faces, `to_mm` the map in force when they begin. `is_over_marks` means that a
    face is drawn after any of them.
    """

    faces: tuple[FoundFace, ...]
    fonts: frozenset[FileFont]
    oddities: tuple[str, ...]
    beside: tuple[Instruction, ...] = ()
    to_mm: Affine = IDENTITY
    is_over_marks: bool = False


class PageTracer(Sums):
    """Follows the contents of a file's pages."""

    def page(self, page: FilePage) -> DrawnPage:
        """Return what is drawn on a page."""
        left, _, _, top = page.boxes.get("MediaBox", (0.0, 0.0, 0.0, 0.0))
        # Points with y up, from the corner of the media box, to mm with y down.
        to_mm = Affine(MM_PER_POINT, 0, 0, -MM_PER_POINT, -left * MM_PER_POINT, top * MM_PER_POINT)
        walk = _Walk(self, page.resources, to_mm)
        beside = DrawnSum(digest=b"", operators=0, fonts=frozenset(), oddities=frozenset())
        try:
            for instruction in content.instructions(page.content):
                self.patience.step()
                walk.step(instruction)
            walk.end()
            beside = self.drawing(walk.beside, page.resources, is_checked=True)
        except NotOurs as error:
            walk.oddities[str(error)] = None
        except UnreadableContent as error:
            walk.oddities[f"what is drawn cannot be followed: {error}"] = None
        parts = [beside, *walk.drawings]
        if sum(part.operators for part in parts) > MAX_OPERATORS:
            walk.oddities[_TOO_MUCH] = None
        oddities = {**walk.oddities, **dict.fromkeys(sorted(frozenset().union(*(part.oddities for part in parts))))}
        fonts = frozenset[FileFont]().union(*(part.fonts for part in parts))
        return DrawnPage(
            faces=tuple(walk.faces),
            fonts=fonts,
            oddities=tuple(oddities),
            beside=tuple(walk.beside),
            to_mm=to_mm,
            is_over_marks=walk.is_over_marks,
        )


_TOO_MUCH = f"more than {MAX_OPERATORS} operators draw it"


@dataclass(slots=True, kw_only=True)
class _Face:
    """A face being drawn: its card, its side, and what has been found of it so far."""

    name: str
    is_back: bool
    head: int = 0
    box: Rect | None = None
    window: tuple[tuple[float, float], ...] = ()
    place: Affine | None = None
    is_over: bool = False
    body: list[Instruction] = field(default_factory=list)


# Clip to the bleed, then move to the slot: as `pdf.document` writes a placement.
_HEAD = (b"q", b"re", b"W", b"n", b"cm")
_PAINTS = frozenset((b"Do", b"f", b"f*", b"S", b"TJ"))


class _Walk:
    """Follows the content of one page: the map in force, the faces, and what is drawn outside them."""

    def __init__(self, tracer: PageTracer, resources: Resources, to_mm: Affine) -> None:
        self._tracer, self._resources = tracer, resources
        self._map = to_mm
        self._kept: list[Affine] = []
        self._face: _Face | None = None
        self._inside = 0  # how many `q` of the face are open
        self._grammar = Grammar(resources, is_whole=False)
        self._is_marked = False
        self.faces: list[FoundFace] = []
        self.drawings: list[DrawnSum] = []
        self.beside: list[Instruction] = []
        self.oddities: dict[str, None] = {}
        self.is_over_marks = False

    def step(self, instruction: Instruction) -> None:
        """Follow one instruction."""
        operator, operands = instruction
        if self._face is not None:
            self._in_face(self._face, instruction)
        elif operator == b"BDC" and operands[:1] == [b"/Card"]:
            self._mark(operands)
        else:
            self._grammar.step(instruction)
            self._is_marked |= operator in _PAINTS
            self._move(instruction)
            self.beside.append(instruction)
            if len(self.beside) > MAX_BESIDE:
                raise UnreadableContent("too much is drawn beside the cards")

    def end(self) -> None:
        """Check that everything begun is ended."""
        if self._face is not None or self._kept:
            raise UnreadableContent("it breaks off")
        self._grammar.end()

    def _move(self, instruction: Instruction) -> None:
        """Keep track of the map in force."""
        match instruction:
            case b"q", _:
                self._kept.append(self._map)
            case b"Q", _:
                if not self._kept:
                    raise UnreadableContent("`Q` without `q`")
                self._map = self._kept.pop()
            case b"cm", operands:
                self._map = self._map @ content.matrix(operands)

    def _mark(self, operands: Sequence[bytes]) -> None:
        said = content.entries(operands[1:])
        side = said.get(b"/Side")
        if side not in (b"/Front", b"/Back"):
            raise UnreadableContent("a card without a side")
        if not self._grammar.is_plain:
            raise UnreadableContent("a card within what changes how it is drawn")
        self.is_over_marks |= self._is_marked
        self._face, self._inside = _Face(name=content.text(said.get(b"/Name", b"")), is_back=side == b"/Back"), 0

    def _in_face(self, face: _Face, instruction: Instruction) -> None:
        """Follow an instruction of a face: first its window and place, then what draws it."""
        operator, operands = instruction
        if face.is_over:
            if operator != b"EMC":
                raise UnreadableContent(f"the card `{face.name[:40]}` is not kept apart")
            self._unmark(face)
        elif face.head < len(_HEAD):
            if operator != _HEAD[face.head]:
                raise UnreadableContent(f"the card `{face.name[:40]}` is not put in its place as kotc does it")
            self._head(face, operator, operands)
            face.head += 1
        elif operator == b"Q" and self._inside == 0:
            face.is_over = True
        # The clip was proved before; another one would cut the face.
        elif self._inside == 0 and operator in (b"W", b"cm"):
            raise UnreadableContent(f"the card `{face.name[:40]}` is moved or cut while it is drawn")
        elif operator == b"BDC" and operands[:1] == [b"/Card"]:
            raise UnreadableContent("a card within a card")
        else:
            self._inside += (operator == b"q") - (operator == b"Q")
            face.body.append(instruction)
            if len(face.body) > MAX_LISTED:
                raise UnreadableContent(f"the card `{face.name[:40]}` takes too much to be drawn")

    def _head(self, face: _Face, operator: bytes, operands: Sequence[bytes]) -> None:
        if operator == b"re":
            x, y, width, height = content.numbers(operands, 4)
            face.box = Rect(x, y, width, height)
            corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
            face.window = tuple(self._map.apply(*corner) for corner in corners)
        elif operator == b"cm":
            own = content.matrix(operands)
            face.place = self._map @ own
            # The window in the face's own space, unless its map has no area.
            if face.box is not None and own.a * own.d != own.b * own.c:
                face.box = own.inverse.box(face.box)

    def _unmark(self, face: _Face) -> None:
        assert face.place is not None
        drawing = self._tracer.drawing(face.body, self._resources, seen=face.box)
        self.drawings.append(drawing)
        found = FoundFace(
            name=face.name,
            is_back=face.is_back,
            place=face.place,
            window=face.window,
            drawing=drawing.digest,
            body=tuple(face.body),
            is_blank=drawing.is_blank,
        )
        self.faces.append(found)
        self._face = None
