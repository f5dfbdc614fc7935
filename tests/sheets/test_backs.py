"""The right back behind the right card: print, turn the sheet over, look through it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

import numpy as np
import pypdfium2
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from render.base.geometry import IDENTITY, Affine, Flip, Rect, Size
from render.base.sizes import PAPERS, POKER
from render.pdf import document
from render.scene.items import Color, Outline, Path, Placement, Scene
from render.sheets import imposition
from render.sheets.imposition import Grid, ImposedCard, Sheet
from render.sheets.options import Backs, Orientation, SheetOptions, Where
from tests.support import rasters

DPI = 72
MM = DPI / 25.4
CLOSE = 0.25  # mm: half a cutting mistake; a wrong grid, mirroring or turn is far beyond it

PATCH = Rect(12.0, 18.0, 16.0, 12.0)  # off centre both ways, so that a turned or mirrored card is seen


def color(number: int, *, back: bool) -> Color:
    """Return a color that no other card and no other side has."""
    return (10 + 25 * (number % 9), 220 - 20 * (number // 9), 160 if back else 60)


def face(number: int, *, back: bool) -> Scene:
    """Return a white card with a patch; the back's is mirrored, so that the two lie on each other through the sheet.

    The patch is a diamond: PDFium draws slanted edges true, and upright ones on whole pixels only.
    """
    box = replace(PATCH, x=POKER.width - PATCH.right) if back else PATCH
    x, y = box.center
    corners = ((box.right, y), (x, box.bottom), (box.x, y))
    return Scene(POKER, (Path((Outline((x, box.y), corners, True),), color(number, back=back)),))


def cards(count: int) -> list[ImposedCard]:
    return [
        ImposedCard(face(number, back=False), face(number, back=True), name=f"card-{number}") for number in range(count)
    ]


Pixels = NDArray[np.uint8]
"""A side, shape (height, width, 4): red, green, blue and nothing."""


def page(file: bytes, number: int) -> Pixels:
    """Return a page as PDFium draws it."""
    page = pypdfium2.PdfDocument(file)[number]
    drawn: Pixels = page.render(scale=DPI / 72, rev_byteorder=True, prefer_bgrx=True).to_numpy()
    return drawn


class Seen:
    """A side as it is seen; `numbers` has a number for each pixel, since it is looked through for each card."""

    def __init__(self, pixels: Pixels) -> None:
        self.pixels = pixels
        self.numbers = np.ascontiguousarray(pixels).view("<u4")[:, :, 0] & 0xFFFFFF


def center(side: Seen, wanted: Color) -> tuple[float, float]:
    """Return the middle of a color's patch in mm, pixels that it covers in part counted in part."""
    red, green, blue = wanted
    whole = side.numbers == (red | green << 8 | blue << 16)
    assert whole.any(), f"no patch of color {wanted}"
    found = rasters.extent(whole)
    window = side.pixels[found.top - 1 : found.bottom + 2, found.left - 1 : found.right + 2, :3].astype(int)
    from_white = 255 - np.array(wanted)
    share = (255 - window) @ from_white / (from_white @ from_white)
    rows, columns = (np.average(index, weights=share) for index in np.indices(share.shape))
    return float(columns + found.left - 1) / MM, float(rows + found.top - 1) / MM


def turned_over(pixels: Pixels, paper: Size, flip: Flip) -> Pixels:
    """Return a back page as it is seen through the sheet: mirrored about the edge that the printer turns about."""
    vertical = (flip is Flip.LONG_EDGE) == (paper.height >= paper.width)
    return pixels[:, ::-1] if vertical else pixels[::-1]


def folded_over(pixels: Pixels, grid: Grid) -> Pixels:
    """Return a page as its other half is seen through it once it is folded in the middle."""
    one, other = grid.blocks
    return pixels[:, ::-1] if one.y == other.y else pixels[::-1]


@dataclass(frozen=True, slots=True)
class Printer:
    """What a printer does to the back of a sheet, in mm of that side; and what is drawn there to make up for it."""

    fault: Affine = IDENTITY
    correction: Affine = IDENTITY


TRUE_PRINTER = Printer()


def worst_distance(sheets: Sequence[Sheet], grid: Grid, count: int, printer: Printer = TRUE_PRINTER) -> float:
    """Return how far the back of any card lies from its front, in mm."""
    paper, flip = grid.paper, grid.options.flip
    pages = [
        document.Page(
            size=paper, placements=side, shift=printer.fault @ printer.correction if side is sheet.back else IDENTITY
        )
        for sheet in sheets
        for side in (sheet.front, sheet.back)
        if side is not None
    ]
    file = document.write(pages, document.PdfOptions("Backs", flip))
    drawn = [page(file, number) for number in range(len(pages))]
    if grid.options.backs is Backs.FOLD:
        seen = [(Seen(side), Seen(folded_over(side, grid))) for side in drawn]
    else:
        pairs = zip(drawn[::2], drawn[1::2], strict=True)
        seen = [(Seen(front), Seen(turned_over(back, paper, flip))) for front, back in pairs]
    distances = []
    for number in range(count):
        front_side, back_side = seen[number // len(grid.slots)]
        front = center(front_side, color(number, back=False))
        back = center(back_side, color(number, back=True))
        distances.append(np.hypot(front[0] - back[0], front[1] - back[1]))
    return float(max(distances))


LANDSCAPE: dict[str, Any] = {"orientation": Orientation.LANDSCAPE}
PAGES = {
    **{name: SheetOptions(paper=paper) for name, paper in PAPERS.items()},
    **{f"{name}-landscape": SheetOptions(paper=paper, **LANDSCAPE) for name, paper in PAPERS.items()},
    "250x330": SheetOptions(paper=Size(250.0, 330.0)),
}
WAYS: dict[str, dict[str, object]] = {
    "touching": {},
    "bleed": {"bleed": 2.0, "bleed_backs": 3.0},
    "bleed-about-the-block": {"bleed": 2.0, "bleed_where": Where.BLOCK},
    "gutter": {"gutter": (4.0, 7.0)},
    "fold": {"backs": Backs.FOLD},
}
ON_PAGES = pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
BOTH_FLIPS = pytest.mark.parametrize("flip", list(Flip), ids=lambda flip: flip.value)
EACH_WAY = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
FEWER = ("a4", "letter", "a4-landscape", "tabloid-landscape")
ON_FEWER_PAGES = pytest.mark.parametrize("page", [PAGES[name] for name in FEWER], ids=FEWER)


def is_idle(flip: Flip, way: dict[str, object]) -> bool:
    """A sheet that is folded is not flipped: one of the flips shows it."""
    return way == WAYS["fold"] and flip is Flip.SHORT_EDGE


def mixes() -> Iterator[tuple[str, tuple[SheetOptions, Flip, dict[str, object]]]]:
    """Yield all on a few papers; on the others half of the ways, with one flip or the other."""
    for (row, (paper, page)), flip, (column, (way, asked)) in product(
        enumerate(PAGES.items()), Flip, enumerate(WAYS.items())
    ):
        is_turn = (row + column) % 2 == 0 and (flip is Flip.LONG_EDGE) == ((row + column) % 4 == 0)
        if paper in FEWER or is_turn:
            yield f"{paper}-{flip.value}-{way}", (page, flip, asked)


MIXES = dict(mixes())


def full_and_partial(grid: Grid) -> tuple[int, int]:
    """Return how many cards fill one sheet and begin a second one."""
    return len(grid.slots), len(grid.slots) + max(1, len(grid.slots) // 3)


@pytest.mark.parametrize(("page", "flip", "way"), [pytest.param(*each, id=name) for name, each in MIXES.items()])
def test_every_back_lies_behind_its_front(page: SheetOptions, flip: Flip, way: dict[str, object]) -> None:
    """A full sheet and a partly filled one, a back of its own for each card."""
    if is_idle(flip, way):
        return
    grid = imposition.fit_grid(replace(page, flip=flip, **way))
    full, count = full_and_partial(grid)
    sheets = imposition.impose(cards(count), grid)
    assert (len(sheets[0].front), len(sheets)) == (full * (2 if way == WAYS["fold"] else 1), 2)
    assert worst_distance(sheets, grid, count) <= CLOSE


@ON_FEWER_PAGES
@BOTH_FLIPS
@EACH_WAY
def test_a_single_card_has_its_back_behind_it(page: SheetOptions, flip: Flip, way: dict[str, object]) -> None:
    grid = imposition.fit_grid(replace(page, flip=flip, **way))
    assert worst_distance(imposition.impose(cards(1), grid), grid, 1) <= CLOSE


FAULT = Affine.move(1.4, -0.9) @ Affine.rotate(0.4) @ Affine.scale(1.004, 0.997)


@ON_PAGES
@BOTH_FLIPS
def test_a_calibrated_back_lies_behind_its_front_on_a_printer_that_shifts_it(page: SheetOptions, flip: Flip) -> None:
    grid = imposition.fit_grid(replace(page, flip=flip))
    sheets = imposition.impose(cards(4), grid)
    assert worst_distance(sheets, grid, 4, Printer(FAULT)) > CLOSE
    assert worst_distance(sheets, grid, 4, Printer(FAULT, FAULT.inverse)) <= CLOSE


# --- the check itself ---

Placed = list[Placement]
Mistake = Callable[[Placed, Sequence[Placement], Grid], Placed]


def not_mirrored(backs: Placed, fronts: Sequence[Placement], grid: Grid) -> Placed:
    """As if a back were printed in the slot of its front, on its own side of the fold."""
    away = grid.blocks[-1].x - grid.block.x, grid.blocks[-1].y - grid.block.y
    return [replace(back, box=front.box.moved(*away)) for back, front in zip(backs, fronts, strict=True)]


def turned_wrongly(backs: Placed, fronts: Sequence[Placement], grid: Grid) -> Placed:
    return [replace(back, turned=not back.turned) for back in backs]


def in_a_compacted_grid(backs: Placed, fronts: Sequence[Placement], grid: Grid) -> Placed:
    """As if the grid of a partly filled sheet were made smaller, and centred again."""
    left = min(back.box.x for back in backs) - grid.blocks[-1].x
    right = grid.blocks[-1].right - max(back.box.right for back in backs)
    below = grid.blocks[-1].bottom - max(back.box.bottom for back in backs)
    above = min(back.box.y for back in backs) - grid.blocks[-1].y
    return [replace(back, box=back.box.moved((right - left) / 2, (below - above) / 2)) for back in backs]


def shifted(backs: Placed, fronts: Sequence[Placement], grid: Grid) -> Placed:
    return [replace(back, box=back.box.moved(0.3, 0.0)) for back in backs]


def one_left_out(backs: Placed, fronts: Sequence[Placement], grid: Grid) -> Placed:
    """As if a card without back let the others move up."""
    return [replace(back, box=before.box) for before, back in pairwise(backs)]


def is_one_deep(grid: Grid) -> bool:
    """Whether there is but one row of cards along the fold: mirrored or not, it is the same."""
    return grid.options.backs is Backs.FOLD and (grid.columns if grid.flip_axis.vertical else grid.rows) == 1


@pytest.mark.parametrize("mistake", [not_mirrored, turned_wrongly, in_a_compacted_grid, shifted, one_left_out])
@ON_FEWER_PAGES
@BOTH_FLIPS
@pytest.mark.parametrize("way", [WAYS["touching"], WAYS["gutter"], WAYS["fold"]], ids=["touching", "gutter", "fold"])
def test_the_check_finds_a_seeded_mistake(
    mistake: Mistake, page: SheetOptions, flip: Flip, way: dict[str, object]
) -> None:
    grid = imposition.fit_grid(replace(page, flip=flip, **way))
    count = 2 if len(grid.slots) > 2 else 1
    (right,) = imposition.impose(cards(count), grid)
    placed = (*right.front, *(right.back or ()))
    fronts = [placement for placement in placed if not placement.is_back]
    backs = mistake([placement for placement in placed if placement.is_back], fronts, grid)
    if right.back is None:
        wrong = replace(right, front=(*fronts, *backs))
    else:
        wrong = replace(right, back=tuple(backs))
    if is_idle(flip, way) or (mistake is not_mirrored and is_one_deep(grid)):
        return
    assert backs != [placement for placement in placed if placement.is_back], "the mistake changes nothing"
    try:
        distance = worst_distance([wrong], grid, count)
    except AssertionError:
        return  # a patch is missing or fell off the paper, which is a mistake found
    assert distance > CLOSE
