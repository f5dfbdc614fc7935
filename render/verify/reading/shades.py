"""Gradients of a file, and graphics states through which what lies beneath is seen: only those that `kotc` writes."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass

from pikepdf import Dictionary, Object, Stream

from render.base.geometry import Affine
from render.verify.reading import pdf_values
from render.verify.reading.faults import NotReadable
from render.verify.reading.pdf_values import as_dictionary, as_items, as_name, as_number, as_numbers

_CHANNELS = {"DeviceGray": 1, "DeviceRGB": 3, "DeviceCMYK": 4}
_MAX_LISTED = 100_000  # bytes of a list of colors; ours have 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Shade:
    """A gradient: `kind` is linear or radial, `frame` are points that say where it lies, x and y in turn.

    `colors` are those of its two ends, or listed from one to the other, channel by channel.
    """

    kind: str
    frame: tuple[float, ...]
    colors: tuple[float, ...]

    @property
    def digest(self) -> bytes:
        return hashlib.sha256(repr((self.kind, self.frame, self.colors)).encode("ascii")).digest()


def as_shade(pattern: Object) -> Shade | None:
    """Return a pattern as a gradient; None if it is none that `kotc` writes. NotReadable if it is damaged."""
    if not isinstance(pattern, Dictionary) or set(pattern.keys()) != _PATTERN or pattern["/PatternType"] != 2:
        return None
    shading, matrix = as_dictionary(pattern.get("/Shading")), as_numbers(pattern.get("/Matrix"))
    extends = [bool(each) for each in as_items(shading.get("/Extend"))]
    if set(shading.keys()) != _SHADING or len(matrix) != 6 or extends != [True, True]:
        return None
    channels = _CHANNELS.get(as_name(shading.get("/ColorSpace")), 0)
    kind, place = as_number(shading.get("/ShadingType"), 0), as_numbers(shading.get("/Coords"))
    colors = _colors(shading.get("/Function"), channels)
    if colors is None or not all(map(math.isfinite, (*matrix, *place, *colors))):
        return None
    by = Affine(*matrix)
    if kind == 2 and len(place) == 4:
        x0, y0, x1, y1 = place
        # A third point beside the line tells how the gradient is skewed.
        return Shade(kind="linear", frame=_taken([x0, y0, x1, y1, x0 - (y1 - y0), y0 + x1 - x0], by), colors=colors)
    if kind == 3 and len(place) == 6:
        x0, y0, inner, x1, y1, outer = place
        circles = [x0, y0, x0 + inner, y0, x0, y0 + inner, x1, y1, x1 + outer, y1, x1, y1 + outer]
        return Shade(kind="radial", frame=_taken(circles, by), colors=colors)
    return None


_PATTERN = {"/Type", "/PatternType", "/Matrix", "/Shading"}
_SHADING = {"/ShadingType", "/ColorSpace", "/Coords", "/Function", "/Extend"}
_STRAIGHT = {"/FunctionType", "/Domain", "/C0", "/C1", "/N"}
_LISTED = {"/FunctionType", "/Domain", "/Range", "/Size", "/BitsPerSample", "/Length", "/Filter"}


def _taken(points: list[float], by: Affine) -> tuple[float, ...]:
    return tuple(v for x, y in zip(points[::2], points[1::2], strict=True) for v in by.apply(x, y))


def _colors(function: Object | None, channels: int) -> tuple[float, ...] | None:
    """Return the colors of a function from 0 to 1; None if it is none that `kotc` writes."""
    if isinstance(function, Stream):
        return _listed(function, channels)
    said = as_dictionary(function)
    ends = [as_numbers(said.get(key)) for key in ("/C0", "/C1")]
    if set(said.keys()) != _STRAIGHT or said["/FunctionType"] != 2 or as_number(said["/N"], 0) != 1:
        return None
    if as_numbers(said["/Domain"]) != [0, 1] or any(len(end) != channels for end in ends) or not channels:
        return None
    return (*ends[0], *ends[1])


def _listed(function: Stream, channels: int) -> tuple[float, ...] | None:
    said = {key: as_numbers(function.get(key)) for key in ("/Domain", "/Range", "/Size")}
    count = int(said["/Size"][0]) if len(said["/Size"]) == 1 and math.isfinite(said["/Size"][0]) else 0
    if set(function.keys()) != _LISTED or function["/FunctionType"] != 0 or function["/BitsPerSample"] != 8:
        return None
    if said["/Domain"] != [0, 1] or said["/Range"] != [0, 1] * channels or not channels:
        return None
    if [as_name(name) for name in as_items(function["/Filter"])] != ["FlateDecode"]:
        return None
    data = b"".join(pdf_values.inflated(function.read_raw_bytes(), _MAX_LISTED))
    if count < 2 or len(data) != count * channels:
        raise NotReadable("Q001", "it is damaged: a gradient has too few colors or too many")
    return tuple(value / 255 for value in data)
