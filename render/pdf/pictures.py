"""The pictures of a PDF, each in the file once: decoded and packed as the file is written, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import assert_never

from reportlab.pdfbase import pdfdoc

from render.base.interrupts import defer_interrupt
from render.base.progress import Step
from render.images import resample
from render.images.art_dpi import svg_dpi
from render.images.press import Press
from render.pdf.objects import dictionary
from render.scene.items import Picture

_DRAWERS = 2  # threads; each waits for a process that draws an SVG, and packs it
_AHEAD = 4  # SVGs packed before they are due


class PdfPictures:
    """The pictures of a file, by their contents; names of files do not matter."""

    def __init__(self, document: pdfdoc.PDFDocument, press: Press | None, art_dpi: float) -> None:
        self._document, self._press, self._art_dpi = document, press, art_dpi
        self._streams: dict[Hashable, _PictureStream] = {}

    def name(self, picture: Picture) -> str:
        """Return the name of a picture's object.

        Its size is that of its largest print. For a press, there is one object for each size.
        """
        # A press file is packed at the size of its print; any other has at most `art_dpi`, and keeps a smaller picture.
        if isinstance(picture, resample.FlatPicture):
            size = picture.pixels
        elif self._press:
            size = resample.printed_size(picture, min(self._press.dpi, self._art_dpi))
        else:
            size = resample.most_pixels(picture, svg_dpi(self._art_dpi) if _is_svg(picture) else self._art_dpi)
        key = (picture.digest, picture.pale, size if self._press else None)
        stream = self._streams.get(key)
        if stream is None:
            name = f"picture{len(self._streams) + 1}"
            stream = self._streams[key] = _PictureStream(name, picture, size, self._press)
            self._document.addForm(name, stream)
        stream.grow(size)
        return stream.name

    @property
    def count(self) -> int:
        """How many different pictures there are."""
        return len(self._streams)

    @contextmanager
    def drawn_ahead(self, step: Step) -> Iterator[None]:
        """In the block, in which the file is written, let threads draw and pack the next SVGs; each picture is a step."""
        for stream in self._streams.values():
            stream.step = step
        drawings = [stream for stream in self._streams.values() if stream.is_drawing]
        if not drawings or self._press:
            yield
            return
        pool = ThreadPoolExecutor(_DRAWERS)

        def begin(number: int) -> None:
            for stream in drawings[number : number + _AHEAD]:
                stream.draw_by(pool)

        for number, stream in enumerate(drawings):
            stream.when_due = partial(begin, number)
        try:
            yield
        finally:
            with defer_interrupt():
                pool.shutdown(cancel_futures=True)


class _PictureStream(pdfdoc.PDFObject):  # type: ignore[misc] # ReportLab has no types
    """A picture that is decoded and packed only when it is written into the file, so that one at a time is in memory.

    By then its largest printed size is known.
    """

    __RefOnly__ = 1  # ReportLab's flag of an indirect object, as any stream is

    def __init__(self, name: str, picture: Picture, size: resample.PixelSize, press: Press | None) -> None:
        self.name = name
        self._picture, self._size, self._press = picture, size, press
        self._packed: Future[resample.Embedded] | None = None
        self.when_due: Callable[[], None] = lambda: None
        self.step: Step = lambda: None

    @property
    def is_drawing(self) -> bool:
        """Whether it is an SVG."""
        return _is_svg(self._picture)

    def draw_by(self, pool: ThreadPoolExecutor) -> None:
        """Let a thread draw and pack it, if none does yet."""
        if self._packed is None:
            self._packed = pool.submit(resample.embeddable, self._picture, self._size)

    def grow(self, size: resample.PixelSize) -> None:
        """Make it at least that many pixels across and down."""
        self._size = (max(self._size[0], size[0]), max(self._size[1], size[1]))

    def format(self, document: pdfdoc.PDFDocument) -> bytes:
        """Return the stream as it stands in the file; ReportLab calls this."""
        picture, press, size = self._picture, self._press, self._size
        with defer_interrupt():
            self.when_due()
            packed = self._packed.result() if self._packed else None
        self._packed = None
        if packed is None:
            packed = resample.printable(picture, press, size) if press else resample.embeddable(picture, size)
        self.step()
        written: bytes = _image(packed).format(document)
        return written


def _is_svg(picture: Picture) -> bool:
    """Whether a picture is an SVG by its name, which is enough to decide when to draw it, and with which resolution."""
    return picture.file.suffix.lower() == ".svg"


def _image(packed: resample.Embedded) -> pdfdoc.PDFStream:
    match packed:
        case resample.Jpeg():
            packing: dict[str, object] = {"Filter": "/DCTDecode"}  # a JPEG file as it is (ISO 32000-1, 7.4.8)
        case resample.Deflated():
            # 15: each row names its own PNG filter (7.4.4.4).
            rows = dictionary(Predictor=15, Colors=packed.channels, Columns=packed.width, BitsPerComponent=8)
            packing = {"Filter": "/FlateDecode", "DecodeParms": rows}
        case _:
            assert_never(packed)
    entries = dictionary(
        Type="/XObject",
        Subtype="/Image",
        Width=packed.width,
        Height=packed.height,
        BitsPerComponent=8,
        ColorSpace={1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK"}[packed.channels],
        **packing,
    )
    return pdfdoc.PDFStream(entries, packed.data)
