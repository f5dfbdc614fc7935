"""Edges: whether anything is printed near the edge of the paper, found by drawing the pages and looking.

pypdfium2 draws the pages, so that another program than the writer decides what shows.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import pypdfium2
from numpy.typing import NDArray

from render.base.findings import Problem
from render.base.geometry import MM_PER_INCH, MM_PER_POINT
from render.verify.reading.faults import Fault

DPI = 150.0  # 0.17 mm a pixel: finer than any margin is kept
WHITE = 255
LONGEST, LONGEST_PAGE = 30.0, 0.2  # seconds of processor time for a file, and for each further page; a page takes 0.02

_SIDES = ("left", "top", "right", "bottom")


def edges(file: Path, margins: Sequence[float], margin: float) -> Iterator[Fault]:
    """Yield the pages on which something is printed in the margin, and how far from the edge.

    `margins` are the widths in mm to look at, page by page: less than `margin` where a page is corrected.
    """
    try:
        document = pypdfium2.PdfDocument(file)
    except pypdfium2.PdfiumError:
        yield Fault(Problem("Q001", "it is damaged: PDFium cannot open it"))
        return
    end = time.process_time() + LONGEST + LONGEST_PAGE * len(margins)
    try:
        for number, width in enumerate(margins, start=1):
            yield from _edges(document, number, width, margin)
            if time.process_time() > end:
                yield Fault(Problem("Q001", "it takes too long to draw the pages"))
                return
    finally:
        document.close()


def printed_within(file: Path, pages: Iterable[int], width: float) -> Iterator[tuple[int, float, str]]:
    """Yield the pages on which something is printed within `width` mm of the edge, how near, and to which edge."""
    with suppress(pypdfium2.PdfiumError):  # which `edges` reports
        document = pypdfium2.PdfDocument(file)
        try:
            for number in pages:
                page = document[number - 1]
                found = [(at, side) for side in _SIDES if (at := _nearest(page, side, width)) is not None]
                page.close()
                if found:
                    yield number, *min(found)
        finally:
            document.close()


def _edges(document: pypdfium2.PdfDocument, number: int, width: float, margin: float) -> Iterator[Fault]:
    try:
        page = document[number - 1]
    except pypdfium2.PdfiumError:
        yield Fault(Problem("Q001", "PDFium cannot draw the page"), number)
        return
    found = [(at, side) for side in _SIDES if (at := _nearest(page, side, width)) is not None]
    page.close()
    if found:
        at, side = min(found)
        what = f"something is printed {at:.1f} mm from the {side} edge, and {margin:g} mm are to stay white"
        yield Fault(Problem("Q070", what), number)


def _nearest(page: pypdfium2.PdfPage, side: str, margin: float) -> float | None:
    """Return how near to an edge something is printed inside the margin, in mm; None if nothing is."""
    pixels = int(margin * DPI / MM_PER_INCH)  # whole ones: the next may hold what is printed where the margin ends
    if pixels < 1:
        return None
    darkest = _strip(page, side, margin).min(axis=0 if side in ("left", "right") else 1)
    inward = darkest if side in ("left", "top") else darkest[::-1]
    distances = np.flatnonzero(inward[:pixels] < WHITE)
    return float(distances[0]) * MM_PER_INCH / DPI if len(distances) else None


def _strip(page: pypdfium2.PdfPage, side: str, margin: float) -> NDArray[np.uint8]:
    """Return the margin at a side of the page in gray, give or take a pixel."""
    width, height = page.get_size()
    # `crop` takes away lengths at the left, bottom, right and top, in points.
    across, down = (max(0.0, length - margin / MM_PER_POINT) for length in (width, height))
    cut = {
        "left": (0.0, 0.0, across, 0.0),
        "top": (0.0, down, 0.0, 0.0),
        "right": (across, 0.0, 0.0, 0.0),
        "bottom": (0.0, 0.0, 0.0, down),
    }[side]
    bitmap = page.render(scale=DPI / 72, crop=cut, grayscale=True)
    return np.array(bitmap.to_numpy(), np.uint8).reshape(bitmap.height, bitmap.width)
