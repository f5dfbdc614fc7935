"""Whether a check sheet confirms a correction, and if not, which slip in its readings explains what is left.

A check sheet is a calibration sheet printed with the correction, so its readings are what is left. If the first
readings were right, that is almost nothing. If all of their signs were wrong, it is twice what the printer does; if
right and down were exchanged, it is turned by 90 degrees; and so on. What is left and the correction give what the
printer does, and from that follows what somebody who made the slip would have read on the first sheet. People who take
+ for − do so on the check sheet, too, so that is tried as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from render.base.geometry import Affine, Size
from render.sheets.calibration.fit import (
    DOUBTFUL_MISS,
    MIN_CROSSES,
    NAMES,
    PrinterFit,
    Reading,
    best_fit,
    exact_readings,
)

CONFIRMED = 0.3  # mm that may be left in the corners of the cards: what is promised for 99 printers of 100
_IN_FROM_EDGE = 10.0  # mm: about where the corners of the outer cards lie
_ALIKE = 1 / 3  # of what is left may stay unexplained by a slip that explains it
_MIN_SLIP = 0.6  # mm: less can be an error of the eye, and is simply corrected

Readings = Sequence[Reading]


@dataclass(frozen=True, slots=True)
class Slip:
    """A way to get readings wrong, in words (`all signs were wrong`), and what it makes of right ones.

    Doing it twice undoes it.
    """

    words: str
    done: Callable[[Readings], Readings]


@dataclass(frozen=True, slots=True)
class Explanation:
    """The slip that explains what is left, whether it was made on both sheets, and the check's readings without it."""

    slip: Slip
    on_both: bool
    mended: Readings

    def lands(self, paper: Size) -> Affine:
        """Return where points land on the check sheet, by the readings without the slip."""
        return best_fit(paper, self.mended)


def left_over(lands: Affine, paper: Size) -> float:
    """Return the largest distance in mm that backs are off in the corners of the cards, if points land so."""
    return _apart(lands, Affine(), paper)


def confirms(found: PrinterFit, paper: Size) -> bool:
    """Return whether the fit of a check sheet shows that its correction is right.

    A slip that leaves little, such as two crosses exchanged on both sheets, shows in readings that do not agree.
    """
    enough = len(found.misses) > MIN_CROSSES and found.worst_miss <= DOUBTFUL_MISS
    return enough and left_over(found.lands, paper) <= CONFIRMED


def explained(paper: Size, as_read: Affine, readings: Readings) -> Explanation | None:
    """Return the slip that explains the readings of a check sheet; None if none does.

    `as_read` is where the points of the back land according to the readings that the correction was made from.
    """
    left = left_over(best_fit(paper, readings), paper)
    if left < _MIN_SLIP:
        return None
    found = min(_tries(paper, as_read, readings), key=lambda tried: tried[0])
    return found[1] if found[0] <= left * _ALIKE else None


def _tries(paper: Size, as_read: Affine, readings: Readings) -> Iterator[tuple[float, Explanation]]:
    """Yield for each slip how much it leaves unexplained, in mm."""
    for on_both in (False, True):
        for slip in SLIPS:
            mended = slip.done(readings) if on_both else readings
            # What the printer really does if this slip was made, and what the first readings would then have been.
            lands = best_fit(paper, mended) @ as_read
            slipped = best_fit(paper, slip.done(exact_readings(paper, lands, [one.name for one in readings])))
            yield _apart(slipped, as_read, paper), Explanation(slip, on_both, mended)


def _apart(one: Affine, other: Affine, paper: Size) -> float:
    """Return the largest difference of two maps where cards are, in mm."""
    area = paper.rect.outset(-_IN_FROM_EDGE)
    corners = ((x, y) for x in (area.x, area.right) for y in (area.y, area.bottom))
    return max(math.dist(one.apply(*corner), other.apply(*corner)) for corner in corners)


# --- the slips ------------------------------------------------------------------------------------------------------


def _turned(right: float, down: float) -> Callable[[Readings], Readings]:
    """Return the slip that changes signs of readings."""
    return lambda readings: [replace(one, right=right * one.right, down=down * one.down) for one in readings]


def _exchanged(sign: float) -> Callable[[Readings], Readings]:
    return lambda readings: [replace(one, right=sign * one.down, down=sign * one.right) for one in readings]


def _renamed(*pairs: tuple[str, str]) -> Callable[[Readings], Readings]:
    """Return the slip that exchanges names of crosses. A cross keeps its name if the other one was not read."""
    other = {one: two for pair in pairs for one, two in (pair, pair[::-1])}

    def done(readings: Readings) -> Readings:
        names = {one.name for one in readings}
        return [replace(one, name=other[one.name]) if other.get(one.name) in names else one for one in readings]

    return done


SLIPS = (
    Slip("all signs were wrong", _turned(-1, -1)),
    Slip("right and down were exchanged", _exchanged(1)),
    Slip("the signs of the level scales were wrong", _turned(-1, 1)),
    Slip("the signs of the upright scales were wrong", _turned(1, -1)),
    Slip("right and down were exchanged, and all signs were wrong", _exchanged(-1)),
    Slip("the crosses were exchanged, left for right: A with B, C with D", _renamed(("A", "B"), ("C", "D"))),
    Slip("the crosses were exchanged, top for bottom: A with C, B with D", _renamed(("A", "C"), ("B", "D"))),
    Slip("the crosses were exchanged, each for the one opposite: A with D, B with C", _renamed(("A", "D"), ("B", "C"))),
    *(Slip(f"the crosses {one} and {two} were exchanged", _renamed((one, two))) for one, two in combinations(NAMES, 2)),
)
"""The known slips, usual ones first: of several that explain the same, the first is named."""
