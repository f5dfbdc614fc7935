"""Parts of drawings that were rewritten before: the cards of a template differ in a few texts, and share all else.

What a part becomes follows from what is written in it and in what it links to, from the style sheets, and from what it
inherits; so that is its key. A drawing with a mistake leaves nothing here, since mistakes are said of each card.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from render.base.caches import BoundedCache, stored
from render.layout.svg.drawing import SHEETS, Artboard, Context

_MOST = 8_000_000  # characters of attributes and texts that are kept: those of a few thousand parts
_MAX_LINKS = 16  # of elements to elements that link to others: a part with more is rewritten each time
_URL = re.compile(r"""url\(\s*["']?#([^"')]+)""")

Key = tuple[int, str, Context, int]
"""A hash of what a part is made from, the style sheets, what it inherits, and how deep it lies."""


class Part(NamedTuple):
    """The plain elements of a part, how many were counted, and which element in it each new one stands for.

    `size` is about how many characters they have.
    """

    made: list[ET.Element]
    counted: int
    origins: tuple[tuple[ET.Element, int], ...]
    size: int


_PARTS: BoundedCache[Part] = stored(BoundedCache(_MOST, lambda part: part.size))


class Memo:
    """Gives the parts of one drawing that are known, and takes those that are new."""

    def __init__(self, root: ET.Element, drawing: Artboard) -> None:
        self._drawing = drawing
        sheets = [(each.get("media"), *each.itertext()) for each in root.iter() if each.tag in SHEETS]
        self._sheets = repr(sheets) if sheets else ""
        self._hashes: dict[ET.Element, int | None] = {}
        self._given: set[Key] = set()
        self._new: dict[Key, Part] = {}

    def key(self, element: ET.Element, context: Context, depth: int) -> Key | None:
        """Return the key of a part; None if it is to be rewritten: no two parts of a drawing share their elements."""
        made_from = self._hash(element)
        # A style may link to anything.
        if made_from is None or "url(" in self._sheets:
            return None
        key = made_from, self._sheets, context, depth
        if key in self._given:
            return None
        self._given.add(key)
        return key

    def known(self, key: Key, element: ET.Element) -> list[ET.Element] | None:
        """Return the plain elements of a part, if it is known."""
        part, origins = _PARTS.find(key), self._drawing.origins
        if part is None or any(made in origins for made, _ in part.origins):  # within another part, perhaps
            return None
        self._drawing.count(part.counted)
        old = list(element.iter())
        origins.update((made, old[number]) for made, number in part.origins)
        return part.made

    def add(self, key: Key, element: ET.Element, made: list[ET.Element], before: tuple[int, int]) -> None:
        """Take what a part became; `before` are how many elements were new and counted before it."""
        numbers = {old: number for number, old in enumerate(element.iter())}
        new = list(islice(self._drawing.origins.items(), before[0], None))
        if all(old in numbers for _, old in new):  # no copies of what is elsewhere
            origins = tuple((each, numbers[old]) for each, old in new)
            size = sum(len(repr(each.attrib)) + len(each.text or "") + 200 for each, _ in new)
            self._new[key] = Part(made, self._drawing.counted - before[1], origins, size)

    def keep(self) -> None:
        """Keep the new parts for other drawings."""
        for key, part in self._new.items():
            _PARTS.put(key, part)

    def _hash(self, element: ET.Element, links: int = 0) -> int | None:
        """Return a hash of all that an element is made from; None if it links to what it is in, or on and on."""
        if element in self._hashes:
            return self._hashes[element]
        self._hashes[element] = None
        made_of: list[object] = [element.tag, element.text, *element.attrib.items()]
        for child in element:
            made_of += (self._hash(child, links), child.tail)
            if made_of[-2] is None:
                return None
        for value in element.attrib.values():
            if "#" in value:
                for target in self._linked(value):
                    made_of.append(self._hash(target, links + 1) if links < _MAX_LINKS else None)
                    if made_of[-1] is None:
                        return None
        # 64 bits of strings hashed with a secret: two parts out of a million are alike once in some ten million runs.
        found = self._hashes[element] = hash(tuple(made_of))
        return found

    def _linked(self, value: str) -> Iterator[ET.Element]:
        for name in _URL.findall(value) if "url(" in value else [value[1:]] if value[:1] == "#" else ():
            target = self._drawing.ids.get(name.strip())
            if target is not None:
                yield target
