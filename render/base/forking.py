"""Share work with a second process, forked from this one, so that it starts with all that is in memory.

Only Linux forks safely, and the work gains only with a second core. Elsewhere this process does all of it.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from io import BytesIO
from itertools import islice
from typing import BinaryIO, TypeVar

from render.base.interrupts import WAITS, defer_interrupt, let_parent_listen
from render.base.progress import Step, add_spent, help_out, is_timed, spent_here, waiting

MIN_THINGS = 60  # things: for fewer, copying memory costs about as much as the second core gains

FOR_ONE = 512
"""Things after which other processes take over, which begin with all that this one knows by then.

Until a second process ends, each has a copy of its own of all memory that either of them touches: the less, the closer
together in memory the things lie that they work on. Of what this process makes itself, holes stay in its memory.
"""

# The largest pipe that Linux grants without privileges: /proc/sys/fs/pipe-max-size, 1 MiB unless changed.
_PIPE = 1 << 20  # bytes

Thing = TypeVar("Thing")
Result = TypeVar("Result")
Work = Callable[[Sequence[Thing]], Iterable[Result]]


def map_in_two_processes(
    work: Work[Thing, Result], things: Sequence[Thing], step: Step = lambda _count: None, size: int = 0
) -> Iterator[Result]:
    """Yield what `work` makes of each thing, in order. A second process makes the second half.

    With a `size`, things are shared out in parts of so many, in turn, so that results come as they are made; after the
    first `FOR_ONE` things, two other processes make them all. Results must be picklable. `step` is told how many things
    are done; the second process is as far as this one.
    """
    if len(things) < MIN_THINGS or not can_fork():
        for result in work(things):
            yield result
            step(1)
        return
    for number, some in enumerate(_shared_out(things, FOR_ONE) if size else [things]):
        parts = _shared_out(some, size or -(-len(some) // 2))
        with (
            in_background(partial(_made_of, work, parts[::2]), worth=number > 0) as ours,
            in_background(partial(map, lambda part: [*work(part)], parts[1::2])) as others,
        ):
            for part in parts[::2]:
                for result in islice(ours, len(part)):
                    yield result
                    step(2)
                yield from next(others, ())


def _made_of(work: Work[Thing, Result], parts: Sequence[Sequence[Thing]]) -> Iterator[Result]:
    for part in parts:
        yield from work(part)


def _shared_out(things: Sequence[Thing], size: int) -> list[Sequence[Thing]]:
    return [things[at : at + size] for at in range(0, len(things), size)]


@contextmanager
def in_background(work: Callable[[], Iterable[Result]], *, worth: bool = True) -> Iterator[Iterator[Result]]:
    """Begin work in a second process and give an iterator of its results, which must be picklable.

    The second process works ahead as far as the pipe holds. When the iterator is left, the process is killed, so it
    must write nothing. If there is no second process, if the work is not `worth` one, or if the process stops early,
    this process does the work: an error is raised when the result that it belongs to is asked for.
    """
    begun = _begun(work) if worth and can_fork() else None
    if begun is None:
        yield _received(BytesIO(), work)
        return
    reader, child = begun
    with os.fdopen(reader, "rb") as stream, keeping_memory_shared():
        try:
            yield _received(stream, work)
        finally:
            os.kill(child, signal.SIGKILL)  # it is done, or nobody waits for it any more
            os.waitpid(child, 0)


@contextmanager
def keeping_memory_shared() -> Iterator[None]:
    """Keep Python from looking through all of memory for cycles: what it marks would be copied for another process."""
    frozen = gc.get_freeze_count()
    if not frozen:
        gc.freeze()
    try:
        yield
    finally:
        if not frozen:
            gc.unfreeze()


def can_fork() -> bool:
    """Return whether a second process has a core, and can be forked."""
    return is_single_threaded() and sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1


def is_single_threaded() -> bool:
    """Return whether this process can be forked: no other thread is here, whose locks the new one would inherit locked.

    A thread that only waits for the first process to end holds none.
    """
    if sys.platform != "linux":
        return False
    with defer_interrupt():  # else Python's lock of its threads may stay locked
        return all(thread is threading.current_thread() or thread.name == WAITS for thread in threading.enumerate())


def _begun(work: Callable[[], Iterable[object]]) -> tuple[int, int] | None:
    """Begin the work in a second process. Return the pipe to read from and the process id; None if fork fails."""
    import fcntl
    import pickle

    reader, writer = os.pipe()
    with suppress(OSError):
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, _PIPE)  # so that the writer seldom waits for the reader
    try:
        child = os.fork()
    except OSError:
        os.close(reader)
        os.close(writer)
        return None
    if child:
        os.close(writer)
        return reader, child
    try:
        os.close(reader)
        gc.freeze()  # what is shared with the first process stays shared
        let_parent_listen()
        threading.Thread(target=_leave_without_reader, args=(writer,), name=WAITS, daemon=True).start()
        with os.fdopen(writer, "wb") as stream:
            help_out(timed=is_timed())
            for result in work():
                # The empty tuple marks the end: a pipe cut short is then no end.
                pickle.dump((result, spent_here()), stream)
                stream.flush()
            pickle.dump((), stream)
    finally:
        os._exit(0)  # skips exit handlers and flushing of streams: those belong to the first process


def _leave_without_reader(writer: int) -> None:
    """End this process once the first one has ended, however that came about: this one holds its locks (`flock`)."""
    if sys.platform == "linux":
        watched = select.poll()
        watched.register(writer, 0)  # no events but POLLERR, which comes when nobody can read any more
        watched.poll()
        os._exit(1)


def _received(stream: BinaryIO, work: Callable[[], Iterable[Result]]) -> Iterator[Result]:
    """Yield the results of the second process, then make the missing ones here, so that errors are raised here."""
    import pickle

    number = 0
    with suppress(EOFError, pickle.UnpicklingError):  # the process ended before its end mark, or within a result
        while True:
            with waiting():
                answer = pickle.load(stream)
            if not answer:
                return
            result, spent = answer
            add_spent(spent)
            yield result
            number += 1
    yield from islice(work(), number, None)
