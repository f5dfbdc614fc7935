"""What kotc costs, measured: whole processes, against typst in turn on the same cards.

    python tests/benchmarks [--quick] [--runs N] [--only NAME] [--readme]

The cards and typst's template come from the folder `shared/bench` beside this repository; typst from PyPI.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import builds
import checking
import editing
import far
import games
import imports
import kept
import memory
import photos
import pngs
import previews
import report
import sheets
import sizes
import starting
from measure import FailedError, Moment
from report import Row
from workload import Bench, missing

_BUSY = 0.1  # of all cores: if others take more, figures are not to be trusted
_LISTENED = 1.0  # s
_LINE = 120  # characters
_ENVIRONMENT = 3  # the exit status for what is missing, as of kotc itself


@dataclass(frozen=True, slots=True)
class Subject:
    """Something to be measured, and the packages that it takes beside kotc; what `is_long` has to be asked for."""

    measured: Callable[[Bench], Iterator[Row]]
    packages: tuple[str, ...] = ()
    is_long: bool = False


SUBJECTS = {
    "pdf": Subject(sheets.measured, ("typst",)),
    "png": Subject(pngs.measured, ("typst",)),
    "build": Subject(builds.measured),
    "store": Subject(kept.measured),
    "size": Subject(sizes.measured, ("typst",)),
    "help": Subject(starting.measured),
    "check": Subject(checking.measured),
    "editor": Subject(editing.measured),
    "memory": Subject(memory.measured),
    "games": Subject(games.measured),
    "photos": Subject(photos.measured),
    "import": Subject(imports.measured),
    "preview": Subject(previews.measured, ("playwright",)),
    "far": Subject(far.measured, ("distributed",), is_long=True),
}


def main() -> None:
    wanted = _arguments()
    names = wanted.only or [name for name, subject in SUBJECTS.items() if not subject.is_long]
    lost = missing(sorted({package for name in names for package in SUBJECTS[name].packages}))
    if lost:
        _say(lost)
        sys.exit(_ENVIRONMENT)
    runs = 1 if wanted.quick else wanted.runs
    before, begun = _quiet(), Moment.now()
    with tempfile.TemporaryDirectory(prefix="kotc-bench-") as folder:
        os.environ["KOTC_STORE"] = str(Path(folder, "store"))
        try:
            rows = list(_measured(Bench(Path(folder), runs), names))
        except FailedError as error:
            _say(str(error))
            sys.exit(1)
    text = f"{report.markdown(rows)}\n\n{_circumstances(runs, before, begun)}"
    print(text)
    if wanted.readme:
        report.put_into(report.TABLES, text)
        report.put_into(report.FRONT, report.brief(rows))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python tests/benchmarks", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="run each command once, after a run that does not count")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="runs of each command (5)")
    parser.add_argument("--only", action="append", choices=SUBJECTS, help="measure this alone; may be repeated")
    parser.add_argument(
        "--readme", action="store_true", help="put the tables into tests/README.md and four lines into the README"
    )
    wanted = parser.parse_args()
    if wanted.readme and wanted.only:
        parser.error("tests/README.md shows the whole table: --readme and --only do not go together")
    if wanted.runs < 1:
        parser.error("--runs is at least 1")
    return wanted


def _quiet() -> float:
    """Return the load of the machine, after a warning if others are at work on it."""
    load, moment = os.getloadavg()[0], Moment.now()
    time.sleep(_LISTENED)
    others = moment.others()
    if others > _BUSY:
        _say(f"warning: others take {others:.0%} of this machine: do not trust the figures")
    return load


def _measured(bench: Bench, names: list[str]) -> Iterator[Row]:
    for name in names:
        start = time.monotonic()
        _say(f"{name} ...")
        for row in SUBJECTS[name].measured(bench):
            _say(f"  {row.work}: {row.measured}{f' (at most {row.most}: {row.met})' if row.is_bounded else ''}")
            yield row
        _say(f"  {time.monotonic() - start:.0f} s")


def _circumstances(runs: int, before: float, begun: Moment) -> str:
    """Return when, where and how it was measured, and how busy the machine was."""
    how = f"medians of {runs} runs in turn" if runs > 1 else "single runs"
    others, after = begun.others(), os.getloadavg()[0]
    busy = f"load {before:.2f} before and {after:.2f} after, {others:.0%} of the machine taken by others"
    return textwrap.fill(f"{report.surroundings()}; {how}, {busy}.", _LINE)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
