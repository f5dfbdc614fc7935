"""Progress of long work: a bar on a terminal, a line every 10 s in a log, nothing without a stream."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self, TextIO

_PATIENCE = 0.5  # seconds: work that ends sooner needs no bar
_REDRAWN = 0.1  # seconds between two drawings of the bar
_LINES = 10.0  # seconds between two lines of a log
_BAR = 24  # characters


@dataclass(frozen=True, slots=True)
class Status:
    """How many of all things are done, after how many seconds."""

    done: int
    total: int
    seconds: float

    def words(self, thing: str) -> str:
        """Return `312 of 1000 cards, 104 cards/s, 7 s left`."""
        said = f"{self.done} of {self.total} {thing}"
        if not self.done or self.seconds <= 0:
            return said
        rate = self.done / self.seconds
        return f"{said}, {rate:.{0 if rate >= 10 else 1}f} {thing}/s, {_duration((self.total - self.done) / rate)} left"

    def line(self, thing: str, width: int) -> str:
        """Return `[######------]` and the words, cut to `width` characters; if both do not fit, the words alone."""
        filled = _BAR * self.done // max(self.total, 1)
        both = f"[{'#' * filled}{'-' * (_BAR - filled)}] {self.words(thing)}"
        return both if len(both) <= width else self.words(thing)[: max(width, 0)]


class Progress:
    """A context that reports progress on a stream. On leaving, it wipes the bar."""

    def __init__(
        self,
        total: int,
        thing: str,
        stream: TextIO | None = None,
        width: Callable[[], int] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`width` returns the columns of the terminal; None for a log. Without a stream, it only counts."""
        self.total = total
        self.thing = thing
        self.done = 0
        self._stream = stream
        self._width = width
        self._clock = clock
        self._began = self._said = clock()
        self._drawn = 0
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._drawn:
            self._write(f"\r{' ' * self._drawn}\r")
            self._drawn = 0

    def more(self, count: int) -> None:
        """Count that many more as done, and report if it is time. Any thread may call it."""
        with self._lock:
            self.done += count
            now = self._clock()
            waited = now - self._said
            far = Status(self.done, self.total, now - self._began)
            if self._width is None:
                if waited >= _LINES and self.done < self.total:
                    self._said = now
                    self._write(far.words(self.thing) + "\n")
            elif far.seconds >= _PATIENCE and waited >= _REDRAWN:
                self._said = now
                # One column less: a terminal wraps a full line, and `\r` no longer reaches its start.
                line = far.line(self.thing, self._width() - 1)
                self._write(f"\r{line.ljust(self._drawn)}")  # spaces over the rest of a longer line
                self._drawn = len(line)

    def _write(self, text: str) -> None:
        if self._stream is not None:
            try:
                self._stream.write(text)
                self._stream.flush()
            except OSError:  # the terminal is gone; the work goes on, and whoever writes next meets the error itself
                self._stream = None


def show_progress(total: int, thing: str, stream: TextIO | None) -> Progress:
    """Return the progress of `total` things: a bar if the stream is a terminal, else lines; None hides it."""
    if stream is None:
        return Progress(total, thing)

    def width() -> int:
        try:
            return os.get_terminal_size(stream.fileno()).columns or 80
        except (OSError, ValueError):
            return 80

    return Progress(total, thing, stream, width if stream.isatty() else None)


def _duration(seconds: float) -> str:
    """Return `7 s`, `2 min` or `1 h 5 min`."""
    whole = round(seconds)
    if whole < 100:  # under 100 s in seconds: `7 s`, `99 s`
        return f"{whole} s"
    minutes = round(whole / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
