"""Worker and progress options as flags."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

import click

from render.cli.terminal.command import is_quiet

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from contextlib import AbstractContextManager

    from render.base.progress import Progress
    from render.png.workers import Workers

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """Who draws: that many processes, or the workers of a Dask cluster; `quiet` hides progress."""

    processes: int | None
    scheduler: str | None
    quiet: bool

    @contextmanager
    def hired(self, total: int, thing: str, hint: str = "") -> Iterator[Workers]:
        """Give the workers for that many things; OSError if a cluster does not answer.

        A KeyboardInterrupt is raised again with the number of things made and the hint.
        """
        from render.png.workers import Workers

        progress = self.progress(total, thing)
        with self._executor() as executor:
            try:
                with progress:
                    yield Workers(self.processes, executor, progress.more)
            except KeyboardInterrupt:
                # `console.reporting` prints it, once the processes that draw have ended.
                raise KeyboardInterrupt(f"stopped after {progress.done} of {total} {thing}{hint}") from None

    def hired_for_builds(self, pngs: int) -> AbstractContextManager[Workers]:
        """Give the workers for the PNGs of a build, as `hired` does."""
        return self.hired(pngs, "PNGs", "; run the command again to continue")

    def _executor(self) -> AbstractContextManager[Executor | None]:
        if self.scheduler is None:
            return nullcontext()
        try:
            from render.png.dask import connect
        except ModuleNotFoundError:
            raise click.UsageError("--scheduler needs the package `distributed`: pip install 'kotc[dask]'") from None
        return connect(self.scheduler)

    def progress(self, total: int, thing: str) -> Progress:
        """Return the progress display, which shows nothing if `quiet`."""
        from render.base.progress import Progress, show_progress

        return Progress(total, thing) if self.quiet else show_progress(total, thing, sys.stderr)


def worker_options(command: Callable[Concatenate[WorkerOptions, P], R]) -> Callable[P, R]:
    """Give a command the flags for workers; it gets them as its first argument."""

    flagged = _with_worker_options(command)
    for option in (_SCHEDULER, _WORKERS):
        flagged = option(flagged)
    return flagged


def worked_here(command: Callable[Concatenate[WorkerOptions, P], R]) -> Callable[P, R]:
    """Give a command the flags of work that only this machine does, as `worker_options` does."""
    return _WORKERS(_with_worker_options(command))


def _with_worker_options(command: Callable[Concatenate[WorkerOptions, P], R]) -> Callable[P, R]:
    @wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        # `worked_here` has no --scheduler.
        given = [kwargs.pop(key, None) for key in ("processes", "scheduler")]
        if given[0] is not None and given[1] is not None:
            raise click.UsageError("use --scheduler or --workers, not both")
        return command(WorkerOptions(given[0], given[1], is_quiet()), *args, **kwargs)  # type: ignore[arg-type] # read by the options below

    return wrapped


_WORKERS = click.option(
    "--workers",
    "-j",
    "processes",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Draw PNGs in N processes; 1 disables multiprocessing.  [default: one per core, at most 8]",
)
_SCHEDULER = click.option("--scheduler", metavar="ADDRESS", help="Draw PNGs on the Dask cluster of this scheduler.")
