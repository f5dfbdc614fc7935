"""What a printer does to the backs of sheets, computed from a calibration sheet, and the map that corrects it.

All is seen from the front: mm from the top left of the front, y down, the back looked at through the paper. A reading
says how far the back's mark lies to the right of the front's and below it. Six numbers are fitted to the readings of
five crosses by least squares: shift, turn, both scales, skew.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from render.base.caches import cached
from render.base.findings import Finding, Problem, Refused, Severity, listed, quoted
from render.base.geometry import Affine, Flip, Size

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


@dataclass(frozen=True, slots=True)
class Scale:
    """A scale of a cross: the point at which it is read, and whether it runs `down` the paper or across it.

    `inward` is 1 if its lines stand side by side starting from the left or top edge of the paper, else -1.
    """

    x: float
    y: float
    down: bool
    inward: int


@dataclass(frozen=True, slots=True)
class Cross:
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
    """Return the five crosses of a paper: A to D in its corners, row by row, as far out as printers print.

    E centered.
    """
    stands = paper.height >= paper.width
    width, height = BLOCK if stands else BLOCK[::-1]
    left, top, right, bottom = EDGE, EDGE, paper.width - EDGE, paper.height - EDGE
    amid = ((paper.width - width) / 2, (paper.height - height) / 2, 1, 1)
    corners = ((left, top, 1, 1), (right, top, -1, 1), (left, bottom, 1, -1), (right, bottom, -1, -1), amid)
    return tuple(_cross(name, *corner, stands) for name, corner in zip(NAMES, corners, strict=True))


def _cross(name: str, x: float, y: float, east: int, south: int, stands: bool) -> Cross:
    """Return the cross in a corner of the paper, with the second scale farther in along the paper's longer side."""

    def inward(offset: tuple[float, float]) -> tuple[float, float]:
        return x + east * offset[0], y + south * offset[1]

    outer, inner, (title, mark) = (_HALF, READ_AT), (READ_AT, DEPTH[0] + _HALF), _STANDING
    if not stands:
        outer, inner, (title, mark) = (DEPTH[1] + _HALF, READ_AT), (READ_AT, _HALF), _LYING
    across, down = Scale(*inward(outer), False, south), Scale(*inward(inner), True, east)
    return Cross(name, across, down, inward(title), inward(mark))


# --- readings -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read at a cross: how far the back lies to the right and down, in mm, seen from the front."""

    name: str
    right: float
    down: float


_NUMBER = r"([+\-−]?(?:\d+\.?\d*|\.\d+))"
_READING = re.compile(rf"[\s,;]*([A-Za-z])\s*[=:]?\s*{_NUMBER}(?:\s*[,;/]\s*|\s+){_NUMBER}(?=[\s,;]|$)")
_EXAMPLE = "`A=0.3,-0.2` or `A 0.3 -0.2, B 0.1 0.0`"


def parse_readings(texts: Iterable[str]) -> tuple[Reading, ...]:
    """Return the readings written in texts such as `A=0.3,-0.2`, one or more in each; ValueError says what is wrong."""
    found: dict[str, Reading] = {}
    for text in texts:
        place = 0
        while text[place:].strip(" \t\r\n,;"):
            match = _READING.match(text, place)
            if match is None:
                raise ValueError(f"cannot read {quoted(text[place:])}: write mm with a point, such as {_EXAMPLE}")
            reading = _reading(*match.groups())
            if reading.name in found:
                raise ValueError(f"cross {reading.name} is given twice")
            found[reading.name], place = reading, match.end()
    return tuple(found[name] for name in sorted(found))


def _reading(name: str, right: str, down: str) -> Reading:
    if name.upper() not in NAMES:
        raise ValueError(f"there is no cross `{name}`: there are A, B, C, D and E")
    reading = Reading(name.upper(), *(float(number.replace("−", "-")) for number in (right, down)))
    if max(abs(reading.right), abs(reading.down)) > MAX_READING:
        raise ValueError(f"cross {reading.name} is off by more than {MAX_READING:g} mm: readings are in mm")
    return reading


_OFFSET = re.compile(rf"\s*{_NUMBER}\s*[,;]\s*{_NUMBER}\s*")
_WAYS = {
    "right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1), "low": (0, 1), "high": (0, -1),
    "below": (0, 1), "above": (0, -1), "lower": (0, 1), "higher": (0, -1),
}  # fmt: skip
_WAY = re.compile(
    r"[\s,;]*(?:and\s+)?(\d+\.?\d*|\.\d+)\s*(mm|cm)?\s+"
    rf"(?:(?:to\s+the|too\s+far(?:\s+to\s+the)?|too)\s+)?({'|'.join(_WAYS)})\b",
    re.IGNORECASE,
)
_OFFSETS = 'mm with a point, such as `1.5,-0.8` or `"1.5 mm right, 0.8 mm up"`'


def parse_offset(text: str) -> Affine:
    """Return the map of points that are off as written; ValueError says what is wrong.

    It is written as `1.5,-0.8`, right and down in mm, or in words: `1.5 mm right, 0.8 mm up`.
    """
    match = _OFFSET.fullmatch(text)
    if match is None:
        right, down = _in_ways(text)
    else:
        right, down = (float(number.replace("−", "-")) for number in match.groups())
    if max(abs(right), abs(down)) > MAX_READING:
        raise ValueError(f"backs are off by more than {MAX_READING:g} mm: an offset is in mm")
    return Affine.move(right, down)


def _in_ways(text: str) -> tuple[float, float]:
    """Return the offset that is written in words; ValueError if a direction is unknown, or given twice."""
    found: dict[bool, float] = {}
    place = 0
    while text[place:].strip(" \t\r\n,;."):
        match = _WAY.match(text, place)
        if match is None:
            raise ValueError(f"cannot read the offset {quoted(text[place:].strip())}: write {_OFFSETS}")
        across, below = _WAYS[match[3].lower()]
        if bool(across) in found:
            raise ValueError(f"the offset {quoted(text)} goes {'to the side' if across else 'up or down'} twice")
        found[bool(across)] = (across + below) * float(match[1]) * (10 if (match[2] or "").lower() == "cm" else 1)
        place = match.end()
    if not found:
        raise ValueError(f"cannot read the offset {quoted(text)}: write {_OFFSETS}")
    return found.get(True, 0.0), found.get(False, 0.0)


# --- the fit --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PrinterFit:
    """What a printer does: where each point of the back `lands`, seen from the front, and how far each reading misses.

    `misses` are names of crosses and mm; with three readings none can miss.
    """

    lands: Affine
    misses: tuple[tuple[str, float], ...]

    @property
    def worst_miss(self) -> float:
        """The largest distance of a reading from the fit, in mm."""
        return max(miss for _, miss in self.misses)

    @property
    def suspects(self) -> tuple[str, ...]:
        """The crosses that may be misread: a slip at one corner looks just like one at the opposite corner."""
        # 0.8: as large as the worst, but for errors of reading.
        return tuple(name for name, miss in self.misses if miss >= 0.8 * self.worst_miss)


def fit(paper: Size, readings: Sequence[Reading]) -> PrinterFit:
    """Return what the readings say about the printer.

    ValueError if there are fewer than three crosses, or all on one line; Refused if the readings contradict each other.
    """
    names = [reading.name for reading in readings]
    if len(names) < MIN_CROSSES:
        raise ValueError(
            f"three crosses are needed at least, and {len(names)} {'is' if len(names) == 1 else 'are'} given"
        )
    try:
        lands = best_fit(paper, readings)
    except ZeroDivisionError:
        raise ValueError(f"the crosses {listed(names, 'and')} lie on one line: read one more beside it") from None
    fitting = exact_readings(paper, lands, names)
    misses = (
        math.hypot(one.right - other.right, one.down - other.down) for one, other in zip(readings, fitting, strict=True)
    )
    found = PrinterFit(lands, tuple(zip(names, misses, strict=True)))
    if found.worst_miss > REFUSED_MISS:
        raise Refused([_contradiction(found)])
    return found


def best_fit(paper: Size, readings: Sequence[Reading]) -> Affine:
    """Return where the points of the back land, by least squares; ZeroDivisionError if the readings do not tell."""
    where = {cross.name: cross for cross in crosses(paper)}
    across = [(where[reading.name].across.x, where[reading.name].across.y) for reading in readings]
    below = [(where[reading.name].down.x, where[reading.name].down.y) for reading in readings]
    right = _plane(across, [reading.right for reading in readings])
    down = _plane(below, [reading.down for reading in readings])
    # What is off grows evenly over the paper: x is off by right[0] + right[1] x + right[2] y, and so is y by `down`.
    return Affine(1 + right[1], down[1], right[2], 1 + down[2], right[0], down[0])


def exact_readings(paper: Size, lands: Affine, names: Sequence[str]) -> list[Reading]:
    """Return what would be read at crosses if the points of the back landed so."""
    where = {cross.name: cross for cross in crosses(paper)}
    across = [lands.apply(where[name].across.x, where[name].across.y)[0] - where[name].across.x for name in names]
    below = [lands.apply(where[name].down.x, where[name].down.y)[1] - where[name].down.y for name in names]
    return list(map(Reading, names, across, below))


def _plane(points: Sequence[tuple[float, float]], heights: Sequence[float]) -> tuple[float, float, float]:
    """Return the plane nearest to the heights by least squares: its height at the origin, its growth right and down.

    ZeroDivisionError if the points lie on a line.
    """
    import numpy as np

    middle, height = np.mean(points, axis=0), np.mean(heights)
    offsets = np.array(points) - middle
    (xx, xy), (_, yy) = offsets.T @ offsets
    if xx * yy - xy * xy <= MIN_SPREAD * xx * yy:
        raise ZeroDivisionError
    along, below = np.linalg.lstsq(offsets, np.array(heights) - height, rcond=None)[0]
    return float(height - along * middle[0] - below * middle[1]), float(along), float(below)


def _contradiction(found: PrinterFit) -> Finding:
    return Problem(
        "R010",
        f"the readings contradict each other: {_worst(found)}, more than {REFUSED_MISS:g} mm",
        f"{_again(found)}; nothing was kept",
    ).at()


def doubts(found: PrinterFit) -> list[Finding]:
    """Return what is doubtful about accepted readings, as warnings."""
    doubtful = []
    missing = [name for name in NAMES if name not in dict(found.misses)]
    if missing:
        message = f"{_named(missing)} {'was' if len(missing) == 1 else 'were'} not read: "
        message += "a slip in the others is harder to find"
        if len(found.misses) == MIN_CROSSES:
            message = f"only {_named([name for name, _ in found.misses])} were read: a slip in them cannot be found"
        doubtful.append(Problem("R011", message, f"read {_named(missing)} too", severity=Severity.WARNING).at())
    if found.worst_miss > DOUBTFUL_MISS:
        message = f"{_worst(found)}, more than reading to 0.1 mm explains"
        doubtful.append(Problem("R012", message, _again(found), severity=Severity.WARNING).at())
    unusual = _unusual(found.lands)
    if unusual:
        message = f"the readings say that backs are {unusual}, but printers do not do that"
        hint = "right and down, + and −, or crosses look exchanged: read again, or print the check sheet, which tells"
        doubtful.append(Problem("R013", message, hint, severity=Severity.WARNING).at())
    return doubtful


def _unusual(lands: Affine) -> str:
    """Return in words how far backs are skewed or stretched, if it is more than printers do."""
    _, skew, wider, taller = _turn_skew_and_scales(lands)
    said = []
    if abs(skew) > MAX_SKEW:
        said.append(f"skewed by {abs(skew):.2f}°")
    if abs(wider) > MAX_STRETCH:
        said.append(_either(wider, "%", "too wide", "too narrow"))
    if abs(taller) > MAX_STRETCH:
        said.append(_either(taller, "%", "too tall", "too short"))
    return _named(said) if said else ""


def _turn_skew_and_scales(lands: Affine) -> tuple[float, float, float, float]:
    """Return turn and skew in degrees, and by how many per cent the back is too wide and too tall."""
    across, below = math.atan2(lands.b, lands.a), math.atan2(-lands.c, lands.d)  # turns of the two axes
    turn, skew = math.degrees((across + below) / 2), math.degrees(below - across)
    return turn, skew, 100 * (math.hypot(lands.a, lands.b) - 1), 100 * (math.hypot(lands.c, lands.d) - 1)


def _worst(found: PrinterFit) -> str:
    name = max(found.misses, key=lambda miss: miss[1])[0]
    return f"cross {name} lies {found.worst_miss:.2f} mm away from the best fit of all crosses"


def _again(found: PrinterFit) -> str:
    return f"read {_named(found.suspects)} again, whole millimetres and signs first"


def _named(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def in_words(lands: Affine, paper: Size) -> tuple[str, ...]:
    """Return in plain words where the back lands: shift and turn about the paper's middle, scales, skew."""
    x, y = lands.apply(paper.width / 2, paper.height / 2)
    right, down = x - paper.width / 2, y - paper.height / 2
    turn, skew, wider, taller = _turn_skew_and_scales(lands)
    return (
        f"shifted by {_either(right, 'mm', 'to the right', 'to the left')}, {_either(down, 'mm', 'down', 'up')}",
        f"turned by {_either(turn, '°', 'clockwise', 'anticlockwise')}",
        f"{_either(wider, '%', 'too wide', 'too narrow')}, {_either(taller, '%', 'too tall', 'too short')}",
        f"skewed by {_either(skew, '°', 'to the left', 'to the right')}",
    )


def _either(value: float, unit: str, above: str, below: str) -> str:
    if abs(value) < 0.005:  # as `0.00` would be, whatever its sign
        return f"0 {unit} {above}".replace(" °", "°")
    return f"{abs(value):.2f} {unit} {above if value > 0 else below}".replace(" °", "°")


# --- the calibration of a printer -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """The correction for a printer, and what it was measured for.

    `correction` is applied to all that is drawn on back pages: a map of the page, in mm from its top left as the back
    is seen, y down. `printer` is the name under which it is stored; `tray` is a note for people.
    """

    printer: str
    tray: str
    paper: Size
    flip: Flip
    correction: Affine
    confirmed: bool = False

    @property
    def unconfirmed(self) -> Finding | None:
        """The warning that nobody has checked the correction; None if somebody has."""
        if self.confirmed:
            return None
        message = f"the correction of {quoted(self.printer)} is not confirmed: a slip in the readings can make it worse"
        hint = f'`kotc calibrate --printer "{self.printer}"` prints the check sheet: type what you read on it'
        return Problem("R014", message, hint, severity=Severity.WARNING).at()

    def check(self, paper: Size, flip: Flip) -> str | None:
        """Return why this does not suit sheets of that paper and flip; None if it does."""
        if max(abs(paper.width - self.paper.width), abs(paper.height - self.paper.height)) > 0.01:
            return f"`{self.printer}` was calibrated for paper of {self.paper}, not of {paper}"
        if flip is not self.flip:
            return f"`{self.printer}` was calibrated for flipping on the {_edge(self.flip)}, not on the {_edge(flip)}"
        return None

    @property
    def code(self) -> str:
        """Six characters that tell this correction from any other, printed on its check sheets."""
        at = self.correction
        state = (self.printer.casefold(), *at, self.paper.width, self.paper.height, self.flip.value)
        return hashlib.sha256(repr(state).encode()).hexdigest()[:6]

    def said(self, through: Affine) -> Affine:
        """Return where the points of the back land according to the readings that the correction was made from."""
        return through @ self.correction.inverse @ through

    def refined(self, further: Affine) -> Calibration:
        """Return the calibration improved by `further`, which a sheet printed with this one still needs.

        The result is not confirmed yet.
        """
        return replace(self, correction=self.correction @ further, confirmed=False)

    @property
    def farthest(self) -> tuple[float, str]:
        """The largest distance in mm that the correction moves a corner of the paper, and that corner of the back."""
        moves = []
        for x, side in ((0.0, "left"), (self.paper.width, "right")):
            for y, end in ((0.0, "top"), (self.paper.height, "bottom")):
                moved = self.correction.apply(x, y)
                moves.append((math.dist(moved, (x, y)), f"{end} {side}"))
        return max(moves)


def correct_back(lands: Affine, through: Affine) -> Affine:
    """Return the map of the back's drawing that makes it land in its place, in mm of the back as it is seen.

    `through` takes a point of the front to the one behind it on the back, and back again. ZeroDivisionError if `lands`
    has no area.
    """
    return through @ lands.inverse @ through


def _edge(flip: Flip) -> str:
    return flip.value.replace("-", " ")
