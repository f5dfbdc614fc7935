"""What a cutting machine needs for a sheet: where to cut, and the marks by which it finds the sheet.

All lengths are in mm from the top left of the paper, seen from its front.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import floor

from msgspec import Struct
from msgspec.structs import replace

from render.base.geometry import Rect, Size
from render.scene.items import Item, Outline, Path
from render.sheets.cut_shapes import in_slot
from render.sheets.imposition import Grid, fit_grid, smaller_grids
from render.sheets.options import Backs, Orientation, Registration, SheetOptions

# Silhouette Studio's marks of type 1: a square at the top left, brackets at the top right and the bottom left. Its own
# limits are: inset from 10 mm, length 5 to 20 mm, thickness 0.5 to 1 mm. The inset runs to the middle of the line, as
# silhouette-card-maker and inkscape-silhouette draw it, and their users cut by it.
INSET = 10.0  # mm from the paper's edge: nothing outside it can be cut
THICKNESS = 0.5  # mm: the thinnest, which according to inkscape-silhouette is read most exactly
SQUARE = 5.0  # mm a side, with a line of that thickness around it
_LENGTHS = 5.0, 20.0  # mm of the brackets
_CLEARANCE = 2.0  # mm around a mark that stay unprinted, so that no card's edge is taken for the mark
_LENGTH_STEP = 0.5  # mm: the user must type the length into the cutter's program
_DIGITS, NEARLY = 6, 1e-6  # of mm, and mm: rounding of sums of lengths


class Contour(Struct, frozen=True):
    """A closed cut along the trim of one card, with corners of `radius` mm."""

    box: Rect
    radius: float

    @property
    def steps(self) -> tuple[tuple[float, float, bool], ...]:
        """Its points clockwise; True if a quarter circle leads to the next point, else a straight line."""
        box, r = self.box, self.radius
        if r == 0:
            corners = ((box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom))
            return tuple((x, y, False) for x, y in corners)
        return (
            (box.x + r, box.y, False),
            (box.right - r, box.y, True),
            (box.right, box.y + r, False),
            (box.right, box.bottom - r, True),
            (box.right - r, box.bottom, False),
            (box.x + r, box.bottom, True),
            (box.x, box.bottom - r, False),
            (box.x, box.y + r, True),
        )


class CutLine(Struct, frozen=True):
    """A straight cut, which may part several cards."""

    start: tuple[float, float]
    end: tuple[float, float]


class CutShape(Struct, frozen=True):
    """A closed cut along the outline of a card that is no rectangle."""

    outline: Outline


Cut = Contour | CutLine | CutShape


class RegistrationMarks(Struct, frozen=True):
    """The registration marks of a sheet; their brackets are `length` mm long."""

    paper: Size
    length: float

    @property
    def outlines(self) -> tuple[Outline, ...]:
        """What is printed black: the square, the bracket at the top right, the bracket at the bottom left."""
        width, height, half = self.paper.width, self.paper.height, THICKNESS / 2
        outer, inner, end = INSET - half, INSET + half, INSET + self.length
        # Both brackets are reflections of one at the top left.
        bracket = (outer, outer), (end, outer), (end, inner), (inner, inner), (inner, end), (outer, end)
        far = INSET + SQUARE + half
        square = (outer, outer), (far, outer), (far, far), (outer, far)
        shapes = square, [(width - x, y) for x, y in bracket], [(x, height - y) for x, y in bracket]
        return tuple(Outline(start, tuple(corners), True) for start, *corners in shapes)

    @property
    def words(self) -> str:
        """What to set in the cutter's program."""
        lengths = f"length {self.length:g} mm, thickness {THICKNESS:g} mm, inset {INSET:g} mm on each side"
        return f"registration marks: type 1, {lengths}"

    @property
    def items(self) -> tuple[Item, ...]:
        """The marks as they are drawn on the fronts of sheets."""
        return (Path(self.outlines, (0, 0, 0)),)


class CutSheet(Struct, frozen=True):
    """The cuts of a sheet, the marks printed on it, if any, and where it is folded."""

    paper: Size
    cuts: tuple[Cut, ...]
    marks: RegistrationMarks | None
    folds: tuple[CutLine, ...] = ()


def cut_sheet(grid: Grid, filled: int | None = None) -> CutSheet:
    """Return the cuts of all slots, or of the first `filled`; ValueError if the radius or the marks are impossible."""
    slots, radius, card = grid.slots[:filled], grid.options.corner_radius, grid.card
    if grid.cut:
        cuts = tuple(CutShape(outline) for slot in slots for outline in in_slot(grid.cut, slot))
        return CutSheet(grid.paper, cuts, registration_marks(grid))
    if radius > (most := min(card.width, card.height) / 2):
        raise ValueError(f"a corner radius of {radius:g} mm is too large for cards of {card}: at most {most:g} mm")
    # Shared edges are cut once, if no corner is round.
    lines = _lines(slots) if radius == 0 and _share_edges(slots) else []
    return CutSheet(grid.paper, tuple(lines or (Contour(slot, radius) for slot in slots)), registration_marks(grid))


def shared_edges(sheet: CutSheet) -> bool:
    """Return whether edges shared by two cards are cut twice: the rounded contours of cards that touch."""
    return _share_edges([cut.box for cut in sheet.cuts if isinstance(cut, Contour)])


def registration_marks(grid: Grid) -> RegistrationMarks | None:
    """Return the marks that a grid's options ask for; ValueError, which says what would fit, if they collide."""
    if grid.options.registration is Registration.NONE:
        return None
    if grid.options.backs is Backs.FOLD:
        raise ValueError("a sheet that is folded is cut when it is folded: registration marks cannot be on it")
    if grid.options.margin > (outer := INSET - THICKNESS / 2):
        message = (
            f"registration marks do not keep margins of {grid.options.margin:g} mm, since machines seek them there"
        )
        raise ValueError(f"{message}: use margins of at most {outer:g} mm")
    if length := _longest(grid):
        return RegistrationMarks(grid.paper, length)
    here, turned = grid.paper, Size(grid.paper.height, grid.paper.width)
    ways = [way for paper in dict.fromkeys((here, turned)) if (way := _fullest(grid, paper))]
    ways.sort(key=lambda way: -way.count)
    fitting = " or ".join(f"{way.columns} x {way.rows} on {way.paper}" for way in ways) or "no grid of these cards"
    cards = f"{grid.columns} x {grid.rows} cards of {grid.card} on a paper of {here}"
    raise ValueError(
        f"registration marks need {INSET:g} mm along each edge and free corners, which {cards} do not leave:"
        f" {fitting} would fit"
    )


def misfit(options: SheetOptions) -> tuple[str, tuple[str, ...]] | None:
    """Return what does not fit on the paper, and its keys; the first one given should be changed."""
    keys: tuple[str, ...] = ("grid", "paper", "card_size", "margin")
    try:
        grid = fit_grid(options)
        keys = ("registration",)
        registration_marks(grid)
    except ValueError as error:
        return str(error), keys
    return None


# --- cuts -----------------------------------------------------------------------------------------------------------


def _share_edges(slots: Sequence[Rect]) -> bool:
    # Shared edges are joined in `_lines`, so the cuts are then shorter than all contours together.
    around = sum(2 * (slot.width + slot.height) for slot in slots)
    cut = sum(abs(line.end[0] - line.start[0]) + abs(line.end[1] - line.start[1]) for line in _lines(slots))
    return around - cut > NEARLY


def _lines(slots: Sequence[Rect]) -> list[CutLine]:
    """Return the edges of the slots, joined where they meet: horizontal ones from the top, then vertical ones."""
    level = _joined((y, slot.x, slot.right) for slot in slots for y in (slot.y, slot.bottom))
    upright = _joined((x, slot.y, slot.bottom) for slot in slots for x in (slot.x, slot.right))
    lines = [CutLine((start, y), (end, y)) for y, start, end in level]
    return [*lines, *(CutLine((x, start), (x, end)) for x, start, end in upright)]


def _joined(edges: Iterable[tuple[float, float, float]]) -> Iterator[tuple[float, float, float]]:
    """Yield edges, each its position, start and end, in order; those of one position that overlap or meet are one."""
    rounded = sorted(tuple(round(value, _DIGITS) for value in edge) for edge in edges)
    for at, same in groupby(rounded, key=lambda edge: edge[0]):
        yield from ((at, *span) for span in join_spans((start, end) for _, start, end in same))


Span = tuple[float, float]
"""Start and end along a line."""


def join_spans(spans: Iterable[Span]) -> list[Span]:
    """Return spans in order: those that overlap or meet are one, and empty ones left out."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if end <= start:
            continue
        if joined and start - joined[-1][1] <= NEARLY:
            joined[-1] = joined[-1][0], max(joined[-1][1], end)
        else:
            joined.append((start, end))
    return joined


# --- marks ----------------------------------------------------------------------------------------------------------


def _longest(grid: Grid) -> float | None:
    """Return the length of the longest brackets that fit beside a grid; None if even the shortest do not."""
    printed = grid.block.outset(grid.options.bleed)
    beside, above = printed.x - INSET, printed.y - INSET  # the other two sides are equal: the block is centered
    if min(beside, above) < -NEARLY:
        return None
    # One side with room is enough: a bracket's corner lies beside the block or above it.
    free = max(beside, above) - _CLEARANCE + NEARLY
    shortest, longest = _LENGTHS
    return min(floor(free / _LENGTH_STEP) * _LENGTH_STEP, longest) if free >= shortest else None


def _fullest(grid: Grid, paper: Size) -> Grid | None:
    """Return the grid with the most cards of this size that leaves room for marks on a paper; None if none does."""
    options = replace(grid.options, paper=paper, orientation=Orientation.AS_GIVEN, grid=None)
    try:
        most = fit_grid(options)
    except ValueError:
        return None
    return max(filter(_longest, smaller_grids(most)), key=lambda each: each.count, default=None)
