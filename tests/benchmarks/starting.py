"""How soon the program speaks."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from measure import Step, in_turn
from report import Figure, Row
from workload import Bench, kotc

_LIBRARIES = "import click, yaml, jinja2, PIL.Image, uharfbuzz, reportlab.pdfgen.canvas"


def measured(bench: Bench) -> Iterator[Row]:
    """Yield what `kotc --help` takes, and a PDF of one card beside the libraries that it needs."""
    (cost,) = in_turn(3 * bench.runs, Step(kotc("--help")))
    yield Row("`kotc --help`", (Figure(cost.wall, "s", "", 0.1),))
    made = kotc("pdf", bench.cards(1, 1), "--no-store", "--out", bench.folder / "one.pdf")
    cost, libraries = in_turn(3 * bench.runs, Step(made), Step([sys.executable, "-c", _LIBRARIES]))
    of = "what Python takes to import the libraries"
    yield Row("duplex PDF of one card", (Figure(cost.wall / libraries.wall, "x", of, 2.0), Figure(cost.wall, "s")))
