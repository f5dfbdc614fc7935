"""Boxes compared with each other, in mm, but for rounding."""

from render.base.geometry import Rect

NEARLY = 1e-6  # mm


def is_near(one: Rect, other: Rect, by: float = NEARLY) -> bool:
    pairs = ((one.x, other.x), (one.y, other.y), (one.width, other.width), (one.height, other.height))
    return all(abs(a - b) <= by for a, b in pairs)


def overlap(one: Rect, other: Rect) -> bool:
    shared = one.shared(other)
    return shared.width > NEARLY and shared.height > NEARLY


def is_within(box: Rect, room: Rect, by: float = NEARLY) -> bool:
    wider = room.outset(by)
    return wider.x <= box.x and box.right <= wider.right and wider.y <= box.y and box.bottom <= wider.bottom
