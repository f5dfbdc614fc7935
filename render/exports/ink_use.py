"""How much ink sheets take, estimated: the colors of their faces as a home printer mixes them.

Every printer mixes colors in its own way, so this is an estimate: cyan, magenta and yellow are what red, green and blue
lack, and what all three have in common is black. Marks, ruler and slug are left out; they take less than 1 %.
"""

from __future__ import annotations

from dataclasses import dataclass

from render.base.geometry import MM_PER_INCH, Edges
from render.exports.print_files import ImposedJob
from render.png.canvas import Canvas
from render.png.paint import ink_shares, paint
from render.scene.items import Scene
from render.scene.placement import Placement

TEXT_PAGE = 0.05  # of a page: the coverage of the letter by which the yield of cartridges is stated (ISO/IEC 19752)
_DPI = 50.0

Inks = tuple[float, float, float, float]
"""Cyan, magenta, yellow and black: 0 to 1 each."""


@dataclass(frozen=True, slots=True)
class InkUse:
    """The mean share of a page that each ink covers, over all printed pages, and the number of these."""

    mean: Inks
    pages: int

    @property
    def text_pages(self) -> float:
        """How many pages of text take as much ink."""
        return sum(self.mean) * self.pages / TEXT_PAGE


def ink_use(imposed: ImposedJob) -> InkUse:
    """Return the ink that imposed sheets take. OSError if a picture has changed since it was laid out."""
    page = imposed.grid.paper.width * imposed.grid.paper.height
    known: dict[tuple[int, Edges], Inks] = {}
    total, pages = [0.0, 0.0, 0.0, 0.0], 0
    for sheet in imposed.sheets:
        for side in filter(None, (sheet.front, sheet.back)):
            pages += 1
            for placement in side:
                for number, share in enumerate(_of_face(placement, known)):
                    total[number] += share / page
    cyan, magenta, yellow, black = (share / max(pages, 1) for share in total)
    return InkUse((cyan, magenta, yellow, black), pages)


def _of_face(placement: Placement, known: dict[tuple[int, Edges], Inks]) -> Inks:
    """Return how many square mm of each ink a face takes with its bleed; each is painted once."""
    key = (id(placement.face), placement.bleed)
    if key not in known:
        known[key] = _inks(placement.face, placement.bleed)
    return known[key]


def _inks(face: Scene, bleed: Edges) -> Inks:
    edges = bleed.left, bleed.top, bleed.right, bleed.bottom
    most = max(edges)
    image = paint(face, Canvas(_DPI, most))
    px = _DPI / MM_PER_INCH
    left, top, right, bottom = (
        round((most - edge) * px) for edge in (bleed.left, bleed.top, bleed.right, bleed.bottom)
    )
    shown = image.crop((left, top, image.width - right, image.height - bottom))
    area = (face.size.width + bleed.left + bleed.right) * (face.size.height + bleed.top + bleed.bottom)
    cyan, magenta, yellow, black = ink_shares(shown)
    return cyan * area, magenta * area, yellow * area, black * area
