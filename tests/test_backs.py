"""The right back behind the right card: print, turn the sheet over, look through it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from render import impose, pdf
from render.geometry import PAPERS, POKER, Flip, Rect, Size
from render.impose import Face, Grid, Placement, Sheet
from render.scene import Colour, Outline, Path, Scene
from tests import rasters

DPI = 150
MM = DPI / 25.4
CLOSE = 0.25  # mm: half a cutting mistake; a wrong grid, mirroring or turn is far beyond it

PATCH = Rect(12.0, 18.0, 16.0, 12.0)  # off centre both ways, so that a turned or mirrored card is seen


def colour(number: int, *, back: bool) -> Colour:
    """Return a colour that no other card and no other side has."""
    return (10 + 25 * (number % 9), 220 - 20 * (number // 9), 160 if back else 60)


def face(number: int, *, back: bool) -> Scene:
    """Return a white card with a patch; the back's is mirrored, so that the two lie on each other through the sheet.

    The patch is a diamond: PDFium draws slanted edges true, and upright ones on whole pixels only.
    """
    box = replace(PATCH, x=POKER.width - PATCH.right) if back else PATCH
    x, y = box.centre
    corners = ((box.right, y), (x, box.bottom), (box.x, y))
    return Scene(POKER, (Path((Outline((x, box.y), corners, True),), colour(number, back=back)),))


def cards(count: int) -> list[Face]:
    return [Face(face(number, back=False), face(number, back=True)) for number in range(count)]


def centre(pixels: rasters.Pixels, wanted: Colour) -> tuple[float, float]:
    """Return the middle of a colour's patch in mm, pixels that it covers in part counted in part."""
    whole = (pixels == np.array(wanted)).all(axis=2)
    assert whole.any(), f"no patch of colour {wanted}"
    found = rasters.extent(whole)
    window = pixels[found.top - 1 : found.bottom + 2, found.left - 1 : found.right + 2]
    from_white = 255 - np.array(wanted)
    share = (255 - window) @ from_white / (from_white @ from_white)
    rows, columns = (np.average(index, weights=share) for index in np.indices(share.shape))
    return float(columns + found.left - 1) / MM, float(rows + found.top - 1) / MM


def turned_over(pixels: rasters.Pixels, paper: Size, flip: Flip) -> rasters.Pixels:
    """Return a back page as it is seen through the sheet: mirrored about the edge that the printer turns about."""
    vertical = (flip is Flip.LONG_EDGE) == (paper.height >= paper.width)
    return pixels[:, ::-1] if vertical else pixels[::-1]


def worst_distance(sheets: list[Sheet], count: int, paper: Size, flip: Flip) -> float:
    """Return how far the back of any card lies from its front, in mm."""
    pages = [pdf.Page(paper, side) for sheet in sheets for side in (sheet.front, sheet.back)]
    file = pdf.write(pages, pdf.PdfOptions("Backs", flip))
    drawn = [rasters.page(file, number, DPI) for number in range(len(pages))]
    distances = []
    for number in range(count):
        sheet = number // len(sheets[0].front)
        front = centre(drawn[2 * sheet], colour(number, back=False))
        back = centre(turned_over(drawn[2 * sheet + 1], paper, flip), colour(number, back=True))
        distances.append(np.hypot(front[0] - back[0], front[1] - back[1]))
    return float(max(distances))


LANDSCAPE = Size(297.0, 210.0)
ON_PAPER = pytest.mark.parametrize("paper", [*PAPERS.values(), LANDSCAPE], ids=[*PAPERS, "a4-landscape"])
BOTH_FLIPS = pytest.mark.parametrize("flip", list(Flip), ids=lambda flip: flip.value)


@ON_PAPER
@BOTH_FLIPS
@pytest.mark.parametrize("count", [1, 4, 8, 11])
def test_every_back_lies_behind_its_front(paper: Size, flip: Flip, count: int) -> None:
    sheets = impose.impose(cards(count), impose.fit_grid(paper, POKER), flip)
    assert worst_distance(sheets, count, paper, flip) <= CLOSE


Mistake = Callable[[Placement, Placement, Grid], Placement]


def not_mirrored(back: Placement, front: Placement, grid: Grid) -> Placement:  # noqa: ARG001
    return replace(back, box=front.box)


def turned_wrongly(back: Placement, front: Placement, grid: Grid) -> Placement:  # noqa: ARG001
    return replace(back, turned=not back.turned)


def in_the_wrong_grid(back: Placement, front: Placement, grid: Grid) -> Placement:  # noqa: ARG001
    """As if a partly filled row or column were closed up."""
    return replace(back, box=back.box.moved(-grid.card.width, -grid.card.height))


def shifted(back: Placement, front: Placement, grid: Grid) -> Placement:  # noqa: ARG001
    return replace(back, box=back.box.moved(0.3, 0.0))


@pytest.mark.parametrize("mistake", [not_mirrored, turned_wrongly, in_the_wrong_grid, shifted])
@ON_PAPER
@BOTH_FLIPS
def test_the_check_finds_a_seeded_mistake(mistake: Mistake, paper: Size, flip: Flip) -> None:
    grid = impose.fit_grid(paper, POKER)
    (right,) = impose.impose(cards(4), grid, flip)
    wrong = replace(
        right, back=tuple(mistake(back, front, grid) for back, front in zip(right.back, right.front, strict=True))
    )
    try:
        distance = worst_distance([wrong], 4, paper, flip)
    except AssertionError:
        return  # a patch fell off the paper, which is a mistake found
    assert distance > CLOSE
