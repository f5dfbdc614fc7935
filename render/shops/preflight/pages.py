"""The pages of a PDF as a print shop takes them: boxes inside boxes, sizes, what lies over them, and which face is where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import pikepdf
from msgspec import Struct
from pikepdf import Array

from render.base.findings import Diagnostic
from render.base.geometry import MM_PER_POINT, Size
from render.pdf.reading.values import Corners, as_array, as_corners, as_dictionary, as_name, page_boxes
from render.pdf.standards import A_2B
from render.shops.preflight.claims import judge_action
from render.shops.preflight.rules import PRESS, Rules

_NEAR = 0.01  # mm by which rounding to a thousandth of a point may change a length
_UNEVEN = 0.1  # mm that show on a card
_LONGEST_LIST = 400  # characters of numbers: a message has 1,000
_TIMES = {1: "once", 2: "twice"}


Note = Callable[[Iterable[Diagnostic], Iterable[int]], None]
"""Takes what is wrong, and the pages that have it; none for what is of the whole file."""


class PageShape(Struct, frozen=True):
    """The page that a shop wants: its size, and the bleed around the trim on every side, in mm."""

    size: Size
    bleed: float


class Face(Struct, frozen=True):
    """A face as a mark in this program's files names it: its card, and `Back` or `Front`."""

    card: str
    side: str
    is_turned: bool = False


def trim_box(page: pikepdf.Page) -> Corners:
    """Return the box of the card in points: the trim box, else the art box, else the whole page."""
    boxes = page_boxes(page.obj)
    return next(boxes[name] for name in ("TrimBox", "ArtBox", "CropBox", "MediaBox") if name in boxes)


def size_of(box: Corners) -> Size:
    """Return the size of a box in mm."""
    return Size((box[2] - box[0]) * MM_PER_POINT, (box[3] - box[1]) * MM_PER_POINT)


def judge_page(
    page: pikepdf.Page, rules: Rules, shape: PageShape | None = None, bleed: float | None = None
) -> Iterator[Diagnostic]:
    """Yield what is wrong with a page besides what it draws; `shape` and `bleed` are what a shop asks for."""
    boxes = page_boxes(page.obj)
    yield from rules.of("page", page.obj)
    yield from _judge_boxes(boxes, rules)
    if shape:
        yield from _judge_shape(boxes, shape, rules)
    if bleed is not None and "TrimBox" in boxes:
        yield from _judge_bleed(boxes, bleed, rules, is_shape_asked=shape is not None)
    if "/Annots" in page.obj and not isinstance(page.obj["/Annots"], Array):
        yield from rules("page", "notes")
    for note in map(as_dictionary, as_array(page.obj.get("/Annots"))):
        yield from rules.of("note", note)
        if rules.standard is A_2B:
            yield from judge_action(note.get("/A"), rules)
        elif _lies_on_page(note, boxes):
            yield from rules("note", "in print", as_name(note.get("/Subtype")) or "?")


def _judge_boxes(boxes: Mapping[str, Corners], rules: Rules) -> Iterator[Diagnostic]:
    names = {"TrimBox", "ArtBox"} & set(boxes)
    nested = [(inner, "MediaBox") for inner in ("BleedBox", "TrimBox", "ArtBox", "CropBox")]
    if rules.standard in PRESS:  # an archive needs no trim box
        if len(names) != 1:
            yield from rules("page", "two trims" if names else "no trim")
        around = "BleedBox" if "BleedBox" in boxes else "TrimBox"
        nested = [("TrimBox", "BleedBox"), ("ArtBox", "BleedBox"), (around, "CropBox"), *nested]
    near = _NEAR / MM_PER_POINT
    for inner, outer in nested:
        a, b = boxes.get(inner), boxes.get(outer)
        if a and b and (a[0] < b[0] - near or a[1] < b[1] - near or a[2] > b[2] + near or a[3] > b[3] + near):
            yield from rules("page", "beyond", *(name.removesuffix("Box").lower() for name in (inner, outer)))
    width, height = (boxes["MediaBox"][at + 2] - boxes["MediaBox"][at] for at in (0, 1))
    if min(width, height) < 3 or max(width, height) > 14_400:  # points: 1/24 in and 200 in
        yield from rules("page", "limits")


def _judge_shape(boxes: Mapping[str, Corners], shape: PageShape, rules: Rules) -> Iterator[Diagnostic]:
    size = size_of(boxes["MediaBox"])
    if max(abs(size.width - shape.size.width), abs(size.height - shape.size.height)) > _NEAR:
        yield from rules("page", "size", size.width, size.height, shape.size.width, shape.size.height)
    if "TrimBox" in boxes:
        worst = max(_edges(boxes, "MediaBox"), key=lambda edge: abs(edge - shape.bleed))
        if abs(worst - shape.bleed) > _NEAR:
            yield from rules("page", "bleed", worst, shape.bleed)


def _judge_bleed(
    boxes: Mapping[str, Corners], wanted: float, rules: Rules, *, is_shape_asked: bool
) -> Iterator[Diagnostic]:
    """Yield a problem if bleed is missing, too small, or uneven, so that the trim is off center."""
    if "BleedBox" not in boxes:
        yield from rules("page", "no bleed box")
    outer = "BleedBox" if "BleedBox" in boxes else "MediaBox"
    left, bottom, right, top = edges = _edges(boxes, outer)
    if abs(left - right) > _UNEVEN or abs(bottom - top) > _UNEVEN:
        yield from rules("page", "uneven", ", ".join(f"{edge:.2f}" for edge in edges))
    # Of bleed that ends with the page, the shape that a shop asks for tells.
    is_told = is_shape_asked and boxes[outer] == boxes["MediaBox"]
    if min(edges) < wanted - _UNEVEN and not is_told:
        yield from rules("page", "less bleed", min(edges), wanted)


def _edges(boxes: Mapping[str, Corners], outer: str) -> list[float]:
    """Return how far a box reaches beyond the trim: left, bottom, right and top, in mm."""
    return [abs(a - b) * MM_PER_POINT for a, b in zip(boxes["TrimBox"], boxes[outer], strict=True)]


def _lies_on_page(note: pikepdf.Dictionary, boxes: Mapping[str, Corners]) -> bool:
    """Return whether an annotation lies within the bleed, or a printer's mark within the trim."""
    kind = as_name(note.get("/Subtype"))
    names = ("TrimBox", "ArtBox") if kind == "PrinterMark" else ("BleedBox", "TrimBox", "ArtBox")
    outer = boxes[next((name for name in names if name in boxes), "MediaBox")]
    place = as_corners(note.get("/Rect"))
    if kind == "TrapNet":
        return False
    return place is None or (
        place[0] <= outer[2] and place[2] >= outer[0] and place[1] <= outer[3] and place[3] >= outer[1]
    )


# --- faces ----------------------------------------------------------------------------------------------------------


def judge_faces(
    pages: Sequence[Sequence[Face]], sides: tuple[str, ...], copies: Mapping[str, int], rules: Rules, note: Note
) -> None:
    """Note what is wrong with the faces that the pages show, as this program's files name them.

    `sides` are those of one card in the order of its pages, () for any order; `copies` are those of each card that the
    file says it holds. What other programs' files show on which page cannot be judged.
    """
    if sides:
        _judge_order([{(face.card, face.side) for face in page} for page in pages], sides, rules, note)
    elif any(len({(face.card, face.side) for face in page}) > 1 for page in pages):
        return  # a sheet of several cards, some of which may well be turned
    places: dict[tuple[str, str], list[int]] = {}
    for number, page in enumerate(pages, start=1):
        for face in page:
            places.setdefault((face.card, face.side), []).append(number)
            if face.is_turned:
                note(rules("faces", "turned"), [number])
    for (card, side), numbers in places.items():
        is_together, wanted = len(set(numbers)) < len(numbers), copies.get(card, len(numbers))
        if is_together or len(numbers) > wanted:
            asked = "" if is_together else f", and {wanted} {'is' if wanted == 1 else 'are'} asked for"
            times = _TIMES.get(len(numbers), f"{len(numbers)} times")
            note(rules("faces", "again", f"the {side.lower()} of `{card}`", times, asked), numbers)


def _judge_order(pages: Sequence[set[tuple[str, str]]], sides: tuple[str, ...], rules: Rules, note: Note) -> None:
    """Note what is wrong with the order of pages, each with its cards and sides: sides in turn, a pair for each card."""
    if len(pages) % len(sides):
        note(rules("faces", "count", len(pages), len(sides)), ())
    faces = [next(iter(page)) if len(page) == 1 else ("", "") for page in pages]
    if not any(side for _, side in faces):
        note(rules("faces", "unknown", " and ".join(sides).lower()), ())
        return
    is_in_order = True
    for number, (_, side) in enumerate(faces):
        expected = sides[number % len(sides)]
        if side != expected:
            is_in_order = False
            shown = f"the {side.lower()}" if side else "no face"
            note(rules("faces", "order", shown, expected.lower()), [number + 1])
    for start in range(0, len(faces) - len(sides) + 1, len(sides)) if is_in_order else ():
        if len({card for card, _ in faces[start : start + len(sides)]}) > 1:
            note(rules("faces", "pair"), range(start + 1, start + len(sides) + 1))


def list_pages(numbers: Iterable[int]) -> list[str]:
    """Return `page 3`, or `pages 1-4, 7 and every second from 9 to 31`: backs or fronts are every second page.

    Pages that are too many for one message are in several lists.
    """
    pages, lists = sorted(set(numbers)), [list[str]()]
    while pages:
        first = pages[0]
        one_by_one, by_twos = (
            next((k for k, page in enumerate(pages) if page != first + k * step), len(pages)) for step in (1, 2)
        )
        run, count = str(first), 1
        if by_twos > max(one_by_one, 3):
            run, count = f"every second from {first} to {pages[by_twos - 1]}", by_twos
        elif one_by_one > 2:
            run, count = f"{first}-{pages[one_by_one - 1]}", one_by_one
        del pages[:count]
        if sum(map(len, lists[-1])) > _LONGEST_LIST:
            lists.append([])
        lists[-1].append(run)
    wholes = [" and ".join(filter(None, (", ".join(runs[:-1]), runs[-1]))) for runs in lists if runs]
    return [f"{'page' if where.isdigit() else 'pages'} {where}" for where in wholes]
