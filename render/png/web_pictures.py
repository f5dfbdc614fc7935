"""Scenes as pictures inside a web page: light, and sharp on screens with two dots per CSS pixel."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from io import BytesIO

from render.base.forking import map_in_two_processes
from render.png.canvas import Canvas
from render.png.paint import paint
from render.scene.items import Scene

DPI = 192.0  # two dots for each CSS pixel, of which an inch has 96

_QUALITY = (
    65  # WebP: the smallest print of a card is sharp; a card with a photograph has 30 KB, a JPEG as sharp twice that
)
_EFFORT = 2  # of 6: more takes twice the time and saves a twentieth


def data_uri(scene: Scene, dpi: float = DPI) -> str:
    """Return the scene without its bleed as a `data:` URI."""
    stream = BytesIO()
    paint(scene, Canvas(dpi)).save(stream, "WEBP", quality=_QUALITY, method=_EFFORT)
    return f"data:image/webp;base64,{base64.b64encode(stream.getvalue()).decode('ascii')}"


def data_uris(scenes: Sequence[Scene]) -> Iterator[str]:
    """Yield the `data:` URIs of many scenes, in order."""
    return map_in_two_processes(lambda some: map(data_uri, some), scenes)
