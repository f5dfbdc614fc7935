"""What checking costs, levels and legality included, as a share of making the same set's PDF: whole processes in turn.

    python tests/benchmarks/check_against_pdf.py [CARDS] [RUNS]

The cards come from the folder `shared/bench` beside this repository; their levels are `auto`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from against_typst import BENCH, Command, in_turn


def main() -> None:
    count, runs = (int(word) for word in (*sys.argv[1:3], *("1000", "5")[len(sys.argv) - 1 :]))
    folder = Path(tempfile.mkdtemp(prefix="kotc-bench-"))
    try:
        made = folder / "set"
        subprocess.run([sys.executable, BENCH / "make_set.py", made, str(count)], check=True)
        kotc: Command = [sys.executable, "-m", "render"]
        wall, cpu = in_turn([*kotc, "check", made], [*kotc, "pdf", made, "--out", folder / "sheets.pdf"], runs)
        print(f"{count} cards, median of {runs} runs in turn, kotc check : kotc pdf")
        print(f"  {wall:.2f} wall, {cpu:.2f} CPU")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
