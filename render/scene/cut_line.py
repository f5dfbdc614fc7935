"""The cut line: a preview of where a card will be cut, which is not to be printed."""

from __future__ import annotations

from render.base.geometry import Rect
from render.scene import outlines as shapes
from render.scene.items import Path, Stroke

MAGENTA = (255, 0, 255)  # the die line of the trade: no card is of it, and it shows on black and on white

_CUT_LINE = 0.2  # mm: thinner lines of a light colour are lost on dark pictures


def cut_line(box: Rect, radius: float) -> Path:
    """Return a preview of the cut around a card: its trim with rounded corners, as a line."""
    radius = min(radius, box.width / 2, box.height / 2)
    outlines = shapes.rect(box.x, box.y, box.width, box.height, radius, radius)
    return Path(outlines, None, stroke=Stroke(MAGENTA, _CUT_LINE))
