"""When Ctrl-C takes effect: after a block, or at once, whatever is going on."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

STOPPED = 130  # what shells report for a command that Ctrl-C ended: 128 plus the signal's number

_STDERR = 2  # the file, not the stream: the signal may come while that is being written to


@contextmanager
def defer_interrupt() -> Iterator[None]:
    """Delay Ctrl-C until after the block, which is for short work with other threads.

    Python raises KeyboardInterrupt between any two of its instructions. In a thread's `join`, it takes the thread for
    ended; in a lock of a future, a queue or an event, it leaves that locked for ever.
    """
    # Python runs handlers of signals in the main thread only.
    if threading.current_thread() is not threading.main_thread():
        yield  # Ctrl-C is for the main thread
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came and callable(before):  # else it is ignored here; an error of the block is not what the user waits for
            before(signal.SIGINT, None)


@contextmanager
def end_at_interrupt(last_word: str = "") -> Iterator[None]:
    """Let Ctrl-C end the process at once within the block, with status 130: for work that leaves nothing to tidy up.

    Python drops an exception in a callback, such as that behind an import, and KeyboardInterrupt would be lost with it.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell lets what it starts in the background
        yield
        return
    first = threading.Lock()

    def end(*_: object) -> None:
        if first.acquire(blocking=False):  # else another thread is ending it
            with suppress(OSError):
                os.write(_STDERR, last_word.encode())
            os._exit(STOPPED)

    before = signal.signal(signal.SIGINT, end)
    try:
        with _heard_by_a_thread(end):
            yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _heard_by_a_thread(end: Callable[[], object]) -> Iterator[None]:
    """Call `end` at Ctrl-C in a thread of its own, too.

    Python calls handlers in the main thread, once that runs. A signal that another thread gets, or that comes just
    before the main thread waits for the network or for input, does not wake it.
    """
    if sys.platform == "win32":  # there asyncio listens itself
        yield
        return
    heard, told = os.pipe()
    os.set_blocking(told, False)

    def listen() -> None:
        while number := os.read(heard, 1)[0]:
            if number == signal.SIGINT:
                end()

    thread = threading.Thread(target=listen, name="interrupts", daemon=True)
    thread.start()
    before = signal.set_wakeup_fd(told)
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.write(told, b"\0")
        thread.join()
        os.close(told)
        os.close(heard)
