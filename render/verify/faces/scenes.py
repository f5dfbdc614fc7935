"""What a scene paints, in the terms of `painting`: computed from the scene alone, without the code that writes PDFs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from render.base.geometry import IDENTITY, Affine, Rect
from render.images.press import InkedColor, Press
from render.scene.gradients import LinearGradient, RadialGradient, circle_through
from render.scene.items import (
    ClipShape,
    Filling,
    Group,
    Item,
    Layer,
    Outline,
    Path,
    Picture,
    Stroke,
    TextRun,
    UnseenRun,
    is_shaded,
)
from render.text import fonts
from render.verify.faces.painting import ANYWHERE, UNSEEN, Clip, Cut, Painted, intersect, points_taken

# The codes are those of ISO 32000-1, tables 54 and 55.
_CAPS = {"butt": b"0", "round": b"1", "square": b"2"}
_JOINS = {"miter": b"0", "round": b"1", "bevel": b"2"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Due(Painted):
    """A piece that should be painted; for a picture, with the picture."""

    picture: Picture | None = None


Inks = Callable[[Filling], tuple[float, ...]]
"""How a file writes a color: one number for a gray, three for another color, or four inks.

A gradient has as many for each end, or for each of its inks listed.
"""


def on_screen(color: Filling) -> tuple[float, ...]:
    """Return a color as files without inks write it; black and gray are black alone."""
    if isinstance(color, LinearGradient | RadialGradient):
        ends = [tuple(channel / 255 for channel in color.stops[end].color) for end in (0, -1)]
        channels = 1 if all(len(set(end)) == 1 for end in ends) else 3
        return tuple(channel for end in ends for channel in end[:channels])
    red, green, blue = (channel / 255 for channel in color[:3])
    return (red,) if red == green == blue else (red, green, blue)


def on_press(color: Filling, press: Press) -> tuple[float, ...]:
    """Return a color as files for a press write it."""
    from render.images import inks

    if not isinstance(color, LinearGradient | RadialGradient):
        return inks.inks(color, press)
    return tuple(ink for each in inks.gradient_inks(color.stops, press) for ink in each)


def expected_paint(items: Iterable[Item], inks: Inks = on_screen) -> Iterator[Due]:
    """Yield what items paint, back to front."""
    for item in items:
        match item:
            case Path():
                yield from _shaded(item, inks) if is_shaded(item) else _path(item, inks)
            case TextRun():
                if item.glyphs:
                    yield _row(item, inks)
            case Picture():
                yield _picture(item)
            case Group():
                clip = _clip(item.clip)
                for each in expected_paint(item.items, inks):
                    taken = _taken(each, item.transform)
                    yield replace(taken, clip=intersect(taken.clip, clip))
            case Layer():
                yield from _layer(item, inks)
            case _:
                assert_never(item)


def _shaded(path: Path, inks: Inks) -> Iterator[Due]:
    from render.scene.plain import plain

    for part in plain(path):
        yield from _path(part, inks) if isinstance(part, Path) else _layer(part, inks)


def _layer(layer: Layer, inks: Inks) -> Iterator[Due]:
    """Yield what a layer paints, and before it that it is drawn as one, if it is."""
    if not all(clip.outlines for clip in layer.clips):  # nothing shows
        return
    pieces = list(expected_paint(layer.items, inks))
    if not layer.is_solid:
        mask = list(expected_paint(layer.mask, on_screen))
        group = Due(kind="group", color=(layer.opacity,), shape=(len(mask), len(pieces)), points=())
        pieces = [group, *mask, *pieces]
    cuts = tuple(map(_cut, layer.clips))
    for each in pieces:
        taken = _taken(each, layer.transform)
        yield replace(taken, cuts=(*cuts, *taken.cuts))


def _cut(clip: ClipShape) -> Cut:
    steps = "".join(map(_steps, clip.outlines))
    points = tuple(value for outline in clip.outlines for value in _points(outline))
    return (f"{steps} even-odd" if clip.even_odd else steps), points


def _taken(each: Due, by: Affine) -> Due:
    if by == IDENTITY:
        return each
    moved = each.taken(by)
    assert isinstance(moved, Due)
    return moved


def _path(path: Path, inks: Inks) -> Iterator[Due]:
    steps = "".join(map(_steps, path.outlines))
    points = tuple(value for outline in path.outlines for value in _points(outline))
    if path.fill is not None:
        kind = "fill even-odd" if path.even_odd else "fill"
        overprints = _overprints(path.fill)
        yield Due(
            kind=kind,
            color=inks(path.fill),
            shape=(steps, *_kind(path.fill)),
            points=points,
            overprints=overprints,
            frame=_frame(path.fill),
        )
    if path.stroke is not None:
        stroke = path.stroke
        yield Due(
            kind="line",
            color=inks(stroke.color),
            shape=(steps, *_line(stroke), *_kind(stroke.color)),
            frame=_frame(stroke.color),
            points=points,
            pens=_pens(stroke),
            overprints=_overprints(stroke.color),
        )


def _kind(color: Filling) -> tuple[str, ...]:
    match color:
        case LinearGradient():
            return ("linear",)
        case RadialGradient():
            return ("radial",)
        case _:
            return ()


def _frame(color: Filling) -> tuple[float, ...]:
    """Return points that say where a gradient lies, as `shades` reads them from a file."""
    points: tuple[float, ...]
    match color:
        case LinearGradient():
            (x0, y0), (x1, y1) = color.start, color.end
            points = (x0, y0, x1, y1, x0 - (y1 - y0), y0 + x1 - x0)
        case RadialGradient():
            x0, y0, dx, dy, inner, growth = circle_through(color)
            x1, y1, outer = x0 + dx, y0 + dy, inner + growth
            points = (x0, y0, x0 + inner, y0, x0, y0 + inner, x1, y1, x1 + outer, y1, x1, y1 + outer)
        case _:
            return ()
    return points_taken(points, color.transform)


def _steps(outline: Outline) -> str:
    steps = "".join("l" if len(segment) == 2 else "c" for segment in outline.segments)
    return f"m{steps}{'h' if outline.closed else ''}"


def _points(outline: Outline) -> Iterator[float]:
    yield from outline.start
    for segment in outline.segments:
        yield from segment


def _line(stroke: Stroke) -> tuple[object, ...]:
    return _CAPS[stroke.cap], _JOINS[stroke.join], round(stroke.miter_limit, 4), len(stroke.dashes)


def _pens(stroke: Stroke) -> tuple[float, ...]:
    return (stroke.width, 0.0, 0.0, stroke.width, *(value for dash in stroke.dashes for value in (dash, 0.0)))


def _row(run: TextRun, inks: Inks) -> Due:
    em = fonts.face(run.face).units_per_em
    unit = run.size / em
    a, b, c, d, e, f = run.transform
    moved, places = 0, []
    rises = run.rises or (0,) * len(run.glyphs)
    for advance, rise in zip(run.advances, rises, strict=False):
        x, y = moved * unit * run.stretch, -rise * unit  # a scene's y goes down, a rise goes up
        places += [a * x + c * y + e, b * x + d * y + f]
        moved += advance
    wide = run.size * run.stretch
    pens = (a * wide, b * wide, -c * run.size, -d * run.size)  # glyphs have y upwards, hence the signs
    return Due(
        kind=UNSEEN if isinstance(run, UnseenRun) else "glyphs",
        color=inks(run.fill),
        shape=(_file(run.face), *run.glyphs),
        points=tuple(places),
        pens=pens,
        overprints=_overprints(run.fill),
    )


def _overprints(color: Filling) -> bool:
    """Return whether a color leaves other inks beneath in place."""
    return isinstance(color, InkedColor) and color.overprints


def _file(face: str) -> str:
    return fonts.face(face).program_name


def _picture(picture: Picture) -> Due:
    """Return the whole of a picture, with the box that shows its crop as its clip."""
    box, crop = picture.box, picture.crop
    width, height = box.width / crop.width, box.height / crop.height
    whole = Rect(box.x - crop.x * width, box.y - crop.y * height, width, height)
    corners = [(whole.x, whole.y), (whole.right, whole.y), (whole.x, whole.bottom)]
    if picture.turned:
        x, y = box.center
        corners = [(2 * x - a, 2 * y - b) for a, b in corners]
    is_whole = crop.width == crop.height == 1.0
    clip = ANYWHERE if is_whole else _clip(box)
    points = tuple(v for corner in corners for v in corner)
    return Due(kind="picture", color=(), shape=(), points=points, clip=clip, picture=picture)


def _clip(box: Rect) -> Clip:
    return box.x, box.y, box.right, box.bottom
