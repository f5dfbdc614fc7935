"""Sharing work with a second process, which starts with all that is in memory here.

Only Linux forks safely, and only a second core makes it worth while; elsewhere the same work is done here alone.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import BytesIO
from itertools import islice
from typing import BinaryIO, TypeVar

FEWEST = 150  # things: for fewer, copying memory costs more than the second core gains

_PIPE = 1 << 20  # bytes, as much as Linux gives to anybody

Thing = TypeVar("Thing")
Result = TypeVar("Result")
Work = Callable[[Sequence[Thing]], Iterable[Result]]


def map_in_two_processes(work: Work[Thing, Result], things: Sequence[Thing]) -> Iterator[Result]:
    """Yield what the work makes of each thing, in order: of the second half it is made by the second process.

    It must be such that it can be pickled.
    """
    if len(things) < FEWEST:
        yield from work(things)
        return
    middle = len(things) // 2
    with in_background(lambda: [[*work(things[middle:])]]) as others:
        yield from work(things[:middle])
        for results in others:
            yield from results


@contextmanager
def in_background(work: Callable[[], Iterable[Result]], *, worth: bool = True) -> Iterator[Iterator[Result]]:
    """Begin work in a second process and give its results, which must be such that they can be pickled.

    The second process is ahead by one result; when nobody wants more, it is stopped, so it must write nothing. Without
    one, if it is not `worth` it, or if something else stops it, the work is done here: an error in it is raised when
    its result is asked for.
    """
    begun = _begun(work) if worth and _can_fork() else None
    if begun is None:
        yield _received(BytesIO(), work)
        return
    reader, child = begun
    with os.fdopen(reader, "rb") as stream:
        try:
            yield _received(stream, work)
        finally:
            os.kill(child, signal.SIGKILL)  # it is done, or nobody waits for it any more
            os.waitpid(child, 0)


def _can_fork() -> bool:
    """Whether there is a core for a second process, and no other thread here, whose locks would stay locked there."""
    return sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1 and threading.active_count() == 1


def _begun(work: Callable[[], Iterable[object]]) -> tuple[int, int] | None:
    """Begin the work in a second process; return where its results can be read, and its number, if there can be one."""
    reader, writer = _pipe()
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
        threading.Thread(target=_leave_without_reader, args=(writer,), daemon=True).start()
        with os.fdopen(writer, "wb") as stream:
            for result in work():
                pickle.dump((result,), stream)
                stream.flush()
            pickle.dump((), stream)
    finally:
        os._exit(0)  # without what a process does at its end: that is for the one that began


def _pipe() -> tuple[int, int]:
    """Return the two ends of a pipe that holds much, so that who writes can end, and give back what it holds."""
    import fcntl  # noqa: PLC0415 - only where there are forks

    reader, writer = os.pipe()
    with suppress(OSError):
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, _PIPE)
    return reader, writer


def _leave_without_reader(writer: int) -> None:
    """End this process when the one that began it has ended, however that came about: it holds what that has locked."""
    if sys.platform == "linux":
        watched = select.poll()
        watched.register(writer, 0)  # for nothing but the error that it is when nobody can read
        watched.poll()
        os._exit(1)


def _received(stream: BinaryIO, work: Callable[[], Iterable[Result]]) -> Iterator[Result]:
    """Yield the results of a second process, and those that it could not give: what stopped it can be reported here."""
    number = 0
    with suppress(EOFError, pickle.UnpicklingError):  # it ended before its last word, or within one
        while said := pickle.load(stream):
            yield said[0]
            number += 1
        return
    yield from islice(work(), number, None)
