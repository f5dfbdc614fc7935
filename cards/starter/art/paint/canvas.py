"""The sheet a picture is printed on, one flat ink at a time."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops, ImageDraw

from .palette import Colour
from .shapes import Point, Shape, disc

WIDTH: Final = 1350
HEIGHT: Final = 840
_FINE: Final = 3  # fine points to a picture point: edges are smoothed by drawing large and shrinking

Window = tuple[int, int, int, int]


class Canvas:
    """A picture in progress, begun on a sheet of one colour."""

    def __init__(self, ground: Colour) -> None:
        self._sheet = Image.new("RGB", (WIDTH * _FINE, HEIGHT * _FINE), ground)
        self._stencil: Image.Image | None = None
        self._window: Window = (0, 0, *self._sheet.size)

    def fill(self, shape: Shape, colour: Colour, opacity: float = 1.0) -> None:
        """Print a shape in one flat ink, letting what lies below show through if `opacity` is under 1."""
        window = self._framed(shape)
        if window is not None:
            mask = self._masked(shape, window)
            if opacity < 1:
                mask = mask.point([round(level * opacity) for level in range(256)])
            self._sheet.paste(colour, window, mask)

    def lighten(self, shape: Shape, colour: Colour, strength: float) -> None:
        """Cast light of one colour over what lies below: it brightens, and never muddies, the inks it falls on."""
        window = self._framed(shape)
        if window is not None:
            below = self._sheet.crop(window)
            cast = Image.new("RGB", below.size, tuple(round(level * strength) for level in colour))
            self._sheet.paste(ImageChops.screen(below, cast), window, self._masked(shape, window))

    @contextmanager
    def inside(self, shape: Shape) -> Iterator[None]:
        """Whatever is printed meanwhile stays inside the shape (and inside any shape already holding it)."""
        held, framed = self._stencil, self._window
        window = self._framed(shape) or (0, 0, 0, 0)
        stencil = Image.new("L", self._sheet.size, 0)
        stencil.paste(_cut(shape, window), window)
        if held is not None:
            stencil = ImageChops.darker(stencil, held)
        self._stencil, self._window = stencil, window
        try:
            yield
        finally:
            self._stencil, self._window = held, framed

    def model(
        self,
        shape: Shape,
        base: Colour,
        *,
        shade: Colour | None = None,
        rim: Colour | None = None,
        light: Point = (-0.6, -0.8),
        depth: float = 30,
        edge: float = 6,
    ) -> None:
        """Print a shape with form: a shade `depth` wide on its far side and a rim `edge` wide towards the light."""
        length = math.hypot(*light)
        lx, ly = light[0] / length, light[1] / length
        self.fill(shape, base)
        with self.inside(shape):
            if shade is not None:
                self.fill(shape - shape.moved(lx * depth, ly * depth), shade)
            if rim is not None:
                self.fill(shape - shape.moved(-lx * edge, -ly * edge), rim)

    def glow(self, x: float, y: float, radius: float, colour: Colour, strength: float = 0.16, rings: int = 4) -> None:
        """Soft light: flat discs of light stacked, each smaller than the last."""
        for ring in range(rings):
            self.lighten(disc(x, y, radius * (1 - ring / rings) ** 1.25), colour, strength)

    def save(self, path: Path) -> None:
        """Shrink to printing size and write a JPEG."""
        self._sheet.reduce(_FINE).save(path, quality=88, subsampling=0, optimize=True)

    def _masked(self, shape: Shape, window: Window) -> Image.Image:
        mask = _cut(shape, window)
        return mask if self._stencil is None else ImageChops.darker(mask, self._stencil.crop(window))

    def _framed(self, shape: Shape) -> Window | None:
        """The part of the sheet that printing the shape can touch, in fine points."""
        left, top, right, bottom = (edge * _FINE for edge in shape.bounds)
        window = (
            max(self._window[0], math.floor(left)),
            max(self._window[1], math.floor(top)),
            min(self._window[2], math.ceil(right) + 1),
            min(self._window[3], math.ceil(bottom) + 1),
        )
        return window if window[0] < window[2] and window[1] < window[3] else None


def _cut(shape: Shape, window: Window) -> Image.Image:
    """The shape as a mask of one window of the sheet."""
    mask = Image.new("L", (window[2] - window[0], window[3] - window[1]), 0)
    pen = ImageDraw.Draw(mask)
    for ring, adds in shape.parts:
        pen.polygon((ring * _FINE - window[:2]).ravel().tolist(), fill=255 if adds else 0)
    return mask
