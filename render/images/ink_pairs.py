"""The best match of two inks for a color: small text in three or four inks shows the least misregister of plates."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from render.base.caches import cached
from render.images import inks as cmyk
from render.images.press import Inks, Press

_Channels = NDArray[np.float64]
_Plates = NDArray[np.uint8]

_STRIDE = 8  # levels in the first search; the second one tries all levels around its best
_BLACK = 3  # index of the plate


class Pair(NamedTuple):
    """A color of two inks, and its distance from the color wanted: CIEDE2000, on paper."""

    inks: Inks
    distance: float


@cached(256)
def nearest(color: tuple[int, int, int], press: Press) -> Pair:
    """Return the color of at most two inks that looks most like an sRGB color on the paper of a press.

    If two pairs are equally far, to a whole unit, the one without black wins: it cannot be mistaken for black text.
    """
    wanted = cmyk.lab_of(Image.new("RGB", (1, 1), color))[0, 0]
    found = [_nearest(wanted, plates, press) for plates in combinations(range(4), 2)]
    return min(found, key=lambda pair: (round(pair.distance), pair.inks[_BLACK] > 0, pair.distance))


def _nearest(wanted: _Channels, plates: tuple[int, int], press: Press) -> Pair:
    most = int(press.ink_limit * 255 / 100)  # a sum of levels: 255 is 100 % of an ink
    levels = _levels(range(0, 256, _STRIDE), range(0, 256, _STRIDE))
    for _ in range(2):
        levels = levels[levels.sum(axis=1, dtype=np.int64) <= most]
        inks = np.zeros((len(levels), 1, 4), np.uint8)
        inks[:, 0, plates] = levels
        distances = difference(wanted, cmyk.lab_on_paper(Image.fromarray(inks, "CMYK"), press))[:, 0]
        best = int(distances.argmin())
        first, second = (int(inks[best, 0, plate]) for plate in plates)
        levels = _levels(_about(first), _about(second))
    cyan, magenta, yellow, black = (int(level) / 255 for level in inks[best, 0])
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
