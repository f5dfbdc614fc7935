"""Where cards lie on a sheet: its slots, what fits and where a printer can print, and which face goes into which slot.

Arithmetic only, in mm: nothing here has heard of PDF.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil, floor
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from render.base.caches import cached
from render.base.geometry import IDENTITY, Affine, Edges, Flip, Rect, Size
from render.base.lazily import AT_HAND, Lazily
from render.scene.items import Outline, Placement, Scene
from render.sheets.options import (
    MARGIN,
    MAX_IN_A_ROW,
    MIN_MARGIN,
    Backs,
    Orientation,
    Registration,
    SheetOptions,
    Where,
)

FOLD_GAP = 3.0  # mm between the fold and the cards beside it: paper is thick, and a fold is not a cut edge

_TINY = 1e-9  # mm: rounding of sums of lengths
_NEARLY = 1e-6  # mm: of sums of moved ones


class Reflection(Struct, frozen=True):
    """The line about which a sheet turns or folds: vertical at x = `at` mm, or horizontal at y = `at` mm."""

    vertical: bool
    at: float

    def box(self, box: Rect) -> Rect:
        """Return the box that lies on `box` once the sheet is turned or folded."""
        if self.vertical:
            # X goes to 2 at - x, so the right edge becomes the left one.
            return Rect(2 * self.at - box.right, box.y, box.width, box.height)
        return Rect(box.x, 2 * self.at - box.bottom, box.width, box.height)

    def edges(self, edges: Edges) -> Edges:
        """Return a box's measures by side, as they lie on the reflected box."""
        if self.vertical:
            return Edges(edges.right, edges.top, edges.left, edges.bottom)
        return Edges(edges.left, edges.bottom, edges.right, edges.top)


class Grid(Struct, frozen=True, kw_only=True):
    """The slots of a sheet: columns and rows of cards in the middle of the paper, or beside its fold.

    `offset` moves all cards, in mm to the right and down on the front. `correction` is applied to back pages to undo
    what a printer does to them: it takes a point to where it is drawn. Cards that are no rectangles are cut along `cut`,
    in mm from the corner of a slot.
    """

    options: SheetOptions
    columns: int
    rows: int
    flip_axis: Reflection
    offset: tuple[float, float] = (0.0, 0.0)
    correction: Affine = IDENTITY
    cut: tuple[Outline, ...] = ()

    @property
    def paper(self) -> Size:
        return self.options.page

    @property
    def card(self) -> Size:
        return self.options.card_size

    @property
    def count(self) -> int:
        return self.columns * self.rows

    @property
    def gutter(self) -> tuple[float, float]:
        """The space between columns and between rows: as given, else room for the bleed of both cards."""
        if self.options.gutter is not None:
            return self.options.gutter
        apart = 2 * self.options.most_bleed if self.options.bleed_where is Where.EACH else 0.0
        return apart, apart

    @property
    def block(self) -> Rect:
        """The box around all slots; on the left of a vertical fold, above a horizontal one."""
        (across, down), card, paper, options = self.gutter, self.card, self.paper, self.options
        width = self.columns * card.width + (self.columns - 1) * across
        height = self.rows * card.height + (self.rows - 1) * down
        left, top = (paper.width - width) / 2, (paper.height - height) / 2
        if options.backs is Backs.FOLD:
            end = self.flip_axis.at - max(FOLD_GAP, options.most_bleed)
            left, top = (end - width, top) if self.flip_axis.vertical else (left, end - height)
        return Rect(left + self.offset[0], top + self.offset[1], width, height)

    @property
    def blocks(self) -> tuple[Rect, ...]:
        """The boxes around all cards on the front; on a fold-over sheet, that of the backs as well."""
        return (self.block, self.flip_axis.box(self.block)) if self.options.backs is Backs.FOLD else (self.block,)

    def room(self, *, on_back: bool = False) -> Rect:
        """Return the box of a side in which marks may stand: off the edge, on a back also once it is corrected."""
        white, paper, at = self.options.white_edge, self.paper, self.correction
        room = paper.rect.outset(-white)
        if not on_back or at == IDENTITY:
            return room
        # A point (x, y) is drawn at (a x + c y + e, ...): each limit is solved for x or y, at the worse of the two
        # ends.
        left = max((white - at.e - at.c * y) / at.a for y in (0.0, paper.height))
        right = min((paper.width - white - at.e - at.c * y) / at.a for y in (0.0, paper.height))
        top = max((white - at.f - at.b * x) / at.d for x in (0.0, paper.width))
        bottom = min((paper.height - white - at.f - at.b * x) / at.d for x in (0.0, paper.width))
        return room.shared(Rect(left, top, right - left, bottom - top))

    @property
    def slots(self) -> tuple[Rect, ...]:
        """The boxes of the slots, row by row from the top left."""
        (across, down), block, (width, height) = self.gutter, self.block, (self.card.width, self.card.height)
        return tuple(
            Rect(block.x + column * (width + across), block.y + row * (height + down), width, height)
            for row in range(self.rows)
            for column in range(self.columns)
        )

    def bleed(self, slot: int, *, is_back: bool) -> Edges:
        """Return how far a face in a slot is drawn beyond its trim.

        Between cards that is at most half of the gutter, and 0 if only the block bleeds.
        """
        row, column = divmod(slot, self.columns)
        bleed = self.options.back_bleed if is_back else self.options.bleed
        inside = self.options.bleed_where is Where.EACH
        across, down = (min(bleed, room / 2) if inside else 0.0 for room in self.gutter)
        return Edges(
            bleed if column == 0 else across,
            bleed if row == 0 else down,
            bleed if column == self.columns - 1 else across,
            bleed if row == self.rows - 1 else down,
        )


# --- the faces in their slots ---------------------------------------------------------------------------------------


class ImposedCard(Struct, frozen=True):
    """The faces of a card, its number of copies, and its name; `back` is None if it has none."""

    front: Scene
    back: Scene | None
    copies: int = 1
    name: str = ""


class Sheet(Struct, frozen=True):
    """The placements on both sides of a sheet, each as its side is seen; `back` is None for a one-sided sheet."""

    front: tuple[Placement, ...]
    back: tuple[Placement, ...] | None


def impose(cards: Sequence[ImposedCard], grid: Grid) -> Sequence[Sheet]:
    """Return the sheets with every copy of every card once, in order, each back behind its front.

    Many are made again each time that they are asked for.
    """
    copies = [card for card in cards for _ in range(card.copies)]
    places = [_empty(grid, number, slot) for number, slot in enumerate(grid.slots)]
    starts = range(0, len(copies), grid.count)
    sheets = Lazily(starts, lambda start: _sheet(copies[start : start + grid.count], places, grid))
    return sheets if len(copies) > AT_HAND else [*sheets]


def _empty(grid: Grid, number: int, slot: Rect) -> tuple[Placement, Placement]:
    """Return the front and the back of a slot in which no card lies."""
    nothing, axis = Scene(grid.card, ()), grid.flip_axis
    # Reflected: the right edge of a front's slot is the left one of its back.
    behind = axis.edges(grid.bleed(number, is_back=True))
    # About a level axis the sheet turns upside down, so its backs are turned to read the right way up behind the fronts.
    back = Placement(face=nothing, box=axis.box(slot), turned=not axis.vertical, bleed=behind, is_back=True)
    return Placement(face=nothing, box=slot, bleed=grid.bleed(number, is_back=False)), back


def _sheet(cards: Sequence[ImposedCard], places: Sequence[tuple[Placement, Placement]], grid: Grid) -> Sheet:
    placed = list(zip(cards, places, strict=False))
    front = tuple(replace(place, face=card.front, name=card.name) for card, (place, _) in placed)
    back = tuple(replace(place, face=card.back, name=card.name) for card, (_, place) in placed if card.back)
    match grid.options.backs:
        case Backs.NONE:
            return Sheet(front, None)
        case Backs.FOLD:
            return Sheet((*front, *back), None)
    return Sheet(front, back)


# --- what fits ------------------------------------------------------------------------------------------------------


@cached(64)  # sets, options and sheets ask for the same
def fit_grid(options: SheetOptions) -> Grid:
    """Return the grid asked for, or the one with the most cards; ValueError, which says what would fit, if none fits."""
    fullest = max(_fullest_grids(options), key=lambda grid: grid.count)
    if not fullest.count:
        raise ValueError(_too_small(options))
    grid = _asked(options, options.grid) if options.grid else fullest
    if grid is None:
        raise ValueError(_too_many(options, fullest))
    return grid


def _asked(options: SheetOptions, asked: tuple[int, int]) -> Grid | None:
    """Return the grid of that many columns and rows; None if it does not fit."""
    columns, rows = asked
    fitting = (grid for grid in _fullest_grids(options) if columns <= grid.columns and rows <= grid.rows)
    return next((replace(grid, columns=columns, rows=rows) for grid in fitting), None)


def _fullest_grids(options: SheetOptions) -> Iterator[Grid]:
    """Yield the grid with the most cards, perhaps none, for each line that the sheet may turn or fold about.

    A sheet to be folded may lie either way, unless its orientation is asked for. Cards that are wider than high stand in
    their slots if a sheet then holds more.
    """
    if options.card_size.width > options.card_size.height:
        for size in (options.card_size, options.card_size.sideways):
            yield from _fullest_of_size(replace(options, card_size=size))
    else:
        yield from _fullest_of_size(options)


def _fullest_of_size(options: SheetOptions) -> Iterator[Grid]:
    """Yield what `_fullest_grids` does for slots of one size."""
    if options.backs is not Backs.FOLD:
        yield _filled(options, vertical=turns_about_vertical(options.page, options.flip))
        return
    for way in (options, _turned(options)) if options.orientation is Orientation.AS_GIVEN else (options,):
        yield from (_filled(way, vertical=vertical) for vertical in (True, False))


def turns_about_vertical(paper: Size, flip: Flip) -> bool:
    """Return whether a sheet turns about its vertical axis: portrait on the long edge, landscape on the short edge."""
    return (paper.height >= paper.width) == (flip is Flip.LONG_EDGE)


def _filled(options: SheetOptions, *, vertical: bool) -> Grid:
    """Return the grid with as many cards as margins, bleed and a fold leave room for."""
    paper, card, around = options.page, options.card_size, options.margin + options.most_bleed
    width, height = paper.width - 2 * around, paper.height - 2 * around
    if options.backs is Backs.FOLD:
        beside = around + max(FOLD_GAP, options.most_bleed)
        width, height = (paper.width / 2 - beside, height) if vertical else (width, paper.height / 2 - beside)
    axis = Reflection(vertical, (paper.width if vertical else paper.height) / 2)
    empty = Grid(options=options, columns=0, rows=0, flip_axis=axis)
    across, down = empty.gutter
    # N cards have n - 1 gutters: one more is added to the room.
    columns = floor((width + across + _TINY) / (card.width + across))
    rows = floor((height + down + _TINY) / (card.height + down))
    return replace(empty, columns=min(max(columns, 0), MAX_IN_A_ROW), rows=min(max(rows, 0), MAX_IN_A_ROW))


def smaller_grids(grid: Grid) -> list[Grid]:
    """Return the grid itself, and those with fewer columns or rows."""
    counts = ((columns, rows) for columns in range(1, grid.columns + 1) for rows in range(1, grid.rows + 1))
    return [replace(grid, columns=columns, rows=rows) for columns, rows in counts]


def remedies(options: SheetOptions, asked: tuple[int, int]) -> dict[str, SheetOptions]:
    """Return changes of one option each with which that many columns and rows fit, by words as `with a bleed of 1 mm`.

    A length becomes the longest one, in steps of 0.1 mm, that does.
    """
    across, down = options.gutter or (0.0, 0.0)
    backs, turned = options.bleed_backs, _turned(options)
    lengths: dict[str, tuple[float, float, Callable[[float], dict[str, Any]]]] = {
        "a bleed": (
            options.most_bleed,
            0.0,
            lambda most: {"bleed": min(options.bleed, most), "bleed_backs": backs and min(backs, most)},
        ),
        "a gutter": (max(across, down), 0.0, lambda most: {"gutter": (min(across, most), min(down, most))}),
        "margins": (options.margin, MIN_MARGIN, lambda most: {"margin": most}),
    }
    ways = {f"in {turned.orientation.value}": turned}
    for name, (length, least, shortened) in lengths.items():
        for tenths in range(ceil(length * 10 - _TINY) - 1, ceil(least * 10 - _TINY) - 1, -1):
            changed = replace(options, **shortened(tenths / 10))
            if _asked(changed, asked):
                ways[f"with {name} of {tenths / 10:g} mm"] = changed
                break
    if options.most_bleed and options.gutter is None:
        ways["with bleed only around the block"] = replace(options, bleed_where=Where.BLOCK)
    return {words: changed for words, changed in ways.items() if _asked(changed, asked)}


def _turned(options: SheetOptions) -> SheetOptions:
    stands = options.page.height >= options.page.width
    return replace(options, orientation=Orientation.LANDSCAPE if stands else Orientation.PORTRAIT)


def _too_many(options: SheetOptions, fullest: Grid) -> str:
    """Return why the grid asked for does not fit, the fullest one that does, and what would let it fit."""
    assert options.grid is not None
    asked, (across, down) = f"{options.grid[0]} x {options.grid[1]}", fullest.gutter
    apart = f", {across:g} mm apart," if across == down else f", {across:g} mm apart across and {down:g} mm down,"
    message = f"{asked} cards of {options.card_size}{' beside a fold' if options.backs is Backs.FOLD else ''}"
    message += f"{apart if across or down else ''} do not fit {_paper(options)}: {fullest.columns} x {fullest.rows} do"
    ways = " or ".join(remedies(options, options.grid))
    return f"{message}; {asked} do {ways}" if ways else message


def _too_small(options: SheetOptions) -> str:
    """Return that a paper holds no card, and the smallest that do, in steps of 0.01 mm; for a fold, upright and level."""
    around = options.margin + options.most_bleed
    outer = [2 * around + side for side in (options.card_size.width, options.card_size.height)]
    papers, folded = [outer], ""
    if options.backs is Backs.FOLD:
        (width, height), beside = outer, max(FOLD_GAP, options.most_bleed)
        papers, folded = (
            [[2 * (width - around + beside), height], [width, 2 * (height - around + beside)]],
            ", to be folded",
        )
    least = " or ".join(str(Size(*(ceil(length * 100 - _TINY) / 100 for length in paper))) for paper in papers)
    message = f"no card of {options.card_size} fits {_paper(options)}: it must be at least {least}{folded}"
    turned = _turned(options)
    return f"{message}; one fits in {turned.orientation.value}" if _asked(turned, (1, 1)) else message


def _paper(options: SheetOptions) -> str:
    bleed = f" and a bleed of {options.most_bleed:g} mm" if options.most_bleed else ""
    return f"a paper of {options.page} with margins of {options.margin:g} mm{bleed}"


# --- where a printer can print --------------------------------------------------------------------------------------
# Fronts are not corrected. So all cards are moved, fronts and backs together, until both sides keep off the edge; if
# that is not enough, there are fewer of them.


def fit_printable(options: SheetOptions, correction: Affine = IDENTITY) -> Grid:
    """Return what `fit_grid` does, moved if corrected backs would come too near to the edge.

    Then it also has fewer cards if that is not enough, unless a grid is asked for.
    """
    grid = fit_grid(options)
    if correction == IDENTITY or options.backs in (Backs.FOLD, Backs.NONE):
        return grid
    grid = replace(grid, correction=correction)
    if options.registration is not Registration.NONE:  # moved cards could reach the marks, which cannot move
        return grid
    moved = _moved(grid)
    return moved if is_printable(moved) or options.grid is not None else fewer_printable(grid) or moved


def is_printable(grid: Grid) -> bool:
    """Return whether all cards of both sides keep off what printers leave white, or off the margin if that is less."""
    return nearest(grid)[0] >= _white(grid) - _NEARLY


def nearest(grid: Grid) -> tuple[float, str, bool]:
    """Return how far cards keep from an edge of the page where they come nearest, that edge, and whether of the back."""
    sides = [(length, edge, on_back) for on_back in (True, False) for edge, length in _distances(grid, on_back).items()]
    return min(sides, key=lambda each: each[0])


def margin(grid: Grid) -> float:
    """Return what stays white along the edges of fronts: the margin, or less if cards are moved."""
    moved = [round(min(_distances(grid).values()), 4)] if any(grid.offset) else []
    return min([grid.options.margin, *moved])


def _moved(grid: Grid) -> Grid:
    """Return the grid moved as little as leaves the usual margin on both sides, or else so that both have the same."""
    if is_printable(grid):
        return grid
    front, back = _distances(grid), _distances(grid, on_back=True)
    offset = []
    for low, high in (("left", "right"), ("top", "bottom")):
        # Moving right on the front is moving left on the back of a sheet that turns about its vertical axis.
        behind = (high, low) if grid.flip_axis.vertical == (low == "left") else (low, high)
        before, after = min(front[low], back[behind[0]]), min(front[high], back[behind[1]])
        # No more than half of all white, which is the middle.
        wanted = min(max(_white(grid), min(MARGIN, grid.options.margin)), (before + after) / 2)
        offset.append(round(max(wanted - before, 0.0) - max(wanted - after, 0.0), 2))
    return replace(grid, offset=(offset[0], offset[1]))


def fewer_printable(grid: Grid) -> Grid | None:
    """Return the grid with the most cards that can be printed, moved if need be; None if not even one can."""
    fitting = filter(is_printable, map(_moved, smaller_grids(grid)))
    return max(fitting, key=lambda each: (each.count, nearest(each)[0]), default=None)


def _distances(grid: Grid, on_back: bool = False) -> dict[str, float]:
    """Return how far the cards of a side, with their bleed, keep from each edge of the page, as printed."""
    paper, box = grid.paper, grid.block.outset(grid.options.bleed)
    if on_back:
        box = grid.correction.box(grid.flip_axis.box(grid.block).outset(grid.options.back_bleed))
    return {"left": box.x, "top": box.y, "right": paper.width - box.right, "bottom": paper.height - box.bottom}


def _white(grid: Grid) -> float:
    return min(MIN_MARGIN, grid.options.margin)
