"""How much memory sheets take if every card has a picture of its own, a JPEG file of about 190 kB."""

from __future__ import annotations

from collections.abc import Iterator

from measure import Step, once, peak
from report import Figure, Row
from workload import Bench, kotc

_CARDS = 400
_MIB = 2**20


def measured(bench: Bench) -> Iterator[Row]:
    """Yield the peak and the size of the largest file, for one PDF and for one that is split."""
    for work, words in (("in one PDF", ()), ("with `sheets_per_file: 20`", ("--sheets-per-file", "20"))):
        folder = bench.new("pictured")
        command = kotc("pdf", bench.cards(_CARDS, _CARDS), "--no-store", "--out", folder / "sheets.pdf", *words)
        once(Step(command))
        largest = max(file.stat().st_size for file in folder.glob("*.pdf"))
        yield Row(
            f"{_CARDS} cards with a picture each, {work}",
            (Figure(peak(command), "MiB", "at the peak"), Figure(largest / _MIB, "MiB", "the largest file")),
        )
