"""The pages of a PDF as a print shop takes them: boxes within boxes, sizes, and which face stands on which page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pikepdf
from pikepdf import Name

from render.geometry import MM_PER_POINT, Size
from render.preflight_content import Fault

_NEAR = 0.01  # mm: what rounding to a thousandth of a point may make of a length
_BOXES = ("MediaBox", "CropBox", "BleedBox", "TrimBox", "ArtBox")

Corners = tuple[float, float, float, float]
"""Left, bottom, right and top, in points."""


@dataclass(frozen=True, slots=True)
class PageShape:
    """The page that a shop wants: its size, and how much lies around the trim on every side, in mm."""

    size: Size
    bleed: float


def boxes(page: pikepdf.Page, shape: PageShape | None) -> Iterator[Fault]:
    """Yield what is wrong with the boxes of a page."""
    found = {name: _corners(page, name) for name in _BOXES if name in _inherited(page)}
    if "TrimBox" not in found and "ArtBox" not in found:
        yield Fault("F020", "there is no trim box", "nobody can tell where the card ends")
    elif "TrimBox" in found and "ArtBox" in found:
        yield Fault("F020", "there are a trim box and an art box", "one of them is allowed")
    for inner, outer in (("TrimBox", "BleedBox"), ("BleedBox", "MediaBox"), ("TrimBox", "MediaBox")):
        yield from _nested(found, inner, outer)
    yield from _nested(found, "BleedBox" if "BleedBox" in found else "TrimBox", "CropBox")
    if page.obj.get("/Rotate", 0) != 0:
        yield Fault("F022", f"it is rotated by {page.obj['/Rotate']} degrees")
    if page.obj.get("/UserUnit", 1) != 1:
        yield Fault("F023", "its unit is not the point", "the shop would print it in another size")
    if shape is not None:
        yield from _sizes(found, shape)


def sides(pages: Sequence[pikepdf.Page], wanted: tuple[str, ...]) -> Iterator[str]:
    """Yield what is wrong with the order of the faces: the sides in turn, each pair of one card.

    `wanted` are the sides of one card, `Back` and `Front`, as the pages follow each other.
    """
    found = [_face(page) for page in pages]
    if len(found) % len(wanted):
        yield f"there are {len(found)} pages, and each card has {len(wanted)}"
    for number, (_, side) in enumerate(found):
        if side != wanted[number % len(wanted)]:
            expected = wanted[number % len(wanted)].lower()
            yield f"page {number + 1} is {f'the {side.lower()}' if side else 'no face'} of a card, not the {expected}"
            return
    for start in range(0, len(found) - len(wanted) + 1, len(wanted)):
        names = {name for name, _ in found[start : start + len(wanted)]}
        if len(names) > 1:
            yield f"page {start + 1} and the next are of different cards"
            return


def _face(page: pikepdf.Page) -> tuple[str, str]:
    """Return the card and the side of the one face on a page, by the marks that the program leaves; else nothing."""
    marks = [
        instruction.operands[1]
        for instruction in pikepdf.parse_content_stream(page, "BDC")
        if len(instruction.operands) == 2 and instruction.operands[0] == Name.Card
    ]
    if len(marks) != 1:
        return "", ""
    return str(marks[0].get("/Name", "")), str(marks[0].get("/Side", ""))[1:]


def _inherited(page: pikepdf.Page) -> set[str]:
    """Return which boxes a page has; media and crop box may be those of the pages' tree."""
    own = {name for name in _BOXES if f"/{name}" in page.obj}
    node = page.obj.get("/Parent")
    while node is not None:
        own |= {name for name in ("MediaBox", "CropBox") if f"/{name}" in node}
        node = node.get("/Parent")
    return own


def _corners(page: pikepdf.Page, name: str) -> Corners:
    node: pikepdf.Object = page.obj
    while f"/{name}" not in node:
        node = node["/Parent"]
    x1, y1, x2, y2 = (float(value) for value in node[f"/{name}"])
    return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)


def _nested(found: dict[str, Corners], inner: str, outer: str) -> Iterator[Fault]:
    if inner not in found or outer not in found:
        return
    a, b, near = found[inner], found[outer], _NEAR / MM_PER_POINT
    if a[0] < b[0] - near or a[1] < b[1] - near or a[2] > b[2] + near or a[3] > b[3] + near:
        yield Fault("F021", f"the {_words(inner)} reaches beyond the {_words(outer)}")


def _words(box: str) -> str:
    return f"{box.removesuffix('Box').lower()} box"


def _sizes(found: dict[str, Corners], shape: PageShape) -> Iterator[Fault]:
    page = _size(found["MediaBox"])
    if _far(page.width, shape.size.width) or _far(page.height, shape.size.height):
        wanted = f"{shape.size.width:g} x {shape.size.height:g} mm"
        yield Fault("F024", f"it is {page.width:.2f} x {page.height:.2f} mm, and the shop asks for {wanted}")
    if "TrimBox" in found:
        edges = [abs(a - b) * MM_PER_POINT for a, b in zip(found["TrimBox"], found["MediaBox"], strict=True)]
        if any(_far(edge, shape.bleed) for edge in edges):
            most = max(edges, key=lambda edge: abs(edge - shape.bleed))
            yield Fault("F024", f"the bleed is {most:.2f} mm, and the shop asks for {shape.bleed:g} mm")


def _size(box: Corners) -> Size:
    return Size((box[2] - box[0]) * MM_PER_POINT, (box[3] - box[1]) * MM_PER_POINT)


def _far(one: float, other: float) -> bool:
    return abs(one - other) > _NEAR
