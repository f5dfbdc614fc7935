"""The calibration sheet: five crosses with vernier scales on both sides, and how to read them.

Both sides are drawn as seen from the front. The back's drawing is then reflected through the paper: its figures and
letters are mirrored, and read the right way round against the light.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from render.base.geometry import IDENTITY, Affine, Flip, Size
from render.pdf.document import Page
from render.scene import outlines as shapes
from render.scene.items import Item, Path, Stroke
from render.sheets.calibration import words
from render.sheets.calibration.crosses import Cross, crosses
from render.sheets.calibration.scales import (
    BLACK,
    BOLD,
    THIN,
    back_lines,
    draw_figures,
    front_lines,
    placed_at,
    rule_lines,
    transform_items,
    words_at,
)
from render.sheets.calibration.words import Instruction
from render.sheets.imposition import turns_about_vertical

MIN_PAPER = 200.0  # mm a side: room for the crosses and the instructions

_NAME = 5.0  # mm: the size of a cross's name


def map_through(paper: Size, flip: Flip) -> Affine:
    """Return the map from a point of one side to the one behind it on the other, in mm of each side as it is seen."""
    if turns_about_vertical(paper, flip):
        return Affine(a=-1.0, e=paper.width)
    return Affine(d=-1.0, f=paper.height)


def pages(sheet: Instruction) -> tuple[Page, Page]:
    """Return the front and the back of the sheet; ValueError if the paper is too small for it."""
    paper = sheet.paper
    if min(paper.width, paper.height) < MIN_PAPER:
        raise ValueError(
            f"a calibration sheet needs paper of {MIN_PAPER:g} mm a side at least,"
            f" and this is {paper.width:g} x {paper.height:g} mm"
        )
    five = crosses(paper)
    front = (*chain.from_iterable(map(_front, five)), *words.front(sheet))
    shining = transform_items(chain.from_iterable(map(_back, five)), map_through(paper, sheet.flip))
    shift = sheet.applied.correction if sheet.applied else IDENTITY
    return Page(size=paper, placements=(), marks=front), Page(
        size=paper, placements=(), marks=(*shining, *words.back(sheet)), shift=shift
    )


# --- crosses --------------------------------------------------------------------------------------------------------


def _front(cross: Cross) -> Iterator[Item]:
    """Yield the front's part of a cross: lines every mm with figures and signs, its name, the mark to glance at."""
    for scale in (cross.across, cross.down):
        yield rule_lines(front_lines(), placed_at(scale), BLACK)
        yield from draw_figures(scale)
    x, y = cross.mark
    yield rule_lines(((-4.0, 0.0, 4.0, 0.0), (0.0, -4.0, 0.0, 4.0)), Affine.move(x, y), BLACK)
    yield from words_at(f"{cross.name} =", _named(cross), _NAME, BOLD, "end")


def _back(cross: Cross) -> Iterator[Item]:
    """Yield the back's part of a cross, as seen from the front."""
    for scale in (cross.across, cross.down):
        yield rule_lines(back_lines(), placed_at(scale), BLACK)
    yield _rings(cross.mark)
    x, y = _named(cross)
    yield from words_at(cross.name, (x + 1.2, y), _NAME, BOLD, "start")


def _named(cross: Cross) -> tuple[float, float]:
    """Return where the front's part of a cross's name, `A =`, ends; the back's follows it, seen against the light."""
    return cross.title[0] + 1.6, cross.title[1] + 0.36 * _NAME


def _rings(center: tuple[float, float]) -> Path:
    outlines = (*shapes.ellipse(*center, 1.0, 1.0), *shapes.ellipse(*center, 2.0, 2.0))
    return Path(outlines, stroke=Stroke(color=BLACK, width=THIN))
