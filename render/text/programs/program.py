"""What all font programs have in common, as a value that answers questions about glyphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Box = tuple[float, float, float, float]
"""Left, bottom, right and top of a glyph's ink, in em; y points up."""


class UnreadableFont(ValueError):
    """A font program is damaged, or not of the kind that it should be."""


class CutFont(UnreadableFont):
    """A font program ends before something that it refers to."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Program:
    """A font program of `count` glyphs, numbered from 0, which is the missing glyph (.notdef).

    `width` returns a glyph's width in thousandths of an em, `box` its ink; both return None if it has none or it is
    unknown. `names` maps names to glyphs, `codes` codes of the font's own encoding to names, `maps` a platform and
    encoding to a character map. `cids` maps the character ids of a CID font to glyphs; None if they are the same.
    `matrices` are those by which a compact font's outlines are drawn, where it gives any.
    """

    count: int
    width: Callable[[int], float | None]
    box: Callable[[int], Box | None] = lambda _: None
    knows_boxes: bool = False
    names: Mapping[str, int] = field(default_factory=dict)
    codes: Mapping[int, str] = field(default_factory=dict)
    maps: Mapping[tuple[int, int], Mapping[int, int]] = field(default_factory=dict)
    cids: Mapping[int, int] | None = None
    matrices: tuple[tuple[float, ...], ...] = ()
