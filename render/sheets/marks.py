"""All that a sheet carries besides faces: crop marks, fold line, ruler, slug, registration marks, cut lines.

All of it is black alone, except the cut line, which is a preview and not printed. This module decides what yields to
what: registration marks stand where a machine seeks them, margin items keep off them, and lines keep off both.
"""

from __future__ import annotations

from collections.abc import Sequence

from render.base.caches import cached
from render.base.geometry import Rect
from render.pdf import operators
from render.scene.items import Item, Outline, Path, Placement, Stroke
from render.sheets import cutting, margin_items
from render.sheets.cutting import NEARLY, Span, join_spans
from render.sheets.imposition import Grid, Sheet
from render.sheets.margin_items import MarginItem
from render.sheets.options import Backs, Crop, SheetOptions, Sides

SHORTEST = 0.5  # mm: a shorter mark looks like a speck

_OFF_REGISTRATION = 2.0  # mm around a registration mark that stay unprinted, so that a machine finds only the mark
_OFF_THE_FOLD = 0.5  # mm between crop marks and the fold line, among whose dashes they would be lost
_FOLD = Stroke(color=(0, 0, 0), width=0.15, dashes=(2.0, 1.0))


def front(grid: Grid, words: str, sheet: Sheet) -> tuple[Item, ...]:
    """Return what is drawn on the front of a sheet, over its faces; `words` are the slug's.

    ValueError if registration marks are asked for and have no room.
    """
    return _over_faces(grid, words, sheet.front)


def back(grid: Grid, words: str, sheet: Sheet) -> tuple[Item, ...]:
    """Return what is drawn on the back of a sheet, over its faces: no ruler and no registration marks."""
    return _over_faces(grid, words, sheet.back or (), on_back=True)


def _over_faces(grid: Grid, words: str, faces: Sequence[Placement], *, on_back: bool = False) -> tuple[Item, ...]:
    options, free = grid.options, [] if on_back else _around_registration(grid)
    slug = margin_items.slug(grid, words, free, on_back=on_back) if options.slug else None
    lines, items = _around_the_slug(grid, slug and slug.box, on_back)
    cuts: list[Item] = []
    if options.cut_line:
        from render.scene.proofs import cut_along, cut_line
        from render.sheets.cut_shapes import in_slot

        upright = grid.flip_axis.vertical
        for face in faces:
            if grid.cut:
                cuts.append(cut_along(in_slot(grid.cut, face.box, behind=face.is_back, upright=upright)))
            else:
                cuts.append(cut_line(face.box, options.corner_radius))
    return (*lines, *(slug.items if slug else ()), *items, *cuts)


def check(grid: Grid) -> MarginItem | None:
    """Return the shorter ruler, which checks the scale, if it is asked for and has room.

    Ruler, slug and fold words leave its place free, whatever they say.
    """
    return margin_items.check(grid, _around_registration(grid)) if grid.options.ruler else None


@cached(8)  # all sheets of a job have the same, since their slugs take the same box
def _around_the_slug(grid: Grid, slug: Rect | None, on_back: bool) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """Return the lines and registration marks of a side, and its margin items but for the slug."""
    free, items = [slug] if slug else [], list[Item]()
    if on_back:
        return crop_marks(grid, on_back=True, free=free), ()
    free = [*_around_registration(grid), *free]
    for piece in margin_items.fold_words(grid):
        items += piece.items
        free.append(piece.box)
    for ruler in (margin_items.ruler(grid, free) if grid.options.ruler else None, check(grid)):
        if ruler:
            items += ruler.items
            free.append(ruler.box)
    registration = cutting.registration_marks(grid)
    marks = registration.items if registration else ()
    return (*crop_marks(grid, free=free), *fold_line(grid, free), *marks), tuple(items)


def _around_registration(grid: Grid) -> list[Rect]:
    marks = cutting.registration_marks(grid)
    outlines = marks.outlines if marks else ()
    return [operators.bounds((Path((outline,)),)).outset(_OFF_REGISTRATION) for outline in outlines]


# --- Crop marks and the fold line: where to cut and where to fold, as straight lines outside the cards ----------------

Rule = tuple[bool, float, float, float]
"""A line: whether it is vertical, its x (of a horizontal one, its y), and its start and end along it."""

Lane = tuple[float, float, float, float]
"""A column or a row of cards: start and end of its trim, start and end of its bleed."""

Cards = list[tuple[Rect, Rect]]
"""The boxes of cards: trim, and trim with bleed."""


def crop_marks(grid: Grid, *, on_back: bool = False, free: Sequence[Rect] = ()) -> tuple[Item, ...]:
    """Return the crop marks of a side, as its options ask for them, outside the boxes to be kept `free`."""
    options, rules = grid.options, []
    half = options.mark_line / 2  # of the line's width is on each side of the cut
    for cards, room in _marked_blocks(grid, on_back) if options.crop_marks is not Crop.OFF else ():
        for vertical in (True, False):
            low, high = _ends(room, not vertical)
            along, limits = _lanes(cards, vertical), _ends(room, vertical)
            for at, bled, shared in _cuts(_lanes(cards, not vertical)):
                if not low <= at - half <= at + half <= high:
                    continue
                if options.crop_marks is Crop.FULL:
                    spans = _over_the_sheet(along, limits, bled=bled)
                else:
                    spans = _ticks(along, limits, options)
                if shared and options.crop_marks is Crop.CORNER:
                    # Arms of crosses where four cards meet, at most half a card long to each side.
                    arm = min(options.mark_length / 2, *((end - start) / 2 for start, end, *_ in along))
                    spans += [(cut - arm, cut + arm) for cut, _, meets in _cuts(along) if meets]
                rules += [(vertical, at, *span) for span in spans]
    return _drawn(rules, free, Stroke(color=(0, 0, 0), width=options.mark_line))


def fold_line(grid: Grid, free: Sequence[Rect] = ()) -> tuple[Item, ...]:
    """Return the dashed line of a fold-over sheet, broken where bleed reaches it; none for other sheets."""
    if grid.options.backs is not Backs.FOLD:
        return ()
    cards, vertical, fold = _front(grid), grid.flip_axis.vertical, grid.flip_axis.at
    # Beside cards whose bleed reaches the fold, dashes would be printed on it.
    bled = fold - max(_ends(bleed, not vertical)[1] for _, bleed in cards) < _FOLD.width
    spans = _over_the_sheet(_lanes(cards, vertical), _ends(grid.room(), vertical), bled=bled)
    return _drawn([(vertical, fold, *span) for span in spans], free, _FOLD)


def _marked_blocks(grid: Grid, on_back: bool) -> list[tuple[Cards, Rect]]:
    """Return the cards of a side that are marked, and the room for marks; a fold-over sheet has both in its halves."""
    front, axis, sides, room = _front(grid), grid.flip_axis, grid.options.mark_sides, grid.room(on_back=on_back)
    back = [(axis.box(trim), axis.box(bleed)) for trim, bleed in front]
    if grid.options.backs is not Backs.FOLD:
        unmarked = sides is (Sides.FRONTS if on_back else Sides.BACKS)
        return [] if unmarked else [(back if on_back else front, room)]
    end = axis.at - _OFF_THE_FOLD
    width, height = (end, grid.paper.height) if axis.vertical else (grid.paper.width, end)
    half = room.shared(Rect(0.0, 0.0, width, height))
    halves = ((front, half, Sides.BACKS), (back, axis.box(half), Sides.FRONTS))
    return [(cards, part) for cards, part, without in halves if sides is not without]


def _front(grid: Grid) -> Cards:
    """Return the boxes on the front. Both sides keep off the larger bleed, so that their marks coincide."""
    back_bleeds_more = grid.options.most_bleed > grid.options.bleed
    return [(slot, slot.spread(grid.bleed(number, is_back=back_bleeds_more))) for number, slot in enumerate(grid.slots)]


def _ends(box: Rect, vertical: bool) -> Span:
    return (box.y, box.bottom) if vertical else (box.x, box.right)


def _lanes(cards: Cards, vertical: bool) -> list[Lane]:
    """Return what a vertical line passes, which is rows, or a horizontal one, which is columns."""
    return sorted({(*_ends(trim, vertical), *_ends(bleed, vertical)) for trim, bleed in cards})


def _cuts(lanes: Sequence[Lane]) -> list[tuple[float, bool, bool]]:
    """Return the edges of the lanes in order: whether color goes on beyond each, and whether two cards share it."""
    cuts: list[tuple[float, bool, bool]] = []
    for start, end, bleed_start, bleed_end in lanes:
        if cuts and start - cuts[-1][0] <= NEARLY:
            cuts[-1] = *cuts[-1][:2], True
        else:
            cuts.append((start, start - bleed_start > NEARLY, False))
        cuts.append((end, bleed_end - end > NEARLY, False))
    return cuts


def _gaps(lanes: Sequence[Lane], limits: Span) -> list[Span]:
    """Return the white before, between and behind lanes, outside their bleed."""
    return list(zip((limits[0], *(lane[3] for lane in lanes)), (*(lane[2] for lane in lanes), limits[1]), strict=True))


def _ticks(along: Sequence[Lane], limits: Span, options: SheetOptions) -> list[Span]:
    """Return the marks of a cut in gaps: one beside each card, off its bleed; one for both cards if two would meet."""
    ticks: list[Span] = []
    for number, (start, end) in enumerate(_gaps(along, limits)):
        after_card, before_card = number > 0, number < len(along)
        if after_card and before_card and options.crop_marks is Crop.EDGE:
            continue
        off = min(options.mark_offset, (end - start) / 3)  # in a narrow gap at least a third is left for the mark
        start, end = start + off * after_card, end - off * before_card
        if end - start < SHORTEST - NEARLY:
            continue
        if after_card and before_card and end - start <= 2 * options.mark_length:
            ticks.append((start, end))
            continue
        if after_card:
            ticks.append((start, min(end, start + options.mark_length)))
        if before_card:
            ticks.append((max(start, end - options.mark_length), end))
    return ticks


def _over_the_sheet(along: Sequence[Lane], limits: Span, *, bled: bool) -> list[Span]:
    """Return a line over the whole sheet, never on bleed; beside cards only where no color continues beyond the cut."""
    spans = _gaps(along, limits)
    if not bled:
        spans += [(start, end) for start, end, *_ in along]
    low, high = limits
    clipped = ((max(start, low), min(end, high)) for start, end in spans)
    return [span for span in join_spans(clipped) if span[1] - span[0] >= SHORTEST - NEARLY]


def _drawn(rules: Sequence[Rule], free: Sequence[Rect], stroke: Stroke) -> tuple[Item, ...]:
    for box in free:
        # The box and half the stroke, so that no ink reaches into it.
        rules = [piece for rule in rules for piece in _outside(rule, box.outset(stroke.width / 2))]
    outlines = tuple(
        Outline((at, start), ((at, end),), False) if vertical else Outline((start, at), ((end, at),), False)
        for vertical, at, start, end in rules
    )
    return (Path(outlines, None, stroke=stroke),) if outlines else ()


def _outside(rule: Rule, box: Rect) -> list[Rule]:
    """Return what remains of a line outside a box, without specks."""
    vertical, at, start, end = rule
    (low, high), (near, far) = _ends(box, not vertical), _ends(box, vertical)
    if not (low < at < high and near < end and far > start):
        return [rule]
    pieces = ((start, near), (far, end))
    return [(vertical, at, *piece) for piece in pieces if piece[1] - piece[0] >= SHORTEST - NEARLY]
