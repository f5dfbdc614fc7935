"""What lies behind and below a subject: sky, stars, moon, clouds, sea, land and light in the air."""

import math
from collections.abc import Sequence

from .canvas import HEIGHT, WIDTH, Canvas
from .palette import CREAM, PEACH, Colour
from .shapes import Point, Shape, box, disc, joined, lens, oval, polygon, ridge, spark

_GOLDEN = 1.32471795724  # the plastic number: stars placed by its powers never bunch and never line up


def halo_sky(
    canvas: Canvas, x: float, y: float, radii: Sequence[float], inks: Sequence[Colour], squash: float = 1.0
) -> None:
    """Flat rings of sky round a light at (x, y), from the widest in; `squash` below 1 flattens them."""
    for radius, ink in zip(radii, inks, strict=True):
        canvas.fill(oval(x, y, radius, radius * squash), ink)


def band_sky(canvas: Canvas, edges: Sequence[float], inks: Sequence[Colour], bow: float = 24) -> None:
    """Bands of sky from the top down, each beginning at its edge, every edge a long lazy wave."""
    for step, (edge, ink) in enumerate(zip(edges, inks, strict=True)):
        canvas.fill(wave(edge, bow, WIDTH * 1.3, WIDTH * 0.37 * step), ink)


def stars(
    canvas: Canvas,
    count: int,
    area: tuple[float, float, float, float],
    ink: Colour = CREAM,
    opacity: float = 0.85,
    first: int = 1,
) -> None:
    """Small stars, one in nine four-pointed, spread evenly over left, top, right, bottom."""
    left, top, right, bottom = area
    for star in range(first, first + count):
        x = left + (right - left) * (star / _GOLDEN % 1)
        y = top + (bottom - top) * (star / _GOLDEN**2 % 1)
        if star % 9 == 0:
            canvas.fill(spark(x, y, 11), ink, opacity)
        else:
            canvas.fill(disc(x, y, (1.3, 2.1, 1.6, 2.7)[star % 4]), ink, opacity * (0.6, 1.0, 0.8)[star % 3])


def moon(canvas: Canvas, x: float, y: float, radius: float, ink: Colour = CREAM, seas: Colour = PEACH) -> None:
    """A full moon with its seas."""
    canvas.fill(disc(x, y, radius), ink)
    with canvas.inside(disc(x, y, radius)):
        for dx, dy, across, down in (
            (-0.42, -0.28, 0.34, 0.26),
            (-0.1, -0.5, 0.22, 0.13),
            (0.3, -0.3, 0.2, 0.17),
            (-0.5, 0.22, 0.16, 0.2),
            (0.38, 0.34, 0.3, 0.2),
            (0.02, 0.6, 0.18, 0.09),
        ):
            canvas.fill(oval(x + dx * radius, y + dy * radius, across * radius, down * radius), seas, 0.65)
        canvas.fill(disc(x, y, radius) - disc(x - radius * 0.1, y - radius * 0.08, radius), seas, 0.8)


def cloud(
    x: float,
    y: float,
    width: float,
    *,
    lobes: Sequence[tuple[float, float]] = ((-0.3, 0.13), (-0.12, 0.22), (0.12, 0.17), (0.3, 0.1)),
) -> Shape:
    """A heaped cloud on a flat base at `y`; each lobe is where its disc stands and how big, as shares of the width."""
    heaps = [oval(x + at * width, y - size * width * 0.55, size * width, size * width) for at, size in lobes]
    base = box(x - width / 2, y - width * 0.1, width, width * 0.1, width * 0.05)
    below = box(x - width, y, width * 2, width)
    return joined(base, *heaps) - below


def streak(x: float, y: float, width: float, height: float = 14) -> Shape:
    """A long flat evening cloud: three staggered bars with round ends."""
    return joined(
        *(
            box(x + dx * width, y + dy * height, share * width, height, height / 2)
            for dx, dy, share in ((-0.28, -0.9, 0.42), (-0.5, 0.0, 0.82), (-0.14, 0.9, 0.6))
        )
    )


def wave(y: float, swell: float, length: float, shift: float = 0.0, *, floor: float = HEIGHT + 20) -> Shape:
    """Everything below a wavy line: water, a sky band, a dune."""
    step = length / 4
    count = int((WIDTH + length * 2) / step) + 2
    start = -length + (shift % length) - length * 0.5
    line = [(start + step * i, y - swell * (0.0, 1.0, 0.0, -1.0)[i % 4]) for i in range(count)]
    return ridge(line, floor)


def chop(y: float, height: float, length: float, shift: float = 0.0, *, floor: float = HEIGHT + 20) -> Shape:
    """Everything below a line of scalloped wavelets with sharp crests."""
    marks = []
    x = -length + shift % length
    while x < WIDTH + length:
        marks.append(f"{x},{y - height}! {x + length * 0.45},{y}")
        x += length
    return ridge(" ".join(marks), floor)


def glitter(
    canvas: Canvas, x: float, top: float, bottom: float, width: float, ink: Colour, rows: int = 11, opacity: float = 0.9
) -> None:
    """The broken path a light lays on water, wider and coarser as it nears."""
    for row in range(rows):
        near = (row / (rows - 1)) ** 1.4
        y = top + (bottom - top) * near
        span = width * (0.3 + 0.7 * near) * (1.0, 0.62, 0.86, 0.45, 0.74)[row % 5]
        sway = width * 0.16 * (0.2 + near) * (0.0, 1.0, -0.7, 0.6, -1.0, 0.3)[row % 6]
        canvas.fill(lens(x + sway, y, span, 3 + 10 * near), ink, opacity)


def beam(x: float, y: float, degrees: float, length: float, spread: float, start: float = 0.0) -> Shape:
    """A cone of light from (x, y) heading `degrees` clockwise from the right, opening by `spread` degrees."""
    corners: list[Point] = []
    for turn, reach in ((-spread / 2, start), (-spread / 2, length), (spread / 2, length), (spread / 2, start)):
        angle = math.radians(degrees + turn)
        corners.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    return polygon(corners)


def shafts(canvas: Canvas, x: float, angles: Sequence[float], ink: Colour, strength: float = 0.1) -> None:
    """Shafts of light fanning down through water from one place above (x, 0); 90 is straight down."""
    for angle in angles:
        canvas.lighten(beam(x, -220, angle, 1260, 5, 120), ink, strength)


def rain(
    canvas: Canvas,
    area: tuple[float, float, float, float],
    count: int,
    ink: Colour,
    opacity: float = 0.3,
    slant: float = 0.28,
    length: float = 70,
) -> None:
    """Slanting strokes of rain spread evenly over left, top, right, bottom."""
    left, top, right, bottom = area
    for drop in range(1, count + 1):
        x, y = left + (right - left) * (drop / _GOLDEN % 1), top + (bottom - top) * (drop / _GOLDEN**2 % 1)
        run = length * (1.0, 0.6, 0.8)[drop % 3]
        canvas.fill(
            polygon([(x, y), (x + 2.6, y), (x - slant * run + 1, y + run), (x - slant * run, y + run)]), ink, opacity
        )
