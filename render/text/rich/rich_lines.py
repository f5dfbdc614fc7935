"""Set lines of rich text: runs of letters of more than one size, and icons between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

from render.base.caches import cached
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
    open_row = _OpenRow(row)
    last: tuple[str, TextStyle] | None = None
    behind: tuple[fonts.Shaped, ...] = ()
    for word in words:
        if last is not None:
            for space in behind:
                open_row.add(space, last[1])
        for shaped, style in word:
            open_row.add(shaped, style)
        shaped, style = word[-1]
        if last is None or style is not last[1] or shaped.face is not last[0]:
            last = shaped.face, style
            behind = _spaces(*last, row.growth)
    return open_row.closed()


_NO_STYLE = TextStyle("", (0, 0, 0))  # of a line in which nothing stands yet


class _OpenRow:
    """A line that is being set: what stands in it so far, and the glyphs that may go on in the same run."""

    __slots__ = ("_face", "_items", "_pieces", "_row", "_start", "_style", "_unit", "_x")

    def __init__(self, row: RowSetting) -> None:
        self._row, self._unit, self._x = row, row.size * row.stretch, row.x
        self._items: list[SetItem] = []
        self._pieces: list[fonts.Shaped] = []
        self._start, self._face, self._style = row.x, "", _NO_STYLE

    def add(self, shaped: fonts.Shaped, style: TextStyle) -> None:
        """Add glyphs, or an icon without any. Neighbors of one face, color and size become one run."""
        if style.icon is not None and not shaped.glyphs:
            self._close()
            self._items += _icon(shaped, style, self._x, self._row)
        elif self._pieces and shaped.face == self._face and self._is_alike(style):
            self._pieces.append(shaped)
        else:
            self._close()
            self._face, self._style, self._start = shaped.face, style, self._x
            self._pieces.append(shaped)
        self._x += shaped.width * self._unit

    def closed(self) -> tuple[SetItem, ...]:
        """Return what stands in the line."""
        self._close()
        return tuple(self._items)

    def _is_alike(self, style: TextStyle) -> bool:
        own = self._style
        return style is own or (style.fill == own.fill and style.scale == own.scale)

    def _close(self) -> None:
        if self._pieces:
            self._items.append(_run(TextRun, self._pieces, (self._start, self._style), self._row))
            self._pieces = []


@cached(1024)
def _spaces(face: str, style: TextStyle, growth: float) -> tuple[fonts.Shaped, ...]:
    """Return the space behind a word, set as its end, wider by `growth` em of the text."""
    shaped = set_word(style._replace(face=face, icon=None), " ")
    if not growth:
        return shaped
    *others, last = shaped
    wider = round(growth / style.scale * fonts.face(last.face).units_per_em)
    advances = (*last.advances[:-1], last.advances[-1] + wider)
    return (*others, replace(last, advances=advances, width=last.width + growth))


def _run(kind: type[TextRun], pieces: Sequence[fonts.Shaped], at: tuple[float, TextStyle], row: RowSetting) -> TextRun:
    """Return glyphs as one run that begins at a place in mm, in a style."""
    x, style = at
    if len(pieces) == 1:
        (piece,) = pieces
        glyphs, advances, text, rises = piece.glyphs, piece.advances, piece.text, piece.rises
    else:
        glyphs = tuple(chain.from_iterable([each.glyphs for each in pieces]))
        advances = tuple(chain.from_iterable([each.advances for each in pieces]))
        text = tuple(chain.from_iterable([each.text for each in pieces]))
        lifted = [each.rises for each in pieces]
        rises = tuple(rise for each in pieces for rise in each.rises or (0,) * len(each.glyphs)) if any(lifted) else ()
    return kind(
        face=pieces[0].face,
        size=row.size * style.scale,
        transform=Affine(e=x, f=row.baseline),
        fill=style.fill,
        glyphs=glyphs,
        advances=advances,
        text=text,
        stretch=row.stretch,
        rises=rises,
    )


def _icon(shaped: fonts.Shaped, style: TextStyle, x: float, row: RowSetting) -> Iterator[SetItem]:
    """Yield the words of an icon, as wide as the icon, and the icon."""
    icon, em = style.icon, row.size * style.scale
    assert icon is not None
    words = fonts.shape(style.face, icon.words) if icon.words else ()
    natural = sum([each.width for each in words])
    if natural > 0:
        stretch = shaped.width * row.size * row.stretch / (natural * em)
        as_set, at = row._replace(stretch=stretch), x
        for each in words:
            yield _run(UnseenRun, (each,), (at, style), as_set)
            at += each.width * em * stretch
    yield PlacedIcon(icon=icon, style=style, x=x, baseline=row.baseline, em=em, stretch=row.stretch)
