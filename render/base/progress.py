"""Progress of long work: a bar on a terminal, a line every 10 s in a log, nothing without a stream."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Self, TextIO

_PATIENCE = 0.5  # seconds: work that ends sooner needs no bar
_REDRAWN = 0.1  # seconds between two drawings of the bar
_LINES = 10.0  # seconds between two lines of a log
_BAR = 24  # characters


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
        self.total, self.thing, self.done = total, thing, 0
        self._stream, self._width, self._clock = stream, width, clock
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
            waited, words = now - self._said, describe(self.done, self.total, self.thing, now - self._began)
            if self._width is None:
                if waited >= _LINES and self.done < self.total:
                    self._said = now
                    self._write(f"{words}\n")
            elif now - self._began >= _PATIENCE and waited >= _REDRAWN:
                self._said = now
                # One column less: a terminal wraps a full line, and `\r` no longer reaches its start.
                width, filled = max(self._width() - 1, 0), _BAR * self.done // max(self.total, 1)
                line = f"[{'#' * filled}{'-' * (_BAR - filled)}] {words}"
                line = line if len(line) <= width else words[:width]
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

    def width() -> int:
        try:
            return os.get_terminal_size(stream.fileno()).columns or 80 if stream else 80
        except (OSError, ValueError):
            return 80

    return Progress(total, thing, stream, width if stream and stream.isatty() else None)


def describe(done: int, total: int, thing: str, seconds: float) -> str:
    """Return `312 of 1000 cards, 104 cards/s, 7 s left`, after so many seconds."""
    words = f"{done} of {total} {thing}"
    if not done or seconds <= 0:
        return words
    rate = done / seconds
    left = round((total - done) / rate)
    minutes = round(left / 60)
    time_left = f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
    return f"{words}, {rate:.{0 if rate >= 10 else 1}f} {thing}/s, {f'{left} s' if left < 100 else time_left} left"
