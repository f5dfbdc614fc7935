"""What workers are given and what comes of it: a PNG to be made of a scene, and the file or the error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from render.layout.bleed import bled
from render.png.canvas import Canvas
from render.scene.cut_line import (
    cut_line,
)
from render.scene.items import Scene


@dataclass(frozen=True, slots=True)
class PngJob:
    """A PNG that is to be made of a scene.

    `bleed_from` is what is seen beyond its trim, as `bleed` has it; `cut_radius` the radius of the corners of a preview
    of the cut, in mm, nothing for none. `digested` if somebody wants the digest of the file. `below` is the folder that
    was chosen for it, as in `files`. `note` is told the digest right before the file gets its name.
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
        face = bled(self.scene, self.canvas.bleed, self.bleed_from)
        if self.cut_radius is None:
            return face
        return Scene(face.size, (*face.items, cut_line(face.size.rect, self.cut_radius)))


@dataclass(frozen=True, slots=True)
class Done:
    """A file that was written, the SHA-256 of its bytes if that is wanted, and the digest of its pixels, see `png`."""

    file: Path
    digest: str
    pixels: str


@dataclass(frozen=True, slots=True)
class Failed:
    """A file that was not written, and why."""

    file: Path
    error: Exception


class ForeignWorkerError(OSError):
    """A worker of a cluster has another version of the program, or none: what it made could be another picture."""
