"""Properties: what a GIMP file says of its canvas, a layer or a mask, each with a number and a length."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from render.images.xcf.broken import BrokenXcf
from render.images.xcf.cursor import Cursor


@dataclass(slots=True, kw_only=True)
class Properties:
    """What properties say, or what GIMP takes where they are missing."""

    colors: bytes = b""
    compression: int = 0
    resolution: tuple[float, float] = (72.0, 72.0)
    floating: bool = False
    opacity: float = 1.0
    mode: int = 0
    visible: bool = True
    applies_mask: bool = True
    composite_space: int = 0
    offsets: tuple[int, int] = (0, 0)
    group: bool = False
    text_flags: int = 0
    path: tuple[int, ...] = ()
    parasites: dict[str, bytes] = field(default_factory=dict)


def read_properties(cursor: Cursor) -> Properties:
    """Read a list of properties up to its end. Unknown ones are skipped, as the format asks."""
    found = Properties()
    while True:
        start = cursor.at
        number, body = cursor.number(), cursor.take(cursor.number())
        if number == 0:
            return found
        if number in _READERS:
            _take_up(found, number, body, start)


def _take_up(found: Properties, number: int, body: bytes, start: int) -> None:
    name, read = _READERS[number]
    try:
        value = read(Cursor(body, 0))
    except BrokenXcf as broken:
        raise BrokenXcf(broken.code, broken.message, start) from None
    if isinstance(value, dict):
        found.parasites.update(value)
    else:
        setattr(found, name, value)


def _flag(body: Cursor) -> bool:
    return body.number() != 0


def _set(_: Cursor) -> bool:
    return True


def _color_map(body: Cursor) -> bytes:
    return body.take(min(3 * body.number(), 768, len(body.data) - body.at))


def _compression(body: Cursor) -> int:
    return body.take(1)[0]


def _resolution(body: Cursor) -> tuple[float, float]:
    given = (body.real(), body.real())
    return given if all(math.isfinite(each) and each > 0 for each in given) else (72.0, 72.0)


def _opacity(body: Cursor) -> float:
    return min(body.number(), 255) / 255


def _exact_opacity(body: Cursor) -> float:
    given = body.real()
    return min(max(given, 0.0), 1.0) if math.isfinite(given) else 1.0


def _offsets(body: Cursor) -> tuple[int, int]:
    return body.signed(), body.signed()


def _path(body: Cursor) -> tuple[int, ...]:
    return tuple(body.number() for _ in range(len(body.data) // 4))


def _parasites(body: Cursor) -> dict[str, bytes]:
    return dict(_each_parasite(body))


def _each_parasite(body: Cursor) -> Iterator[tuple[str, bytes]]:
    while body.at < len(body.data):
        name, _flags, length = body.words(), body.number(), body.number()
        yield name, body.take(length)


_READERS: dict[int, tuple[str, Callable[[Cursor], object]]] = {
    1: ("colors", _color_map),
    5: ("floating", _set),
    6: ("opacity", _opacity),
    7: ("mode", Cursor.number),
    8: ("visible", _flag),
    11: ("applies_mask", _flag),
    15: ("offsets", _offsets),
    17: ("compression", _compression),
    19: ("resolution", _resolution),
    21: ("parasites", _parasites),
    26: ("text_flags", Cursor.number),
    29: ("group", _set),
    30: ("path", _path),
    33: ("opacity", _exact_opacity),
    36: ("composite_space", Cursor.signed),
}
"""By the number of a property (`PropType` in the source of GIMP), the field that it fills and how it is read."""
