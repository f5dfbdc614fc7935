"""SVG pictures with numbers from anywhere, and with more rules and attributes than anybody writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from random import Random

from msgspec.structs import replace

from proofs.hostile.bounds import Attempt, Case
from proofs.hostile.pictures import case

NUMBERS = (
    "1e9", "1e30", "1e38", "3e38", "1e39", "1e-9", "1e-30", "1e-320", "0", "-1", "10", "5", "20", "1e7", "1e5", "-1e9",
    "-1e30", "1e308", "1e15",
)  # fmt: skip
SIZES = ("0 0 30 20", "0 0 30 20", "0 0 30 20", "0 0 1e-320 1e-320", "0 0 1e-6 1e-6", "1e6 -1e6 9e6 9e6", "0 0 1e-40 1")
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="{}">'
SQUARE = '<rect class="a" width="9" height="9"/>'
BOMBS = (
    "<style>" + ".a{fill:red}" * 300_000 + "</style>" + SQUARE,
    "<style>" + "a{}" * 1_000_000 + "</style>" + SQUARE,
    "<style>" + "*{fill:red}" * 5000 + "</style>" + SQUARE * 19_000,
    "<style>a{" + "b:c;" * 900_000 + "}</style>" + SQUARE,
    "<style>" + ",".join("a" * 1_000_000) + "{fill:red}</style>" + SQUARE,
    "<style>" + "*{fill:red}" * 2000 + "</style>" + SQUARE * 7000,
    '<rect style="' + "a:b;" * 900_000 + '"/>',
    '<rect class="' + "a " * 1_900_000 + '"/>',
    "<rect " + " ".join(f'a{number:x}=""' for number in range(350_000)) + "/>",
    "<g " + " ".join(f'xmlns:a{number:x}="{number:x}"' for number in range(150_000)) + "/>",
    ("<rect " + " ".join(f'a{number}=""' for number in range(990)) + "/>") * 450,
    f'<g transform="{"rotate(1)" * 400_000}">{SQUARE}</g>',
)


def cases(seed: int) -> Iterator[Case]:
    """Yield pictures without end: most of endless shapes, every fourth of too many parts."""
    for number in count():
        random = Random(f"{seed} {number}")
        if number % 4 == 3:
            content, size = BOMBS[number // 4 % len(BOMBS)], SIZES[0]
        else:
            content, size = _definitions(random) + _shape(random) * random.choice((1, 1, 2)), random.choice(SIZES)
        drawing = f"{HEAD.format(size)}{content}</svg>"
        yield replace(case(f"{drawing[:1500]} {seed} {number}", drawing.encode()), check=_judge)


def _judge(folder: Path, attempts: Sequence[Attempt]) -> list[str]:
    """Return where the commands disagree, and words that nobody but a programmer of resvg understands."""
    statuses = [attempt.status for attempt in attempts]
    faults = [f"check, png and pdf end with {statuses}"] if len(set(statuses)) > 1 else []
    faults += [f"no {name}" for name in ("o.pdf", "p/a.png") if statuses[0] == 0 and not (folder / name).exists()]
    words = b"".join(attempt.out + attempt.err for attempt in attempts)
    return faults + [f"said {word.decode()}" for word in (b"unwrap", b"out of range", b"overflow") if word in words]


def _shape(random: Random) -> str:
    def numbers(pattern: str) -> str:
        return "".join(random.choice(NUMBERS) if char == "#" else char for char in pattern)

    stroke = random.choice(("", "", ' stroke-dasharray="# #"', ' stroke-linejoin="round"'))
    looks = (
        f' stroke="red" stroke-width="#"{stroke}', f' transform="{random.choice(("scale", "skewX", "rotate"))}(#)"',
        f' fill="url(%{random.choice("abd")})"', ' filter="url(%f)"', ' mask="url(%m)"', ' clip-path="url(%c)"',
    )  # fmt: skip
    shape = random.choice(
        (
            f'<path d="M# # A# # # {random.choice("01")} 1 # #"', '<path d="M# # L# # C# # # # # #z"',
            '<circle cx="#" cy="#" r="#"', '<rect x="#" y="#" width="#" height="#" rx="#"', '<ellipse rx="#" ry="#"',
            '<line x2="#" y2="#"',
        )
    )  # fmt: skip
    return numbers(shape + "".join(random.sample(looks, random.randint(0, 2)))).replace("%", "#") + "/>"


def _definitions(random: Random) -> str:
    pattern = (
        '<linearGradient id="a" x1="#" x2="#" gradientUnits="userSpaceOnUse"><stop offset="0"/><stop offset="1"/>'
        '</linearGradient><radialGradient id="b" r="#" fx="#"><stop offset="0"/><stop offset="1"/></radialGradient>'
        '<pattern id="d" width="#" height="#" viewBox="0 0 # #"><rect width="#" height="3"/></pattern><filter id="f">'
        '<feGaussianBlur stdDeviation="#"/><feOffset dx="#"/></filter><mask id="m" width="#"><rect width="#" height="9"/>'
        '</mask><clipPath id="c"><circle r="#"/></clipPath>'
    )
    return "".join(random.choice(NUMBERS) if char == "#" else char for char in pattern)
