"""What a content stream paints: each filled shape, line, row of glyphs and picture, with its place and color.

The stream must keep the `grammar`. The result is compared with what should be there: the marks of a file's ticket, the
faces of a set's cards.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from render.base.geometry import IDENTITY, Affine
from render.verify.reading import content
from render.verify.reading.content import Instruction, UnreadableContent
from render.verify.reading.pdf_reading import FileFont, Form, Image, Resources, Seen
from render.verify.reading.shades import Shade

MAX_PAINTED = 100_000  # pieces in a stream, counting forms each time
LONGEST, LONGEST_PAGE = 4.0, 0.4  # seconds for a file, and for each further page; a page of 9 cards takes 0.05
LARGEST = 16_000_000  # bytes of a form

Clip = tuple[float, float, float, float]
"""Left, top, right and bottom of the box outside which nothing shows, in mm."""

Cut = tuple[str, tuple[float, ...]]
"""The steps of an outline outside which nothing shows, with its fill rule, and its coordinates, x and y in turn."""

UNSEEN = "unseen glyphs"
"""The kind of a row of glyphs that is found and copied but not seen."""

ANYWHERE = (-math.inf, -math.inf, math.inf, math.inf)


@dataclass(frozen=True, slots=True, kw_only=True)
class Painted:
    """One painted piece: `kind` is fill, fill even-odd, line, glyphs, unseen glyphs, picture or group.

    A group stands before what is drawn as one: its `color` is its opacity, and its `shape` tells how many pieces its
    mask has, and how many follow these.

    `color` has one number for gray, three for sRGB, four for inks, none for a picture; of a gradient, it lists colors,
    and `frame` are points that say where it lies. `shape` is what can be counted: steps of outlines, caps and joins,
    the font and its glyphs. `points` are coordinates in mm, x and y in turn. `pens` are lengths that a map turns and
    scales: the two axes of a line's pen or of the em of glyphs, and dashes. What `overprints` leaves other inks beneath
    in place. `cuts` are outlines that clip it, besides the box `clip`.
    """

    kind: str
    color: tuple[float, ...]
    shape: tuple[object, ...]
    points: tuple[float, ...]
    pens: tuple[float, ...] = ()
    clip: Clip = ANYWHERE
    image: Image | None = None
    overprints: bool = False
    frame: tuple[float, ...] = ()
    cuts: tuple[Cut, ...] = ()

    def taken(self, by: Affine) -> Painted:
        """Return the piece with the map applied."""
        if by == IDENTITY:
            return self
        a, b, c, d, e, f = by
        xs, ys = self.points[::2], self.points[1::2]
        points = tuple(v for x, y in zip(xs, ys, strict=True) for v in (a * x + c * y + e, b * x + d * y + f))
        across, down = self.pens[::2], self.pens[1::2]
        pens = tuple(v for x, y in zip(across, down, strict=True) for v in (a * x + c * y, b * x + d * y))
        clip, cuts = clip_taken(self.clip, by)
        cuts += tuple((steps, points_taken(edge, by)) for steps, edge in self.cuts)
        return replace(self, points=points, pens=pens, clip=clip, cuts=cuts, frame=points_taken(self.frame, by))

    def within(self, clip: Clip, cuts: tuple[Cut, ...]) -> Painted:
        """Return the piece, clipped further."""
        if clip == ANYWHERE and not cuts:
            return self
        return replace(self, clip=intersect(self.clip, clip), cuts=(*cuts, *self.cuts))

    @property
    def box(self) -> Clip:
        """Left, top, right and bottom of its points, with half a line's width or an em of glyphs around them."""
        around = max(map(abs, self.pens[:4]), default=0.0) * (0.5 if self.kind == "line" else 1.0)  # no dashes
        if not self.points:  # a group
            return self.clip
        xs, ys = self.points[::2], self.points[1::2]
        left, top, right, bottom = min(xs) - around, min(ys) - around, max(xs) + around, max(ys) + around
        return intersect((left, top, right, bottom), self.clip)


def points_taken(points: tuple[float, ...], by: Affine) -> tuple[float, ...]:
    """Return coordinates, x and y in turn, with the map applied."""
    return tuple(v for x, y in zip(points[::2], points[1::2], strict=True) for v in by.apply(x, y))


def intersect(one: Clip, other: Clip) -> Clip:
    """Return the intersection of both boxes."""
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


def clip_taken(clip: Clip, by: Affine) -> tuple[Clip, tuple[Cut, ...]]:
    """Return the box with the map applied; as an outline if it is no box afterwards."""
    if clip == ANYWHERE or by == IDENTITY:
        return clip, ()
    is_upright, is_turned = by.b == by.c == 0, by.a == by.d == 0
    x0, y0, x1, y1 = clip
    corners = points_taken((x0, y0, x1, y0, x1, y1, x0, y1), by)
    if not is_upright and not is_turned:
        return ANYWHERE, (("mlllh", corners),)
    xs, ys = corners[::2], corners[1::2]
    return (min(xs), min(ys), max(xs), max(ys)), ()


class Painter:
    """Reads what streams paint. A form is read once, however often it is drawn.

    With `is_beside`, the box of a form clips what it paints; for faces, `sums` has already proved that it clips
    nothing.
    """

    def __init__(self, pages: int = 1, *, is_beside: bool = False) -> None:
        self.is_beside = is_beside
        self.patience = content.TimeBudget(LONGEST + LONGEST_PAGE * pages)
        self._forms: dict[Form, tuple[Painted, ...]] = {}

    def form(self, form: Form) -> tuple[Painted, ...]:
        """Return what a form paints, in its own space; UnreadableContent."""
        found = self._forms.get(form)
        if found is None:
            if len(form.content) > LARGEST:
                raise UnreadableContent("a form is too large to be looked at")
            found = tuple(self.painted(content.instructions(form.content), form.resources))
            if self.is_beside:
                found = tuple(_cut_off(each, form) for each in found)
            self._forms[form] = found
        return found

    def painted(self, instructions: Iterable[Instruction], resources: Resources) -> list[Painted]:
        """Return what instructions paint, in the space in which they begin; UnreadableContent."""
        found: list[Painted] = []
        for each in _StreamPainter(self, resources).painted(instructions):
            found.append(each)
            if len(found) > MAX_PAINTED:
                raise UnreadableContent("too much is painted")
        return found


def _cut_off(each: Painted, form: Form) -> Painted:
    """Return a piece painted by a form, clipped to the form's box if it reaches beyond."""
    # A form must have a box (ISO 32000-1, table 95): of one without, nothing shows.
    inner = form.box or (0.0, 0.0, 0.0, 0.0)
    left, top, right, bottom = each.box
    if left >= inner[0] and top >= inner[1] and right <= inner[2] and bottom <= inner[3]:
        return each
    return replace(each, clip=intersect(each.clip, inner))


@dataclass(slots=True, kw_only=True)
class _State:
    """The graphics state: map, clips, colors and gradients, width, cap, join and miter limit, dashes, font, opacity."""

    map: Affine = IDENTITY
    clip: Clip = ANYWHERE
    fill: tuple[float, ...] = ()
    stroke: tuple[float, ...] = ()
    width: float = 1.0
    # Butt caps, miter joins and the limit 10: PDF's defaults (ISO 32000-1, table 52).
    line: tuple[bytes, bytes, float] = (b"0", b"0", 10.0)
    dashes: tuple[float, ...] = ()
    font: FileFont | None = None
    size: float = 0.0
    stretch: float = 1.0
    rise: float = 0.0
    is_unseen: bool = False
    overprints: bool = False
    cuts: tuple[Cut, ...] = ()
    shades: dict[str, Shade | None] = field(default_factory=dict)
    seen: Seen | None = None


_PIECE = re.compile(rb"<([0-9A-F]+)>|(-?\d+)")


class _StreamPainter:
    """Follows one stream."""

    def __init__(self, painter: Painter, resources: Resources) -> None:
        self._painter, self._resources = painter, resources
        self._state = _State()
        self._kept: list[_State] = []
        self._steps: list[str] = []
        self._points: list[float] = []
        self._at = IDENTITY
        self._moved = 0.0
        self._glyphs: list[int] = []
        self._places: list[float] = []

    def painted(self, instructions: Iterable[Instruction]) -> Iterator[Painted]:
        """Yield what is painted, back to front."""
        for operator, operands in instructions:
            self._painter.patience.step()
            if operator == b"TJ":
                self._show(operands[0])
                continue
            # Pieces of one row belong together, whatever rises or marks stand between.
            if self._glyphs and operator not in (b"Ts", b"BDC", b"EMC"):
                yield self._row()
            match operator:
                case b"Do":
                    yield from self._drawn(operands[0])
                case b"f" | b"f*":
                    yield from self._path("fill" if operator == b"f" else "fill even-odd", self._state.fill, ())
                case b"S":
                    pens = (*self._pen(self._state.width), *(v for d in self._state.dashes for v in self._pen(d)[:2]))
                    yield from self._path("line", self._state.stroke, pens)
                case _:
                    self._set(operator, operands)

    def _set(self, operator: bytes, operands: Sequence[bytes]) -> None:
        state = self._state
        match operator:
            case b"q":
                # A copy, since operators change the state in place (`q` and `Q`: ISO 32000-1, 8.4.2).
                self._kept.append(replace(state, shades=dict(state.shades)))
            case b"Q":
                self._state = self._kept.pop()
            case b"m" | b"l" | b"c" | b"h":
                self._steps.append(operator.decode("ascii"))
                self._points += map(float, operands)
            case b"re":
                x, y, width, height = map(float, operands)
                # ISO 32000-1, table 59: `re` is short for a move, three lines and a close.
                self._steps.append("mlllh")
                self._points += (x, y, x + width, y, x + width, y + height, x, y + height)
            case b"W" | b"W*" if self._steps != ["mlllh"]:
                steps = "".join(self._steps)
                cut = f"{steps} even-odd" if operator == b"W*" else steps
                state.cuts = (*state.cuts, (cut, points_taken(tuple(self._points), state.map)))
            case b"W":
                xs, ys = self._points[::2], self._points[1::2]  # a clip is one box, as the grammar has proved
                box = (min(xs), min(ys), max(xs), max(ys))
                clip, cuts = clip_taken(box, state.map)
                state.clip, state.cuts = intersect(state.clip, clip), (*state.cuts, *cuts)
            # `n` paints nothing: it ends a path that only clips (ISO 32000-1, 8.5.4).
            case b"n":
                self._steps, self._points = [], []
            case b"gs":
                state.seen = self._resources.seen.get(operands[0], state.seen)
                state.overprints = self._resources.overprints.get(operands[0], state.overprints)
            case b"scn":
                self._shaded("fill", operands[0])
            case b"SCN":
                self._shaded("stroke", operands[0])
            case b"BDC" | b"EMC" | b"BT" | b"ET" | b"cs" | b"CS":
                pass
            case _:
                self._put(operator, operands)

    def _put(self, operator: bytes, operands: Sequence[bytes]) -> None:
        state = self._state
        match operator:
            case b"cm":
                # ISO 32000-1, 8.3.4: the new matrix is applied first, then those before it.
                state.map = state.map @ content.matrix(operands)
            case b"g" | b"rg" | b"k":
                # The number of operands tells the color space (ISO 32000-1, table 74).
                state.fill, state.shades["fill"] = tuple(map(float, operands)), None
            case b"G" | b"RG" | b"K":
                state.stroke, state.shades["stroke"] = tuple(map(float, operands)), None
            case b"w":
                state.width = float(operands[0])
            case b"J" | b"j" | b"M":
                cap, join, miter = state.line
                word = operands[0]
                state.line = {b"J": (word, join, miter), b"j": (cap, word, miter)}.get(
                    operator, (cap, join, float(word))
                )
            case b"d":
                # The first operand is an array, `[1 2]`, here without its brackets.
                state.dashes = tuple(map(float, operands[0][1:-1].split()))
            case b"Tf":
                state.font, state.size = self._resources.fonts.get(operands[0]), float(operands[1])
            case b"Tz":
                state.stretch = float(operands[0]) / 100  # a percentage (ISO 32000-1, 9.3.4)
            case b"Ts":
                state.rise = float(operands[0])
            case b"Tr":
                state.is_unseen = operands[0] == b"3"  # the grammar lets no other mode through but 0
            case b"Tm":
                # ISO 32000-1, 9.4.2: `Tm` replaces the matrix, and does not add to it.
                self._at, self._moved = content.matrix(operands), 0.0
            case _:
                raise UnreadableContent(f"the operator `{operator[:20].decode('latin-1')}` is none that kotc writes")

    def _shaded(self, what: str, name: bytes) -> None:
        shade = self._resources.shades.get(name)
        if shade is None:
            raise UnreadableContent("a gradient that is not there")
        self._state.shades[what] = shade

    def _path(self, kind: str, color: tuple[float, ...], pens: tuple[float, ...]) -> Iterator[Painted]:
        state = self._state
        line = (*state.line, len(state.dashes)) if kind == "line" else ()
        shade = state.shades.get("stroke" if kind == "line" else "fill")
        shape, color = ("".join(self._steps), *line, *([shade.kind] if shade else [])), shade.colors if shade else color
        one = Painted(kind=kind, color=color, shape=shape, points=tuple(self._points))
        self._steps, self._points = [], []
        # No `cm` may stand within a path (ISO 32000-1, figure 9), so this map is that of all its points.
        yield replace(
            one.taken(state.map),
            pens=pens,
            clip=state.clip,
            overprints=state.overprints,
            # A gradient lies in the space of its stream, whatever maps come before it (ISO 32000-1, 8.7.2).
            frame=shade.frame if shade else (),
            cuts=state.cuts,
        )

    def _pen(self, length: float) -> tuple[float, float, float, float]:
        a, b, c, d, _, _ = self._state.map
        # A pen is round in the space of its line, and an ellipse once mapped (ISO 32000-1, 8.4.3.2).
        return length * a, length * b, length * c, length * d

    def _drawn(self, name: bytes) -> Iterator[Painted]:
        state = self._state
        match self._resources.drawings.get(name):
            case Form() as form:
                pieces = self._painter.form(form)
                if state.seen is not None:
                    pieces = (*self._group(state.seen, len(pieces)), *pieces)
                for each in pieces:
                    self._painter.patience.step()
                    yield each.taken(state.map).within(state.clip, state.cuts)
            case Image() as image:
                corners = (0.0, 1.0, 1.0, 1.0, 0.0, 0.0)  # top left, top right, bottom left of the unit square (8.9.4)
                yield replace(
                    Painted(kind="picture", color=(), shape=(), points=corners, image=image).taken(state.map),
                    clip=state.clip,
                    cuts=state.cuts,
                )
            case _:
                raise UnreadableContent(f"there is nothing called `{name[:40].decode('latin-1')}` to be drawn")

    def _group(self, seen: Seen, pieces: int) -> Iterator[Painted]:
        """Yield what stands before the pieces of a group: what it is, and its mask."""
        mask = self._painter.form(seen.mask) if seen.mask else ()
        yield Painted(kind="group", color=(seen.opacity,), shape=(len(mask), pieces), points=())
        yield from mask

    def _show(self, shown: bytes) -> None:
        """Add glyphs to the row being shown."""
        state = self._state
        if state.font is None:  # widths and corrections are in thousandths of the size
            raise UnreadableContent("text in a font that is not there")
        widths, unit, at, moved = state.font.widths, state.size * state.stretch / 1000, self._at, self._moved
        a, b, c, d, e, f = state.map @ at
        rise = state.rise
        for codes, back in _PIECE.findall(shown):
            if back:
                moved -= int(back) * unit  # ISO 32000-1, 9.4.3: a number in `TJ` moves back
                continue
            # Four hexadecimal digits a glyph: the codes of Identity-H have two bytes (ISO 32000-1, 9.7.5.2).
            for start in range(0, len(codes), 4):
                glyph = int(codes[start : start + 4], 16)
                self._glyphs.append(glyph)
                self._places += (a * moved + c * rise + e, b * moved + d * rise + f)
                moved += widths.get(glyph, 0) * unit
        self._moved = moved

    def _row(self) -> Painted:
        """Return the row of glyphs shown so far, and begin another."""
        state = self._state
        a, b, c, d, _, _ = state.map @ self._at
        wide, high = state.size * state.stretch, state.size
        pens = (wide * a, wide * b, high * c, high * d)
        shape = (state.font.name if state.font else "", *self._glyphs)
        row = Painted(
            kind=UNSEEN if state.is_unseen else "glyphs",
            color=state.fill,
            shape=shape,
            points=tuple(self._places),
            pens=pens,
            clip=state.clip,
            image=None,
            overprints=state.overprints,
            cuts=state.cuts,
        )
        self._glyphs, self._places = [], []
        return row
