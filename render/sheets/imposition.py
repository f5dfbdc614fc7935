"""The slots of a sheet: columns and rows of cards on the paper, and the line about which it turns or folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, floor

from render.base.caches import cached
from render.base.geometry import IDENTITY, Affine, Edges, Flip, Rect, Size
from render.scene.items import Placement, Scene
from render.sheets.options import MAX_IN_A_ROW, MIN_MARGIN, Backs, Orientation, SheetOptions, Where

FOLD_GAP = 3.0  # mm between the fold and the cards beside it: paper is thick, and a fold is not a cut edge


@dataclass(frozen=True, slots=True)
class Reflection:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """The slots of a sheet: columns and rows of cards in the middle of the paper, or beside its fold.

    `offset` moves all cards, in mm to the right and down on the front. `correction` is applied to back pages to undo
    what a printer does to them: it takes a point to where it is drawn.
    """

    options: SheetOptions
    columns: int
    rows: int
    flip_axis: Reflection
    offset: tuple[float, float] = (0.0, 0.0)
    correction: Affine = IDENTITY

    @property
    def paper(self) -> Size:
        """The page, in its orientation."""
        return self.options.page

    @property
    def card(self) -> Size:
        """The trim size."""
        return self.options.card_size

    @property
    def count(self) -> int:
        """The number of slots."""
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
        """The box around all slots."""
        (across, down), card, paper = self.gutter, self.card, self.paper
        width = self.columns * card.width + (self.columns - 1) * across
        height = self.rows * card.height + (self.rows - 1) * down
        left, top = (paper.width - width) / 2, (paper.height - height) / 2
        if self.options.backs is Backs.FOLD and self.flip_axis.vertical:
            # On the left of a vertical fold, and above a horizontal one.
            left = self.flip_axis.at - _from_the_fold(self.options) - width
        elif self.options.backs is Backs.FOLD:
            top = self.flip_axis.at - _from_the_fold(self.options) - height
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
        (across, down), block, card = self.gutter, self.block, self.card
        return tuple(
            Rect(
                block.x + column * (card.width + across), block.y + row * (card.height + down), card.width, card.height
            )
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


# --- Imposition: which face goes into which slot, on which side of which sheet, and which way up. Arithmetic only ---


_TINY = 1e-9  # mm: rounding of sums of lengths


@dataclass(frozen=True, slots=True)
class ImposedCard:
    """The faces of a card, its number of copies, and its name; `back` is None if it has none."""

    front: Scene
    back: Scene | None
    copies: int = 1
    name: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The placements on both sides of a sheet, each as its side is seen; `back` is None for a one-sided sheet."""

    front: tuple[Placement, ...]
    back: tuple[Placement, ...] | None


# --- what fits ------------------------------------------------------------------------------------------------------


@cached(64)  # sets, options and sheets ask for the same
def fit_grid(options: SheetOptions) -> Grid:
    """Return the grid asked for, or the one with the most cards.

    ValueError, which says what would fit, if none fits.
    """
    fullest = _fullest(options)
    if not fullest.count:
        raise ValueError(_too_small(options))
    if options.grid is None:
        return fullest
    grid = _asked(options, options.grid)
    if grid is None:
        raise ValueError(_too_many(options, options.grid, fullest))
    return grid


def _fullest(options: SheetOptions) -> Grid:
    return max(_fullest_grids(options), key=lambda grid: grid.count)


def _asked(options: SheetOptions, grid: tuple[int, int]) -> Grid | None:
    """Return the grid of that many columns and rows; None if it does not fit."""
    columns, rows = grid
    for fullest in _fullest_grids(options):
        if columns <= fullest.columns and rows <= fullest.rows:
            return replace(fullest, columns=columns, rows=rows)
    return None


def _fullest_grids(options: SheetOptions) -> list[Grid]:
    """Return the grid with the most cards, perhaps none, for each line that the sheet may turn or fold about.

    A sheet to be folded may lie either way, unless its orientation is asked for.
    """
    if options.backs is not Backs.FOLD:
        return [_filled(options, vertical=turns_about_vertical(options.page, options.flip))]
    ways = [options, *([_turned(options)[1]] if options.orientation is Orientation.AS_GIVEN else [])]
    return [_filled(way, vertical=vertical) for way in ways for vertical in (True, False)]


def turns_about_vertical(paper: Size, flip: Flip) -> bool:
    """Return whether a sheet turns about its vertical axis: portrait on the long edge, landscape on the short edge."""
    return (paper.height >= paper.width) == (flip is Flip.LONG_EDGE)


def _filled(options: SheetOptions, *, vertical: bool) -> Grid:
    """Return the grid with as many cards as margins, bleed and a fold leave room for."""
    paper, card, around = options.page, options.card_size, options.margin + options.most_bleed
    width, height = paper.width - 2 * around, paper.height - 2 * around
    if options.backs is Backs.FOLD and vertical:
        width = paper.width / 2 - (around + _from_the_fold(options))
    elif options.backs is Backs.FOLD:
        height = paper.height / 2 - (around + _from_the_fold(options))
    axis = Reflection(vertical, (paper.width if vertical else paper.height) / 2)
    empty = Grid(options=options, columns=0, rows=0, flip_axis=axis)
    across, down = empty.gutter
    # N cards have n - 1 gutters: one more is added to the room.
    columns = floor((width + across + _TINY) / (card.width + across))
    rows = floor((height + down + _TINY) / (card.height + down))
    return replace(empty, columns=min(max(columns, 0), MAX_IN_A_ROW), rows=min(max(rows, 0), MAX_IN_A_ROW))


def _from_the_fold(options: SheetOptions) -> float:
    return max(FOLD_GAP, options.most_bleed)


def smaller_grids(grid: Grid) -> list[Grid]:
    """Return the grid itself, and those with fewer columns or rows."""
    return [
        replace(grid, columns=columns, rows=rows)
        for columns in range(1, grid.columns + 1)
        for rows in range(1, grid.rows + 1)
    ]


# --- what would fit -------------------------------------------------------------------------------------------------


def remedies(options: SheetOptions, grid: tuple[int, int]) -> dict[str, SheetOptions]:
    """Return changes of one option each with which that many columns and rows fit, by words as `with a bleed of 1 mm`.

    A length becomes the longest one, in steps of 0.1 mm, that does.
    """
    found = dict([_turned(options)])
    across, down = options.gutter or (0.0, 0.0)
    lengths = (("a bleed", options.most_bleed, 0.0), ("a gutter", max(across, down), 0.0))
    for name, length, least in (*lengths, ("margins", options.margin, MIN_MARGIN)):
        for tenths in range(ceil(length * 10 - _TINY) - 1, ceil(least * 10 - _TINY) - 1, -1):
            changed = _shortened(options, tenths / 10)[name]
            if _asked(changed, grid):
                found[f"with {name} of {tenths / 10:g} mm"] = changed
                break
    if options.most_bleed and options.gutter is None:
        found["with bleed only around the block"] = replace(options, bleed_where=Where.BLOCK)
    return {words: changed for words, changed in found.items() if _asked(changed, grid)}


def _shortened(options: SheetOptions, most: float) -> dict[str, SheetOptions]:
    across, down = options.gutter or (0.0, 0.0)
    backs = None if options.bleed_backs is None else min(options.bleed_backs, most)
    return {
        "a bleed": replace(options, bleed=min(options.bleed, most), bleed_backs=backs),
        "a gutter": replace(options, gutter=(min(across, most), min(down, most))),
        "margins": replace(options, margin=most),
    }


def _turned(options: SheetOptions) -> tuple[str, SheetOptions]:
    portrait = options.page.height >= options.page.width
    other = Orientation.LANDSCAPE if portrait else Orientation.PORTRAIT
    return f"in {other.value}", replace(options, orientation=other)


def _too_many(options: SheetOptions, asked: tuple[int, int], best: Grid) -> str:
    """Return why a grid does not fit, the fullest one that does, and what would let the one asked for fit."""
    across, down = best.gutter
    fold = " beside a fold" if options.backs is Backs.FOLD else ""
    apart = f", {across:g} mm apart," if across else ""
    if across != down:
        apart = f", {across:g} mm apart across and {down:g} mm down,"
    message = f"{asked[0]} x {asked[1]} cards of {options.card_size}{fold}{apart} do not fit {_paper(options)}:"
    message += f" {best.columns} x {best.rows} do"
    words, turned = _turned(options)
    most = _fullest(turned)
    if most.count > best.count and not _asked(turned, asked):
        message += f", or {most.columns} x {most.rows} {words}"
    ways = " or ".join(remedies(options, asked))
    return f"{message}; {asked[0]} x {asked[1]} do {ways}" if ways else message


def _too_small(options: SheetOptions) -> str:
    """Return that a paper holds no card, and the smallest that do, in steps of 0.01 mm; for a fold, upright and level."""
    card, around = options.card_size, options.margin + options.most_bleed
    width, height = _rounded_up(card.width + 2 * around), _rounded_up(card.height + 2 * around)
    least, folded = f"{Size(width, height)}", ""
    if options.backs is Backs.FOLD:
        beside = around + _from_the_fold(options)
        wide, high = _rounded_up(2 * (card.width + beside)), _rounded_up(2 * (card.height + beside))
        least, folded = f"{Size(wide, height)} or {Size(width, high)}", ", to be folded"
    message = f"no card of {card} fits {_paper(options)}: it must be at least {least}{folded}"
    words, turned = _turned(options)
    return f"{message}; one fits {words}" if _asked(turned, (1, 1)) else message


def _rounded_up(length: float) -> float:
    return ceil(length * 100 - _TINY) / 100


def _paper(options: SheetOptions) -> str:
    bleed = f" and a bleed of {options.most_bleed:g} mm" if options.most_bleed else ""
    return f"a paper of {options.page} with margins of {options.margin:g} mm{bleed}"


# --- the faces in their slots ---------------------------------------------------------------------------------------


def impose(cards: Sequence[ImposedCard], grid: Grid) -> list[Sheet]:
    """Return the sheets with every copy of every card once, in order, each back behind its front."""
    copies = [card for card in cards for _ in range(card.copies)]
    return [_sheet(copies[start : start + grid.count], grid) for start in range(0, len(copies), grid.count)]


def _sheet(cards: Sequence[ImposedCard], grid: Grid) -> Sheet:
    front, back = [], []
    for number, (card, slot) in enumerate(zip(cards, grid.slots, strict=False)):
        bleed = grid.bleed(number, is_back=False)
        front.append(Placement(face=card.front, box=slot, turned=False, bleed=bleed, name=card.name))
        if card.back is not None:
            # Reflected: the right edge of a front's slot is the left one of its back.
            bleed = grid.flip_axis.edges(grid.bleed(number, is_back=True))
            # About a level axis the sheet turns upside down, so its backs are turned to read the right way up behind
            # the fronts.
            box, turned = grid.flip_axis.box(slot), not grid.flip_axis.vertical
            back.append(Placement(face=card.back, box=box, turned=turned, bleed=bleed, name=card.name, is_back=True))
    match grid.options.backs:
        case Backs.NONE:
            return Sheet(tuple(front), None)
        case Backs.FOLD:
            return Sheet((*front, *back), None)
    return Sheet(tuple(front), tuple(back))
