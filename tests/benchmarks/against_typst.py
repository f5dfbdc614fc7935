"""How fast cards are made, against typst on the same cards: whole processes in turn, medians, as ratios.

    python tests/benchmarks/against_typst.py [CARDS] [RUNS]

The cards and typst's template come from the folder `shared/bench` beside this repository; typst from PyPI.
"""

from __future__ import annotations

import atexit
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

BENCH = Path(__file__).parents[3] / "shared" / "bench"
FONTS = Path(__file__).parents[2] / "fonts"
Command = Sequence[str | Path]


@cache
def as_installed() -> dict[str, str]:
    """Return the environment of an installed program, whose modules were compiled when it was installed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    compiled = tempfile.mkdtemp(prefix="kotc-bench-compiled-")
    atexit.register(shutil.rmtree, compiled)
    return environment | {"PYTHONPYCACHEPREFIX": compiled}


def timed(command: Command) -> tuple[float, float]:
    """Run a process and return its wall time and the CPU time of it and its children, in seconds."""
    words, environment = [str(word) for word in command], as_installed()
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(words, check=True, capture_output=True, env=environment)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def in_turn(ours: Command, theirs: Command, runs: int) -> tuple[float, float]:
    """Return our median wall and CPU time as shares of theirs; both run once before, to be compiled and read."""
    timed(ours), timed(theirs)
    pairs = [(timed(ours), timed(theirs)) for _ in range(runs)]
    wall, cpu = (
        statistics.median(our[which] for our, _ in pairs) / statistics.median(their[which] for _, their in pairs)
        for which in (0, 1)
    )
    return wall, cpu


def main() -> None:
    count, runs = (int(word) for word in (*sys.argv[1:3], *("100", "5")[len(sys.argv) - 1 :]))
    folder = Path(tempfile.mkdtemp(prefix="kotc-bench-"))
    try:
        made, out = folder / "set", folder / "out"
        subprocess.run([sys.executable, BENCH / "make_set.py", made, str(count), "--level", "9"], check=True)
        kotc: Command = [sys.executable, "-m", "render"]
        typst: Command = [sys.executable, BENCH / "peer_typst.py", made, out]
        sheets = in_turn([*kotc, "pdf", made, "--out", out / "sheets.pdf"], [*typst, "pdf", FONTS], runs)
        size = (out / "sheets.pdf").stat().st_size / (out / "typst.pdf").stat().st_size
        pngs = in_turn([*kotc, "png", made, "--out", out / "png"], [*typst, "png", FONTS], runs)
        print(f"{count} cards, median of {runs} runs in turn, kotc : typst")
        print(f"  duplex PDF       {sheets[0]:.2f} wall, {sheets[1]:.2f} CPU, {size:.2f} size")
        print(f"  PNG at 300 dpi   {pngs[0]:.2f} wall, {pngs[1]:.2f} CPU")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
