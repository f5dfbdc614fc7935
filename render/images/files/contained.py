"""Try to decode a file in a worker, for files that do not tell how much memory decoding takes.

A lossless WebP may have 65,536 decoding tables of 20 KB each in a few megabytes and for few pixels. What an AVIF takes
depends on tools of AV1 that its boxes do not name.
"""

from __future__ import annotations

from importlib import import_module
from io import BytesIO
from typing import Any

from render.base import guard
from render.base.limits import TO_DECODE
from render.images.files.parts import ANEW, PictureFile, UnusablePicture, named_kind

_CLASSES = {"WebP": ("PIL.WebPImagePlugin", "WebPImageFile"), "AVIF": ("PIL.AvifImagePlugin", "AvifImageFile")}


def check_contained(kind: str, file: PictureFile) -> None:
    """Raise UnusablePicture if a WebP or AVIF cannot be decoded in bounded memory and time."""
    try:
        guard.run(decode, *_CLASSES[kind], bytes(file.data), limits=TO_DECODE)
    except (guard.TooMuchError, guard.WorkFailedError):
        most = f"{TO_DECODE.memory / 1e6:.0f} MB of memory or {TO_DECODE.seconds:g} s"
        said = f"is {named_kind(kind)} that is damaged, or takes more than {most} to decode"
        raise UnusablePicture("A006", said, ANEW) from None


def decode(module: str, name: str, data: bytes) -> None:
    """Decode a picture; in the worker."""
    plugin: Any = import_module(module)
    plugin.DEFAULT_MAX_THREADS = 1  # each thread of an AVIF's decoder has memory of its own
    getattr(plugin, name)(BytesIO(data)).load()
