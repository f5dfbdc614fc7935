"""Scenes of gradients, layers and turned pictures, as PNGs and PDFs."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from render.base.geometry import IDENTITY, Affine, Size
from render.pdf import document
from render.png.canvas import Canvas
from render.png.paint import paint
from render.scene import outlines as shapes
from render.scene.gradients import GradientStop, LinearGradient, RadialGradient
from render.scene.items import ClipShape, Item, Layer, Placement, Scene, Stroke
from render.scene.items import Path as Shape
from tests.support import rasters
from tests.support.repository import ROOT

SIZE = Size(30.0, 40.0)
BLOB = shapes.path("M5 5 C14 0 28 9 26 18 C23 31 14 40 4 31 C0 22 2 14 5 5 Z M9 14 L19 15 L16 27 Z")
IN_BLOB = ClipShape(BLOB, even_odd=True)
STOPS = (GradientStop(0.0, (200, 30, 20)), GradientStop(0.5, (250, 240, 60)), GradientStop(1.0, (10, 30, 160)))
FADING = (GradientStop(0.0, (200, 30, 20), 1.0), GradientStop(1.0, (20, 30, 200), 0.0))
GROUND = Shape(shapes.rect(-5, -5, 40, 50), (235, 230, 210))
BAR = Shape(shapes.rect(0, 15, 30, 10), (0, 0, 0))


def linear(
    stops: tuple[GradientStop, ...] = STOPS,
    spread: str = "pad",
    end: tuple[float, float] = (27.0, 37.0),
    transform: Affine = IDENTITY,
) -> LinearGradient:
    return LinearGradient(stops=stops, start=(3.0, 3.0), end=end, spread=spread, transform=transform)


def radial(
    stops: tuple[GradientStop, ...] = STOPS, spread: str = "pad", radius: float = 15.0, focal_radius: float = 0.0
) -> RadialGradient:
    focus = (14.0 - radius / 4, 20.0)
    return RadialGradient(
        stops=stops, center=(14.0, 20.0), radius=radius, focus=focus, focal_radius=focal_radius, spread=spread
    )


def see_through(opacity: float = 0.5, clip: ClipShape = IN_BLOB) -> tuple[Item, ...]:
    """Return two overlapping shapes over a bar, seen through together."""
    shown = (Shape(shapes.rect(0, 0, 30, 22), (200, 0, 0)), Shape(shapes.ellipse(14, 24, 10, 10), linear()))
    return GROUND, BAR, Layer(items=shown, opacity=opacity, clips=(clip,))


def lined(color: LinearGradient | RadialGradient, **line: object) -> tuple[Item, ...]:
    return GROUND, Shape(BLOB, None, stroke=Stroke(color=color, width=2.0, **line))  # type: ignore[arg-type]


def filled(color: LinearGradient | RadialGradient) -> tuple[Item, ...]:
    return GROUND, BAR, Shape(BLOB, color, even_odd=True)


def scene(items: tuple[Item, ...]) -> Scene:
    return Scene(SIZE, items)


def as_png(items: tuple[Item, ...], dpi: float = 300.0) -> rasters.Pixels:
    return rasters.pixels(paint(scene(items), Canvas(dpi)))


def as_pdf(items: tuple[Item, ...]) -> bytes:
    face = Placement(face=scene(items), box=SIZE.rect, name="a")
    return document.write([document.Page(size=SIZE, placements=(face,))], document.PdfOptions("A face"))


def mean_difference(one: rasters.Pixels, other: rasters.Pixels) -> float:
    height, width = min(one.shape[0], other.shape[0]), min(one.shape[1], other.shape[1])
    apart: NDArray[np.int16] = np.abs(one[:height, :width] - other[:height, :width])
    return float(apart.mean())


def picture_file(folder: Path) -> Path:
    """Return a small photograph-like picture: a smooth drawing of the starter set."""
    with Image.open(ROOT / "cards" / "starter" / "preview-cards.jpg") as opened:
        small = opened.convert("RGB").reduce(4)
    file = folder / "picture.png"
    small.save(file)
    return file
