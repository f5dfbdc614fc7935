"""Whether cards stay where a printer can print once their backs are corrected, and how to move them if not.

Fronts are not corrected. So all cards are moved, fronts and backs together, until both sides keep off the edge; if that
is not enough, there are fewer of them. Lengths are in mm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from render.base.findings import Diagnostic, Severity, quoted
from render.base.geometry import IDENTITY, Affine
from render.sheets import imposition
from render.sheets.cutting import NEARLY
from render.sheets.imposition import Grid
from render.sheets.options import MARGIN, MIN_MARGIN, Backs, Registration, SheetOptions

if TYPE_CHECKING:
    from render.sheets.calibration.printers import Calibration


def fit_printable(options: SheetOptions, correction: Affine = IDENTITY) -> Grid:
    """Return the grid asked for, or the one with the most cards; ValueError, which says what would fit, if none fits.

    If corrected backs would come too near to the edge, the grid is moved, and has fewer cards unless a grid is asked
    for.
    """
    grid = imposition.fit_grid(options)
    if correction == IDENTITY or options.backs in (Backs.FOLD, Backs.NONE):
        return grid
    grid = replace(grid, correction=correction)
    if options.registration is not Registration.NONE:  # moved cards could reach the marks, which cannot move
        return grid
    moved = _moved(grid)
    if is_printable(moved) or options.grid is not None:
        return moved
    return _smaller(grid) or moved


def centered(grid: Grid) -> Grid:
    """Return the grid before cards were moved or left out for the printer."""
    return replace(imposition.fit_grid(grid.options), correction=grid.correction)


def is_printable(grid: Grid) -> bool:
    """Return whether all cards of both sides keep off what printers leave white, or off the margin if that is less."""
    return nearest(grid).length >= _white(grid) - NEARLY


class Distance(NamedTuple):
    """How far all cards of a side with their bleed keep from an edge of the page, as that side is seen."""

    length: float
    edge: str
    on_back: bool


def nearest(grid: Grid) -> Distance:
    """Return how near the cards of both sides come to the edge, where they come nearest."""
    distances = (
        Distance(length, edge, on_back)
        for on_back in (True, False)
        for edge, length in _distances(grid, on_back=on_back).items()
    )
    return min(distances, key=lambda each: each.length)


def margin(grid: Grid) -> float:
    """Return what stays white along the edges of fronts: the margin, or less if cards are moved."""
    if not any(grid.offset):
        return grid.options.margin
    return min(grid.options.margin, round(min(_distances(grid).values()), 4))


# --- moving ---------------------------------------------------------------------------------------------------------


def _moved(grid: Grid) -> Grid:
    """Return the grid moved as little as leaves the usual margin on both sides, or else so that both have the same."""
    if is_printable(grid):
        return grid
    front, back = _distances(grid), _distances(grid, on_back=True)
    offset = []
    for low, high in (("left", "right"), ("top", "bottom")):
        # Moving right on the front is moving left on the back of a sheet that turns about its vertical axis.
        behind = (high, low) if grid.flip_axis.vertical == (low == "left") else (low, high)
        before, after = min(front[low], back[behind[0]]), min(front[high], back[behind[1]])
        # No more than half of all white, which is the middle.
        wanted = min(max(_white(grid), min(MARGIN, grid.options.margin)), (before + after) / 2)
        offset.append(round(max(wanted - before, 0.0) - max(wanted - after, 0.0), 2))
    return replace(grid, offset=(offset[0], offset[1]))


def _smaller(grid: Grid) -> Grid | None:
    """Return the grid with the most cards that can be printed, moved if need be; None if not even one can."""
    return max(
        filter(is_printable, map(_moved, imposition.smaller_grids(grid))),
        key=lambda each: (each.count, nearest(each).length),
        default=None,
    )


# --- measuring ------------------------------------------------------------------------------------------------------


def _distances(grid: Grid, *, on_back: bool = False) -> dict[str, float]:
    """Return how far the cards of a side keep from each edge of the page, as printed."""
    paper, box = grid.paper, grid.block.outset(grid.options.bleed)
    if on_back:
        box = grid.correction.box(grid.flip_axis.box(grid.block).outset(grid.options.back_bleed))
    return {"left": box.x, "top": box.y, "right": paper.width - box.right, "bottom": paper.height - box.bottom}


def _white(grid: Grid) -> float:
    return min(MIN_MARGIN, grid.options.margin)


# --- what is said of it, and the calibration that options ask for -----------------------------------------------------


def doubt(grid: Grid, printer: str) -> Diagnostic | None:
    """Return the warning that backs came too near to the edge for a printer, what was done, and what would help."""
    before = centered(grid)
    near, white = nearest(before), _white(grid)
    if is_printable(before) or not near.on_back:  # fronts have the margin that the user asked for
        return None
    limit = "that is off the paper" if white == 0 else f"{white:g} mm are to stay white"
    if white == MIN_MARGIN:
        limit = f"most printers leave {white:g} mm white"
    where = f"{_mm(abs(near.length))} mm {'beyond' if near.length < 0 else 'from'} the {near.edge} edge"
    cards = f"the corrected backs of {before.columns} x {before.rows} cards"
    message = f"for {quoted(printer)} {cards} are printed {where} of the paper, and {limit}"
    return Diagnostic("I001", message, _what_helps(grid, before), severity=Severity.WARNING).at()


def _what_helps(grid: Grid, before: Grid) -> str:
    done = []
    if grid.count != before.count:
        done.append(f"there are {grid.columns} x {grid.rows} cards on a sheet instead")
    if any(grid.offset):
        ways = zip(grid.offset, (("to the right", "to the left"), ("down", "up")), strict=True)
        way = " and ".join(f"{_mm(abs(by))} mm {words[by < 0]}" for by, words in ways if by)
        done.append(f"all cards, fronts and backs, are moved by {way}")
    left = nearest(grid).length
    hint = f"{' and '.join(done)}, which leaves {_mm(left) if left >= 0 else 'no'} mm" if done else ""
    if is_printable(grid):
        return hint
    hint = f"{hint}; " if hint else ""
    smaller = _smaller(before)
    if smaller is None:
        return f"{hint}use larger paper, and calibrate the printer for it"
    option = f"--grid {smaller.columns}x{smaller.rows}"
    return f"{hint}use `{option}`, which leaves {_mm(nearest(smaller).length)} mm, or larger paper"


def _mm(length: float) -> str:
    return f"{length:.2f}".rstrip("0").rstrip(".")


def calibration_of(options: SheetOptions) -> Calibration | None:
    """Return the calibration for sheets; None if they name no printer, or have no back side to correct.

    ValueError if the printer is unknown here, or was calibrated for other sheets; Refused if the file of printers is
    damaged; OSError.
    """
    if not options.printer or options.backs in (Backs.FOLD, Backs.NONE):
        return None
    from render.sheets.calibration import printers

    found = printers.calibration(options.printer)
    reason = found.check(options.page, options.flip)
    if reason:
        raise ValueError(reason)
    return found


def correction_by(calibration: Calibration | None) -> Affine:
    """Return what a calibration does to back pages; nothing without one."""
    return calibration.correction if calibration else IDENTITY


def doubts_about(options: SheetOptions, calibration: Calibration | None) -> Iterator[Diagnostic]:
    """Yield what is doubtful about sheets that are corrected for a printer."""
    if calibration is None:
        return
    if calibration.unconfirmed:
        yield calibration.unconfirmed
    if too_near := doubt(fit_printable(options, calibration.correction), calibration.printer):
        yield too_near
