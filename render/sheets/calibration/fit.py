"""What a printer does to the backs of sheets, computed from a calibration sheet, and the map that corrects it.

All is seen from the front: mm from the top left of the front, y down, the back looked at through the paper. A reading
says how far the back's mark lies to the right of the front's and below it. Six numbers are fitted to the readings of
five crosses by least squares: shift, turn, both scales, skew.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from itertools import combinations, product
from typing import NamedTuple

from msgspec import Struct

from render.base.caches import cached
from render.base.findings import Diagnostic, Refused, Severity, listed, quoted
from render.base.geometry import IDENTITY, Affine, Flip, Size
from render.base.patterns import regex
from render.sheets.imposition import turns_about_vertical

MAX_READING = 10.0  # mm: a larger reading is in other units, or of another line
REFUSED_MISS, DOUBTFUL_MISS = 0.5, 0.2  # mm; a neighboring line read by mistake misses by 0.03, a whole mm by 0.3

MIN_CROSSES = 3  # for a correction; with just as many, no slip can be found
MAX_SKEW, MAX_STRETCH = 0.4, 0.8  # degrees and per cent: printers do less; exchanged readings and signs often more

MIN_SPREAD = 0.05  # share of the largest possible spread of three crosses: below it they lie on one line


# --- where the crosses stand, and what their scales measure ----------------------------------------------------------

NAMES = "ABCDE"

EDGE = 5.0  # mm that home printers leave white along the edge of the paper: 4.2 on Brother and HP, 5 on Canon

# Vernier scales: lines every mm on the front and every 0.9 mm on the back. The back's line n is in line with a line of
# the front when the whole scale is off by n tenths.
PITCH, VERNIER_PITCH = 1.0, 0.9
VERNIER = 5  # lines of the back on each side of its middle one
LINES = 8  # lines of the front on each side of 0: even 5 mm off, each line of the back meets lines of the front
READ_AT = 5.4  # mm from the outer edge to the middle of the overlap
DEPTH = 12.1, 12.4  # mm from the outer edge to behind the figures, of a level and of an upright scale

_HALF = LINES * PITCH + 0.1
BLOCK = 34.0, 30.0  # mm: a cross with its scales and its name, along the paper's shorter and longer side
_STANDING = (27.5, 7.0), (27.5, 20.0)  # mm from a block's corner to the name, and to the mark to glance at
_LYING = (9.5, 24.5), (22.5, 24.5)


class Scale(NamedTuple):
    """A scale of a cross: the point at which it is read, and whether it runs `down` the paper or across it.

    `inward` is 1 if its lines stand side by side starting from the left or top edge of the paper, else -1.
    """

    x: float
    y: float
    down: bool
    inward: int


class Cross(NamedTuple):
    """A cross: its scale for offsets to the right, and the one for offsets down.

    `title` is the middle of its name, `mark` that of the mark that shows at a glance how far the back is off; in mm.
    """

    name: str
    across: Scale
    down: Scale
    title: tuple[float, float]
    mark: tuple[float, float]


@cached(8)
def crosses(paper: Size) -> tuple[Cross, ...]:
    """Return the five crosses of a paper: A to D in its corners, as far out as printers print, and E in the middle.

    The second scale of each stands farther in along the paper's longer side.
    """
    outer, inner, (title, mark) = (_HALF, READ_AT), (READ_AT, DEPTH[0] + _HALF), _STANDING
    width, height = BLOCK
    if paper.height < paper.width:
        outer, inner, (title, mark) = (DEPTH[1] + _HALF, READ_AT), (READ_AT, _HALF), _LYING
        height, width = BLOCK
    left, top, right, bottom = EDGE, EDGE, paper.width - EDGE, paper.height - EDGE
    amid = ((paper.width - width) / 2, (paper.height - height) / 2, 1, 1)
    corners = ((left, top, 1, 1), (right, top, -1, 1), (left, bottom, 1, -1), (right, bottom, -1, -1), amid)
    found = []
    for name, (x, y, east, south) in zip(NAMES, corners, strict=True):
        across, down, *marks = ((x + east * dx, y + south * dy) for dx, dy in (outer, inner, title, mark))
        found.append(Cross(name, Scale(*across, False, south), Scale(*down, True, east), *marks))
    return tuple(found)


def map_through(paper: Size, flip: Flip) -> Affine:
    """Return the map from a point of one side to the one behind it on the other, in mm of each side as it is seen."""
    if turns_about_vertical(paper, flip):
        return Affine(a=-1.0, e=paper.width)
    return Affine(d=-1.0, f=paper.height)


# --- readings -------------------------------------------------------------------------------------------------------


class Reading(Struct, frozen=True):
    """What was read at a cross: how far the back lies to the right and down, in mm, seen from the front."""

    name: str
    right: float
    down: float


Readings = Sequence[Reading]

_NUMBER = r"([+\-−]?(?:\d+\.?\d*|\.\d+))"
_READING = regex(rf"[\s,;]*([A-Za-z])\s*[=:]?\s*{_NUMBER}(?:\s*[,;/]\s*|\s+){_NUMBER}(?=[\s,;]|$)")


def parse_readings(texts: Iterable[str]) -> tuple[Reading, ...]:
    """Return the readings written in texts such as `A=0.3,-0.2`, one or more in each; ValueError says what is wrong."""
    found: dict[str, Reading] = {}
    for text in texts:
        if rest := _READING.sub("", text).strip(" \t\r\n,;"):
            example = "`A=0.3,-0.2` or `A 0.3 -0.2, B 0.1 0.0`"
            raise ValueError(f"cannot read {quoted(rest)}: write mm with a point, such as {example}")
        for letter, right, down in _READING.findall(text):
            name = letter.upper()
            reading = Reading(name, _number(right), _number(down))
            if name not in NAMES:
                raise ValueError(f"there is no cross `{letter}`: there are A, B, C, D and E")
            if max(abs(reading.right), abs(reading.down)) > MAX_READING:
                raise ValueError(f"cross {name} is off by more than {MAX_READING:g} mm: readings are in mm")
            if name in found:
                raise ValueError(f"cross {name} is given twice")
            found[name] = reading
    return tuple(found[name] for name in sorted(found))


def _number(written: str) -> float:
    return float(written.replace("−", "-"))


_OFFSET = regex(rf"\s*{_NUMBER}\s*[,;]\s*{_NUMBER}\s*")
_WAYS = {
    "right": (0, 1), "left": (0, -1), "down": (1, 1), "up": (1, -1), "low": (1, 1), "high": (1, -1),
    "below": (1, 1), "above": (1, -1), "lower": (1, 1), "higher": (1, -1),
}  # fmt: skip
_WAY = regex(
    r"[\s,;]*(?:and\s+)?(\d+\.?\d*|\.\d+)\s*(mm|cm)?\s+"
    rf"(?:(?:to\s+the|too\s+far(?:\s+to\s+the)?|too)\s+)?({'|'.join(_WAYS)})\b",
    re.IGNORECASE,
)


def parse_offset(text: str) -> Affine:
    """Return the map of points that are off as written; ValueError says what is wrong.

    It is written as `1.5,-0.8`, right and down in mm, or in words: `1.5 mm right, 0.8 mm up`.
    """
    found: dict[int, float] = {}  # to the right and down
    if numbers := _OFFSET.fullmatch(text):
        found = {0: _number(numbers[1]), 1: _number(numbers[2])}
    elif _WAY.sub("", text).strip(" \t\r\n,;.") or not _WAY.match(text):
        way = 'mm with a point, such as `1.5,-0.8` or `"1.5 mm right, 0.8 mm up"`'
        raise ValueError(f"cannot read the offset {quoted(text.strip())}: write {way}")
    for length, unit, word in [] if numbers else _WAY.findall(text):
        direction, sign = _WAYS[word.lower()]
        if direction in found:
            raise ValueError(f"the offset {quoted(text)} goes {('to the side', 'up or down')[direction]} twice")
        found[direction] = sign * float(length) * (10 if unit.lower() == "cm" else 1)
    if max(map(abs, found.values())) > MAX_READING:
        raise ValueError(f"backs are off by more than {MAX_READING:g} mm: an offset is in mm")
    return Affine.move(found.get(0, 0.0), found.get(1, 0.0))


# --- the fit --------------------------------------------------------------------------------------------------------


class PrinterFit(Struct, frozen=True):
    """What a printer does: where each point of the back `lands`, seen from the front, and how far each reading misses.

    `misses` are names of crosses and mm; with three readings none can miss.
    """

    lands: Affine
    misses: tuple[tuple[str, float], ...]

    @property
    def worst_miss(self) -> float:
        """The largest distance of a reading from the fit, in mm."""
        return max(miss for _, miss in self.misses)


def fit(paper: Size, readings: Readings) -> PrinterFit:
    """Return what the readings say about the printer.

    ValueError if there are fewer than three crosses, or all on one line; Refused if the readings contradict each other.
    """
    names = [reading.name for reading in readings]
    if len(names) < MIN_CROSSES:
        raise ValueError(f"three crosses are needed at least, and there are {len(names)}")
    try:
        lands = best_fit(paper, readings)
    except ZeroDivisionError:
        raise ValueError(f"the crosses {listed(names, 'and')} lie on one line: read one more beside it") from None
    pairs = zip(readings, exact_readings(paper, lands, names), strict=True)
    misses = [(one.name, math.hypot(one.right - other.right, one.down - other.down)) for one, other in pairs]
    found = PrinterFit(lands, tuple(misses))
    if found.worst_miss > REFUSED_MISS:
        worst, again = _worst(found)
        message = f"the readings contradict each other: {worst}, more than {REFUSED_MISS:g} mm"
        raise Refused([Diagnostic("R010", message, f"{again}; nothing was kept")])
    return found


def best_fit(paper: Size, readings: Readings) -> Affine:
    """Return where the points of the back land, by least squares; ZeroDivisionError if the readings do not tell."""
    read_at = [crosses(paper)[NAMES.index(reading.name)] for reading in readings]
    right = _plane([cross.across[:2] for cross in read_at], [reading.right for reading in readings])
    down = _plane([cross.down[:2] for cross in read_at], [reading.down for reading in readings])
    # What is off grows evenly over the paper: x is off by right[0] + right[1] x + right[2] y, and so is y by `down`.
    return Affine(1 + right[1], down[1], right[2], 1 + down[2], right[0], down[0])


def exact_readings(paper: Size, lands: Affine, names: Sequence[str]) -> list[Reading]:
    """Return what would be read at crosses if the points of the back landed so."""
    readings = []
    for name in names:
        _, across, down, *_ = crosses(paper)[NAMES.index(name)]
        right, low = lands.apply(across.x, across.y)[0] - across.x, lands.apply(down.x, down.y)[1] - down.y
        readings.append(Reading(name, right, low))
    return readings


def _plane(points: Sequence[tuple[float, float]], heights: Sequence[float]) -> tuple[float, float, float]:
    """Return the plane nearest to the heights by least squares: its height at the origin, its growth right and down.

    ZeroDivisionError if the points lie on a line.
    """
    count = len(points)
    x, y, height = (sum(each) / count for each in (*zip(*points, strict=True), heights))
    offsets = [(across - x, low - y, high - height) for (across, low), high in zip(points, heights, strict=True)]
    xx, xy, yy = (sum(each[one] * each[other] for each in offsets) for one, other in ((0, 0), (0, 1), (1, 1)))
    area = xx * yy - xy * xy
    if area <= MIN_SPREAD * xx * yy:
        raise ZeroDivisionError
    xz, yz = (sum(each[one] * each[2] for each in offsets) for one in (0, 1))
    along, below = (yy * xz - xy * yz) / area, (xx * yz - xy * xz) / area
    return height - along * x - below * y, along, below


def correct_back(lands: Affine, through: Affine) -> Affine:
    """Return the map of the back's drawing that makes it land in its place, in mm of the back as it is seen.

    `through` takes a point of the front to the one behind it on the back, and back again. ZeroDivisionError if `lands`
    has no area.
    """
    return through @ lands.inverse @ through


# --- the fit in words -----------------------------------------------------------------------------------------------


def doubts(found: PrinterFit) -> list[Diagnostic]:
    """Return what is doubtful about accepted readings, as warnings."""
    doubtful = []
    read = [name for name, _ in found.misses]
    if missing := [name for name in NAMES if name not in read]:
        message = f"{_joined(missing)} {'was' if len(missing) == 1 else 'were'} not read: a slip in the others is harder to find"
        if len(read) == MIN_CROSSES:
            message = f"only {_joined(read)} were read: a slip in them cannot be found"
        doubtful.append(("R011", message, f"read {_joined(missing)} too"))
    if found.worst_miss > DOUBTFUL_MISS:
        worst, again = _worst(found)
        doubtful.append(("R012", f"{worst}, more than reading to 0.1 mm explains", again))
    _, skew, wider, taller = _turn_skew_and_scales(found.lands)
    unusual = [f"skewed by {abs(skew):.2f}°"] if abs(skew) > MAX_SKEW else []
    unusual += [_either(wider, "%", "too wide", "too narrow")] if abs(wider) > MAX_STRETCH else []
    unusual += [_either(taller, "%", "too tall", "too short")] if abs(taller) > MAX_STRETCH else []
    if unusual:
        message = f"the readings say that backs are {_joined(unusual)}, but printers do not do that"
        hint = "right and down, + and −, or crosses look exchanged: read again, or print the check sheet, which tells"
        doubtful.append(("R013", message, hint))
    return [Diagnostic(*doubt, Severity.WARNING) for doubt in doubtful]


def _worst(found: PrinterFit) -> tuple[str, str]:
    worst, miss = max(found.misses, key=lambda miss: miss[1])
    # A slip may be at the opposite corner, which misses by as much but for errors of reading.
    suspects = [name for name, other in found.misses if other >= 0.8 * miss]
    far = f"cross {worst} lies {miss:.2f} mm away from the best fit of all crosses"
    return far, f"read {_joined(suspects)} again, whole millimetres and signs first"


def _joined(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def in_words(lands: Affine, paper: Size, errors: Sequence[float] = (0.0,) * 6) -> tuple[str, ...]:
    """Return in plain words where the back lands: shift and turn about the paper's middle, scales, skew.

    `errors`, if known, are those of right and down in mm, of the turn, both scales in per cent, the skew in degrees.
    """
    x, y = lands.apply(paper.width / 2, paper.height / 2)
    right, down = x - paper.width / 2, y - paper.height / 2
    turn, skew, wider, taller = _turn_skew_and_scales(lands)
    of_right, of_down, of_turn, of_wider, of_taller, of_skew = errors
    return (
        f"shifted by {_either(right, 'mm', 'to the right', 'to the left', of_right)},"
        f" {_either(down, 'mm', 'down', 'up', of_down)}",
        f"turned by {_either(turn, '°', 'clockwise', 'anticlockwise', of_turn)}",
        f"{_either(wider, '%', 'too wide', 'too narrow', of_wider)},"
        f" {_either(taller, '%', 'too tall', 'too short', of_taller)}",
        f"skewed by {_either(skew, '°', 'to the left', 'to the right', of_skew)}",
    )


def _turn_skew_and_scales(lands: Affine) -> tuple[float, float, float, float]:
    """Return turn and skew in degrees, and by how many per cent the back is too wide and too tall."""
    across, below = math.atan2(lands.b, lands.a), math.atan2(-lands.c, lands.d)  # turns of the two axes
    turn, skew = math.degrees((across + below) / 2), math.degrees(below - across)
    return turn, skew, 100 * (math.hypot(lands.a, lands.b) - 1), 100 * (math.hypot(lands.c, lands.d) - 1)


def _either(value: float, unit: str, above: str, below: str, error: float = 0.0) -> str:
    within = f" ± {max(error, 0.01):.2f}" if error else ""
    if abs(value) < 0.005:  # as `0.00` would be, whatever its sign
        return f"0{within} {unit} {above}".replace(" °", "°")
    return f"{abs(value):.2f}{within} {unit} {above if value > 0 else below}".replace(" °", "°")


# --- the check sheet ------------------------------------------------------------------------------------------------
# A check sheet is a calibration sheet printed with the correction, so its readings are what is left. If the first
# readings were right, that is almost nothing. If all of their signs were wrong, it is twice what the printer does; if
# right and down were exchanged, it is turned by 90 degrees; and so on. What is left and the correction give what the
# printer does, and from that follows what somebody who made the slip would have read on the first sheet. People who
# take + for − do so on the check sheet, too, so that is tried as well.

CONFIRMED = 0.3  # mm that may be left in the corners of the cards: what is promised for 99 printers of 100
_IN_FROM_EDGE = 10.0  # mm: about where the corners of the outer cards lie
_ALIKE = 1 / 3  # of what is left may stay unexplained by a slip that explains it
_MIN_SLIP = 0.6  # mm: less can be an error of the eye, and is simply corrected


def confirms(found: PrinterFit, paper: Size) -> bool:
    """Return whether the fit of a check sheet shows that its correction is right.

    A slip that leaves little, such as two crosses exchanged on both sheets, shows in readings that do not agree.
    """
    enough = len(found.misses) > MIN_CROSSES and found.worst_miss <= DOUBTFUL_MISS
    return enough and left_over(found.lands, paper) <= CONFIRMED


def left_over(lands: Affine, paper: Size, wanted: Affine = IDENTITY) -> float:
    """Return the largest distance in mm that backs are off in the corners of the cards, if points land so."""
    area = paper.rect.outset(-_IN_FROM_EDGE)
    corners = ((x, y) for x in (area.x, area.right) for y in (area.y, area.bottom))
    return max(math.dist(lands.apply(*corner), wanted.apply(*corner)) for corner in corners)


class Slip(NamedTuple):
    """A way to get readings wrong, in words (`all signs were wrong`), and what it makes of right ones.

    `turn` are the shares of right and down in what is read as right, then in what is read as down; `pairs` are crosses
    whose names are exchanged. Doing it twice undoes it.
    """

    words: str
    turn: tuple[int, int, int, int] = (1, 0, 0, 1)
    pairs: tuple[str, ...] = ()

    def done(self, readings: Readings) -> Readings:
        """Return the readings with the slip. A cross keeps its name if the other one was not read."""
        a, b, c, d = self.turn
        names = {one.name for one in readings}
        other = {pair[at]: pair[1 - at] for pair in self.pairs if names.issuperset(pair) for at in (0, 1)}
        return [
            Reading(other.get(name, name), a * right + b * down, c * right + d * down)
            for name, right, down in ((one.name, one.right, one.down) for one in readings)
        ]


SLIPS = (
    Slip("all signs were wrong", (-1, 0, 0, -1)),
    Slip("right and down were exchanged", (0, 1, 1, 0)),
    Slip("the signs of the level scales were wrong", (-1, 0, 0, 1)),
    Slip("the signs of the upright scales were wrong", (1, 0, 0, -1)),
    Slip("right and down were exchanged, and all signs were wrong", (0, -1, -1, 0)),
    Slip("the crosses were exchanged, left for right: A with B, C with D", pairs=("AB", "CD")),
    Slip("the crosses were exchanged, top for bottom: A with C, B with D", pairs=("AC", "BD")),
    Slip("the crosses were exchanged, each for the one opposite: A with D, B with C", pairs=("AD", "BC")),
    *(Slip(f"the crosses {one} and {two} were exchanged", pairs=(one + two,)) for one, two in combinations(NAMES, 2)),
)
"""The known slips, usual ones first: of several that explain the same, the first is named."""


class Explanation(NamedTuple):
    """The slip that explains what is left, whether it was made on both sheets, and where points land without it."""

    slip: Slip
    on_both: bool
    lands: Affine


def explained(paper: Size, as_read: Affine, readings: Readings) -> Explanation | None:
    """Return the slip that explains the readings of a check sheet; None if none does.

    `as_read` is where the points of the back land according to the readings that the correction was made from.
    """
    left = left_over(best_fit(paper, readings), paper)
    if left < _MIN_SLIP:
        return None
    names = [reading.name for reading in readings]
    tries = []
    for on_both, slip in product((False, True), SLIPS):
        lands = best_fit(paper, slip.done(readings) if on_both else readings)
        # What the printer really does if this slip was made, and what the first readings would then have been.
        slipped = best_fit(paper, slip.done(exact_readings(paper, lands @ as_read, names)))
        tries.append((left_over(slipped, paper, as_read), Explanation(slip, on_both, lands)))
    unexplained, found = min(tries, key=lambda tried: tried[0])
    return found if unexplained <= left * _ALIKE else None
