"""Damaged fonts of a set: TrueType, PostScript outlines and variable ones. What `check` passes, `png` and `pdf` print."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import count
from pathlib import Path
from random import Random

from proofs.hostile.bounds import Attempt, Case
from tests.support.font_making import Made, font_bytes
from tests.support.repository import ROOT
from tests.support.templates import PLAIN_BACK, svg

FILES = {
    "game.yaml": "name: G\nkinds: {note: {}}\nfonts: {own: own.ttf}\n",
    "set.yaml": "name: S\n",
    "cards.yaml": "- {name: Note, kind: note}\n",
    "templates/back.svg": PLAIN_BACK,
    "templates/note.svg": svg(
        '<text x="5" y="10" font-size="4" font-family="own">Office file 12, Abc &amp; xyz?</text>'
    ),
}
COMMANDS = (("check", "s"), ("png", "s", "--out", "p"), ("pdf", "s", "--out", "o.pdf"))


@lru_cache(maxsize=1)
def sound() -> tuple[bytes, ...]:
    """Return fonts of all kinds; the first ones are our own, of boxes."""
    vary = (100, 400, 900)
    made = (Made(), Made(compact=True), Made(em=2048), Made(axis=vary), Made(compact=True, axis=vary))
    drawn = ("fonts/DroidSans-Latin.ttf", "tests/text/fonts/NotoSansCJKjp-Subset.otf")
    return (*map(font_bytes, made), *((ROOT / file).read_bytes() for file in drawn))


def cases(seed: int) -> Iterator[Case]:
    """Yield games without end, each with a damaged font that its card is set in."""
    for number in count():
        random = Random(f"{seed} {number}")
        data = bytearray(random.choice(sound()))
        names = [_damage(data, random) for _ in range(random.choice((1, 1, 1, 2, 6)))]
        yield case(f"{', '.join(names)} {seed} {number}", bytes(data))


def case(name: str, font: bytes) -> Case:
    """Return the case of a game whose template asks for this font."""

    def write(folder: Path) -> None:
        (folder / "s" / "templates").mkdir(parents=True)
        for file, text in FILES.items():
            (folder / "s" / file).write_text(text, encoding="utf-8")
        (folder / "s" / "own.ttf").write_bytes(font)

    return Case(name, write, COMMANDS, _judge)


def _judge(folder: Path, attempts: Sequence[Attempt]) -> list[str]:
    """Return where the commands disagree, and what was not written though they did not say so."""
    statuses = [each.status for each in attempts]
    faults = [f"check, png and pdf end with {statuses}"] if len(set(statuses)) > 1 else []
    outputs = (folder / "o.pdf", folder / "p" / "note.png")
    return faults + [f"no {output.name}" for output in outputs if statuses == [0, 0, 0] and not output.exists()]


# --- damage -----------------------------------------------------------------------------------------------------------

_RECORD = struct.Struct(">4sIII")
Damage = Callable[[bytearray, int, Random], None]
"""Damages a font, in the table whose record stands at that place."""


def _damage(data: bytearray, random: Random) -> str:
    """Damage a font in one of its tables, each of which is as likely; return what was done to which."""
    records = range(12, 12 + 16 * min(struct.unpack_from(">H", data, 4)[0], 40), 16)
    at = random.choice(records)
    tag = data[at : at + 4].decode("latin-1")
    name, damage = random.choice(DAMAGES)
    if at + 16 <= len(data):
        damage(data, at, random)
    return f"{name} {tag}"


def _extent(data: bytearray, at: int) -> tuple[int, int]:
    _, _, start, length = _RECORD.unpack_from(data, at)
    return min(start, len(data) - 8), min(start + length, len(data))


def _flip(data: bytearray, at: int, random: Random) -> None:
    start, end = _extent(data, at)
    for _ in range(random.choice((1, 3, 20))):
        data[random.randrange(start, max(end, start + 1))] = random.choice(
            (0, 1, 0x7F, 0x80, 0xFF, random.randrange(256))
        )


def _number(data: bytearray, at: int, random: Random) -> None:
    """Change a number among the first ones, which say how much there is of the rest."""
    start, end = _extent(data, at)
    place = start + 2 * random.randrange(max(min(end - start, 60) // 2, 1))
    data[place : place + 2] = random.choice((0, 1, 0x7FFF, 0x8000, 0xFFFF)).to_bytes(2, "big")


def _shorten(data: bytearray, at: int, random: Random) -> None:
    tag, check, start, length = _RECORD.unpack_from(data, at)
    shorter = random.choice((0, 1, length // 2, max(length - 1, 0), random.randrange(length + 1)))
    _RECORD.pack_into(data, at, tag, check, start, shorter)


def _move(data: bytearray, at: int, random: Random) -> None:
    tag, check, start, length = _RECORD.unpack_from(data, at)
    _RECORD.pack_into(data, at, tag, check, max(start + random.choice((-4, -1, 1, 2, 4, 40)), 0), length)


def _empty(data: bytearray, at: int, random: Random) -> None:
    start, end = _extent(data, at)
    end = random.choice((end, start + random.randrange(max(end - start, 1))))
    data[start:end] = bytes(end - start)


def _rename(data: bytearray, at: int, random: Random) -> None:
    data[at : at + 4] = random.choice((b"none", b"CFF ", b"CFF2", b"glyf", b"loca", b"head"))


def _cut(data: bytearray, at: int, random: Random) -> None:
    start, end = _extent(data, at)
    del data[random.randrange(start, max(end, start + 1)) :]


DAMAGES: tuple[tuple[str, Damage], ...] = (
    ("bytes of", _flip), ("bytes of", _flip), ("a number of", _number), ("a number of", _number),
    ("the length of", _shorten), ("the place of", _move), ("nothing in", _empty), ("the name of", _rename),
    ("cut in", _cut),
)  # fmt: skip
