"""How soon the program speaks."""

from __future__ import annotations

from collections.abc import Iterator

from measure import Step, in_turn
from report import Figure, Row
from workload import Bench, kotc


def measured(bench: Bench) -> Iterator[Row]:
    """Yield what `kotc --help` takes."""
    (cost,) = in_turn(3 * bench.runs, Step(kotc("--help")))
    yield Row("`kotc --help`", (Figure(cost.wall, "s", "", 0.1),))
