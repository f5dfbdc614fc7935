"""Pictures of what is shown, by an id that follows from what is seen: whoever knows no id gets no picture.

An id stands for the same picture for ever, so a browser may keep it. Only what the page shows now, or showed shortly
before, can be asked for.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from hashlib import sha256
from threading import Lock
from typing import TypeAlias

from render.base.caches import BoundedCache
from render.base.findings import plural
from render.exports.print_files import PrintJob, sheet_pages, sheets
from render.game.cards import GameSet
from render.game.faces import Faces
from render.images.resample import PictureChangedError
from render.pdf.document import Page
from render.png.canvas import Canvas
from render.png.packing import encode
from render.png.paint import paint, paint_sheet
from render.scene.items import Scene, scene_digest

RESOLUTIONS = (50, 75, 100, 150, 200, 300, 400, 600)
"""The dots per inch in which a picture can be had; the page asks for the first that is sharp on its screen."""

MAX_SHEETS = 200  # of a set that are shown: a browser would hold no more pictures of pages
_MAX_DPI_OF_SHEETS = 200  # a sheet has ten times the pixels of a card
_ID_DIGITS = 24  # enough that no two pictures share one
_MAX_BYTES = 48 << 20  # of finished pictures
_MAX_GONE = 64  # scenes that are kept after they went off the page: a browser may still be asking for them

Shown: TypeAlias = Scene | Page
"""What is shown: a face of a card, or a side of a sheet."""


class Pictures:
    """What is shown, and its pictures. Any thread may ask; one draws at a time."""

    def __init__(self) -> None:
        self._shown: dict[str, Shown] = {}
        self._gone: OrderedDict[str, Shown] = OrderedDict()
        self._ids: dict[int, str] = {}  # by the identity of a scene: digesting it takes a millisecond
        self._finished = BoundedCache[bytes](_MAX_BYTES, len)
        self._lock, self._drawing = Lock(), Lock()

    def show(self, shown: Shown) -> str:
        """Take a scene or a side among those that are shown, and return its id."""
        known = self._ids.get(id(shown), "")
        if known and self._shown.get(known) is shown:
            return known
        name = (scene_digest(shown) if isinstance(shown, Scene) else _page_digest(shown))[:_ID_DIGITS]
        with self._lock:
            self._shown[name], self._ids[id(shown)] = shown, name
        return name

    def keep(self, names: Iterable[object]) -> None:
        """Drop what is no longer shown, but the last few."""
        wanted = frozenset(names)
        with self._lock:
            for name in [name for name in self._shown if name not in wanted]:
                self._gone[name] = self._shown.pop(name)
            while len(self._gone) > _MAX_GONE:
                self._gone.popitem(last=False)
            self._ids = {id(shown): name for name, shown in self._shown.items()}

    def png(self, name: str, dpi: int) -> bytes | None:
        """Return a picture as a PNG; None if nothing of that id is shown, or its files are just changing."""
        with self._lock:
            shown = self._shown.get(name) or self._gone.get(name)
        if shown is None or dpi not in RESOLUTIONS:
            return None
        dpi = dpi if isinstance(shown, Scene) else min(dpi, _MAX_DPI_OF_SHEETS)
        try:
            with self._drawing:
                return self._finished.get((name, dpi), lambda: _draw(shown, dpi))
        except (PictureChangedError, OSError):
            return None


def _draw(shown: Shown, dpi: int) -> bytes:
    if isinstance(shown, Scene):
        return encode(paint(shown, Canvas(dpi)), dpi)
    return encode(paint_sheet(shown.size, shown.placements, shown.marks, dpi), dpi)


def _page_digest(page: Page) -> str:
    digests = {key: scene_digest(face) for key, face in {id(each.face): each.face for each in page.placements}.items()}
    placed = [(digests[id(each.face)], each.box, each.turned, each.bleed) for each in page.placements]
    return sha256(repr((placed, scene_digest(Scene(page.size, page.marks)))).encode("ascii")).hexdigest()


def sheet_sides(card_set: GameSet, faces: tuple[Faces, ...], pictures: Pictures) -> dict[str, object]:
    """Return what the page tells of a set's sheets, with their faces, backs and marks; `wrong` says why there are none."""
    job = PrintJob((card_set,), faces)
    if not any(face.card.copies for face in faces):
        return {"wrong": "no card has a copy to print", "sides": []}
    try:
        imposed = sheets(job, card_set.sheet)
    except ValueError as error:
        return {"wrong": str(error), "sides": []}
    pages, options = sheet_pages(job, imposed), imposed.grid.options
    sides = [
        {
            "picture": pictures.show(page),
            "sheet": number,
            "side": side,
            "width": page.size.width,
            "height": page.size.height,
            "cards": list(dict.fromkeys(placement.name for placement in page.placements)),
        }
        for number, sheet in enumerate(pages[:MAX_SHEETS], start=1)
        for page, side in zip(sheet, ("front", "back"), strict=False)
    ]
    paper = f"{options.page.width:g} × {options.page.height:g} mm"
    about = f"{plural(len(pages), 'sheet')} of {paper}, flipped on the {options.flip.value.replace('-', ' ')}"
    return {"about": about, "sides": sides, "more": max(0, len(pages) - MAX_SHEETS), "wrong": ""}
