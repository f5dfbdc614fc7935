"""Faces without transparency, for files that may not have any: what is seen through becomes a picture, the rest stays.

A part becomes a picture together with all that lies beneath it. What lies above stays text and shapes.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path as FilePath

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from render.base.geometry import IDENTITY, MM_PER_INCH, Affine, Rect, Size
from render.images.resample import FlatPicture
from render.layout import bounds
from render.layout.bleed import add_bleed
from render.layout.press import PressLook, inked
from render.png.canvas import Canvas
from render.png.paint import paint
from render.scene.items import REACH, Group, Item, Layer, Path, Picture, Scene, is_opaque, scene_digest

FLAT_DPI = 600.0  # what shops ask for where lines and small text become pixels
_PX = MM_PER_INCH / FLAT_DPI  # mm

Items = tuple[Item, ...]


def inked_face(scene: Scene, bleed: float, bleed_from: str, look: PressLook) -> Scene:
    """Return a face with its bleed, as a file for the press holds it: in its inks, and flat if that is asked for."""
    face = add_bleed(inked(scene, look), bleed, bleed_from)
    face = inked(face, look) if bleed_from.startswith("#") else face
    return face if look.has_transparency else flattened(face)


def flattened(scene: Scene) -> Scene:
    """Return a face in which nothing is seen through; the face itself if it has nothing such."""
    if not any(map(_is_sheer, scene.items)):
        return scene
    everywhere = scene.size.rect.outset(REACH)
    return Scene(scene.size, _Level(lambda inner: inner, IDENTITY, everywhere).flat(scene.items))


def _is_sheer(item: Item) -> bool:
    """Return whether anything shows through an item or a part of it."""
    match item:
        case Path():
            return _shows_through(item)
        case Picture():
            return item.is_sheer
        case Group():
            return any(map(_is_sheer, item.items))
        case Layer():
            return not item.is_solid or any(map(_is_sheer, item.items))
        case _:
            return False


def _shows_through(path: Path) -> bool:
    line = path.stroke
    return not ((path.fill is None or is_opaque(path.fill)) and (line is None or is_opaque(line.color)))


class _Level(Struct, frozen=True):
    """Items in a group or layer: `around` puts them where they are on the face, with all that lies beneath.

    `to_card` takes their space to the card, of which `window` shows.
    """

    around: Callable[[Items], Items]
    to_card: Affine
    window: Rect

    def flat(self, items: Items) -> Items:
        found: list[Item] = []
        parts: list[tuple[int, Rect]] = []
        for number, item in enumerate(items):
            if not _is_sheer(item):
                found.append(item)
            elif isinstance(item, Group) or (isinstance(item, Layer) and item.is_solid):
                found.append(replace(item, items=self._inside(item, items[:number]).flat(item.items)))
            else:
                part = self.to_card.box(bounds.of_item(item)).shared(self.window)
                if part.width > 0 and part.height > 0:
                    parts.append((len(found), part))
                    found.append(self._picture(items[: number + 1], part))
        return tuple(_without_hidden(found, parts))

    def _inside(self, item: Group | Layer, before: Items) -> _Level:
        def around(inner: Items) -> Items:
            return self.around((*before, replace(item, items=inner)))

        window = self.to_card.box(bounds.of_item(item)).shared(self.window)
        return _Level(around, self.to_card @ item.transform, window)

    def _picture(self, items: Items, part: Rect) -> Item:
        """Return a part of the card as a picture of everything up to the last of the items."""
        left, top = math.floor(part.x / _PX), math.floor(part.y / _PX)
        pixels = math.ceil(part.right / _PX) - left, math.ceil(part.bottom / _PX) - top
        box = Rect(left * _PX, top * _PX, pixels[0] * _PX, pixels[1] * _PX)
        seen = Group(Rect(0.0, 0.0, box.width, box.height), self.around(items), Affine.move(-box.x, -box.y))
        shown = Scene(Size(box.width, box.height), (seen,))
        digest = hashlib.sha256(f"flat {scene_digest(shown)}".encode("ascii")).hexdigest()
        picture = FlatPicture(
            file=FilePath(),
            digest=digest,
            box=box,
            crop=Rect(0.0, 0.0, 1.0, 1.0),
            pixels=pixels,
            draw=partial(_drawn, shown),
        )
        if self.to_card == IDENTITY:
            return picture
        return Layer(items=(picture,), transform=self.to_card.inverse)


def _drawn(shown: Scene) -> Image.Image:
    return paint(shown, Canvas(FLAT_DPI))


def _without_hidden(found: list[Item], parts: list[tuple[int, Rect]]) -> Iterator[Item]:
    """Yield items without the pictures that a later one covers: it shows them, too."""
    hidden = {
        number for at, (number, part) in enumerate(parts) if any(later.holds(part) for _, later in parts[at + 1 :])
    }
    yield from (item for number, item in enumerate(found) if number not in hidden)
