"""What cards are cut to that are no rectangles: tokens, by a word or a path, as outlines in mm of the card."""

from __future__ import annotations

from render.base.caches import cached
from render.base.geometry import Affine, Rect, Size
from render.scene import outlines
from render.scene.items import Outline

ROUND, HEXAGON = "round", "hexagon"
MOST_COMMANDS = 500  # of a path: a cutter stops at each

_TINY = 1e-3  # mm that a path may reach out of the card, by rounding


def cut_outline(cut: str, size: Size) -> tuple[Outline, ...]:
    """Return the outline of a cut on a card of a size: a word, or the data of a path in mm.

    ValueError if it is neither, not closed, or reaches out of the card.
    """
    width, height = size.width, size.height
    if cut == ROUND:
        return outlines.ellipse(width / 2, height / 2, width / 2, height / 2)
    if cut == HEXAGON:
        # A wide one lies on a side, and a high one stands on a corner.
        lying = (0.0, 0.5), (0.25, 0.0), (0.75, 0.0), (1.0, 0.5), (0.75, 1.0), (0.25, 1.0)
        corners = lying if width >= height else [(1 - y, x) for x, y in lying]
        return outlines.polyline(" ".join(f"{x * width:.6f},{y * height:.6f}" for x, y in corners), closed=True)
    found = outlines.path(cut)
    if not found or not all(outline.closed for outline in found):
        raise ValueError("a cut is a closed path: it ends in `Z`")
    if sum(len(outline.segments) for outline in found) > MOST_COMMANDS:
        raise ValueError(f"a cut has at most {MOST_COMMANDS} lines and curves")
    box = outlines.box_of_outlines(found)
    if not Rect(0.0, 0.0, width, height).outset(_TINY).holds(box):
        raise ValueError(
            f"the path reaches from {box.x:g}, {box.y:g} to {box.right:g}, {box.bottom:g}, and the card is {size}"
        )
    return found


@cached(64)  # one for each kind of card and side
def cut_of_side(cut: str, size: Size, drawn: Size, *, is_back: bool) -> tuple[Outline, ...]:
    """Return the outline of a side `drawn` for cards of a size, on which it may lie turned; that of a back is mirrored.

    A rectangle has none.
    """
    if not cut:
        return ()
    outline = cut_outline(cut, size)
    outline = outline if drawn == size else turned(outline, size)
    return in_slot(outline, drawn.rect, behind=True) if is_back else outline


def turned(cut: tuple[Outline, ...], size: Size) -> tuple[Outline, ...]:
    """Return the outline of a card of that size once it is turned by a quarter clockwise."""
    return outlines.move_outlines(cut, Affine.move(size.height, 0.0) @ Affine.rotate(90))


def in_slot(cut: tuple[Outline, ...], box: Rect, *, behind: bool = False, upright: bool = True) -> tuple[Outline, ...]:
    """Return where the outline lies in a slot; `behind` fronts it is mirrored, at an `upright` line or a level one."""
    place = Affine.move(box.x, box.y)
    if behind:
        mirror = Affine(-1.0, 0.0, 0.0, 1.0, box.width) if upright else Affine(1.0, 0.0, 0.0, -1.0, 0.0, box.height)
        place = place @ mirror
    return outlines.move_outlines(cut, place)
