"""100 000 cards beside 10 000, and one Dask worker beside two: half an hour, so only `--only far` measures it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from measure import Command, Step, in_turn, peak
from report import Figure, Row
from workload import Bench, kotc

_FEW, _MANY = 10_000, 100_000  # cards
_MOST = {_FEW: 250.0, _MANY: 325.0}  # MiB
_BY_WORKERS = 1000  # cards
_SHARE = 0.65  # of the time of one worker that two may take
_BEGUN = 20.0  # s that a scheduler and its workers have to begin


def measured(bench: Bench) -> Iterator[Row]:
    """Yield time and memory of `check`, `png` and `build` of sheets, and how much faster two workers are than one."""
    before = dict[str, float]()
    for count in (_FEW, _MANY):
        made = Path(shutil.copytree(bench.cards(count, level="auto"), bench.new(f"far-{count}/set")))
        with (made / "set.yaml").open("a", encoding="utf-8") as stream:
            stream.write("outputs: [sheets]\n")
        for name, words in (
            ("check", ()),
            ("png", ("--dpi", "100", "--out", bench.new("far-pngs"))),
            ("build", ("--out", bench.new("far-built"))),
        ):
            shutil.rmtree(os.environ["KOTC_STORE"], ignore_errors=True)
            began = time.monotonic()
            most = peak(kotc(name, made, *words))
            seconds = time.monotonic() - began
            times = () if count == _FEW else (Figure(seconds / before[name], "x", f"the time of {_FEW}"),)
            before[name] = seconds
            yield Row(
                f"`kotc {name}` of {count} cards" + (", sheets" if name == "build" else ", 100 dpi" * (name == "png")),
                (Figure(seconds, "s"), *times, Figure(most, "MiB", "at the peak", _MOST[count])),
            )
    yield _of_workers(bench)


def _of_workers(bench: Bench) -> Row:
    cards, out, costs = bench.cards(_BY_WORKERS), bench.new("far-workers"), list[float]()
    for count in (1, 2):
        with ExitStack() as running:
            address = _cluster(count, bench.folder / "scheduler.json", running)
            words = ("--no-store", "--scheduler", address, "--out", out)
            (cost,) = in_turn(bench.few, Step(kotc("png", cards, *words)))
            costs.append(cost.wall)
    told = (Figure(costs[1] / costs[0], "x", "the time of one", _SHARE), Figure(costs[1], "s"))
    return Row(f"PNGs of {_BY_WORKERS} cards by two Dask workers, each on one core", told)


def _cluster(count: int, said: Path, running: ExitStack) -> str:
    """Start a scheduler with workers, each on a core of its own, until `running` ends; return its address."""
    said.unlink(missing_ok=True)
    cores = sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else [0, 1]
    options = "--scheduler-file", said, "--no-dashboard"
    worker: Command = [sys.executable, "-m", "distributed.cli.dask_worker", *options, "--nthreads", "1"]
    commands: list[Command] = [[sys.executable, "-m", "distributed.cli.dask_scheduler", *options, "--port", "0"]]
    commands += [["taskset", "-c", str(core), *worker] for core in cores[:count]]
    for command in commands:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        running.callback(process.wait)
        running.callback(process.terminate)
    until = time.monotonic() + _BEGUN
    while not said.is_file() and time.monotonic() < until:
        time.sleep(0.1)
    address: str = json.loads(said.read_text(encoding="utf-8"))["address"]
    from distributed import Client

    with Client(address) as client:
        client.wait_for_workers(count, timeout=_BEGUN)
    return address
