"""PNGs at 300 dpi by two processes, against typst."""

from __future__ import annotations

from collections.abc import Iterator

from measure import Step, in_turn
from report import Figure, Row
from workload import Bench, kotc, typst


def measured(bench: Bench) -> Iterator[Row]:
    """Yield how 1000 cards that share 40 pictures, and 100 with a picture each, compare with typst."""
    yield _against(bench, "PNG at 300 dpi, 1000 cards, 40 pictures", (1000, 40), bench.few, 0.14)
    yield _against(bench, "PNG at 300 dpi, 100 cards, a picture for each", (100, 100), bench.runs, 0.35)


def _against(bench: Bench, work: str, cards: tuple[int, int], runs: int, most: float) -> Row:
    made = bench.cards(*cards)
    ours = kotc("png", made, "--no-store", "--workers", "2", "--out", bench.new("png"))
    cost, other = in_turn(runs, Step(ours), Step(typst(made, bench.new("typst"), "png")))
    return Row(
        work,
        (
            Figure(cost.wall / other.wall, "x", "typst's time", most),
            Figure(cost.cpu / other.cpu, "x", "its CPU time"),
            Figure(cost.wall, "s"),
        ),
    )
