"""Letters as shapes, for what shows letters and is no text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import uharfbuzz as hb

from render.base.caches import cached
from render.base.geometry import Affine
from render.scene.items import Group, Item, Layer, Outline, Path, Segment, Sign, TextRun, UnseenRun
from render.scene.outlines import move_outlines
from render.text import fonts

Point = tuple[float, float]


def outlined(run: TextRun) -> Path | None:
    """Return the letters of a run as one shape; None if none of them has any ink."""
    face = fonts.face(run.face)
    unit, x = run.size / face.units_per_em, 0
    found: list[Outline] = []
    for glyph, advance, rise in zip(run.glyphs, run.advances, run.rises or (0,) * len(run.glyphs), strict=True):
        # Glyphs have y upwards, hence the sign.
        place = run.transform @ Affine(unit * run.stretch, 0.0, 0.0, -unit, x * unit * run.stretch, -rise * unit)
        found += move_outlines(_of_glyph(run.face, glyph), place)
        x += advance
    return Path(tuple(found), run.fill) if found else None


def signs(items: Iterable[Item]) -> Iterator[Item]:
    """Yield the items of an icon as signs, with shapes in place of their letters."""
    for item in items:
        match item:
            case UnseenRun():
                pass
            case TextRun():
                shape = outlined(item)
                yield from (Sign(shape.outlines, shape.fill),) if shape is not None else ()
            case Group() | Layer():
                yield replace(item, items=tuple(signs(item.items)))
            case Path():
                yield Sign(item.outlines, item.fill, item.even_odd, item.stroke)
            case _:
                yield item


@dataclass(slots=True)
class _Pen:
    """Collects the outlines of a glyph, in font units."""

    outlines: list[Outline] = field(default_factory=list)
    start: Point = (0.0, 0.0)
    at: Point = (0.0, 0.0)
    segments: list[Segment] = field(default_factory=list)


@cached(4096)
def _of_glyph(face: str, glyph: int) -> tuple[Outline, ...]:
    pen = _Pen()
    fonts.face(face).font.draw_glyph(glyph, _FUNCS, pen)
    return tuple(pen.outlines)


def _move(x: float, y: float, pen: _Pen) -> None:
    pen.start = pen.at = (x, y)
    pen.segments = []


def _line(x: float, y: float, pen: _Pen) -> None:
    pen.segments.append((x, y))
    pen.at = (x, y)


def _quadratic(cx: float, cy: float, x: float, y: float, pen: _Pen) -> None:
    (x0, y0), third = pen.at, 2 / 3
    # A quadratic curve as a cubic one: each control point lies two thirds of the way to the quadratic one.
    first = (x0 + (cx - x0) * third, y0 + (cy - y0) * third)
    pen.segments.append((*first, x + (cx - x) * third, y + (cy - y) * third, x, y))
    pen.at = (x, y)


def _cubic(*given: Any) -> None:
    *numbers, pen = given
    pen.segments.append(tuple(numbers))
    pen.at = (numbers[4], numbers[5])


def _close(pen: _Pen) -> None:
    if pen.segments:
        pen.outlines.append(Outline(pen.start, tuple(pen.segments), True))


def _draw_funcs() -> hb.DrawFuncs:
    funcs = hb.DrawFuncs()
    funcs.set_move_to_func(_move)
    funcs.set_line_to_func(_line)
    funcs.set_quadratic_to_func(_quadratic)
    funcs.set_cubic_to_func(_cubic)
    funcs.set_close_path_func(_close)
    return funcs


_FUNCS = _draw_funcs()
