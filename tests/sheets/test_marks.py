"""Marks stand on the cuts and nowhere else: measured on rasterised sheets, and as laws over all kinds of sheets."""

from collections.abc import Callable, Iterator, Sequence
from math import sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from render.base.geometry import Affine, Flip, Rect, Size
from render.base.sizes import PAPERS, POKER
from render.pdf import document
from render.scene import outlines
from render.scene.items import Item, Path, Scene, TextRun
from render.scene.proof_kinds import Proof
from render.scene.proofs import cut_line
from render.sheets import cutting, imposition, margin_items, marks
from render.sheets.imposition import Grid, ImposedCard
from render.sheets.options import MARGIN, Backs, Crop, Registration, SheetOptions, Sides, Where
from render.text import fonts
from tests.support import rasters
from tests.support.boxes import is_within, overlap
from tests.support.ink import DPI, PX, Ink, dark

CLOSE = 0.4  # mm beside the cards, where the lines of the other direction begin
WORDS = "Starter · 17th Edition · sheet 1 of 5 · front"

# --- what is measured ------------------------------------------------------------------------------------------------


def ink(grid: Grid, items: Sequence[Item]) -> Ink:
    """Return what PDFium prints of items on a sheet that is otherwise empty."""
    file = document.write(
        [document.Page(size=grid.paper, placements=(), marks=tuple(items))], document.PdfOptions("Marks")
    )
    return dark(file, 0, grid.paper)


def a_sheet(grid: Grid, count: int | None = None) -> imposition.Sheet:
    face = Scene(grid.card, ())
    copies = grid.columns * grid.rows if count is None else count
    return imposition.impose([ImposedCard(face, face, copies)], grid)[0]


def faces(grid: Grid, *, back: bool = False) -> list[tuple[Rect, Rect]]:
    """Return trim, and trim with the bleed that is shown, of each place for a card on a side."""
    sheet = a_sheet(grid)
    placements = (sheet.back or ()) if back else sheet.front
    return [(placement.box, placement.box.spread(placement.bleed)) for placement in placements]


def cuts(grid: Grid, *, back: bool = False) -> tuple[set[float], set[float]]:
    """Return where the cards of a side are cut, across and down."""
    trims = [trim for trim, _ in faces(grid, back=back)]
    across = {round(x, 6) for trim in trims for x in (trim.x, trim.right)}
    return across, {round(y, 6) for trim in trims for y in (trim.y, trim.bottom)}


# --- the checks, each of which is shown to fail below ----------------------------------------------------------------


def check_on_the_cuts(grid: Grid, found: Ink) -> None:
    """All ink lies on the prolongation of a cut, within 1 px."""
    vertical, level = cuts(grid)
    half = grid.options.mark_line / 2 + PX
    lanes = [Rect(x - half, 0, 2 * half, grid.paper.height) for x in vertical]
    lanes += [Rect(0, y - half, grid.paper.width, 2 * half) for y in level]
    assert not found.without(*lanes).mask.any()


def check_every_cut_is_marked(grid: Grid, found: Ink) -> None:
    """Where there is room beside the cards, a line stands at each end of each cut, its middle within 1 px of it."""
    everything = [seen for _, seen in faces(grid)]
    left, right = min(box.x for box in everything), max(box.right for box in everything)
    top, bottom = min(box.y for box in everything), max(box.bottom for box in everything)
    vertical, level = cuts(grid)
    above, beside = top - MARGIN - CLOSE, left - MARGIN - CLOSE
    for x in vertical if above > 1 else ():
        for y in (MARGIN, bottom + CLOSE):
            assert found.middle(Rect(x - 1, y, 2, above), upright=True) == pytest.approx(x, abs=1.01 * PX)
    for y in level if beside > 1 else ():
        for x in (MARGIN, right + CLOSE):
            assert found.middle(Rect(x, y - 1, beside, 2), upright=False) == pytest.approx(y, abs=1.01 * PX)


def check_off_the_cards(grid: Grid, found: Ink) -> None:
    """Nothing is printed on a card or its bleed; where no color goes on beyond a cut, half of a line may lie on it."""
    for trim, seen in faces(grid):
        assert not found.at(reserved(trim, seen, grid.options).outset(-PX)).any()


def check_off_the_edge(grid: Grid, found: Ink) -> None:
    """Nothing is printed within 5 mm of the paper's edge."""
    assert not found.without(grid.paper.rect.outset(-MARGIN)).mask.any()


def reserved(trim: Rect, seen: Rect, options: SheetOptions) -> Rect:
    """Return what of a card and its bleed no line may touch: at an edge without bleed, half of a line may."""
    half = options.mark_line / 2 if options.crop_marks in (Crop.FULL, Crop.CORNER) else 0.0
    return Rect(
        seen.x + half * (seen.x == trim.x),
        seen.y + half * (seen.y == trim.y),
        seen.width - half * (seen.x == trim.x) - half * (seen.right == trim.right),
        seen.height - half * (seen.y == trim.y) - half * (seen.bottom == trim.bottom),
    )


# --- measured on sheets ----------------------------------------------------------------------------------------------

SHEETS = {
    "touching": SheetOptions(),
    "touching with bleed around": SheetOptions(bleed=2.0, bleed_where=Where.BLOCK, margin=4.3),
    "bleed fills the gutter": SheetOptions(bleed=3.0, mark_length=5.0),
    "bleed in a wide gutter": SheetOptions(bleed=1.5, gutter=(7.0, 5.0)),
    "gutter without bleed": SheetOptions(gutter=(3.0, 4.0), mark_line=0.2, mark_offset=0.5),
}
KINDS = (Crop.EDGE, Crop.CORNER, Crop.FULL)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.value)
@pytest.mark.parametrize(
    ("name", "paper", "backs"),
    [
        *[(name, "a4", Backs.DUPLEX) for name in SHEETS],
        *[(name, "letter", Backs.FOLD) for name in ("touching", "bleed in a wide gutter")],
    ],
)
def test_marks_stand_on_the_cuts_and_on_nothing_else(name: str, paper: str, backs: Backs, kind: Crop) -> None:
    grid = imposition.fit_grid(replace(SHEETS[name], paper=PAPERS[paper], backs=backs, crop_marks=kind))
    found = ink(grid, marks.crop_marks(grid))
    check_on_the_cuts(grid, found)
    check_every_cut_is_marked(grid, found)
    all_of_it = ink(grid, marks.front(grid, WORDS, a_sheet(grid)))
    check_off_the_cards(grid, all_of_it)
    check_off_the_edge(grid, all_of_it)


def paths(items: Sequence[Item]) -> list[Path]:
    """Return the shapes among items."""
    return [item for item in items if isinstance(item, Path)]


def shifted(items: Sequence[Item], dx: float, dy: float) -> tuple[Item, ...]:
    move = Affine.move(dx, dy)
    return tuple(
        replace(item, outlines=outlines.move_outlines(item.outlines, move)) for item in items if isinstance(item, Path)
    )


BLEEDING = SheetOptions(bleed=3.0)
FOLDED = SheetOptions(backs=Backs.FOLD)
MISTAKES: dict[str, tuple[Callable[[Grid, Ink], None], SheetOptions, Callable[[Grid], Sequence[Item]]]] = {
    "shifted by 0.15 mm": (
        check_on_the_cuts,
        SheetOptions(),
        lambda grid: shifted(marks.crop_marks(grid), 0.15, 0),
    ),
    "shifted by 0.08 mm": (
        check_every_cut_is_marked,
        SheetOptions(),
        lambda grid: shifted(marks.crop_marks(grid), 0, 0.08),
    ),
    "the marks of another gutter": (
        check_on_the_cuts,
        SheetOptions(gutter=(2.0, 2.0)),
        lambda grid: marks.crop_marks(replace(grid, options=replace(grid.options, gutter=(1.8, 2.0)))),
    ),
    "no mark on one side": (
        check_every_cut_is_marked,
        SheetOptions(),
        lambda grid: [replace(path, outlines=path.outlines[1:]) for path in paths(marks.crop_marks(grid))],
    ),
    "the front's marks alone": (
        check_every_cut_is_marked,
        FOLDED,
        lambda grid: marks.crop_marks(replace(grid, options=replace(FOLDED, mark_sides=Sides.FRONTS))),
    ),
    "the bleed forgotten": (
        check_off_the_cards,
        BLEEDING,
        lambda grid: marks.crop_marks(replace(grid, options=replace(BLEEDING, bleed=0.0, gutter=(6.0, 6.0)))),
    ),
    "lines over the bleed": (
        check_off_the_cards,
        BLEEDING,
        lambda grid: marks.crop_marks(
            replace(grid, options=replace(BLEEDING, bleed=0.0, gutter=(6.0, 6.0), crop_marks=Crop.FULL))
        ),
    ),
    "up to the edge": (
        check_off_the_edge,
        SheetOptions(crop_marks=Crop.FULL),
        lambda grid: shifted(marks.crop_marks(grid), 0, 0.1),
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_seeded_mistake_is_found(name: str) -> None:
    check, options, mistaken = MISTAKES[name]
    grid = imposition.fit_grid(options)
    check(grid, ink(grid, marks.crop_marks(grid)))
    with pytest.raises(AssertionError):
        check(grid, ink(grid, mistaken(grid)))


# --- laws over all sheets --------------------------------------------------------------------------------------------

lengths = st.integers(0, 30).map(lambda tenths: tenths / 4)
sheet_options = st.builds(
    SheetOptions,
    paper=st.sampled_from([*PAPERS.values(), Size(297.0, 210.0), Size(100.0, 148.0), Size(210.0, 210.0)]),
    card_size=st.sampled_from([POKER, Size(44.45, 63.5), Size(63.5, 63.5)]),
    margin=st.sampled_from([0.0, 4.3, 5.0, 12.0]),
    gutter=st.none() | st.tuples(lengths, lengths),
    backs=st.sampled_from(Backs),
    flip=st.sampled_from(Flip),
    bleed=st.sampled_from([0.0, 0.5, 3.0]),
    bleed_backs=st.sampled_from([None, 0.0, 2.0, 4.0]),
    bleed_where=st.sampled_from(Where),
    crop_marks=st.sampled_from(Crop),
    mark_length=st.sampled_from([0.5, 3.0, 20.0]),
    mark_offset=st.sampled_from([0.0, 1.0, 4.0]),
    mark_line=st.sampled_from([0.05, 0.1, 0.3]),
    mark_sides=st.sampled_from(Sides),
)


def fitted(options: SheetOptions) -> Grid:
    try:
        return imposition.fit_grid(options)
    except ValueError:
        assume(False)
        raise


def lines(items: Sequence[Item]) -> Iterator[Rect]:
    """Yield the inked box of every line of marks, which are straight, upright or level."""
    for item in items:
        assert isinstance(item, Path)
        assert item.stroke is not None
        for outline in item.outlines:
            (x1, y1), ((x2, y2),) = outline.start, outline.segments
            assert (x1 == x2) != (y1 == y2)
            half = item.stroke.width / 2
            if x1 == x2:
                yield Rect(x1 - half, min(y1, y2), 2 * half, abs(y2 - y1))
            else:
                yield Rect(min(x1, x2), y1 - half, abs(x2 - x1), 2 * half)


def pieces(grid: Grid, words: str = WORDS) -> list[margin_items.MarginItem]:
    slug = margin_items.slug(grid, words)
    ruler = margin_items.ruler(grid, [slug.box] if slug else [])
    check = marks.check(grid)
    return [piece for piece in (slug, ruler, check, *margin_items.fold_words(grid)) if piece]


@given(sheet_options)
def test_lines_prolong_cuts_and_keep_off_cards_and_5_mm_off_the_edge(options: SheetOptions) -> None:
    grid = fitted(options)
    fold = list(lines(marks.fold_line(grid)))
    for back in (False, True):
        found, places = list(lines(marks.crop_marks(grid, on_back=back))), faces(grid, back=back)
        across, down = cuts(grid, back=back)
        assert all(is_within(line, grid.paper.rect.outset(-MARGIN)) for line in (*found, *fold))
        for trim, seen in places:
            assert not any(overlap(line, reserved(trim, seen, options)) for line in (*found, *(() if back else fold)))
        for line in found if places else ():
            x, y = (round(value, 6) for value in line.center)
            assert x in across if line.height > line.width else y in down
            assert options.mark_line == pytest.approx(min(line.width, line.height))


def reflected(grid: Grid, boxes: Sequence[Rect]) -> set[tuple[float, ...]]:
    return rounded([grid.flip_axis.box(box) for box in boxes])


def rounded(boxes: Sequence[Rect]) -> set[tuple[float, ...]]:
    return {tuple(round(value, 6) + 0.0 for value in (box.x, box.y, box.width, box.height)) for box in boxes}


@given(sheet_options)
def test_the_marks_of_the_back_lie_on_those_of_the_front(options: SheetOptions) -> None:
    grid = fitted(replace(options, mark_sides=Sides.BOTH))
    front = list(lines(marks.crop_marks(grid)))
    back = front if options.backs is Backs.FOLD else list(lines(marks.crop_marks(grid, on_back=True)))
    assert reflected(grid, front) == rounded(back)


@given(sheet_options)
def test_a_fold_over_sheet_has_the_marks_of_either_side_in_its_half(options: SheetOptions) -> None:
    grid = fitted(replace(options, backs=Backs.FOLD, mark_sides=Sides.FRONTS))
    other = replace(grid, options=replace(grid.options, mark_sides=Sides.BACKS))
    both = replace(grid, options=replace(grid.options, mark_sides=Sides.BOTH))
    fronts, backs = (list(lines(marks.crop_marks(each))) for each in (grid, other))
    assert reflected(grid, fronts) == rounded(backs)
    assert rounded(fronts) | rounded(backs) == rounded(list(lines(marks.crop_marks(both))))
    assert all((line.right if grid.flip_axis.vertical else line.bottom) < grid.flip_axis.at for line in fronts)


@given(sheet_options)
def test_margin_items_stand_beside_cards_marks_and_each_other(options: SheetOptions) -> None:
    grid = fitted(options)
    stands = [piece.box for piece in pieces(grid)]
    taken = [seen for _, seen in faces(grid)]
    taken += lines(marks.crop_marks(grid, free=stands))
    taken += lines(marks.fold_line(grid, stands))
    for number, box in enumerate(stands):
        assert is_within(box, grid.paper.rect.outset(-MARGIN))
        assert not any(overlap(box, other) for other in (*taken, *stands[:number]))


def extents(runs: Sequence[Item]) -> Iterator[Rect]:
    """Yield the boxes of runs of text, from ascent to descent of its small letters."""
    for run in runs:
        if isinstance(run, TextRun):
            width = sum(run.advances) / fonts.face(run.face).units_per_em * run.size * run.stretch
            yield run.transform.box(Rect(0, -0.76 * run.size, width, run.size))


@given(sheet_options, st.text("Kc …·,1", min_size=1, max_size=400))
def test_words_stay_within_their_piece(options: SheetOptions, words: str) -> None:
    grid = fitted(options)
    for piece in pieces(grid, words):
        assert all(is_within(box, piece.box) for box in extents(piece.items))
        assert all(run.size >= 0.7 * 1.5 for run in piece.items if isinstance(run, TextRun))


# --- which marks there are -------------------------------------------------------------------------------------------


def grid_of(**options: object) -> Grid:
    return imposition.fit_grid(SheetOptions(**options))  # type: ignore[arg-type]


def count(grid: Grid, *, on_back: bool = False) -> int:
    return len(list(lines(marks.crop_marks(grid, on_back=on_back))))


@pytest.mark.parametrize(
    ("options", "front", "back"),
    [
        ({}, 16, 16),  # both ends of four cuts each way
        ({"gutter": (3.0, 3.0)}, 24, 24),  # both sides of each gutter
        ({"mark_sides": Sides.FRONTS}, 16, 0),
        ({"mark_sides": Sides.BACKS}, 0, 16),
        ({"crop_marks": Crop.OFF}, 0, 0),
    ],
)
def test_each_cut_has_a_mark_at_both_ends_on_the_sides_that_are_asked_for(
    options: dict[str, object], front: int, back: int
) -> None:
    grid = grid_of(**options)
    assert (count(grid), count(grid, on_back=True)) == (front, back)


def test_corner_marks_of_touching_cards_are_crosses_on_the_points_that_four_share() -> None:
    grid = grid_of(crop_marks=Crop.CORNER)
    crosses = rounded(list(lines(marks.crop_marks(grid)))) - rounded(list(lines(marks.crop_marks(grid_of()))))
    points = {(round(slot.right, 6), round(slot.bottom, 6)) for slot in grid.slots[:2] + grid.slots[3:5]}
    assert {(round(x + w / 2, 6), round(y + h / 2, 6)) for x, y, w, h in crosses} == points
    assert len(crosses) == 2 * len(points)


def test_corner_marks_in_gutters_stand_between_the_cards() -> None:
    grid = grid_of(crop_marks=Crop.CORNER, gutter=(3.0, 3.0))
    in_gutters = count(grid) - count(grid_of(gutter=(3.0, 3.0)))
    crossings = (grid.columns - 1) * (grid.rows - 1)
    beside = (grid.columns - 1) * 2 + (grid.rows - 1) * 2
    assert in_gutters == 4 * crossings + beside
    assert count(grid_of(crop_marks=Crop.CORNER, bleed=3.0)) == count(grid_of(bleed=3.0)) > 0, "bleed fills these"


@pytest.mark.parametrize(("gutter", "long"), [(1.2, 0.0), (1.8, 0.6), (3.0, 1.0), (9.0, 7.0)])
def test_a_narrow_gutter_is_marked_in_its_middle_third(gutter: float, long: float) -> None:
    grid = grid_of(crop_marks=Crop.CORNER, grid=(2, 1), gutter=(gutter, 0.0), mark_length=3.5)
    middle = grid.paper.width / 2
    between = [line.width for line in lines(marks.crop_marks(grid)) if line.x < middle < line.right]
    assert between == pytest.approx([long] * 2 if long else [])


def test_full_marks_run_over_the_whole_sheet_where_cards_do_not_bleed() -> None:
    grid = grid_of(crop_marks=Crop.FULL)
    assert sorted((round(line.width, 3), round(line.height, 3)) for line in lines(marks.crop_marks(grid))) == [
        *[(0.1, 287.0)] * 4,
        *[(200.0, 0.1)] * 4,
    ]


@pytest.mark.parametrize(
    ("options", "size", "off"),
    [
        ({"mark_length": 7.0, "mark_offset": 2.0, "mark_line": 0.25}, (0.25, 7.0), 2.0),
        ({"bleed": 1.0, "bleed_backs": 4.0}, (0.1, 3.0), 5.0),  # that of the side that bleeds more
    ],
)
def test_length_offset_and_line_are_those_asked_for(
    options: dict[str, object], size: tuple[float, float], off: float
) -> None:
    grid = grid_of(grid=(1, 1), **options)
    for on_back in (False, True):
        first = next(lines(marks.crop_marks(grid, on_back=on_back)))
        assert (first.width, first.height, first.bottom) == pytest.approx((*size, grid.block.y - off))


@pytest.mark.parametrize("options", [SheetOptions(), SheetOptions(backs=Backs.FOLD), SheetOptions(proof=Proof.OUTLINE)])
def test_all_of_it_is_black_alone(options: SheetOptions) -> None:
    grid = imposition.fit_grid(options)
    for item in (*marks.front(grid, WORDS, a_sheet(grid)), *marks.back(grid, WORDS, a_sheet(grid))):
        assert isinstance(item, (Path, TextRun))
        stroke = item.stroke if isinstance(item, Path) else None
        assert {color for color in (item.fill, stroke and stroke.color) if color} == {(0, 0, 0)}


# --- slug, ruler, fold, registration, cut line -----------------------------------------------------------------------


LONG = f"{'The Lamplit Coast ' * 12}· sheet 1 of 5 · front"


@pytest.mark.parametrize(
    ("words", "begins", "ends", "least", "most"),
    [
        (WORDS, WORDS, WORDS, 2.1, 2.1),
        (LONG, LONG, LONG, 0.7 * 2.1, 2.09),
        (f"{'The Lamplit Coast ' * 40}· 17th · sheet 1 of 5", "The Lamplit Coast The", "… · 17th · sheet 1 of 5", 1.47, 1.511),
        ("K" * 1000, "KKK", "K…", 1.47, 1.511),
    ],
    ids=["short", "smaller", "head cut", "one part"],
)  # fmt: skip
def test_a_long_slug_is_set_smaller_and_then_loses_no_more_of_its_head_than_it_must(
    words: str, begins: str, ends: str, least: float, most: float
) -> None:
    piece = margin_items.slug(grid_of(paper=PAPERS["a4"]), words)
    assert piece is not None
    runs = [item for item in piece.items if isinstance(item, TextRun)]
    text = "".join(run.words for run in runs)
    assert text.startswith(begins)
    assert text.endswith(ends)
    assert least <= runs[0].size <= most


def test_the_fold_line_is_dashed_lies_on_the_fold_and_is_named_at_both_ends() -> None:
    grid = imposition.fit_grid(FOLDED)
    (path,) = marks.fold_line(grid)
    assert isinstance(path, Path)
    assert path.stroke is not None
    assert path.stroke.dashes
    (line,) = lines([path])
    assert grid.flip_axis.at in line.center
    assert marks.fold_line(grid_of()) == ()
    for options in (FOLDED, replace(FOLDED, paper=PAPERS["letter"]), replace(FOLDED, bleed=3.0, paper=PAPERS["a3"])):
        words = [piece.items for piece in margin_items.fold_words(imposition.fit_grid(options))]
        assert ["".join(run.words for run in runs if isinstance(run, TextRun)) for runs in words] == ["fold"] * 2


REGISTERED = SheetOptions(grid=(2, 3), registration=Registration.SILHOUETTE, crop_marks=Crop.FULL)


def registration_boxes(grid: Grid) -> list[Rect]:
    found = cutting.registration_marks(grid)
    assert found is not None
    points = [[outline.start, *((x, y) for x, y in outline.segments)] for outline in found.outlines]
    return [
        Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
        for xs, ys in ((tuple(x for x, _ in corners), tuple(y for _, y in corners)) for corners in points)
    ]


@pytest.mark.parametrize(("paper", "cards"), [("a4", (2, 3)), ("letter", (3, 2))])
def test_nothing_comes_within_2_mm_of_a_registration_mark(paper: str, cards: tuple[int, int]) -> None:
    grid = imposition.fit_grid(replace(REGISTERED, paper=PAPERS[paper], grid=cards))
    found = cutting.registration_marks(grid)
    assert found is not None
    items = marks.front(grid, WORDS, a_sheet(grid))
    assert set(found.items) <= set(items)
    printed = ink(grid, [item for item in items if item not in found.items])
    zones = [box.outset(2.0 - PX) for box in registration_boxes(grid)]
    assert not any(printed.at(zone).any() for zone in zones)
    plain = replace(grid, options=replace(grid.options, registration=Registration.NONE))
    crossing = ink(plain, marks.front(plain, WORDS, a_sheet(plain)))
    assert any(crossing.at(zone).any() for zone in zones), "without the marks, there is something to keep off"
    assert not set(found.items) & set(marks.back(grid, WORDS, a_sheet(grid)))


def test_cut_lines_are_drawn_around_the_cards_that_are_there_on_both_sides() -> None:
    grid = grid_of(cut_line=True, crop_marks=Crop.OFF, ruler=False, slug=False, corner_radius=3.5)
    sheet = a_sheet(grid, 2)
    assert marks.front(grid, WORDS, sheet) == tuple(cut_line(slot, 3.5) for slot in grid.slots[:2])
    assert marks.back(grid, WORDS, sheet) == tuple(cut_line(grid.flip_axis.box(slot), 3.5) for slot in grid.slots[:2])


@pytest.mark.parametrize("radius", [0.0, 3.0, 8.0])
def test_a_cut_line_runs_along_the_trim_and_around_its_corners(radius: float) -> None:
    box = Rect(20.0, 20.0, *(POKER.width, POKER.height))
    page = document.Page(size=Size(105.0, 130.0), placements=(), marks=(cut_line(box, radius),))
    drawn = rasters.page(document.write([page], document.PdfOptions("Cut")), 0, DPI)
    magenta = drawn[:, :, 1] < 128
    assert (drawn[magenta][:, [0, 2]] == 255).all()
    found = rasters.extent(magenta)
    edges = (found.left, found.right + 1, found.top, found.bottom + 1)
    assert edges == pytest.approx([v / PX for v in (19.9, 20.1 + box.width, 19.9, 20.1 + box.height)], abs=1.5)
    corner = 20.0 + radius * (1 - 1 / sqrt(2))  # where a quarter of a circle is nearest to the corner
    rows, columns = np.nonzero(magenta[: round((20 + max(radius, 1)) / PX), : round((20 + max(radius, 1)) / PX)])
    assert abs(columns - rows).min() <= 1
    on_the_diagonal = columns[abs(columns - rows) <= 1] * PX
    assert np.median(on_the_diagonal) == pytest.approx(corner, abs=0.12)
