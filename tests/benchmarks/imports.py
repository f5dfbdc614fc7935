"""What importing costs: the GIMP files of official cards, copied until there are as many as were ever published."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from measure import ROOT, FailedError, Step, in_turn, peak
from report import Figure, Row
from workload import Bench, kotc

_FILES = ROOT.parent / "shared" / "reference" / "ninth"
_CARDS = 108


def measured(bench: Bench) -> Iterator[Row]:
    """Yield the time and the peak of memory, for a new set and once more."""
    files, made = _copies(bench.new("gimp")), bench.folder / "imported"
    new = kotc("import", *files, "--to", made)
    (cost,) = in_turn(bench.few, Step(new, partial(shutil.rmtree, made, ignore_errors=True), f"{_CARDS} new"))
    (again,) = in_turn(bench.few, Step(new, says=f"{_CARDS} unchanged"))
    shutil.rmtree(made)
    figures = Figure(cost.wall, "s", "", 30), Figure(peak(new), "MiB", "at the peak", 300)
    yield Row(f"`kotc import` of {_CARDS} GIMP files of 1.9 MB", figures)
    yield Row(f"`kotc import` of {_CARDS} GIMP files once more", (Figure(again.wall, "s"),))


def _copies(folder: Path) -> list[Path]:
    """Write the files, each with a name of its own that has as many bytes as the one before."""
    official = sorted(_FILES.glob("[!_]*.xcf"))
    if not official:
        raise FailedError(f"the GIMP files of official cards are not in {_FILES}")
    folder.mkdir()
    files = [folder / f"{number}.xcf" for number in range(_CARDS)]
    for number, file in enumerate(files):
        data = official[number % len(official)].read_bytes()
        name = re.search(rb"\x05Name\0.*?(?:\(text \"|rise=[^>]*>)([^\"<]*)", data, re.DOTALL)
        if name is None:
            raise FailedError(f"no name is found in {official[number % len(official)]}")
        new = f"{number:03}".encode().ljust(len(name[1]), b"x")
        file.write_bytes(data[: name.start(1)] + new + data[name.end(1) :])
    return files
