"""Imposition: which face goes into which slot, on which side of which sheet, and which way up. Arithmetic only.

A back's place is the reflection of its front's slot and depends on nothing else, so a partly filled sheet keeps its
grid. A sheet turns about the middle of the paper. A fold-over sheet is folded there; its backs are on the same side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import ceil, floor

from render.base.caches import cached
from render.base.geometry import Flip, Size
from render.scene.items import Scene
from render.scene.placement import Placement
from render.sheets.grid import Grid, Reflection, from_the_fold, gutter
from render.sheets.options import MAX_IN_A_ROW, MIN_MARGIN, Backs, Orientation, SheetOptions, Where

_TINY = 1e-9  # mm: rounding of sums of lengths


@dataclass(frozen=True, slots=True)
class ImposedCard:
    """The faces of a card, its number of copies, and its name; `back` is None if it has none."""

    front: Scene
    back: Scene | None
    copies: int = 1
    name: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The placements on both sides of a sheet, each as its side is seen; `back` is None for a one-sided sheet."""

    front: tuple[Placement, ...]
    back: tuple[Placement, ...] | None


# --- what fits ------------------------------------------------------------------------------------------------------


@cached(64)  # sets, options and sheets ask for the same
def fit_grid(options: SheetOptions) -> Grid:
    """Return the grid asked for, or the one with the most cards.

    ValueError, which says what would fit, if none fits.
    """
    best = _fullest(options)
    if not _count(best):
        raise ValueError(_too_small(options))
    if options.grid is None:
        return best
    found = _asked(options, options.grid)
    if found is None:
        raise ValueError(_too_many(options, options.grid, best))
    return found


def _fullest(options: SheetOptions) -> Grid:
    return max(_fullest_grids(options), key=_count)


def _asked(options: SheetOptions, grid: tuple[int, int]) -> Grid | None:
    """Return the grid of that many columns and rows; None if it does not fit."""
    columns, rows = grid
    for fullest in _fullest_grids(options):
        if columns <= fullest.columns and rows <= fullest.rows:
            return replace(fullest, columns=columns, rows=rows)
    return None


def _fullest_grids(options: SheetOptions) -> list[Grid]:
    """Return the grid with the most cards, perhaps none, for each line that the sheet may turn or fold about.

    A sheet to be folded may lie either way, unless its orientation is asked for.
    """
    ways = [options]
    if options.backs is Backs.FOLD and options.orientation is Orientation.AS_GIVEN:
        ways.append(_turned(options)[1])
    return [_filled(way, flip_axis) for way in ways for flip_axis in _flip_axes(way)]


def _count(grid: Grid) -> int:
    return grid.columns * grid.rows


def _flip_axes(options: SheetOptions) -> tuple[Reflection, ...]:
    """Return the line of the flip; for a fold, both lines that it may lie on."""
    paper = options.page
    vertical, horizontal = Reflection(True, paper.width / 2), Reflection(False, paper.height / 2)
    if options.backs is Backs.FOLD:
        return vertical, horizontal
    return (vertical,) if turns_about_vertical(paper, options.flip) else (horizontal,)


def turns_about_vertical(paper: Size, flip: Flip) -> bool:
    """Return whether a sheet turns about its vertical axis: portrait on the long edge, landscape on the short edge."""
    return (paper.height >= paper.width) == (flip is Flip.LONG_EDGE)


def _filled(options: SheetOptions, flip_axis: Reflection) -> Grid:
    room, card, (across, down) = _room(options, flip_axis), options.card_size, gutter(options)
    # N cards have n - 1 gutters: one more is added to the room.
    columns = floor((room.width + across + _TINY) / (card.width + across))
    rows = floor((room.height + down + _TINY) / (card.height + down))
    return Grid(
        options=options,
        columns=min(max(columns, 0), MAX_IN_A_ROW),
        rows=min(max(rows, 0), MAX_IN_A_ROW),
        flip_axis=flip_axis,
    )


def _room(options: SheetOptions, flip_axis: Reflection) -> Size:
    """Return the room that margins, bleed and a fold leave to the cards."""
    paper, taken = options.page, 2 * (options.margin + options.most_bleed)
    if options.backs is not Backs.FOLD:
        return Size(paper.width - taken, paper.height - taken)
    half = options.margin + options.most_bleed + from_the_fold(options)
    if flip_axis.vertical:
        return Size(paper.width / 2 - half, paper.height - taken)
    return Size(paper.width - taken, paper.height / 2 - half)


# --- what would fit -------------------------------------------------------------------------------------------------


def remedies(options: SheetOptions, grid: tuple[int, int]) -> dict[str, SheetOptions]:
    """Return changes of one option each with which that many columns and rows fit, by words as `with a bleed of 1 mm`.

    A length becomes the longest one, in steps of 0.1 mm, that does.
    """
    found: dict[str, SheetOptions] = {}
    for changes in ([_turned(options)], _bleed_less(options), _closer(options), _nearer_the_edge(options)):
        found.update(islice(((words, changed) for words, changed in changes if _asked(changed, grid)), 1))
    if options.most_bleed and options.gutter is None and _asked(replace(options, bleed_where=Where.BLOCK), grid):
        found["with bleed only around the block"] = replace(options, bleed_where=Where.BLOCK)
    return found


Change = tuple[str, SheetOptions]


def _turned(options: SheetOptions) -> Change:
    portrait = options.page.height >= options.page.width
    other = Orientation.LANDSCAPE if portrait else Orientation.PORTRAIT
    return f"in {other.value}", replace(options, orientation=other)


def _bleed_less(options: SheetOptions) -> Iterator[Change]:
    for most in _shorter(options.most_bleed):
        backs = options.bleed_backs if options.bleed_backs is None else min(options.bleed_backs, most)
        yield f"with a bleed of {most:g} mm", replace(options, bleed=min(options.bleed, most), bleed_backs=backs)


def _closer(options: SheetOptions) -> Iterator[Change]:
    across, down = options.gutter or (0.0, 0.0)
    for most in _shorter(max(across, down)):
        yield f"with a gutter of {most:g} mm", replace(options, gutter=(min(across, most), min(down, most)))


def _nearer_the_edge(options: SheetOptions) -> Iterator[Change]:
    for margin in _shorter(options.margin):
        if margin >= MIN_MARGIN:
            yield f"with margins of {margin:g} mm", replace(options, margin=margin)


def _shorter(length: float) -> Iterator[float]:
    return (tenths / 10 for tenths in range(ceil(length * 10 - _TINY) - 1, -1, -1))


def _too_many(options: SheetOptions, asked: tuple[int, int], best: Grid) -> str:
    found = f"{_cards(options, asked)} do not fit {_paper(options)}: {best.columns} x {best.rows} do"
    words, turned = _turned(options)
    most = _fullest(turned)
    if _count(most) > _count(best) and not _asked(turned, asked):
        found += f", or {most.columns} x {most.rows} {words}"
    ways = " or ".join(remedies(options, asked))
    return f"{found}; {asked[0]} x {asked[1]} do {ways}" if ways else found


def _too_small(options: SheetOptions) -> str:
    least = " or ".join(_mm(size) for size in _smallest(options))
    folded = ", to be folded" if options.backs is Backs.FOLD else ""
    found = f"no card of {_mm(options.card_size)} fits {_paper(options)}: it must be at least {least}{folded}"
    words, turned = _turned(options)
    return f"{found}; one fits {words}" if _asked(turned, (1, 1)) else found


def _smallest(options: SheetOptions) -> Iterator[Size]:
    """Yield the smallest papers that hold a card, in steps of 0.01 mm; for a fold, upright and level."""
    card, around = options.card_size, options.margin + options.most_bleed
    width, height = (ceil((side + 2 * around) * 100 - _TINY) / 100 for side in (card.width, card.height))
    if options.backs is not Backs.FOLD:
        yield Size(width, height)
        return
    beside = around + from_the_fold(options)
    folded = (ceil(2 * (side + beside) * 100 - _TINY) / 100 for side in (card.width, card.height))
    yield from (Size(next(folded), height), Size(width, next(folded)))


def _cards(options: SheetOptions, grid: tuple[int, int]) -> str:
    across, down = gutter(options)
    cards = f"{grid[0]} x {grid[1]} cards of {_mm(options.card_size)}"
    if options.backs is Backs.FOLD:
        cards += " beside a fold"
    if across == down:
        return f"{cards}, {across:g} mm apart," if across else cards
    return f"{cards}, {across:g} mm apart across and {down:g} mm down,"


def _paper(options: SheetOptions) -> str:
    bleed = f" and a bleed of {options.most_bleed:g} mm" if options.most_bleed else ""
    return f"a paper of {_mm(options.page)} with margins of {options.margin:g} mm{bleed}"


def _mm(size: Size) -> str:
    return f"{size.width:g} x {size.height:g} mm"


# --- the faces in their slots ---------------------------------------------------------------------------------------


def impose(cards: Sequence[ImposedCard], grid: Grid) -> list[Sheet]:
    """Return the sheets with every copy of every card once, in order, each back behind its front."""
    copies = [card for card in cards for _ in range(card.copies)]
    size = grid.columns * grid.rows
    return [_sheet(copies[start : start + size], grid) for start in range(0, len(copies), size)]


def _sheet(cards: Sequence[ImposedCard], grid: Grid) -> Sheet:
    front, back = [], []
    for number, (card, slot) in enumerate(zip(cards, grid.slots, strict=False)):
        bleed = grid.bleed(number, grid.options.bleed)
        front.append(Placement(face=card.front, box=slot, turned=False, bleed=bleed, name=card.name))
        if card.back is not None:
            # Reflected: the right edge of a front's slot is the left one of its back.
            bleed = grid.flip_axis.edges(grid.bleed(number, grid.options.back_bleed))
            # About a level axis the sheet turns upside down, so its backs are turned to read the right way up behind
            # the fronts.
            box, turned = grid.flip_axis.box(slot), not grid.flip_axis.vertical
            back.append(Placement(face=card.back, box=box, turned=turned, bleed=bleed, name=card.name, is_back=True))
    match grid.options.backs:
        case Backs.NONE:
            return Sheet(tuple(front), None)
        case Backs.FOLD:
            return Sheet((*front, *back), None)
    return Sheet(tuple(front), tuple(back))
