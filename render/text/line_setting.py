"""Set lines: words as runs of glyphs, of more than one face, color and size, and icons between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain

from msgspec import Struct
from msgspec.structs import replace

from render.base.caches import cached
from render.base.geometry import IDENTITY, Affine
from render.scene.items import TextRun, UnseenRun
from render.text import fonts
from render.text.directions import visual_order
from render.text.line_breaking import (
    BESIDE_ICON,
    InlineIcon,
    LetterLine,
    LetterShadow,
    LineWord,
    Shaped,
    TextStyle,
    set_word,
)


class PlacedIcon(Struct, frozen=True, kw_only=True):
    """An icon where it stands: the left end of its baseline, its em in mm, and how much its width is condensed.

    On a path, it is `turned` from its place in a straight line.
    """

    icon: InlineIcon
    style: TextStyle
    x: float
    baseline: float
    em: float
    stretch: float
    turned: Affine = IDENTITY

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, width and height of the drawing, in mm."""
        middle = self.baseline - fonts.face(self.style.face).cap_height * self.em / 2
        width, height = self.icon.width * self.em * self.stretch, self.icon.height * self.em
        return self.x + BESIDE_ICON * self.em * self.stretch, middle - height / 2, width, height


class RunEffect(Struct, frozen=True):
    """A line around the letters of runs of one size, or a shadow of them; `width` is that of their line, in em."""

    runs: tuple[TextRun, ...]
    effect: LetterLine | LetterShadow
    width: float = 0.0


SetItem = TextRun | RunEffect | PlacedIcon
"""What a line holds: words, seen and unseen, what is drawn around and beneath them, and icons."""


class RowSetting(Struct, frozen=True):
    """Where and how a line is set: left end and baseline in mm, size in mm, growth of its spaces in em.

    Of a line that `reorders`, something runs from right to left.
    """

    x: float
    baseline: float
    size: float
    stretch: float = 1.0
    growth: float = 0.0
    reorders: bool = False


def set_row(words: Iterable[LineWord], row: RowSetting) -> Iterator[SetItem]:
    """Yield a line as set: the words from left to right; behind an icon's own words, the icon.

    Advances are added up in the units of each face and size, which most of a line have in common.
    """
    moved, units, last = 0.0, 0, 0.0  # em of what had other units per em, and the units behind it
    stretches = _stretches([(_in_visual_order(words, row.growth), False, 0)], 0.0) if row.reorders else None
    for style, pieces in stretches or _stretches(words, row.growth):
        per_em = fonts.face(pieces[0].face).units_per_em / style.scale
        if last not in (0, per_em):
            moved, units = moved + units / last, 0
        last = per_em
        x = row.x + (moved + units / per_em) * row.size * row.stretch
        if style.icon is not None:
            yield from _icon(style.icon, style, x, row)
            moved += sum(piece.width for piece in pieces)
        else:
            is_seen = style.line is None or not style.line.only
            if start := pieces[0].start:
                units += start
                x += start / per_em * row.size * row.stretch
            run = _run(TextRun if is_seen else UnseenRun, pieces, (x, style), row)
            yield run
            if style.line is not None:
                yield RunEffect((run,), style.line)
            for shadow in reversed(style.shadows):
                yield RunEffect((run,), shadow, style.line.stroke.width if style.line else 0.0)
            units += sum(run.advances)


def _stretches(words: Iterable[LineWord], growth: float) -> Iterator[tuple[TextStyle, list[fonts.Shaped]]]:
    """Yield icons, and what becomes a run: neighbors of one face, color and size, with the white between words.

    White is a space as wide as it was measured; between parts of a text without spaces it is only what it grows.
    """
    own, pieces = _NO_STYLE, list[fonts.Shaped]()
    spaces: Shaped = ()
    white, joined, lost = False, False, 0.0  # none before the first word; em by which white has grown too little
    for word, joined_to_next, _ in words:
        if white:
            grown = growth + lost if abs(lost) > _COARSE else growth
            if joined:
                widened = _widened(pieces[-1], grown, own.scale)
                lost, pieces[-1] = lost + growth - (widened.width - pieces[-1].width), widened
            else:
                spaces, more = _spaces(replace(own, face=pieces[-1].face, icon=None), grown)
                lost += growth - more
        for piece, style in (*spaces, *word):
            alike = style is own or (
                style.fill == own.fill
                and style.scale == own.scale
                and style.icon is own.icon
                and style.line == own.line
                and style.shadows == own.shadows
            )
            if pieces and piece.face == pieces[0].face and alike and style.icon is None:
                pieces.append(piece)
                continue
            if pieces:
                yield own, pieces
            own, pieces = style, [piece]
        white, joined, spaces = True, joined_to_next, ()
    if pieces:
        yield own, pieces


def _in_visual_order(words: Iterable[LineWord], growth: float) -> Shaped:
    """Return what stands in a line with the white between its words, from left to right (UAX 9, rule L2)."""
    pieces = list[tuple[fonts.Shaped, TextStyle]]()
    white = lost = 0.0  # em by which white has grown too little
    joined, level = False, 0
    for word, joined_to_next, level_behind in words:
        if pieces:
            last, style = pieces[-1]
            grown = growth + lost if abs(lost) > _COARSE else growth
            if joined:
                pieces[-1] = (_widened(last, grown, style.scale), style)
                white = pieces[-1][0].width - last.width
            else:
                spaces, white = _spaces(replace(style, face=last.face, icon=None, level=level), grown)
                pieces += spaces
            lost += growth - white
        pieces += word
        joined, level = joined_to_next, level_behind
    return tuple(pieces[at] for at in visual_order([style.level for _, style in pieces]))


_NO_STYLE = TextStyle("", (0, 0, 0))  # of a line in which nothing stands yet
_COARSE = 0.01  # em: what rounding to units of a font may add up to; finer corrections do not show


@cached(4096)
def _spaces(style: TextStyle, growth: float) -> tuple[Shaped, float]:
    """Return a space in a style, wider by `growth` em of the text, and by how many em it is."""
    natural = set_word(style, " ")
    *others, last = natural
    if growth:
        last = _widened(last, growth, style.scale)
    return tuple((piece, style) for piece in (*others, last)), last.width - natural[-1].width


def _widened(piece: fonts.Shaped, growth: float, scale: float) -> fonts.Shaped:
    """Return a piece that is set at a scale with white behind it, in em of the text, in whole units of its face."""
    if not piece.advances:  # an icon
        return replace(piece, width=piece.width + growth)
    units = fonts.face(piece.face).units_per_em
    more = round(growth / scale * units)
    advances = (*piece.advances[:-1], piece.advances[-1] + more)
    return replace(piece, advances=advances, width=piece.width + more * scale / units)


def _run(kind: type[TextRun], pieces: Sequence[fonts.Shaped], at: tuple[float, TextStyle], row: RowSetting) -> TextRun:
    """Return glyphs as one run that begins at a place in mm, in a style."""
    x, style = at
    if len(pieces) == 1:
        (piece,) = pieces
        glyphs, advances, text, rises = piece.glyphs, piece.advances, piece.text, piece.rises
    else:
        glyphs = tuple(chain.from_iterable([each.glyphs for each in pieces]))
        advances = tuple(chain.from_iterable([each.advances for each in pieces]))
        if any(each.start for each in pieces[1:]):  # what stands off its place moves from the glyph before it
            starts = [*(each.start for each in pieces[1:]), 0]
            ends = accumulate(len(each.advances) for each in pieces)
            moved = dict(zip(ends, starts, strict=True))
            advances = tuple(advance + moved.get(at, 0) for at, advance in enumerate(advances, 1))
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


def _icon(icon: InlineIcon, style: TextStyle, x: float, row: RowSetting) -> Iterator[SetItem]:
    """Yield the words of an icon, as wide as the icon, and the icon."""
    em = row.size * style.scale
    words = fonts.shape(style.face, icon.words) if icon.words else ()
    natural = sum([each.width for each in words])
    if natural > 0:
        stretch = (icon.width + 2 * BESIDE_ICON) * row.stretch / natural
        as_set, at = replace(row, stretch=stretch), x
        for each in words:
            yield _run(UnseenRun, (each,), (at, style), as_set)
            at += each.width * em * stretch
    yield PlacedIcon(icon=icon, style=style, x=x, baseline=row.baseline, em=em, stretch=row.stretch)
