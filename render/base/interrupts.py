"""When Ctrl-C takes effect: after a block, or at once, or after a moment, whatever is going on then."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

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
def not_told_to_new_processes() -> Iterator[None]:
    """Let processes that begin in the block not hear Ctrl-C: each would print a traceback while Python starts there."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# --- after a moment ---------------------------------------------------------------------------------------------------

_STACK = 1 << 18  # bytes: it does little, and the usual 8 MB are much where memory is limited
_LATER = 60.0  # seconds, after which nobody is there any more
_GRACE = 0.12  # seconds that a command has to end by itself
WAITS = "waits for a signal or for another process"  # the name of threads that hold no lock meanwhile

_endings: list[Callable[[], object]] = []
_words: list[Callable[[], str]] = []
_first = threading.Lock()  # of the two that may end the process: the main thread, and the one that listens
_listener: tuple[int, threading.Thread] | None = None  # with the process in which it listens
_is_forced = False


def end_soon_at_interrupt() -> None:
    """From now on, end this process a moment after Ctrl-C with status 130, even if it cannot end by itself.

    A library may compute for seconds before Python can raise KeyboardInterrupt, and many threads may have to be waited
    for. Whatever must be done first is done `before_end`; files are whole or not there, as after any other end.
    """
    global _listener
    if sys.platform == "win32" or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        return
    # A system may give no more files or threads; and only the first thread hears signals.
    with suppress(OSError, RuntimeError, ValueError):
        heard, told = os.pipe()
        os.set_blocking(told, False)

        def listen() -> None:
            while os.read(heard, 1)[0] != signal.SIGINT:
                pass
            time.sleep(_GRACE)
            _force_end()

        thread = threading.Thread(target=listen, name=WAITS, daemon=True)
        usual = threading.stack_size(_STACK)
        thread.start()
        threading.stack_size(usual)
        _listener = os.getpid(), thread
        signal.set_wakeup_fd(told)


@contextmanager
def before_end(ending: Callable[[], object]) -> Iterator[None]:
    """In the block, let this be done before the process ends after Ctrl-C. It must take no time; outer blocks come first."""
    _endings.append(ending)
    try:
        yield
    finally:
        _endings.remove(ending)


@contextmanager
def ending_with(words: Callable[[], str]) -> Iterator[None]:
    """In the block, let these be the last words after Ctrl-C; and from then on, since the process is about to end."""
    _words.append(words)
    is_ending = False
    try:
        yield
    except KeyboardInterrupt:
        is_ending = True
        raise
    finally:
        if not is_ending:
            _words.remove(words)


def _force_end() -> None:
    global _is_forced
    if _first.acquire(blocking=False):  # else the main thread is about to end it
        _is_forced = True
        from render.base.progress import erasing

        for ending in [*_endings]:
            with suppress(Exception):
                ending()
        with suppress(OSError):
            os.write(_STDERR, f"{erasing()}{_words[-1]() if _words else 'stopped'}\n".encode())
        os._exit(STOPPED)


def end_stopped(say: Callable[[], object]) -> NoReturn:
    """Say the last words, and end this process with status 130."""
    if _listener is None or _listener[0] != os.getpid():  # nobody else would end it
        say()
        sys.exit(STOPPED)
    if not _first.acquire(blocking=False):
        time.sleep(_LATER)
    say()
    for ending in [*_endings]:
        with suppress(Exception):
            ending()
    os._exit(STOPPED)


def wait_if_ending() -> None:
    """Do nothing more if this process is being ended: what goes wrong by that is nothing to tell."""
    if _is_forced and _listener and threading.current_thread() is not _listener[1]:
        time.sleep(_LATER)


def let_parent_listen() -> None:
    """In a process that was forked: do not tell of signals there."""
    global _listener
    _listener = None
    with suppress(ValueError):  # another thread than the first, which hears none
        signal.set_wakeup_fd(-1)


# --- at once ----------------------------------------------------------------------------------------------------------


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
