"""Sharing work on many things with a second process, which starts with all that is in memory here.

Only Linux forks safely, and only a second core makes it worth while; elsewhere the same work is done here alone.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

FEWEST = 200  # things: for fewer, copying memory costs more than the second core gains

Thing = TypeVar("Thing")
Result = TypeVar("Result")
Work = Callable[[Thing], Result]


def shared(work: Work[Thing, Result], things: Sequence[Thing]) -> Iterator[Result]:
    """Yield what the work makes of each thing, in order; what it makes must be such that it can be pickled."""
    middle = len(things) // 2
    begun = _begun(work, things[middle:]) if len(things) >= FEWEST and _has_second_core() else None
    if begun is None:
        yield from map(work, things)
        return
    try:
        yield from map(work, things[:middle])
    finally:
        theirs: list[Result] | None = _received(*begun)
    # Whatever stopped the other process stops this one too, and can be reported here.
    yield from map(work, things[middle:]) if theirs is None else theirs


def _has_second_core() -> bool:
    return sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1


def _begun(work: Work[Thing, Result], things: Sequence[Thing]) -> tuple[int, int] | None:
    """Begin the work in a second process; return where its results can be read, and its number, if there can be one."""
    reader, writer = os.pipe()
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
        with os.fdopen(writer, "wb") as stream:
            stream.write(pickle.dumps([work(thing) for thing in things]))
    finally:
        os._exit(0)  # without what a process does at its end: that is for the one that began


def _received(reader: int, child: int) -> list[Result] | None:
    """Return the results of a second process; nothing if it was stopped."""
    with os.fdopen(reader, "rb") as stream:
        content = stream.read()
    _, status = os.waitpid(child, 0)
    return pickle.loads(content) if content and status == 0 else None
