"""Scenes as text, one item a line, lengths in mm to three digits: for people, and to compare with golden files."""

from collections.abc import Iterator

from render.base.geometry import IDENTITY, Rect
from render.scene.gradients import LinearGradient
from render.scene.items import (
    Color,
    Filling,
    Group,
    Item,
    Layer,
    Outline,
    Path,
    Picture,
    Scene,
    SoftShape,
    TextRun,
    UnseenRun,
)


def dump(scene: Scene) -> str:
    """Return the scene as text, one item a line, lengths in mm to three digits, for people and golden tests."""
    lines = [f"size {_mm(scene.size.width, scene.size.height)}", *_lines(scene.items, "")]
    return "\n".join(lines) + "\n"


def _lines(items: tuple[Item | SoftShape, ...], indent: str) -> Iterator[str]:
    for item in items:
        match item:
            case Path():
                yield f"{indent}path{_paint(item)} {' '.join(map(_steps, item.outlines))}"
            case SoftShape():
                yield f"{indent}soft {_mm(item.width, item.blur)} {' '.join(map(_steps, item.outlines))}"
            case TextRun():
                yield indent + _text(item)
            case Picture():
                turned = " turned" if item.turned else ""
                yield f"{indent}picture {item.digest[:12]} {_rect(item.box)} crop {_rect(item.crop)}{turned}"
            case Group():
                at = item.transform
                moved = "" if at == IDENTITY else f" matrix {_mm(at.a, at.b, at.c, at.d, at.e, at.f)}"
                yield f"{indent}clip {_rect(item.clip)}{moved}"
                yield from _lines(item.items, indent + "  ")
            case Layer():
                yield f"{indent}layer{_layer(item)}"
                yield from _lines(item.items, indent + "  ")
                if item.mask:
                    yield f"{indent}mask"
                    yield from _lines(item.mask, indent + "  ")


def _layer(layer: Layer) -> str:
    seen = "" if layer.opacity == 1 else f" opacity {_mm(layer.opacity)}"
    for clip in layer.clips:
        seen += f" clip{' even-odd' if clip.even_odd else ''} {' '.join(map(_steps, clip.outlines))}"
    return seen + ("" if layer.transform == IDENTITY else f" matrix {_mm(*layer.transform)}")


def _paint(path: Path) -> str:
    fill = f" fill {_filling(path.fill)}{' even-odd' if path.even_odd else ''}" if path.fill else ""
    if path.stroke is None:
        return fill
    dashes = f" dashes {_mm(*path.stroke.dashes)}" if path.stroke.dashes else ""
    return f"{fill} stroke {_filling(path.stroke.color)} {_mm(path.stroke.width)}{dashes}"


def _filling(filling: Filling) -> str:
    if isinstance(filling, tuple):
        return _hex(filling)
    if isinstance(filling, LinearGradient):
        place = f"linear {_mm(*filling.start, *filling.end)}"
    else:
        place = f"radial {_mm(*filling.center, filling.radius, *filling.focus)}"
    stops = ", ".join(f"{_mm(stop.at)} {_hex(stop.color)} {_mm(stop.opacity)}" for stop in filling.stops)
    moved = "" if filling.transform == IDENTITY else f" matrix {_mm(*filling.transform)}"
    return f"{place} {filling.spread}{moved} ({stops})"


def _steps(outline: Outline) -> str:
    steps = [f"M {_mm(*outline.start)}"]
    steps += [f"{'L' if len(segment) == 2 else 'C'} {_mm(*segment)}" for segment in outline.segments]
    return " ".join(steps) + (" Z" if outline.closed else "")


def _text(run: TextRun) -> str:
    place = run.transform
    turn = "" if (place.a, place.b) == (1, 0) else f" matrix {_mm(place.a, place.b, place.c, place.d)}"
    unseen = "unseen " if isinstance(run, UnseenRun) else ""
    stretch = "" if run.stretch == 1 else f" stretch {run.stretch:.3f}"
    return (
        f"{unseen}text {_mm(place.e, place.f)} size {_mm(run.size)}{stretch}{turn} {_hex(run.fill)} {run.face}"
        f" advance {sum(run.advances)} {run.words!r}"
    )


def _rect(box: Rect) -> str:
    return _mm(box.x, box.y, box.width, box.height)


def _mm(*values: float) -> str:
    return " ".join(f"{round(value, 3) + 0:g}" for value in values)  # `+ 0` turns -0.0 into 0.0


def _hex(color: Color) -> str:
    return "#" + bytes(color).hex()
