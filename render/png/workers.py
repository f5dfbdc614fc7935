"""Make PNGs in several processes, on this machine or on any executor, such as that of a cluster.

Each card is a job of its own and its result a value, so that an error in one does not lose the others. Cards with the
same picture go to the same process, one after the other: the picture is decoded and scaled once, and rows that only it
fills are packed once. The bytes of a file depend on its job alone, not on who makes it.
"""

from __future__ import annotations

import errno
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import closing, suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from render import __version__
from render.base.addresses import Address
from render.base.caches import clear_caches
from render.base.executors import WORKING, check_version
from render.base.forking import is_single_threaded, keeping_memory_shared
from render.base.interrupts import before_end, defer_interrupt, let_parent_listen, not_told_to_new_processes
from render.base.memory import return_freed_memory, share_freed_memory
from render.base.progress import Spent, add_spent, help_out, is_timed, spent_here, take_times, waiting
from render.images import resample
from render.png.canvas import Packed
from render.png.writer import (
    Done,
    Failed,
    Made,
    PngJob,
    Result,
    draw_job,
    get_ready,
    write_jobs,
    write_no_more,
    write_png,
)
from render.scene.at_rest import MANY, SceneAtRest
from render.scene.items import Picture, TextRun, walk
from render.text.font_files.font_face import OwnFace, with_fonts

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

MIN_CARDS = 20  # cards: for fewer, starting processes costs more than it gains
MAX_PROCESSES = 8  # unless the user asks for more: beyond, all of them wait for the disk

_CHUNKS = 4  # per process, so that none waits long for the last one
_LARGEST = 25  # cards in a chunk, so that progress moves, and a cluster sends back little at a time
_IN_FLIGHT = 3  # chunks for each process: one is made, and others wait
_SENT = 16  # chunks that a cluster holds at a time
_LISTENING = 0.1  # seconds between two looks for Ctrl-C
_PATIENCE = 0.8  # seconds that a cluster has to finish its cards when the work is stopped


def default_count() -> int:
    """Return how many processes to use: one for each core available to this process, but at most 8."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return min(cores, MAX_PROCESSES)


class Workers(Struct, frozen=True):
    """Who makes PNGs: so many processes (None: `default_count`), or an executor, which may be that of a cluster.

    `made` is called with how many files are made, as they are. Of many files, processes that may begin `anew` share no
    memory with this one; then the script that runs may be imported once more.
    """

    processes: int | None = None
    executor: Executor | None = None
    made: Made = lambda _: None
    anew: bool = False


USUAL_WORKERS = Workers()

Numbered = tuple[int, Result]
"""The number of a job, and its result."""


def make(jobs: Sequence[PngJob], workers: Workers = USUAL_WORKERS) -> Generator[Result]:
    """Make the files and yield the result of each, in the order of the jobs.

    Without an executor, processes draw and write; with one process or fewer than 20 jobs this process does all. With an
    executor, its workers draw and this process writes the files, but for those that go to an address, which workers
    write. Since they may run on other machines, they are also sent the pictures.

    KeyboardInterrupt, or closing the generator, stops the work: files that are being written by then are completed,
    others are not begun.
    """
    return _in_order(_made_by(jobs, workers))


def make_all(jobs: Sequence[PngJob], workers: Workers = USUAL_WORKERS) -> list[Failed]:
    """Make the files as `make` does, and return what failed, in the order of the jobs. No other result is kept."""
    with closing(_made_by(jobs, workers)) as results:
        failed = {number: result for number, result in results if isinstance(result, Failed)}
    return [failed[number] for number in sorted(failed)]


def _made_by(jobs: Sequence[PngJob], workers: Workers) -> Generator[Numbered]:
    """Make the files and yield the result of each as it comes."""
    processes = default_count() if workers.processes is None else workers.processes
    if workers.executor is not None:
        return _elsewhere(jobs, workers.executor, workers.made)
    if processes > 1 and len(jobs) >= MIN_CARDS and not _is_of_process(jobs[0]):
        return _in_processes(jobs, processes, workers)
    return _one_by_one(jobs, workers.made)


def _is_of_process(job: PngJob) -> bool:
    return isinstance(job.file, Address) and job.file.is_of_process


def _in_order(results: Generator[Numbered]) -> Generator[Result]:
    """Yield each result as soon as all before it have come."""
    waiting: dict[int, Result] = {}
    following = 0
    with closing(results):  # at once, wherever Ctrl-C comes: files finished later must still be counted
        for index, result in results:
            waiting[index] = result
            while following in waiting:
                yield waiting.pop(following)
                following += 1


def chunks(jobs: Sequence[PngJob], size: int) -> Iterator[list[int]]:
    """Yield the numbers of the jobs in chunks, those with the same picture together unless they are too many.

    Of these, cards of a kind follow each other: what lies under their texts is then painted and packed once.
    """
    groups: dict[str, list[tuple[str, int]]] = {}
    for number, job in enumerate(jobs):
        groups.setdefault(job.scene.first_picture, []).append((job.kind, number))
    chunk: list[int] = []
    for group in ([number for _, number in sorted(cards)] for cards in groups.values()):
        if chunk and len(chunk) + len(group) > size:
            yield chunk
            chunk = []
        chunk += group
        while len(chunk) >= size:
            yield chunk[:size]
            chunk = chunk[size:]
    if chunk:
        yield chunk


def _one_by_one(jobs: Sequence[PngJob], made: Made) -> Generator[Numbered]:
    order = [*chain.from_iterable(chunks(jobs, len(jobs)))]
    with closing(write_jobs((jobs[number] for number in order), made)) as results:
        yield from zip(order, results, strict=True)


# --- chunks of jobs, and who makes them ------------------------------------------------------------------------------

Outcome = Result | Packed | Exception
"""A worker's result of a job: the packed PNG if the worker cannot write the file itself."""

Outcomes = Future[tuple[Sequence[Outcome], Spent]]


class _Dispatcher(NamedTuple):
    """Who makes chunks: how to begin one, at most how many at a time, and how to tell all to stop.

    `patience` is how many seconds they then have; None waits for them, since they stop at once. `tally` tells how many
    files they have made, if they write them.
    """

    begin: Callable[[list[int]], Outcomes]
    most: int
    stop: Callable[[], object] = lambda: None
    patience: float | None = None
    tally: Callable[[], object] = lambda: None


def _collected(jobs: Sequence[PngJob], size: int, dispatcher: _Dispatcher, made: Made) -> Generator[Numbered]:
    """Yield the results of all jobs as they come."""
    left = chunks(jobs, size)
    running: dict[Outcomes, list[int]] = {}
    try:
        while True:
            with defer_interrupt():  # else files could be made that nobody counts
                for numbers in islice(left, dispatcher.most - len(running)):
                    running[dispatcher.begin(numbers)] = numbers
            if not running:
                return
            done: Collection[Outcomes] = ()
            while not done:  # Ctrl-C is heard between two looks alone
                with defer_interrupt(), waiting():
                    done = wait(running, _LISTENING, FIRST_COMPLETED).done
                    dispatcher.tally()
            for future in done:
                with defer_interrupt():
                    numbers = running[future]
                    results = _results(future, [jobs[number] for number in numbers], made)
                    del running[future]
                yield from zip(numbers, results, strict=True)
    finally:
        with defer_interrupt():
            if running:
                dispatcher.stop()
            # Processes that end break their futures, and Python's pool stumbles over a cancelled one.
            left_over = [each for each in running if dispatcher.patience is None or not each.cancel()]
            for future in wait(left_over, dispatcher.patience).done:
                if not future.cancelled():
                    _results(future, [jobs[number] for number in running[future]], made)


def _results(future: Outcomes, chunk: list[PngJob], made: Made) -> list[Result]:
    """Return the results of a chunk, even if its worker died; write what is still only bytes, and count that.

    There are fewer results than jobs if the work was stopped.
    """
    error = future.exception()
    if isinstance(error, BrokenExecutor):
        error = ChildProcessError(errno.ECHILD, "another program stopped a process that was drawing")
    outcomes: Sequence[Outcome | BaseException] = [error] * len(chunk) if error else []
    if error is None:
        outcomes, spent = future.result()
        add_spent(spent)
    results: list[Result] = []
    for job, outcome in zip(chunk, outcomes, strict=False):
        match outcome:
            case Packed():
                results.append(write_png(job, outcome, made))
            case Done():
                made(1)
                results.append(outcome)
            case Failed():
                results.append(outcome)
            case _:
                error = outcome if isinstance(outcome, Exception) else RuntimeError(repr(outcome))
                results.append(Failed(job.file, error))
    return results


# --- processes of this machine ---------------------------------------------------------------------------------------


def _in_processes(jobs: Sequence[PngJob], processes: int, workers: Workers) -> Generator[Numbered]:
    import multiprocessing
    from concurrent.futures.process import ProcessPoolExecutor
    from multiprocessing import connection

    # A forked process comes to have a copy of all memory that it or this one looks at: with many jobs, that is a lot.
    forks = is_single_threaded() and not (workers.anew and len(jobs) > MANY)
    context = multiprocessing.get_context("fork" if forks else "spawn")
    share_freed_memory()  # with the threads of the pool
    if forks:
        get_ready()
    else:
        clear_caches()  # of the words that were set
        if _TRACKER not in sys.warnoptions:
            sys.warnoptions.append(_TRACKER)  # which Python hands on
    try:
        (counted, counter), (told, tell) = context.Pipe(duplex=False), context.Pipe(duplex=False)
        given = jobs if forks and not any(isinstance(job.scene, SceneAtRest) for job in jobs) else ()
        executor = ProcessPoolExecutor(processes, context, _start, (counter, told, given, is_timed()))
    except (
        OSError
    ):  # a system without shared memory, as some containers are: processes could not tell each other anything
        yield from _one_by_one(jobs, workers.made)
        return
    counting = threading.Lock()

    def count() -> None:
        with counting:
            while counted.poll():
                counted.recv_bytes()
                workers.made(1)

    def stop() -> None:
        tell.send_bytes(b"stop")  # all see it, since none takes it

    def end() -> None:
        stop()
        until, left = time.monotonic() + _ENDED, [each.sentinel for each in multiprocessing.active_children()]
        while left and (seconds := until - time.monotonic()) > 0:
            ended = connection.wait(left, seconds)
            left = [each for each in left if each not in ended]
        count()

    try:
        with before_end(end), keeping_memory_shared():

            def begin(numbers: list[int]) -> Outcomes:
                with suppress(BrokenExecutor), not_told_to_new_processes():
                    return executor.submit(_made, numbers if given else [jobs[number] for number in numbers])
                # Another program stopped a process: what was begun by then is lost, and the rest is made here.
                made_here: Outcomes = Future()
                made_here.set_result(([*write_jobs((jobs[number] for number in numbers), workers.made)], {}))
                return made_here

            dispatcher = _Dispatcher(begin, _IN_FLIGHT * processes, stop, None, count)
            size = min(_LARGEST, -(-len(jobs) // (processes * _CHUNKS)))
            yield from _collected(jobs, size, dispatcher, lambda _: None)  # they are counted as they are made
    finally:
        with defer_interrupt():
            executor.shutdown()
            count()


# Stopped by Ctrl-C, this process leaves locks behind; the process that Python starts to clean them up would warn of it.
_TRACKER = "ignore:resource_tracker"
_ENDED = 1.5  # seconds that workers have at most to complete what they are writing: mostly they take a fiftieth
_GIVEN: list[tuple[Made, Sequence[PngJob]]] = []  # in a worker: what counts files, and the jobs that are not sent


def _start(counter: Connection, told: Connection, jobs: Sequence[PngJob], timed: bool) -> None:
    """Prepare a worker: it ignores Ctrl-C, and ends when it is told to, or when its parent process has ended.

    Where processes fork, the jobs are already in its memory and need not be sent. Those of a large set are sent all the
    same: memory is shared only until somebody looks at what is in it.
    """
    gc.freeze()  # what is shared with the first process stays shared
    share_freed_memory()
    let_parent_listen()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: _leave())
    help_out(timed=timed)

    _GIVEN[:] = [(lambda _: counter.send_bytes(b"1"), jobs)]
    threading.Thread(target=_leave_when_told, args=(told,), daemon=True).start()


def _leave_when_told(told: Connection) -> None:
    from multiprocessing import connection, parent_process

    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel, told])
        _leave()


_LEAVING = threading.Lock()


def _leave() -> None:
    with _LEAVING:  # for ever: another thread may come to it, too
        write_no_more()
        os._exit(1)


def _made(wanted: Sequence[int | PngJob]) -> tuple[Sequence[Outcome], Spent]:
    """Make jobs, which are sent, or which this process was given under these numbers."""
    ((count, given),) = _GIVEN
    chosen = [given[each] if isinstance(each, int) else each for each in wanted]
    if given:
        return list(write_jobs(chosen, count)), spent_here()
    # Where many are made, one picture less in memory counts more than the fortieth of the time that it saves.
    made = list(write_jobs(chosen, count, ahead=1))
    return_freed_memory()
    return made, spent_here()


# --- workers elsewhere -----------------------------------------------------------------------------------------------


class _Parcel(NamedTuple):
    """Jobs for another machine, their pictures and fonts by digest, and the version that must draw them."""

    jobs: list[PngJob]
    is_timed: bool
    pictures: dict[str, bytes]
    fonts: dict[str, bytes]
    version: str


def _elsewhere(jobs: Sequence[PngJob], executor: Executor, made: Made) -> Generator[Numbered]:
    def begin(numbers: list[int]) -> Outcomes:
        return executor.submit(_unpacked, _packed([jobs[number] for number in numbers]))

    dispatcher = _Dispatcher(begin, _SENT, patience=_PATIENCE)
    return _collected(jobs, _LARGEST, dispatcher, made)


def _packed(chunk: list[PngJob]) -> _Parcel:
    """Return jobs with their pictures and fonts. What has changed by now is left out, and its cards fail there."""
    items = [item for job in chunk for item in walk(job.scene.items)]
    shown = (item for item in items if isinstance(item, Picture))
    pictures: dict[str, bytes] = {}
    for digest, picture in {picture.digest: picture for picture in shown}.items():
        with suppress(resample.PictureChangedError):
            pictures[digest] = resample.picture_content(picture)
    faces = {item.face for item in items if isinstance(item, TextRun) and isinstance(item.face, OwnFace)}
    contents: dict[str, bytes] = {}
    if faces:
        from render.text.font_files import own_opening

        for face in sorted(faces):
            with suppress(own_opening.FontChangedError):
                contents[face.digest] = own_opening.content_of(face)
    return _Parcel(chunk, is_timed(), pictures, contents, __version__)


def _unpacked(parcel: _Parcel) -> tuple[Sequence[Outcome], Spent]:
    """Draw the jobs of a parcel; ForeignWorkerError if this is another version than the one that must draw them."""
    check_version(parcel.version)
    take_times(wanted=parcel.is_timed)
    outcomes: list[Outcome] = []
    for job in parcel.jobs:
        try:
            with WORKING, resample.with_contents(parcel.pictures), with_fonts(parcel.fonts):
                pack = draw_job(job)
            is_far = isinstance(job.file, Address) and not job.file.is_of_process
            outcomes.append(write_png(job, pack(), lambda _: None) if is_far else pack())
        except Exception as error:  # any kind: the caller decides what to do about it
            outcomes.append(error)
    return outcomes, spent_here()
