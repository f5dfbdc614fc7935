"""Whole processes, measured: time on the clock and of CPU, peak memory, and how busy the machine was with other things.

Times are in s, memory is in MiB. Processes run as those of an installed program, whose modules are compiled.
"""

from __future__ import annotations

import atexit
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
Command = Sequence[str | Path]

_KIB = 1024
_SAMPLED = 0.005  # s between two looks at the memory of a process
_STAT = 10  # columns of /proc/stat: user nice system idle iowait irq softirq steal, and two that user and nice include
_AT_WORK = (0, 1, 2, 5, 6, 7)


class FailedError(Exception):
    """A command did not do what is to be measured."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a process and its children took: s on the clock, s of CPU time."""

    wall: float
    cpu: float


@dataclass(frozen=True, slots=True)
class Step:
    """A command to be measured, what is done before each run of it, and what it has to say if it did its work."""

    command: Command
    before: Callable[[], object] = lambda: None
    says: str = ""


def in_turn(runs: int, *steps: Step) -> list[Cost]:
    """Run the steps one after the other, so many times, and return the median cost of each.

    All run once before, so that modules are compiled and files have been read.
    """
    once(*steps)
    taken = [[_timed(step) for step in steps] for _ in range(runs)]
    return [_median(costs) for costs in zip(*taken, strict=True)]


def once(*steps: Step) -> None:
    """Run the steps for what they make; FailedError if one does not do its work."""
    for step in steps:
        _timed(step)


def peak(command: Command) -> float:
    """Return the most memory that a command took: of its largest process, or of all together if that is more.

    Together they are looked at 200 times a second, with what they share counted once; only Linux tells.
    """
    # A new process is said to have been as large as the one that began it: this one must stay small.
    process = subprocess.Popen(
        _words(command),
        env=as_installed(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    together = 0.0
    while True:
        ended, status, used = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        together = max(together, memory_of_session(process.pid))
        time.sleep(_SAMPLED)
    process.returncode = os.waitstatus_to_exitcode(status)
    if status:
        raise FailedError(f"failed: {' '.join(_words(command))}")
    largest = used.ru_maxrss / _KIB if sys.platform == "linux" else used.ru_maxrss / _KIB**2
    return max(largest, together)


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment: on the clock, and by the CPU time of the whole machine, and of this process with its children."""

    clock: float
    machine: float
    ours: float

    @classmethod
    def now(cls) -> Moment:
        """Return this moment."""
        return cls(time.monotonic(), _machine_at_work(), _we_at_work())

    def others(self) -> float:
        """Return the share of all cores that others took since, from 0 to 1; 0 where the system does not tell."""
        now = Moment.now()
        theirs = (now.machine - self.machine) - (now.ours - self.ours)
        return max(0.0, theirs / ((now.clock - self.clock) * (os.cpu_count() or 1)))


def _timed(step: Step) -> Cost:
    """Run a step once; FailedError if it does not do its work."""
    step.before()
    words, environment = _words(step.command), as_installed()
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(words, check=False, capture_output=True, text=True, env=environment)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode or step.says not in done.stderr:
        raise FailedError(f"failed: {' '.join(words)}\n{done.stderr[-2000:]}")
    return Cost(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def _median(costs: Sequence[Cost]) -> Cost:
    return Cost(statistics.median(cost.wall for cost in costs), statistics.median(cost.cpu for cost in costs))


def _words(command: Command) -> list[str]:
    return [str(word) for word in command]


@cache
def as_installed() -> dict[str, str]:
    """Return the environment of an installed program, whose modules were compiled when it was installed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    compiled = tempfile.mkdtemp(prefix="kotc-bench-compiled-")
    atexit.register(shutil.rmtree, compiled)
    return environment | {"PYTHONPYCACHEPREFIX": compiled, "PYTHONPATH": str(ROOT)}


def memory_of_session(session: int) -> float:
    """Return the memory in MiB of all processes of a session; what several share is divided among them."""
    total = 0
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(status.read_text().rpartition(")")[2].split()[3]) == session:
                lines = (status.parent / "smaps_rollup").read_text().splitlines()
                total += next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
        except OSError:  # it has ended
            continue
    return total / _KIB


def cpu_of_session(session: int) -> float:
    """Return the s of CPU time of the processes of a session, with what has ended of those that the first one began."""
    ticks = 0
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            columns = status.read_text().rpartition(")")[2].split()
            of_ended = columns[13:15] if status.parent.name == str(session) else []
            ticks += sum(map(int, [*columns[11:13], *of_ended])) if int(columns[3]) == session else 0
    return ticks / os.sysconf("SC_CLK_TCK")


def _machine_at_work() -> float:
    """Return the s of CPU time that all cores have been at work; 0 where the system does not tell."""
    try:
        columns = Path("/proc/stat").read_text(encoding="ascii").split()[1 : 1 + _STAT]
    except OSError:
        return 0.0
    return sum(int(columns[at]) for at in _AT_WORK) / os.sysconf("SC_CLK_TCK")


def _we_at_work() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)
