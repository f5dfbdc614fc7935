"""Reading back what was written: PDF pages and PNGs as arrays, and where the ink lies in them."""

import io
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pypdfium2
from numpy.typing import NDArray
from PIL import Image

Pixels = NDArray[np.int16]
"""An RGB picture, shape (height, width, 3), values 0 to 255."""


def page(pdf: bytes, number: int, dpi: float) -> Pixels:
    """Return a page as PDFium draws it."""
    document = pypdfium2.PdfDocument(pdf)
    return pixels(document[number].render(scale=dpi / 72).to_pil())


def reduced(pdf: bytes, dpi: float, by: int) -> Pixels:
    """Return the first page drawn `by` times as large and averaged down, which is free of the renderer's snapping."""
    document = pypdfium2.PdfDocument(pdf)
    return pixels(document[0].render(scale=dpi * by / 72).to_pil().convert("RGB").reduce(by))


def pixels(image: Image.Image) -> Pixels:
    return np.asarray(image.convert("RGB")).astype(np.int16)


def png(data: bytes) -> Pixels:
    return pixels(Image.open(io.BytesIO(data)))


def darkest(pixels: Pixels) -> NDArray[np.int16]:
    """Return the least of red, green and blue of each pixel: ten times as fast as `min(axis=2)`."""
    return np.minimum(np.minimum(pixels[:, :, 0], pixels[:, :, 1]), pixels[:, :, 2])


def lightest(pixels: Pixels) -> NDArray[np.int16]:
    """Return the greatest of red, green and blue of each pixel."""
    return np.maximum(np.maximum(pixels[:, :, 0], pixels[:, :, 1]), pixels[:, :, 2])


@dataclass(frozen=True)
class Extent:
    """Where something lies, in pixels: the first and last row and column that it touches."""

    top: int
    bottom: int
    left: int
    right: int

    def distance(self, other: "Extent") -> int:
        """Return by how many pixels the edge that differs most differs."""
        pairs = ((self.top, other.top), (self.bottom, other.bottom), (self.left, other.left), (self.right, other.right))
        return max(abs(a - b) for a, b in pairs)


def extent(mask: NDArray[np.bool_]) -> Extent:
    """Return where the true pixels of a mask lie."""
    rows, columns = np.nonzero(mask.any(axis=1))[0], np.nonzero(mask.any(axis=0))[0]
    return Extent(int(rows[0]), int(rows[-1]), int(columns[0]), int(columns[-1]))


def lines(mask: NDArray[np.bool_]) -> Iterator[Extent]:
    """Yield the extents of the lines of text in a mask: rows with ink between rows without."""
    inked = np.concatenate(([False], mask.any(axis=1), [False]))
    edges = np.nonzero(inked[1:] != inked[:-1])[0]
    for top, behind in zip(edges[::2], edges[1::2], strict=True):
        within = extent(mask[top:behind])
        yield Extent(int(top), int(behind) - 1, within.left, within.right)
