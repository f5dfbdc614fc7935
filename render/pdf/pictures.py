"""The pictures of a PDF, each in the file once: decoded and packed as the file is written, one at a time."""

from __future__ import annotations

from collections.abc import Hashable
from typing import assert_never

from reportlab.pdfbase import pdfdoc

from render.images import resample
from render.images.press import Press
from render.scene.items import Picture


class PdfPictures:
    """The pictures of a file by what is in them, whatever their files are called."""

    def __init__(self, document: pdfdoc.PDFDocument, press: Press | None, art_dpi: float) -> None:
        self._document, self._press, self._art_dpi = document, press, art_dpi
        self._streams: dict[Hashable, _PictureStream] = {}

    def name(self, picture: Picture) -> str:
        """Return the name of a picture's object.

        It is as large as where it is printed largest; for a press it is there once for each size.
        """
        if self._press:
            size = resample.printed_size(picture, min(self._press.dpi, self._art_dpi))
        else:
            size = resample.most_pixels(picture, self._art_dpi)
        key = (picture.digest, size if self._press else None)
        stream = self._streams.get(key)
        if stream is None:
            name = f"picture{len(self._streams) + 1}"
            stream = self._streams[key] = _PictureStream(name, picture, size, self._press)
            self._document.addForm(name, stream)
        stream.grow(size)
        return stream.name


class _PictureStream(pdfdoc.PDFObject):  # type: ignore[misc] # ReportLab has no types
    """A picture that is decoded and packed when it is written into the file, so that one at a time is in memory.

    By then it is known how large it is printed.
    """

    __RefOnly__ = 1  # as of any stream

    def __init__(self, name: str, picture: Picture, size: resample.PixelSize, press: Press | None) -> None:
        self.name = name
        self._picture, self._size, self._press = picture, size, press

    def grow(self, size: resample.PixelSize) -> None:
        """Let it have so many pixels across and down."""
        self._size = (max(self._size[0], size[0]), max(self._size[1], size[1]))

    def format(self, document: pdfdoc.PDFDocument) -> bytes:
        """Return the stream as it stands in the file."""
        picture, press, size = self._picture, self._press, self._size
        packed = resample.printable(picture, press, size) if press else resample.embeddable(picture, size)
        written: bytes = _image(packed).format(document)
        return written


def _image(packed: resample.Embedded) -> pdfdoc.PDFStream:
    entries: dict[str, object] = {
        "Type": pdfdoc.PDFName("XObject"),
        "Subtype": pdfdoc.PDFName("Image"),
        "Width": packed.width,
        "Height": packed.height,
        "BitsPerComponent": 8,
        "ColorSpace": pdfdoc.PDFName({1: "DeviceGray", 3: "DeviceRGB", 4: "DeviceCMYK"}[packed.channels]),
    }
    match packed:
        case resample.Jpeg():
            entries["Filter"] = pdfdoc.PDFName("DCTDecode")
        case resample.Deflated():
            entries["Filter"] = pdfdoc.PDFName("FlateDecode")
            entries["DecodeParms"] = pdfdoc.PDFDictionary(
                {"Predictor": 15, "Colors": packed.channels, "Columns": packed.width, "BitsPerComponent": 8}
            )
        case _:
            assert_never(packed)
    return pdfdoc.PDFStream(pdfdoc.PDFDictionary(entries), packed.data)
