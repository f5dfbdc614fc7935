"""Measurements as Markdown: tables for tests/README.md, and four lines for the README of the project."""

from __future__ import annotations

import datetime
import os
import platform
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from measure import ROOT

TABLES, FRONT = ROOT / "tests" / "README.md", ROOT / "README.md"
BEGIN, END = "<!-- measured: python tests/benchmarks --readme -->", "<!-- end of what was measured -->"

BRIEF: Mapping[str, Sequence[tuple[str, Sequence[int]]]] = {
    "1000 cards as a duplex PDF": [
        ("duplex PDF of 1000 cards", (0, 2)),
        ("duplex PDF of 1000 cards, 40 pictures", (0,)),
    ],
    "1000 cards as PNGs of 300 dpi": [("PNG at 300 dpi, 1000 cards, 40 pictures", (2, 0))],
    "a build of 1000 cards after one text changed": [("one card's text changed in 1000: its PNG and its sheet", (0,))],
    "a build of 1000 cards with nothing to do": [("build with nothing to do, 1000 cards", (1,))],
}
"""The lines of the front page: for each the rows, and the figures of these, that it shows."""

_PACKAGES = {"typst": "typst", "Pillow": "pillow", "ReportLab": "reportlab", "isal": "isal"}


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that was measured, in `unit`, and of what; `most` is the most that it should be, if that is said."""

    value: float
    unit: str
    of: str = ""
    most: float | None = None

    def __str__(self) -> str:
        digits = max(0, 2 - len(str(int(self.value)))) if self.value >= (10 if self.unit == "x" else 1) else 2
        return f"{self.value:.{digits}f} {self.unit} {self.of}".rstrip()

    @property
    def is_met(self) -> bool:
        """Whether it is no more than it should be."""
        return self.most is None or self.value <= self.most


@dataclass(frozen=True, slots=True)
class Row:
    """A piece of work, and what was measured of it."""

    work: str
    figures: tuple[Figure, ...]

    @property
    def is_bounded(self) -> bool:
        """Whether there is anything that it should not be more than."""
        return any(figure.most is not None for figure in self.figures)

    @property
    def measured(self) -> str:
        """What was measured, in words."""
        return ", ".join(map(str, self.figures))

    @property
    def most(self) -> str:
        """The most that it should be, in words."""
        return ", ".join(f"{figure.most:g} {figure.unit}" for figure in self.figures if figure.most is not None)

    @property
    def met(self) -> str:
        """Whether every figure is what it should be."""
        if not self.is_bounded:
            return ""
        return "yes" if all(figure.is_met for figure in self.figures) else "no"


def markdown(rows: Iterable[Row]) -> str:
    """Return the rows as one table of what is asked for, and one of what else was measured."""
    listed = list(rows)
    bounded = [[row.work, row.measured, row.most, row.met] for row in listed if row.is_bounded]
    others = [[row.work, row.measured] for row in listed if not row.is_bounded]
    tables = [_table(["work", "measured", "at most", "met"], bounded), _table(["also", "measured"], others)]
    return "\n\n".join(filter(None, tables))


def brief(rows: Iterable[Row]) -> str:
    """Return the lines of the front page; KeyError if a row that they show was not measured."""
    by_work = {row.work: row for row in rows}
    return "\n".join(
        f"* {work}: {', '.join(str(by_work[name].figures[index]) for name, shown in parts for index in shown)}"
        for work, parts in BRIEF.items()
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [head, ["---"] * len(head), *rows])


def surroundings() -> str:
    """Return date, machine and versions."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count()
    versions = [f"Python {platform.python_version()}", f"kotc {_kotc()}"]
    versions += [f"{name} {version}" for name, package in _PACKAGES.items() if (version := _version(package))]
    today = datetime.datetime.now(datetime.UTC).date()
    return f"{today}, {cores} cores of {_processor()}, {platform.system()}; {', '.join(versions)}"


def put_into(readme: Path, text: str) -> None:
    """Put the text between the two marks in a README; ValueError if they are not there."""
    old = readme.read_text(encoding="utf-8")
    before, begin, rest = old.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"{readme} has no place for it: a line {BEGIN} and a line {END}")
    readme.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")


def _kotc() -> str:
    code = (ROOT / "render" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'__version__ = "(.+?)"', code)
    return found[1] if found else "of unknown version"


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _processor() -> str:
    try:
        found = re.search(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    except OSError:
        found = None
    return found[1] if found else platform.processor() or platform.machine()
