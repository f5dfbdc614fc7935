"""Inline pictures: those inside the content itself (ISO 32000-1, 8.9.7)."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from pikepdf import Array, Name

from render.base.findings import Problem, Severity
from render.pdf.standards import A_2B
from render.shops.preflight.objects.inks import Inks
from render.shops.preflight.objects.instructions import Inline, Named, Value
from render.shops.preflight.objects.spaces import Space, space

_FLATE = ("Fl", "FlateDecode")
_MAX_BYTES = 1 << 20  # inline pictures should have 4 KB at most (8.9.7)


def of_inline(image: Inline, resources: object, inks: Inks) -> Iterator[Problem]:
    """Yield what is wrong with an inline picture: its colors, its packing, and its ink."""
    if _entry(image, "I", "Interpolate") is True and inks.standard is A_2B:
        yield Problem("F037", "an inline picture is to be smoothed by whoever shows it: `Interpolate`")
    packing = _entry(image, "F", "Filter")
    names = [str(each) for each in (packing if isinstance(packing, list) else [packing] if packing else [])]
    if {"LZW", "LZWDecode"} & set(names):
        yield Problem("F052", "an inline picture is packed with LZW", "pack it with Flate")
    if _entry(image, "IM", "ImageMask") is True:
        return
    of = _space(_entry(image, "CS", "ColorSpace"), resources)
    if of is None:
        return
    yield from inks.of_space(of, "inline picture")
    if inks.limit is None or (of.components != 4 and of.family not in ("DeviceN", "Separation")):
        return
    percent = _ink(image, names, of.components)
    if percent is None:
        yield Problem("F032", "the ink of an inline picture cannot be read", severity=Severity.UNSURE)
    elif percent > inks.limit + 0.01:
        yield Problem("F032", f"an inline picture has {percent:.0f} % ink", f"at most {inks.limit:g} %")


def _entry(image: Inline, short: str, long: str) -> Value:
    return image.entries.get(short, image.entries.get(long))


def _space(said: Value, resources: object) -> Space | None:
    if isinstance(said, Named):
        return space(Name(f"/{said}"), resources)
    if isinstance(said, list) and said and isinstance(said[0], Named):
        base = said[1] if len(said) > 1 and isinstance(said[1], Named) else "DeviceGray"
        return space(Array([Name(f"/{said[0]}"), Name(f"/{base}"), 0, b""]), resources)
    return None


def _ink(image: Inline, names: list[str], plates: int) -> float | None:
    """Return the largest sum of inks on a pixel in per cent; None if its packing is not read here."""
    bits = _entry(image, "BPC", "BitsPerComponent")
    if (
        bits != 8
        or _entry(image, "D", "Decode") is not None
        or any(name not in _FLATE for name in names)
        or len(names) > 1
    ):
        return None
    data = image.data
    if names:
        try:
            data = zlib.decompressobj().decompress(data, _MAX_BYTES)
        except zlib.error:
            return None
    pixels = (sum(data[at : at + plates]) for at in range(0, len(data) - plates + 1, plates))
    return max(pixels, default=0) * 100 / 255


def inline_pixels(inline: Inline) -> tuple[int, int]:
    """Return the width and height of an inline picture in pixels."""
    entries = inline.entries
    width, height = (entries.get(short, entries.get(long)) for short, long in (("W", "Width"), ("H", "Height")))
    return int(width) if isinstance(width, float) else 0, int(height) if isinstance(height, float) else 0
