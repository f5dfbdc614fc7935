"""All that a sheet carries besides faces: crop marks, fold line, ruler, slug, registration marks, cut lines.

All of it is black alone, except the cut line, which is a preview and not printed. This module decides what yields to
what: registration marks stand where a machine seeks them, margin items keep off them, and lines keep off both.
"""

from __future__ import annotations

from collections.abc import Sequence

from render.base.caches import cached
from render.base.geometry import Rect
from render.pdf import operators
from render.scene.cut_line import cut_line
from render.scene.items import Item, Outline, Path
from render.scene.placement import Placement
from render.sheets import crop_marks, cutting, margin_items
from render.sheets.grid import Grid
from render.sheets.imposition import Sheet

_OFF_REGISTRATION = 2.0  # mm around a registration mark that stay unprinted, so that a machine finds only the mark


def front(grid: Grid, words: str, sheet: Sheet) -> tuple[Item, ...]:
    """Return what is drawn on the front of a sheet, over its faces; `words` are the slug's.

    ValueError if registration marks are asked for and have no room.
    """
    found = cutting.registration_marks(grid)
    registration = found.items if found else ()
    kept_free = _around_registration(grid)
    pieces = [*_slug(grid, words, kept_free), *margin_items.fold_words(grid)]
    kept_free += [piece.box for piece in pieces]
    if grid.options.ruler and (ruler := _ruler(grid, tuple(kept_free))):
        pieces.append(ruler)
        kept_free.append(ruler.box)
    if short := check(grid):
        pieces.append(short)
        kept_free.append(short.box)
    return (*_lines(grid, tuple(kept_free)), *registration, *_items(pieces), *_cut_lines(grid, sheet.front))


def back(grid: Grid, words: str, sheet: Sheet) -> tuple[Item, ...]:
    """Return what is drawn on the back of a sheet, over its faces: no ruler and no registration marks."""
    pieces = _slug(grid, words, (), on_back=True)
    lines = _lines_on_back(grid, tuple(piece.box for piece in pieces))
    return (*lines, *_items(pieces), *_cut_lines(grid, sheet.back or ()))


@cached(4)  # all sheets of a job have the same
def check(grid: Grid) -> margin_items.MarginItem | None:
    """Return the shorter ruler, which checks the scale, if it is asked for and has room.

    Ruler, slug and fold words leave its place free, whatever they say.
    """
    return margin_items.check(grid, _around_registration(grid)) if grid.options.ruler else None


@cached(4)  # all sheets have the same, since their slugs take the same box
def _ruler(grid: Grid, free: tuple[Rect, ...]) -> margin_items.MarginItem | None:
    return margin_items.ruler(grid, free)


@cached(4)  # as above
def _lines(grid: Grid, free: tuple[Rect, ...]) -> tuple[Item, ...]:
    return (*crop_marks.crop_marks(grid, free=free), *crop_marks.fold_line(grid, free))


@cached(4)  # as above
def _lines_on_back(grid: Grid, free: tuple[Rect, ...]) -> tuple[Item, ...]:
    return crop_marks.crop_marks(grid, on_back=True, free=free)


def _slug(grid: Grid, words: str, free: Sequence[Rect], *, on_back: bool = False) -> list[margin_items.MarginItem]:
    slug = margin_items.slug(grid, words, free, on_back=on_back) if grid.options.slug else None
    return [slug] if slug else []


def _cut_lines(grid: Grid, placements: Sequence[Placement]) -> tuple[Item, ...]:
    if not grid.options.cut_line:
        return ()
    return tuple(cut_line(placement.box, grid.options.corner_radius) for placement in placements)


def _items(pieces: Sequence[margin_items.MarginItem]) -> tuple[Item, ...]:
    return tuple(item for piece in pieces for item in piece.items)


def _around_registration(grid: Grid) -> list[Rect]:
    found = cutting.registration_marks(grid)
    return [_around(outline) for outline in found.outlines] if found else []


def _around(outline: Outline) -> Rect:
    return operators.bounds((Path((outline,)),)).outset(_OFF_REGISTRATION)
