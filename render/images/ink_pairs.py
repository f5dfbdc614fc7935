"""The nearest colour of two inks: where small text is printed with three or four, the least slip of a plate shows."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from render.images import inks as cmyk
from render.images.press import Inks, Press

_Channels = NDArray[np.float64]
_Plates = NDArray[np.uint8]

_STRIDE = 8  # of the first search; the second one tries all levels about the best of it
_BLACK = 3


class Pair(NamedTuple):
    """A colour of two inks, and how far it lies from what was wanted: CIEDE2000, on paper."""

    inks: Inks
    distance: float


@lru_cache(maxsize=256)
def nearest(color: tuple[int, int, int], press: Press) -> Pair:
    """Return the colour of at most two inks that looks most like an sRGB colour on the paper of a press.

    Of two pairs that are equally far, to a whole unit, the one without black is taken: what is coloured is told from
    black text by it.
    """
    wanted = cmyk.lab_of(Image.new("RGB", (1, 1), color))[0, 0]
    found = [_nearest(wanted, plates, press) for plates in combinations(range(4), 2)]
    return min(found, key=lambda pair: (round(pair.distance), pair.inks[_BLACK] > 0, pair.distance))


def _nearest(wanted: _Channels, plates: tuple[int, int], press: Press) -> Pair:
    most = int(press.ink_limit * 255 / 100)
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
    """Return all pairs of levels, the last ones, 255, among them."""
    ends = [np.array([*levels, 255]) for levels in (first, second)]
    return np.stack(np.meshgrid(*ends, indexing="ij"), -1).reshape(-1, 2).astype(np.uint8)


def difference(one: _Channels, other: _Channels) -> _Channels:
    """Return how different two colours look, by CIEDE2000 (ISO/CIE 11664-6), of L*, a*, b* in the last axis."""
    (l_one, a_one, b_one), (l_two, a_two, b_two) = (np.moveaxis(each, -1, 0) for each in (one, other))
    gray = 0.5 * (1 - _seventh((np.hypot(a_one, b_one) + np.hypot(a_two, b_two)) / 2))
    (c_one, h_one), (c_two, h_two) = (
        (np.hypot((1 + gray) * a, b), np.degrees(np.arctan2(b, (1 + gray) * a)) % 360)
        for a, b in ((a_one, b_one), (a_two, b_two))
    )
    turn = (h_two - h_one + 180) % 360 - 180
    lightness, chroma, hue = (l_one + l_two) / 2, (c_one + c_two) / 2, np.radians(h_one + turn / 2)
    spread = (
        1
        - 0.17 * np.cos(hue - np.radians(30))
        + 0.24 * np.cos(2 * hue)
        + 0.32 * np.cos(3 * hue + np.radians(6))
        - 0.20 * np.cos(4 * hue - np.radians(63))
    )
    from_middle = (lightness - 50) ** 2
    lighter = (l_two - l_one) / (1 + 0.015 * from_middle / np.sqrt(20 + from_middle))
    stronger = (c_two - c_one) / (1 + 0.045 * chroma)
    turned = 2 * np.sqrt(c_one * c_two) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * chroma * spread)
    blue = np.exp(-(((np.degrees(hue) % 360 - 275) / 25) ** 2))
    rotation = -2 * _seventh(chroma) * np.sin(np.radians(60) * blue)
    distance: _Channels = np.sqrt(lighter**2 + stronger**2 + turned**2 + rotation * stronger * turned)
    return distance


def _seventh(chroma: _Channels) -> _Channels:
    share: _Channels = np.sqrt(chroma**7 / (chroma**7 + 25.0**7))
    return share
