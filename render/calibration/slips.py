"""Whether a check sheet confirms a correction; and if it does not, which slip in its readings explains what is left.

A check sheet is a calibration sheet to which the correction is applied, so that what is read on it is what is left. If
the readings behind the correction were right, that is next to nothing. If all of their signs were wrong, it is twice
what the printer does; if right and down were exchanged, it is turned by 90 degrees; and so on: from what is left and
from the correction follows what the printer does, and from that what would have been read on the first sheet by
somebody who made the slip. People who took + for − do so again on the check sheet, so that is tried as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from render.base.geometry import Affine, Size
from render.calibration.crosses import NAMES
from render.calibration.fit import DOUBTFUL_MISS, MIN_CROSSES, PrinterFit, Reading, best_fit, exact_readings

CONFIRMED = 0.3  # mm that may be left in the corners of the cards: what 99 printers of 100 are promised
_IN_FROM_EDGE = 10.0  # mm: where the corners of the outer cards lie, more or less
_ALIKE = 1 / 3  # of what is left: how much may be unexplained by a slip that explains it
_MIN_SLIP = 0.6  # mm: what is less can be a slip of the eye, and is made up for like that

Readings = Sequence[Reading]


@dataclass(frozen=True, slots=True)
class Slip:
    """A way to get readings wrong, in words (`all signs were wrong`), and what it makes of right ones.

    Done twice it is undone.
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
    """Return how far backs lie off at most, in the corners of the cards, if points land so; in mm."""
    return _apart(lands, Affine(), paper)


def confirms(found: PrinterFit, paper: Size) -> bool:
    """Return whether a check sheet on which this was found shows that its correction is right.

    A slip that leaves little, such as two crosses exchanged on both sheets, shows in readings that do not agree.
    """
    enough = len(found.misses) > MIN_CROSSES and found.worst_miss <= DOUBTFUL_MISS
    return enough and left_over(found.lands, paper) <= CONFIRMED


def explained(paper: Size, said: Affine, readings: Readings) -> Explanation | None:
    """Return the slip that explains what was read on a check sheet; nothing if none does.

    `said` is where the points of the back land as the readings had it that the correction is made of.
    """
    left = left_over(best_fit(paper, readings), paper)
    if left < _MIN_SLIP:
        return None
    found = min(_tries(paper, said, readings), key=lambda tried: tried[0])
    return found[1] if found[0] <= left * _ALIKE else None


def _tries(paper: Size, said: Affine, readings: Readings) -> Iterator[tuple[float, Explanation]]:
    """Yield for each slip how much it leaves unexplained, in mm."""
    for on_both in (False, True):
        for slip in SLIPS:
            mended = slip.done(readings) if on_both else readings
            lands = best_fit(paper, mended) @ said
            slipped = best_fit(paper, slip.done(exact_readings(paper, lands, [one.name for one in readings])))
            yield _apart(slipped, said, paper), Explanation(slip, on_both, mended)


def _apart(one: Affine, other: Affine, paper: Size) -> float:
    """Return by how much two maps differ at most where cards are."""
    area = paper.rect.outset(-_IN_FROM_EDGE)
    corners = ((x, y) for x in (area.x, area.right) for y in (area.y, area.bottom))
    return max(math.dist(one.apply(*corner), other.apply(*corner)) for corner in corners)


# --- the slips ------------------------------------------------------------------------------------------------------


def _turned(right: float, down: float) -> Callable[[Readings], Readings]:
    """Return what gives the readings other signs."""
    return lambda readings: [replace(one, right=right * one.right, down=down * one.down) for one in readings]


def _exchanged(sign: float) -> Callable[[Readings], Readings]:
    return lambda readings: [replace(one, right=sign * one.down, down=sign * one.right) for one in readings]


def _renamed(*pairs: tuple[str, str]) -> Callable[[Readings], Readings]:
    """Return what exchanges the names of crosses; one whose other was not read keeps its own."""
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
"""The slips that are known, the usual ones first: of several that explain the same, the first is named."""
