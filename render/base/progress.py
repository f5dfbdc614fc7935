"""Progress of long work, and where its time goes.

Work says of each of its stages how much there is to do, and counts it as it is done (`stage`). Unless the command line
asks for something, that costs nothing. `show_stages` shows a bar for each, `time_stages` adds up the seconds. A process
that helps sends its times with its results (`spent_here`).
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Self, TextIO, TypeVar

Thing = TypeVar("Thing")

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
        waited: float = 0.0,
        label: str = "",
    ) -> None:
        """`width` returns the columns of the terminal; None for a log. Without a stream, it only counts.

        The user has `waited` so many seconds already. The bar begins with the `label`.
        """
        self.total, self.thing, self.done = total, thing, 0
        self._label = label and f"{label}: "
        self._stream, self._width, self._clock = stream, width, clock
        self._began = self._said = clock()
        self._patience = max(_PATIENCE - waited, _REDRAWN)
        self.drawn = 0
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.wipe()

    def wipe(self) -> None:
        """Remove the bar, until there is more."""
        global _seen
        with self._lock:
            if self.drawn:
                self._write(f"\r{' ' * self.drawn}\r")
                self.drawn, _seen = 0, None

    def more(self, count: int = 1) -> None:
        """Count that many more as done, and report if it is time. Any thread may call it."""
        global _seen
        with self._lock:
            self.done += count
            now = self._clock()
            waited = now - self._said
            words = f"{self._label}{describe(self.done, self.total, self.thing, now - self._began)}"
            if self._width is None:
                if waited >= _LINES and self.done < self.total:
                    self._said = now
                    self._write(f"{words}\n")
            elif now - self._began >= self._patience and waited >= _REDRAWN:
                self._said = now
                # One column less: a terminal wraps a full line, and `\r` no longer reaches its start.
                width, filled = max(self._width() - 1, 0), _BAR * self.done // max(self.total, 1)
                line = f"[{'#' * filled}{'-' * (_BAR - filled)}] {words}"
                line = line if len(line) <= width else words[:width]
                self._write(f"\r{line.ljust(self.drawn)}")  # spaces over the rest of a longer line
                self.drawn, _seen = len(line), self

    def _write(self, text: str) -> None:
        if self._stream is not None:
            try:
                self._stream.write(text)
                self._stream.flush()
            except OSError:  # the terminal is gone; the work goes on, and whoever writes next meets the error itself
                self._stream = None


_seen: Progress | None = None  # the one whose bar is on the terminal


def wipe() -> None:
    """Remove the bar from the terminal, for a message."""
    if _seen is not None:
        _seen.wipe()


def erasing() -> str:
    """Return what removes the bar, for whoever may not wait for a lock."""
    return f"\r{' ' * _seen.drawn}\r" if _seen else ""


def show_progress(total: int, thing: str, stream: TextIO | None, waited: float = 0.0, label: str = "") -> Progress:
    """Return the progress of `total` things: a bar if the stream is a terminal, else lines; None hides it."""

    def width() -> int:
        try:
            return os.get_terminal_size(stream.fileno()).columns or 80 if stream else 80
        except (OSError, ValueError):
            return 80

    return Progress(total, thing, stream, width if stream and stream.isatty() else None, waited=waited, label=label)


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


# --- stages ----------------------------------------------------------------------------------------------------------

Step = Callable[..., object]
"""Counts one more thing as done, or as many as are given."""

Show = Callable[[str, int, str], Progress]
"""Begins the bar of a stage, by its name, how many there are, and what."""

_show: Show | None = None  # shows the bars of this process
_shown = False  # whether the stage is shown in which this one is
_times: Times | None = None


def stage(name: str, total: int = 1, things: str = "") -> AbstractContextManager[Step]:
    """Return the context of a stage of the work, such as `lay out` of so many `things`; it gives what counts them.

    Only a stage that names its things shows a bar, and none within it does.
    """
    return _UNWATCHED if _times is None and _show is None else _watched(name, total, things)


class _Unwatched:
    def __enter__(self) -> Step:
        return _no_step

    def __exit__(self, *_: object) -> None:
        pass


def _no_step(_count: int = 1) -> None:
    pass


_UNWATCHED = _Unwatched()


@contextmanager
def _watched(name: str, total: int, things: str) -> Iterator[Step]:
    global _shown
    bar = None
    if _show and things and not _shown and threading.current_thread() is threading.main_thread():
        bar, _shown = _show(name, total, things), True
        bar.more(0)
    if _times:
        _times.begin(name, total)
    try:
        yield bar.more if bar else _no_step
    finally:
        if _times:
            _times.end()
        if bar:
            _shown = False
            bar.wipe()


def in_stage(name: str, things: str, work: Collection[Thing]) -> Iterator[Thing]:
    """Yield the parts of a stage's work, each counted once it is done."""
    with stage(name, len(work), things) as step:
        for part in work:
            yield part
            step()


@contextmanager
def show_stages(show: Show) -> Iterator[None]:
    """Show how far each stage is."""
    global _show
    before, _show = _show, show
    try:
        yield
    finally:
        _show = before


def on_terminal(stream: TextIO) -> Show:
    """Return what shows stages on a terminal, before which somebody waits from now on."""
    began = time.monotonic()
    return lambda name, total, things: show_progress(total, things, stream, time.monotonic() - began, name)


Report = Sequence[str | int]
"""How far a stage is in another process: its name, how many there are, of what, and how many are done."""


def to_other_process(send: Callable[[Report], object]) -> Show:
    """Return what sends reports to the process that shows them."""
    return lambda name, total, things: _Sent(name, total, things, send)


class _Sent(Progress):
    """Progress that another process shows."""

    def __init__(self, name: str, total: int, things: str, send: Callable[[Report], object]) -> None:
        super().__init__(total, things)
        self._send, self._name = send, name

    def more(self, count: int = 1) -> None:
        """Count that many more as done, and send that from time to time."""
        self.done += count
        if (now := self._clock()) - self._said >= _REDRAWN:
            self._said = now
            self._send((self._name, self.total, self.thing, self.done))


@contextmanager
def relayed() -> Iterator[Callable[[Report], None] | None]:
    """Give what shows the reports of another process while this one waits for it; None if nobody would see them."""
    bars: dict[tuple[str | int, ...], Progress] = {}

    def show(report: Report) -> None:
        *stage, done = report
        if (key := tuple(stage)) not in bars:
            wipe()
            bars[key] = _show(*stage)  # type: ignore[arg-type, misc] # as they were sent
        bars[key].more(int(done) - bars[key].done)

    try:
        yield show if _show and not _shown and threading.current_thread() is threading.main_thread() else None
    finally:
        for bar in bars.values():
            bar.wipe()


def waiting() -> AbstractContextManager[Step]:
    """Return the context of waiting for other processes, whose work counts."""
    return stage(_WAITING)


# --- times -----------------------------------------------------------------------------------------------------------

_START, _OTHER, _WAITING = "start", "other", ""
_ORDER = (
    *(_START, "compare", "read", "load", "inspect", "lay out", "check"),
    *("impose", "draw", "pack", "measure", "write", "upload", _OTHER),
)


Spent = Mapping[str, tuple[int, float]]
"""Of stages, how many things they had to do, and the seconds that they took."""


class Times:
    """The seconds of each stage. Those of a stage within another one count for the inner one alone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stacks = threading.local()
        self._spent: dict[str, tuple[int, float]] = {}

    def begin(self, name: str, count: int) -> None:
        """Begin a stage in this thread."""
        self._mark().append(name)
        self._add(name, count, 0.0)

    def end(self) -> None:
        """End the stage of this thread that was begun last."""
        self._mark().pop()

    def taken(self) -> Spent:
        """Return the times so far, and forget them."""
        self._mark()
        with self._lock:
            spent, self._spent = self._spent, {}
        return spent

    def add(self, spent: Spent) -> None:
        """Add times that were taken, by this process or by another one."""
        for name, (count, seconds) in spent.items():
            self._add(name, count, seconds)

    def _mark(self) -> list[str]:
        """Charge the time since the last mark to the stage in which this thread is; return its stages, inner last."""
        now = time.perf_counter()
        stack: list[str] = self._stacks.__dict__.setdefault("stack", [])
        if stack:
            self._add(stack[-1], 0, now - self._stacks.since)
        self._stacks.since = now
        return stack

    def _add(self, name: str, count: int, seconds: float) -> None:
        with self._lock:
            before = self._spent.get(name, (0, 0.0))
            self._spent[name] = before[0] + count, before[1] + seconds


@contextmanager
def time_stages() -> Iterator[Callable[[], tuple[float, Spent]]]:
    """Add up the times of stages; what came before is the stage `start`.

    It gives what tells them so far: the seconds of the clock, and what each stage spent, of which several may work at
    once.
    """
    global _times
    before, began = _times, time.perf_counter()
    start = time.process_time()  # of the processor, which is almost all the time that starting takes
    times = _times = Times()
    times.add({_START: (1, start)})
    times.begin(_OTHER, 1)

    def told() -> tuple[float, Spent]:
        spent = times.taken()
        times.add(spent)
        order = sorted(spent, key=lambda name: _ORDER.index(name) if name in _ORDER else len(_ORDER))
        return start + time.perf_counter() - began, {name: spent[name] for name in order if name != _WAITING}

    try:
        yield told
    finally:
        times.end()
        _times = before


def is_timed() -> bool:
    """Return whether stages are timed."""
    return _times is not None


def help_out(*, timed: bool) -> None:
    """Be a process that helps another one: show no bars, and take times from here on, or none."""
    global _show, _seen, _times
    _show = _seen = None
    if not timed:
        _times = None
    take_times(wanted=timed)
    spent_here()


def take_times(*, wanted: bool) -> None:
    """Take times, if they are wanted."""
    global _times
    if wanted:
        _times = _times or Times()


def spent_here() -> Spent:
    """Return what this process spent since it was asked last; {} if stages are not timed."""
    return _times.taken() if _times else {}


def add_spent(spent: Spent) -> None:
    """Add what another process spent."""
    if _times:
        _times.add(spent)
