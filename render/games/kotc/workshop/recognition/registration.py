"""Find the card in a picture by its grey frame, and cut it out on a grid of known dots per inch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from render.base.geometry import MM_PER_INCH, Size

Grid = NDArray[np.float32]

TRIM = Size(63.5, 88.9)  # mm, as all templates of the game
# The middle of the frame's line (templates/kotc/frame.svg).
_LEFT, _TOP, _RIGHT, _BOTTOM = 3.188, 3.188, 60.313, 85.713
_LINE = 0.282  # mm
_GREYS = 80, 176  # of 255: the line is 128; a resampled one is lighter at its edges
_COLORLESS = 24  # of 255, between the largest and the smallest of red, green and blue
_SHARE = 0.25  # of a picture's width that the card has at least
_STRETCH = 0.02  # a picture may be stretched by so much
MIN_DPI, _MAX_DPI = 180.0, 440.0  # below, credit lines are 7 px high; above, more pixels tell nothing more
_MIN_SIDE = 200  # px
_SNAP = 0.12  # px that a frame may lie off the place of a card that was never resampled


@dataclass(frozen=True, slots=True, eq=False)
class SeenCard:
    """A card cut out at its trim, at `dpi`: `colors` (row, column, channel) from 0 to 255.

    `exact` says that its pixels are those of the picture, not resampled.
    """

    colors: Grid
    dpi: float
    exact: bool

    @property
    def scale(self) -> float:
        """The pixels in a mm."""
        return self.dpi / MM_PER_INCH


class NoCard(ValueError):
    """The picture shows no card of the game's frame; the message says what was looked for."""


def cut_out(picture: Image.Image) -> SeenCard:
    """Return the card that a picture shows upright, alone or with white or bleed around it; NoCard if it shows none."""
    colors = np.asarray(picture.convert("RGB"))
    left, top, right, bottom = _frame(colors)
    across = (right - left) / (_RIGHT - _LEFT)
    down = (bottom - top) / (_BOTTOM - _TOP)
    if abs(across / down - 1) > _STRETCH:
        raise NoCard("the frame is not as high and wide as that of the game's cards")
    if min(across, down) * MM_PER_INCH < MIN_DPI:
        raise NoCard(f"its text is too small to read: the card has {down * MM_PER_INCH:.0f} dpi")
    origin = left - _LEFT * across, top - _TOP * down
    return _unchanged(colors, origin, (across + down) / 2) or _resampled(picture, origin, (across, down))


def _unchanged(colors: NDArray[np.uint8], origin: tuple[float, float], scale: float) -> SeenCard | None:
    """Return the card if it lies on whole pixels at whole dots per inch, as programs export it."""
    dpi = float(round(scale * MM_PER_INCH))
    width, height = (round(side * dpi / MM_PER_INCH) for side in (TRIM.width, TRIM.height))
    left, top = (round(start) for start in origin)
    off = max(abs(left - origin[0]), abs(top - origin[1]), abs(dpi / MM_PER_INCH - scale) * (_BOTTOM - _TOP))
    inside = left >= 0 and top >= 0 and left + width <= colors.shape[1] and top + height <= colors.shape[0]
    if off > _SNAP * 2 or not inside or dpi > _MAX_DPI:
        return None
    return SeenCard(colors[top : top + height, left : left + width].astype(np.float32), dpi, True)


def _resampled(picture: Image.Image, origin: tuple[float, float], scale: tuple[float, float]) -> SeenCard:
    dpi = float(min(round(sum(scale) / 2 * MM_PER_INCH), _MAX_DPI))
    size = round(TRIM.width * dpi / MM_PER_INCH), round(TRIM.height * dpi / MM_PER_INCH)
    wide, high = TRIM.width * scale[0], TRIM.height * scale[1]
    edge = round(max(wide, high) * 0.06)  # a card may be cut at its frame
    canvas = Image.new("RGB", (picture.width + 2 * edge, picture.height + 2 * edge), "white")
    canvas.paste(picture, (edge, edge))
    x, y = max(origin[0] + edge, 0.0), max(origin[1] + edge, 0.0)
    box = (x, y, min(x + wide, canvas.width), min(y + high, canvas.height))
    return SeenCard(np.asarray(canvas.resize(size, Image.Resampling.LANCZOS, box), np.float32), dpi, False)


def _frame(colors: NDArray[np.uint8]) -> tuple[float, float, float, float]:
    """Return the middles of the frame's lines in px: left, top, right and bottom."""
    dark, light = colors.max(axis=2), colors.min(axis=2)
    grey = (dark - light <= _COLORLESS) & (dark >= _GREYS[0]) & (dark <= _GREYS[1])
    rows, columns = _lines(grey, axis=1), _lines(grey, axis=0)
    left, top, right, bottom = columns[0], rows[0], columns[-1], rows[-1]
    if min(right - left, bottom - top) < _MIN_SIDE:
        raise NoCard("the grey frame of the game's cards was not found in it")
    luma = 255.0 - colors.mean(axis=2)
    reach = max((right - left) * 0.008, 3.0)
    # Beside the name, both sides of the frame are white; above and below it is white everywhere.
    span = bottom - top
    beside = slice(round(top + 0.02 * span), round(top + 0.08 * span))
    between = slice(round(left + 0.05 * (right - left)), round(right - 0.05 * (right - left)))
    return (
        _middle(luma[beside].mean(axis=0), left, reach),
        _middle(luma[:, between].mean(axis=1), top, reach),
        _middle(luma[beside].mean(axis=0), right, reach),
        _middle(luma[:, between].mean(axis=1), bottom, reach),
    )


def _lines(grey: NDArray[np.bool_], axis: int) -> NDArray[np.int64]:
    """Return the rows (axis 1) or columns in which a line of the frame may lie."""
    counts = grey.sum(axis=axis)
    found = np.flatnonzero(counts > max(_SHARE * grey.shape[axis], 0.6 * counts.max()))
    if len(found) < 2 or found[-1] - found[0] < _SHARE * grey.shape[1 - axis]:
        raise NoCard("the grey frame of the game's cards was not found in it")
    return found


def _middle(profile: Grid, near: float, reach: float) -> float:
    """Return the middle of a dark line near a place of a profile."""
    begin, end = max(round(near - reach), 0), min(round(near + reach) + 1, len(profile))
    weights = profile[begin:end] - profile[begin:end].min()
    if weights.sum() <= 0:
        raise NoCard("the grey frame of the game's cards was not found in it")
    return float((weights * (np.arange(begin, end) + 0.5)).sum() / weights.sum())
