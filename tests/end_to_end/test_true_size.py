"""The printed size is right: measured on the rasterised sheet, not taken from what the program meant."""

import pytest

from render.base.geometry import Affine, Rect, Size
from render.base.sizes import CARDS, PAPERS, POKER
from render.pdf import document
from render.scene.items import Item, Outline, Path, Scene
from render.sheets import imposition, margin_items, marks
from render.sheets.imposition import Grid, ImposedCard
from render.sheets.options import MIN_MARGIN, Orientation, SheetOptions
from tests.support import rasters
from tests.support.ink import PX, dark, gray

EDGE = 1 + 1e-6  # px
ON_PAPER = pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)


def filled_card() -> Scene:
    """A card that is black up to its trim, and would be beyond it if it were not cut off there."""
    corners = ((68.5, -5.0), (68.5, 93.9), (-5.0, 93.9))
    return Scene(POKER, (Path((Outline((-5.0, -5.0), corners, True),), (0, 0, 0)),))


def sheet_pages(paper: Size, items: tuple[Item, ...], count: int, grid: Grid) -> bytes:
    card = filled_card()
    sheet = imposition.impose([ImposedCard(card, card, count)], grid)[0]
    back = sheet.back or ()
    return document.write(
        [
            document.Page(size=paper, placements=sheet.front, marks=items),
            document.Page(size=paper, placements=back, marks=items),
        ],
        document.PdfOptions("Size"),
    )


def pieces(grid: Grid, words: str) -> tuple[Item, ...]:
    """Return ruler, slug and check, where there is room for them."""
    found = (margin_items.ruler(grid), margin_items.slug(grid, words), marks.check(grid))
    return tuple(item for piece in found if piece for item in piece.items)


@ON_PAPER
@pytest.mark.parametrize("count", [1, None], ids=["one", "full"])
def test_trim_edges_are_within_a_pixel_of_their_place_at_600_dpi(paper: Size, count: int | None) -> None:
    grid = imposition.fit_grid(SheetOptions(paper=paper))
    count = count or grid.columns * grid.rows
    inked = dark(sheet_pages(paper, (), count, grid), 0, paper).mask
    assert inked.shape == pytest.approx((paper.height / PX, paper.width / PX), abs=EDGE)
    across, down = inked.shape[1] / paper.width, inked.shape[0] / paper.height  # a page is drawn in whole pixels
    found = rasters.extent(inked)
    first, last = grid.slots[0], grid.slots[count - 1]
    assert (found.left, found.right + 1) == pytest.approx((first.x * across, last.right * across), abs=EDGE)
    assert (found.top, found.bottom + 1) == pytest.approx((first.y * down, last.bottom * down), abs=EDGE)


@pytest.mark.parametrize("paper", [PAPERS["letter"], PAPERS["a4"], PAPERS["super-b"]], ids=str)
def test_the_ruler_is_2362_pixels_long_at_600_dpi(paper: Size) -> None:
    """From the outer edge of its first tick to that of its last one, where the line that joins them is not.

    Where tick and line overlap, PDFium adds up what each covers of a pixel: a quarter looks like a half.
    """
    grid = imposition.fit_grid(SheetOptions(paper=paper))
    ruler = margin_items.ruler(grid)
    assert ruler is not None
    inked = dark(
        document.write([document.Page(size=paper, placements=(), marks=ruler.items)], document.PdfOptions("Ruler")),
        0,
        paper,
    ).mask
    whole = rasters.extent(inked)
    lying = inked if whole.right - whole.left > whole.bottom - whole.top else inked.T
    covered = lying.sum(axis=1)
    ticks = lying[covered < covered.max() / 2].any(axis=0).nonzero()[0]
    assert ticks[-1] - ticks[0] + 1 == pytest.approx(2362, abs=1)


def check_of(paper: Size, **options: object) -> margin_items.MarginItem:
    found = marks.check(imposition.fit_grid(SheetOptions(paper=paper, **options)))  # type: ignore[arg-type]
    assert found is not None
    return found


@ON_PAPER
@pytest.mark.parametrize("bleed", [0.0, 3.0])
def test_the_check_is_945_pixels_long_at_600_dpi(paper: Size, bleed: float) -> None:
    lines = [item for item in check_of(paper, bleed=bleed).items if isinstance(item, Path)]
    found = rasters.extent(
        dark(
            document.write(
                [document.Page(size=paper, placements=(), marks=tuple(lines))], document.PdfOptions("Check")
            ),
            0,
            paper,
        ).mask
    )
    assert max(found.right - found.left, found.bottom - found.top) + 1 == pytest.approx(945, abs=1)


OTHERS = {"a4": "letter", "letter": "a4", "a3": "tabloid", "tabloid": "a3"}
WAYS = ("middle", "upper left", "lower left")
OTHER_PAPER = pytest.mark.parametrize("named", OTHERS)


def put_on(paper: Size, other: Size, way: str) -> tuple[float, float]:
    """Return by how much a page is moved if it is printed on another paper, unscaled."""
    right, down = other.width - paper.width, other.height - paper.height
    return {"middle": (right / 2, down / 2), "upper left": (0.0, 0.0), "lower left": (0.0, down)}[way]


@OTHER_PAPER
@pytest.mark.parametrize("card", ["poker", "bridge", "tarot", "mini", "square"])
@pytest.mark.parametrize("orientation", [Orientation.PORTRAIT, Orientation.LANDSCAPE], ids=lambda one: one.value)
@pytest.mark.parametrize("way", WAYS)
def test_the_check_is_on_the_paper_when_the_other_paper_is_in_the_printer(
    named: str, card: str, orientation: Orientation, way: str
) -> None:
    here, there = (SheetOptions(paper=PAPERS[each], orientation=orientation).page for each in (named, OTHERS[named]))
    for bleed in (0.0, 3.0):
        box = check_of(here, card_size=CARDS[card], bleed=bleed).box.moved(*put_on(here, there, way))
        assert box.shared(there.rect.outset(-MIN_MARGIN + 1e-9)).width == pytest.approx(box.width)
        assert box.shared(there.rect.outset(-MIN_MARGIN + 1e-9)).height == pytest.approx(box.height)


def test_the_ruler_of_a4_may_be_lost_on_letter() -> None:
    """Which is why there is a check."""
    ruler = margin_items.ruler(imposition.fit_grid(SheetOptions()))
    assert ruler is not None
    assert ruler.box.moved(*put_on(PAPERS["a4"], PAPERS["letter"], "middle")).bottom > PAPERS["letter"].height - 4.3


@pytest.mark.parametrize(("named", "shrunk", "measured"), [("a4", 0.855, 34.2), ("letter", 0.914, 36.6)])
def test_a_sheet_shrunk_to_the_other_paper_has_a_check_that_is_too_short(
    named: str, shrunk: float, measured: float
) -> None:
    """As CUPS does by default: into the middle, so that all of the page lies within the printable area."""
    paper, other = PAPERS[named], PAPERS[OTHERS[named]]
    lines = tuple(item for item in check_of(paper).items if isinstance(item, Path))
    aside = [(there - shrunk * here) / 2 for here, there in ((paper.width, other.width), (paper.height, other.height))]
    page = document.Page(
        size=other, placements=(), marks=lines, shift=Affine.move(*aside) @ Affine.scale(shrunk, shrunk)
    )
    found = rasters.extent(dark(document.write([page], document.PdfOptions("Check")), 0, other).mask)
    assert max(found.right - found.left, found.bottom - found.top) * PX == pytest.approx(measured, abs=0.1)


@ON_PAPER
def test_nothing_is_printed_within_5_mm_of_the_edge(paper: Size) -> None:
    grid = imposition.fit_grid(SheetOptions(paper=paper))
    words = "A set with a rather long name · 9th, 11th and 17th Edition · sheet 12 of 34 · front"
    items = (*marks.crop_marks(grid), *pieces(grid, words))
    white = gray(sheet_pages(paper, items, grid.columns * grid.rows, grid)) == 255
    edge = int(5 / PX)
    assert white[:edge].all() and white[-edge:].all() and white[:, :edge].all() and white[:, -edge:].all()


@ON_PAPER
def test_marks_ruler_and_slug_lie_outside_the_cards(paper: Size) -> None:
    grid = imposition.fit_grid(SheetOptions(paper=paper))
    items = (*marks.crop_marks(grid), *pieces(grid, "Starter · 17th Edition · sheet 1 of 5"))
    assert len(items) >= 6, "marks, ruler, slug and check all have room on this paper"
    white = (
        gray(document.write([document.Page(size=paper, placements=(), marks=items)], document.PdfOptions("Marks")))
        == 255
    )
    block = grid.block
    left, top, right, bottom = (round(value / PX) for value in (block.x, block.y, block.right, block.bottom))
    assert white[top:bottom, left:right].all()


@ON_PAPER
def test_crop_marks_prolong_every_cut(paper: Size) -> None:
    grid = imposition.fit_grid(SheetOptions(paper=paper))
    file = document.write(
        [document.Page(size=paper, placements=(), marks=marks.crop_marks(grid))], document.PdfOptions("Marks")
    )
    printed, block = dark(file, 0, paper), grid.block
    above, beside = (0.7 if room < 7.5 else 2.0 for room in (block.y, block.x))  # little room: marks near the cards
    for slot in grid.slots:
        for x in (slot.x, slot.right):
            for y in (block.y - above, block.bottom + above):
                assert printed.middle(Rect(x - 1, y, 2, 0.2), upright=True) == pytest.approx(x, abs=1.01 * PX)
        for y in (slot.y, slot.bottom):
            for x in (block.x - beside, block.right + beside):
                assert printed.middle(Rect(x, y - 1, 0.2, 2), upright=False) == pytest.approx(y, abs=1.01 * PX)


def test_ruler_and_slug_are_left_out_where_there_is_no_room() -> None:
    grid = imposition.fit_grid(SheetOptions(paper=Size(74.0, 99.0)))
    assert (grid.columns, grid.rows) == (1, 1)
    assert margin_items.ruler(grid) is None
    assert margin_items.slug(grid, "Starter") is None
    assert marks.check(grid) is None
    assert marks.crop_marks(grid) == ()
