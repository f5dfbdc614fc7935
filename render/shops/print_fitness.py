"""Whether a drawing can be printed and cut: type and lines that are too small, and whatever is too near to the cut.

A reader of a drawing, a scene or a PDF, yields each text, line, ground and picture as a `PrintedPiece`; this module
judges them as the operator of a print shop would. Lengths are in mm from the trim's top left corner, and only what
shows counts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from enum import Enum
from math import hypot
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from render.base.caches import cached
from render.base.findings import Diagnostic, Severity, quoted
from render.base.geometry import IDENTITY, MM_PER_INCH, MM_PER_POINT, Affine, Rect, Size, box_around
from render.images import inks
from render.images.decode import open_picture
from render.images.press import Press
from render.images.resample import picture_content
from render.layout.bounds import around, of_item
from render.layout.press import fill_of_type, letter_boxes, of_letters
from render.scene.gradients import knots, mean
from render.scene.items import REACH, Filling, Group, Item, Layer, Outline, Path, Picture, Scene, TextRun, UnseenRun
from render.scene.outlines import box_of_outlines, move_outlines
from render.text.directions import in_order_of_reading


class What(Enum):
    TEXT = "text"
    LINE = "line"
    GROUND = "ground"
    PICTURE = "picture"


class PrintedPiece(Struct, frozen=True, kw_only=True):
    """A piece of a drawing.

    `box` holds what shows of it; for a line, its middle. `measure` is the size of type in pt, the thickness of a line
    in mm, or the resolution of a picture in dpi. `inks` is the number of inks, `light` the lightness from 0 to 1; None
    if it is unknown. `straight` lines are upright or level. `words` are a text's.
    """

    what: What
    box: Rect
    measure: float = 0.0
    inks: int = 1
    light: float | None = None
    straight: bool = False
    words: str = ""


class Fitness(Struct, frozen=True, kw_only=True):
    """What is asked of a page: how far inside the trim things are safe, and the dpi of pictures; None asks for nothing.

    Type needs `least_type` pt, and `least_fine_type` if it is light on dark or in several inks, whose plates never
    register exactly. `least_line` is in mm. `bleed` is how far the page reaches beyond the trim.
    """

    safe: float | None = None
    dpi: float | None = None
    bleed: float = 0.0
    least_type: float = 4.0
    least_fine_type: float = 5.0
    least_line: float = 0.1

    def safe_area(self, card: Size) -> Rect:
        """Return the box in which nothing is too near to the trim."""
        return card.rect.outset(-(self.safe or _NEAR))


class PrintDoubt(Enum):
    """What can be doubtful about a piece: the message about the worst case, and the next step."""

    CUT_TEXT = "text is cut off, {beyond:.2f} mm beyond the trim{words}", "move it inside, or leave it out"
    NEAR_TEXT = (
        "text stands {inside:.2f} mm from the trim, and {safe:.3g} mm are safe{words}",
        "a cut that is a little off takes it away",
    )
    CUT_LINE = "a line is cut by the trim", "let it end inside, or run to the edge of the bleed as a ground does"
    NEAR_LINE = (
        "a line stands {inside:.2f} mm from the trim, and {safe:.3g} mm are safe",
        "next to the cut it shows each tenth of a millimetre that the cut is off",
    )
    SMALL = "type of {measure:.2g} pt, and {asked.least_type:g} pt can be read{words}", "set it larger"
    REVERSED = (
        "light type of {measure:.2g} pt on dark, and {asked.least_fine_type:g} pt can be read{words}",
        "ink runs into its strokes: set it larger",
    )
    COLORED = (
        "type of {measure:.2g} pt in several inks, and {asked.least_fine_type:g} pt can be read{words}",
        "plates never lie quite on each other: set it larger, or in one ink",
    )
    THIN = "a line of {measure:.2g} mm, and {asked.least_line:g} mm can be printed", "draw it thicker"
    COARSE = "a picture of {measure:.0f} dpi, and the shop asks for {asked.dpi:g} dpi", "take a larger one"


class FoundDoubt(Struct, frozen=True):
    """A doubt about one piece: the measure that falls short, the smaller the worse, and the words it is about."""

    doubt: PrintDoubt
    measure: float = 0.0
    words: str = ""


def line_pieces(outlines: Iterable[Outline], like: PrintedPiece) -> Iterator[PrintedPiece]:
    """Yield the segments of outlines as lines, each with the thickness and color of `like` and a box of its own."""
    for outline in outlines:
        here = outline.start
        closing = ((outline.start,) if outline.closed else ()) if outline.segments else ()
        for segment in (*outline.segments, *closing):
            points = (here, *zip(segment[::2], segment[1::2], strict=True))
            box, here = box_around(points), points[-1]
            is_straight = len(points) == 2 and min(box.width, box.height) < _STRAIGHT
            yield replace(like, box=box, straight=is_straight)


def strip(outline: Outline, like: PrintedPiece) -> PrintedPiece | None:
    """Return a filled rectangle that is thin enough to be a line, as a line; None if it is not one."""
    points = [outline.start, *(segment[-2:] for segment in outline.segments)]
    corners = set(points)
    if any(len(segment) != 2 for segment in outline.segments) or len(corners) != 4:
        return None
    box = box_around(points)
    thick, long = sorted((box.width, box.height))
    if len({x for x, _ in corners}) != 2 or len({y for _, y in corners}) != 2 or thick >= _THICK or long < 5 * thick:
        return None
    x, y = box.center
    middle = replace(box, x=x, width=0) if box.height == long else replace(box, y=y, height=0)
    return replace(like, what=What.LINE, box=middle, measure=thick, straight=True)


_STRAIGHT = 0.02  # mm that a line may lean and still look upright or level


def find_doubts(drawn: Iterable[PrintedPiece], card: Size, asked: Fitness) -> Iterator[FoundDoubt]:
    """Yield what is doubtful about the pieces drawn on a card, in the order of drawing."""
    trim, grounds = card.rect, deque[PrintedPiece](maxlen=_MAX_GROUNDS)
    page, inner = trim.outset(asked.bleed + _NEAR), asked.safe_area(card)
    for each in drawn:
        match each.what:
            case What.GROUND:
                grounds.append(each)
            case What.PICTURE:
                grounds.append(each)
                if asked.dpi and each.measure < asked.dpi * _NEARLY and each.box.overlaps(trim):
                    yield FoundDoubt(PrintDoubt.COARSE, each.measure)
            case What.LINE:
                is_safe = each.measure >= asked.least_line and inner.holds(each.box)  # most lines: no further look
                if not is_safe and each.box.outset(_NEAR).overlaps(page):
                    yield from _of_line(each, trim, asked)
            case What.TEXT:
                if each.box.overlaps(trim):
                    yield from _of_text(each, trim, grounds, asked)


_NEAR = 0.05  # mm: nobody sees as little, and no knife keeps to it
_MAX_GROUNDS = 200  # that a text may stand on; what was painted earlier is covered
_NEARLY = 0.99  # of a resolution: rounding to whole pixels
_THICK = 1.0  # mm: from there on a line is a band, and a ground if it runs off the card
_LONG = 10.0  # mm: a line this long beside the trim shows how askew the cut is


def _of_text(text: PrintedPiece, trim: Rect, grounds: Collection[PrintedPiece], asked: Fitness) -> Iterator[FoundDoubt]:
    inside = _inside(text.box, trim)
    if inside < -_NEAR:
        yield FoundDoubt(PrintDoubt.CUT_TEXT, inside, text.words)
    elif asked.safe is not None and inside < asked.safe - _NEAR:
        yield FoundDoubt(PrintDoubt.NEAR_TEXT, inside, text.words)
    if text.measure < asked.least_type - 0.005:  # rounding of points in the file
        yield FoundDoubt(PrintDoubt.SMALL, text.measure, text.words)
    elif text.measure < asked.least_fine_type - 0.005:
        # What lies below its middle. Paper is white; a picture may be dark.
        middle, light = Rect(*text.box.center, 0.0, 0.0), text.light
        below = next((each for each in reversed(tuple(grounds)) if each.box.holds(middle)), None)
        if text.inks > 1:
            yield FoundDoubt(PrintDoubt.COLORED, text.measure, text.words)
        elif below and light is not None and light > (0.5 if below.light is None else below.light + 0.1):
            yield FoundDoubt(PrintDoubt.REVERSED, text.measure, text.words)


def _of_line(line: PrintedPiece, trim: Rect, asked: Fitness) -> Iterator[FoundDoubt]:
    if line.measure < asked.least_line - 0.0005:
        yield FoundDoubt(PrintDoubt.THIN, line.measure)
    if line.measure >= _THICK:
        return
    inside = _inside(line.box, trim)
    if line.straight and (along := _along(line, trim, asked)) is not None:
        half = line.measure / 2
        yield FoundDoubt(PrintDoubt.CUT_LINE if along < half else PrintDoubt.NEAR_LINE, along)
    elif inside < -_NEAR:
        # What crosses the card from one edge of the bleed to the other is a ground or a pattern.
        box, page = line.box, trim.outset(asked.bleed - _NEAR)
        level = box.x <= page.x and box.right >= page.right
        upright = box.y <= page.y and box.bottom >= page.bottom
        if not (level or upright) and box.outset(_NEAR).overlaps(trim):
            yield FoundDoubt(PrintDoubt.CUT_LINE, inside)
    elif asked.safe is not None and inside < asked.safe - _NEAR:
        yield FoundDoubt(PrintDoubt.NEAR_LINE, inside)


def _along(line: PrintedPiece, trim: Rect, asked: Fitness) -> float | None:
    """Return how far inside the trim a line runs along it, negative beyond; None if it does not, or is safe."""
    safe = asked.safe if asked.safe is not None else line.measure / 2
    box = line.box
    if box.height >= box.width:
        edges, long = (box.x - trim.x, trim.right - box.right), min(box.bottom, trim.bottom) - max(box.y, trim.y)
    else:
        edges, long = (box.y - trim.y, trim.bottom - box.bottom), min(box.right, trim.right) - max(box.x, trim.x)
    nearest = min(edges)
    if long < _LONG or nearest >= safe - _NEAR or nearest <= -asked.bleed + line.measure / 2 + _NEAR:
        return None  # a line along the edge of the bleed itself is the edge of a ground
    return nearest


def _inside(box: Rect, trim: Rect) -> float:
    """Return how far a box keeps inside the trim on its nearest side; negative if it reaches beyond."""
    return min(box.x - trim.x, box.y - trim.y, trim.right - box.right, trim.bottom - box.bottom)


# --- in words -------------------------------------------------------------------------------------------------------


Place = TypeVar("Place")


def describe_doubts(
    found: Iterable[tuple[Place, FoundDoubt]], asked: Fitness, list_places: Callable[[Iterable[Place]], Iterable[str]]
) -> Iterator[Diagnostic]:
    """Yield each doubt once for each list of its places, with its worst case."""
    places: dict[PrintDoubt, list[tuple[Place, FoundDoubt]]] = {}
    for place, each in found:
        places.setdefault(each.doubt, []).append((place, each))
    for doubt in PrintDoubt:
        if doubt in places:
            worst = min((each for _, each in places[doubt]), key=lambda each: each.measure)
            template, hint = doubt.value
            message = template.format(
                measure=worst.measure,
                inside=max(worst.measure, 0),
                beyond=-worst.measure,
                safe=asked.safe or 0,
                words=f": {quoted(in_order_of_reading(worst.words))}" if worst.words.strip() else "",
                asked=asked,
            )
            severity = Severity.ERROR if doubt is PrintDoubt.CUT_TEXT else Severity.WARNING
            for where in list_places([place for place, _ in places[doubt]]):
                yield Diagnostic("F070", f"{where}: {message}", hint, severity=severity)


def several_sizes(sizes: Sequence[tuple[float, float]], severity: Severity = Severity.ERROR) -> Iterator[Diagnostic]:
    """Yield a problem if a file has cards of several sizes, given as width and height in mm."""
    if len(sizes) > 1:
        words = " and ".join(f"{width:.4g} x {height:.4g} mm" for width, height in sizes[:3])
        hint = "they cannot be cut together: make a file for each size"
        yield Diagnostic("F024", f"there are cards of {len(sizes)} sizes: {words}", hint, severity=severity)


def list_faces(faces: Iterable[str]) -> list[str]:
    """Return `the front of `a` and 3 more` for faces, each counted once."""
    first, *others = dict.fromkeys(faces)
    return [f"{first} and {len(others)} more" if others else first]


# --- faces as a shop sees them ----------------------------------------------------------------------------------------


def read_pieces(scene: Scene, press: Press | None) -> Iterator[PrintedPiece]:
    """Yield what is drawn on a face, in order, in the inks of a press; None as a shop that gets RGB separates them."""
    yield from _View(press, scene.size.rect.outset(REACH), IDENTITY).items(scene.items)


class _View(Struct, frozen=True):
    """How items are seen: through a window of the card, and taken to the card by a map."""

    press: Press | None
    window: Rect
    map: Affine

    def items(self, items: tuple[Item, ...]) -> Iterator[PrintedPiece]:
        for item in items:
            match item:
                case Path():
                    yield from self._path(item)
                case UnseenRun():
                    pass
                case TextRun():
                    yield from self._run(item)
                case Picture():
                    yield from self._picture(item)
                case Group() | Layer():
                    window = self.map.box(of_item(item)).shared(self.window)
                    if window.width > 0 and window.height > 0:
                        yield from _View(self.press, window, self.map @ item.transform).items(item.items)

    def _path(self, path: Path) -> Iterator[PrintedPiece]:
        outlines = move_outlines(path.outlines, self.map)
        if path.fill is not None:
            like = self._colored(What.GROUND, self.window, path.fill)
            thin = [strip(outline, like) for outline in outlines]
            if all(thin):
                yield from (each for one in thin if one for each in self._seen(one))
            else:
                box = box_of_outlines(outlines)
                yield from self._seen(self._colored(What.GROUND, box, path.fill))
        if path.stroke is not None:
            like = self._colored(What.LINE, self.window, path.stroke.color, path.stroke.width * self.map.growth)
            for line in line_pieces(outlines, like):
                yield from self._seen(line)

    def _run(self, run: TextRun) -> Iterator[PrintedPiece]:
        place = self.map @ run.transform
        box = place.box(of_letters(run))
        if place.b or place.c or not self.window.holds(box):  # turned, or clipped: each letter for itself
            boxes = [place.box(letter).shared(self.window) for letter in letter_boxes(run)]
            box = around(box for box in boxes if box.width > 0 and box.height > 0)
        if box.width > 0 and box.height > 0:
            size = run.size * place.growth
            fill = fill_of_type(run.fill, size, self.press) if self.press else run.fill
            yield self._colored(What.TEXT, box, fill, size / MM_PER_POINT, run.words)

    def _picture(self, picture: Picture) -> Iterator[PrintedPiece]:
        box, at = self.map.box(picture.box), self.map
        width, height = _pixels(picture)
        # The map may turn it: its own width and height count, and not those of the box around it.
        across = width * picture.crop.width / (picture.box.width * hypot(at.a, at.b))
        down = height * picture.crop.height / (picture.box.height * hypot(at.c, at.d))
        yield from self._seen(PrintedPiece(what=What.PICTURE, box=box, measure=min(across, down) * MM_PER_INCH))

    def _seen(self, one: PrintedPiece) -> Iterator[PrintedPiece]:
        """Yield the part of a piece that shows through the window, if any."""
        box = one.box.shared(self.window)
        if box.width >= 0 and box.height >= 0:
            yield replace(one, box=box)

    def _colored(self, what: What, box: Rect, color: Filling, measure: float = 0.0, words: str = "") -> PrintedPiece:
        red, green, blue = (
            color if isinstance(color, tuple) else (255 * share for share in mean(knots(color.stops))[:3])
        )
        light = (0.299 * red + 0.587 * green + 0.114 * blue) / 255  # luma of ITU-R BT.601
        plates = _inks(color, self.press)
        return PrintedPiece(what=what, box=box, measure=measure, inks=plates, light=light, words=words)


@cached(1024)  # of most pictures there are several on each card
def _pixels(picture: Picture) -> tuple[int, int]:
    return open_picture(picture_content(picture)).upright_size


_TRACE = 0.02  # of an ink: too little to show


def _inks(color: Filling, press: Press | None) -> int:
    """Return the number of inks of a color. A shop that gets RGB prints gray in black and all else in several."""
    if not isinstance(color, tuple):
        if press is None:
            return max(_inks(stop.color, None) for stop in color.stops)
        plates = zip(*inks.gradient_inks(color.stops, press), strict=True)
        return sum(max(plate) > _TRACE for plate in plates)
    if press is None:
        return 1 if len(set(color)) == 1 else 3
    return sum(ink > _TRACE for ink in inks.inks(color, press))
