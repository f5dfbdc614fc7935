"""How large files are: PNGs against Pillow's encoder, PDFs against typst's."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import sheets
from measure import Step, once
from report import Figure, Row
from workload import Bench, kotc, typst

_PACKED = 20  # PNGs that are packed again: one takes Pillow a tenth of a second

_PACK = """
import io, sys
from PIL import Image
for file in sys.argv[1:]:
    packed = io.BytesIO()
    Image.open(file).save(packed, "PNG")
    print(len(packed.getvalue()))
"""


def measured(bench: Bench) -> Iterator[Row]:
    """Yield the sizes of PNGs of cards with a picture each, and of the PDF of 1000 cards."""
    folder = bench.new("png")
    once(Step(kotc("png", bench.cards(100, 100), "--out", folder)))
    once(Step(sheets.ours(bench, 1000)), Step(typst(bench.cards(1000), bench.new("typst"), "pdf")))
    pdf = _size(bench.folder / "sheets.pdf") / _size(bench.folder / "typst" / "typst.pdf")
    figures = (Figure(_as_share_of_pillow(folder), "x", "Pillow's PNG", 1.15), Figure(pdf, "x", "typst's PDF", 1.0))
    yield Row("size of files", figures)


def _as_share_of_pillow(folder: Path) -> float:
    """Return the size of some PNGs as a share of what Pillow's encoder makes of the same pixels by itself."""
    files = sorted(folder.glob("*.png"))
    some = files[:: max(1, len(files) // _PACKED)]
    # In a process of its own: this one must stay small for memory to be measured.
    packed = subprocess.run([sys.executable, "-c", _PACK, *some], check=True, capture_output=True, text=True)
    return sum(map(_size, some)) / sum(map(int, packed.stdout.split()))


def _size(file: Path) -> int:
    return file.stat().st_size
