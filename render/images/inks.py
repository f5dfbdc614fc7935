"""The inks of a press: from sRGB to cyan, magenta, yellow and black by the ICC profile of a printing condition.

Pillow's own `convert` knows no profile and makes black of three full inks, so it is never used for inks.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms

from render.base.caches import cached
from render.images.color_profiles import in_mode
from render.images.press import InkedColor, Inks, Press
from render.scene.gradients import GradientStop, knots, sampled

__all__ = ["Inks", "Press"]

PROFILES = Path(__file__).resolve().parent / "profiles"

GRADIENT_PLACES = 256  # of a gradient in inks: as many as viewers draw

_NEIGHBORS = 6  # of a place in a gradient, on each side: more would blur colors that change fast

_Channels = NDArray[np.float64]
_RELATIVE = ImageCms.Intent.RELATIVE_COLORIMETRIC
_VISIBLE = 10.0  # CIE 1976 delta E: seen at a glance, even when the two colors are not side by side


def profile_bytes(name: str) -> bytes:
    """Return the bytes of one of the bundled profiles."""
    return (PROFILES / name).read_bytes()


@cached(4096)
def inks(color: tuple[int, int, int], press: Press) -> Inks:
    """Return the inks of one sRGB color. A gray is black ink alone, so that text needs no register of four plates.

    An InkedColor keeps the inks that it was given.
    """
    if isinstance(color, InkedColor):
        return color.inks
    red, green, blue = color
    if red == green == blue:
        return 0.0, 0.0, 0.0, _black_of_grays(press.profile)[red]
    pixel = separate(Image.new("RGB", (1, 1), color), press).getpixel((0, 0))
    assert isinstance(pixel, tuple)
    cyan, magenta, yellow, black = (value / 255 for value in pixel)
    return cyan, magenta, yellow, black


def gradient_inks(stops: tuple[GradientStop, ...], press: Press) -> tuple[Inks, ...]:
    """Return the inks of a gradient at 256 places from its start to its end; one of grays is black ink alone.

    Inks do not change evenly between two colors, hence so many.
    """
    places = [place / (GRADIENT_PLACES - 1) for place in range(GRADIENT_PLACES)]
    colors = [
        (round(255 * red), round(255 * green), round(255 * blue))
        for red, green, blue, _ in sampled(knots(stops), places)
    ]
    if all(red == green == blue for red, green, blue in colors):
        return tuple(inks(color, press) for color in colors)
    row = Image.frombytes("RGB", (len(colors), 1), bytes(channel for color in colors for channel in color))
    smooth = Image.fromarray(_smooth(np.asarray(separate(row, press))[0])[None], "CMYK")
    return tuple(_shares(pixel) for pixel in np.asarray(_limited(smooth, press.ink_limit))[0].tolist())


def _smooth(row: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the means of neighbors, but for both ends: a profile's steps of 1/255 would show as lines."""
    sums = np.concatenate((np.zeros((1, 4)), np.cumsum(row, axis=0, dtype=np.float64)))
    places = np.arange(len(row))
    reach = np.minimum(np.minimum(places, places[::-1]), _NEIGHBORS)
    means = (sums[places + reach + 1] - sums[places - reach]) / (2 * reach + 1)[:, None]
    return np.asarray(means + 0.5, np.uint8)


def _shares(pixel: list[int]) -> Inks:
    cyan, magenta, yellow, black = (value / 255 for value in pixel)
    return cyan, magenta, yellow, black


def separate(image: Image.Image, press: Press, *, are_grays_black: bool = False) -> Image.Image:
    """Return an L or RGB picture in CMYK, 255 for full ink, no pixel above the ink limit.

    `are_grays_black` makes gray pixels of black ink alone, as gray shapes and text are.
    """
    seen = in_mode(image, "RGB")
    inked = _limited(_to_press(press.profile).apply(seen), press.ink_limit)
    if not are_grays_black:
        return inked
    colors, plates = np.asarray(seen), np.asarray(inked).copy()
    gray = (colors[..., 0] == colors[..., 1]) & (colors[..., 1] == colors[..., 2])
    blacks = np.array([round(255 * black) for black in _black_of_grays(press.profile)], np.uint8)
    plates[gray] = 0
    plates[gray, 3] = blacks[colors[gray, 0]]
    return Image.fromarray(plates, "CMYK")


def most_colored(image: Image.Image) -> float:
    """Return the largest sum of cyan, magenta and yellow, 0 to 3, on any pixel of a CMYK picture."""
    colored = np.asarray(image)[..., :3].sum(axis=2, dtype=np.uint16)
    return float(colored.max(initial=0)) / 255


def shifts(image: Image.Image, press: Press) -> NDArray[np.bool_]:
    """Return for each pixel of an L or RGB picture whether its color is visibly different in print.

    Both blacks count as equal: every print is paler than a screen, and nobody needs to be told.
    """
    # Red, green, blue and a byte of padding of each pixel, as one number.
    codes = np.frombuffer(in_mode(image, "RGB").convert("RGBX").tobytes(), "<u4") & 0xFFFFFF
    known = _known_shifts(press)
    changes = known[codes]
    if not changes.min():
        new = np.unique(codes[changes == 0])
        pixels = np.stack((new, new >> 8, new >> 16), axis=-1).astype(np.uint8)
        colors = Image.fromarray(pixels[None], "RGB")
        printed = _from_press(press.profile).apply(separate(colors, press))
        distance = np.linalg.norm(lab_of(colors) - lab_of(printed), axis=2)
        known[new] = 1 + (distance[0] > _VISIBLE)
        changes = known[codes]
    found: NDArray[np.bool_] = (changes == 2).reshape(image.height, image.width)
    return found


@cached(2)
def _known_shifts(press: Press) -> NDArray[np.uint8]:
    """Return for each of all colors whether it is seen to change in print: 2 if it does, 1 if not, 0 if unknown so far.

    Faces of a set have most colors in common, and no color depends on others.
    """
    return np.zeros(1 << 24, np.uint8)


def lab_on_paper(image: Image.Image, press: Press) -> _Channels:
    """Return L*, a* and b* of a CMYK picture as printed, relative to its own paper and its own black."""
    return _lab_values(_paper_to_lab(press.profile).apply(image))


@cached(4)
def _opened(name: str) -> ImageCms.ImageCmsProfile:
    return ImageCms.getOpenProfile(str(PROFILES / name))


@cached(4)
def _to_press(name: str) -> ImageCms.ImageCmsTransform:
    black = ImageCms.Flags.BLACKPOINTCOMPENSATION
    return ImageCms.buildTransform(_srgb(), _opened(name), "RGB", "CMYK", _RELATIVE, black)


@cached(4)
def _from_press(name: str) -> ImageCms.ImageCmsTransform:
    black = ImageCms.Flags.BLACKPOINTCOMPENSATION
    return ImageCms.buildTransform(_opened(name), _srgb(), "CMYK", "RGB", _RELATIVE, black)


@cached(4)
def _paper_to_lab(name: str) -> ImageCms.ImageCmsTransform:
    black = ImageCms.Flags.BLACKPOINTCOMPENSATION
    return ImageCms.buildTransform(_opened(name), ImageCms.createProfile("LAB"), "CMYK", "LAB", _RELATIVE, black)


@cached(1)
def _srgb() -> ImageCms.ImageCmsProfile:
    return ImageCms.getOpenProfile(str(PROFILES / "sRGB2014.icc"))


@cached(4)
def _black_of_grays(name: str) -> tuple[float, ...]:
    """Return the amount of black ink, 0 to 1, with the lightness of each sRGB gray from 0 to 255.

    Dots of ink spread on paper (dot gain), so half the ink looks far darker than half. Black is full ink, white is
    none, and grays keep their relative place between the two.
    """
    steps = bytes(value for black in range(256) for value in (0, 0, 0, black))
    ramp = _from_press(name).apply(Image.frombytes("CMYK", (256, 1), steps))
    printed = lab_of(ramp)[0, :, 0]
    wanted = lab_of(Image.frombytes("RGB", (256, 1), bytes(gray for gray in range(256) for _ in range(3))))[0, :, 0]
    # The press's own range, from full ink to paper, stretched to 0 to 100.
    lightness = (printed - printed[-1]) / (printed[0] - printed[-1]) * 100
    # `np.interp` wants rising abscissas, so both run from black to white.
    blacks = np.interp(wanted, lightness[::-1], np.linspace(1, 0, 256))
    # The ends exactly, whatever rounding made of them.
    return (1.0, *(round(float(black), 4) for black in blacks[1:-1]), 0.0)


def lab_of(image: Image.Image) -> _Channels:
    """Return L*, a* and b* of an RGB picture, shape (height, width, 3)."""
    return _lab_values(_to_lab().apply(image))


def _lab_values(image: Image.Image) -> _Channels:
    values = np.asarray(image).astype(np.float64)
    values[..., 1:] -= 256 * (values[..., 1:] > 127)  # Pillow keeps a* and b* as signed bytes
    values[..., 0] *= 100 / 255  # Pillow keeps L* as 0 to 255
    return values


@cached(1)
def _to_lab() -> ImageCms.ImageCmsTransform:
    return ImageCms.buildTransform(_srgb(), ImageCms.createProfile("LAB"), "RGB", "LAB", _RELATIVE)


def _limited(image: Image.Image, ink_limit: float) -> Image.Image:
    """Return the picture with the colored inks of pixels above the limit reduced in proportion; black stays."""
    grid = np.asarray(image).astype(np.int64)
    most = int(ink_limit * 255 / 100)
    above = grid.sum(axis=2) > most
    if not above.any():
        return image
    pixels = grid[above]
    colored, black = pixels[:, :3], pixels[:, 3:]
    pixels[:, :3] = colored * (most - black) // colored.sum(axis=1, keepdims=True)
    grid[above] = pixels
    return Image.fromarray(grid.astype(np.uint8), "CMYK")


# --- the best match of two inks for a color: small text in three or four inks shows the least misregister of plates --

_Plates = NDArray[np.uint8]

_STRIDE = 8  # levels in the first search; the second one tries all levels around its best
_BLACK = 3  # index of the plate


class Pair(NamedTuple):
    """A color of two inks, and its distance from the color wanted: CIEDE2000, on paper."""

    inks: Inks
    distance: float


@cached(256)
def nearest_pair(color: tuple[int, int, int], press: Press) -> Pair:
    """Return the color of at most two inks that looks most like an sRGB color on the paper of a press.

    If two pairs are equally far, to a whole unit, the one without black wins: it cannot be mistaken for black text.
    """
    wanted = lab_of(Image.new("RGB", (1, 1), color))[0, 0]
    found = [_nearest_of(wanted, plates, press) for plates in combinations(range(4), 2)]
    return min(found, key=lambda pair: (round(pair.distance), pair.inks[_BLACK] > 0, pair.distance))


def _nearest_of(wanted: _Channels, plates: tuple[int, int], press: Press) -> Pair:
    most = int(press.ink_limit * 255 / 100)  # a sum of levels: 255 is 100 % of an ink
    levels = _levels(range(0, 256, _STRIDE), range(0, 256, _STRIDE))
    for _ in range(2):
        levels = levels[levels.sum(axis=1, dtype=np.int64) <= most]
        pixels = np.zeros((len(levels), 1, 4), np.uint8)
        pixels[:, 0, plates] = levels
        distances = difference(wanted, lab_on_paper(Image.fromarray(pixels, "CMYK"), press))[:, 0]
        best = int(distances.argmin())
        first, second = (int(pixels[best, 0, plate]) for plate in plates)
        levels = _levels(_about(first), _about(second))
    cyan, magenta, yellow, black = (int(level) / 255 for level in pixels[best, 0])
    return Pair((cyan, magenta, yellow, black), float(distances[best]))


def _about(level: int) -> range:
    return range(max(0, level - _STRIDE), min(255, level + _STRIDE) + 1)


def _levels(first: range, second: range) -> _Plates:
    """Return all pairs of levels, always with 255, the full ink."""
    ends = [np.array([*levels, 255]) for levels in (first, second)]
    return np.stack(np.meshgrid(*ends, indexing="ij"), -1).reshape(-1, 2).astype(np.uint8)


def difference(one: _Channels, other: _Channels) -> _Channels:
    """Return the CIEDE2000 difference (ISO/CIE 11664-6) of two colors given as L*, a*, b* in the last axis."""
    # Steps and constants in the standard's order: chroma and hue with a* stretched for grays, differences, weights.
    (l_one, a_one, b_one), (l_two, a_two, b_two) = (np.moveaxis(each, -1, 0) for each in (one, other))
    gray = 0.5 * (1 - _seventh((np.hypot(a_one, b_one) + np.hypot(a_two, b_two)) / 2))
    (c_one, h_one), (c_two, h_two) = (
        (np.hypot((1 + gray) * a, b), np.degrees(np.arctan2(b, (1 + gray) * a)) % 360)
        for a, b in ((a_one, b_one), (a_two, b_two))
    )
    turn = (h_two - h_one + 180) % 360 - 180  # hue difference the short way round, in degrees
    # The middle hue lies on the short way, too.
    lightness, chroma, hue = (l_one + l_two) / 2, (c_one + c_two) / 2, np.radians(h_one + turn / 2)
    spread = (
        1
        - 0.17 * np.cos(hue - np.radians(30))
        + 0.24 * np.cos(2 * hue)
        + 0.32 * np.cos(3 * hue + np.radians(6))
        - 0.20 * np.cos(4 * hue - np.radians(63))
    )
    from_middle = (lightness - 50) ** 2
    # Each difference over its weight: S_L, S_C, S_H.
    lighter = (l_two - l_one) / (1 + 0.015 * from_middle / np.sqrt(20 + from_middle))
    stronger = (c_two - c_one) / (1 + 0.045 * chroma)
    turned = 2 * np.sqrt(c_one * c_two) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * chroma * spread)
    # The rotation term R_T corrects blues, around a hue of 275 degrees.
    blue = np.exp(-(((np.degrees(hue) % 360 - 275) / 25) ** 2))
    rotation = -2 * _seventh(chroma) * np.sin(np.radians(60) * blue)
    distance: _Channels = np.sqrt(lighter**2 + stronger**2 + turned**2 + rotation * stronger * turned)
    return distance


def _seventh(chroma: _Channels) -> _Channels:
    share: _Channels = np.sqrt(chroma**7 / (chroma**7 + 25.0**7))
    return share
