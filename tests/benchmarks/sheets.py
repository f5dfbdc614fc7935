"""Duplex sheets, everything from YAML to the file: against typst, and as cards grow."""

from __future__ import annotations

from collections.abc import Iterator

from measure import Command, Cost, Step, in_turn, peak
from report import Figure, Row
from workload import Bench, kotc, typst

_KIB = 1024
_SMALL, _LARGE = 1000, 10_000
_BOUNDS = {
    1000: (0.12, 0.2, 120.0),
    300: (0.2, None, None),
    100: (0.4, None, None),
    10: (1.0, None, None),
}
"""For so many cards: wall and CPU time as shares of typst's, and the peak in MiB."""


def measured(bench: Bench) -> Iterator[Row]:
    """Yield how sheets of few and many cards compare with typst, and what a card costs when there are more."""
    costs: dict[int, list[Row]] = {}
    for count in _BOUNDS:
        cost, other = in_turn(
            bench.runs if count >= _SMALL else 3 * bench.runs, Step(ours(bench, count)), Step(_typst(bench, count))
        )
        most, theirs = peak(ours(bench, count)), peak(_typst(bench, count))
        yield _against(count, cost, other, most)
        costs[count] = [
            _a_card(f"duplex PDF of {count} cards", count, cost.wall, most),
            _a_card("the same by typst", count, other.wall, theirs),
        ]
    # Typst would take more memory for the large set than most machines have.
    small, large = in_turn(bench.few, Step(ours(bench, _SMALL)), Step(ours(bench, _LARGE)))
    least, most = peak(ours(bench, _SMALL)), peak(ours(bench, _LARGE))
    times = _LARGE // _SMALL
    yield Row(
        "duplex PDF of 10 000 cards, against 1000",
        (Figure(large.wall / small.wall, "x", "the time", times), Figure(most / least, "x", "the memory", times)),
    )
    for count in sorted(costs):
        yield from costs[count]
    yield _a_card("duplex PDF of 10 000 cards", _LARGE, large.wall, most)


def ours(bench: Bench, count: int) -> Command:
    """Return our command for so many cards; it writes `sheets.pdf`."""
    return kotc("pdf", bench.cards(count), "--no-store", "--out", bench.folder / "sheets.pdf")


def _typst(bench: Bench, count: int) -> Command:
    return typst(bench.cards(count), bench.folder / "typst", "pdf")


def _against(count: int, cost: Cost, other: Cost, most: float) -> Row:
    wall, cpu, memory = _BOUNDS[count]
    return Row(
        f"duplex PDF of {count} cards, 40 pictures",
        (
            Figure(cost.wall / other.wall, "x", "typst's time", wall),
            Figure(cost.cpu / other.cpu, "x", "its CPU time", cpu),
            Figure(most, "MiB", "at the peak", memory),
        ),
    )


def _a_card(work: str, count: int, seconds: float, mebibytes: float) -> Row:
    return Row(
        work,
        (
            Figure(seconds, "s"),
            Figure(1000 * seconds / count, "ms", "a card"),
            Figure(mebibytes, "MiB", "at the peak"),
            Figure(_KIB * mebibytes / count, "KiB", "a card"),
        ),
    )
