"""Imposition: which face goes into which slot, on which side of which sheet, and which way up. Arithmetic only.

A back's place is a function of its front's slot alone, so a partly filled sheet keeps its grid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import floor

from render.geometry import Flip, Rect, Size
from render.scene import Scene

MARGIN = 5.0  # mm that no home printer can be trusted with: 4.2 on Brother and HP, 5 on Canon


@dataclass(frozen=True, slots=True)
class Grid:
    """The slots of a sheet: columns and rows of cards that touch, centred on the paper."""

    paper: Size
    card: Size
    columns: int
    rows: int

    @property
    def block(self) -> Rect:
        """The box around all slots."""
        width, height = self.columns * self.card.width, self.rows * self.card.height
        return Rect((self.paper.width - width) / 2, (self.paper.height - height) / 2, width, height)

    @property
    def slots(self) -> tuple[Rect, ...]:
        """The boxes of the slots, row by row from the top left."""
        block = self.block
        return tuple(
            Rect(
                block.x + column * self.card.width, block.y + row * self.card.height, self.card.width, self.card.height
            )
            for row in range(self.rows)
            for column in range(self.columns)
        )


@dataclass(frozen=True, slots=True)
class Face:
    """The two faces of a card and how many copies of it are printed."""

    front: Scene
    back: Scene
    copies: int = 1


@dataclass(frozen=True, slots=True)
class Placement:
    """A face in a box of the paper, in mm from the top left of its side; `turned` by 180 degrees about its centre."""

    face: Scene
    box: Rect
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """The placements of both sides of a sheet of paper, each as its side is seen."""

    front: tuple[Placement, ...]
    back: tuple[Placement, ...]


def fit_grid(paper: Size, card: Size, margin: float = MARGIN) -> Grid:
    """Return the grid of as many cards as the paper holds within its margins; ValueError if it holds none."""
    columns = floor((paper.width - 2 * margin) / card.width + 1e-9)
    rows = floor((paper.height - 2 * margin) / card.height + 1e-9)
    if columns < 1 or rows < 1:
        least = f"{card.width + 2 * margin:g} x {card.height + 2 * margin:g} mm"
        raise ValueError(
            f"no card of {card.width:g} x {card.height:g} mm fits a paper of {paper.width:g} x {paper.height:g} mm"
            f" with margins of {margin:g} mm: it must be at least {least}"
        )
    return Grid(paper, card, columns, rows)


def mirrors_columns(paper: Size, flip: Flip) -> bool:
    """Return whether the sheet turns about its vertical axis: portrait on the long edge, landscape on the short."""
    return (paper.height >= paper.width) == (flip is Flip.LONG_EDGE)


def behind(slot: Rect, paper: Size, flip: Flip) -> Rect:
    """Return the box behind `slot`, seen from the back of the sheet."""
    if mirrors_columns(paper, flip):
        return Rect(paper.width - slot.right, slot.y, slot.width, slot.height)
    return Rect(slot.x, paper.height - slot.bottom, slot.width, slot.height)


def impose(cards: Sequence[Face], grid: Grid, flip: Flip) -> list[Sheet]:
    """Return the sheets with every copy of every card once, in order, each back behind its front."""
    turned = not mirrors_columns(grid.paper, flip)
    copies = list(_copies(cards))
    slots = grid.slots
    sheets = []
    for start in range(0, len(copies), len(slots)):
        filled = list(zip(copies[start : start + len(slots)], slots, strict=False))
        sheets.append(
            Sheet(
                tuple(Placement(card.front, slot) for card, slot in filled),
                tuple(Placement(card.back, behind(slot, grid.paper, flip), turned) for card, slot in filled),
            )
        )
    return sheets


def _copies(cards: Sequence[Face]) -> Iterator[Face]:
    for card in cards:
        for _ in range(card.copies):
            yield card
