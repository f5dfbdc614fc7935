"""Laws of imposition."""

from collections import Counter
from math import ceil

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from render.base.geometry import Edges, Flip, Rect, Size
from render.scene.items import Placement, Scene
from render.sheets import imposition
from render.sheets.imposition import Grid, ImposedCard, Reflection
from render.sheets.options import Backs, Orientation, SheetOptions, Where
from tests.support.boxes import NEARLY, is_near, is_within, overlap

lengths = st.floats(0, 6)
options = st.builds(
    SheetOptions,
    paper=st.builds(Size, st.floats(80, 450), st.floats(110, 450)),
    orientation=st.sampled_from(Orientation),
    card_size=st.builds(Size, st.floats(20, 90), st.floats(20, 120)),
    margin=st.floats(0, 12),
    gutter=st.none() | st.tuples(lengths, lengths),
    backs=st.sampled_from(Backs),
    flip=st.sampled_from(Flip),
    bleed=st.floats(0, 5),
    bleed_backs=st.none() | st.floats(0, 5),
    bleed_where=st.sampled_from(Where),
)
reflections = st.builds(Reflection, st.booleans(), st.floats(10, 300))
boxes = st.builds(Rect, st.floats(0, 300), st.floats(0, 300), st.floats(1, 100), st.floats(1, 100))
edges = st.builds(Edges, lengths, lengths, lengths, lengths)
counts = st.lists(st.integers(0, 12), max_size=8)


def fitted(how: SheetOptions) -> Grid:
    """Return the grid, if the paper holds a card at all."""
    grid = fitted_or_none(how)
    assume(grid)
    assert grid is not None
    return grid


def fitted_or_none(how: SheetOptions) -> Grid | None:
    try:
        return imposition.fit_grid(how)
    except ValueError:
        return None


def cards(copies: list[int]) -> list[ImposedCard]:
    """Return cards that can be told apart by the sizes of their faces, and by their names."""
    return [
        ImposedCard(Scene(Size(number + 1.0, 1.0), ()), Scene(Size(1.0, number + 1.0), ()), count, f"card-{number}")
        for number, count in enumerate(copies)
    ]


def seen(placement: Placement) -> Rect:
    return placement.box.spread(placement.bleed)


def sides(how: SheetOptions, copies: list[int]) -> list[tuple[Placement, ...]]:
    sheets = imposition.impose(cards(copies), fitted(how))
    return [side for sheet in sheets for side in (sheet.front, sheet.back) if side is not None]


# --- turning the sheet ---


@given(reflections, boxes, edges)
def test_turning_the_sheet_twice_is_the_identity(flip_axis: Reflection, box: Rect, around: Edges) -> None:
    assert is_near(flip_axis.box(flip_axis.box(box)), box)
    assert flip_axis.edges(flip_axis.edges(around)) == around


@given(reflections, boxes, edges)
def test_what_a_face_shows_is_turned_with_it(flip_axis: Reflection, box: Rect, around: Edges) -> None:
    assert is_near(flip_axis.box(box.spread(around)), flip_axis.box(box).spread(flip_axis.edges(around)))


@given(options)
def test_a_sheet_turns_about_its_middle(how: SheetOptions) -> None:
    grid = fitted(how)
    assert grid.flip_axis.at == (grid.paper.width if grid.flip_axis.vertical else grid.paper.height) / 2


@given(options)
def test_portrait_on_the_long_edge_and_landscape_on_the_short_turn_about_the_vertical_axis(how: SheetOptions) -> None:
    grid = fitted(replace(how, backs=Backs.DUPLEX))
    portrait = grid.paper.height >= grid.paper.width
    assert grid.flip_axis.vertical == (portrait == (how.flip is Flip.LONG_EDGE))


@given(options)
def test_the_slots_behind_the_slots_are_the_slots(how: SheetOptions) -> None:
    grid = fitted(replace(how, backs=Backs.DUPLEX))
    behind = [grid.flip_axis.box(slot) for slot in grid.slots]
    assert all(any(is_near(one, other) for other in grid.slots) for one in behind)


# --- what fits ---


@given(options, st.lists(st.integers(1, 9), min_size=1, max_size=8))
def test_faces_and_their_bleed_stay_within_the_margins(how: SheetOptions, copies: list[int]) -> None:
    room = fitted(how).paper.rect.outset(-how.margin)
    assert all(is_within(seen(placement), room) for side in sides(how, copies) for placement in side)


@given(options, st.lists(st.integers(1, 9), min_size=1, max_size=8))
def test_no_face_lies_on_another_nor_does_its_bleed(how: SheetOptions, copies: list[int]) -> None:
    for side in sides(how, copies):
        for index, placement in enumerate(side):
            for other in side[:index]:
                assert not overlap(seen(placement), other.box) and not overlap(placement.box, seen(other))


@given(options)
def test_bleeds_of_neighbours_meet_at_most(how: SheetOptions) -> None:
    grid = fitted(how)
    shown = [slot.spread(grid.bleed(number, is_back=False)) for number, slot in enumerate(grid.slots)]
    assert not any(overlap(one, other) for index, one in enumerate(shown) for other in shown[:index])


@given(options)
def test_the_outer_edges_of_the_block_bleed_in_full(how: SheetOptions) -> None:
    grid = fitted(how)
    first, last = (grid.bleed(number, is_back=False) for number in (0, len(grid.slots) - 1))
    assert (first.left, first.top, last.right, last.bottom) == (how.bleed,) * 4


@given(options)
def test_no_further_column_or_row_would_fit(how: SheetOptions) -> None:
    grid = fitted(replace(how, backs=Backs.DUPLEX))
    (across, down), beyond = grid.gutter, 2 * (grid.options.margin + grid.options.most_bleed)
    assert (grid.columns + 1) * (grid.card.width + across) - across > grid.paper.width - beyond
    assert (grid.rows + 1) * (grid.card.height + down) - down > grid.paper.height - beyond


@given(options, st.integers(1, 9), st.integers(1, 9))
def test_a_grid_that_is_asked_for_is_given_or_refused_with_one_that_fits(
    how: SheetOptions, columns: int, rows: int
) -> None:
    fitted(how)
    asked = replace(how, grid=(columns, rows))
    try:
        grid = imposition.fit_grid(asked)
    except ValueError as error:
        named = str(error).rpartition(": ")[2].partition(" do")[0]
        most = tuple(int(word) for word in named.split(" x "))
        assert len(most) == 2
        assert len(imposition.fit_grid(replace(how, grid=(most[0], most[1]))).slots) == most[0] * most[1]
        assert columns > most[0] or rows > most[1]
        for words, changed in imposition.remedies(how, (columns, rows)).items():
            assert words in str(error)
            assert (changed != how) and len(imposition.fit_grid(replace(changed, grid=(columns, rows))).slots)
    else:
        assert (grid.columns, grid.rows) == (columns, rows)


@given(options)
def test_a_refusal_names_the_least_papers_that_hold_a_card_and_a_smaller_one_does_not(how: SheetOptions) -> None:
    tiny = replace(how, paper=Size(11.0, 12.0), orientation=Orientation.AS_GIVEN)
    with pytest.raises(ValueError, match="at least") as refused:
        imposition.fit_grid(tiny)
    named = str(refused.value).rpartition("at least ")[2].removesuffix(", to be folded").split(" or ")
    assert len(named) == (2 if how.backs is Backs.FOLD else 1), "a sheet is folded upright or level"
    for least in named:
        width, height = (float(word) for word in least.removesuffix(" mm").split(" x "))
        assert imposition.fit_grid(replace(tiny, paper=Size(width, height))).slots
        with pytest.raises(ValueError, match="no card"):
            imposition.fit_grid(replace(tiny, paper=Size(width - 0.02, height - 0.02)))


@given(options)
def test_sheets_to_be_folded_lie_the_way_that_holds_most_cards_unless_one_is_asked_for(how: SheetOptions) -> None:
    folded = replace(how, backs=Backs.FOLD)
    ways = [fitted_or_none(replace(folded, orientation=each)) for each in (Orientation.PORTRAIT, Orientation.LANDSCAPE)]
    most = max(len(each.slots) if each else 0 for each in ways)
    grid = fitted(replace(folded, orientation=Orientation.AS_GIVEN))
    assert len(grid.slots) == most
    assert grid.paper in [each.paper for each in ways if each and len(each.slots) == most]


@given(options)
def test_a_fold_keeps_its_gap_to_both_blocks_which_are_reflections(how: SheetOptions) -> None:
    grid = fitted(replace(how, backs=Backs.FOLD))
    front, back = grid.blocks
    assert is_near(grid.flip_axis.box(front), back)
    before, behind = (front.right, back.x) if grid.flip_axis.vertical else (front.bottom, back.y)
    assert grid.flip_axis.at - before >= imposition.FOLD_GAP - NEARLY
    assert behind - grid.flip_axis.at >= imposition.FOLD_GAP - NEARLY


# --- the cards ---


@given(options, counts)
def test_every_copy_is_placed_once_with_its_own_back_behind_it(how: SheetOptions, copies: list[int]) -> None:
    grid, faces = fitted(how), cards(copies)
    fronts: Counter[str] = Counter()
    for sheet in imposition.impose(faces, grid):
        placed = (*sheet.front, *(sheet.back or ()))
        front = [placement for placement in placed if not placement.is_back]
        back = [placement for placement in placed if placement.is_back]
        fronts += Counter(placement.name for placement in front)
        assert len(back) == (0 if how.backs is Backs.NONE else len(front))
        for one, other in zip(front, back, strict=False):
            assert (one.name, one.face.size.width) == (other.name, other.face.size.height)
            assert is_near(grid.flip_axis.box(one.box), other.box)
            assert (one.turned, other.turned) == (False, not grid.flip_axis.vertical)
    assert fronts == Counter({face.name: face.copies for face in faces if face.copies})


@given(options, counts)
def test_n_cards_take_n_divided_by_the_slots_sheets(how: SheetOptions, copies: list[int]) -> None:
    grid = fitted(how)
    assert len(imposition.impose(cards(copies), grid)) == ceil(sum(copies) / len(grid.slots))


@given(options, st.integers(1, 30))
def test_a_card_without_back_leaves_the_slot_behind_it_empty(how: SheetOptions, count: int) -> None:
    grid = fitted(replace(how, backs=Backs.DUPLEX))
    bare, other = (
        ImposedCard(Scene(Size(1, 1), ()), None, count, "bare"),
        ImposedCard(Scene(Size(1, 1), ()), Scene(Size(1, 1), ())),
    )
    for sheet in imposition.impose([bare, other], grid):
        assert sheet.back is not None
        behind = [grid.flip_axis.box(front.box) for front in sheet.front if front.name != "bare"]
        assert [back.box for back in sheet.back] == behind
