"""Set lines of rich text: runs of letters of more than one size, and icons between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from render.base.geometry import Affine
from render.scene.items import TextRun, UnseenRun
from render.text import fonts
from render.text.line_breaking import BESIDE_ICON, InlineIcon, Shaped, TextStyle, set_word


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedIcon:
    """An icon where it stands: the left end of its baseline, its em in mm, and how much its width is condensed."""

    icon: InlineIcon
    style: TextStyle
    x: float
    baseline: float
    em: float
    stretch: float

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, width and height of the drawing, in mm."""
        middle = self.baseline - fonts.face(self.style.face).cap_height * self.em / 2
        width, height = self.icon.width * self.em * self.stretch, self.icon.height * self.em
        return self.x + BESIDE_ICON * self.em * self.stretch, middle - height / 2, width, height


SetItem = TextRun | PlacedIcon
"""What a line holds: words, seen and unseen, and icons."""


class RowSetting(NamedTuple):
    """Where and how a line is set: start and baseline in mm, size in mm, growth of its spaces in em."""

    x: float
    baseline: float
    size: float
    stretch: float = 1.0
    growth: float = 0.0


def set_row(words: Iterable[Shaped], row: RowSetting) -> tuple[SetItem, ...]:
    """Return a line as set: the words from left to right; behind an icon's own words, the icon."""
    return tuple(_joined(_pieces(words, row), row))


class _Piece(NamedTuple):
    """Glyphs, or an icon without any, and where they begin: mm from the start of the line."""

    x: float
    shaped: fonts.Shaped
    style: TextStyle


def _pieces(words: Iterable[Shaped], row: RowSetting) -> Iterator[_Piece]:
    """Yield the pieces of a line with their places, spaces between the words among them."""
    unit, x = row.size * row.stretch, row.x
    last: tuple[str, TextStyle] | None = None
    for word in words:
        if last is not None:
            for space in _spaces(*last, row.growth):
                yield _Piece(x, space, last[1])
                x += space.width * unit
        for shaped, style in word:
            yield _Piece(x, shaped, style)
            x += shaped.width * unit
            last = shaped.face, style
    return


def _spaces(face: str, style: TextStyle, growth: float) -> tuple[fonts.Shaped, ...]:
    """Return the space behind a word, set as its end, wider by `growth` em of the text."""
    shaped = set_word(style._replace(face=face, icon=None), " ")
    if not growth:
        return shaped
    *others, last = shaped
    wider = round(growth / style.scale * fonts.face(last.face).units_per_em)
    advances = (*last.advances[:-1], last.advances[-1] + wider)
    return (*others, replace(last, advances=advances, width=last.width + growth))


def _joined(pieces: Iterable[_Piece], row: RowSetting) -> Iterator[SetItem]:
    """Yield neighbors of one face, color and size as one run."""
    open_run: list[_Piece] = []
    for piece in pieces:
        style = piece.style
        if not piece.shaped.glyphs and style.icon is not None:
            yield from _run(open_run, row)
            open_run = []
            yield from _icon(piece, style.icon, row)
            continue
        if open_run and _look(open_run[-1]) != _look(piece):
            yield from _run(open_run, row)
            open_run = []
        open_run.append(piece)
    yield from _run(open_run, row)


def _look(piece: _Piece) -> tuple[object, ...]:
    return piece.shaped.face, piece.style.fill, piece.style.scale


def _run(pieces: list[_Piece], row: RowSetting) -> Iterator[TextRun]:
    if not pieces:
        return
    first = pieces[0]
    shaped = [piece.shaped for piece in pieces]
    rises = any(each.rises for each in shaped)
    yield TextRun(
        face=first.shaped.face,
        size=row.size * first.style.scale,
        transform=Affine(e=first.x, f=row.baseline),
        fill=first.style.fill,
        glyphs=tuple(glyph for each in shaped for glyph in each.glyphs),
        advances=tuple(advance for each in shaped for advance in each.advances),
        text=tuple(text for each in shaped for text in each.text),
        stretch=row.stretch,
        rises=tuple(rise for each in shaped for rise in each.rises or (0,) * len(each.glyphs)) if rises else (),
    )


def _icon(piece: _Piece, icon: InlineIcon, row: RowSetting) -> Iterator[SetItem]:
    """Yield the words of an icon, as wide as the icon, and the icon."""
    em = row.size * piece.style.scale
    words = fonts.shape(piece.style.face, icon.words) if icon.words else ()
    natural = sum(each.width for each in words)
    if natural > 0:
        stretch = piece.shaped.width * row.size * row.stretch / (natural * em)
        as_set = row._replace(stretch=stretch)
        x = piece.x
        for shaped in words:
            for run in _run([_Piece(x, shaped, piece.style)], as_set):
                yield UnseenRun(**{name: getattr(run, name) for name in TextRun.__slots__})
            x += shaped.width * em * stretch
    yield PlacedIcon(icon=icon, style=piece.style, x=piece.x, baseline=row.baseline, em=em, stretch=row.stretch)
