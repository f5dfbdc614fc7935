"""Whether cards stay where a printer can print once their backs are corrected, and how to move them if not.

Fronts are not corrected. So all cards are moved, fronts and backs together, until both sides keep off the edge; if that
is not enough, there are fewer of them. Lengths are in mm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from render.base.findings import Diagnostic, Severity, quoted
from render.base.geometry import IDENTITY, Affine, Rect
from render.sheets import imposition
from render.sheets.imposition import Grid
from render.sheets.options import MARGIN, MIN_MARGIN, Backs, Registration, SheetOptions

if TYPE_CHECKING:
    from render.sheets.calibration.fit import Calibration


_TINY = 1e-6  # mm: rounding of sums of lengths
_DIGITS = 2  # decimals of mm in which cards are moved


class Nearest(NamedTuple):
    """How near cards with their bleed come to an edge of the page, which edge, and on which side."""

    length: float
    edge: str
    on_back: bool

    def __str__(self) -> str:
        """Return `3.35 mm from the top edge`, or how far beyond it; as that side is seen."""
        if self.length < 0:
            return f"{_mm(-self.length)} mm beyond the {self.edge} edge"
        return f"{_mm(self.length)} mm from the {self.edge} edge"


class Fitted(NamedTuple):
    """The grid of sheets for a printer, and the centered one that would be used without a printer."""

    grid: Grid
    centered: Grid


def fit_printable(options: SheetOptions, correction: Affine = IDENTITY) -> Fitted:
    """Return the grid asked for, or the one with the most cards; ValueError, which says what would fit, if none fits.

    If corrected backs would come too near to the edge, the grid is moved, and has fewer cards unless a grid is asked
    for.
    """
    centered = imposition.fit_grid(options)
    if correction == IDENTITY or options.backs in (Backs.FOLD, Backs.NONE):
        return Fitted(centered, centered)
    centered = replace(centered, correction=correction)
    if options.registration is not Registration.NONE:  # moved cards could reach the marks, which cannot move
        return Fitted(centered, centered)
    first = _moved(centered)
    if is_printable(first) or options.grid is not None:
        return Fitted(first, centered)
    return Fitted(_smaller(centered) or first, centered)


def is_printable(grid: Grid) -> bool:
    """Return whether all cards of both sides keep off what printers leave white, or off the margin if that is less."""
    return nearest(grid).length >= _white(grid) - _TINY


def nearest(grid: Grid) -> Nearest:
    """Return how near the cards of both sides come to the edge, where they come nearest."""
    return min((*_distances(grid, on_back=True), *_distances(grid)), key=lambda each: each.length)


def margin(grid: Grid) -> float:
    """Return what stays white along the edges of fronts: the margin, or less if cards are moved."""
    front = min(_distances(grid), key=lambda each: each.length)
    return min(grid.options.margin, round(front.length, 4)) if any(grid.offset) else grid.options.margin


def doubt(found: Fitted, printer: str) -> Diagnostic | None:
    """Return the warning that backs came too near to the edge for a printer, what was done, and what would help."""
    if is_printable(found.centered):
        return None
    near, white = nearest(found.centered), _white(found.centered)
    if not near.on_back:  # the margin that the user asked for, not the printer's doing
        return None
    limit = "that is off the paper" if white == 0 else f"{white:g} mm are to stay white"
    if white == MIN_MARGIN:
        limit = f"most printers leave {white:g} mm white"
    cards = f"the corrected backs of {_cards(found.centered)}"
    message = f"for {quoted(printer)} {cards} are printed {near} of the paper, and {limit}"
    return Diagnostic("I001", message, _what_helps(found), severity=Severity.WARNING).at()


def _what_helps(found: Fitted) -> str:
    now, was = found.grid, found.centered
    done = []
    if (now.columns, now.rows) != (was.columns, was.rows):
        done.append(f"there are {_cards(now)} on a sheet instead")
    if any(now.offset):
        done.append(f"all cards, fronts and backs, are moved by {_way(now.offset)}")
    left = nearest(now).length
    said = f"{' and '.join(done)}, which leaves {_mm(left) if left >= 0 else 'no'} mm" if done else ""
    if is_printable(now):
        return said
    said = f"{said}; " if said else ""
    smaller = _smaller(was)
    if smaller is None:
        return f"{said}use larger paper, and calibrate the printer for it"
    grid = f"--grid {smaller.columns}x{smaller.rows}"
    return f"{said}use `{grid}`, which leaves {_mm(nearest(smaller).length)} mm, or larger paper"


# --- moving ---------------------------------------------------------------------------------------------------------


def _moved(grid: Grid) -> Grid:
    """Return the grid moved as little as leaves the usual margin on both sides, or else so that both have the same."""
    if is_printable(grid):
        return grid
    reach = {
        (each.on_back, each.edge): each.length
        for on_back in (False, True)
        for each in _distances(grid, on_back=on_back)
    }
    across, down = (_move(grid, reach, *ends) for ends in (("left", "right"), ("top", "bottom")))
    return replace(grid, offset=(across, down))


def _move(grid: Grid, reach: dict[tuple[bool, str], float], low: str, high: str) -> float:
    """Return how far cards are moved in one direction, towards its `high` end, seen from the front."""
    swaps = grid.flip_axis.vertical == (low == "left")  # moving right on the front is moving left on the back
    behind = (high, low) if swaps else (low, high)
    before = min(reach[False, low], reach[True, behind[0]])
    after = min(reach[False, high], reach[True, behind[1]])
    # No more than half of all white, which is the middle.
    wanted = min(max(_white(grid), min(MARGIN, grid.options.margin)), (before + after) / 2)
    by = max(wanted - before, 0.0) - max(wanted - after, 0.0)
    return round(by, _DIGITS)


def _smaller(grid: Grid) -> Grid | None:
    """Return the grid with the most cards that can be printed, moved if need be; None if not even one can."""
    fewer = [
        _moved(replace(grid, columns=columns, rows=rows))
        for columns in range(1, grid.columns + 1)
        for rows in range(1, grid.rows + 1)
    ]
    return max(
        (each for each in fewer if is_printable(each)),
        key=lambda each: (each.columns * each.rows, nearest(each).length),
        default=None,
    )


# --- measuring ------------------------------------------------------------------------------------------------------


def _white(grid: Grid) -> float:
    return min(MIN_MARGIN, grid.options.margin)


def _distances(grid: Grid, *, on_back: bool = False) -> Iterator[Nearest]:
    """Yield how far all cards of a side with their bleed keep from each edge of the page, as printed."""
    box, paper = _printed(grid, on_back=on_back), grid.paper
    for length, edge in (
        (box.x, "left"),
        (box.y, "top"),
        (paper.width - box.right, "right"),
        (paper.height - box.bottom, "bottom"),
    ):
        yield Nearest(length, edge, on_back)


def _printed(grid: Grid, *, on_back: bool) -> Rect:
    if not on_back:
        return grid.block.outset(grid.options.bleed)
    return grid.correction.box(grid.flip_axis.box(grid.block).outset(grid.options.back_bleed))


def _cards(grid: Grid) -> str:
    return f"{grid.columns} x {grid.rows} cards"


def _way(offset: tuple[float, float]) -> str:
    ways = zip(offset, (("to the right", "to the left"), ("down", "up")), strict=True)
    return " and ".join(f"{_mm(abs(by))} mm {words[by < 0]}" for by, words in ways if by)


def _mm(length: float) -> str:
    return f"{length:.2f}".rstrip("0").rstrip(".")


# --- The calibration that options of sheets ask for: of the printer that they name ---


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
    too_near = doubt(fit_printable(options, calibration.correction), calibration.printer)
    if too_near:
        yield too_near
