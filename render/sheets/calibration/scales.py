"""The scales of a calibration sheet as lines and figures, and words on a line, all as seen from the front."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import inf

from render.base.geometry import IDENTITY, Affine
from render.scene import outlines as shapes
from render.scene.items import Color, Item, Outline, Path, Stroke, TextRun
from render.sheets.calibration.crosses import (
    BACK_LINE,
    FRONT_LINE,
    LINES,
    PITCH,
    READ_AT,
    VERNIER,
    VERNIER_PITCH,
    Scale,
)
from render.text import fitting
from render.text.line_breaking import TextStyle

BLACK: Color = (0, 0, 0)
PLAIN = TextStyle("DejaVu Sans Condensed", BLACK)
BOLD = TextStyle("DejaVu Sans Condensed Bold", BLACK)

THIN = 0.15  # mm: broad enough to shine through, and thinner than two tenths
_FIGURE, _SIGN = 2.4, 2.8  # mm: sizes of type, to be read against the light
_ROW = 0.8  # mm from the first row of figures to the second

Line = tuple[float, float, float, float]
"""Start and end of a line: x, y, x, y."""


def front_lines() -> tuple[Line, ...]:
    """Return the lines of a scale on the front, every mm; it runs to the right, with its outer edge at y = 0."""
    begin, end = FRONT_LINE
    return tuple((n * PITCH, begin, n * PITCH, end if n % 2 == 0 else end - 0.8) for n in _lines(LINES))


def back_lines() -> tuple[Line, ...]:
    """Return the lines on the back, every 0.9 mm, and the bar across the middle one, which marks where to prick."""
    (begin, end), later = BACK_LINE, {0: 0.0, VERNIER: 0.7, -VERNIER: 0.7}
    lines = ((n * VERNIER_PITCH, begin + later.get(n, 1.4), n * VERNIER_PITCH, end) for n in _lines(VERNIER))
    return (*lines, (-0.5, READ_AT, 0.5, READ_AT))


def _lines(either_side: int) -> range:
    return range(-either_side, either_side + 1)


def placed_at(scale: Scale) -> Affine:
    """Return the map of a scale's lines onto the paper: its reading point goes to the scale's point."""
    edge = -scale.inward * READ_AT
    if scale.down:
        return Affine(0.0, 1.0, scale.inward, 0.0, scale.x + edge, scale.y)
    return Affine(1.0, 0.0, 0.0, scale.inward, scale.x, scale.y + edge)


def draw_figures(scale: Scale) -> Iterator[Item]:
    """Yield the figures of a scale and the signs at its ends. A level one has two rows of them, since they are wide."""
    place, behind = placed_at(scale), FRONT_LINE[1] + 0.2
    labels = [(n, f"{n}", _FIGURE, PLAIN) for n in range(-4, 5, 2)]  # with hyphens: a minus sign has no room
    for n, words, size, style in (*labels, (-7, "−", _SIGN, BOLD), (7, "+", _SIGN, BOLD)):
        row = 0.0 if scale.down or n % 4 != 2 else _ROW
        x, y = place.apply(n, behind + row)
        if scale.down:
            yield from words_at(words, (x, y + 0.36 * size), size, style, "start" if scale.inward > 0 else "end")
        else:
            center = y + scale.inward * 0.36 * _FIGURE
            yield from words_at(words, (x, center + 0.36 * size), size, style, "middle")


def rule_lines(lines: Iterable[Line], place: Affine = IDENTITY, color: Color = BLACK) -> Path:
    outlines = tuple(Outline((x1, y1), ((x2, y2),), False) for x1, y1, x2, y2 in lines)
    return Path(shapes.move_outlines(outlines, place), stroke=Stroke(color=color, width=THIN))


def transform_items(items: Iterable[Item], by: Affine) -> Iterator[Item]:
    """Yield lines and words with the map applied."""
    for item in items:
        if isinstance(item, Path):
            yield replace(item, outlines=shapes.move_outlines(item.outlines, by))
        elif isinstance(item, TextRun):
            yield replace(item, transform=by @ item.transform)


def words_at(
    words: str, at: tuple[float, float], size: float, style: TextStyle, align: str, width: float = inf
) -> tuple[TextRun, ...]:
    fitted = fitting.fit_line(((words, style),), fitting.TextLine(*at, align, size, width, 0.6))
    return fitted.runs if isinstance(fitted, fitting.FittedLine) else ()
