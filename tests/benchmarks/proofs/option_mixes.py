"""Any mix of the options of sheets: whatever is written passes `kotc verify`, with the cards of its set and without.

`python tests/benchmarks/prove.py option_mixes [--count N] [--seed S]` tries as many as wanted, and prints those in which
anything is found.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from render.base.geometry import IDENTITY, Affine, Flip, Size
from render.base.sizes import CARDS, PAPERS, POKER
from render.scene.proof_kinds import Proof
from render.sheets.options import Backs, Crop, Orientation, Registration, Sides, Structure, Where
from tests.support.sheet_files import cards, verified, written

_LONG = "a date that is too long for any line, since it goes on and on and on, and then it goes on once more"


@dataclass(frozen=True, slots=True)
class Mix:
    """Options of sheets by name, and what makes up for a printer."""

    options: dict[str, Any]
    correction: Affine


def mix(seed: int) -> Mix:
    """Return one of any number of mixes, the same for the same seed."""
    chance = random.Random(seed)
    pick, between = chance.choice, chance.uniform
    options: dict[str, Any] = {
        "paper": pick(
            [*PAPERS.values(), Size(297.0, 210.0), Size(150.0, 210.0), Size(between(90, 500), between(90, 500))]
        ),
        "orientation": pick(list(Orientation)),
        "card_size": pick([POKER] * 6 + list(CARDS.values())),
        "margin": pick([5.0] * 4 + [0.0, 2.5, 4.5, 9.0, between(0, 30)]),
        "gutter": pick([None] * 4 + [(0.0, 0.0), (2.0, 2.0), (9.0, 9.0), (between(0, 8), between(0, 8)), (20.0, 0.0)]),
        "backs": pick(list(Backs)),
        "flip": pick(list(Flip)),
        "bleed": pick([0.0] * 4 + [1.5, 2.0, 3.0, between(0, 5)]),
        "bleed_backs": pick([None] * 4 + [0.0, 3.0, between(0, 5)]),
        "bleed_where": pick(list(Where)),
        "bleed_from": pick(["auto"] * 4 + ["template", "mirror", "stretch", "#1b2447"]),
        "crop_marks": pick(list(Crop)),
        "mark_length": pick([3.0] * 3 + [between(0.5, 20)]),
        "mark_offset": pick([1.0] * 3 + [0.0, between(0, 20)]),
        "mark_line": pick([0.1] * 3 + [between(0.05, 1)]),
        "mark_sides": pick(list(Sides)),
        "ruler": chance.random() < 0.8,
        "slug": chance.random() < 0.8,
        "date": pick(["", "", "21 November", "x" * 60, _LONG]),
        "cut_line": chance.random() < 0.3,
        "corner_radius": pick([3.0] * 3 + [0.0, between(0, 15)]),
        "proof": pick([Proof.NONE] * 4 + list(Proof)),
        "registration": pick([Registration.NONE] * 5 + [Registration.SILHOUETTE]),
        "sheets_per_file": pick([0] * 4 + [1, 2]),
        "reverse_backs": chance.random() < 0.2,
        "standard": pick([Structure.HOME] * 6 + list(Structure)),
        "rich_black": chance.random() < 0.1,
    }
    if chance.random() < 0.2:
        options["grid"] = chance.randint(1, 4), chance.randint(1, 4)
    turned = Affine.move(between(-3, 3), between(-3, 3)) @ Affine.rotate(between(-0.6, 0.6))
    has_back_pages = options["backs"] in (Backs.DUPLEX, Backs.SEPARATE)
    return Mix(options, pick([IDENTITY] * 2 + [turned]) if has_back_pages else IDENTITY)


def found(mixed: Mix) -> str | None:
    """Write the sheets into the current folder and return what is found in them; nothing if they cannot be made."""
    try:
        files = written(mixed.correction, **mixed.options)
    except ValueError:
        return None
    result = verified(*files, "--set", cards())
    is_right = result.exit_code == 0 and "error" not in result.output
    return "" if is_right else result.output


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python tests/benchmarks/prove.py option_mixes", description="Verify sheets of any mix of options."
    )
    parser.add_argument("--count", type=int, default=100, help="mixes  [default: 100]")
    parser.add_argument("--seed", type=int, default=0, help="the first of them  [default: 0]")
    asked = parser.parse_args()
    made = wrong = 0
    with tempfile.TemporaryDirectory(prefix="kotc-mixes-") as folder:
        os.chdir(folder)
        for seed in range(asked.seed, asked.seed + asked.count):
            for file in Path().glob("*.pdf"):
                file.unlink()
            said = found(mix(seed))
            made, wrong = made + (said is not None), wrong + bool(said)
            if said:
                print(f"{seed}: {mix(seed)}\n{said}", flush=True)
    print(f"{made} mixes were made, {asked.count - made} do not fit their paper; {wrong} with findings")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
