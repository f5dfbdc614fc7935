"""Messages about pieces beside the faces that are no marks, and about marks that are not in their place."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from render.base.findings import Problem
from render.base.geometry import Rect
from render.text import fonts
from render.verify.faces.painting import UNSEEN, Painted
from render.verify.reading.faults import MAX_NAMED, Fault, mm

NEAREST = 25.0  # mm: a piece farther from a mark's place is not that mark

KINDS = {
    "fill": "a filled shape",
    "fill even-odd": "a filled shape with holes",
    "line": "a line",
    "glyphs": "text",
    UNSEEN: "unseen text",
    "picture": "a picture",
    "group": "something that is seen through",
}
_OVER = "it would be printed over the card: make the file again"


@dataclass(frozen=True, slots=True)
class Stray:
    """A piece that is no mark in its place, and the cards that it lies over: name, whether its back, slot, box."""

    painted: Painted
    over: Sequence[tuple[str, bool, str, Rect]]


def stray_faults(strays: Sequence[Stray], lost: Sequence[tuple[str, Painted]], page: int) -> Iterator[Fault]:
    """Yield what is wrong: pieces over cards, marks that are elsewhere or missing, and unknown pieces."""
    for stray in strays:
        for name, is_back, slot, _ in stray.over:
            what = f"{KINDS[stray.painted.kind]} lies over it that is none of its own"
            yield Fault(Problem("Q080", what, _OVER), page, card=name, is_back=is_back, slot=slot, kind="over it")
    left, missing = list(strays), list(lost)
    yield from _ruler(left, missing, page)
    yield from _elsewhere(left, missing, page)
    beside = [stray.painted for stray in left if not stray.over]
    for kind, word in KINDS.items():
        some = [painted for painted in beside if painted.kind == kind]
        if some:
            more = f", and so {'is one more' if len(some) == 2 else f'are {len(some) - 1} more'}" if some[1:] else ""
            yield Fault(Problem("Q080", f"{_described(some[0], word)} is none of the marks{more}"), page)
    for name in dict.fromkeys(name for name, _ in missing):
        some = [painted for other, painted in missing if other == name]
        what = _SAYS[name] if {painted.kind for painted in some} == {"glyphs"} else ""
        yield Fault(
            Problem("Q080", f"{f'{what} is missing' if what else _missing(name, len(some))}{_at(some[0])}"), page
        )


def _missing(name: str, number: int) -> str:
    if name in _RULERS:
        return f"part of the {name} is missing"
    if number == 1:
        return f"a {name} is missing"
    return f"{number} {name}s are missing, the first"


def _ruler(left: list[Stray], missing: list[tuple[str, Painted]], page: int) -> Iterator[Fault]:
    """Yield a fault if the ruler has another length, if shapes near its place look like one."""
    ruler = [painted for name, painted in missing if name == "ruler" and painted.kind == "fill"]
    if len(ruler) < 2:
        return
    box = _around(ruler)
    length = max(box.width, box.height)
    shapes = [stray for stray in left if stray.painted.kind == "fill" and _is_beside(stray.painted, box)]
    if len(shapes) < 2:
        return
    found = _around([stray.painted for stray in shapes])
    long = max(found.width, found.height)
    # mm: more than the rounding of coordinates, and less than anybody can measure.
    if abs(long - length) > 0.01:
        yield Fault(Problem("Q080", f"the ruler is {mm(long)} mm long, and is to be {mm(length)} mm"), page)
    else:
        yield Fault(
            Problem("Q080", f"the ruler is {_way(found.x - box.x, found.y - box.y) or 'drawn otherwise'}"), page
        )
    label = [stray for stray in left if any(stray.painted.shape == painted.shape for _, painted in missing)]
    label = [stray for stray in label if stray.painted.kind == "glyphs" and _is_beside(stray.painted, box)]
    left[:] = [stray for stray in left if stray not in shapes and stray not in label]
    missing[:] = [each for each in missing if each[0] != "ruler" or (each[1].kind == "glyphs" and not label)]


def _is_beside(painted: Painted, box: Rect) -> bool:
    x0, y0, x1, y1 = painted.box
    near = box.outset(NEAREST)
    return x0 >= near.x and y0 >= near.y and x1 <= near.right and y1 <= near.bottom


def _elsewhere(left: list[Stray], missing: list[tuple[str, Painted]], page: int) -> Iterator[Fault]:
    """Yield which marks are elsewhere or look different, each with the nearest piece of its kind, equal ones once."""
    ways: dict[tuple[str, str, str], int] = {}
    for name, painted in list(missing):
        alike = [stray for stray in left if stray.painted.kind == painted.kind]
        if len(alike) * len(missing) > MAX_PAIRS:
            break
        nearest = min(alike, key=lambda stray: _apart(stray.painted, painted), default=None)
        if nearest is None or not _apart(nearest.painted, painted) <= NEAREST:
            continue
        left.remove(nearest)
        missing.remove((name, painted))
        if name in _SAYS and painted.kind == "glyphs" and nearest.painted.shape != painted.shape:
            said, wanted = read(nearest.painted), read(painted)
            if said == wanted:
                yield Fault(Problem("Q080", f"{_SAYS[name]} is set in `{nearest.painted.shape[0]}`"), page)
            else:
                yield Fault(Problem("Q080", f"{_SAYS[name]} says `{said[:80]}`, and is to say `{wanted[:80]}`"), page)
        else:
            one = _SAYS.get(name, "") if painted.kind == "glyphs" else f"part of the {name}" if name in _RULERS else ""
            way = one, name, _otherwise(nearest.painted, painted)
            ways[way] = ways.get(way, 0) + 1
    for (one, name, otherwise), number in list(ways.items())[:MAX_NAMED]:
        the = one or (f"a {name}" if number == 1 else f"{number} {name}s")
        yield Fault(Problem("Q080", f"{the} {'is' if number == 1 or one else 'are'} {otherwise}"), page)
    more = sum(list(ways.values())[MAX_NAMED:])
    if more:
        yield Fault(
            Problem("Q080", f"{more} more mark{' is' if more == 1 else 's are'} elsewhere or of another shape"), page
        )


_RULERS = ("ruler", "second ruler")
_SAYS = {
    "slug": "the slug",
    "ruler": "the label of the ruler",
    "second ruler": "the label of the second ruler",
    "fold": "the word at the fold",
}
MAX_PAIRS = 200_000  # comparisons; a file with more stray pieces is wrong in any case


def _otherwise(found: Painted, wanted: Painted) -> str:
    """Return how a mark differs from what it should be."""
    if found.color != wanted.color and (
        len(found.color) != len(wanted.color)
        or max(abs(a - b) for a, b in zip(found.color, wanted.color, strict=True)) > 0.004  # half a step of 255
    ):
        return "in another color"
    if found.kind == "line" and abs(max(map(abs, found.pens[:4])) - max(map(abs, wanted.pens[:4]))) > 0.01:
        return f"{mm(max(map(abs, found.pens[:4])))} mm thick, and not {mm(max(map(abs, wanted.pens[:4])))} mm"
    if found.shape == wanted.shape and found.pens[:4] and _far(found.pens[:4], wanted.pens[:4]) > 0.01:
        return "of another size"
    if found.shape != wanted.shape or len(found.points) != len(wanted.points):
        return "drawn otherwise"
    ways = [b - a for a, b in zip(wanted.points, found.points, strict=True)]
    across, down = ways[::2], ways[1::2]
    if max(across) - min(across) <= 0.01 and max(down) - min(down) <= 0.01:
        return _way(across[0], down[0]) or "drawn otherwise"
    if found.kind == "line" and len(found.points) == 4:
        lengths = [math.dist(one.points[:2], one.points[2:4]) for one in (found, wanted)]
        if abs(lengths[0] - lengths[1]) > 0.01:
            return f"{mm(lengths[0])} mm long, and not {mm(lengths[1])} mm"
    return "of another shape"


def _far(one: Sequence[float], other: Sequence[float]) -> float:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def _way(dx: float, dy: float) -> str:
    ways = ((dx, "too far left", "too far right"), (dy, "too high", "too low"))
    return " and ".join(f"{mm(abs(by))} mm {less if by < 0 else more}" for by, less, more in ways if abs(by) > 0.01)


def _apart(one: Painted, other: Painted) -> float:
    """Return the distance of two pieces in mm; for lines, the mean distance of their ends."""
    if one.kind == other.kind and len(one.points) == len(other.points):
        ends = math.dist(one.points[:2], other.points[:2]), math.dist(one.points[-2:], other.points[-2:])
        return sum(ends) / 2
    here, there = _middle(one), _middle(other)
    # Another number of points is hardly the same mark, so it counts as farther away; words may have changed.
    return math.dist(here, there) if one.kind == "glyphs" else math.dist(here, there) + NEAREST / 2


def _middle(painted: Painted) -> tuple[float, float]:
    left, top, right, bottom = painted.box
    return (left + right) / 2, (top + bottom) / 2


def _around(many: Sequence[Painted]) -> Rect:
    boxes = [painted.box for painted in many]
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    return Rect(left, top, max(box[2] for box in boxes) - left, max(box[3] for box in boxes) - top)


def _described(painted: Painted, word: str) -> str:
    left, top, right, bottom = painted.box
    if painted.kind in ("glyphs", UNSEEN):
        return f"the text `{read(painted)[:40]}`{_at(painted)}"
    return f"{word} of {mm(right - left)} x {mm(bottom - top)} mm{_at(painted)}"


def _at(painted: Painted) -> str:
    left, top, _, _ = painted.box
    return f" at {mm(left)}, {mm(top)} mm"


def read(row: Painted) -> str:
    """Return the text of a row of glyphs, as far as its face has letters for them."""
    face = next((name for name, file in fonts.FILES.items() if file.removesuffix(".ttf") == row.shape[0]), None)
    if face is None:
        return "?"
    font = fonts.face(face).font
    letters = {font.get_nominal_glyph(letter): chr(letter) for letter in font.face.unicodes}
    return "".join(letters.get(glyph, "?") for glyph in row.shape[1:] if isinstance(glyph, int))
