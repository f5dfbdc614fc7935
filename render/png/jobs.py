"""The jobs of workers and their results: a PNG to make from a scene, and the file or the error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from render.layout.bleed import add_bleed
from render.png.canvas import Canvas
from render.scene.cut_line import cut_line
from render.scene.items import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class PngJob:
    """A PNG to make from a scene.

    `bleed_from` is the source of its bleed (see `bleed.add_bleed`). `cut_radius` is the corner radius in mm of a
    preview of the cut; None for no preview. `digested` asks for the digest of the file. `below` is the folder that the
    user chose for outputs (see `files`). `note` is called with the digest just before the file gets its name.
    """

    file: Path
    scene: Scene
    canvas: Canvas
    bleed_from: str = "auto"
    cut_radius: float | None = None
    digested: bool = True
    below: Path | None = None
    note: Callable[[str], object] | None = None

    @property
    def shown(self) -> Scene:
        """The face with its bleed and its cut line."""
        face = add_bleed(self.scene, self.canvas.bleed, self.bleed_from)
        if self.cut_radius is None:
            return face
        return Scene(face.size, (*face.items, cut_line(face.size.rect, self.cut_radius)))


@dataclass(frozen=True, slots=True)
class Done:
    """A file that was written: the SHA-256 of its bytes if asked for, and the digest of its pixels (see `paint`)."""

    file: Path
    digest: str
    pixels: str


@dataclass(frozen=True, slots=True)
class Failed:
    """A file that was not written, and why."""

    file: Path
    error: Exception


class ForeignWorkerError(OSError):
    """A worker of a cluster has another version of the program, or none, and might draw another picture."""
