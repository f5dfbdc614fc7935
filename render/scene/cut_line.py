"""The cut line: a preview of where a card will be cut, never printed."""

from __future__ import annotations

from render.base.geometry import Rect
from render.scene import outlines as shapes
from render.scene.items import Path, Stroke

MAGENTA = (255, 0, 255)  # the trade's color for die lines: no card uses it, and it shows on black and on white

_CUT_LINE = 0.2  # mm: a thinner light line is lost on dark pictures


def cut_line(box: Rect, radius: float) -> Path:
    """Return the trim of a card with corners of `radius` mm as a stroked path, radius at most half a side."""
    radius = min(radius, box.width / 2, box.height / 2)
    outlines = shapes.rect(box.x, box.y, box.width, box.height, rx=radius, ry=radius)
    return Path(outlines, None, stroke=Stroke(color=MAGENTA, width=_CUT_LINE))
