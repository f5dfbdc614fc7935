"""Sharing work on many things with a second process, which starts with all that is in memory here.

Only Linux forks safely, and only a second core makes it worth while; elsewhere the same work is done here alone.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

FEWEST = 200  # things: for fewer, copying memory costs more than the second core gains

Thing = TypeVar("Thing")
Result = TypeVar("Result")
Work = Callable[[Sequence[Thing]], list[Result]]


def shared(work: Work[Thing, Result], things: Sequence[Thing]) -> list[Result]:
    """Return what the work makes of the things, in their order: a result that can be pickled of each."""
    if len(things) < FEWEST or not _has_second_core():
        return work(things)
    middle = len(things) // 2
    reader, child = _begun(work, things[middle:])
    try:
        ours = work(things[:middle])
    finally:
        theirs: list[Result] | None = _received(reader, child)
    # Whatever stopped the other process stops this one too, and can be reported here.
    return ours + (work(things[middle:]) if theirs is None else theirs)


def _has_second_core() -> bool:
    return sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1


def _begun(work: Work[Thing, Result], things: Sequence[Thing]) -> tuple[int, int]:
    """Begin the work in a second process; return where its results can be read, and its number."""
    reader, writer = os.pipe()
    child = os.fork()
    if child:
        os.close(writer)
        return reader, child
    try:
        with os.fdopen(writer, "wb") as stream:
            stream.write(pickle.dumps(work(things)))
    finally:
        os._exit(0)  # without what a process does at its end: that is for the one that began


def _received(reader: int, child: int) -> list[Result] | None:
    """Return the results of a second process; nothing if it was stopped by an error."""
    with os.fdopen(reader, "rb") as stream:
        content = stream.read()
    os.waitpid(child, 0)
    return pickle.loads(content) if content else None
