"""What 20 photographs of 12 megapixels cost, turned as a phone saves them: the size of their sheets, and the memory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from measure import peak
from report import Figure, Row
from workload import Bench, kotc

_PHOTOS = 20
_MIB = 2**20

# In a process of its own: this one must stay small for memory to be measured.
_TAKE = """
import sys
import numpy as np
from PIL import Image
folder, count = sys.argv[1], int(sys.argv[2])
noise = np.random.default_rng(1)
slow = np.hypot(np.fft.fftfreq(3000)[:, None], np.fft.rfftfreq(4000)[None, :])
slow[0, 0] = 1
camera = Image.Exif()
camera[0x0112] = 6
for number in range(count):
    channels = []
    for _ in range(3):
        waves = (noise.normal(size=slow.shape) + 1j * noise.normal(size=slow.shape)) / slow**1.15
        seen = np.fft.irfft2(waves, s=(3000, 4000))
        seen = 128 + 50 * seen / seen.std() + 3 * noise.normal(size=seen.shape)
        channels.append(seen.clip(0, 255).astype(np.uint8))
    Image.fromarray(np.dstack(channels)).save(f"{folder}/p{number}.jpg", quality=92, exif=camera)
"""


def measured(bench: Bench) -> Iterator[Row]:
    """Yield the size of their sheets and the peak of memory; photographs are noise that has as much in each octave."""
    folder, out = bench.new("photos"), bench.new("photos.pdf")
    _taken(folder)
    most = peak(kotc("pdf", folder, "--no-store", "--out", out))
    figures = Figure(out.stat().st_size / 1e6, "MB", "of sheets", 25), Figure(most, "MiB", "at the peak", 300)
    yield Row(f"PDF of {_PHOTOS} cards, each with a photo of 12 megapixels", figures)


def _taken(folder: Path) -> None:
    """Write the set: photographs of about 6 MB that are to be turned, and a card for each."""
    folder.mkdir()
    subprocess.run([sys.executable, "-c", _TAKE, folder, str(_PHOTOS)], check=True)
    (folder / "set.yaml").write_text("name: Photos\nedition: 17\n", encoding="utf-8")
    cards = [
        f"- {{name: P{number}, kind: minion, level: 1, sp: 1, hp: 0, art: p{number}.jpg}}\n"
        for number in range(_PHOTOS)
    ]
    (folder / "cards.yaml").write_text("".join(cards), encoding="utf-8")
