"""Nets of tuck boxes and dividers: folded they have the size of what lies in them, and no part lies on another."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import hypot, isclose

from hypothesis import assume, given
from hypothesis import strategies as st

from render.base.geometry import Size
from render.base.sizes import CARDS, PAPERS
from render.exports.box_files import BLEED, fit
from render.scene.outlines import Point, chords
from render.sheets.options import SheetOptions
from render.sheets.tuck_box import BOARD, LEAST_TAB, Net, divider, room_for, tuck_box

cards = st.one_of(st.sampled_from(list(CARDS.values())), st.builds(Size, st.floats(25, 150), st.floats(25, 150)))
stacks, clearances, sleeved = st.floats(0.3, 90), st.floats(0, 5), st.booleans()


@st.composite
def nets(draw: st.DrawFn) -> Net:
    if draw(st.booleans()):
        return tuck_box(room_for(draw(cards), draw(stacks), draw(clearances), sleeved=draw(sleeved)))
    card, places = draw(cards), draw(st.integers(1, 9))
    assume(card.width / places >= LEAST_TAB)
    return divider(card, draw(st.floats(5, 30)), draw(st.integers(0, places - 1)), places)


def points_of(net: Net) -> list[Point]:
    """Return the corners of what is cut out, with curves as short lines."""
    (outline,) = net.cut
    points = [*chords(outline, 16)]
    return points if points[0] != points[-1] else points[:-1]  # an arc may end where the outline begins


def crossing(a: Point, b: Point, c: Point, d: Point) -> bool:
    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < -1e-9 and side(c, d, a) * side(c, d, b) < -1e-9


def contains(points: list[Point], x: float, y: float) -> bool:
    """Return whether a point lies within corners, by how often a line from it to the right meets their edges."""
    edges = zip(points, [*points[1:], points[0]], strict=True)
    return (
        sum((y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1) for (x1, y1), (x2, y2) in edges) % 2 == 1
    )


@given(cards, stacks, clearances, sleeved)
def test_a_folded_box_has_the_size_of_its_cards_and_the_clearance_inside(
    card: Size, stack: float, clearance: float, sleeved: bool
) -> None:
    net = tuck_box(room_for(card, stack, clearance, sleeved=sleeved))
    upright = sorted(x for (x, y), (other, end) in net.folds if x == other and end > y)
    assert len(upright) == 4
    tab_end, back_end, left_end, front_end = upright
    edge = clearance + 3 * sleeved
    # What lies between two folds is the inside and the box's own paper: half of both walls, and what is tucked in.
    for wide in (back_end - tab_end, front_end - left_end):
        assert isclose(wide, card.width + edge + 2 * BOARD)
    for deep in (
        left_end - back_end,
        net.size.width - front_end,
    ):  # the right side ends where the tab of the back begins
        assert isclose(deep, max(stack + clearance, 6) + 3 * BOARD)
    lengths = {round(end - y, 6) for (x, y), (other, end) in net.folds if x == other}
    assert lengths == {round(card.height + edge + 3 * BOARD, 6)}


@given(cards, stacks)
def test_the_lid_and_the_bottom_reach_from_wall_to_wall_and_are_tucked_in(card: Size, stack: float) -> None:
    net = tuck_box(room_for(card, stack, 1, sleeved=False))
    panels = net.panels
    lid, back, front, side = (panels[name] for name in ("lid", "back", "front", "left"))
    assert (lid.x, lid.bottom, lid.right) == (back.x, back.y, back.right)
    assert isclose(lid.height, side.width)
    assert isclose(lid.y, min(15, (card.height + 1) / 3))  # the flap above it
    folded = {(round(x1, 6), round(y1, 6), round(x2, 6)) for (x1, y1), (x2, y2) in net.folds if y1 == y2}
    assert (round(front.x, 6), round(front.bottom, 6), round(front.right, 6)) in folded
    assert (round(front.x, 6), round(front.bottom + side.width, 6), round(front.right, 6)) in folded


@given(nets())
def test_no_part_of_a_net_lies_on_another(net: Net) -> None:
    points = points_of(net)
    edges = list(zip(points, [*points[1:], points[0]], strict=True))
    assert not any(crossing(*one, *other) for one, other in combinations(edges, 2))
    assert all(hypot(x2 - x1, y2 - y1) > 1e-6 for (x1, y1), (x2, y2) in edges)


@given(nets())
def test_a_net_fills_its_box_and_holds_its_panels_and_folds(net: Net) -> None:
    points = points_of(net)
    xs, ys = zip(*points, strict=True)
    assert all(
        isclose(one, other, abs_tol=1e-6)
        for one, other in ((min(xs), 0), (min(ys), 0), (max(xs), net.size.width), (max(ys), net.size.height))
    )
    for panel in net.panels.values():
        assert contains(points, *panel.center)
    for (x1, y1), (x2, y2) in net.folds:
        assert contains(points, (x1 + x2) / 2 + 1e-3, (y1 + y2) / 2 + 1e-3)
        assert contains(points, (x1 + x2) / 2 - 1e-3, (y1 + y2) / 2 - 1e-3)


@given(cards, st.integers(1, 9), st.floats(5, 30))
def test_tabs_stand_beside_each_other_above_the_cards(card: Size, places: int, tab: float) -> None:
    assume(card.width / places >= LEAST_TAB)
    tabs = [divider(card, tab, place, places).panels["tab"] for place in range(places)]
    assert isclose(tabs[0].x, 0) and isclose(tabs[-1].right, card.width)
    assert all(isclose(one.right, other.x) for one, other in pairwise(tabs))
    assert {divider(card, tab, place, places).size for place in range(places)} == {Size(card.width, card.height + tab)}


@given(nets(), st.sampled_from(list(PAPERS.values())), st.booleans(), st.floats(0, 20))
def test_all_that_fits_lies_where_a_printer_prints(net: Net, paper: Size, lies: bool, margin: float) -> None:
    options = SheetOptions(paper=paper.sideways if lies else paper, margin=margin)
    try:
        grid = fit(net.size, options, only=True)
    except ValueError as error:
        # It says the truth: turned either way, it is too large.
        long, short = max(paper.width, paper.height), min(paper.width, paper.height)
        sides = sorted((net.size.width, net.size.height))
        assert sides[1] > long - 2 * (margin + BLEED) - 1e-6 or sides[0] > short - 2 * (margin + BLEED) - 1e-6
        assert "flat, and a paper of" in str(error)
    else:
        (slot,) = grid.slots
        assert grid.paper.rect.outset(-margin).holds(slot.outset(BLEED))
        assert sorted((slot.width, slot.height)) == sorted((net.size.width, net.size.height))
        assert all(isclose(one, other) for one, other in zip(grid.paper.rect.center, slot.center, strict=True))
