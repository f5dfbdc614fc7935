"""Preflight of a picture file: whether a PNG has the pixels and colors that a print shop asks for."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence

from render.base.findings import Diagnostic
from render.pdf.reading.values import inflated
from render.shops.preflight.claims import is_srgb_profile

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Color types of a PNG (PNG 11.2.2).
_KINDS = {0: "grey", 2: "RGB", 3: "indexed", 4: "grey with an alpha channel", 6: "RGB with an alpha channel"}


_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_SRGB_GAMMA = 45_455  # in 100,000ths, as `gAMA` has it (PNG 11.3.2.2)
_SRGB_COLORS = (31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000)  # of `cHRM`: white, red, green, blue
_NEAR = 1_000  # by which programs round them


def preflight_png(data: bytes, pixels: Sequence[tuple[int, int]]) -> list[Diagnostic]:
    """Return what is wrong with a PNG that should be sRGB without transparency.

    `pixels` are the sizes that a shop takes, one for each of its products.
    """
    if data[:8] != _SIGNATURE or data[12:16] != b"IHDR" or len(data) < 33:  # 33 bytes: signature and IHDR
        return [Diagnostic("F001", "the file cannot be read as a PNG")]
    return list(_faults(data, pixels))


def _faults(data: bytes, pixels: Sequence[tuple[int, int]]) -> Iterator[Diagnostic]:
    width, height, depth, kind, *_, interlaced = struct.unpack(">IIBBBBB", data[16:29])
    if (width, height) not in pixels:
        wanted = " or ".join(f"{across} x {down}" for across, down in pixels)
        yield Diagnostic("F024", f"it has {width} x {height} pixels, and the shop asks for {wanted}")
    if (depth, kind) != (8, 2):
        yield Diagnostic("F030", f"it is {_KINDS.get(kind, 'unknown')} of {depth} bits, and the shop asks for RGB of 8")
    chunks: dict[bytes, bytes] = {}
    try:
        for name, content in _chunks(data):
            chunks[name] = chunks.get(name, b"") + content
        needed = height * (1 + (width * depth * _CHANNELS.get(kind, 1) + 7) // 8)  # a row begins with its filter
        length = sum(map(len, inflated(chunks.get(b"IDAT", b""))))
        if length < (0 if interlaced else needed):
            yield Diagnostic("F001", "the picture is cut off: it has fewer data than its pixels take", _CUT)
        if length > 2 * needed:
            yield Diagnostic("F001", "the picture is damaged: it has more data than its pixels take", _CUT)
    except ValueError as error:
        yield Diagnostic("F001", str(error), _CUT)
    if b"tRNS" in chunks:
        yield Diagnostic("F030", "one of its colors is transparent")
    if kind in (2, 3, 6) and not _is_srgb(chunks):
        yield Diagnostic("F030", "its colors are not sRGB, and the shop asks for sRGB", "convert it to sRGB")


_CUT = "export it again"


def _is_srgb(chunks: Mapping[bytes, bytes]) -> bool:
    """Return whether colors are sRGB, as they are if nothing else is said; a profile counts before other chunks."""
    if b"iCCP" in chunks:
        _, _, packed = chunks[b"iCCP"].partition(b"\0")  # the name of the profile, then a byte for the packing
        return is_srgb_profile(b"".join(inflated(packed[1:])))
    if b"sRGB" in chunks:
        return True
    gamma, colors = chunks.get(b"gAMA", b""), chunks.get(b"cHRM", b"")
    is_same_gamma = len(gamma) != 4 or abs(int.from_bytes(gamma) - _SRGB_GAMMA) < _NEAR
    return is_same_gamma and (
        len(colors) != 32
        or all(abs(one - other) < _NEAR for one, other in zip(struct.unpack(">8I", colors), _SRGB_COLORS, strict=True))
    )


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the names and contents of chunks; ValueError if one is cut off or changed, or the last is missing."""
    at = 8
    while at + 12 <= len(data):
        length, name = int.from_bytes(data[at : at + 4]), data[at + 4 : at + 8]
        content, end = data[at + 8 : at + 8 + length], at + 12 + length
        if end > len(data):
            break
        if zlib.crc32(data[at + 4 : end - 4]) != int.from_bytes(data[end - 4 : end]):
            raise ValueError(
                f"the picture is damaged: a part has another checksum than it says: `{name.decode('latin-1')}`"
            )
        yield name, content
        if name == b"IEND":
            return
        at = end
    raise ValueError("the picture is cut off: its end is missing")
