"""Colors of a GIMP file as those of a PNG: sRGB or grey with 8 or 16 bits, as a screen shows them.

Files with 8 or 16 bits for the screen keep every bit. Others (32 and 64 bits, fractions, linear light) are rounded to
16 bits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.images.xcf.broken import BrokenXcf
from render.images.xcf.model import XcfImage

Numbers = NDArray[np.uint8] | NDArray[np.uint16]
_Fractions = NDArray[np.float32]

# How one number of a pixel is stored, and whether it is linear light (`GimpPrecision` in GIMP's API reference).
_KINDS = {1: "u1", 2: "u2", 3: "u4", 5: "f2", 6: "f4", 7: "f8"}
_OF_VERSION_4 = {0: ("u1", False), 1: ("u2", False), 2: ("u4", True), 3: ("f2", True), 4: ("f4", True)}
_OF_VERSION_5 = {1: "u1", 2: "u2", 3: "u4", 4: "f2", 5: "f4"}
_BIG_ENDIAN_SINCE = 12  # before, numbers stood as in memory; GIMP ran on little-endian machines


def number_kind(image: XcfImage) -> tuple[str, bool]:
    """Return how a number of a pixel is stored, as numpy calls it, and whether it is linear light."""
    precision = image.precision
    if image.version == 4:
        found = _OF_VERSION_4.get(precision)
    else:
        kind = (_OF_VERSION_5 if image.version in (5, 6) else _KINDS).get(precision // 100)
        # 100: linear, 150: as sRGB stores it, 175: perceptual, which for sRGB is the same.
        found = (kind, precision % 100 == 0) if kind and precision % 100 in (0, 50, 75) else None
    if found is None:
        raise BrokenXcf("X005", f"has the unknown precision {precision}", 22)
    return f"{'>' if image.version >= _BIG_ENDIAN_SINCE else '<'}{found[0]}", found[1]


def channels(image: XcfImage, raw: NDArray[np.uint8], kind: int) -> Numbers:
    """Return pixels as 1 to 4 channels of 8 or 16 bits: grey or red, green, blue; alpha last, if the layer has it.

    `raw` are the bytes of the pixels; `kind` is that of the layer: 0 RGB, 2 grey, 4 indexed, and one more with alpha.
    """
    alpha = kind % 2 == 1
    if kind >= 4:
        return _looked_up(image, raw, alpha=alpha)
    return _numbers(image, raw, (3, 1)[kind // 2] + alpha, alpha=alpha)


def mask_channel(image: XcfImage, raw: NDArray[np.uint8]) -> _Fractions:
    """Return the pixels of a mask, from 0 (nothing of the layer shows) to 1."""
    stored, _ = number_kind(image)
    return _as_fractions(_stored(raw, stored, 1))[:, :, 0]


def _looked_up(image: XcfImage, raw: NDArray[np.uint8], *, alpha: bool) -> Numbers:
    """Return the colors that the numbers of an indexed image stand for; black where the map has none."""
    if raw.shape[2] != 1 + alpha:
        raise BrokenXcf("X005", f"has indexed pixels of {raw.shape[2]} bytes", 0)
    table = np.zeros((256, 3), np.uint8)
    given = np.frombuffer(image.colors, np.uint8)[: len(image.colors) // 3 * 3].reshape(-1, 3)
    table[: len(given)] = given
    colors = table[raw[:, :, 0]]
    return np.concatenate((colors, raw[:, :, 1:]), axis=2) if alpha else colors


def _numbers(image: XcfImage, raw: NDArray[np.uint8], count: int, *, alpha: bool) -> Numbers:
    stored, linear = number_kind(image)
    numbers = _stored(raw, stored, count)
    if not linear and stored[1:] in ("u1", "u2"):
        return numbers.astype(numbers.dtype.newbyteorder("="))
    fractions = _as_fractions(numbers)
    if linear:
        colors = fractions[:, :, : count - alpha]
        colors[...] = as_screen(colors)
    return np.rint(fractions * 65535).astype(np.uint16)


def _stored(raw: NDArray[np.uint8], stored: str, count: int) -> NDArray[np.generic]:
    """Return the bytes of pixels as numbers of that kind, `count` for each pixel."""
    if raw.shape[2] != count * np.dtype(stored).itemsize:
        raise BrokenXcf("X005", f"has pixels of {raw.shape[2]} bytes, which do not fit its precision", 0)
    return np.ascontiguousarray(raw).view(stored)


def _as_fractions(numbers: NDArray[np.generic]) -> _Fractions:
    """Return numbers as fractions from 0 to 1; what is no number is 0."""
    if numbers.dtype.kind == "u":
        return (numbers.astype(np.float64) / np.iinfo(numbers.dtype.str).max).astype(np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.clip(np.nan_to_num(numbers.astype(np.float32), posinf=1, neginf=0), 0, 1)


def as_screen(linear: _Fractions) -> _Fractions:
    """Return linear light as sRGB stores it (IEC 61966-2-1)."""
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * np.power(linear, 1 / 2.4) - 0.055).astype(np.float32)


def as_linear(shown: _Fractions) -> _Fractions:
    """Return what sRGB stores as linear light."""
    return np.where(shown <= 0.04045, shown / 12.92, np.power((shown + 0.055) / 1.055, 2.4)).astype(np.float32)
