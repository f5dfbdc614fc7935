"""How much memory sheets take if every card has a picture of its own: the peak of each process, and its file's size.

    python tests/benchmarks/memory.py [CARDS]

The cards come from the folder `shared/bench` beside this repository; their pictures are JPEG files of about 190 kB.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from against_typst import BENCH, Command

MIB = 2**20


def peak(command: Command) -> float:
    """Run a process and return the most memory that it held, in MiB."""
    process = subprocess.Popen([str(word) for word in command], stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(map(str, command))}")
    return used.ru_maxrss * 1024 / MIB


def main() -> None:
    count = sys.argv[1] if len(sys.argv) > 1 else "1000"
    folder = Path(tempfile.mkdtemp(prefix="kotc-bench-"))
    try:
        made, file = folder / "set", folder / "sheets.pdf"
        subprocess.run([sys.executable, BENCH / "make_set.py", made, count, "--art", count, "--level", "9"], check=True)
        kotc: Command = [sys.executable, "-m", "render", "pdf", made, "--out", file]
        print(f"{count} cards with {count} pictures")
        print(f"  one PDF                  peak {peak(kotc):.0f} MiB, file {file.stat().st_size / MIB:.0f} MiB")
        split = peak([*kotc, "--sheets-per-file", "20"])
        largest = max(part.stat().st_size for part in folder.glob("sheets-*.pdf"))
        print(f"  --sheets-per-file 20     peak {split:.0f} MiB, largest file {largest / MIB:.0f} MiB")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
