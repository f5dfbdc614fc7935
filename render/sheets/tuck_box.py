"""What is cut out of a sheet and is no card: the net of a tuck box, and dividers with tabs. Arithmetic in mm.

The printed side is the outside. A box is glued at its side and at its bottom, and opens at the top of its front.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from render.base.geometry import Rect, Size
from render.scene.items import Outline
from render.scene.outlines import Point, path

CARD_STOCK = 0.3  # mm a card: makers of playing cards state 0.29 to 0.30 for boards of 300 to 320 g/m2 (TM Cards, 2017)
SPECIFIC_VOLUME = 1.0  # cm3/g (ISO 534), which these figures give: 300 g/m2 are 0.3 mm; paper without coating has 1.3
SLEEVE_EDGE = 3.0  # mm that a sleeve is wider and higher than its card: 66 x 91 mm for 63 x 88 mm
CLEARANCE = 1.0  # mm left free in each direction: cards come out of a box that is 0.5 mm wider on each side
BOARD = 0.3  # mm that the box's own paper takes, about 300 g/m2
LEAST_DEPTH = 6.0  # mm: a thinner side has no room for glue

# Layers of the box's own paper between two folds that face each other: half of both walls, and what lies between them.
# Across that is the glued tab of the side, up the dust flaps above and below, deep the lid's flap and the bottom's tab.
_ACROSS, _UP, _DEEP = 2, 3, 3
_GLUE = 12.0  # mm of a tab for glue, at most
_TUCK, _DUST = 15.0, 20.0  # mm of the lid's flap and of the flaps beneath lid and bottom, at most
_SLANT = 1.5  # mm by which flaps are narrower at their ends, so that they do not catch
_EASE = 0.5  # mm that the lid's flap is narrower on each side
_NOTCH = 9.0, 5.0  # mm: half the width of the notch for a thumb, at most, and its depth, which spares a card's name


class Net(Struct, frozen=True):
    """A drawing to be cut out: what is cut, the lines that are folded, and the boxes that are printed on, by name."""

    size: Size
    cut: tuple[Outline, ...]
    folds: tuple[tuple[Point, Point], ...]
    panels: Mapping[str, Rect]


class Room(Struct, frozen=True):
    """The inside of a box: what lies in it, and what is left free."""

    width: float
    height: float
    depth: float

    def __str__(self) -> str:
        return f"{self.width:.4g} x {self.height:.4g} x {self.depth:.4g} mm"


def room_for(card: Size, stack: float, clearance: float, *, sleeved: bool) -> Room:
    """Return the inside of a box for a stack of cards that is so many mm thick."""
    edge = clearance + (SLEEVE_EDGE if sleeved else 0.0)
    return Room(card.width + edge, card.height + edge, max(stack + clearance, LEAST_DEPTH))


def tuck_box(room: Room) -> Net:
    """Return the net of a box, from the left: tab, back, left side, front, right side; the lid is at the back."""
    width, height, depth = room.width + _ACROSS * BOARD, room.height + _UP * BOARD, room.depth + _DEEP * BOARD
    tuck = min(_TUCK, room.height / 3)
    glue, dust, notch = min(_GLUE, depth - 1), min(_DUST, depth, width / 2 - 1), min(_NOTCH[0], width / 6)
    back, left = glue, glue + width
    front, right = left + depth, left + depth + width
    end, middle = right + depth, front + width / 2
    lid, top = tuck, tuck + depth
    bottom = top + height
    tab = bottom + depth
    curve, inset = tuck / 2, glue / 2

    def dust_flap(x: float, y: float, way: int) -> str:
        """Return the way around a flap at a side panel, to the right above it or to the left below."""
        x1, x2 = (x, x + depth) if way < 0 else (x + depth, x)
        return f"L {x1 - way * _SLANT} {y + way * dust} {x2 + way * _SLANT} {y + way * dust} {x2} {y}"

    cut = path(
        f"M {back} {top} V {lid} L {back + _EASE} {curve} a {curve} {curve} 0 0 1 {curve} {-curve}"
        f" H {left - _EASE - curve} a {curve} {curve} 0 0 1 {curve} {curve} L {left} {lid} V {top}"
        f" {dust_flap(left, top, -1)} H {middle - notch} a {notch} {_NOTCH[1]} 0 0 0 {2 * notch} 0 H {right}"
        f" {dust_flap(right, top, -1)} V {bottom} {dust_flap(right, bottom, 1)}"
        f" V {tab} L {right - inset} {tab + glue} H {front + inset} L {front} {tab} V {bottom}"
        f" {dust_flap(left, bottom, 1)} H {back} L 0 {bottom - inset} V {top + inset} Z"
    )
    level = [(back, left, lid), (back, left, top), (front, right, bottom), (front, right, tab)]
    level += [(x, x + depth, y) for x in (left, right) for y in (top, bottom)]
    folds = [((x, top), (x, bottom)) for x in (back, left, front, right)]
    folds += [((x1, y), (x2, y)) for x1, x2, y in level]
    sides = {"back": (back, width), "left": (left, depth), "front": (front, width), "right": (right, depth)}
    panels = {name: Rect(x, top, wide, height) for name, (x, wide) in sides.items()}
    panels["lid"] = Rect(back, lid, width, depth)
    panels["side tab"], panels["bottom tab"] = Rect(0.0, top, glue, height), Rect(front, tab, width, glue)
    return Net(Size(end, tab + glue), cut, tuple(folds), panels)


TAB = 8.0  # mm that a tab stands above the cards: a line of type of 4 mm, with white around it
LEAST_TAB = 12.0  # mm: a narrower one has no room for a word
_ROUND = 2.0  # mm: radius of the corners


def divider(card: Size, tab: float, place: int, places: int) -> Net:
    """Return a divider as large as a card, with a tab above it at one of so many places from the left."""
    width, height, r, wide = card.width, card.height + tab, _ROUND, card.width / places
    start, end = place * wide, (place + 1) * wide
    corner = f"a {r} {r} 0 0 1"
    before = f"V {tab + r} {corner} {r} {-r} H {start}" if place else ""
    behind = f"V {tab} H {width - r} {corner} {r} {r}" if place < places - 1 else ""
    cut = path(
        f"M 0 {height - r} {before} V {r} {corner} {r} {-r} H {end - r} {corner} {r} {r} {behind}"
        f" V {height - r} {corner} {-r} {r} H {r} {corner} {-r} {-r} Z"
    )
    panels = {"tab": Rect(start, 0.0, wide, tab), "body": Rect(0.0, tab, width, card.height)}
    return Net(Size(width, height), cut, (), panels)
