"""Where a face goes on a page."""

from __future__ import annotations

from dataclasses import dataclass

from render.base.geometry import Edges, Rect
from render.scene.items import Scene

NO_BLEED = Edges()


@dataclass(frozen=True, slots=True)
class Placement:
    """A face in a box of the paper, in mm from the top left of its side; `turned` by 180 degrees about its centre.

    `bleed` is how far beyond the box it is seen. `name` is the card's, `is_back` tells which of its faces this is.
    """

    face: Scene
    box: Rect
    turned: bool = False
    bleed: Edges = NO_BLEED
    name: str = ""
    is_back: bool = False
