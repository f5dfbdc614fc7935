"""Share work with the workers of any executor, such as a pool of processes, or a cluster whose machines see our folders."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from threading import Lock
from typing import TypeVar

from render import __version__
from render.base.caches import clear_caches
from render.base.progress import Spent, Step, add_spent, is_timed, spent_here, take_times, waiting

_PART = 100  # things: each part begins with reading templates anew, which takes as long as ten cards
_SENT = 16  # parts that an executor holds at a time

WORKING = Lock()
"""Held while a worker works: it may have several threads, and what lays out or draws keeps its last results."""

Thing = TypeVar("Thing")
Result = TypeVar("Result")


class ForeignWorkerError(OSError):
    """A worker of a cluster has another version of the program, or none, and might draw another picture."""


def check_version(version: str) -> None:
    """Refuse, in a worker, work of another version than its own: ForeignWorkerError."""
    if version != __version__:
        raise ForeignWorkerError(f"a worker of the cluster has kotc {__version__}, and this is {version}")


def map_by_workers(
    executor: Executor,
    work: Callable[[Sequence[Thing]], Iterable[Result]],
    things: Sequence[Thing],
    step: Step = lambda _count: None,
    size: int = 0,
) -> Iterator[Result]:
    """Yield what `work` makes of each thing, in order, as `forking.map_in_two_processes` does; all must be picklable.

    It is shared out in parts of `size` things. A part whose worker was stopped is done here. ForeignWorkerError.
    """
    sent: deque[tuple[Sequence[Thing], Future[tuple[list[Result], Spent]] | None]] = deque()

    def send(part: Sequence[Thing]) -> None:
        future = None
        with suppress(BrokenExecutor):
            future = executor.submit(_worked, __version__, work, part, timed=is_timed())
        sent.append((part, future))

    def first() -> list[Result]:
        part, future = sent.popleft()
        results: list[Result] | None = None
        with suppress(BrokenExecutor), waiting():
            if future:
                results, spent = future.result()
                add_spent(spent)
        results = [*work(part)] if results is None else results
        step(len(results))
        return results

    size = size or _PART
    try:
        for at in range(0, len(things), size):
            send([*things[at : at + size]])
            if len(sent) == _SENT:
                yield from first()
        while sent:
            yield from first()
    finally:
        for _, future in sent:
            if future:
                future.cancel()


def _worked(
    version: str, work: Callable[[Sequence[Thing]], Iterable[Result]], part: Sequence[Thing], *, timed: bool
) -> tuple[list[Result], Spent]:
    check_version(version)
    take_times(wanted=timed)
    with WORKING:
        clear_caches()  # a worker may live long, and files change
        return [*work(part)], spent_here()
