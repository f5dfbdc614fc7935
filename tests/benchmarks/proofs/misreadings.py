"""People who misread calibration sheets of simulated printers, and what is found of it.

`python tests/benchmarks/prove.py misreadings` prints the shares.

A printer shifts backs by up to 3 mm, turns them by up to 0.6 degrees, skews them by up to 0.15 degrees, and both of
their scales are up to 0.5 % off. Each reading is off by any amount up to a line of the scale, 0.1 mm, on both sheets.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from render.base.findings import Refused
from render.base.geometry import Affine, Flip
from render.base.sizes import PAPERS
from render.sheets.calibration import fit as cal
from render.sheets.calibration.fit import SLIPS, Readings, Slip, map_through
from render.sheets.calibration.printers import Calibration
from tests.support.simulated_printers import a_line, blurred, corners, printers, read, seen

A4 = PAPERS["a4"]
FLIP = Flip.LONG_EDGE
MIRROR = map_through(A4, FLIP)

NAMED = {slip.words.partition(":")[0]: slip for slip in SLIPS}
EXCHANGED, ALL_SIGNS = NAMED["right and down were exchanged"], NAMED["all signs were wrong"]
LEVEL, UPRIGHT = NAMED["the signs of the level scales were wrong"], NAMED["the signs of the upright scales were wrong"]
SIDES, ENDS = NAMED["the crosses were exchanged, left for right"], NAMED["the crosses were exchanged, top for bottom"]
OPPOSITE = NAMED["the crosses were exchanged, each for the one opposite"]


SKEW = 0.15  # degrees: what a roller or a mirror that is not square to the paper does
ASKED = 50


def skewed_printers(count: int) -> list[Affine]:
    """Return printers that do not print what is square as square."""
    slants = np.tan(np.radians(np.random.default_rng(23).uniform(-SKEW, SKEW, count)))
    middle = Affine.move(A4.width / 2, A4.height / 2)
    skews = [middle @ Affine(c=float(slant)) @ middle.inverse for slant in slants]
    return [prints @ skew for prints, skew in zip(printers(A4, count), skews, strict=True)]


@dataclass
class Tally:
    """What became of the readings of many printers: of the first sheet, of its check, of what was done then."""

    count: int
    asking: int
    refused: int = 0
    warned: int = 0
    confirmed: int = 0
    found: int = 0
    asked: int = 0
    """Of how many of those that are found it is asked which slip explains them: that takes longer."""
    named: Counter[tuple[str, bool]] = field(default_factory=Counter)
    mended: int = 0
    left: list[float] = field(default_factory=list)
    """How far the worst corner of the cards is off, in mm, of each correction that is confirmed at once."""


def tried(
    slip: Slip | None,
    count: int,
    *,
    on_both: bool = False,
    eyes: Callable[[int], np.ndarray] = a_line,
    asking: int = ASKED,
) -> Tally:
    """Print, misread and check the sheets of so many printers; `asking` is of how many a slip is looked for."""
    tally = Tally(count, asking)
    blur = eyes(3 * count)
    for number, prints in enumerate(skewed_printers(count)):
        first = blurred(read(seen(prints, A4, FLIP), A4), blur[number])
        try:
            found = cal.fit(A4, slip.done(first) if slip else first)
        except Refused:
            tally.refused += 1
            continue
        tally.warned += bool(cal.doubts(found))
        one = Calibration(printer="p", tray="", paper=A4, flip=FLIP, correction=cal.correct_back(found.lands, MIRROR))
        _check(tally, prints, one, (slip if on_both else None, blur[count + number], blur[2 * count + number]))
    return tally


def _check(tally: Tally, prints: Affine, one: Calibration, eyes: tuple[Slip | None, np.ndarray, np.ndarray]) -> None:
    slip, blur, blur_again = eyes
    readings = on_check(prints, one, blur, slip)
    try:
        found = cal.fit(A4, readings)
    except Refused:
        tally.found += 1
        return
    if cal.confirms(found, A4):
        tally.confirmed += 1
        tally.left.append(off(prints, one))
        return
    tally.found += 1
    if tally.asked == tally.asking:
        return
    tally.asked += 1
    explained = cal.explained(A4, one.lands, readings)
    if explained is None:
        return
    tally.named[explained.slip.words, explained.on_both] += 1
    mended = one.refined(explained.lands)
    tally.mended += cal.confirms(cal.fit(A4, on_check(prints, mended, blur_again, None)), A4)


def on_check(prints: Affine, one: Calibration, blur: np.ndarray, slip: Slip | None) -> Readings:
    """Return what is read on the check sheet of a correction."""
    readings: Readings = blurred(read(seen(prints @ one.correction, A4, FLIP), A4), blur)
    return slip.done(readings) if slip else readings


def off(prints: Affine, one: Calibration) -> float:
    behind = seen(prints @ one.correction, A4, FLIP)
    return max(math.dist(corner, behind.apply(*corner)) for corner in corners(A4))


# --- the table ------------------------------------------------------------------------------------------------------

COMMON = (EXCHANGED, ALL_SIGNS, LEVEL, UPRIGHT, SIDES, ENDS, OPPOSITE)


def main() -> None:
    asked = argparse.ArgumentParser(prog="python tests/benchmarks/prove.py misreadings", description=__doc__)
    asked.add_argument("--count", type=int, default=500, help="printers for each slip  [default: 500]")
    asked.add_argument("--sound", type=int, default=2000, help="printers that are read rightly  [default: 2000]")
    given = asked.parse_args()
    sound = tried(None, given.sound)
    print(f"{given.sound} printers read rightly: {sound.refused + sound.warned} doubted, {sound.confirmed} confirmed,")
    print(f"  with at most {max(sound.left):.2f} mm left in the corners of nine cards\n")
    print("| slip | made on | refused | doubted at once | found by the check sheet | named | confirmed | left |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for slip in COMMON:
        for on_both in (False, True):
            print(_row(slip, tried(slip, given.count, on_both=on_both, asking=given.count), on_both=on_both))


def _row(slip: Slip, tally: Tally, *, on_both: bool) -> str:
    named = tally.named[slip.words, on_both]
    cells = (
        slip.words.partition(":")[0],
        "both sheets" if on_both else "the first sheet",
        _share(tally.refused, tally.count),
        _share(tally.warned, tally.count),
        _share(tally.found, tally.count - tally.refused),
        _share(named, tally.asked),
        str(tally.confirmed),
        f"{max(tally.left):.2f} mm" if tally.left else "",
    )
    return f"| {' | '.join(cells)} |"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else ""


def in_the_reference(tally: Tally) -> str:
    """Return the cells that out/printer.md has of a slip on the first sheet."""
    return f"| {_share(tally.warned, tally.count)} | {_share(tally.found, tally.count)} |"


if __name__ == "__main__":
    main()
