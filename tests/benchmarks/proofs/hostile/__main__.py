"""`python tests/benchmarks/prove.py hostile KIND [--count N] [--minutes M] [--seed S]`: run the cases of a kind and print what is wrong.

A kind is a module of this folder with `cases(seed)`, which yields cases without end, the same ones for the same seed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path

from proofs.hostile.bounds import Case, load, minutes_from_now, tried

NOT_KINDS = {"__init__", "__main__", "bounds", "test_hostile"}


def kinds() -> list[str]:
    """Return the names of all kinds."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in NOT_KINDS)


def cases(kind: str, seed: int) -> Iterator[Case]:
    """Return the cases of a kind."""
    found: Iterator[Case] = import_module(f"proofs.hostile.{kind}").cases(seed)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python tests/benchmarks/prove.py hostile", description="Run hostile input within bounds."
    )
    parser.add_argument("kind", choices=kinds())
    parser.add_argument("--count", type=int, default=100, help="cases at most  [default: 100]")
    parser.add_argument("--minutes", type=float, default=60.0, help="minutes at most  [default: 60]")
    parser.add_argument("--seed", type=int, default=0, help="which cases  [default: 0]")
    parser.add_argument("--keep", type=Path, help="keep the files of cases with faults in this folder")
    asked = parser.parse_args()
    load()
    kept = tempfile.TemporaryDirectory(prefix="kotc-config-")  # printers, which are nobody's own
    os.environ["KOTC_CONFIG"] = kept.name
    is_over = minutes_from_now(asked.minutes)
    done = wrong = 0
    for number, case in enumerate(islice(cases(asked.kind, asked.seed), asked.count)):
        if is_over():
            break
        folder = Path(tempfile.mkdtemp(prefix="kotc-hostile-"))
        faults = tried(case, folder)
        done, wrong = done + 1, wrong + bool(faults)
        for fault in faults:
            print(f"{number}: {fault}", flush=True)
        if faults and asked.keep:
            shutil.copytree(folder, asked.keep / f"{asked.kind}-{asked.seed}-{number}", symlinks=True)
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{asked.kind}: {done} cases, {wrong} with faults")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
