"""What the store saves: checking, and sheets, after the text of one card has changed; and how much memory many cards take."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from measure import Command, Cost, Step, in_turn, peak
from report import Figure, Row
from workload import Bench, kotc

_BOUNDS = {1000: (0.25, 0.12), 10_000: (0.1, 0.05)}
"""For so many cards: the times of checking and of building sheets after a change, as shares of the first time."""

_MOST = 250.0  # MiB


def measured(bench: Bench) -> Iterator[Row]:
    """Yield what `check`, `pdf` and `build` take with one text changed, and the peaks of memory at 10 000 cards."""
    for number, (of_check, of_build) in _BOUNDS.items():
        made = Path(shutil.copytree(bench.cards(number, level="auto"), bench.new(f"kept-{number}/set")))
        with (made / "set.yaml").open("a", encoding="utf-8") as stream:
            stream.write("outputs: [sheets]\n")
        out, edit = bench.new("kept-out"), _edit(made)
        commands = (
            (f"`kotc check` of {number} cards", kotc("check", made), of_check),
            (f"`kotc pdf` of {number} cards", kotc("pdf", made, "--out", bench.folder / "kept.pdf"), of_build),
            (f"sheets of {number} cards by `kotc build`", kotc("build", made, "--out", out), of_build),
        )
        for work, command, most in commands:
            first, after = _first_and_after(bench, command, out, edit)
            yield Row(
                f"{work}, one text changed",
                (Figure(after.wall / first.wall, "x", "the first time", most), Figure(after.wall, "s")),
            )
    made = bench.cards(10_000, level="auto")
    for name, words in (
        ("check", ()),
        ("pdf", ("--out", bench.folder / "many.pdf")),
        ("png", ("--dpi", "72", "--out", bench.new("many-pngs"))),
        ("build", ("--out", bench.new("many-built"))),
    ):
        _forget()
        yield Row(
            f"`kotc {name}` of 10 000 cards", (Figure(peak(kotc(name, made, *words)), "MiB", "at the peak", _MOST),)
        )


def _first_and_after(bench: Bench, command: Command, out: Path, edit: Callable[[], object]) -> tuple[Cost, Cost]:
    def begin() -> None:
        _forget()
        shutil.rmtree(out, ignore_errors=True)

    first, after = in_turn(bench.few, Step(command, begin), Step(command, edit))
    return first, after


def _forget() -> None:
    shutil.rmtree(os.environ["KOTC_STORE"], ignore_errors=True)


def _edit(made: Path) -> Callable[[], object]:
    """Return what gives a card another flavor, each time that it is called."""
    file, number = next(iter(sorted(made.glob("cards*.yaml")))), count(1)
    before = file.read_text(encoding="utf-8")

    def edit() -> None:
        file.write_text(before.replace('flavor: "', f'flavor: "{next(number)} ', 1), encoding="utf-8")

    return edit
