"""The jobs of workers and their results: a PNG to make from a scene, or a WebP file, and the file or the error."""

from __future__ import annotations

import hashlib
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from msgspec import Struct

from render.base.addresses import Place
from render.base.files import replace_file
from render.base.interrupts import before_end, defer_interrupt
from render.base.memory import keep_freed_memory
from render.base.progress import stage
from render.layout.bleed import add_bleed
from render.png.canvas import Canvas, Packed
from render.scene.items import Scene
from render.scene.proofs import cut_along, cut_line


class PngJob(Struct, frozen=True, kw_only=True):
    """A PNG to make from a scene.

    `bleed_from` is the source of its bleed (see `bleed.add_bleed`). `cut_radius` is the corner radius in mm of a
    preview of the cut; None for no preview. `digested` asks for the digest of the file. `below` is the folder that the
    user chose for outputs (see `files`). Cards of a `kind` have most of what lies under their texts in common. `note`
    is called with the digests of the file and of its pixels just before the file gets its name.
    """

    file: Place
    scene: Scene
    canvas: Canvas
    bleed_from: str = "auto"
    cut_radius: float | None = None
    digested: bool = True
    below: Path | None = None
    kind: str = ""
    note: Callable[[str, str], object] | None = None

    @property
    def shown(self) -> Scene:
        """The face with its bleed and its cut line."""
        face = add_bleed(self.scene, self.canvas.bleed, self.bleed_from)
        if self.cut_radius is None:
            return face
        cut = self.scene.cut
        line = cut_along(cut) if cut else cut_line(face.size.rect, self.cut_radius)
        return Scene(face.size, (*face.items, line), cut)


class Done(Struct, frozen=True):
    """A file that was written: the SHA-256 of its bytes if asked for, and the digest of its pixels (see `paint`)."""

    file: Place
    digest: str
    pixels: str


class Failed(Struct, frozen=True):
    """A file that was not written, and why."""

    file: Place
    error: Exception


# --- Draw PNGs and write them in one process: its main thread draws, others pack and wait for the disk ---


_WRITERS = 3  # threads that pack and write: each waits for the disk most of the time

Result = Done | Failed
Made = Callable[[int], object]
"""Called with the number of files made since the last call; from any thread."""


def get_ready() -> None:
    """Import what draws, so that processes forked afterwards have it in memory."""
    import render.png.paint  # noqa: F401 - with numpy, which a process that only writes does without


def write_jobs(jobs: Iterable[PngJob], made: Made = lambda _: None, ahead: int = 2) -> Generator[Result]:
    """Draw and write; yield the result of each job, in their order.

    While one picture is drawn, `ahead` others are packed and flushed to the disk. Closing the generator, or KeyboardInterrupt,
    completes the files that are being written, and begins no other.
    """
    keep_freed_memory()
    waiting: deque[Future[Result]] = deque()
    writer = ThreadPoolExecutor(_WRITERS)

    def first() -> Result:
        with defer_interrupt():
            return waiting.popleft().result()

    try:
        with before_end(write_no_more):
            for job in jobs:
                with defer_interrupt():
                    try:
                        waiting.append(writer.submit(_written, job, draw_job(job), made))
                    except Exception as error:  # any kind: the caller decides what to do about it
                        waiting.append(writer.submit(Failed, job.file, error))
                while len(waiting) > ahead:
                    yield first()
            while waiting:
                yield first()
    finally:
        with defer_interrupt():
            writer.shutdown(cancel_futures=True)


def draw_job(job: PngJob) -> Callable[[], Packed]:
    """Draw a job's picture; return a function that packs it, which may run while the next one is drawn."""
    from render.png import packing, paint

    with stage("draw"):
        images = [paint.paint_cut(job.shown, job.canvas)]

    def pack() -> Packed:
        with stage("pack"):
            packed = packing.pack_webp if job.file.name.endswith(".webp") else packing.pack
            return packed(images.pop(), job.canvas.dpi)  # while the file is written, nobody needs the picture

    return pack


_WRITTEN = 0.8  # seconds that a file may take at most: mostly it takes a hundredth, and more on a busy machine
_WRITING = threading.Semaphore(_WRITERS)  # all of them together mean that no file is being written
_PACKING = threading.Lock()  # packing a picture takes as much memory as three more


def _written(job: PngJob, pack: Callable[[], Packed], made: Made) -> Result:
    with _PACKING:
        packed = pack()
    return write_png(job, packed, made)


def write_png(job: PngJob, packed: Packed, made: Made) -> Result:
    """Write and count a file, and return the result. No more are written at a time than there are writers."""
    try:
        with _WRITING:
            digest = hashlib.sha256(packed.data).hexdigest() if job.digested else ""
            if job.note:
                job.note(digest, packed.pixels)
            replace_file(job.file, packed.data, job.below)
            made(1)
    except OSError as error:
        return Failed(job.file, error)
    return Done(job.file, digest, packed.pixels)


def write_no_more() -> None:
    """Wait until no file is half written, and let none be begun any more: the process is about to end."""
    for _ in range(_WRITERS):
        _WRITING.acquire(timeout=_WRITTEN)
