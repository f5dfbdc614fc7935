"""The pages of a PDF as a print shop takes them: boxes inside boxes, sizes, and which face is on which page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pikepdf

from render.base.findings import Problem, Severity
from render.base.geometry import MM_PER_POINT, Size
from render.pdf.standards import A_2B, Standard
from render.shops.preflight.objects.reading import MAX_DEPTH, as_numbers

_NEAR = 0.01  # mm by which rounding to a thousandth of a point may change a length
_UNEVEN = 0.1  # mm that show on a card
_BOXES = ("MediaBox", "CropBox", "BleedBox", "TrimBox", "ArtBox")  # ISO 32000-1, 14.11.2

Corners = tuple[float, float, float, float]
"""Left, bottom, right and top, in points."""


@dataclass(frozen=True, slots=True)
class PageShape:
    """The page that a shop wants: its size, and the bleed around the trim on every side, in mm."""

    size: Size
    bleed: float


def boxes(page: pikepdf.Page, standard: Standard) -> Iterator[Problem]:
    """Yield what is wrong with a page's boxes: ISO 15930-4, 6.8; ISO 15930-7, 6.12. An archive needs no trim box."""
    found = _found(page)
    if standard is not A_2B:
        if "TrimBox" not in found and "ArtBox" not in found:
            yield Problem("F020", "there is no trim box", "nobody can tell where the card ends")
        elif "TrimBox" in found and "ArtBox" in found:
            yield Problem("F020", "there are a trim box and an art box", "one of them is allowed")
        for inner, outer in (("TrimBox", "BleedBox"), ("ArtBox", "BleedBox")):
            yield from _nested(found, inner, outer)
        if page.obj.get("/Rotate", 0) != 0:
            yield Problem("F020", f"it is rotated by {page.obj['/Rotate']} degrees")
        if page.obj.get("/UserUnit", 1) != 1:  # table 30: the unit of a page, in points
            yield Problem("F020", "its unit is not the point", "the shop would print it in another size")
        yield from _nested(found, "BleedBox" if "BleedBox" in found else "TrimBox", "CropBox")
    for inner in ("BleedBox", "TrimBox", "ArtBox", "CropBox"):
        yield from _nested(found, inner, "MediaBox")


def of_shape(page: pikepdf.Page, shape: PageShape) -> Iterator[Problem]:
    """Yield a problem if a page has another size or another bleed than the shop asks for."""
    found = _found(page)
    size = _size(found["MediaBox"])
    if _far(size.width, shape.size.width) or _far(size.height, shape.size.height):
        wanted = f"{shape.size.width:g} x {shape.size.height:g} mm"
        yield Problem("F024", f"it is {size.width:.2f} x {size.height:.2f} mm, and the shop asks for {wanted}")
    if "TrimBox" in found:
        edges = [abs(a - b) * MM_PER_POINT for a, b in zip(found["TrimBox"], found["MediaBox"], strict=True)]
        if any(_far(edge, shape.bleed) for edge in edges):
            most = max(edges, key=lambda edge: abs(edge - shape.bleed))
            yield Problem("F024", f"the bleed is {most:.2f} mm, and the shop asks for {shape.bleed:g} mm")


def of_bleed(
    page: pikepdf.Page, wanted: float, severity: Severity, *, is_shape_asked: bool = False
) -> Iterator[Problem]:
    """Yield a problem if bleed is missing, too small, or uneven, so that the trim is off center.

    If the shop asks for a shape, `of_shape` already reports bleed that ends with the page.
    """
    found = _found(page)
    if "TrimBox" not in found:
        return
    if "BleedBox" not in found:
        hint = "without one nobody can tell how far color reaches beyond the trim"
        yield Problem("F020", "there is no bleed box", hint, severity=Severity.WARNING)
    outer = found.get("BleedBox", found["MediaBox"])
    edges = [abs(a - b) * MM_PER_POINT for a, b in zip(found["TrimBox"], outer, strict=True)]
    if abs(edges[0] - edges[2]) > _UNEVEN or abs(edges[1] - edges[3]) > _UNEVEN:
        around = ", ".join(f"{edge:.2f}" for edge in edges)
        message = f"the trim is not in the middle: left, bottom, right and top there are {around} mm around it"
        yield Problem("F020", message, "cards that are cut in a stack would differ", severity=severity)
    is_said = is_shape_asked and outer == found["MediaBox"]
    if min(edges) < wanted - _UNEVEN and not is_said:
        message = f"there are {min(edges):.2f} mm of bleed, and the shop asks for {wanted:g} mm"
        yield Problem("F024", message, severity=severity)


def trim(page: pikepdf.Page) -> Corners:
    """Return the box of the card: the trim box, else the art box, else the whole page."""
    found = _found(page)
    return next(found[name] for name in ("TrimBox", "ArtBox", "CropBox", "MediaBox", "") if name in found or not name)


def trim_size(page: pikepdf.Page) -> Size:
    """Return the size of the card in mm."""
    return _size(trim(page))


@dataclass(frozen=True, slots=True)
class Face:
    """A face as a mark in this program's files names it: its card, and `Back` or `Front`."""

    card: str
    side: str
    is_turned: bool = False

    @property
    def words(self) -> str:
        return f"the {self.side.lower()} of `{self.card}`"


def of_faces(
    pages: Sequence[Sequence[Face]], sides: tuple[str, ...], copies: Mapping[str, int], severity: Severity
) -> Iterator[Problem]:
    """Yield what is wrong with the faces that the pages show, as this program's files name them.

    `sides` are those of one card in the order of its pages, () for any order; `copies` are those of each card that the
    file says it holds. What other programs' files show on which page cannot be judged.
    """
    shown = [Counter((face.card, face.side) for face in page) for page in pages]
    if sides:
        yield from _of_order([(*page, ("", ""))[0] if len(page) == 1 else ("", "") for page in shown], sides)
    if not sides and any(len(page) > 1 for page in shown):
        return  # a sheet of several cards, some of which may well be turned
    turned = [number for number, page in enumerate(pages, start=1) if any(face.is_turned for face in page)]
    if turned:
        message = f"{list_pages(turned)}: {_count(turned, 'a face is', 'faces are')} upside down"
        yield Problem("F024", message, "turn it, or the card behind it is upside down", severity=severity)
    places: dict[tuple[str, str], list[int]] = {}
    for number, page in enumerate(shown, start=1):
        for face, times in page.items():
            places.setdefault(face, []).extend([number] * times)
    for (card, side), numbers in places.items():
        once = len(set(numbers)) < len(numbers)
        if once or len(numbers) > copies.get(card, len(numbers)):
            wanted = "" if once else f", and {copies[card]} {_count(range(copies[card]), 'is', 'are')} asked for"
            message = f"{list_pages(numbers)}: {Face(card, side).words} is printed {_times(len(numbers))}{wanted}"
            yield Problem("F024", message, "leave out what is too much", severity=severity)


def _of_order(pages: Sequence[tuple[str, str]], sides: tuple[str, ...]) -> Iterator[Problem]:
    """Yield what is wrong with the order of pages, each with a card and a side: sides in turn, a pair for each card."""
    if len(pages) % len(sides):
        count = f"{_count(pages, 'is', 'are')} {len(pages)} {_count(pages, 'page', 'pages')}"
        yield Problem("F024", f"there {count}, and each card has {len(sides)}")
    if not any(side for _, side in pages):
        message = f"the pages do not say which face they show, and are to be {' and '.join(sides).lower()} in turn"
        yield Problem("F024", message, "look at them", severity=Severity.UNSURE)
        return
    for number, (_, side) in enumerate(pages):
        expected = sides[number % len(sides)].lower()
        if side.lower() != expected:
            shown = f"the {side.lower()}" if side else "no face"
            yield Problem("F024", f"page {number + 1} is {shown} of a card, not the {expected}")
            return
    for start in range(0, len(pages) - len(sides) + 1, len(sides)):
        if len({card for card, _ in pages[start : start + len(sides)]}) > 1:
            yield Problem("F024", f"page {start + 1} and the next are of different cards")
            return


def _count(things: Sequence[object], one: str, several: str) -> str:
    return one if len(things) == 1 else several


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"


def list_pages(numbers: Iterable[int]) -> str:
    """Return `page 3`, or `pages 1-4, 7 and every second from 9 to 31`: backs or fronts are every second page."""
    pages = sorted(set(numbers))
    runs, at = list[str](), 0
    while at < len(pages):
        first = pages[at]
        one_by_one, by_twos = (
            next((k for k in range(len(pages) - at) if pages[at + k] != first + k * step), len(pages) - at)
            for step in (1, 2)
        )
        if by_twos > max(one_by_one, 3):
            runs.append(f"every second from {first} to {pages[at + by_twos - 1]}")
            at += by_twos
        elif one_by_one > 2:
            runs.append(f"{first}-{pages[at + one_by_one - 1]}")
            at += one_by_one
        else:
            runs.append(str(first))
            at += 1
    *others, last = runs
    return f"pages {', '.join(others)} and {last}" if others else f"page{'s' if len(pages) > 1 else ''} {last}"


def corners(page: pikepdf.Page, name: str) -> Corners | None:
    """Return a box of a page; None if it has none. Media and crop boxes may be inherited (ISO 32000-1, 7.7.3.4)."""
    node: pikepdf.Object = page.obj
    for _ in range(MAX_DEPTH):
        if f"/{name}" in node or name not in ("MediaBox", "CropBox") or node.get("/Parent") is None:
            break
        node = node["/Parent"]
    values = as_numbers(node.get(f"/{name}"), 4)
    if not values:
        return None
    x1, y1, x2, y2 = values
    return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)  # a PDF may give any two opposite corners (7.9.5)


def _found(page: pikepdf.Page) -> dict[str, Corners]:
    found = {name: corners(page, name) for name in _BOXES}
    made = {name: box for name, box in found.items() if box is not None}
    # Without one, viewers take the size of US Letter.
    return made if "MediaBox" in made else {**made, "MediaBox": (0.0, 0.0, 612.0, 792.0)}


def _nested(found: dict[str, Corners], inner: str, outer: str) -> Iterator[Problem]:
    if inner not in found or outer not in found:
        return
    a, b, near = found[inner], found[outer], _NEAR / MM_PER_POINT
    if a[0] < b[0] - near or a[1] < b[1] - near or a[2] > b[2] + near or a[3] > b[3] + near:
        yield Problem("F020", f"the {_words(inner)} reaches beyond the {_words(outer)}")


def _words(box: str) -> str:
    return f"{box.removesuffix('Box').lower()} box"


def _size(box: Corners) -> Size:
    return Size((box[2] - box[0]) * MM_PER_POINT, (box[3] - box[1]) * MM_PER_POINT)


def _far(one: float, other: float) -> bool:
    return abs(one - other) > _NEAR
