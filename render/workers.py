"""PNGs by several processes: on this machine, or by any executor, such as that of a cluster.

A card is a job of its own and its result a value, so that an error in one does not lose the others. Cards that show the
same picture go to the same process one after the other: it is decoded and scaled once, and rows that only it fills are
packed once. The bytes of a file depend on its job alone, not on who makes it.
"""

from __future__ import annotations

import errno
import hashlib
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from multiprocessing.connection import wait as wait_for
from multiprocessing.synchronize import Event
from pathlib import Path

from render import __version__, pixels, png
from render.files import replace_file
from render.jobs import Done, Failed, ForeignWorkerError, Job
from render.png import Packed
from render.scene import Picture, walk

FEWEST = 20  # cards: for fewer, starting processes costs more than it gains
MOST = 8  # processes, as long as nobody asks for more: beyond, the disk is what all wait for

_CHUNKS = 4  # for each process, so that none waits long for the last one
_LARGEST = 25  # cards in a chunk, so that a bar moves, and what a cluster sends back at a time stays small
_SENT = 16  # chunks that a cluster has at a time
_WRITERS = 3  # threads that pack and write: each waits for the disk most of the time
_AHEAD = 5  # pictures drawn and not yet written
_PATIENCE = 0.8  # seconds that a cluster has to finish its cards when all is to stop


Result = Done | Failed
Made = Callable[[int], object]
"""Is told how many more files were made, each time that some were; from any thread."""


def default_count() -> int:
    """Return how many processes to use: one for each core that this one may use, and not more than 8."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return min(cores, MOST)


def make(
    jobs: Sequence[Job], executor: Executor | None = None, count: int | None = None, made: Made = lambda _: None
) -> Generator[Result]:
    """Make the files and yield what became of each, in the order of the jobs.

    Without an executor `count` processes draw and write, as many as `default_count` says; one, or fewer than 20 jobs,
    is work for this process alone. With one, its workers draw and the files are written here: it may be that of other
    machines, so they are sent the pictures too.

    KeyboardInterrupt, and closing the generator, stop within about a second: what is being written by then is written
    as a whole, the rest is not begun.
    """
    processes = default_count() if count is None else count
    if executor is not None:
        results = _elsewhere(jobs, executor, made)
    elif processes > 1 and len(jobs) >= FEWEST:
        results = _in_processes(jobs, processes, made)
    else:
        results = _one_by_one(jobs, made)
    return _in_order(results)


Numbered = tuple[int, Result]


def _in_order(results: Iterator[Numbered]) -> Generator[Result]:
    """Yield each result as soon as all before it are there."""
    waiting: dict[int, Result] = {}
    following = 0
    for index, result in results:
        waiting[index] = result
        while following in waiting:
            yield waiting.pop(following)
            following += 1


def chunks(jobs: Sequence[Job], size: int) -> Iterator[list[int]]:
    """Yield the numbers of the jobs in chunks: those with the same picture together, unless they are too many."""
    groups: dict[str, list[int]] = {}
    for number, job in enumerate(jobs):
        first = next((item.digest for item in walk(job.scene.items) if isinstance(item, Picture)), "")
        groups.setdefault(first, []).append(number)
    chunk: list[int] = []
    for group in groups.values():
        if chunk and len(chunk) + len(group) > size:
            yield chunk
            chunk = []
        chunk += group
        while len(chunk) >= size:
            yield chunk[:size]
            chunk = chunk[size:]
    if chunk:
        yield chunk


# Drawing and writing


def _one_by_one(jobs: Sequence[Job], made: Made) -> Iterator[Numbered]:
    return enumerate(_written(jobs, made=made))


def _written(
    jobs: Sequence[Job], stopped: Callable[[], bool] = lambda: False, made: Made = lambda _: None
) -> Iterator[Result]:
    """Draw and write until it is stopped. While one is drawn, others are packed and flushed to the disk."""
    waiting: deque[Future[Result]] = deque()
    writer = ThreadPoolExecutor(_WRITERS)
    try:
        for job in jobs:
            if stopped():
                break
            waiting.append(_begun(job, writer, made))
            while len(waiting) > _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        with _undisturbed():
            writer.shutdown(cancel_futures=True)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let Ctrl-C wait for the block: a thread that is being joined meanwhile is taken for one that has ended."""
    if threading.current_thread() is not threading.main_thread():
        yield  # Ctrl-C is for the main thread
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt


def _begun(job: Job, writer: ThreadPoolExecutor, made: Made) -> Future[Result]:
    try:
        pack = _drawn(job)
    except Exception as error:  # whatever it is: it is the caller who knows what to do about it
        return writer.submit(Failed, job.file, error)
    return writer.submit(_counted, job.file, pack, made)


def _counted(file: Path, pack: Callable[[], Packed], made: Made) -> Result:
    """Write a file and count it in the same thread, which Ctrl-C does not stop between the two."""
    result = _replaced(file, pack)
    made(isinstance(result, Done))
    return result


def _drawn(job: Job) -> Callable[[], Packed]:
    """Draw a job's picture and return what packs it, which may be done while the next one is drawn."""
    image = png.paint(job.shown, job.canvas)
    return partial(png.pack, image, job.canvas.dpi)


_WRITING = threading.Semaphore(_WRITERS)


def _replaced(file: Path, pack: Callable[[], Packed]) -> Result:
    packed = pack()
    try:
        with _WRITING:
            replace_file(file, packed.data)
    except OSError as error:
        return Failed(file, error)
    return Done(file, hashlib.sha256(packed.data).hexdigest(), packed.pixels)


# Chunks of jobs, and who makes them

Outcome = Result | Packed | Exception
"""What a worker says of a job; the PNG, if it cannot write where the file is to be."""

Outcomes = Future[Sequence[Outcome]]


@dataclass(frozen=True, slots=True)
class _Hands:
    """Who makes chunks: at most `most` at a time; how one is begun; how all that are begun are told to stop.

    `patience` is how many s they then have; none if they are waited for, since they stop after the card they are at.
    """

    begin: Callable[[list[Job]], Outcomes]
    most: int
    stop: Callable[[], object]
    patience: float | None = None


def _collected(jobs: Sequence[Job], size: int, hands: _Hands, made: Made) -> Iterator[Numbered]:
    """Yield the results of all jobs as they come."""
    left = chunks(jobs, size)
    running: dict[Outcomes, list[int]] = {}
    try:
        while True:
            with _undisturbed():  # or files would be made that nobody counts
                for numbers in islice(left, hands.most - len(running)):
                    running[hands.begin([jobs[number] for number in numbers])] = numbers
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                with _undisturbed():
                    numbers = running[future]
                    results = _results(future, [jobs[number] for number in numbers], made)
                    del running[future]
                yield from zip(numbers, results, strict=True)
    finally:
        hands.stop()
        for future in wait([future for future in running if not future.cancel()], hands.patience).done:
            if not future.cancelled():
                _results(future, [jobs[number] for number in running[future]], made)


def _results(future: Outcomes, chunk: list[Job], made: Made) -> list[Result]:
    """Return the results of a chunk, also of one whose worker is gone; write what is only bytes yet, and count.

    They are fewer than its jobs if all was stopped.
    """
    error = future.exception()
    if isinstance(error, BrokenExecutor):
        error = ChildProcessError(errno.ECHILD, "a process that was drawing was stopped from outside")
    outcomes = future.result() if error is None else [error] * len(chunk)
    results = [_settled(job.file, outcome) for job, outcome in zip(chunk, outcomes, strict=False)]
    made(sum(isinstance(result, Done) for result in results))
    return results


def _settled(file: Path, outcome: Outcome | BaseException) -> Result:
    match outcome:
        case Packed():
            return _replaced(file, lambda: outcome)
        case Done() | Failed():
            return outcome
        case error:
            return Failed(file, error if isinstance(error, Exception) else RuntimeError(repr(error)))


# Processes of this machine


def _in_processes(jobs: Sequence[Job], count: int, made: Made) -> Iterator[Numbered]:
    forks = sys.platform == "linux" and threading.active_count() == 1  # a lock that a thread holds stays locked
    context = multiprocessing.get_context("fork" if forks else "spawn")
    stop = context.Event()
    executor = ProcessPoolExecutor(count, context, _start, (stop,))
    try:
        hands = _Hands(lambda chunk: executor.submit(_made, chunk), len(jobs), stop.set)
        size = min(_LARGEST, -(-len(jobs) // (count * _CHUNKS)))
        yield from _collected(jobs, size, hands, made)
    finally:
        with _undisturbed():
            executor.shutdown(cancel_futures=True)


_STOPS: list[Event] = []  # of a worker: the one event that stops it


def _start(stop: Event) -> None:
    """Prepare a worker: it stops when told to, not by Ctrl-C, and leaves when the process is gone that began it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _STOPS[:] = [stop]
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        for _ in range(_WRITERS):
            _WRITING.acquire()  # what is being written is written as a whole
        os._exit(1)


def _made(chunk: list[Job]) -> Sequence[Outcome]:
    return list(_written(chunk, _STOPS[0].is_set))


# Workers elsewhere


@dataclass(frozen=True, slots=True)
class _Parcel:
    """Jobs for another machine, the pictures that they show by digest, and the version that is to draw them."""

    jobs: list[Job]
    pictures: dict[str, bytes]
    version: str


def _elsewhere(jobs: Sequence[Job], executor: Executor, made: Made) -> Iterator[Numbered]:
    hands = _Hands(lambda chunk: executor.submit(_unpacked, _packed(chunk)), _SENT, lambda: None, _PATIENCE)
    return _collected(jobs, _LARGEST, hands, made)


def _packed(chunk: list[Job]) -> _Parcel:
    """Return jobs with their pictures; one whose file has changed stays away, and its cards fail there."""
    shown = (item for job in chunk for item in walk(job.scene.items) if isinstance(item, Picture))
    pictures: dict[str, bytes] = {}
    for digest, picture in {picture.digest: picture for picture in shown}.items():
        with suppress(pixels.PictureChangedError):
            pictures[digest] = pixels.content(picture)
    return _Parcel(chunk, pictures, __version__)


_DRAWING = threading.Lock()  # a worker of a cluster may have several threads; drawing keeps what it made last


def _unpacked(parcel: _Parcel) -> Sequence[Outcome]:
    """Draw the jobs of a parcel; ForeignWorkerError if this is not the version that is to draw them."""
    if parcel.version != __version__:
        raise ForeignWorkerError(f"a worker of the cluster has kotc {__version__}, and this is {parcel.version}")
    return [_tried(job, parcel.pictures) for job in parcel.jobs]


def _tried(job: Job, pictures: Mapping[str, bytes]) -> Packed | Exception:
    try:
        with _DRAWING, pixels.lent(pictures):
            pack = _drawn(job)
        return pack()
    except Exception as error:  # as above
        return error
