"""What is drawn on a page: the faces of cards, each with its place and a digest of its drawing, and the fonts used.

A face stands between the marks `/Card << /Name (id) /Side /Front >> BDC` and `EMC`, and is written in one way: kept
apart by `q` and `Q`, clipped to a box, and put in its place. Any other way is an oddity, and so is any operator that
`kotc` does not write: what is not understood cannot be proved.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from render.geometry import IDENTITY, MM_PER_POINT, Affine, Rect
from render.verify import content
from render.verify.content import Instruction, Unreadable
from render.verify.pdf_reading import Font, Form, Image, Page, Resources

OPERATORS = frozenset(
    b"q Q cm re W n BDC EMC Do BT ET Tf Tz Ts Tm TJ rg RG g G k K w J j M d m l c h f f* S gs".split()
)
"""What `kotc` writes on sheets."""

MOST_OPERATORS = 5_000_000  # on a page, those of its forms counted each time: a sheet of 9 cards has 80 thousand


@dataclass(frozen=True, slots=True)
class Placed:
    """A face as it is found: its card, its side, and its place.

    `place` takes mm of the card, from the top left of its trim, to mm of the page, from the top left of its media box,
    y down. `window` are the corners on the page of the box that it is clipped to. `drawing` is the digest of what is
    drawn, whatever forms and fonts are called.
    """

    name: str
    is_back: bool
    place: Affine
    window: tuple[tuple[float, float], ...]
    drawing: bytes


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """The faces on a page in the order in which they are drawn, the fonts that are used, and all oddities, in words."""

    faces: tuple[Placed, ...]
    fonts: frozenset[Font]
    oddities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Drawing:
    """What a form or a face comes to: its digest, how many operators it takes, the fonts it uses, its oddities."""

    digest: bytes
    operators: int
    fonts: frozenset[Font]
    oddities: frozenset[str]


class Draughts:
    """Follows the contents of a file's pages; a form is followed once, however often it is drawn."""

    def __init__(self) -> None:
        self._forms: dict[Form, _Drawing] = {}

    def page(self, page: Page) -> DrawnPage:
        """Return what is drawn on a page."""
        left, _, _, top = page.boxes.get("MediaBox", (0.0, 0.0, 0.0, 0.0))
        to_mm = Affine(MM_PER_POINT, 0, 0, -MM_PER_POINT, -left * MM_PER_POINT, top * MM_PER_POINT)
        walk = _Walk(self, page.resources, to_mm)
        try:
            for instruction in content.instructions(page.content):
                walk.step(instruction)
            walk.end()
        except Unreadable as error:
            walk.oddities[f"what is drawn cannot be followed: {error}"] = None
        outside = self.drawing(walk.outside, page.resources)
        parts = [outside, *walk.drawings]
        if sum(part.operators for part in parts) > MOST_OPERATORS:
            walk.oddities[_TOO_MUCH] = None
        oddities = {**walk.oddities, **dict.fromkeys(sorted(frozenset().union(*(part.oddities for part in parts))))}
        return DrawnPage(tuple(walk.faces), frozenset().union(*(part.fonts for part in parts)), tuple(oddities))

    def drawing(self, instructions: Iterable[Instruction], resources: Resources) -> _Drawing:
        """Return what some instructions come to; a face that is one form is what the form is."""
        listed = list(instructions)
        if len(listed) == 1 and listed[0][0] == b"Do":
            only = resources.drawings.get(b"".join(listed[0][1]))
            if isinstance(only, Form) and only.matrix == IDENTITY:
                return self._form(only)
        return _Sum(self, resources).of(listed)

    def _form(self, form: Form) -> _Drawing:
        known = self._forms.get(form)
        if known is None:
            try:
                known = self.drawing(content.instructions(form.content), form.resources)
            except Unreadable as error:
                known = _Drawing(b"", 0, frozenset(), frozenset([f"a form cannot be followed: {error}"]))
            self._forms[form] = known
        return known

    def named(self, name: bytes, resources: Resources) -> _Drawing | None:
        """Return what the picture or the form of that name comes to, or nothing if there is none."""
        match resources.drawings.get(name):
            case Image() as image:
                return _Drawing(image.digest, 1, frozenset(), frozenset())
            case Form() as form:
                drawn = self._form(form)
                if form.matrix == IDENTITY:
                    return drawn
                return replace(drawn, oddities=drawn.oddities | {"a form has a map of its own"})
        return None


_TOO_MUCH = f"more than {MOST_OPERATORS} operators draw it"


class _Sum:
    """Sums instructions up, names resolved. A row of glyphs is the same however it is cut into pieces."""

    def __init__(self, draughts: Draughts, resources: Resources) -> None:
        self._draughts, self._resources = draughts, resources
        self._summary = hashlib.sha256()
        self._operators = 0
        self._fonts: set[Font] = set()
        self._oddities: set[str] = set()
        self._glyphs: list[bytes] = []

    def of(self, instructions: Iterable[Instruction]) -> _Drawing:
        for operator, operands in instructions:
            self._operators += 1
            if operator == b"TJ":
                self._glyphs += operands
            elif operator not in (b"BDC", b"EMC"):  # marks within a face say what a glyph is read as
                self._flush()
                self._add(operator, operands)
        self._flush()
        return _Drawing(self._summary.digest(), self._operators, frozenset(self._fonts), frozenset(self._oddities))

    def _flush(self) -> None:
        if self._glyphs:
            self._summary.update(b"".join(self._glyphs).replace(b"][", b"").replace(b"><", b"") + b" TJ\n")
            self._glyphs.clear()

    def _add(self, operator: bytes, operands: Sequence[bytes]) -> None:
        words = list(operands)
        if operator == b"Do":
            words = [self._drawn(b"".join(operands))]
        elif operator == b"Tf" and len(operands) == 2:
            words = [self._font(operands[0]), operands[1]]
        elif operator not in OPERATORS:
            self._oddities.add(f"the operator `{operator[:20].decode('latin-1')}` is none that kotc writes")
        self._summary.update(b" ".join((*words, operator)) + b"\n")

    def _drawn(self, name: bytes) -> bytes:
        part = self._draughts.named(name, self._resources)
        if part is None:
            self._oddities.add(f"there is nothing called `{name[:40].decode('latin-1')}` to be drawn")
            return b""
        self._operators = min(self._operators + part.operators, 2 * MOST_OPERATORS)
        self._fonts |= part.fonts
        self._oddities |= part.oddities
        return part.digest

    def _font(self, name: bytes) -> bytes:
        font = self._resources.fonts.get(name)
        if font is None:
            self._oddities.add(f"there is no font `{name[:40].decode('latin-1')}`")
            return b""
        self._fonts.add(font)
        return font.name.encode("utf-8")


@dataclass(slots=True)
class _Face:
    """A face that is being drawn: its card, its side, and what has been found of it so far."""

    name: str
    is_back: bool
    box: Rect | None = None
    window: tuple[tuple[float, float], ...] = ()
    place: Affine | None = None
    body: list[Instruction] = field(default_factory=list)


class _Walk:
    """Follows the content of one page: the map in force, the faces, and what is drawn outside of them."""

    def __init__(self, draughts: Draughts, resources: Resources, to_mm: Affine) -> None:
        self._draughts, self._resources = draughts, resources
        self._map = to_mm
        self._kept: list[Affine] = []
        self._marks: list[_Face | None] = []
        self._face: _Face | None = None
        self._apart = 0  # how many maps were kept when the face began
        self.faces: list[Placed] = []
        self.drawings: list[_Drawing] = []
        self.outside: list[Instruction] = []
        self.oddities: dict[str, None] = {}

    def step(self, instruction: Instruction) -> None:
        """Follow one instruction."""
        operator, operands = instruction
        if operator == b"BDC":
            self._mark(operands)
        elif operator == b"EMC":
            self._unmark()
        elif self._face is not None:
            self._in_face(self._face, instruction)
        else:
            self._move(instruction)
            self.outside.append(instruction)
            if operator == b"W" and not self._kept:
                self._odd("all that follows is clipped")

    def end(self) -> None:
        """Check that all that was begun is ended."""
        if self._kept or self._marks:
            self._odd("what is drawn breaks off")

    def _odd(self, what: str) -> None:
        self.oddities[what] = None

    def _move(self, instruction: Instruction) -> None:
        """Keep track of the map in force."""
        match instruction:
            case b"q", _:
                self._kept.append(self._map)
            case b"Q", _:
                if not self._kept:
                    raise Unreadable("`Q` without `q`")
                self._map = self._kept.pop()
            case b"cm", operands:
                self._map = self._map @ content.matrix(operands)

    def _mark(self, operands: Sequence[bytes]) -> None:
        kind = operands[0] if operands else b""
        if kind != b"/Card":
            self._marks.append(None)
            return
        if self._face is not None:
            raise Unreadable("a card within a card")
        said = content.entries(operands[1:])
        side = said.get(b"/Side")
        if side not in (b"/Front", b"/Back"):
            raise Unreadable("a card without a side")
        self._face = _Face(content.text(said.get(b"/Name", b"")), side == b"/Back")
        self._apart = len(self._kept)
        self._marks.append(self._face)

    def _unmark(self) -> None:
        if not self._marks:
            raise Unreadable("`EMC` without `BDC`")
        ended = self._marks.pop()
        if ended is None:
            return
        if len(self._kept) != self._apart or ended.place is None or not ended.window:
            raise Unreadable(f"the card `{ended.name[:40]}` is not put in its place as kotc does it")
        drawing = self._draughts.drawing(ended.body, self._resources)
        self.drawings.append(drawing)
        self.faces.append(Placed(ended.name, ended.is_back, ended.place, ended.window, drawing.digest))
        self._face = None

    def _in_face(self, face: _Face, instruction: Instruction) -> None:
        """Follow an instruction of a face: its window and its place first, then what is drawn of it."""
        operator, operands = instruction
        inside = len(self._kept) - self._apart
        if inside == 0:
            if operator != b"q" or face.place is not None:
                raise Unreadable(f"the card `{face.name[:40]}` is not kept apart")
            self._move(instruction)
        elif inside == 1 and not face.body and operator in (b"re", b"W", b"n", b"cm"):
            self._head(face, operator, operands)
        elif inside == 1 and operator == b"Q":
            face.place = face.place or self._map
            self._move(instruction)
        elif inside == 1 and operator in (b"W", b"cm"):
            raise Unreadable(f"the card `{face.name[:40]}` is moved or cut while it is drawn")
        else:
            face.place = face.place or self._map
            face.body.append(instruction)
            self._move(instruction)

    def _head(self, face: _Face, operator: bytes, operands: Sequence[bytes]) -> None:
        if operator == b"re":
            face.box = Rect(*content.numbers(operands, 4))
        elif operator == b"cm":
            self._map = self._map @ content.matrix(operands)
        elif operator == b"W":
            if face.window or face.box is None:
                raise Unreadable(f"the card `{face.name[:40]}` is clipped more than once")
            box = face.box
            corners = ((box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom))
            face.window = tuple(self._map.apply(*corner) for corner in corners)
