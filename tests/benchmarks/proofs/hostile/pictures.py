"""Pictures at their bounds, and damaged ones: each is drawn by `check`, `png` and `pdf` alike, or by none of them."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from io import BytesIO
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image, ImageCms

from proofs.hostile.bounds import Attempt, Case
from tests.support.picture_files import ADOBE_RGB, gray_profile, png_chunk
from tests.support.sets import write_set
from tests.support.templates import with_plain_back

SECRET = b"SECRET-PLACE-52.5163N-13.3777E"
"""What stands in the camera data of many pictures, and in no output."""

CARD = "{{name: A, kind: minion, level: 1, sp: 1, hp: 0, art: {{file: art, fit: {fit}}}}}\n"
SET = "name: S\nedition: 17\nsheet: {{grid: 1x1, art_dpi: {art_dpi}}}\n"
COMMANDS = (("check", "s"), ("png", "s", "--out", "p"), ("pdf", "s", "--out", "o.pdf"))
SAID = re.compile(
    rb"s/cards\.yaml:1:\d+: |  1 \| |    \|  |  hint: |1 card checked: |1 error$|S: 1 (?:PNG|sheet) in |  print at "
    rb"|  1 card, "
)
"""How the lines begin that the commands print."""

Make = Callable[[Random], bytes]


def cases(seed: int) -> Iterator[Case]:
    """Yield pictures without end: most small and damaged, every 25th at one of the bounds."""
    for number in count():
        random = Random(f"{seed} {number}")
        name, make = random.choice(EXTREMES) if number % 25 == 24 else ("damaged", _damaged)
        fit, art_dpi = random.choice(["contain", "cover"]), random.choice(["600", "150", "original"])
        yield case(f"{name} {seed} {number}", make(random), fit, art_dpi)


def case(name: str, data: bytes, fit: str = "contain", art_dpi: str = "600") -> Case:
    """Return the case of a card with this picture."""

    def write(folder: Path) -> None:
        with_plain_back(write_set(folder / "s", CARD.format(fit=fit), SET.format(art_dpi=art_dpi)))
        (folder / "s" / "art").write_bytes(data)

    return Case(name, write, COMMANDS, _judge)


def _judge(folder: Path, attempts: Sequence[Attempt]) -> list[str]:
    """Return where the commands disagree, what a library said, and what of the camera came through."""
    statuses = [each.status for each in attempts]
    found = [f"check, png and pdf end with {statuses}"] if len(set(statuses)) > 1 else []
    for each in attempts:
        found += [f"said {line!r}" for line in each.err.splitlines() if not SAID.match(line)]
    outputs = (folder / "o.pdf", folder / "p" / "a.png")
    found += [f"no {output.name}" for output in outputs if statuses == [0, 0, 0] and not output.exists()]
    for output in filter(Path.exists, outputs):
        if SECRET in output.read_bytes():
            found.append(f"{output.name} has camera data")
    return found


# --- small pictures, and what becomes of them ------------------------------------------------------------------------


def _file(image: Image.Image, kind: str, **options: Any) -> bytes:
    stream = BytesIO()
    image.save(stream, kind, **options)  # of the writer of each kind
    return stream.getvalue()


def exif(orientation: int) -> bytes:
    """Return camera data with a place and a way up."""
    entries = struct.pack("<HHII", 0x0112, 3, 1, orientation) + struct.pack("<HHII", 0x010E, 2, len(SECRET), 38)
    return b"Exif\0\0II*\0\x08\0\0\0" + struct.pack("<H", 2) + entries + b"\0\0\0\0" + SECRET


@lru_cache(maxsize=1)
def small() -> tuple[bytes, ...]:
    """Return small pictures of all kinds, most with camera data."""
    color = Image.effect_noise((40, 30), 90).convert("RGB")
    opaque, gray, ink = color.convert("RGBA"), color.convert("L"), color.convert("CMYK")
    opaque.putalpha(gray)
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    asked: list[tuple[Image.Image, dict[str, Any]]] = [
        (color, {}),
        (color, {"progressive": True}),
        (color, {"subsampling": 0, "icc_profile": ADOBE_RGB}),
        (gray, {"icc_profile": gray_profile(1.8)}),
        (ink, {}),
        (color, {"keep_rgb": True}),
        (color, {"restart_marker_rows": 1, "icc_profile": srgb}),
        (gray, {"progressive": True}),
    ]
    jpegs = [
        _file(image, "JPEG", exif=exif(turn), comment=SECRET, xmp=SECRET, **options)
        for turn, (image, options) in enumerate(asked, start=1)
    ]
    pngs = [
        _file(image, "PNG", exif=exif(3), icc_profile=profile)
        for image in (color, opaque, gray, color.quantize(9), gray.convert("1"), gray.convert("I;16"))
        for profile in (None, srgb)
    ]
    webps = [
        _file(image, "WEBP", exif=exif(6), xmp=SECRET, lossless=lossless, icc_profile=ADOBE_RGB)
        for image in (color, opaque)
        for lossless in (False, True)
    ]
    moving = _file(color, "PNG", save_all=True, append_images=[gray.convert("RGB")])
    return (*jpegs, *pngs, *webps, moving)


def _damaged(random: Random) -> bytes:
    data = bytearray(random.choice(small()))
    for _ in range(random.choice((1, 1, 2, 5))):
        if len(data) > 20:
            random.choice(DAMAGES)(data, random)
    return bytes(data)


def _flip(data: bytearray, random: Random) -> None:
    data[random.randrange(len(data))] = random.choice((0, 1, 0x7F, 0x80, 0xFF, random.randrange(256)))


def _cut(data: bytearray, random: Random) -> None:
    del data[random.randrange(8, len(data)) :]
    data += b"\0" * random.choice((0, 0, 1, 500))


def _remove(data: bytearray, random: Random) -> None:
    at = random.randrange(2, len(data))
    del data[at : at + random.choice((1, 2, 4, 100))]
    data += b"\0" * 4


def _repeat(data: bytearray, random: Random) -> None:
    at = random.randrange(2, len(data))
    data[at:at] = data[at : at + random.choice((1, 4, 12, 300))] * random.choice((1, 3, 40))


def _number(data: bytearray, random: Random) -> None:
    at = random.randrange(len(data) - 3)
    size = random.choice((2, 4))
    data[at : at + size] = random.choice((0, 1, 0x7FFF, 0xFFFF, 2 ** (8 * size) - 1)).to_bytes(size, "big")


def _part(data: bytearray, random: Random) -> None:
    """Exchange, remove or change a marker or the name of a chunk."""
    names = [match.start() for match in re.finditer(rb"\xff[\xc0-\xfe]|IDAT|PLTE|tRNS|iCCP|eXIf|VP8.|ICCP|EXIF", data)]
    if names:
        at = random.choice(names)
        data[at + 1] = random.choice((0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC9, 0xCA, 0xDA, 0xDB, 0xDD, 0xE0, 0xFE, 0x41))


DAMAGES = (_flip, _flip, _flip, _cut, _remove, _repeat, _number, _part)


# --- pictures at the bounds ------------------------------------------------------------------------------------------


def png(width: int, height: int, depth: int, color: int, *chunks: bytes, interlaced: int = 0) -> bytes:
    """Return a PNG of one color, with more chunks before its pixels."""
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    row = b"\0" + bytes((width * depth * channels + 7) // 8)
    packer = zlib.compressobj(1)
    body = b"".join(packer.compress(row * 64) for _ in range(-(-height * (1 + interlaced) // 64))) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlaced)
    palette = (png_chunk(b"PLTE", bytes(768)),) if color == 3 else ()
    parts = (png_chunk(b"IHDR", header), *chunks, *palette, png_chunk(b"IDAT", body), png_chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def segment(code: int, said: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, code, len(said) + 2) + said


def with_segments(data: bytes, *segments: bytes) -> bytes:
    """Return a JPEG with more segments behind its first marker."""
    return data[:2] + b"".join(segments) + data[2:]


def _markers(random: Random) -> bytes:
    each = segment(random.choice((0xFE, 0xE1, 0xE2, 0xED, 0xDB, 0xDD)), bytes(random.choice((0, 2, 65, 60_000))))
    return with_segments(small()[0], each * (random.choice((300_000, 48_000_000)) // len(each)))


def _texts(random: Random) -> bytes:
    bomb = zlib.compress(bytes(random.choice((10, 50_000_000))), 9)
    raw = b"Raw profile type exif\0\0" + bomb
    name, said = random.choice(
        (
            (b"tEXt", b"a\0b"),
            (b"zTXt", b"a\0\0" + bomb),
            (b"zTXt", raw),
            (b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0" + bomb),
        )
    )
    each = png_chunk(name, said)
    return png(4, 4, 8, 2, each * max(random.choice((100_000, 48_000_000)) // len(each), 1))


def steps(number: int) -> bytes:
    """Return a profile with a list of so many steps for each color, each of which changes nothing."""
    step = b"matf\0\0\0\0" + struct.pack(">HH12f", 3, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)
    start = 16 + 8 * number
    places = b"".join(struct.pack(">II", start + len(step) * index, len(step)) for index in range(number))
    tag = b"mpet\0\0\0\0" + struct.pack(">HHI", 3, 3, number) + places + step * number
    tags = int.from_bytes(ADOBE_RGB[128:132])
    entries = (struct.unpack_from(">4sII", ADOBE_RGB, 132 + 12 * index) for index in range(tags))
    moved = b"".join(struct.pack(">4sII", name, at + 12, length) for name, at, length in entries)
    size = len(ADOBE_RGB) + 12
    entry = b"D2B1" + struct.pack(">II", size, len(tag))
    head = struct.pack(">I", size + len(tag)) + ADOBE_RGB[4:8] + b"\4\x30\0\0" + ADOBE_RGB[12:128]
    return head + struct.pack(">I", tags + 1) + moved + entry + ADOBE_RGB[132 + 12 * tags :] + tag


def _profiles(random: Random) -> bytes:
    profile = bytearray(random.choice((steps(30_000), ADOBE_RGB, gray_profile(2.2), ADOBE_RGB + bytes(48_000_000))))
    for _ in range(random.choice((0, 0, 3, 20))):
        profile[random.randrange(4, min(len(profile), 600))] = random.randrange(256)
    return png(40, 30, 8, 2, png_chunk(b"iCCP", b"a\0\0" + zlib.compress(bytes(profile), 1)))


def many_passes(size: int, number: int) -> bytes:
    """Return a grey progressive JPEG of that many pixels a side, which goes on over all of them, saying nothing."""
    plain = _file(Image.new("L", (size, size), 128), "JPEG", progressive=True)
    end = plain.rindex(b"\xff\xd9")
    table = segment(0xC4, bytes([0x10, 1] + [0] * 15 + [0xE0]))  # one bit for: 16384 blocks and more have ended
    runs, bits = (size // 8) ** 2 // 32767 + 1, ""
    for _ in range(runs):
        bits += "0" + "1" * 14
    bits += "1" * (-len(bits) % 8)
    coded = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)).replace(b"\xff", b"\xff\0")
    scan = segment(0xDA, bytes((1, 1, 0x10, 1, 63, 0))) + coded
    return plain[:end] + table + scan * number + plain[end:]


def _passes(random: Random) -> bytes:
    return many_passes(random.choice((64, 1024, 6320)), random.choice((90, 24, 5000)))


def _large_png(random: Random) -> bytes:
    color, depth = random.choice(((0, 1), (0, 8), (0, 16), (2, 8), (2, 16), (3, 8), (4, 16), (6, 8), (6, 16)))
    width, height = random.choice(
        ((8000, 5000), (20_000, 2_000), (600, 65_535), (65_535, 600), (1, 40_000_000), (20_000, 10_000))
    )
    return png(width, height, depth, color, interlaced=random.choice((0, 0, 1)))


def _large_jpeg(random: Random) -> bytes:
    mode = random.choice(("L", "RGB", "CMYK"))
    width, height = random.choice(((8000, 5000), (7500, 4400), (65_000, 600)))
    options = {"progressive": random.choice((False, True)), "subsampling": random.choice((0, 2))}
    image = Image.new(mode, (width, height), 120 if mode == "L" else (120,) * len(mode))
    return _file(image, "JPEG", exif=exif(random.choice((1, 6))), **options)


def _large_webp(random: Random) -> bytes:
    size = random.choice(((5000, 4000), (16_383, 1_200), (5_000, 5_000)))
    image = Image.new(random.choice(("RGB", "RGBA")), size)
    return _file(image, "WEBP", method=0, lossless=random.choice((False, True)))


def many_tables(side: int, number: int) -> bytes:
    """Return a lossless WebP with so many tables to decode by, one for each square of 4 x 4 pixels (RFC 9649, 6)."""

    def low_first(*fields: tuple[int, int]) -> str:
        return "".join(f"{value:0{size}b}"[::-1] for value, size in fields)

    def codes_of_eight_bits(unused: str) -> str:
        lengths = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]  # of the codes for: a run without a code, a code of 8 bits
        return low_first((0, 1), (8, 4), *((length, 3) for length in lengths), (0, 1)) + "0" * 256 + unused

    one_code = low_first((1, 4))
    head = low_first((0x2F, 8), (side - 1, 14), (side - 1, 14), (0, 4), (0, 1), (0, 1), (1, 1), (0, 3), (0, 1))
    tables = codes_of_eight_bits(low_first((1, 1), (13, 7))) + codes_of_eight_bits("") + 3 * one_code
    squares = (side // 4) ** 2
    which = "".join(f"{index & 255:08b}{index >> 8:08b}" for index in range(number)) + "0" * 16 * (squares - number)
    bits = head + tables + which + number * 5 * one_code
    data = int(bits[::-1], 2).to_bytes(len(bits) // 8 + 16, "little")
    data += bytes(len(data) % 2)
    body = b"WEBPVP8L" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _tables(random: Random) -> bytes:
    return many_tables(*random.choice(((64, 256), (256, 4096), (1024, 65_536), (2048, 65_536))))


def _pieces(random: Random) -> bytes:
    """A PNG in pieces of a byte."""
    whole = png(random.choice((50, 500)), 500, 8, 2)
    at = whole.index(b"IDAT") - 4
    body = whole[at + 8 : at + 8 + int.from_bytes(whole[at : at + 4])] + bytes(random.choice((0, 1_000_000)))
    return whole[:at] + b"".join(png_chunk(b"IDAT", body[i : i + 1]) for i in range(len(body))) + whole[-12:]


EXTREMES: tuple[tuple[str, Make], ...] = (
    ("markers", _markers),
    ("texts", _texts),
    ("profiles", _profiles),
    ("passes", _passes),
    ("a large PNG", _large_png),
    ("a large JPEG", _large_jpeg),
    ("a large WebP", _large_webp),
    ("tables", _tables),
    ("pieces", _pieces),
)
