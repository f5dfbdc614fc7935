"""Share work with the workers of any executor, such as a pool of processes, or a cluster whose machines see our folders."""

from __future__ import annotations

import hashlib
import shutil
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any, NamedTuple, TypeVar

from render import __version__
from render.base.addresses import Address, Place, put_far, read_far, remove_far
from render.base.caches import clear_caches
from render.base.progress import Spent, Step, add_spent, is_timed, spent_here, take_times, waiting
from render.base.reach import name_on_its_way

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


# --- what workers make, left beside an output -------------------------------------------------------------------------


@contextmanager
def leaving_beside(output: Place, executor: Executor | None) -> Iterator[Executor | None]:
    """Give an executor whose workers leave what they make beside an output, and send back digests alone; OSError.

    Those that do not see that folder, or may not write to that address, send back what they make.
    """
    if executor is None or (isinstance(output, Address) and output.is_of_process):
        yield executor
    elif isinstance(output, Address):
        leaving = _Leaving(executor, lambda: output.with_name(name_on_its_way(output.name)))
        try:
            yield leaving
        finally:
            for future in leaving.futures:
                future.remove()
    else:
        around = next(folder for folder in output.absolute().parents if folder.is_dir())
        # A folder of its own: a machine that has another one by the name of `around` has none by this name in it.
        folder = around / name_on_its_way(output.name)
        folder.mkdir()
        try:
            yield _Leaving(executor, lambda: folder / name_on_its_way(output.name))
        finally:
            shutil.rmtree(folder, ignore_errors=True)


class _Left(NamedTuple):
    """The SHA-256 of the bytes of what a worker made, which are in a file."""

    digest: str


def _leave(place: Place, work: Callable[..., Any], given: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """Do work in a worker, and leave in a file what it gives; return that if it cannot be written."""
    import pickle

    made = work(*given, **named)
    data = pickle.dumps(made, pickle.HIGHEST_PROTOCOL)
    try:
        put_far(place, data) if isinstance(place, Address) else place.write_bytes(data)
    except OSError:
        return made
    return _Left(hashlib.sha256(data).hexdigest())


class _Fetching(Future[Any]):
    """A future whose result is read from a file; BrokenExecutor if that is not what the worker wrote."""

    def __init__(self, future: Future[Any], place: Place) -> None:
        super().__init__()
        self._future, self._place, self._is_left = future, place, True

    def cancel(self) -> bool:
        return self._future.cancel()

    def result(self, timeout: float | None = None) -> Any:
        import pickle

        answer = self._future.result(timeout)
        if not isinstance(answer, _Left):
            self._is_left = False
            return answer
        data = b""
        with suppress(OSError):
            data = read_far(self._place) if isinstance(self._place, Address) else self._place.read_bytes()
        self.remove()
        # Unpickling runs what it is told: only what has the digest that came back is the worker's own.
        if hashlib.sha256(data).hexdigest() != answer.digest:
            raise BrokenExecutor(f"{self._place} is not what was left there")
        return pickle.loads(data)

    def remove(self) -> None:
        """Remove the file, if there may be one."""
        if self._is_left:
            with suppress(OSError):
                remove_far(self._place) if isinstance(self._place, Address) else self._place.unlink()
        self._is_left = False


class _Leaving(Executor):
    """An executor whose results come by way of files, each at a place that `new` gives."""

    def __init__(self, executor: Executor, new: Callable[[], Place]) -> None:
        self._executor, self._new = executor, new
        self.futures: list[_Fetching] = []

    def submit(self, work: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        place = self._new()
        self.futures.append(_Fetching(self._executor.submit(_leave, place, work, given, named), place))
        return self.futures[-1]
