"""Ctrl-C at a moment of a test's choice, which never comes once the work is done."""

from __future__ import annotations

import concurrent.futures
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import TraceFunction

_WITH_LOCKS = (threading.__file__, str(Path(concurrent.futures.__file__).parent))


def interrupted_after(seconds: float, work: Callable[[], object]) -> bool:
    """Do the work, and send Ctrl-C after so long if it is not done by then; return whether it came."""
    came, working = False, True

    def stop(*_: object) -> None:
        nonlocal came
        if working:  # else it would end the tests
            came = True
            signal.raise_signal(signal.SIGINT)

    with _handled(signal.SIGALRM, stop):
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            work()
            working = False
        except KeyboardInterrupt:
            assert came
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    return came


@contextmanager
def _handled(number: signal.Signals, handler: Callable[..., None]) -> Iterator[None]:
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


def interrupted_at_line(at: int, work: Callable[[], object]) -> bool:
    """Do the work, and send Ctrl-C when this thread comes to the n-th line of the modules in which Python has locks.

    Return whether it came.
    """
    lines = 0

    def called(frame: FrameType, _event: str, _argument: object) -> TraceFunction | None:
        return stepped if frame.f_code.co_filename.startswith(_WITH_LOCKS) else None

    def stepped(_frame: FrameType, event: str, _argument: object) -> TraceFunction | None:
        nonlocal lines
        lines += event == "line"
        if event == "line" and lines == at:
            signal.raise_signal(signal.SIGINT)
        return stepped if lines < at else None

    before = sys.gettrace()
    try:
        with suppress(KeyboardInterrupt):
            sys.settrace(called)
            work()
            sys.settrace(None)  # Ctrl-C must not come as the block is left
    finally:
        sys.settrace(before)
    return lines >= at
