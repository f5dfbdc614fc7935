"""Pictures of what is shown, by an id that follows from what is seen: whoever knows no id gets no picture.

An id stands for the same picture for ever, so a browser may keep it. Only what the page shows now, or showed shortly
before, can be asked for.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from hashlib import sha256
from threading import Lock

from render.base.caches import BoundedCache
from render.images.resample import PictureChangedError
from render.pdf.document import Page
from render.png.canvas import Canvas
from render.png.packing import encode
from render.png.paint import paint, paint_sheet
from render.scene.items import Scene, scene_digest

RESOLUTIONS = (50, 75, 100, 150, 200, 300, 400, 600)
"""The dots per inch in which a picture can be had; the page asks for the first that is sharp on its screen."""

_MAX_OF_SHEETS = 200  # dots per inch: a sheet has ten times the pixels of a card
_ID = 24  # digits of an id: enough that no two pictures share one
_MAX_KEPT = 48 << 20  # bytes of finished pictures
_MAX_GONE = 64  # scenes that are kept after they went off the page: a browser may still be asking for them


Shown = Scene | Page
"""What is shown: a face of a card, or a side of a sheet."""


class Drawings:
    """What is shown, and its pictures. Any thread may ask; one draws at a time."""

    def __init__(self) -> None:
        self._scenes: OrderedDict[str, Shown] = OrderedDict()
        self._gone: OrderedDict[str, Shown] = OrderedDict()
        self._made = BoundedCache[bytes](_MAX_KEPT, len)
        self._scenes_lock, self._drawing = Lock(), Lock()

    def show(self, scene: Shown) -> str:
        """Take a scene or a side among those that are shown, and return its id."""
        name = (scene_digest(scene) if isinstance(scene, Scene) else _page_digest(scene))[:_ID]
        with self._scenes_lock:
            self._scenes[name] = scene
        return name

    def keep(self, shown: Iterable[str]) -> None:
        """Drop the scenes that are no longer shown, but the last few of them."""
        wanted = frozenset(shown)
        with self._scenes_lock:
            for name in [name for name in self._scenes if name not in wanted]:
                self._gone[name] = self._scenes.pop(name)
            while len(self._gone) > _MAX_GONE:
                self._gone.popitem(last=False)

    def png(self, name: str, dpi: int) -> bytes | None:
        """Return a picture as a PNG; None if nothing of that id is shown, or its files are just changing."""
        with self._scenes_lock:
            scene = self._scenes.get(name) or self._gone.get(name)
        if scene is None or dpi not in RESOLUTIONS:
            return None
        dpi = dpi if isinstance(scene, Scene) else min(dpi, _MAX_OF_SHEETS)
        try:
            with self._drawing:
                return self._made.get((name, dpi), lambda: _drawn(scene, dpi))
        except (PictureChangedError, OSError):
            return None


def _drawn(shown: Shown, dpi: int) -> bytes:
    if isinstance(shown, Scene):
        return encode(paint(shown, Canvas(dpi)), dpi)
    return encode(paint_sheet(shown.size, shown.placements, shown.marks, dpi), dpi)


def _page_digest(page: Page) -> str:
    digests = {key: scene_digest(face) for key, face in {id(each.face): each.face for each in page.placements}.items()}
    placed = [(digests[id(each.face)], each.box, each.turned, each.bleed) for each in page.placements]
    return sha256(repr((placed, scene_digest(Scene(page.size, page.marks)))).encode("ascii")).hexdigest()
