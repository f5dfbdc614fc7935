"""Simulated pictures of calibration sheets: how well the printer is known by one, and which are refused, and why.

`python tests/benchmarks/prove.py photographed --count 300` prints a table. Each picture has a printer of its own, which
shifts backs by up to 3 mm, turns them by up to 0.6 degrees and has scales that are up to 0.5 % off.
"""

from __future__ import annotations

import argparse
import io
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from PIL import Image

from render.base.findings import Refused
from render.base.geometry import Affine, Flip, Size
from render.base.sizes import PAPERS
from render.pdf import document as pdf
from render.scene.items import Path
from render.scene.outlines import ellipse
from render.sheets.calibration.fit import correct_back, map_through
from render.sheets.calibration.photo import Measured, measure
from tests.support.photographed_sheets import Shot, file_of, photograph, sheet_against_light, sides, taken
from tests.support.simulated_printers import corners, printers, seen

A4 = PAPERS["a4"]
SCAN = Shot(
    through=0.08,
    level=0.92,
    around=0.98,
    slope=0.02,
    spot=0.0,
    pixels=3500,
    fills=1.0,
    focus=0.7,
    noise=1.5,
    quality=85,
)

KINDS = {
    "copy paper, window": Shot(),
    "tilted by 15 degrees": Shot(tilt=(15, -8), turn=8, fills=0.75),
    "tilted by 30 degrees, on its side": Shot(tilt=(-30, 10), turn=95, fills=0.65),
    "thick paper, 160 g": Shot(through=0.12, blur=0.6, level=0.45),
    "thin paper, 60 g": Shot(through=0.75, blur=0.3, tilt=(5, 5)),
    "one lamp behind the middle": Shot(spot=0.7, slope=0.2, level=0.9, turn=180),
    "dim, with much noise": Shot(level=0.08, noise=6.0, around=0.3, quality=80),
    "wide lens, barrel": Shot(bulge=(0.12, 0.03), fills=0.9, turn=-90),
    "lens with a pincushion": Shot(bulge=(-0.06, 0.0), tilt=(6, -10)),
    "scanner, 300 dpi, bow of 1 mm": replace(SCAN, bow=1.0),
    "scanner, 170 dpi, turned": replace(SCAN, pixels=2000, turn=181, bow=-0.5, quality=75, through=0.12),
    "scanner, thin paper, PNG": replace(SCAN, through=0.15, turn=90, quality=None),
    "recycled paper, mottled": Shot(mottle=0.05, through=0.35, turn=4),
    "sheet that bends by 3 mm": Shot(bow=3.0, tilt=(10, 10), pixels=4000, slope=0.3),
    "small picture of a messenger": Shot(pixels=1600, quality=55, focus=0.9, fills=0.9, tilt=(4, -3)),
}

BAD: dict[str, tuple[Shot, str]] = {
    "dark": (Shot(level=0.001, around=0.003, noise=4.0), "R019"),
    "blurred": (Shot(focus=16.0), "R020"),
    "cut off": (Shot(aside=(70.0, 60.0), fills=1.1), "R021"),
    "the back": (Shot(from_back=True), "R022"),
    "a mirror image": (Shot(mirrored=True), "R022"),
    "card, nothing shines through": (Shot(through=0.002, mottle=0.02), "R023"),
    "flipped on the other edge": (Shot(), "R024"),
    "another sheet": (Shot(), "R018"),
}


def varied(shot: Shot, number: int) -> Shot:
    """Return a picture of the kind as another hand takes it."""
    random = np.random.default_rng(1000 + number)
    tilt = tuple(each + random.uniform(-3, 3) * (shot.fills < 1) for each in shot.tilt)
    return replace(
        shot,
        tilt=(tilt[0], tilt[1]),
        turn=shot.turn + random.uniform(-3, 3) * (shot.fills < 1) + random.uniform(-0.7, 0.7),
        through=shot.through * random.uniform(0.8, 1.2),
        level=shot.level * random.uniform(0.85, 1.1),
        seed=number,
    )


def picture_of(file: bytes) -> Image.Image:
    return Image.open(io.BytesIO(file)).convert("L")


@dataclass
class Tally:
    """What became of pictures of a kind: how far off in mm, what was told of it, and what was refused."""

    off: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)
    at_corners: list[float] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)

    def take(self, shot: Shot, prints: Affine, flip: Flip = Flip.LONG_EDGE, paper: Size = A4) -> None:
        try:
            found = measure(picture_of(taken(shot, prints, paper, flip)), [paper])
        except Refused as refused:
            self.refused[refused.findings[0].code] += 1
            return
        right, down = shift_off(found, seen(prints, paper, flip))
        # Of both directions the one that is farther off, of what was told.
        off, told = max(zip((right, down), found.errors[:2], strict=True), key=lambda pair: pair[0] / pair[1])
        self.off.append(max(right, down))
        self.told.append(off / told)
        self.at_corners.append(left_on_cards(found, prints, flip))


def shift_off(found: Measured, lands: Affine) -> tuple[float, float]:
    """Return how wrong the shift in the middle of the paper is, to the right and down."""
    middle = found.paper.width / 2, found.paper.height / 2
    (x, y), (right, down) = found.lands.apply(*middle), lands.apply(*middle)
    return abs(x - right), abs(y - down)


def left_on_cards(found: Measured, prints: Affine, flip: Flip) -> float:
    """Return how far the corners of nine cards are off their fronts once the sheet is corrected, in mm."""
    corrected = prints @ correct_back(found.lands, map_through(found.paper, flip))
    return max(math.dist(corrected.apply(*corner), corner) for corner in corners(found.paper))


def refusal(name: str, shot: Shot, prints: Affine) -> str:
    """Return the code with which a picture is refused, or "" if it is not."""
    file = taken(shot, prints)
    if name == "flipped on the other edge":  # the back comes out turned
        file = taken(shot, Affine(-1, 0, 0, -1, A4.width, A4.height) @ prints)
    if name == "another sheet":
        card = Path(ellipse(100, 100, 40, 40), fill=(20, 40, 60))
        other = pdf.write([pdf.Page(size=A4, placements=(), marks=(card,))] * 2, pdf.PdfOptions("Other"))
        light = sheet_against_light(sides(other), A4, Flip.LONG_EDGE, prints, shot)
        file = file_of(photograph(light, A4, shot), shot)
    try:
        measure(picture_of(file), [A4])
    except Refused as refused:
        return refused.findings[0].code
    return ""


def sweep(count: int, show: Callable[[str], None] = print) -> tuple[dict[str, Tally], Counter[tuple[str, str]]]:
    """Take so many pictures of the good kinds, and a third as many of bad ones; return what became of them."""
    tallies = {name: Tally() for name in KINDS}
    every = printers(A4, count)
    for number, prints in enumerate(every):
        name = list(KINDS)[number % len(KINDS)]
        tallies[name].take(varied(KINDS[name], number), prints, list(Flip)[number // len(KINDS) % 2])
    show("| kind | pictures | refused | worst shift | worst corner of nine cards | within the error told |")
    show("| --- | --- | --- | --- | --- | --- |")
    for name, tally in tallies.items():
        refused = ", ".join(f"{times} {code}" for code, times in tally.refused.items()) or "0"
        worst = f"{max(tally.off, default=0):.3f} mm | {max(tally.at_corners, default=0):.3f} mm"
        within = sum(share <= 1 for share in tally.told)
        show(
            f"| {name} | {len(tally.off) + tally.refused.total()} | {refused} | {worst} | {within} of {len(tally.off)} |"
        )
    bad: Counter[tuple[str, str]] = Counter()
    for number in range(count // 3):
        name, (shot, _) = list(BAD.items())[number % len(BAD)]
        bad[name, refusal(name, varied(shot, number), every[number])] += 1
    for (name, code), times in sorted(bad.items()):
        show(f"{name}: {times} {code or 'NOT REFUSED'}{'' if code == BAD[name][1] else f' INSTEAD OF {BAD[name][1]}'}")
    return tallies, bad


def main() -> None:
    asked = argparse.ArgumentParser(prog="python tests/benchmarks/prove.py photographed", description=__doc__)
    asked.add_argument("--count", type=int, default=300, help="pictures of good kinds  [default: 300]")
    tallies, _ = sweep(asked.parse_args().count)
    off = [each for tally in tallies.values() for each in tally.off]
    told = [each for tally in tallies.values() for each in tally.told]
    left = [each for tally in tallies.values() for each in tally.at_corners]
    print(f"{len(off)} read: {np.mean(np.array(off) <= 0.05):.1%} within 0.05 mm, at most {max(off):.3f} mm;")
    print(f"{np.mean(np.array(told) <= 1):.1%} within the error told, at most {max(told):.2f} times that;")
    print(f"corrected sheets: at most {max(left):.3f} mm from front to back in the corners of nine cards")


if __name__ == "__main__":
    main()
