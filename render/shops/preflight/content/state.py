"""A page while its content is read: its state (ISO 32000-1, 8.4 and 9.3), the path, and the results so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from render.base.findings import Problem
from render.base.geometry import IDENTITY, Affine, Rect
from render.scene.items import Outline
from render.shops.preflight.boxes import Face
from render.shops.preflight.content.fonts import UsedFont
from render.shops.preflight.objects.spaces import GRAY, Space
from render.shops.print_fitness import PrintedPiece, box_around

BOUND = 1e6  # mm: nobody sees what lies farther away
EVERYWHERE = Rect(-BOUND, -BOUND, 2 * BOUND, 2 * BOUND)
NOWHERE = Rect(BOUND, BOUND, 0, 0)


@dataclass(frozen=True, slots=True)
class Paint:
    """A color: its space, its tints, and whether a pattern replaces it."""

    space: Space = GRAY
    tints: tuple[float, ...] = (0.0,)
    is_pattern: bool = False


@dataclass(slots=True, kw_only=True)
class State:
    """The state that `q` saves and `Q` restores; places are in mm from the trim's top left corner."""

    map: Affine
    clip: Rect
    fill: Paint = field(default_factory=Paint)
    stroke: Paint = field(default_factory=Paint)
    width: float = 1.0
    overprints_fill: bool = False
    overprints_stroke: bool = False
    overprint_mode: int = 0
    opaque: bool = True
    font: UsedFont | None = None
    size: float = 0.0
    spacing: float = 0.0
    word_spacing: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    mode: int = 0

    @property
    def colors(self) -> tuple[object, ...]:
        """What a form inherits, besides its place, as values that compare."""
        paints = (
            (each.space.family, each.space.inks, each.tints, each.is_pattern) for each in (self.fill, self.stroke)
        )
        return (*paints, self.width, self.overprints_fill, self.overprints_stroke, self.overprint_mode, id(self.font))

    def kept(self) -> State:
        return replace(self)

    def seen(self, box: Rect) -> Rect | None:
        """Return the part of a box inside the clip; None if there is none."""
        shared = box.shared(self.clip)
        return shared if shared.width >= 0 and shared.height >= 0 else None


@dataclass(slots=True)
class Text:
    """Where a text continues: the text matrix and the text line matrix (9.4.1)."""

    matrix: Affine = IDENTITY
    line: Affine = IDENTITY

    def move(self, x: float, y: float) -> None:
        self.line = self.matrix = self.line @ Affine.move(x, y)


@dataclass(slots=True, kw_only=True)
class Pen:
    """The path being made, in mm on the card."""

    outlines: list[Outline] = field(default_factory=list)
    points: list[tuple[float, float]] = field(default_factory=list)
    _start: tuple[float, float] | None = None
    _segments: list[tuple[float, ...]] = field(default_factory=list)
    _here: tuple[float, float] = (0.0, 0.0)
    clips: bool = False

    def draw(self, operator: str, v: Sequence[float], by: Affine) -> None:
        """Follow a path operator (table 59); `v` are its operands."""
        match operator:
            case "m":
                self._end(closed=False)
                self._start = by.apply(v[0], v[1])
            case "l":
                self._to(by.apply(v[0], v[1]))
            case "c":
                self._to((*by.apply(v[0], v[1]), *by.apply(v[2], v[3]), *by.apply(v[4], v[5])))
            case "v":  # the first control point is the current point
                self._to((*self._last(), *by.apply(v[0], v[1]), *by.apply(v[2], v[3])))
            case "y":  # the second control point is the end
                end = by.apply(v[2], v[3])
                self._to((*by.apply(v[0], v[1]), *end, *end))
            case "h":
                self._end(closed=True)
            case "re":
                x, y, width, height = v[:4]
                corners = [by.apply(*corner) for corner in ((x + width, y), (x + width, y + height), (x, y + height))]
                self._end(closed=False)
                self._start = by.apply(x, y)
                self._segments.extend(corners)
                self.points.extend((self._start, *corners))
                self._end(closed=True)

    def done(self) -> list[Outline]:
        """Return the outlines, and begin anew."""
        self._end(closed=False)
        made, self.outlines, self.points, self._start, self.clips = self.outlines, [], [], None, False
        return made

    def box(self) -> Rect | None:
        """Return the box around the path so far; None if it is empty."""
        return box_around(self.points) if self.points else None

    def _last(self) -> tuple[float, float]:
        if self._segments:
            return self._segments[-1][-2], self._segments[-1][-1]
        return self._start or self._here

    def _to(self, segment: tuple[float, ...]) -> None:
        if self._start is None:  # a line without `m` begins where the last path ended
            self._start = self._here
        if not self._segments:
            self.points.append(self._start)
        self._segments.append(segment)
        self.points.extend(zip(segment[::2], segment[1::2], strict=True))

    def _end(self, *, closed: bool) -> None:
        if self._start is not None:
            if self._segments:
                self.outlines.append(Outline(self._start, tuple(self._segments), closed))
            self._here = self._start if closed else self._last()
            self._segments = []
            self._start = self._here if closed else None


@dataclass(slots=True, kw_only=True)
class PageState:
    """A page being read: what is wrong, what is drawn, and the ink of its grounds if ink is limited.

    `faces` are those that the marks of this program's own files name.
    """

    number: int
    faults: dict[Problem, None] = field(default_factory=dict)
    inked: list[PrintedPiece] = field(default_factory=list)
    grounds: list[tuple[Rect, float]] = field(default_factory=list)
    faces: list[Face] = field(default_factory=list)
    looked_at: set[tuple[int, int]] = field(default_factory=set)
    overprints: bool = False
    _taken: dict[int, PageState] = field(default_factory=dict)

    def take(self, form: PageState) -> None:
        """Take over what a form draws; drawn again in the same place, it is seen only once."""
        if id(form) not in self._taken:
            self._taken[id(form)] = form
            self.faults.update(form.faults)
            self.inked.extend(form.inked)
            self.overprints |= form.overprints

    def add(self, found: Iterator[Problem]) -> None:
        self.faults.update(dict.fromkeys(found))
