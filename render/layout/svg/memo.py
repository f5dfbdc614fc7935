"""Parts of drawings that were rewritten before: the cards of a template differ in a few texts, and share all else.

What a part becomes follows from what is written in it and in what it links to, from the style sheets, and from what it
inherits; so that is its key. A drawing with a mistake leaves nothing here, since mistakes are said of each card.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from render.base.caches import BoundedCache, stored
from render.base.patterns import regex
from render.layout.svg.drawing import SHEETS, Artboard, Context

_MOST = 8_000_000  # characters of attributes and texts that are kept: those of a few thousand parts
_MAX_LINKS = 16  # of elements to elements that link to others: a part with more is rewritten each time
_URL = regex(r"""url\(\s*["']?#([^"')]+)""")


class Part(NamedTuple):
    """The plain elements of a part, how many were counted, and which element in it each new one stands for.

    `size` is about how many characters they have.
    """

    made: list[ET.Element]
    counted: int
    origins: list[tuple[ET.Element, int]]
    size: int


_PARTS: BoundedCache[Part] = stored(BoundedCache(_MOST, lambda part: part.size))


class Memo:
    """Gives the parts of one drawing that are known, and takes those that are new."""

    def __init__(self, root: ET.Element, drawing: Artboard) -> None:
        self._drawing = drawing
        sheets = [(each.get("media"), *each.itertext()) for each in root.iter() if each.tag in SHEETS]
        self._sheets = repr(sheets) if sheets else ""
        self._hashes: dict[ET.Element, int | None] = {}
        self._given: set[object] = set()
        self._new: dict[object, Part] = {}

    def part(
        self, element: ET.Element, context: Context, depth: int, make: Callable[[ET.Element, Context], list[ET.Element]]
    ) -> list[ET.Element]:
        """Return the plain elements of a part that lies so deep, as they are known from another drawing, or made."""
        drawing, made_from = self._drawing, self._hash(element)
        key = made_from, self._sheets, context, depth
        # A style may link to anything, and no two parts of a drawing share their elements.
        if made_from is None or "url(" in self._sheets or key in self._given:
            return make(element, context)
        self._given.add(key)
        part, inside = _PARTS.find(key), list(element.iter())
        if part and not any(new in drawing.origins for new, _ in part.origins):  # within another part, perhaps
            drawing.count(part.counted)
            drawing.origins.update((new, inside[number]) for new, number in part.origins)
            return part.made
        begun, counted = len(drawing.origins), drawing.counted
        made = make(element, context)
        numbers = {old: number for number, old in enumerate(inside)}
        origins = [(new, numbers.get(old, -1)) for new, old in islice(drawing.origins.items(), begun, None)]
        if all(number >= 0 for _, number in origins):  # no copies of what is elsewhere
            size = sum(len(repr(new.attrib)) + len(new.text or "") + 200 for new, _ in origins)
            self._new[key] = Part(made, drawing.counted - counted, origins, size)
        return made

    def keep(self) -> None:
        """Keep the new parts for other drawings."""
        for key, part in self._new.items():
            _PARTS.put(key, part)

    def _hash(self, element: ET.Element, links: int = 0) -> int | None:
        """Return a hash of all that an element is made from; None if it links to what it is in, or on and on."""
        if element in self._hashes:
            return self._hashes[element]
        self._hashes[element] = None
        parts = [self._hash(child, links) for child in element]
        parts += [self._hash(each, links + 1) if links < _MAX_LINKS else None for each in self._linked(element)]
        if None in parts:
            return None
        tails = (child.tail for child in element)
        # 64 bits of strings hashed with a secret: two parts out of a million are alike once in some ten million runs.
        found = hash((element.tag, element.text, *element.attrib.items(), *parts, *tails))
        self._hashes[element] = found
        return found

    def _linked(self, element: ET.Element) -> Iterator[ET.Element]:
        for value in element.attrib.values():
            if "#" in value:
                for name in _URL.findall(value) if "url(" in value else [value[1:]] if value[:1] == "#" else ():
                    target = self._drawing.ids.get(name.strip())
                    if target is not None:
                        yield target
