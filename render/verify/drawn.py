"""What is drawn on a page: the faces of cards, each with its place and a digest of its drawing, and all beside them.

A face stands between the marks `/Card << /Name (id) /Side /Front >> BDC` and `EMC`, and is written in one way: kept
apart by `q` and `Q`, clipped to a box, and put in its place. Any other way is an oddity, and so is whatever does not
keep the `grammar`: what is not understood cannot be proved.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from render.geometry import IDENTITY, MM_PER_POINT, Affine, Rect
from render.verify import content
from render.verify.content import Instruction, Unreadable
from render.verify.grammar import Grammar, NotOurs
from render.verify.pdf_reading import Font, Form, Image, Page, Resources

MOST_OPERATORS = 5_000_000  # on a page, those of its forms counted each time: a sheet of 9 cards has 80 thousand
MOST_LISTED = 300_000  # of a face beside its forms: a text of 1000 glyphs takes some hundred
LONGEST, LONGEST_PAGE = 4.0, 0.1  # seconds for a file, and for each page more; a page takes 0.01
MOST_BESIDE = 20_000  # of a page beside its faces: marks are in forms


@dataclass(frozen=True, slots=True)
class Placed:
    """A face as it is found: its card, its side, and its place.

    `place` takes mm of the card, from the top left of its trim, to mm of the page, from the top left of its media box,
    y down. `window` are the corners on the page of the box that it is clipped to. `drawing` is the digest of what is
    drawn, whatever forms and fonts are called; `body` is what draws it.
    """

    name: str
    is_back: bool
    place: Affine
    window: tuple[tuple[float, float], ...]
    drawing: bytes
    body: tuple[Instruction, ...] = ()
    is_blank: bool = False


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """The faces on a page in the order in which they are drawn, the fonts that are used, and all oddities, in words.

    `beside` are the instructions outside of faces, `to_mm` the map in force when they begin. `is_over_marks` if a face
    is drawn after any of them.
    """

    faces: tuple[Placed, ...]
    fonts: frozenset[Font]
    oddities: tuple[str, ...]
    beside: tuple[Instruction, ...] = ()
    to_mm: Affine = IDENTITY
    is_over_marks: bool = False


@dataclass(frozen=True, slots=True)
class _Drawing:
    """What a form or a face comes to: its digest, how many operators it takes, the fonts it uses, its oddities.

    `reach` is the box of all points of its shapes, lines included, if it is made of nothing else. `is_blank` if it
    paints nothing.
    """

    digest: bytes
    operators: int
    fonts: frozenset[Font]
    oddities: frozenset[str]
    reach: tuple[float, float, float, float] | None = None
    is_blank: bool = False


class Draughts:
    """Follows the contents of a file's pages; a form is followed once, however often it is drawn.

    `shown` are the codes of the glyphs that are shown, by font.
    """

    def __init__(self, pages: int = 1) -> None:
        self.patience = content.Patience(LONGEST + LONGEST_PAGE * pages)
        self._forms: dict[Form, _Drawing] = {}
        self.shown: dict[Font, set[bytes]] = {}

    def page(self, page: Page) -> DrawnPage:
        """Return what is drawn on a page."""
        left, _, _, top = page.boxes.get("MediaBox", (0.0, 0.0, 0.0, 0.0))
        to_mm = Affine(MM_PER_POINT, 0, 0, -MM_PER_POINT, -left * MM_PER_POINT, top * MM_PER_POINT)
        walk = _Walk(self, page.resources, to_mm)
        beside = _Drawing(b"", 0, frozenset(), frozenset())
        try:
            for instruction in content.instructions(page.content):
                self.patience.step()
                walk.step(instruction)
            walk.end()
            beside = self.drawing(walk.beside, page.resources, is_checked=True)
        except NotOurs as error:
            walk.oddities[str(error)] = None
        except Unreadable as error:
            walk.oddities[f"what is drawn cannot be followed: {error}"] = None
        parts = [beside, *walk.drawings]
        if sum(part.operators for part in parts) > MOST_OPERATORS:
            walk.oddities[_TOO_MUCH] = None
        oddities = {**walk.oddities, **dict.fromkeys(sorted(frozenset().union(*(part.oddities for part in parts))))}
        fonts = frozenset[Font]().union(*(part.fonts for part in parts))
        beside_them = tuple(walk.beside), to_mm, walk.is_over_marks
        return DrawnPage(tuple(walk.faces), fonts, tuple(oddities), *beside_them)

    def drawing(
        self,
        instructions: Iterable[Instruction],
        resources: Resources,
        *,
        seen: Rect | None = None,
        is_checked: bool = False,
    ) -> _Drawing:
        """Return what some instructions come to; a face that is one form is what the form is.

        `seen` is what is seen of a face, in its own space. What `is_checked` keeps the grammar.
        """
        steps = iter(instructions)
        first = list(islice(steps, 2))
        if len(first) == 1 and first[0][0] == b"Do":
            only = resources.drawings.get(b"".join(first[0][1]))
            if isinstance(only, Form) and only.matrix == IDENTITY and not is_checked:
                return self._whole(only, seen)
        grammar = None if is_checked else Grammar(resources.overprints)
        return _Sum(self, resources, seen, is_beside=is_checked).of(chain(first, steps), grammar)

    def named(self, name: bytes, resources: Resources, seen: Rect | None, *, is_beside: bool) -> _Drawing | None:
        """Return what the picture or the form of that name comes to, or nothing if there is none.

        What `is_beside` the faces and more than shapes is none of the marks, whether it is cut off or not.
        """
        match resources.drawings.get(name):
            case Image() as image:
                return _Drawing(image.digest, 1, frozenset(), frozenset())
            case Form() as form:
                drawn = self._form(form)
                if not is_beside or drawn.reach is not None:
                    drawn = self._whole(form, seen)
                if form.matrix == IDENTITY:
                    return drawn
                return replace(drawn, oddities=drawn.oddities | {"a form has a map of its own"})
        return None

    def _whole(self, form: Form, seen: Rect | None) -> _Drawing:
        """Return what a form comes to, which its own box may not cut off where it would be seen."""
        drawn = self._form(form)
        if drawn.oddities or _holds(form, drawn.reach or (seen and (seen.x, seen.y, seen.right, seen.bottom))):
            return drawn
        return replace(drawn, oddities=frozenset({"a form cuts off what it draws"}))

    def _form(self, form: Form) -> _Drawing:
        known = self._forms.get(form)
        if known is None:
            try:
                known = self.drawing(content.instructions(form.content), form.resources)
            except NotOurs as error:
                known = _Drawing(b"", 0, frozenset(), frozenset([str(error)]))
            except Unreadable as error:
                known = _Drawing(b"", 0, frozenset(), frozenset([f"a form cannot be followed: {error}"]))
            self._forms[form] = known
        return known


_TOO_MUCH = f"more than {MOST_OPERATORS} operators draw it"
_FAR = 9_999.0  # mm
_TINY = 0.002  # mm: what boxes are rounded by


def _holds(form: Form, reach: tuple[float, float, float, float] | None) -> bool:
    """Whether the box of a form holds all that can be seen of it, or what is drawn if that is known."""
    left, top, right, bottom = reach or (-_FAR, -_FAR, _FAR, _FAR)
    if form.box is None:
        return False
    x, y, far, low = form.box
    return x <= left + _TINY and y <= top + _TINY and far >= right - _TINY and low >= bottom - _TINY


class _Sum:
    """Sums instructions up, names resolved. A row of glyphs is the same however it is cut into pieces."""

    def __init__(self, draughts: Draughts, resources: Resources, seen: Rect | None, *, is_beside: bool) -> None:
        self._draughts, self._resources, self._seen, self._is_beside = draughts, resources, seen, is_beside
        self._summary = hashlib.sha256()
        self._operators = 0
        self._fonts: set[Font] = set()
        self._oddities: set[str] = set()
        self._glyphs: list[bytes] = []
        self._font: Font | None = None
        self._xs: list[float] = []
        self._ys: list[float] = []
        self._width = self._wide = 0.0
        self._is_shapes = self._is_blank = True

    def of(self, instructions: Iterable[Instruction], grammar: Grammar | None) -> _Drawing:
        for instruction in instructions:
            operator, operands = instruction
            self._operators += 1
            self._draughts.patience.step()
            if grammar is not None:
                grammar.step(instruction)
            if operator == b"TJ":
                self._glyphs += operands
                continue
            if operator not in (b"BDC", b"EMC"):  # marks within a face say what a glyph is read as
                self._flush()
                self._add(operator, operands)
        self._flush()
        if grammar is not None:
            grammar.end()
        found = self._summary.digest(), self._operators, frozenset(self._fonts), frozenset(self._oddities)
        return _Drawing(*found, self._reach(), self._is_blank)

    def _flush(self) -> None:
        if not self._glyphs:
            return
        self._is_blank = False
        shown = b"".join(self._glyphs)
        self._summary.update(shown.replace(b"][", b"").replace(b"><", b"") + b" TJ\n")
        self._glyphs.clear()
        if self._font is not None:
            codes = _BETWEEN.sub(b"", shown)
            known = self._draughts.shown.setdefault(self._font, set())
            known.update(codes[at : at + 4] for at in range(0, len(codes), 4))

    def _add(self, operator: bytes, operands: Sequence[bytes]) -> None:
        words = list(operands)
        if operator in (b"m", b"l", b"c"):
            if self._is_shapes:
                values = list(map(float, operands))
                self._xs += values[::2]
                self._ys += values[1::2]
        elif operator == b"Do":
            self._is_shapes = False
            words = [self._drawn(b"".join(operands))]
        elif operator == b"Tf" and len(operands) == 2:
            words = [self._named(operands[0]), operands[1]]
        elif operator in (b"f", b"f*", b"S"):
            self._is_blank = False
        elif operator in (b"w", b"M"):
            self._stroke(operator, operands)
        elif operator == b"gs":
            words = [str(self._resources.overprints.get(operands[0])).encode("ascii")]
        elif operator in (b"cm", b"W", b"re", b"BT"):
            self._is_shapes = False
            self._seen = None if operator == b"cm" else self._seen  # what is seen is no longer known in this space
        self._summary.update(b" ".join((*words, operator)) + b"\n")

    def _stroke(self, operator: bytes, operands: Sequence[bytes]) -> None:
        """Keep the largest reach of a line beyond its points: half its width, as far as its mitres go."""
        value = float(operands[0]) if len(operands) == 1 else 0.0
        if operator == b"w":
            self._width = value
            self._wide = max(self._wide, value / 2)
        else:
            self._wide = max(self._wide, self._width * value / 2)

    def _reach(self) -> tuple[float, float, float, float] | None:
        if not self._is_shapes or not self._xs:
            return None if self._operators != 1 else (0.0, 0.0, 0.0, 0.0)  # an empty form is `n`
        xs, ys, wide = self._xs, self._ys, self._wide
        return min(xs) - wide, min(ys) - wide, max(xs) + wide, max(ys) + wide

    def _drawn(self, name: bytes) -> bytes:
        part = self._draughts.named(name, self._resources, self._seen, is_beside=self._is_beside)
        if part is None:
            self._oddities.add(f"there is nothing called `{name[:40].decode('latin-1')}` to be drawn")
            return b""
        self._operators = min(self._operators + part.operators, 2 * MOST_OPERATORS)
        self._is_blank &= part.is_blank
        self._fonts |= part.fonts
        self._oddities |= part.oddities
        return part.digest

    def _named(self, name: bytes) -> bytes:
        self._font = self._resources.fonts.get(name)
        if self._font is None:
            self._oddities.add(f"there is no font `{name[:40].decode('latin-1')}`")
            return b""
        self._fonts.add(self._font)
        return self._font.name.encode("utf-8")


_BETWEEN = re.compile(rb">[^<]*<|^[^<]*<|>[^<]*$|[^<>]*\]")


@dataclass(slots=True)
class _Face:
    """A face that is being drawn: its card, its side, and what has been found of it so far."""

    name: str
    is_back: bool
    head: int = 0
    box: Rect | None = None
    window: tuple[tuple[float, float], ...] = ()
    place: Affine | None = None
    is_over: bool = False
    body: list[Instruction] = field(default_factory=list)


_HEAD = (b"q", b"re", b"W", b"n", b"cm")
_PAINTS = frozenset((b"Do", b"f", b"f*", b"S", b"TJ"))


class _Walk:
    """Follows the content of one page: the map in force, the faces, and what is drawn outside of them."""

    def __init__(self, draughts: Draughts, resources: Resources, to_mm: Affine) -> None:
        self._draughts, self._resources = draughts, resources
        self._map = to_mm
        self._kept: list[Affine] = []
        self._face: _Face | None = None
        self._inside = 0  # how deep in `q` of the face
        self._grammar = Grammar(resources.overprints, is_whole=False)
        self._is_marked = False
        self.faces: list[Placed] = []
        self.drawings: list[_Drawing] = []
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
            if len(self.beside) > MOST_BESIDE:
                raise Unreadable("too much is drawn beside the cards")

    def end(self) -> None:
        """Check that all that was begun is ended."""
        if self._face is not None or self._kept:
            raise Unreadable("it breaks off")
        self._grammar.end()

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
        said = content.entries(operands[1:])
        side = said.get(b"/Side")
        if side not in (b"/Front", b"/Back"):
            raise Unreadable("a card without a side")
        if not self._grammar.is_plain:
            raise Unreadable("a card within what changes how it is drawn")
        self.is_over_marks |= self._is_marked
        self._face, self._inside = _Face(content.text(said.get(b"/Name", b"")), side == b"/Back"), 0

    def _in_face(self, face: _Face, instruction: Instruction) -> None:
        """Follow an instruction of a face: its window and its place first, then what is drawn of it."""
        operator, operands = instruction
        if face.is_over:
            if operator != b"EMC":
                raise Unreadable(f"the card `{face.name[:40]}` is not kept apart")
            self._unmark(face)
        elif face.head < len(_HEAD):
            if operator != _HEAD[face.head]:
                raise Unreadable(f"the card `{face.name[:40]}` is not put in its place as kotc does it")
            self._head(face, operator, operands)
            face.head += 1
        elif operator == b"Q" and self._inside == 0:
            face.is_over = True
        elif self._inside == 0 and operator in (b"W", b"cm"):
            raise Unreadable(f"the card `{face.name[:40]}` is moved or cut while it is drawn")
        elif operator == b"BDC" and operands[:1] == [b"/Card"]:
            raise Unreadable("a card within a card")
        else:
            self._inside += (operator == b"q") - (operator == b"Q")
            face.body.append(instruction)
            if len(face.body) > MOST_LISTED:
                raise Unreadable(f"the card `{face.name[:40]}` takes too much to be drawn")

    def _head(self, face: _Face, operator: bytes, operands: Sequence[bytes]) -> None:
        if operator == b"re":
            x, y, width, height = content.numbers(operands, 4)
            face.box = Rect(x, y, width, height)
            corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
            face.window = tuple(self._map.apply(*corner) for corner in corners)
        elif operator == b"cm":
            own = content.matrix(operands)
            face.place = self._map @ own
            if face.box is not None and own.a * own.d != own.b * own.c:
                face.box = own.inverse.box(face.box)

    def _unmark(self, face: _Face) -> None:
        assert face.place is not None
        drawing = self._draughts.drawing(face.body, self._resources, seen=face.box)
        self.drawings.append(drawing)
        body = tuple(face.body)
        found = face.place, face.window, drawing.digest, body, drawing.is_blank
        self.faces.append(Placed(face.name, face.is_back, *found))
        self._face = None
