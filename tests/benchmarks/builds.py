"""Builds of 1000 cards: all of it, nothing to do, and one text changed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from measure import Step, in_turn, once
from report import Figure, Row
from workload import Bench, kotc

_CARDS = 1000


def measured(bench: Bench) -> Iterator[Row]:
    """Yield what a build with nothing to do and one after a change take; each says that it did that and no more."""
    made, out = _copied(bench, "whole"), bench.new("out")
    build = kotc("build", made, "--out", out)
    full, nothing = in_turn(
        bench.runs,
        Step(build, lambda: shutil.rmtree(out, ignore_errors=True), "(1001 written, 0 unchanged)"),
        Step(build, says="(0 written, 1001 unchanged)"),
    )
    yield Row(
        "build with nothing to do, 1000 cards",
        (Figure(nothing.wall / full.wall, "x", "the full build", 0.05), Figure(nothing.wall, "s", "", 0.15)),
    )
    (all_sheets,) = in_turn(bench.runs, Step(build, _edit(made), "(2 written, 999 unchanged)"))

    parted = _copied(bench, "parted")
    with (parted / "set.yaml").open("a", encoding="utf-8") as stream:
        stream.write("sheet: {sheets_per_file: 1}\n")
    build = kotc("build", parted, "--out", out)
    once(Step(build))
    (its_sheet,) = in_turn(bench.runs, Step(build, _edit(parted), "(2 written, 1110 unchanged)"))
    yield Row(
        "one card's text changed in 1000: its PNG and its sheet",
        (Figure(its_sheet.wall, "s", "", 0.5), Figure(its_sheet.cpu, "s", "of CPU")),
    )
    yield Row("the same with all 112 sheets in one PDF", (Figure(all_sheets.wall, "s"),))
    yield Row("full build of 1000 cards, PNGs and sheets", (Figure(full.wall, "s"), Figure(full.cpu, "s", "of CPU")))


def _copied(bench: Bench, name: str) -> Path:
    """Return a copy of the set that may be changed."""
    return Path(shutil.copytree(bench.cards(_CARDS), bench.new(f"{name}/set")))


def _edit(made: Path) -> Callable[[], object]:
    """Return what gives the card with the shortest text another one, each time that it is called."""
    file, number = made / "cards.yaml", count(2)
    before = file.read_text(encoding="utf-8")
    cards = json.loads((made / "cards.json").read_text(encoding="utf-8"))
    text = min((card["text"] for card in cards), key=len)

    def edit() -> None:
        new = f"{text} Draw {next(number)} cards."
        file.write_text(before.replace(f'"{text}"', f'"{new}"', 1), encoding="utf-8")

    return edit
