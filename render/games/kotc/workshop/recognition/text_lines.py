"""Find the lines of a text in its room: their size, and where their baselines are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, floor

import numpy as np

from render.games.kotc.workshop.recognition.card_places import Place
from render.games.kotc.workshop.recognition.registration import Grid
from render.text.fitting import Leading, TextBox, line_height

_MAX_LINES = 40
_TIGHT_BELOW = 2.2  # mm: no set lets lines move closer at larger sizes
_NOISE = 0.12  # coverage that a JPEG leaves beside letters
_MIN_INK = 0.004  # square em: half a full stop
_REST = 0.16  # em above and below a baseline that are compared


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text: its baseline in mm, and whether a paragraph begins with it."""

    baseline: float
    begins: bool


@dataclass(frozen=True, slots=True)
class Setting:
    """Lines at one size, in mm. `score` says how well their baselines are those of the ink: 1 if all are."""

    size: float
    pitch: float
    lines: tuple[Line, ...]
    score: float


def settings(ink: Grid, scale: float, place: Place, sizes: tuple[float, float]) -> list[Setting]:
    """Return the settings that the ink of a text box may have, best first; none if there is no ink.

    `ink` is the coverage of the whole card, `sizes` the smallest and the largest size in mm.
    """
    assert isinstance(place.room, TextBox)
    profile = _Profile(ink, scale, place.room)
    if not profile.top:
        return []
    step = place.room.step
    steps = range(ceil(sizes[0] / step - 1e-6), floor(sizes[1] / step + 1e-6) + 1)
    found = [
        setting
        for size in (number * step for number in steps)
        for leading in _leadings(place.room, size)
        if (setting := _set(profile, size, leading, place))
    ]
    return sorted(found, key=lambda setting: -setting.score)


def _leadings(room: TextBox, size: float) -> Iterator[Leading]:
    yield room.leading
    if size < _TIGHT_BELOW:
        yield from room.tighter


class _Profile:
    """The ink of a room by rows, added up from the top; asked for in mm."""

    def __init__(self, ink: Grid, scale: float, room: TextBox) -> None:
        self.scale = scale
        left, right = (round(x * scale) for x in (room.room.x - 0.3, room.room.right + 0.3))
        top, bottom = (round(y * scale) for y in (room.room.y - 0.3, room.room.bottom + 0.3))
        rows = np.zeros(ink.shape[0])
        room_ink = ink[top:bottom, left:right]
        rows[top:bottom] = np.where(room_ink > _NOISE, room_ink, 0.0).sum(axis=1)
        self.rows = rows
        inked = np.flatnonzero(rows > 0.6)
        self.top = inked[0] / scale if len(inked) else 0.0
        self.bottom = (inked[-1] + 1) / scale if len(inked) else 0.0
        self.summed = np.concatenate([[0.0], np.cumsum(rows)])
        self.total = float(self.summed[-1])

    def between(self, top: float, bottom: float) -> float:
        """Return the ink between two heights."""
        at = np.clip(np.array([top, bottom]) * self.scale, 0, len(self.rows))
        low, high = np.interp(at, np.arange(len(self.summed)), self.summed)
        return float(high - low)


def _set(profile: _Profile, size: float, leading: Leading, place: Place) -> Setting | None:
    assert isinstance(place.room, TextBox)
    height, ascent = line_height(leading, place.face, size, place.room.step)
    pitch = height + leading.gap
    baseline, begins = place.room.room.y + ascent, True
    lines: list[Line] = []
    explained = 0.0
    while baseline - 0.3 * size < profile.bottom and len(lines) < _MAX_LINES:
        if profile.between(baseline - 0.6 * size, baseline) < _MIN_INK * (size * profile.scale) ** 2:
            return None  # an empty line is no line
        lines.append(Line(baseline, begins))
        explained += _sharpness(profile, baseline, size)
        follow, gap = baseline + pitch, baseline + pitch * (1 + leading.paragraph)
        sharper = _sharpness(profile, gap, size) > _sharpness(profile, follow, size)
        begins = sharper and _blank(profile, follow, gap, size)
        baseline = gap if begins else follow
    if not lines or profile.top < lines[0].baseline - size * 1.05 or profile.bottom > lines[-1].baseline + 0.32 * size:
        return None
    return Setting(size, pitch, tuple(lines), explained / profile.total)


def _sharpness(profile: _Profile, baseline: float, size: float) -> float:
    """Return by how much more ink stands right above a baseline than right below it."""
    rest = _REST * size
    return profile.between(baseline - rest, baseline) - profile.between(baseline, baseline + rest)


def _blank(profile: _Profile, follow: float, gap: float, size: float) -> bool:
    """Return whether no line stands where one would follow if no paragraph ended."""
    if gap - follow < 0.8 * size:
        return True  # the gap is no empty line
    between = profile.between(follow - 0.5 * size, follow)
    return between < 0.02 * size * size * profile.scale * profile.scale
