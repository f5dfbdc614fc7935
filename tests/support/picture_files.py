"""Picture files for tests, made on the spot, and pictures as text: one letter for each color."""

import struct
from collections.abc import Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from textwrap import dedent
from typing import Any

from PIL import Image

from render.base.geometry import Rect
from render.scene.items import Picture

PALETTE = {
    "R": (255, 0, 0),
    "G": (0, 255, 0),
    "B": (0, 0, 255),
    "K": (0, 0, 0),
    "D": (64, 64, 64),
    "M": (128, 128, 128),
    "L": (192, 192, 192),
    "W": (255, 255, 255),
    "Y": (255, 255, 0),
    "P": (255, 128, 128),
}
WHOLE = Rect(0, 0, 1, 1)


def painted(picture: str, cell: int = 1) -> Image.Image:
    """Return the RGB picture of those letters, each a square of `cell` pixels."""
    rows = dedent(picture).strip().split()
    image = Image.new("RGB", (len(rows[0]), len(rows)))
    image.putdata([PALETTE[letter] for row in rows for letter in row])
    return image.resize((image.width * cell, image.height * cell), Image.Resampling.NEAREST)


def letters(image: Image.Image, cell: int = 1, tolerance: int = 3) -> str:
    """Return the picture as letters, by the middle of each square; `?` for a color that is none of them."""
    rgb = image.convert("RGB")

    def letter(x: int, y: int) -> str:
        found = rgb.getpixel((x, y))
        assert isinstance(found, tuple)
        near = (name for name, color in PALETTE.items() if far(found, color) <= tolerance)
        return next(near, "?")

    middle = cell // 2
    return "\n".join(
        "".join(letter(x, y) for x in range(middle, rgb.width, cell)) for y in range(middle, rgb.height, cell)
    )


def far(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the greatest difference in one of the channels."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def text(picture: str) -> str:
    return "\n".join(dedent(picture).strip().split())


def in_bytes(image: Image.Image, kind: str, **options: Any) -> bytes:
    """Return the file that Pillow writes; nothing of `info` is carried over unless it is among the options."""
    buffer = BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def on_card(file: Path, crop: Rect = WHOLE, *, turned: bool = False) -> Picture:
    """Return the item of a scene that draws the file."""
    return Picture(
        file=file, digest=sha256(file.read_bytes()).hexdigest(), box=Rect(0, 0, 57.2, 35.6), crop=crop, turned=turned
    )


def png_chunk(kind: bytes, data: bytes) -> bytes:
    from zlib import crc32

    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc32(kind + data))


def rgb_profile(red: Sequence[float], green: Sequence[float], blue: Sequence[float], gamma: float) -> bytes:
    """Return an ICC profile of three colorants, as XYZ relative to D50, and one gamma."""
    colorants = {b"rXYZ": red, b"gXYZ": green, b"bXYZ": blue}
    tags = {name: b"XYZ \0\0\0\0" + _fixed(*xyz) for name, xyz in colorants.items()}
    tags |= dict.fromkeys((b"rTRC", b"gTRC", b"bTRC"), _curve(gamma))
    return _profile(b"mntr", b"RGB ", b"XYZ ", tags)


def gray_profile(gamma: float) -> bytes:
    return _profile(b"mntr", b"GRAY", b"XYZ ", {b"kTRC": _curve(gamma)})


def cmyk_profile(labs: Sequence[Sequence[int]]) -> bytes:
    """Return an ICC profile of the 16 overprints of C, M, Y and K, the last varying fastest, each as L*, a*, b*."""
    same = bytes(range(256))
    matrix = _fixed(1, 0, 0, 0, 1, 0, 0, 0, 1)
    table = bytes(value for light, a, b in labs for value in (round(light * 2.55), a + 128, b + 128))
    return _profile(b"prtr", b"CMYK", b"Lab ", {
        b"A2B0": b"mft1\0\0\0\0\4\3\2\0" + matrix + same * 4 + table + same * 3,
    })  # fmt: skip


def _profile(kind: bytes, space: bytes, connection: bytes, tags: dict[bytes, bytes]) -> bytes:
    tags = {b"wtpt": b"XYZ \0\0\0\0" + _fixed(0.9642, 1.0, 0.8249)} | tags
    table, body = b"", b""
    start = 128 + 4 + 12 * len(tags)
    for name, content in tags.items():
        table += name + struct.pack(">II", start + len(body), len(content))
        body += content + b"\0" * (-len(content) % 4)
    header = struct.pack(">II4s4s4s4s12x4s28x", start + len(body), 0, b"\2\x10\0\0", kind, space, connection, b"acsp")
    header += _fixed(0.9642, 1.0, 0.8249)
    return header.ljust(128, b"\0") + struct.pack(">I", len(tags)) + table + body


def _fixed(*numbers: float) -> bytes:
    return b"".join(struct.pack(">i", round(number * 65536)) for number in numbers)


def _curve(gamma: float) -> bytes:
    return b"curv\0\0\0\0" + struct.pack(">IH", 1, round(gamma * 256)) + b"\0\0"


ADOBE_RGB = rgb_profile((0.60974, 0.31111, 0.01947), (0.20528, 0.62567, 0.06087), (0.14919, 0.06322, 0.74457), 2.2)
