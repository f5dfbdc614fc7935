"""GIMP files from anywhere, damaged or made to deceive: `import` makes a card of each, or says what is wrong with it.

Files of GIMP and of every version of its format lose, gain or exchange bytes; sizes, counts and pointers are set to
extremes; tiles are packed to deceive. A card that is made can be checked.
"""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from proofs.hostile.bounds import Attempt, Case
from tests.support.repository import ROOT
from tests.support.xcf_files import NONE, RLE, ZLIB, MadeLayer, card_layers, picture, said, xcf

FROM_GIMP = sorted((ROOT / "tests/images/xcf").glob("*.xcf"))
COMMANDS = (("import", "a.xcf", "--to", "s"), ("import", "a.xcf", "--to", "s"))
EXTREMES = (0, 1, 2, 63, 64, 65, 255, 1 << 16, (1 << 24) + 1, (1 << 31) - 1, 1 << 31, (1 << 32) - 1)

Change = Callable[[random.Random, bytearray], None]


def cases(seed: int) -> Iterator[Case]:
    """Yield damaged files without end; every tenth was made to deceive."""
    number = 0
    while True:
        rng = random.Random(f"xcf {seed} {number}")
        data = rng.choice(TRAPS)(rng) if number % 10 == 9 else _damaged(rng)
        yield _case(f"xcf {seed} {number}", data)
        number += 1


def _case(name: str, data: bytes) -> Case:
    def write(folder: Path) -> None:
        (folder / "a.xcf").write_bytes(data)

    return Case(name, write, COMMANDS, _judge)


def _judge(folder: Path, attempts: Sequence[Attempt]) -> list[str]:
    """Return whether an error was written nothing of, and whether the second import found what the first one wrote."""
    first, second = attempts
    found = []
    written = sorted(file.name for file in folder.rglob("*") if file.is_file() and file.name != "a.xcf")
    if first.status == 1 and written:
        found.append(f"an error, and {written} were written")
    if first.status == 0 and "set.yaml" not in written:
        found.append(f"no error, and only {written} were written")
    if first.status != second.status or (first.status == 0 and b"1 unchanged" not in second.err):
        found.append(f"the second import says {second.err[-200:]!r}")
    return found


# --- damage -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _sound() -> tuple[bytes, ...]:
    made = [
        xcf(
            card_layers(picture=MadeLayer(name="Image", pixels=picture(90, 56, 4, kind), at=(5, 17))),
            version=version,
            compression=compression,
        )
        for version, kind in ((0, "uint8"), (3, "uint8"), (11, "uint8"), (22, "uint8"))
        for compression in (NONE, RLE, ZLIB)
    ]
    groups = [
        MadeLayer(name="Image", group=True, size=(90, 56), at=(5, 17)),
        MadeLayer(
            name="a",
            pixels=picture(50, 50),
            at=(20, 10),
            path=(11, 0),
            opacity=0.5,
            mask=np.full((50, 50), 99, np.uint8),
        ),
        MadeLayer(name="b", pixels=picture(90, 56), at=(5, 17), path=(11, 1), mode=28, effects=["Blur"]),
    ]
    made += [xcf([*card_layers(picture=None), *groups], version=version) for version in (3, 12, 22)]
    return (*made, *(file.read_bytes() for file in FROM_GIMP))


def _damaged(rng: random.Random) -> bytes:
    data = bytearray(rng.choice(_sound()))
    for _ in range(rng.choice((1, 1, 1, 2, 5, 20))):
        rng.choice((_flip, _number, _cut, _insert, _swap, _copy))(rng, data)
    return bytes(data)


def _place(rng: random.Random, data: bytearray) -> int:
    """Return a place, more often where the structure is: layers begin in the first bytes of these files."""
    return rng.randrange(min(len(data), rng.choice((64, 400, 4000, 1 << 30))) or 1)


def _flip(rng: random.Random, data: bytearray) -> None:
    data[_place(rng, data)] ^= 1 << rng.randrange(8)


def _number(rng: random.Random, data: bytearray) -> None:
    at = _place(rng, data)
    data[at : at + 4] = struct.pack(">I", rng.choice((*EXTREMES, len(data), rng.randrange(len(data) + 1))))


def _cut(rng: random.Random, data: bytearray) -> None:
    at = _place(rng, data)
    del data[at : rng.choice((at + 1, at + 4, at + rng.randrange(1, 400), len(data)))]
    data += b"" if data else b"g"


def _insert(rng: random.Random, data: bytearray) -> None:
    at = _place(rng, data)
    data[at:at] = rng.choice((b"\0", b"\xff" * 4, rng.randbytes(9), b"<span>", b'"', b"((((", b"\\"))


def _swap(rng: random.Random, data: bytearray) -> None:
    one, other = _place(rng, data), _place(rng, data)
    data[one : one + 4], data[other : other + 4] = data[other : other + 4], data[one : one + 4]


def _copy(rng: random.Random, data: bytearray) -> None:
    one, other, size = _place(rng, data), _place(rng, data), rng.randrange(1, 200)
    data[one : one + size] = data[other : other + size]


# --- traps ------------------------------------------------------------------------------------------------------------


def _huge(rng: random.Random) -> bytes:
    """A card of a million pixels, in tiles that are all one tile."""
    side = rng.choice((4096, 20_000, 262_144))
    data = xcf(card_layers(), version=rng.choice((0, 12)), compression=rng.choice((RLE, ZLIB)))
    sizes = ((100, 140), (90, 56))
    for width, height in sizes:
        data = data.replace(
            struct.pack(">II", width, height), struct.pack(">II", side * width // 140, side * height // 140)
        )
    return data + bytes(1 << 20)


def _bomb(rng: random.Random) -> bytes:
    """Tiles that unpack to megabytes."""
    data = xcf(card_layers(), compression=ZLIB)
    bomb = zlib.compress(bytes(rng.choice((1, 8)) << 20), 9)
    at = data.rfind(b"\x78\x9c", 0, len(data) * rng.randrange(1, 11) // 10)
    return data[:at] + bomb + data[at:] if at > 0 else data


def _runs(rng: random.Random) -> bytes:
    """Tiles of runs of one pixel, or of none."""
    run = rng.choice((b"\0\1", b"\x7f\0\0\1", b"\x80\0\0", b"\xff\1"))
    layers = card_layers(picture=MadeLayer(name="Image", pixels=picture(90, 56), at=(5, 17)))
    return xcf(layers)[: -rng.randrange(20_000)] + run * (1 << 20)


def _many(rng: random.Random) -> bytes:
    """Thousands of layers, effects, groups or spans."""
    count = rng.choice((100, 1990, 2010))
    match rng.randrange(4):
        case 0:
            more = [MadeLayer(name="x", size=(1, 1)) for _ in range(count)]
        case 1:
            more = [MadeLayer(name="x", size=(1, 1), effects=["Blur"] * count)]
        case 2:
            more = [MadeLayer(name="Image", group=True, size=(90, 56), path=(0,) * depth) for depth in range(1, 70)]
        case _:
            spans = "<span color='#f00'>a</span>" * count + "<b>" * rng.choice((0, 200))
            more = [MadeLayer(name="Effect Text", text=said(f"<markup>{spans}</markup>", markup=True))]
    return xcf([*more, *card_layers()], version=rng.choice((3, 20)))


def _words(rng: random.Random) -> bytes:
    """Words that a card file could take for something else."""
    words = rng.choice(
        (
            "../../etc/passwd",
            "con",
            "a: b\n- c",
            "\0",
            "\x1b[2J",
            "\u202e",
            "x" * 70_000,
            "{",
            "'",
            "%YAML",
            "💥",
            "\ufeff",
            "# no",
        )
    )
    layer = rng.choice(
        ("Name", "Effect Text", "Flavor Text", "Card License", "Cost", "Edition Indicator", "Image Author")
    )
    made = MadeLayer(name=layer, text=said(words))
    return xcf([made, *(each for each in card_layers() if each.name != layer)])


TRAPS = (_huge, _bomb, _runs, _many, _words)
