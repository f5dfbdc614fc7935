"""Proofs: faces drawn with little ink, to play with or to try out the cutting.

A low-ink proof is drawn in black alone: text and the icons in it as they are, all else as thin lines. A grey proof is the same with its
pictures in light grey. An outline proof shows only where to cut, what is safe from a bad cut, and which card it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from render.base.geometry import IDENTITY, Affine, Rect
from render.scene import outlines
from render.scene.items import (
    PALE,
    ClipShape,
    Group,
    Item,
    Layer,
    Outline,
    Path,
    Picture,
    Scene,
    Sign,
    Stroke,
    TextRun,
    UnseenRun,
    is_opaque,
)
from render.scene.proof_kinds import Proof

SAFE = 3.175  # mm inside the trim, 1/8 in: where DriveThruCards and The Game Crafter ask to keep words
CORNER_RADIUS = 3.0  # mm, of the trim

_BLACK, _GRAY, _WHITE = (0, 0, 0), (160, 160, 160), (255, 255, 255)
_LINE = 0.1  # mm
_CROSS = Stroke(color=_GRAY, width=_LINE)
_DASHES = (1.0, 1.0)
_SAME_LINE = 0.5  # mm by which baselines in one line of text may differ


def proof(scene: Scene, kind: Proof, radius: float = CORNER_RADIUS) -> Scene:
    """Return the proof of a scene, clipped to the trim or its cut; `radius` is that of a trim's corners in mm."""
    match kind:
        case Proof.NONE:
            return scene
        case Proof.LOW_INK | Proof.GREY:
            spared = tuple(_spared(scene.items, 1.0, pale=kind is Proof.GREY))
            return Scene(scene.size, (_cut_out(scene, spared), _edge(scene, radius)))
        case Proof.OUTLINE if scene.cut:
            # What a wide line along the cut leaves of a wider one lies that far inside it, whatever the shape.
            lines = Stroke(color=_GRAY, width=2 * SAFE + _LINE), Stroke(color=_WHITE, width=2 * SAFE - _LINE)
            safe = _cut_out(scene, tuple(Path(scene.cut, None, stroke=line) for line in lines))
            return Scene(scene.size, (safe, _edge(scene, radius), *_top_line(scene)))
        case Proof.OUTLINE:
            dashed = Stroke(color=_GRAY, width=_LINE, dashes=_DASHES)
            within = _rounded(scene.size.rect.outset(-SAFE), radius - SAFE, dashed)
            return Scene(scene.size, (_edge(scene, radius), within, *_top_line(scene)))


def _cut_out(scene: Scene, items: tuple[Item, ...]) -> Item:
    """Return items of a side as far as they lie on the card."""
    if scene.cut:
        return Layer(items=items, clips=(ClipShape(scene.cut, even_odd=True),))
    return Group(scene.size.rect, items)


MAGENTA = (255, 0, 255)  # the trade's color for die lines: no card uses it, and it shows on black and on white

_CUT_LINE = 0.2  # mm: a thinner light line is lost on dark pictures


def cut_line(box: Rect, radius: float) -> Path:
    """Return where a card will be cut, with corners of `radius` mm, at most half a side: a preview, never printed."""
    return _rounded(box, radius, Stroke(color=MAGENTA, width=_CUT_LINE))


def cut_along(cut: tuple[Outline, ...]) -> Path:
    """Return the same for a card that is cut along an outline."""
    return Path(cut, None, stroke=Stroke(color=MAGENTA, width=_CUT_LINE))


# --- low ink --------------------------------------------------------------------------------------------------------


def _spared(items: tuple[Item, ...], scale: float, *, pale: bool) -> Iterator[Item]:
    """Yield the items in thin lines, pictures `pale` or crossed out.

    `scale` is the factor by which their space is enlarged on the card.
    """
    grounds = _grounds([item for item in items if isinstance(item, Sign)])
    beneath: list[tuple[Rect, bool]] = []  # boxes of shapes, and whether they are white
    for item in items:
        match item:
            case Sign():
                yield _read(item, next(grounds), scale)
            case Path():
                color = item.stroke.color if item.fill is None and item.stroke else item.fill
                box, white = outlines.box_of_shape(item), color == _WHITE
                ground = next((is_white for around, is_white in reversed(beneath) if _lies_on(box, around)), True)
                yield _outlined(item, scale, shows_white=white and not ground)
                if is_opaque(item.fill):
                    beneath.append((box, white))
            case TextRun():
                yield replace(item, fill=_BLACK)
            case Picture():
                yield from (replace(item, tone=PALE),) if pale else _crossed(item, scale)
            case Group():
                yield replace(item, items=tuple(_spared(item.items, scale * item.transform.growth, pale=pale)))
            case Layer():
                inner = _spared(item.items, scale * item.transform.growth, pale=pale)
                kept = inner if item.is_solid else map(_unfilled, inner)
                yield replace(item, opacity=1.0, mask=(), items=tuple(kept))


def _grounds(signs: list[Sign]) -> Iterator[bool]:
    """Yield for each shape of icons whether it becomes white, as a ground that others lie on, or black.

    Shapes are white and black by turns as they lie on each other: what is white on red, or black on yellow, becomes
    black on white. A shape of the color of its ground is a part of it. What nothing lies on is black, as words are.
    """
    beneath: list[tuple[Rect, int]] = []  # boxes, and whose ground they are
    grounds: list[int | None] = []
    parts: list[bool] = []
    for number, sign in enumerate(signs):
        box = outlines.box_of_shape(sign)
        ground = next((other for around, other in reversed(beneath) if _lies_on(box, around)), None)
        grounds.append(ground)
        parts.append(ground is not None and sign.fill == signs[ground].fill)
        if sign.fill is not None:
            beneath.append((box, ground if ground is not None and parts[number] else number))
    bearing = {ground for ground, is_part in zip(grounds, parts, strict=True) if not is_part}
    white: list[bool] = []
    for number, (ground, is_part) in enumerate(zip(grounds, parts, strict=True)):
        white.append(number in bearing if ground is None else white[ground] == is_part)
    yield from white


def _lies_on(box: Rect, ground: Rect) -> bool:
    x, y = box.center
    is_larger = ground.width * ground.height >= box.width * box.height
    return is_larger and ground.x <= x <= ground.right and ground.y <= y <= ground.bottom


def _read(sign: Sign, white: bool, scale: float) -> Path:
    """Return a shape of an icon in black, or as a white ground with a thin line around it."""
    if white and sign.fill is not None:
        return _outlined(sign, scale)
    color = _WHITE if white else _BLACK
    stroke = None if sign.stroke is None else replace(sign.stroke, color=color)
    return replace(sign, fill=None if sign.fill is None else color, stroke=stroke)


def _outlined(path: Path, scale: float, *, shows_white: bool = False) -> Path:
    """Return a shape as a line, with a white fill that hides what it covered, so that overlaps still show.

    White on white has no line; on another color it shows, as an emblem or the ground of a text.
    """
    fill = _WHITE if is_opaque(path.fill) else None
    stroke = path.stroke
    if stroke is not None and (shows_white or stroke.color != _WHITE):
        stroke = replace(stroke, color=_BLACK, width=min(stroke.width, _LINE / scale))
    elif stroke is None and path.fill is not None and (shows_white or path.fill != _WHITE):
        stroke = Stroke(color=_BLACK, width=_LINE / scale)
    return replace(path, fill=fill, stroke=stroke)


def _unfilled(item: Item) -> Item:
    """Return what is seen through as lines alone, so that it does not hide what it lies on."""
    match item:
        case Path():
            return item if item.fill == _BLACK else replace(item, fill=None)
        case Group() | Layer():
            return replace(item, items=tuple(map(_unfilled, item.items)))
        case _:
            return item


def _crossed(picture: Picture, scale: float) -> Iterator[Item]:
    """Yield the box of a picture, empty and crossed out; a sheer one hides nothing."""
    box = picture.box
    (outline,) = outlines.rect_of(box)
    cross = (
        Outline((box.x, box.y), ((box.right, box.bottom),), False),
        Outline((box.x, box.bottom), ((box.right, box.y),), False),
    )
    if not picture.is_sheer:
        yield Path((outline,), _WHITE)
    yield Path(cross, None, stroke=replace(_CROSS, width=_LINE / scale))
    yield Path((outline,), None, stroke=Stroke(color=_BLACK, width=_LINE / scale))


# --- outlines -------------------------------------------------------------------------------------------------------


def _edge(scene: Scene, radius: float) -> Path:
    """Return the cut as a line, or the trim as one just inside it, so that clipping keeps all of it."""
    line = Stroke(color=_BLACK, width=_LINE)
    return (
        Path(scene.cut, None, stroke=line) if scene.cut else _rounded(scene.size.rect.outset(-_LINE / 2), radius, line)
    )


def _rounded(box: Rect, radius: float, stroke: Stroke) -> Path:
    radius = max(0.0, min(radius, box.width / 2, box.height / 2))
    return Path(outlines.rect_of(box, radius), None, stroke=stroke)


def _top_line(scene: Scene) -> tuple[Item, ...]:
    """Return the uppermost line of text, on a card its name, in black."""
    runs = list(_runs(scene.items, IDENTITY))
    if not runs:
        return ()
    top = min(run.transform.f for run in runs)
    return tuple(replace(run, fill=_BLACK) for run in runs if run.transform.f - top <= _SAME_LINE)


def _runs(items: tuple[Item, ...], place: Affine) -> Iterator[TextRun]:
    """Yield all text with its place on the card."""
    for item in items:
        if isinstance(item, TextRun) and not isinstance(item, UnseenRun):
            yield replace(item, transform=place @ item.transform)
        elif isinstance(item, Group | Layer):
            yield from _runs(item.items, place @ item.transform)
