"""The calibration sheet: five crosses with vernier scales on both sides, and how to read them.

Both sides are drawn as seen from the front. The back's drawing is then reflected through the paper: its figures and
letters are mirrored, and read the right way round against the light.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from render.base.geometry import IDENTITY, Affine, Flip, Rect, Size
from render.base.sizes import PAPERS
from render.pdf.document import Page
from render.scene import outlines as shapes
from render.scene.items import Color, Item, Outline, Path, Stroke, TextRun
from render.sheets.calibration import dots
from render.sheets.calibration.fit import (
    BLOCK,
    DEPTH,
    EDGE,
    LINES,
    NAMES,
    PITCH,
    READ_AT,
    VERNIER,
    VERNIER_PITCH,
    Cross,
    Scale,
    crosses,
    map_through,
)
from render.sheets.calibration.printers import Calibration
from render.text import fitting, fonts
from render.text.box_lines import Leading, TextBlock, TextBox
from render.text.line_breaking import Paragraph, TextStyle

_NAME = 5.0  # mm: the size of a cross's name


class Instruction(Struct, frozen=True):
    """What a sheet is printed for: paper and flip, and the correction applied to its back, if any."""

    paper: Size
    flip: Flip
    applied: Calibration | None = None


def pages(sheet: Instruction) -> tuple[Page, Page]:
    """Return the front and the back of the sheet; ValueError if the paper is too small for it."""
    paper = sheet.paper
    if not dots.fits(paper):
        raise ValueError(
            f"a calibration sheet needs paper of {dots.MIN_PAPER:g} mm a side at least, and this is {paper}"
        )
    on_front, on_back = dots.layout(paper)
    code = dots.SheetCode(sheet.flip, sheet.applied.code if sheet.applied else "")
    front = [item for cross in crosses(paper) for item in _front(cross)]
    front += dots.draw_side(on_front, dots.large_fronts(paper, code), dots.FRONT_SIZES, BLACK)
    back = [item for cross in crosses(paper) for item in _back(cross)]
    back += dots.draw_side(on_back, dots.large_backs(paper), dots.BACK_SIZES, BLACK)
    shining = transform_items(back, map_through(paper, sheet.flip))
    shift = sheet.applied.correction if sheet.applied else IDENTITY
    return (
        Page(size=paper, placements=(), marks=(*front, *front_words(sheet))),
        Page(size=paper, placements=(), marks=(*shining, *back_words(sheet)), shift=shift),
    )


# --- crosses --------------------------------------------------------------------------------------------------------


def _front(cross: Cross) -> Iterator[Item]:
    """Yield the front's part of a cross: lines every mm with figures and signs, its name, the mark to glance at."""
    for scale in (cross.across, cross.down):
        yield rule_lines(front_lines(), placed_at(scale))
        yield from draw_figures(scale)
    yield rule_lines(((-4.0, 0.0, 4.0, 0.0), (0.0, -4.0, 0.0, 4.0)), Affine.move(*cross.mark))
    x, y = cross.title
    yield from words_at(f"{cross.name} =", (x + 1.6, y + 0.36 * _NAME), _NAME, BOLD, "end")


def _back(cross: Cross) -> Iterator[Item]:
    """Yield the back's part of a cross, as seen from the front; its name follows the front's, against the light."""
    for scale in (cross.across, cross.down):
        yield rule_lines(back_lines(), placed_at(scale))
    rings = (*shapes.ellipse(*cross.mark, 1.0, 1.0), *shapes.ellipse(*cross.mark, 2.0, 2.0))
    yield Path(rings, stroke=Stroke(color=BLACK, width=THIN))
    x, y = cross.title
    yield from words_at(cross.name, (x + 1.6 + 1.2, y + 0.36 * _NAME), _NAME, BOLD, "start")


# --- scales as lines and figures, and words on a line, as seen from the front ----------------------------------------

FRONT_LINE, BACK_LINE = (2.5, 9.0), (0.0, 8.3)  # mm from a scale's outer edge: they overlap even when 5 mm off
BLACK: Color = (0, 0, 0)
PLAIN = TextStyle("DejaVu Sans Condensed", BLACK)
BOLD = TextStyle("DejaVu Sans Condensed Bold", BLACK)

THIN = 0.15  # mm: broad enough to shine through, and thinner than two tenths
_FIGURE, _SIGN = 2.4, 2.8  # mm: sizes of type, to be read against the light
_SECOND_ROW = 0.8  # mm from the first row of figures to the second

Line = tuple[float, float, float, float]
"""Start and end of a line: x, y, x, y."""


def front_lines() -> tuple[Line, ...]:
    """Return the lines of a scale on the front, every mm; it runs to the right, with its outer edge at y = 0."""
    begin, end = FRONT_LINE
    return tuple((n * PITCH, begin, n * PITCH, end if n % 2 == 0 else end - 0.8) for n in range(-LINES, LINES + 1))


def back_lines() -> tuple[Line, ...]:
    """Return the lines on the back, every 0.9 mm, and the bar across the middle one, which marks where to prick."""
    (begin, end), later = BACK_LINE, {0: 0.0, VERNIER: 0.7, -VERNIER: 0.7}
    lines = (
        (n * VERNIER_PITCH, begin + later.get(n, 1.4), n * VERNIER_PITCH, end) for n in range(-VERNIER, VERNIER + 1)
    )
    return (*lines, (-0.5, READ_AT, 0.5, READ_AT))


def placed_at(scale: Scale) -> Affine:
    """Return the map of a scale's lines onto the paper: its reading point goes to the scale's point."""
    edge = -scale.inward * READ_AT
    if scale.down:
        return Affine(0.0, 1.0, scale.inward, 0.0, scale.x + edge, scale.y)
    return Affine(1.0, 0.0, 0.0, scale.inward, scale.x, scale.y + edge)


def draw_figures(scale: Scale) -> Iterator[Item]:
    """Yield the figures of a scale and the signs at its ends. A level one has two rows of them, since they are wide."""
    place, behind = placed_at(scale), FRONT_LINE[1] + 0.2
    labels = [(n, f"{n}", _FIGURE, PLAIN) for n in range(-4, 5, 2)]  # with hyphens: a minus sign has no room
    for n, words, size, style in (*labels, (-7, "−", _SIGN, BOLD), (7, "+", _SIGN, BOLD)):
        row = 0.0 if scale.down or n % 4 != 2 else _SECOND_ROW
        x, y = place.apply(n, behind + row)
        if scale.down:
            yield from words_at(words, (x, y + 0.36 * size), size, style, "start" if scale.inward > 0 else "end")
        else:
            center = y + scale.inward * 0.36 * _FIGURE
            yield from words_at(words, (x, center + 0.36 * size), size, style, "middle")


def rule_lines(lines: Iterable[Line], place: Affine = IDENTITY, color: Color = BLACK) -> Path:
    outlines = tuple(Outline((x1, y1), ((x2, y2),), False) for x1, y1, x2, y2 in lines)
    return Path(shapes.move_outlines(outlines, place), stroke=Stroke(color=color, width=THIN))


def transform_items(items: Iterable[Item], by: Affine) -> Iterator[Item]:
    """Yield lines and words with the map applied."""
    for item in items:
        if isinstance(item, Path):
            yield replace(item, outlines=shapes.move_outlines(item.outlines, by))
        elif isinstance(item, TextRun):
            yield replace(item, transform=by @ item.transform)


def words_at(
    words: str, at: tuple[float, float], size: float, style: TextStyle, align: str, width: float = inf
) -> tuple[TextRun, ...]:
    return fitting.set_line(words, style, fitting.TextLine(*at, align, size, width, 0.6))


# --- The words on a calibration sheet: steps, worked examples, a form for the readings, the command to type ---


_GRAY: Color = (130, 130, 130)
_HEAD, _USUAL, _LARGEST, _SMALLEST = 4.6, 2.9, 3.5, 1.8
_ENLARGED = 1.4  # times the scales on the sheet, in the examples
_COMMANDS, _ROW = (3.2, 2.8, 2.4, 2.0, 1.75), 1.3  # mm: sizes of type of the command; line height in sizes
_SAID = 4.6  # mm for the words above it, in small type
_MAX_OF_COMMAND = 21.0  # mm, words included
_LONGEST_NAME = 16.0  # em of a printer's name in running words
_WIDEST = 150.0  # mm: longer lines are hard to read


def front_words(sheet: Instruction) -> Iterator[Item]:
    """Yield the head, the steps, examples, a form for the readings, the command, and a ruler."""
    width, height = sheet.paper.width, sheet.paper.height
    middle, measure = width / 2, min(width - 2 * (EDGE + BLOCK[0] + 2), _WIDEST)
    left, below = middle - measure / 2, height / 2 + BLOCK[0] / 2 + 5
    title, settings = _head(sheet)
    yield from words_at("▲ this way up", (middle, EDGE + 4), _USUAL, PLAIN, "middle")
    yield from words_at(f"{title}: front", (middle, EDGE + 11), _HEAD, BOLD, "middle")
    yield from words_at(settings, (middle, EDGE + 16), _USUAL, PLAIN, "middle", measure)
    yield from _set(_steps(sheet), Rect(left, EDGE + 20, measure, height / 2 - BLOCK[0] / 2 - 3 - EDGE - 20))
    yield from _examples(middle, measure, below)
    yield from _form(middle, below + 33)
    yield from _command(sheet, Rect(left, below + 51, measure, min(height - below - 51 - EDGE - 9, _MAX_OF_COMMAND)))
    # A ruler of 100 mm between the middles of its end ticks.
    y = height - EDGE - 6
    ticks = ((middle - 50 + n, y, middle - 50 + n, y - (2.5 if n % 10 == 0 else 1.2)) for n in range(0, 101, 5))
    yield rule_lines(((middle - 50, y, middle + 50, y), *ticks))
    yield from words_at("100 mm: if it is not, print at 100 % (actual size)", (middle, y + 3.4), 2.3, PLAIN, "middle")


def back_words(sheet: Instruction) -> Iterator[Item]:
    width, height = sheet.paper.width, sheet.paper.height
    left = EDGE + BLOCK[0] + 2  # beside the dots
    room = Rect(left, height / 2 - 15, width / 2 - BLOCK[0] / 2 - 2 - left, 30)
    title, settings = _head(sheet)
    mirrored = (
        "Nothing is read on this side: turn the sheet over. Letters are mirrored here, because they are seen from the"
        " front, through the paper."
    )
    yield from _set([((f"{title}: back", BOLD),), ((f"{settings}.", PLAIN),), ((mirrored, PLAIN),)], room)
    needle = (
        "On paper too thick for the light, prick the ten small crosses, where the bar meets the middle line of a scale,"
        " with a needle from this side. Read on the front where the holes are."
    )
    yield from _set([(("Thick paper? ", BOLD), (needle, PLAIN))], replace(room, x=width - room.right))


def _head(sheet: Instruction) -> tuple[str, str]:
    """Return the title of both sides, and the settings: paper, flip, and the correction that is applied."""
    title, applied = "Calibration sheet", "no correction applied"
    if sheet.applied:
        # The printer's name, cut if it is long, or what stands for one that no bundled font can print.
        name = kept = "this printer" if fonts.missing(sheet.applied.printer) else sheet.applied.printer
        while fonts.width(PLAIN.face, kept) > _LONGEST_NAME:
            kept = kept[:-1]
        shown = name if kept == name else f"{kept.rstrip()}…"
        title, applied = "Check sheet", f"with the correction of {shown}, code {sheet.applied.code}"
    name = _paper_option(sheet.paper).replace("--orientation ", "")  # such as `letter landscape`
    paper = f"paper of {sheet.paper}" if name[0].isdigit() else f"{name[0].upper()}{name[1:]}, {sheet.paper}"
    return title, f"{paper}, flipped on the {sheet.flip.words}, {applied}"


def _steps(sheet: Instruction) -> list[Paragraph]:
    other = next(flip for flip in Flip if flip is not sheet.flip)
    mend = f"flips on the other edge: print with --flip {other.value}."
    if sheet.applied:
        mend = f"flipped on the {other.words}: print again, flipped on the {sheet.flip.words}."
    paper = _paper_option(sheet.paper)
    photo = "kotc calibrate --photo FILE"
    if not sheet.applied:
        photo += ' --printer "My printer"' + (f" --paper {paper}" if paper[0].isdigit() else "")
    steps = {
        "Print": f"both sides at 100 % (actual size), flipped on the {sheet.flip.words}. The ruler must be 100 mm long.",
        "With a camera": "that is nearly all: hold the sheet flat against a bright window, this side towards you, take a"
        f" sharp picture of all of it from straight in front, and type: {photo}",
        "Without one, hold the sheet against the light,": "this side towards you, this way up, so that the back shines through."
        f" Beside each letter the same letter shines through: A = A. If not, the printer {mend}",
        "Read ten scales,": "two at each cross: the level one for what is off to the side, the upright one for up and"
        " down. This side has figures and a line every millimetre; of the back, 11 lines shine through.",
        "Millimetres:": "the figure, or the line between two figures, that is nearest to the middle one of the 11"
        " lines, the long one with a small bar.",
        "Tenths:": "the one of the 11 lines that is exactly in line with a line of this side. Count from the middle"
        " one, which is 0: towards the + end plus, towards the − end minus. Add both: 2 mm and −3 tenths are 1.7. If"
        " the first and the last of the 11 are in line, the middle one is halfway, such as at 1.5.",
        "Thick paper?": "Prick the ten small crosses, where bar and middle line meet, with a needle from the back, and"
        " read on the figures of this side where the holes are.",
    }
    return [
        ((f"{number}. {head} ", BOLD), (words, PLAIN)) for number, (head, words) in enumerate(steps.items(), start=1)
    ]


def _examples(middle: float, measure: float, top: float) -> Iterator[Item]:
    """Yield two level scales and an upright one as seen against the light, with what is read on them."""
    yield from words_at("Examples, black this side, grey what shines through:", (middle, top), _USUAL, BOLD, "middle")
    for place, down, whole, tenths in ((-1, False, 0, 3), (0, False, 2, -3), (1, True, -1, -2)):
        value, x = whole + tenths / 10, middle + place * measure / 3
        scale = Scale(-DEPTH[1] / 2 + READ_AT, 0.0, True, 1) if down else Scale(0.0, READ_AT - DEPTH[0] / 2, False, 1)
        to_sheet = Affine.move(x, top + 14) @ Affine.scale(_ENLARGED, _ENLARGED)
        lines = to_sheet @ placed_at(scale)
        yield rule_lines(back_lines(), lines @ Affine.move(value, 0.0), _GRAY)
        yield from transform_items(draw_figures(scale), to_sheet)
        yield rule_lines(front_lines(), lines)
        words = f"{'↕' if down else '↔'} {whole} mm, {tenths:+d} tenths: {value:g}".replace("-", "−")
        yield from words_at(words, (x, top + 29), _USUAL, PLAIN, "middle", measure / 3)


def _form(middle: float, top: float) -> Iterator[Item]:
    """Yield a table for writing the readings down."""
    cell, row = 18.0, 5.0
    left = middle - 3 * cell
    levels = ((left, top + n * row, left + 6 * cell, top + n * row) for n in range(4))
    uprights = ((left + n * cell, top, left + n * cell, top + 3 * row) for n in range(7))
    yield rule_lines((*levels, *uprights))
    cells = [(n + 1, 0, name) for n, name in enumerate(NAMES)] + [(0, 1, "↔ level"), (0, 2, "↕ upright")]
    for column, level, words in cells:
        at = left + (column + 0.5) * cell, top + (level + 0.5) * row + 0.36 * _USUAL
        yield from words_at(words, at, _USUAL, BOLD if level == 0 else PLAIN, "middle")


def _command(sheet: Instruction, room: Rect) -> Iterator[Item]:
    """Yield the command that takes the readings, ready to type, as large as it fits; no line of it ends inside quotes."""
    if sheet.applied:
        words = "Type, in one line, your own readings, each level scale first, however small they are. That confirms"
        words += " the correction, or tells which slip was made:"
        name = "NAME" if fonts.missing(sheet.applied.printer) else sheet.applied.printer  # no font has its characters
        options = ["kotc calibrate", f'--printer "{name}"', f"--check {sheet.applied.code}"]
    else:
        words = "Type, in one line, with a name for the printer and your own readings, each level scale first:"
        options = ["kotc calibrate", f"--paper {_paper_option(sheet.paper)}", f"--flip {sheet.flip.value}"]
        options.append('--printer "My printer"')
    parts = [*options, '--read "A 0.3 -0.2, B 0.1 0.0, C 0.2 -0.1, D 0.0 0.1, E 0.1 0.0"']
    for size in _COMMANDS:
        rows = [""]
        for part in parts:
            longer = f"{rows[-1]} {part}".strip()
            if rows[-1] and fonts.width(BOLD.face, longer) > room.width / size:
                rows.append(part)
            else:
                rows[-1] = longer
        wide = max(fonts.width(BOLD.face, row) for row in rows) * size
        if wide <= room.width and len(rows) * _ROW * size + _SAID <= room.height:
            break
    else:
        rows = parts
    below = room.bottom - len(rows) * _ROW * size
    yield from _set([((words, PLAIN),)], replace(room, height=below - room.y))
    for number, row in enumerate(rows, start=1):
        yield from words_at(row, (room.x, below + (number - 0.25) * _ROW * size), size, BOLD, "start", room.width)


def _paper_option(paper: Size) -> str:
    """Return the paper as it is given on the command line."""
    for name, size in PAPERS.items():
        if size in (paper, Size(paper.height, paper.width)):
            return name if size == paper else f"{name} --orientation landscape"
    return f"{paper.width:g}x{paper.height:g}"


def _set(paragraphs: Sequence[Paragraph], room: Rect) -> tuple[TextRun, ...]:
    """Set paragraphs in a room, as large as they fit; ValueError if they do not."""
    leading = Leading(1.25, paragraph=0.35)
    box = TextBox(room=room, align="start", largest=_LARGEST, smallest=_SMALLEST, step=0.05, leading=leading)
    fitted = fitting.fit_box([TextBlock(words) for words in paragraphs], box)
    if not isinstance(fitted, fitting.FittedBox):
        raise ValueError("the paper has no room for what is to be said on a calibration sheet")
    return fitted.runs
