"""The calibration sheet: five crosses with vernier scales on both sides, and how to read them.

Both sides are drawn as they are seen from the front, and the back's drawing is then taken through the paper: its
figures and letters are mirrored there, and read right way round against the light.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import inf

from render import fonts, shapes, text
from render.breaking import Paragraph, Style
from render.calibration import Calibration
from render.crosses import (
    BACK_LINE,
    BLOCK,
    DEPTH,
    EDGE,
    FRONT_LINE,
    LINES,
    NAMES,
    PITCH,
    READ_AT,
    VERNIER,
    VERNIER_PITCH,
    Cross,
    Scale,
    crosses,
)
from render.geometry import IDENTITY, PAPERS, Affine, Flip, Rect, Size
from render.impose import turns_about_upright
from render.pdf import Page
from render.scene import Colour, Item, Outline, Path, Stroke, TextRun

LEAST_PAPER = 200.0  # mm a side: the crosses and what is to be said about them

_BLACK: Colour = (0, 0, 0)
_GREY: Colour = (130, 130, 130)
_PLAIN = Style("DejaVu Sans Condensed", _BLACK)
_BOLD = Style("DejaVu Sans Condensed Bold", _BLACK)

_THIN = 0.15  # mm: a line of a scale, broad enough to shine through and less than two tenths
_FIGURE, _SIGN, _NAME = 1.7, 2.4, 5.0  # mm: sizes of type
_HEAD, _USUAL, _LARGEST, _SMALLEST = 4.6, 2.9, 3.5, 1.8
_ENLARGED = 1.6  # the examples
_WIDEST = 150.0  # mm: longer lines are hard to read


@dataclass(frozen=True, slots=True)
class Instruction:
    """What a sheet is printed for: the paper and its flip, the correction that is applied to its back, if one is."""

    paper: Size
    flip: Flip
    applied: Calibration | None = None


def through(paper: Size, flip: Flip) -> Affine:
    """Return the map from a point of one side to the one behind it on the other, in mm of each side as it is seen."""
    if turns_about_upright(paper, flip):
        return Affine(a=-1.0, e=paper.width)
    return Affine(d=-1.0, f=paper.height)


def pages(sheet: Instruction) -> tuple[Page, Page]:
    """Return the front and the back of the sheet; ValueError if the paper is too small for it."""
    paper = sheet.paper
    if min(paper.width, paper.height) < LEAST_PAPER:
        raise ValueError(
            f"a calibration sheet needs paper of {LEAST_PAPER:g} mm a side at least,"
            f" and this is {paper.width:g} x {paper.height:g} mm"
        )
    five = crosses(paper)
    front = (*chain.from_iterable(map(_front, five)), *_front_words(sheet))
    shining = _taken(chain.from_iterable(map(_back, five)), through(paper, sheet.flip))
    shift = sheet.applied.correction if sheet.applied else IDENTITY
    return Page(paper, (), front), Page(paper, (), (*shining, *_back_words(sheet)), shift)


# --- crosses --------------------------------------------------------------------------------------------------------


def _front(cross: Cross) -> Iterator[Item]:
    """Yield what the front has of a cross: lines every mm with figures and signs, its name, the cross to glance at."""
    for scale in (cross.across, cross.down):
        yield _ruled(front_lines(), _place(scale), _BLACK)
        yield from _figures(scale)
    x, y = cross.mark
    yield _ruled(((-4.0, 0.0, 4.0, 0.0), (0.0, -4.0, 0.0, 4.0)), Affine.move(x, y), _BLACK)
    yield from _words(f"{cross.name} =", _named(cross), _NAME, _BOLD, "end")


def _back(cross: Cross) -> Iterator[Item]:
    """Yield what the back has of a cross, as it is seen from the front."""
    for scale in (cross.across, cross.down):
        yield _ruled(back_lines(), _place(scale), _BLACK)
    yield _rings(cross.mark)
    x, y = _named(cross)
    yield from _words(cross.name, (x + 1.2, y), _NAME, _BOLD, "start")


def _named(cross: Cross) -> tuple[float, float]:
    """Return where the front's part of a cross's name ends, `A =`; the back's follows it, against the light."""
    return cross.title[0] + 1.6, cross.title[1] + 0.36 * _NAME


Line = tuple[float, float, float, float]
"""From where to where a line goes: x, y, x, y."""


def front_lines() -> tuple[Line, ...]:
    """Return the lines of a scale on the front, every mm: it runs to the right, its outer edge lies at y = 0."""
    begin, end = FRONT_LINE
    return tuple((n * PITCH, begin, n * PITCH, end if n % 2 == 0 else end - 0.8) for n in _lines(LINES))


def back_lines() -> tuple[Line, ...]:
    """Return those on the back, every 0.9 mm, and the bar that makes a cross of the middle one, for a needle."""
    (begin, end), later = BACK_LINE, {0: 0.0, VERNIER: 0.7, -VERNIER: 0.7}
    lines = ((n * VERNIER_PITCH, begin + later.get(n, 1.4), n * VERNIER_PITCH, end) for n in _lines(VERNIER))
    return (*lines, (-0.5, READ_AT, 0.5, READ_AT))


def _lines(either_side: int) -> range:
    return range(-either_side, either_side + 1)


def _place(scale: Scale) -> Affine:
    """Return the map of a scale's lines onto the paper: where they are read lies at the scale's point."""
    edge = -scale.inward * READ_AT
    if scale.down:
        return Affine(0.0, 1.0, scale.inward, 0.0, scale.x + edge, scale.y)
    return Affine(1.0, 0.0, 0.0, scale.inward, scale.x, scale.y + edge)


def _figures(scale: Scale) -> Iterator[Item]:
    """Yield the figures of a scale, and which end is plus."""
    place, behind = _place(scale), FRONT_LINE[1] + 0.4
    labels = [(n, f"{n}", _FIGURE, _PLAIN) for n in range(-4, 5, 2)]  # with hyphens: a minus sign has no room
    for n, words, size, style in (*labels, (-7.0, "−", _SIGN, _BOLD), (7.0, "+", _SIGN, _BOLD)):
        x, y = place.apply(n, behind)
        if scale.down:
            yield from _words(words, (x, y + 0.36 * size), size, style, "start" if scale.inward > 0 else "end")
        else:
            centre = y + scale.inward * 0.36 * _FIGURE
            yield from _words(words, (x, centre + 0.36 * size), size, style, "middle")


def _rings(centre: tuple[float, float]) -> Path:
    outlines = (*shapes.ellipse(*centre, 1.0, 1.0), *shapes.ellipse(*centre, 2.0, 2.0))
    return Path(outlines, stroke=Stroke(_BLACK, _THIN))


def _ruled(lines: Iterable[Line], place: Affine = IDENTITY, colour: Colour = _BLACK) -> Path:
    outlines = tuple(Outline((x1, y1), ((x2, y2),), False) for x1, y1, x2, y2 in lines)
    return Path(shapes.moved(outlines, place), stroke=Stroke(colour, _THIN))


def _taken(items: Iterable[Item], by: Affine) -> Iterator[Item]:
    """Yield lines and words taken through a map."""
    for item in items:
        if isinstance(item, Path):
            yield replace(item, outlines=shapes.moved(item.outlines, by))
        elif isinstance(item, TextRun):
            yield replace(item, transform=by @ item.transform)


# --- what is said ---------------------------------------------------------------------------------------------------


def _front_words(sheet: Instruction) -> Iterator[Item]:
    """Yield the head, the steps, examples, a form for the readings, the command, and a ruler."""
    width, height = sheet.paper.width, sheet.paper.height
    middle, measure = width / 2, min(width - 2 * (EDGE + BLOCK[0] + 2), _WIDEST)
    left, below = middle - measure / 2, height / 2 + BLOCK[0] / 2 + 5
    yield from _words("▲ this way up", (middle, EDGE + 4), _USUAL, _PLAIN, "middle")
    yield from _words("Calibration sheet: front", (middle, EDGE + 11), _HEAD, _BOLD, "middle")
    yield from _words(_settings(sheet), (middle, EDGE + 16), _USUAL, _PLAIN, "middle", measure)
    steps = Rect(left, EDGE + 20, measure, height / 2 - BLOCK[0] / 2 - 3 - EDGE - 20)
    yield from _set(_steps(sheet), steps)
    yield from _examples(middle, measure, below)
    yield from _form(middle, below + 33)
    yield from _set(_command(sheet), Rect(left, below + 51, measure, height - below - 51 - EDGE - 9))
    yield from _ruler(middle, height - EDGE - 6)


def _settings(sheet: Instruction) -> str:
    applied = f"with the correction of {_shown(sheet.applied)}" if sheet.applied else "no correction applied"
    return f"{_paper_name(sheet.paper)}, flipped on the {_edge(sheet.flip)}, {applied}"


def _steps(sheet: Instruction) -> list[Paragraph]:
    other = next(flip for flip in Flip if flip is not sheet.flip)
    steps = (
        (
            "Print",
            f"both sides at 100 % (actual size), flipped on the {_edge(sheet.flip)}. The ruler must be 100 mm long.",
        ),
        (
            "Hold the sheet against the light,",
            "this side towards you, this way up, so that the back shines through. Beside each letter the same letter"
            f" shines through: A = A. If not, the printer flips on the other edge: print with --flip {other.value}.",
        ),
        (
            "Read ten scales,",
            "two at each cross: the level one for what is off to the side, the upright one for up and down. This side"
            " has figures and a line every millimetre; of the back, 11 lines shine through.",
        ),
        (
            "Millimetres:",
            "the figure, or the line between two figures, that is nearest to the middle one of the 11 lines, the long"
            " one with a small bar.",
        ),
        (
            "Tenths:",
            "the one of the 11 lines that is exactly in line with a line of this side. Count from the middle one, which"
            " is 0: towards the + end plus, towards the − end minus. Add both: 2 mm and −3 tenths are 1.7. If the"
            " first and the last of the 11 are in line, the middle one is halfway, such as at 1.5.",
        ),
        (
            "Thick paper?",
            "Prick the ten small crosses, where bar and middle line meet, with a needle from the back, and read on the"
            " figures of this side where the holes are.",
        ),
    )
    return [((f"{number}. {head} ", _BOLD), (words, _PLAIN)) for number, (head, words) in enumerate(steps, start=1)]


def _command(sheet: Instruction) -> list[Paragraph]:
    """Return the command that takes the readings, ready to be typed."""
    if sheet.applied:
        words = "All within 0.3 mm? Then the printer is calibrated. If not, type, with your own readings:"
        options = f'--printer "{_shown(sheet.applied)}" --refine {sheet.applied.code}'
    else:
        words = "Type, with a name for the printer, and your own readings, at each cross the level scale first:"
        options = f'--paper {_paper_option(sheet.paper)} --flip {sheet.flip.value} --printer "My printer"'
    readings = '--read "A 0.3 -0.2, B 0.1 0.0, C 0.2 -0.1, D 0.0 0.1, E 0.1 0.0"'
    return [((words, _PLAIN),), ((f"kotc calibrate {options} {readings}", _BOLD),)]


def _back_words(sheet: Instruction) -> Iterator[Item]:
    width, height = sheet.paper.width, sheet.paper.height
    room = Rect(EDGE + 4, height / 2 - 14, width / 2 - BLOCK[0] / 2 - EDGE - 8, 28)
    mirrored = (
        "Nothing is read on this side: turn the sheet over. Letters and figures are mirrored here, because they are"
        " seen from the front, through the paper."
    )
    yield from _set(
        [
            (("Calibration sheet: back", _BOLD),),
            ((f"{_settings(sheet)}.", _PLAIN),),
            ((mirrored, _PLAIN),),
        ],
        room,
    )
    needle = (
        "On paper too thick for the light, prick the ten small crosses, where the bar meets the middle line of a scale,"
        " with a needle from this side. Read on the front where the holes are."
    )
    yield from _set([(("Thick paper? ", _BOLD), (needle, _PLAIN))], replace(room, x=width - room.right))


def _examples(middle: float, measure: float, top: float) -> Iterator[Item]:
    """Yield three scales as they are seen against the light, with what is read on them."""
    yield from _words("Examples, black this side, grey what shines through:", (middle, top), _USUAL, _BOLD, "middle")
    for place, whole, tenths in ((-1, 0, 3), (0, -1, -2), (1, 2, -3)):
        value, x = whole + tenths / 10, middle + place * measure / 3
        scale = Affine.move(x, top + 2) @ Affine.scale(_ENLARGED, _ENLARGED)
        yield _ruled(back_lines(), scale @ Affine.move(value, 0.0), _GREY)
        yield from _taken(_figures(Scale(0.0, READ_AT, False, 1)), scale)
        yield _ruled(front_lines(), scale)
        words = f"{whole} mm, {tenths:+d} tenths: {value:g}".replace("-", "−")
        yield from _words(words, (x, top + 2 + _ENLARGED * DEPTH[0] + 4), _USUAL, _PLAIN, "middle")


def _form(middle: float, top: float) -> Iterator[Item]:
    """Yield a table in which the readings are written down."""
    cell, row = 18.0, 5.0
    left = middle - 3 * cell
    levels = ((left, top + n * row, left + 6 * cell, top + n * row) for n in range(4))
    uprights = ((left + n * cell, top, left + n * cell, top + 3 * row) for n in range(7))
    yield _ruled((*levels, *uprights))
    cells = [(n + 1, 0, name) for n, name in enumerate(NAMES)] + [(0, 1, "↔ level"), (0, 2, "↕ upright")]
    for column, line, words in cells:
        at = left + (column + 0.5) * cell, top + (line + 0.5) * row + 0.36 * _USUAL
        yield from _words(words, at, _USUAL, _BOLD if line == 0 else _PLAIN, "middle")


def _ruler(middle: float, y: float) -> Iterator[Item]:
    """Yield a ruler of 100 mm between the middles of its outer ticks, and what it is for."""
    ticks = ((middle - 50 + n, y, middle - 50 + n, y - (2.5 if n % 10 == 0 else 1.2)) for n in range(0, 101, 5))
    yield _ruled(((middle - 50, y, middle + 50, y), *ticks))
    yield from _words("100 mm: if it is not, print at 100 % (actual size)", (middle, y + 3.4), 2.3, _PLAIN, "middle")


def _edge(flip: Flip) -> str:
    return flip.value.replace("-", " ")


def _shown(applied: Calibration) -> str:
    """Return the printer's name, unless it has characters that no font of ours has."""
    return "this printer" if fonts.missing(applied.printer) else applied.printer


def _paper_option(paper: Size) -> str:
    """Return how the paper is given on the command line."""
    for name, size in PAPERS.items():
        if size in (paper, Size(paper.height, paper.width)):
            return name if size == paper else f"{name} --orientation landscape"
    return f"{paper.width:g}x{paper.height:g}"


def _paper_name(paper: Size) -> str:
    """Return `A4` or `Letter landscape`, and how large that is."""
    size = f"{paper.width:g} x {paper.height:g} mm"
    option = _paper_option(paper).replace("--orientation ", "")
    return f"paper of {size}" if option[0].isdigit() else f"{option[0].upper()}{option[1:]}, {size}"


def _words(
    words: str, at: tuple[float, float], size: float, style: Style, align: str, width: float = inf
) -> tuple[TextRun, ...]:
    fitted = text.fit_line(((words, style),), text.TextLine(*at, align, size, width, 0.6))
    return fitted.runs if isinstance(fitted, text.FittedLine) else ()


def _set(paragraphs: Sequence[Paragraph], room: Rect) -> tuple[TextRun, ...]:
    """Set paragraphs in a room, as large as they fit; ValueError if they do not."""
    box = text.TextBox(room, "start", _LARGEST, _SMALLEST, 0.05, text.Leading(1.25, paragraph=0.35))
    fitted = text.fit_box(tuple(paragraphs), box)
    if not isinstance(fitted, text.FittedBox):
        raise ValueError("the paper has no room for what is to be said on a calibration sheet")
    return fitted.runs
