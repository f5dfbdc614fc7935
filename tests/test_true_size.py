"""The printed size is right: measured on the rasterised sheet, not taken from what the program meant."""

from __future__ import annotations

import numpy as np
import pytest

from render import impose, marks, pdf
from render.geometry import PAPERS, POKER, Flip, Size
from render.impose import Face, Grid
from render.scene import Item, Outline, Path, Scene
from tests import rasters

DPI = 600
PX = DPI / 25.4
EDGE = 1 + 1e-6  # px
ON_PAPER = pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)


def filled_card() -> Scene:
    """A card that is black up to its trim, and would be beyond it if it were not cut off there."""
    corners = ((68.5, -5.0), (68.5, 93.9), (-5.0, 93.9))
    return Scene(POKER, (Path((Outline((-5.0, -5.0), corners, True),), (0, 0, 0)),))


def sheet_pages(paper: Size, items: tuple[Item, ...], count: int, grid: Grid) -> bytes:
    card = filled_card()
    (sheet,) = impose.impose([Face(card, card, count)], grid, Flip.LONG_EDGE)
    return pdf.write([pdf.Page(paper, sheet.front, items), pdf.Page(paper, sheet.back, items)], pdf.PdfOptions("Size"))


def dark(pixels: rasters.Pixels) -> np.ndarray:
    return pixels.max(axis=2) < 128


@ON_PAPER
@pytest.mark.parametrize("count", [1, 9])
def test_trim_edges_are_within_a_pixel_of_their_place_at_600_dpi(paper: Size, count: int) -> None:
    grid = impose.fit_grid(paper, POKER)
    inked = dark(rasters.page(sheet_pages(paper, (), count, grid), 0, DPI))
    assert inked.shape == pytest.approx((paper.height * PX, paper.width * PX), abs=1)
    across, down = inked.shape[1] / paper.width, inked.shape[0] / paper.height  # a page is drawn in whole pixels
    found = rasters.extent(inked)
    first, last = grid.slots[0], grid.slots[count - 1]
    assert (found.left, found.right + 1) == pytest.approx((first.x * across, last.right * across), abs=EDGE)
    assert (found.top, found.bottom + 1) == pytest.approx((first.y * down, last.bottom * down), abs=EDGE)


@ON_PAPER
def test_the_ruler_is_2362_pixels_long_at_600_dpi(paper: Size) -> None:
    grid = impose.fit_grid(paper, POKER)
    file = pdf.write([pdf.Page(paper, (), marks.ruler(grid))], pdf.PdfOptions("Ruler"))
    found = rasters.extent(dark(rasters.page(file, 0, DPI)))
    length = max(found.right - found.left, found.bottom - found.top) + 1
    assert length == pytest.approx(2362, abs=1)


@ON_PAPER
def test_nothing_is_printed_within_5_mm_of_the_edge(paper: Size) -> None:
    grid = impose.fit_grid(paper, POKER)
    words = "A set with a rather long name · 9th, 11th and 17th Edition · sheet 12 of 34 · front"
    items = (*marks.crop_marks(grid), *marks.ruler(grid), *marks.slug(grid, words))
    white = rasters.page(sheet_pages(paper, items, 9, grid), 0, DPI).min(axis=2) == 255
    edge = int(5 * PX)
    assert white[:edge].all() and white[-edge:].all() and white[:, :edge].all() and white[:, -edge:].all()


@ON_PAPER
def test_marks_ruler_and_slug_lie_outside_the_cards(paper: Size) -> None:
    grid = impose.fit_grid(paper, POKER)
    items = (*marks.crop_marks(grid), *marks.ruler(grid), *marks.slug(grid, "Starter · 17th Edition · sheet 1 of 5"))
    assert len(items) >= 4, "marks, ruler and slug all have room on this paper"
    white = rasters.page(pdf.write([pdf.Page(paper, (), items)], pdf.PdfOptions("Marks")), 0, DPI).min(axis=2) == 255
    block = grid.block
    left, top, right, bottom = (round(value * PX) for value in (block.x, block.y, block.right, block.bottom))
    assert white[top:bottom, left:right].all()


@ON_PAPER
def test_crop_marks_prolong_every_cut(paper: Size) -> None:
    grid = impose.fit_grid(paper, POKER)
    file = pdf.write([pdf.Page(paper, (), marks.crop_marks(grid))], pdf.PdfOptions("Marks"))
    inked = rasters.page(file, 0, DPI).min(axis=2) < 200
    block = grid.block
    for column in range(4):
        x = (block.x + column * POKER.width) * PX
        for y in (block.y - 0.7, block.bottom + 0.7) if paper.height < 280 else (block.y - 2, block.bottom + 2):
            assert inked[round(y * PX), round(x) - 2 : round(x) + 3].any()
    for row in range(4):
        y = (block.y + row * POKER.height) * PX
        for x in (block.x - 2, block.right + 2):
            assert inked[round(y) - 2 : round(y) + 3, round(x * PX)].any()


def test_ruler_and_slug_are_left_out_where_there_is_no_room() -> None:
    grid = impose.fit_grid(Size(74.0, 99.0), POKER)
    assert (grid.columns, grid.rows) == (1, 1)
    assert marks.ruler(grid) == ()
    assert marks.slug(grid, "Starter") == ()
    assert marks.crop_marks(grid) == ()
