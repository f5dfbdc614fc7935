"""A face placed on a page."""

from __future__ import annotations

from dataclasses import dataclass

from render.base.geometry import Edges, Rect
from render.scene.items import Scene

NO_BLEED = Edges()


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """A face in a box of the paper, in mm from the top left of its side; `turned` by 180 degrees about its center.

    `bleed` is how far the face shows beyond the box. `name` is the card's; `is_back` tells its back from its front.
    """

    face: Scene
    box: Rect
    turned: bool = False
    bleed: Edges = NO_BLEED
    name: str = ""
    is_back: bool = False
