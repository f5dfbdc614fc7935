"""The slots of a sheet: columns and rows of cards on the paper, and the line about which it turns or folds."""

from __future__ import annotations

from dataclasses import dataclass

from render.base.geometry import IDENTITY, Affine, Edges, Rect, Size
from render.sheets.options import Backs, SheetOptions, Where

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
    def gutter(self) -> tuple[float, float]:
        """The space between columns and between rows, in mm."""
        return gutter(self.options)

    @property
    def block(self) -> Rect:
        """The box around all slots."""
        (across, down), card, paper = self.gutter, self.card, self.paper
        width = self.columns * card.width + (self.columns - 1) * across
        height = self.rows * card.height + (self.rows - 1) * down
        left, top = (paper.width - width) / 2, (paper.height - height) / 2
        if self.options.backs is Backs.FOLD and self.flip_axis.vertical:
            # On the left of a vertical fold, and above a horizontal one.
            left = self.flip_axis.at - from_the_fold(self.options) - width
        elif self.options.backs is Backs.FOLD:
            top = self.flip_axis.at - from_the_fold(self.options) - height
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

    def bleed(self, slot: int, bleed: float) -> Edges:
        """Return how far a face in a slot is drawn beyond its trim, with a bleed of `bleed` mm.

        Between cards that is at most half of the gutter, and 0 if only the block bleeds.
        """
        row, column = divmod(slot, self.columns)
        inside = self.options.bleed_where is Where.EACH
        across, down = (min(bleed, room / 2) if inside else 0.0 for room in self.gutter)
        return Edges(
            bleed if column == 0 else across,
            bleed if row == 0 else down,
            bleed if column == self.columns - 1 else across,
            bleed if row == self.rows - 1 else down,
        )


def gutter(options: SheetOptions) -> tuple[float, float]:
    """Return the space between columns and between rows: as given, else room for the bleed of both cards."""
    if options.gutter is not None:
        return options.gutter
    apart = 2 * options.most_bleed if options.bleed_where is Where.EACH else 0.0
    return apart, apart


def from_the_fold(options: SheetOptions) -> float:
    return max(FOLD_GAP, options.most_bleed)
