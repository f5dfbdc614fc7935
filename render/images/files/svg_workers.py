"""Worker processes that draw SVGs: each stays for the next drawing, until a drawing takes too much.

A thread has a worker for itself while it waits for a drawing, so there are as many workers as threads ever waited at
the same time. They end with this process.
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from threading import Lock, Timer
from typing import IO

from render.base.caches import cached
from render.base.interrupts import defer_interrupt
from render.images.files.svg_process import ANSWER, QUESTION

_WAITED = 600  # seconds of the clock, for a machine that is busy with other things, or keeps to no bounds
_TRIES = 3  # of a drawing whose worker is killed from outside

_OVER = {"SIGXCPU", "SIGABRT", "SIGSEGV", "SIGBUS", "SIGINT"}
"""Signals that end a worker because of its drawing: too much time, memory or depth. Ctrl-C asks for no second try."""


@dataclass(frozen=True, slots=True)
class DrawingLimits:
    """The bounds of a drawing: seconds of processor time, and bytes of address space."""

    seconds: int
    memory: int


@dataclass(frozen=True, slots=True)
class SvgPng:
    """A drawing as a PNG, and the seconds of processor time that it took."""

    png: bytes
    seconds: float


class TooMuchError(Exception):
    """A drawing takes more than it may."""


class BrokenDrawingError(Exception):
    """resvg cannot draw the SVG: the message says why."""


class _StoppedError(Exception):
    """Something else ended the worker."""


def drawn(text: str, limits: DrawingLimits) -> SvgPng:
    """Return an SVG as a PNG; TooMuchError or BrokenDrawingError if it cannot be drawn within the limits."""
    question = text.encode("utf-8")
    for attempt in range(_TRIES):
        with suppress(_StoppedError), _WORKERS.one(new=attempt > 0) as worker:
            return worker.answer(question, limits)
    raise TooMuchError


class _Worker:
    """A process that draws one SVG at a time."""

    def __init__(self) -> None:
        program = str(Path(__file__).with_name("svg_process.py"))
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", program, _library()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # the words of a panic are in its exception, too
            env={**os.environ, "RUST_BACKTRACE": "0"},
        )
        self._late = False

    def answer(self, question: bytes, limits: DrawingLimits) -> SvgPng:
        """Return the drawing of an SVG. After any error the worker must not be used again."""
        watch = Timer(_WAITED, self._stop_waiting)
        watch.daemon = True
        try:
            with defer_interrupt():
                watch.start()
            return self._asked(question, limits)
        finally:
            with defer_interrupt():
                watch.cancel()
                if watch.is_alive():
                    watch.join()  # a process with other threads cannot fork

    def _stop_waiting(self) -> None:
        self._late = True
        self._process.kill()

    def _asked(self, question: bytes, limits: DrawingLimits) -> SvgPng:
        questions, answers = self._pipes
        with suppress(OSError):  # the worker has ended, which reading tells
            questions.write(QUESTION.pack(len(question), limits.seconds, limits.memory) + question)
            questions.flush()
        head = answers.read(ANSWER.size)
        if len(head) < ANSWER.size:
            raise self._ended()
        is_drawn, seconds, count = ANSWER.unpack(head)
        content = answers.read(count)
        if len(content) < count:
            raise self._ended()
        if not is_drawn:
            raise _broken(content.decode("utf-8", "replace"))
        return SvgPng(content, seconds)

    def _ended(self) -> TooMuchError | _StoppedError:
        """Return why there is no answer."""
        number = -self._process.wait()
        by = signal.Signals(number).name if number in {*signal.Signals} else ""
        return TooMuchError() if by in _OVER or self._late else _StoppedError()

    @property
    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        return process.stdin, process.stdout

    def end(self) -> None:
        """Kill the worker."""
        self._process.kill()
        self._process.wait()
        for pipe in self._pipes:
            with suppress(OSError):  # a question that was not sent whole
                pipe.close()


class _Workers:
    """The workers of this process that are idle."""

    def __init__(self) -> None:
        self._idle: list[_Worker] = []
        self._owner = 0
        self._lock = Lock()

    @contextmanager
    def one(self, *, new: bool) -> Iterator[_Worker]:
        """Lend a worker, a new one if asked to. After any error, Ctrl-C among them, it is killed."""
        worker = self._taken(new=new)
        try:
            yield worker
        except BaseException:
            worker.end()
            raise
        with self._lock:
            self._idle.append(worker)

    def _taken(self, *, new: bool) -> _Worker:
        with self._lock:
            if self._owner != os.getpid():  # the workers of the process that forked this one answer that one
                self._idle, self._owner = [], os.getpid()
                atexit.register(self.end)
            if self._idle and not new:
                return self._idle.pop()
        return _Worker()

    def end(self) -> None:
        """End all idle workers."""
        with self._lock:
            idle, self._idle = self._idle, []
        if self._owner == os.getpid():
            for worker in idle:
                worker.end()


_WORKERS = _Workers()


def _broken(says: str) -> TooMuchError | BrokenDrawingError:
    """Return what an exception of the library means. Its words follow those with which Rust begins a panic.

    Without them its arithmetic went wrong, which it does where shapes are endless.
    """
    if says in ("", "MemoryError"):
        return TooMuchError()
    _, error, words = says.partition("` value: ")
    return BrokenDrawingError(words if error else "its shapes or lines reach too far beyond the picture")


@cached(1)
def _library() -> str:
    """Return the folder that contains the compiled part of resvg."""
    spec = find_spec("resvg")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("resvg is not installed", name="resvg")
    return str(Path(spec.origin).parent)
