"""Drawing PNGs and writing them, in one process: its main thread draws, others pack and wait for the disk."""

from __future__ import annotations

import hashlib
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

from render.base.files import replace_file
from render.png.allocation import keep_freed_memory
from render.png.canvas import Packed
from render.png.jobs import Done, Failed, PngJob

_WRITERS = 3  # threads that pack and write: each waits for the disk most of the time
_AHEAD = 5  # pictures drawn and not yet written

Result = Done | Failed
Made = Callable[[int], object]
"""Is told how many more files were made, each time that some were; from any thread."""


def get_ready() -> None:
    """Import what draws, so that processes that are forked afterwards have it."""
    import render.png  # noqa: F401, PLC0415 - with numpy, which who only writes does without


def written(
    jobs: Sequence[PngJob], stopped: Callable[[], bool] = lambda: False, made: Made = lambda _: None
) -> Generator[Result]:
    """Draw and write until it is stopped; yield what became of each job, in their order.

    While one is drawn, others are packed and flushed to the disk. Closing the generator, and KeyboardInterrupt, write
    what is being written as a whole, and begin no other.
    """
    keep_freed_memory()
    waiting: deque[Future[Result]] = deque()
    writer = ThreadPoolExecutor(_WRITERS)
    try:
        for job in jobs:
            if stopped():
                break
            waiting.append(_begun(job, writer, made))
            while len(waiting) > _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        with defer_interrupt():
            writer.shutdown(cancel_futures=True)


@contextmanager
def defer_interrupt() -> Iterator[None]:
    """Let Ctrl-C wait for the block: a thread that is being joined meanwhile is taken for one that has ended."""
    if threading.current_thread() is not threading.main_thread():
        yield  # Ctrl-C is for the main thread
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came and callable(before):  # else it is ignored here
        before(signal.SIGINT, None)


def _begun(job: PngJob, writer: ThreadPoolExecutor, made: Made) -> Future[Result]:
    try:
        pack = drawn(job)
    except Exception as error:  # whatever it is: it is the caller who knows what to do about it
        return writer.submit(Failed, job.file, error)
    return writer.submit(_counted, job, pack, made)


def _counted(job: PngJob, pack: Callable[[], Packed], made: Made) -> Result:
    """Write a file and count it in the same thread, which Ctrl-C does not stop between the two."""
    result = replaced(job, pack)
    made(isinstance(result, Done))
    return result


def drawn(job: PngJob) -> Callable[[], Packed]:
    """Draw a job's picture and return what packs it, which may be done while the next one is drawn."""
    from render.png import paint  # noqa: PLC0415 - with numpy, which who only writes does without

    image = paint.paint(job.shown, job.canvas)
    return partial(paint.pack, image, job.canvas.dpi)


_WRITING = threading.Semaphore(_WRITERS)


def replaced(job: PngJob, pack: Callable[[], Packed]) -> Result:
    """Write a file and return what became of it; no more are written at a time than there are writers."""
    packed = pack()
    try:
        with _WRITING:
            digest = hashlib.sha256(packed.data).hexdigest() if job.digested else ""
            if job.note:
                job.note(digest)
            replace_file(job.file, packed.data, job.below)
    except OSError as error:
        return Failed(job.file, error)
    return Done(job.file, digest, packed.pixels)


@contextmanager
def nothing_half_written() -> Iterator[None]:
    """Wait until whole files are all that is there; in the block, which may end the process, none is begun."""
    for _ in range(_WRITERS):
        _WRITING.acquire()
    try:
        yield
    finally:
        for _ in range(_WRITERS):
            _WRITING.release()
