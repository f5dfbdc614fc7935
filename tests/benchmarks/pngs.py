"""How fast PNGs are made, against typst on the same cards: whole processes in turn, medians, as ratios.

    python tests/benchmarks/pngs.py [RUNS] [WORKERS]

Two sets: 1000 cards that share 40 pictures, and 100 cards with a picture each. The cards and typst's template come from
the folder `shared/bench` beside this repository; typst from PyPI. The size is against Pillow's own encoder.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from against_typst import BENCH, FONTS, in_turn
from PIL import Image

SETS = {"1000 cards, 40 pictures": (1000, 40, 0.14), "100 cards, a picture each": (100, 100, 0.35)}


def measured(folder: Path, runs: int, workers: str) -> tuple[float, float]:
    """Return our median wall and CPU time as shares of typst's."""
    ours = [sys.executable, "-m", "render", "png", folder / "set", "--out", folder / "png", "--workers", workers]
    theirs = [sys.executable, BENCH / "peer_typst.py", folder / "set", folder / "typst", "png", FONTS]
    return in_turn(ours, theirs, runs)


def size_ratio(folder: Path) -> float:
    """Return how large our files are as a share of what Pillow's encoder makes of the same pixels."""
    ours = theirs = 0
    for file in sorted(folder.glob("*.png"))[:20]:
        packed = io.BytesIO()
        Image.open(file).save(packed, "PNG")
        ours, theirs = ours + file.stat().st_size, theirs + len(packed.getvalue())
    return ours / theirs


def main() -> None:
    runs, workers = (*sys.argv[1:3], *("5", "2")[len(sys.argv) - 1 :])
    print(f"PNG at 300 dpi, {workers} workers, median of {runs} runs in turn, kotc : typst")
    for name, (count, pictures, most) in SETS.items():
        folder = Path(tempfile.mkdtemp(prefix="kotc-bench-"))
        try:
            made = [BENCH / "make_set.py", folder / "set", str(count), "--art", str(pictures), "--level", "9"]
            subprocess.run([sys.executable, *made], check=True)
            wall, cpu = measured(folder, int(runs), workers)
            size = size_ratio(folder / "png")
            print(
                f"  {name:26} {wall:.3f} wall (at most {most}), {cpu:.3f} CPU, {size:.2f} of Pillow's size", flush=True
            )
        finally:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
