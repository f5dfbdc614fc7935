"""Photographs and scans of printed calibration sheets, simulated: a printer, paper, light, a camera, a file.

Light that comes through the paper is blocked by the ink of both sides; that of the back is blurred on its way. A camera
sees the plane of the sheet in perspective, through a lens with two radial terms, and writes a noisy JPEG.
"""

import io
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pypdfium2
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from render.base.geometry import IDENTITY, Affine, Flip, Size
from render.base.sizes import PAPERS
from render.pdf import document as pdf
from render.sheets.calibration import page
from render.sheets.calibration.page import Instruction
from render.sheets.calibration.photo import Measured, measure
from render.sheets.calibration.printers import Calibration
from tests.support.simulated_printers import printer, turned_over

Floats = NDArray[np.float64]

DPI = 240
MM = DPI / 25.4  # pixels a mm
GAMMA = 2.2


@dataclass(frozen=True)
class Shot:
    """What a picture is taken of, and with what.

    `through` is the share of light that ink of the back takes, `ink` that of the front; `mottle` is the deviation of
    the paper's thickness. `level` is how bright the paper is, of 1; `slope` and `spot` how the light falls off from
    side to side and from the middle; `around` how bright it is beside the paper. `pixels` are those of the longer side,
    of which the sheet fills the share `fills`; `tilt` and `turn` are degrees. `bulge` are the lens's terms, `bow` is
    how many mm a scanner or a bent sheet is off in the middle. `quality` is that of the JPEG, None for a PNG.
    """

    through: float = 0.5
    ink: float = 0.93
    blur: float = 0.4
    mottle: float = 0.01
    level: float = 0.7
    slope: float = 0.1
    spot: float = 0.1
    around: float = 1.4
    pixels: int = 3000
    fills: float = 0.85
    tilt: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0
    aside: tuple[float, float] = (0.0, 0.0)
    bulge: tuple[float, float] = (0.0, 0.0)
    bow: float = 0.0
    focus: float = 0.8
    noise: float = 2.0
    quality: int | None = 88
    mirrored: bool = False
    from_back: bool = False
    seed: int = 0


@lru_cache(4)
def rasters(paper: Size, flip: Flip, applied: Calibration | None) -> tuple[Image.Image, Image.Image]:
    """Return both pages of a calibration sheet."""
    file = pdf.write(page.pages(Instruction(paper, flip, applied)), pdf.PdfOptions("Sheet", flip))
    return sides(file)


def sides(file: bytes) -> tuple[Image.Image, Image.Image]:
    front, back = (
        pypdfium2.PdfDocument(file)[side].render(scale=DPI / 72, grayscale=True).to_pil().convert("L")
        for side in (0, 1)
    )
    return front, back


def sheet_against_light(
    pages: tuple[Image.Image, Image.Image], paper: Size, flip: Flip, prints: Affine, shot: Shot
) -> Floats:
    """Return how much light comes through each point of a printed sheet, seen from its front (or back)."""
    random = np.random.default_rng(shot.seed)
    front, back = pages
    # From a point of the front, in pixels, to the one of the back's page that is printed behind it.
    pixels = Affine.scale(front.width / paper.width, front.height / paper.height)
    a, b, c, d, e, f = pixels @ prints.inverse @ turned_over(paper, flip) @ pixels.inverse
    seen = back.transform(
        front.size, Image.Transform.AFFINE, (a, c, e, b, d, f), Image.Resampling.BICUBIC, fillcolor=255
    )
    blurred, sharp = (seen, front) if not shot.from_back else (front, seen)
    through = np.asarray(blurred.filter(ImageFilter.GaussianBlur(shot.blur * MM)), np.float64) / 255
    light = (1 - shot.ink * (1 - np.asarray(sharp, np.float64) / 255)) * (1 - shot.through * (1 - through))
    for grain in (0.5, 2.5):  # mm: fibres lie in flocks
        small = random.normal(0, 1, [max(int(side / (grain * MM)), 2) for side in light.shape])
        flocks = Image.fromarray(small.astype(np.float32)).resize(front.size, Image.Resampling.BICUBIC)
        light *= 1 + shot.mottle * np.asarray(flocks)
    return light[:, ::-1] if shot.from_back else light


def photograph(light: Floats, paper: Size, shot: Shot) -> Image.Image:
    """Return the picture that a camera takes of such a sheet."""
    random = np.random.default_rng(shot.seed + 1)
    width, height = shot.pixels, shot.pixels * 3 // 4
    if abs(np.cos(np.radians(shot.turn))) > 0.7 and paper.height > paper.width:
        width, height = height, width
    radius = np.hypot(width, height) / 2
    # Rays of a lens of 75 degrees from corner to corner, and the plane of the sheet, turned about its middle.
    focal = 1.3
    right, down = np.radians(shot.tilt)
    tilted = np.array([[np.cos(right), 0, np.sin(right)], [0, 1, 0], [-np.sin(right), 0, np.cos(right)]])
    tilted = tilted @ np.array([[1, 0, 0], [0, np.cos(down), -np.sin(down)], [0, np.sin(down), np.cos(down)]])
    turn = np.radians(shot.turn)
    tilted = tilted @ np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    longest = max(width, height) / radius / max(paper.width, paper.height)  # widths of the picture a mm
    away = focal / longest / shot.fills
    plane = np.column_stack([tilted[:, 0], tilted[:, 1], [*shot.aside, away]])
    to_sheet = np.linalg.inv(plane)
    # What lies between two pixels of the picture is averaged before.
    spacing = 1 / (radius * longest * shot.fills)  # mm a pixel of the picture
    soft = _softened(light, 0.3 * spacing * MM)
    found = np.empty((height, width), np.float32)
    x = (np.arange(width) + 0.5 - width / 2) / radius
    for top in range(0, height, 64):  # what a core has at hand takes half the time
        y = (np.arange(top, min(top + 64, height))[:, np.newaxis] + 0.5 - height / 2) / radius
        outward = x * x + y * y
        factor = focal / (1 + shot.bulge[0] * outward + shot.bulge[1] * outward**2)
        u, v = -x if shot.mirrored else x, y
        right, down, far = (row[0] * u + row[1] * v + row[2] * factor for row in to_sheet)
        across, below = right / far + paper.width / 2, down / far + paper.height / 2
        if shot.bow:
            below = below + shot.bow * 4 * (across / paper.width) * (1 - across / paper.width)
            across = across + shot.bow * 4 * (below / paper.height) * (1 - below / paper.height)
        columns, rows = across * (light.shape[1] / paper.width), below * (light.shape[0] / paper.height)
        sampled = _sampled(soft, columns - 0.5, rows - 0.5, shot.around)
        found[top : top + 64] = sampled * (1 + shot.slope * u + 0.5 * shot.slope * y - shot.spot * outward) * shot.level
    grey = 255 * np.clip(_softened(np.clip(found, 0, 1.2), shot.focus), 0, 1) ** np.float32(1 / GAMMA)
    noisy = grey + shot.noise * random.standard_normal(grey.shape, np.float32)
    return Image.fromarray(np.clip(np.rint(noisy), 0, 255).astype(np.uint8))


def _softened(picture: NDArray[Any], deviation: float) -> NDArray[np.float32]:
    """Return the picture, blurred by a Gaussian of so many pixels."""
    reach = int(np.ceil(3 * deviation))
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / max(deviation, 1e-9)) ** 2)
    softened = picture.astype(np.float32)
    for axis in (0, 1):
        padded = np.pad(softened, [(reach, reach) if axis == each else (0, 0) for each in (0, 1)], mode="edge")
        length = softened.shape[axis]
        shifted = (padded[at : at + length] if axis == 0 else padded[:, at : at + length] for at in range(len(weights)))
        parts = (part * np.float32(weight) for part, weight in zip(shifted, weights, strict=True))
        softened = np.asarray(sum(parts, np.float32(0)) / np.float32(weights.sum()), np.float32)
    return softened


def _sampled(picture: NDArray[np.float32], columns: Floats, rows: Floats, around: float) -> Floats:
    height, width = picture.shape
    inside = (columns >= 0) & (columns <= width - 1.001) & (rows >= 0) & (rows <= height - 1.001)
    columns, rows = np.where(inside, columns, 0), np.where(inside, rows, 0)
    left, top = columns.astype(np.int64), rows.astype(np.int64)
    right, low = columns - left, rows - top
    flat, at = picture.ravel(), top * width + left
    above = flat[at] * (1 - right) + flat[at + 1] * right
    below = flat[at + width] * (1 - right) + flat[at + width + 1] * right
    found: Floats = np.where(inside, above * (1 - low) + below * low, around)
    return found


def file_of(picture: Image.Image, shot: Shot) -> bytes:
    """Return the picture as a file: a JPEG in color, or a PNG."""
    stream = io.BytesIO()
    if shot.quality is None:
        picture.save(stream, "PNG")
    else:
        picture.convert("RGB").save(stream, "JPEG", quality=shot.quality)
    return stream.getvalue()


@lru_cache(2)
def taken(
    shot: Shot,
    prints: Affine = IDENTITY,
    paper: Size = PAPERS["a4"],
    flip: Flip = Flip.LONG_EDGE,
    applied: Calibration | None = None,
) -> bytes:
    """Return the file of a picture of a calibration sheet from such a printer."""
    light = sheet_against_light(rasters(paper, flip, applied), paper, flip, prints, shot)
    return file_of(photograph(light, paper, shot), shot)


def drawn_on(file: bytes, found: Measured) -> Image.Image:
    """Return the picture with rings around the dots that were used, orange on the front and blue on the back."""
    picture = Image.open(io.BytesIO(file)).convert("RGB")
    drawing = ImageDraw.Draw(picture)
    size = max(picture.size) / 170
    for places, color in zip(found.places, ((235, 95, 0), (0, 110, 235)), strict=True):
        for x, y in places:
            drawing.ellipse((x - size, y - size, x + size, y + size), outline=color, width=max(round(size / 5), 1))
    return picture


def shown_on_a_sheet() -> Image.Image:
    """Return a simulated picture of a sheet, with what was found in it."""
    shot = Shot(tilt=(9, -7), turn=5, fills=0.88, pixels=2400, slope=0.25)
    file = taken(shot, printer(PAPERS["a4"], (1.8, -0.7), 0.3, (1.002, 0.999)))
    found = measure(Image.open(io.BytesIO(file)).convert("L"), [PAPERS["a4"]])
    return drawn_on(file, found).reduce(2)
