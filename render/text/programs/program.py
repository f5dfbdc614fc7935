"""What all font programs have in common, as a value that answers questions about glyphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Box = tuple[float, float, float, float]
"""Left, bottom, right and top of a glyph's ink, in em."""


class UnreadableFont(ValueError):  # noqa: N818 - it is a result, not a mistake of the program
    """A font program is damaged, or none of its kind."""


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A font program: `count` glyphs, numbered from 0, which is the one for what is missing.

    `width` gives a glyph's width in thousandths of an em, `box` its ink; nothing, if it has none or nobody knows.
    `names` are glyphs by name, `codes` by the font's own encoding, `maps` by a character map's platform and encoding,
    `cids` by the numbers that a font of characters in collections gives them, nothing if these are the glyphs' own.
    """

    count: int
    width: Callable[[int], float | None]
    box: Callable[[int], Box | None] = lambda _: None
    knows_boxes: bool = False
    names: Mapping[str, int] = field(default_factory=dict)
    codes: Mapping[int, str] = field(default_factory=dict)
    maps: Mapping[tuple[int, int], Mapping[int, int]] = field(default_factory=dict)
    cids: Mapping[int, int] | None = None
