"""Share work with the workers of any executor, such as a pool of processes, or a cluster whose machines see our folders."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, TypeVar

from render import __version__
from render.base.addresses import Address, Place, put_far, read_far, remove_far
from render.base.caches import clear_caches
from render.base.files import remove_leftovers_in
from render.base.interrupts import before_end
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


@contextmanager
def _telling_of_other_versions() -> Iterator[None]:
    """Raise ForeignWorkerError where a worker lacks the function that it is to run: that is a RuntimeError of Dask."""
    try:
        yield
    except RuntimeError as error:
        if "deserialization" not in str(error):
            raise
        raise ForeignWorkerError("a worker of the cluster has another version of kotc, or none") from error


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
        with suppress(BrokenExecutor), _telling_of_other_versions(), waiting():
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
    """Give an executor whose workers leave what they make beside an output, and send back digests alone.

    Those that do not see that place, or may not write there, send back what they make; all do if this process may not
    write, read and remove files there.
    """
    parts = _Parts(output) if executor else None
    if not executor or not parts or not parts.begin():
        yield executor
        return
    with before_end(parts.clear):
        try:
            yield _Leaving(executor, parts)
        finally:
            parts.clear()


class _Parts:
    """Files beside an output. Workers write them only while one of them is there: the `mark`, which this process writes.

    `waiting` are the files that workers may have written and nobody has fetched yet.
    """

    def __init__(self, output: Place) -> None:
        self._output = output
        self.waiting: set[Place] = set()
        self.mark = self.new()

    def new(self) -> Place:
        """Return a new name for a file, in the folder of the output, or in one on the way that is there by now."""
        name = name_on_its_way(self._output.name)
        if isinstance(self._output, Address):
            return self._output.with_name(name)
        return next((each for each in self._output.absolute().parents if each.is_dir()), Path()) / name

    def begin(self) -> bool:
        """Write the mark, unless such files cannot be written, read and removed."""
        if isinstance(self.mark, Path):
            # Only of this output: processes of other machines may be writing others there.
            remove_leftovers_in([self.mark.parent], self._output.name)
        with suppress(OSError):
            _write(self.mark, _MARKED)
            if _is_marked(self.mark):
                _remove(self.mark)
                _write(self.mark, _MARKED)
                return True
        return False

    def clear(self) -> None:
        """Remove all. A worker that is still at work then finds no mark, and removes what it wrote itself."""
        for place in (self.mark, *self.waiting):
            with suppress(OSError):
                _remove(place)
        self.waiting.clear()


_MARKED = b"Parts of an output are left beside this file until they are fetched.\n"


def _is_marked(mark: Place) -> bool:
    with suppress(OSError):
        return _read(mark) == _MARKED
    return False


def _write(place: Place, data: bytes) -> None:
    put_far(place, data) if isinstance(place, Address) else place.write_bytes(data)


def _read(place: Place) -> bytes:
    return read_far(place) if isinstance(place, Address) else place.read_bytes()


def _remove(place: Place) -> None:
    remove_far(place) if isinstance(place, Address) else place.unlink()


class _Left(NamedTuple):
    """The SHA-256 of the bytes of what a worker made, which are in a file."""

    digest: str


def _leave(place: Place, mark: Place, work: Callable[..., Any], given: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """Do work in a worker, and leave in a file what it gives; return that if there is no mark or it cannot be written."""
    import pickle

    made = work(*given, **named)
    if not _is_marked(mark):
        return made
    data = pickle.dumps(made, pickle.HIGHEST_PROTOCOL)
    try:
        _write(place, data)
        is_written = True
    except OSError:
        is_written = False
    if not is_written or not _is_marked(mark):
        with suppress(OSError):
            _remove(place)
    return _Left(hashlib.sha256(data).hexdigest()) if is_written else made


class _Fetching(Future[Any]):
    """A future that can be cancelled, and whose result, asked for once, is read from a file.

    BrokenExecutor if that is not what the worker wrote.
    """

    def __init__(self, future: Future[Any], place: Place, parts: _Parts) -> None:
        super().__init__()
        self._future, self._place, self._parts = future, place, parts

    def cancel(self) -> bool:
        return self._future.cancel()

    def result(self, timeout: float | None = None) -> Any:
        import pickle

        answer, data = self._future.result(timeout), b""
        if isinstance(answer, _Left):
            with suppress(OSError):
                data = _read(self._place)
            with suppress(OSError):
                _remove(self._place)
        self._parts.waiting.discard(self._place)
        if not isinstance(answer, _Left):
            return answer
        # Unpickling runs what it is told: only what has the digest that came back is the worker's own.
        if hashlib.sha256(data).hexdigest() != answer.digest:
            raise BrokenExecutor(f"{self._place} is not what was left there")
        return pickle.loads(data)


class _Leaving(Executor):
    """An executor whose results come by way of files."""

    def __init__(self, executor: Executor, parts: _Parts) -> None:
        self._executor, self._parts = executor, parts

    def submit(self, work: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        place = self._parts.new()
        self._parts.waiting.add(place)
        future = self._executor.submit(_leave, place, self._parts.mark, work, given, named)
        return _Fetching(future, place, self._parts)
