"""What is printed on a side of a sheet, in fine pixels: grey only, since a sheet at 600 dpi has many."""

from dataclasses import dataclass

import numpy as np
import pypdfium2
from numpy.typing import NDArray

from render.base.geometry import Rect, Size

DPI = 600
PX = 25.4 / DPI  # mm

Gray = NDArray[np.uint8]
Mask = NDArray[np.bool_]


def gray(pdf: bytes, number: int = 0) -> Gray:
    """Return a page as PDFium draws it at 600 dpi, 0 for black to 255 for white, shape (height, width)."""
    drawn = pypdfium2.PdfDocument(pdf)[number].render(scale=DPI / 72, grayscale=True).to_numpy()
    gray: Gray = drawn.reshape(drawn.shape[:2])
    return gray


@dataclass(frozen=True)
class Ink:
    """Where a side is printed, as pixels; a page is drawn in whole ones, so that they are not quite square."""

    mask: Mask
    paper: Size

    def at(self, box: Rect) -> Mask:
        """Return the pixels of a box in mm, as a view."""
        across, down = self.mask.shape[1] / self.paper.width, self.mask.shape[0] / self.paper.height
        left, right = max(0, round(box.x * across)), max(0, round(box.right * across))
        top, bottom = max(0, round(box.y * down)), max(0, round(box.bottom * down))
        return self.mask[top:bottom, left:right]

    def without(self, *boxes: Rect) -> "Ink":
        """Return the same side with nothing in these boxes."""
        rest = Ink(self.mask.copy(), self.paper)
        for box in boxes:
            rest.at(box)[:] = False
        return rest

    def middle(self, window: Rect, *, upright: bool) -> float:
        """Return where the middle of a line within a window is, in mm across the line."""
        places = np.nonzero(self.at(window).any(axis=0 if upright else 1))[0]
        assert places.size, f"nothing is printed within {window}"
        start, length = (window.x, self.paper.width) if upright else (window.y, self.paper.height)
        scale = length / self.mask.shape[1 if upright else 0]
        return float((round(start / scale) + (places[0] + places[-1] + 1) / 2) * scale)


def dark(pdf: bytes, number: int, paper: Size) -> Ink:
    """Return where a page is darker than a pixel that is covered by half."""
    return Ink(gray(pdf, number) < 160, paper)
