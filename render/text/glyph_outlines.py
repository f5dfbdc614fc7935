"""Letters as shapes, for what shows letters and is no text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from msgspec.structs import replace

from render.base.caches import cached
from render.base.geometry import Affine
from render.scene.items import Group, Item, Layer, Outline, Path, Segment, Sign, TextRun, UnseenRun
from render.scene.outlines import move_outlines
from render.text import fonts
from render.text.font_files.font_face import drawing_steps


def outlined(*runs: TextRun) -> Path | None:
    """Return the letters of runs as one shape of the color of the first; None if none of them has any ink."""
    found = tuple(chain.from_iterable(map(_of_run, runs)))
    return Path(found, runs[0].fill) if found else None


def _of_run(run: TextRun) -> list[Outline]:
    face = fonts.face(run.face)
    unit, x = run.size / face.units_per_em, 0
    found: list[Outline] = []
    for glyph, advance, rise in zip(run.glyphs, run.advances, run.rises or (0,) * len(run.glyphs), strict=True):
        # Glyphs have y upwards, hence the sign.
        place = run.transform @ Affine(unit * run.stretch, 0.0, 0.0, -unit, x * unit * run.stretch, -rise * unit)
        found += move_outlines(_of_glyph(run.face, glyph), place)
        x += advance
    return found


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


@cached(4096)
def _of_glyph(face: str, glyph: int) -> tuple[Outline, ...]:
    """Return the outlines of a glyph, in font units."""
    outlines: list[Outline] = []
    segments: list[Segment] = []
    start = at = (0.0, 0.0)
    for step, points in drawing_steps(fonts.face(face).font, glyph):
        match step:
            case "moveTo":
                start, segments = points[0], []
            case "qCurveTo":
                (x0, y0), (cx, cy), (x, y), third = at, *points, 2 / 3
                # As a cubic curve: each control point lies two thirds of the way to the quadratic one.
                first = (x0 + (cx - x0) * third, y0 + (cy - y0) * third)
                segments.append((*first, x + (cx - x) * third, y + (cy - y) * third, x, y))
            case "lineTo":
                segments.append(points[0])
            case "curveTo":
                one, other, end = points
                segments.append((*one, *other, *end))
            case "closePath" if segments:
                outlines.append(Outline(start, tuple(segments), True))
        at = points[-1] if points else at
    return tuple(outlines)
