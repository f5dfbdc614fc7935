"""Draw PNGs and write them in one process: its main thread draws, others pack and wait for the disk."""

from __future__ import annotations

import hashlib
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

from render.base.files import replace_file
from render.base.interrupts import defer_interrupt
from render.png.allocation import keep_freed_memory
from render.png.canvas import Packed
from render.png.jobs import Done, Failed, PngJob

_WRITERS = 3  # threads that pack and write: each waits for the disk most of the time
_AHEAD = 5  # pictures drawn and not yet written

Result = Done | Failed
Made = Callable[[int], object]
"""Called with the number of files made since the last call; from any thread."""


def get_ready() -> None:
    """Import what draws, so that processes forked afterwards have it in memory."""
    import render.png  # noqa: F401 - with numpy, which a process that only writes does without


def write_jobs(
    jobs: Sequence[PngJob], stopped: Callable[[], bool] = lambda: False, made: Made = lambda _: None
) -> Generator[Result]:
    """Draw and write until `stopped`; yield the result of each job, in their order.

    While one picture is drawn, others are packed and flushed to the disk. Closing the generator, or KeyboardInterrupt,
    completes the files that are being written, and begins no other.
    """
    keep_freed_memory()
    waiting: deque[Future[Result]] = deque()
    writer = ThreadPoolExecutor(_WRITERS)
    try:
        for job in jobs:
            if stopped():
                break
            with defer_interrupt():
                waiting.append(_begun(job, writer, made))
            while len(waiting) > _AHEAD:
                yield _first(waiting)
        while waiting:
            yield _first(waiting)
    finally:
        with defer_interrupt():
            writer.shutdown(cancel_futures=True)


def _first(waiting: deque[Future[Result]]) -> Result:
    """Wait for the first of them."""
    with defer_interrupt():
        return waiting.popleft().result()


def _begun(job: PngJob, writer: ThreadPoolExecutor, made: Made) -> Future[Result]:
    try:
        pack = draw_job(job)
    except Exception as error:  # any kind: the caller decides what to do about it
        return writer.submit(Failed, job.file, error)
    return writer.submit(_counted, job, pack, made)


def _counted(job: PngJob, pack: Callable[[], Packed], made: Made) -> Result:
    """Write a file and count it in one thread, which Ctrl-C does not stop between the two."""
    result = write_png(job, pack)
    made(isinstance(result, Done))
    return result


def draw_job(job: PngJob) -> Callable[[], Packed]:
    """Draw a job's picture; return a function that packs it, which may run while the next one is drawn."""
    from render.png import paint

    image = paint.paint(job.shown, job.canvas)
    return partial(paint.pack, image, job.canvas.dpi)


_WRITING = threading.Semaphore(_WRITERS)  # all of them together mean that no file is being written


def write_png(job: PngJob, pack: Callable[[], Packed]) -> Result:
    """Write a file and return the result. No more files are written at a time than there are writers."""
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
def finish_writing() -> Iterator[None]:
    """Wait until no file is half written. Inside the block, which may end the process, no file is begun."""
    for _ in range(_WRITERS):
        _WRITING.acquire()
    try:
        yield
    finally:
        for _ in range(_WRITERS):
            _WRITING.release()
