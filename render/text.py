"""Text: fitting a text to its room, justifying it, and setting it as runs of glyphs.

Everything is arithmetic on words shaped once: a text's widths at size s are s times its widths in em.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, floor, inf

from render import fonts
from render.breaking import ROUNDING, Atoms, Broken, Paragraph, Shaped, atoms_of, shaped, space_after, words_of
from render.geometry import Affine, Rect
from render.scene import Colour, TextRun


@dataclass(frozen=True, slots=True)
class Leading:
    """The distance between baselines.

    `factor` is in sizes; without one a line is as high as the face's ascent and descent, each rounded up to whole
    steps of the size. `gap` mm are added between lines, `paragraph` lines stand between paragraphs.
    """

    factor: float | None = None
    gap: float = 0.0
    paragraph: float = 1.0


@dataclass(frozen=True, slots=True)
class TextBox:
    """The room of a text, in mm: sizes go from `largest` down to `smallest` in steps of `step`.

    `align` is start, middle, end or justify; a justified word space grows by at most `max_growth` em, if any size
    allows it. A text that does not fit at the smallest size may close up: `tighter` are the leadings to try then.
    """

    room: Rect
    align: str
    largest: float
    smallest: float
    step: float
    leading: Leading
    max_growth: float = inf
    tighter: tuple[Leading, ...] = ()


@dataclass(frozen=True, slots=True)
class TextLine:
    """A text on one line: its anchor point in mm, and how it may be made to fit `width` mm (none: any width).

    It is condensed first, to `narrowest` of its natural width, then shrunk, down to `smallest` mm.
    """

    x: float
    baseline: float
    align: str
    size: float
    width: float = inf
    narrowest: float = 1.0
    smallest: float = 0.0


@dataclass(frozen=True, slots=True)
class TooLong:
    """A line, or a single word in a box, does not fit: at its smallest size, in mm, it is `width` mm long."""

    size: float
    width: float
    in_box: bool


@dataclass(frozen=True, slots=True)
class TooMuch:
    """A text does not fit its box: at its smallest size, in mm, it takes `lines` lines where `room` fit."""

    size: float
    lines: int
    room: int


def fit_box(paragraphs: tuple[Paragraph, ...], box: TextBox) -> tuple[TextRun, ...] | TooLong | TooMuch:
    """Set the paragraphs in the box at the largest size that fits."""
    atoms = tuple(atoms_of(paragraph) for paragraph in paragraphs)
    if not atoms:
        return ()
    sizes = _sizes(box)
    fitting = bisect_right(sizes, False, key=lambda size: _broken(atoms, box, size) is None)
    if fitting == 0:
        return _closed_up(atoms, box, sizes[0])
    largest_first = sizes[fitting - 1 :: -1]
    tight = (size for size in largest_first if _loosest(atoms, box, size) <= box.max_growth + ROUNDING)
    return tuple(_placed(atoms, box, next(tight, largest_first[0])))


@lru_cache(maxsize=256)
def _sizes(box: TextBox) -> tuple[float, ...]:
    """Return the sizes of a box from the smallest on: whole steps, or its one size if no step lies in the range."""
    steps = range(ceil(box.smallest / box.step - ROUNDING), floor(box.largest / box.step + ROUNDING) + 1)
    return tuple(step * box.step for step in steps) or (box.largest,)


def _closed_up(atoms: tuple[Atoms, ...], box: TextBox, size: float) -> tuple[TextRun, ...] | TooLong | TooMuch:
    """Set the paragraphs at the smallest size with less room between lines and paragraphs than usual."""
    for leading in box.tighter:
        closer = replace(box, leading=leading)
        if _broken(atoms, closer, size) is not None:
            return tuple(_placed(atoms, closer, size))
    return _overflow(atoms, replace(box, leading=box.tighter[-1]) if box.tighter else box, size)


@lru_cache(maxsize=4096)
def fit_line(line: Paragraph, room: TextLine) -> tuple[TextRun, ...] | TooLong:
    """Set the text on one line: at its natural width, else condensed, else shrunk about the middle of its capitals."""
    words = tuple(words_of(line))
    natural = sum(word.ends[-1] for word in words) + sum(space_after(word) for word in words[:-1])
    size, stretch = room.size, 1.0
    if natural * size > room.width + ROUNDING:
        stretch = max(room.narrowest, room.width / (natural * size))
        size = min(size, room.width / (natural * stretch))
    if size < room.smallest - ROUNDING:
        return TooLong(room.smallest, natural * room.narrowest * room.smallest, in_box=False)
    baseline = room.baseline - (room.size - size) * fonts.CAP_HEIGHT / 2
    x = room.x - natural * size * stretch * {"start": 0.0, "middle": 0.5, "end": 1.0}[room.align]
    return tuple(_runs((shaped(word.styled) for word in words), _Setting(x, baseline, size, stretch)))


def line_height(leading: Leading, face: str, size: float, step: float) -> tuple[float, float]:
    """Return the height of a line in mm and how far its baseline lies below its top."""
    opened = fonts.face(face)
    if leading.factor is not None:
        height = leading.factor * size
        return height, (height + (opened.ascent - opened.descent) * size) / 2
    ascent = ceil(opened.ascent * size / step - ROUNDING) * step
    descent = ceil(opened.descent * size / step - ROUNDING) * step
    return ascent + descent, ascent


def _broken(atoms: tuple[Atoms, ...], box: TextBox, size: float) -> list[Broken] | None:
    """Break the paragraphs at a size; nothing if they do not fit the box."""
    broken = []
    for paragraph in atoms:
        lines = paragraph.greedy(box.room.width / size)
        if lines is None:
            return None
        broken.append(lines)
    return broken if _height(broken, atoms, box, size) <= box.room.height + ROUNDING else None


def _height(broken: list[Broken], atoms: tuple[Atoms, ...], box: TextBox, size: float) -> float:
    height, _ = line_height(box.leading, _face(atoms), size, box.step)
    lines = sum(len(paragraph.lines) for paragraph in broken) + (len(broken) - 1) * box.leading.paragraph
    return lines * height + (lines - 1) * box.leading.gap


def _loosest(atoms: tuple[Atoms, ...], box: TextBox, size: float) -> float:
    """Return by how many em the widest word space grows, 0 for text that is not justified."""
    if box.align != "justify":
        return 0.0
    return max(max(paragraph.growth) for paragraph in _broken(atoms, box, size) or ())


def _overflow(atoms: tuple[Atoms, ...], box: TextBox, size: float) -> TooLong | TooMuch:
    """Return why the paragraphs do not fit at a size; the gaps between them count as lines."""
    broken = [paragraph.greedy(box.room.width / size) for paragraph in atoms]
    if None in broken:
        spans = (pair for paragraph in atoms for pair in zip(paragraph.starts, paragraph.ends, strict=True))
        return TooLong(size, max(end - start for start, end in spans) * size, in_box=True)
    height, _ = line_height(box.leading, _face(atoms), size, box.step)
    room = floor((box.room.height + box.leading.gap) / (height + box.leading.gap) + ROUNDING)
    lines = sum(len(paragraph.lines) for paragraph in broken if paragraph)
    return TooMuch(size, lines + ceil((len(broken) - 1) * box.leading.paragraph), room)


def _placed(atoms: tuple[Atoms, ...], box: TextBox, size: float) -> Iterator[TextRun]:
    height, ascent = line_height(box.leading, _face(atoms), size, box.step)
    pitch = height + box.leading.gap
    baseline = box.room.y + ascent
    for paragraph, broken in zip(atoms, _broken(atoms, box, size) or (), strict=True):
        for (first, last), natural, growth in zip(broken.lines, broken.natural, broken.growth, strict=True):
            slack = box.room.width - natural * size
            x = box.room.x + slack * {"start": 0.0, "justify": 0.0, "middle": 0.5, "end": 1.0}[box.align]
            setting = _Setting(x, baseline, size, growth=growth if box.align == "justify" else 0.0)
            yield from _runs(paragraph.line(first, last), setting)
            baseline += pitch
        baseline += pitch * box.leading.paragraph


@dataclass(frozen=True, slots=True)
class _Setting:
    """Where and how a line is set: start and baseline in mm, size in mm, and by how many em its spaces grow."""

    x: float
    baseline: float
    size: float
    stretch: float = 1.0
    growth: float = 0.0


class _Open:
    """A run that still grows: neighbours of one face and colour are one run."""

    __slots__ = ("advances", "face", "fill", "glyphs", "rises", "text")

    def __init__(self, face: str, fill: Colour) -> None:
        self.face = face
        self.fill = fill
        self.glyphs: list[int] = []
        self.advances: list[int] = []
        self.text: list[str] = []
        self.rises: list[tuple[int, int]] = []

    def add(self, piece: fonts.Shaped) -> None:
        if piece.rises:
            self.rises += ((len(self.glyphs) + index, rise) for index, rise in enumerate(piece.rises))
        self.glyphs += piece.glyphs
        self.advances += piece.advances
        self.text += piece.text

    def closed(self, setting: _Setting, units: int) -> TextRun:
        """Return the run, which starts `units` of the font behind the start of the line."""
        opened = fonts.face(self.face)
        x = setting.x + units / opened.units_per_em * setting.size * setting.stretch
        rises = dict(self.rises)
        return TextRun(
            self.face,
            setting.size,
            Affine(e=x, f=setting.baseline),
            self.fill,
            tuple(self.glyphs),
            tuple(self.advances),
            tuple(self.text),
            setting.stretch,
            tuple(rises.get(index, 0) for index in range(len(self.glyphs))) if rises else (),
        )


def _runs(words: Iterable[Shaped], setting: _Setting) -> Iterator[TextRun]:
    """Yield the runs of a line. All bundled faces have the same units, so that advances can be added up."""
    run: _Open | None = None
    units = 0
    for word in words:
        if run:
            run.add(_space(run.face, setting.growth))
        for piece, style in word:
            if run is None or run.face != piece.face or run.fill != style.fill:
                if run:
                    yield run.closed(setting, units)
                    units += sum(run.advances)
                run = _Open(piece.face, style.fill)
            run.add(piece)
    if run:
        yield run.closed(setting, units)


@lru_cache(maxsize=4096)
def _space(face: str, growth: float) -> fonts.Shaped:
    """Return a space of the face that is `growth` em wider than its own."""
    (natural,) = fonts.shape(face, " ")
    advance = natural.advances[0] + round(growth * fonts.face(natural.face).units_per_em)
    return replace(natural, advances=(advance,), width=natural.width + growth)


def _face(atoms: tuple[Atoms, ...]) -> str:
    """Return the face that sets the height of the lines: that of the first word."""
    return next((paragraph.words[0].styled[0][1].face for paragraph in atoms if paragraph.words), fonts.SANS)
