"""`python tests/benchmarks/prove.py second_reading [--count N] [--seed S] [FOLDER]`: compare levels with those of a second reading.

FOLDER holds the published guides. For each edition, and for inventions of an 18th, N cards are made of their texts and
given to `kotc explain`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from proofs.second_reading.comparing import EDITIONS, JUDGED, differences, differences_of_invention
from proofs.second_reading.pages import guide_file, read_guide
from tests.support.game_pages import RULEBOOKS
from tests.support.repository import ROOT


def main() -> int:
    parser = argparse.ArgumentParser(prog="python tests/benchmarks/prove.py second_reading", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT.parent / "shared" / "rulebooks")
    parser.add_argument("--count", type=int, default=500, help="cards of each edition  [default: 500]")
    parser.add_argument("--seed", type=int, default=0, help="which cards  [default: 0]")
    asked = parser.parse_args()
    wrong = 0
    for edition in EDITIONS:
        if not guide_file(asked.folder, edition).exists():
            print(f"{edition}: no guide in {asked.folder}")
            continue
        found = differences(read_guide(asked.folder, edition), asked.count, asked.seed)
        wrong += len(found)
        print("\n".join([*found, f"{edition}: {asked.count} cards, {len(found)} of another level"]), flush=True)
    for name in JUDGED if RULEBOOKS.is_dir() else ():
        found = differences_of_invention(name, asked.count, asked.seed)
        wrong += len(found)
        print("\n".join([*found, f"18, {name}: {asked.count} cards, {len(found)} of another level"]), flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
