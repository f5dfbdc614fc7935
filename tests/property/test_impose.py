"""Laws of imposition."""

from __future__ import annotations

from collections import Counter
from math import ceil

from hypothesis import given
from hypothesis import strategies as st

from render import impose
from render.geometry import POKER, Flip, Rect, Size
from render.impose import Face, Grid
from render.scene import Scene

papers = st.builds(Size, st.floats(80, 450), st.floats(110, 450))
flips = st.sampled_from(Flip)
slots = st.builds(Rect, st.floats(0, 300), st.floats(0, 300), st.floats(1, 100), st.floats(1, 100))
counts = st.lists(st.integers(0, 12), max_size=8)


def grid_of(paper: Size) -> Grid:
    return impose.fit_grid(paper, POKER)


def cards(copies: list[int]) -> list[Face]:
    return [
        Face(Scene(Size(number + 1.0, 1.0), ()), Scene(Size(1.0, number + 1.0), ()), count)
        for number, count in enumerate(copies)
    ]


def close(one: Rect, other: Rect) -> bool:
    pairs = ((one.x, other.x), (one.y, other.y), (one.width, other.width), (one.height, other.height))
    return all(abs(a - b) < 1e-9 for a, b in pairs)


@given(slots, papers, flips)
def test_turning_the_sheet_twice_is_the_identity(slot: Rect, paper: Size, flip: Flip) -> None:
    assert close(impose.behind(impose.behind(slot, paper, flip), paper, flip), slot)


@given(papers)
def test_slots_keep_the_margin_and_do_not_overlap(paper: Size) -> None:
    grid = grid_of(paper)
    room = paper.rect.outset(-impose.MARGIN + 1e-6)
    for index, slot in enumerate(grid.slots):
        assert room.x <= slot.x and slot.right <= room.right and room.y <= slot.y and slot.bottom <= room.bottom
        for other in grid.slots[:index]:
            apart = max(slot.x - other.right, other.x - slot.right, slot.y - other.bottom, other.y - slot.bottom)
            assert apart >= -1e-9


@given(papers)
def test_no_further_column_or_row_would_fit(paper: Size) -> None:
    grid = grid_of(paper)
    assert (grid.columns + 1) * POKER.width > paper.width - 2 * impose.MARGIN
    assert (grid.rows + 1) * POKER.height > paper.height - 2 * impose.MARGIN


@given(papers, flips)
def test_the_slots_behind_the_slots_are_the_slots(paper: Size, flip: Flip) -> None:
    grid = grid_of(paper)
    behind = [impose.behind(slot, paper, flip) for slot in grid.slots]
    assert all(any(close(one, other) for other in grid.slots) for one in behind)


@given(counts, papers, flips)
def test_every_copy_is_placed_once_with_its_own_back_behind_it(copies: list[int], paper: Size, flip: Flip) -> None:
    faces = cards(copies)
    sheets = impose.impose(faces, grid_of(paper), flip)
    fronts = Counter(placement.face for sheet in sheets for placement in sheet.front)
    assert fronts == Counter({face.front: face.copies for face in faces if face.copies})
    for sheet in sheets:
        for front, back in zip(sheet.front, sheet.back, strict=True):
            assert back.face.size.height == front.face.size.width
            assert close(impose.behind(front.box, paper, flip), back.box)


@given(counts, papers, flips)
def test_n_cards_take_n_divided_by_the_slots_sheets(copies: list[int], paper: Size, flip: Flip) -> None:
    grid = grid_of(paper)
    assert len(impose.impose(cards(copies), grid, flip)) == ceil(sum(copies) / len(grid.slots))


@given(papers, flips)
def test_backs_are_turned_where_the_sheet_turns_about_its_horizontal_axis(paper: Size, flip: Flip) -> None:
    (sheet,) = impose.impose(cards([1]), grid_of(paper), flip)
    portrait = paper.height >= paper.width
    assert sheet.back[0].turned == (portrait == (flip is Flip.SHORT_EDGE))
    assert not sheet.front[0].turned
