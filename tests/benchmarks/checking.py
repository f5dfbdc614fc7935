"""What checking costs, levels and legality included, as a share of making the same set's PDF."""

from __future__ import annotations

from collections.abc import Iterator

from measure import Step, in_turn
from report import Figure, Row
from workload import Bench, kotc


def measured(bench: Bench) -> Iterator[Row]:
    """Yield what checking 1000 cards costs whose levels are left to the rules."""
    made = bench.cards(1000, level="auto")
    pdf = kotc("pdf", made, "--no-store", "--out", bench.folder / "sheets.pdf")
    check, whole = in_turn(bench.runs, Step(kotc("check", made, "--no-store")), Step(pdf))
    yield Row(
        "`kotc check` of 1000 cards with `level: auto`",
        (
            Figure(check.wall / whole.wall, "x", "the time of their PDF"),
            Figure(check.cpu / whole.cpu, "x", "its CPU time"),
            Figure(check.wall, "s"),
        ),
    )
