"""Parts of drawings rewritten as `resolving` does, each only once, by their content.

A part is kept by its content, what it inherits, how deep it stands, and whatever any part could look up: the root, all
that is not drawn where it stands (gradients, clips, symbols, style sheets), and what is copied. Texts and pictures are
of a card and are not kept. The same elements may then be in the drawings of many cards: nobody changes them.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from render.base.caches import BoundedCache
from render.layout.svg.contexts import enter
from render.layout.svg.css.properties import UNDRAWN
from render.layout.svg.drawing import SVG, XLINK_HREF, Artboard, Context, Mistake, is_chosen, tag_of
from render.layout.svg.paints import Paints
from render.layout.svg.resolving import MAX_DEPTH, BegunDrawing, Resolver, deeper_than
from render.layout.svg.texts import Make, Texts, TextShell

MAX_KEPT = 16_000_000  # characters in each of four caches: 8 of the largest faces
ELEMENT_CHARACTERS = 400  # characters that take as much memory as an element without attributes

Content = tuple[object, ...]
"""What elements say: two that are alike have one."""

_SHARED = UNDRAWN | {SVG + tag for tag in UNDRAWN}
OF_A_CARD = frozenset({"text", "image", f"{SVG}text", f"{SVG}image"})
OF_A_WHOLE = frozenset({"display", "opacity", "clip-path"})  # what holds for an element with all within it
_COPIES = ("use", f"{SVG}use")
LOOKED_UP = _SHARED.union(_COPIES)


class OddDrawingError(Exception):
    """There is a mistake in a drawing, or something that is not kept."""


class ExactArtboard(Artboard):
    """A drawing without mistakes."""

    def note(self, mistake: Mistake) -> None:
        raise OddDrawingError(mistake.problem.message)


class DrawingFrame:
    """What parts of a drawing could look up, with its ids; equal to nothing but itself.

    `begun` is the root, once it is known.
    """

    def __init__(self, root: ET.Element, shared: Sequence[ET.Element]) -> None:
        if deeper_than(MAX_DEPTH, root) is not None:
            raise OddDrawingError
        self.ids = frozenset(name for top in shared for each in top.iter() if (name := each.get("id")))
        self.begun: BegunDrawing | None = None
        self.characters = sum(map(_characters, shared))


class _Part(NamedTuple):
    """What an element became, how many elements that took, and the characters that are kept of it."""

    made: tuple[ET.Element, ...]
    elements: int
    characters: int


class _Shell(NamedTuple):
    """What an element of a text became, and the characters that are kept of it."""

    shell: TextShell | None
    characters: int


class KeptParts:
    """What parts of drawings became, of those used last, by all that they say and could look up.

    `elements` are those that are the same on every card, `shells` those of texts, without their words.
    """

    def __init__(self) -> None:
        self.elements = BoundedCache[_Part](MAX_KEPT, lambda part: part.characters)
        self.shells = BoundedCache[_Shell](MAX_KEPT, lambda shell: shell.characters)


class DrawingSurvey:
    """A look at all of a drawing, not too deep (OddDrawingError): what is drawn by id, and the content of what is kept.

    What does not depend on a card is found by its kind: texts and pictures are left out, with all that is around them.
    """

    def __init__(self, root: ET.Element) -> None:
        self.still: dict[ET.Element, Content] = {}
        self.drawn: dict[str, ET.Element] = {}
        self._root = root
        self._shared: list[ET.Element] = []
        self.copies = [each for tag in _COPIES for each in root.iter(tag)]
        self._read(root, MAX_DEPTH)

    def looked_up(self) -> tuple[Content, Sequence[ET.Element]]:
        """Return the content of all that parts could look up, and the elements that are not drawn where they stand."""
        links = [each.get("href") or each.get(XLINK_HREF) or "" for each in self.copies]
        copied = [self.drawn[name] for link in links if (name := link.removeprefix("#")) in self.drawn]
        attributes = tuple(self._root.attrib.items())
        return (self._root.tag, attributes, *map(_content, self._shared), *map(_content, copied)), self._shared

    def _read(self, element: ET.Element, room: int) -> Content | None:
        """Return the content of a part, with room for so many levels; None if texts or pictures are in it."""
        if not room:
            raise OddDrawingError
        attributes = element.attrib
        if "id" in attributes:
            self.drawn.setdefault(attributes["id"], element)
        still = element.tag not in OF_A_CARD
        within: list[object] = []
        for child in element:
            if child.tag in _SHARED:
                self._shared.append(child)
                within += _content(child), child.tail
            elif (read := self._read(child, room - 1)) is None:
                still = False
            else:
                within += read, child.tail
        if not still:
            return None
        content = self.still[element] = (element.tag, tuple(attributes.items()), element.text, *within)
        return content


def _content(element: ET.Element) -> Content:
    """Return all that an element says; the number of children tells where each stands."""
    return tuple([(each.tag, tuple(each.attrib.items()), each.text, each.tail, len(each)) for each in element.iter()])


def _characters(element: ET.Element) -> int:
    """Return how many characters an element takes, with those within it."""
    return sum(
        ELEMENT_CHARACTERS + len(each.text or "") + sum(len(name) + len(value) for name, value in each.attrib.items())
        for each in element.iter()
    )


class RootPart(NamedTuple):
    """What an element in the root became, how many elements that took, and whether it is kept."""

    made: tuple[ET.Element, ...]
    drawn: int
    is_still: bool


class _Count:
    """Tells `count` of what is drawn; `total` is how many elements that were so far."""

    def __init__(self, count: Callable[[int], None]) -> None:
        self.total, self._count = 0, count

    def __call__(self, amount: int) -> None:
        self.total += amount
        self._count(amount)


def _new(tag: str, given: Mapping[str, str], old: ET.Element) -> ET.Element:
    return ET.Element(tag, dict(given))


class KeepingResolver(Resolver):
    """Rewrites a drawing, with what its parts became before."""

    def __init__(
        self, drawing: Artboard, frame: DrawingFrame, still: Mapping[ET.Element, Content], kept: KeptParts
    ) -> None:
        super().__init__(drawing)
        self.frame, self._still, self._kept = frame, still, kept
        self.new = _new
        self.texts = _KeepingTexts(drawing, self.paints, self.new, frame, kept.shells)
        self._count = drawing.count = _Count(drawing.count)
        self.shared: set[ET.Element] = set()
        self.of_root: list[RootPart] = []

    def begun(self, old: ET.Element) -> BegunDrawing:
        begun = self.frame.begun = self.frame.begun or super().begun(old)
        return begun

    def children(self, old: ET.Element, context: Context) -> list[ET.Element]:
        if len(self.open) > 1:
            return super().children(old, context)
        self.check_words(old)
        for child in old:
            before = self._count.total
            made = self.element(child, context)
            is_still = child in self._still or child.tag in _SHARED
            self.of_root.append(RootPart(tuple(made), self._count.total - before, is_still))
        return [made for each in self.of_root for made in each.made]

    def joined(
        self, root: ET.Element, own: Sequence[ET.Element], runs: Sequence[Sequence[ET.Element]], drawn: int
    ) -> ET.Element:
        """Return the root with `runs` of what is known, of `drawn` elements, and its own texts and pictures between."""
        begun = self.begun(root)
        made = self.new("svg", begun.look, root)
        self.open.append(root)
        self.drawing.count(drawn)
        for run, child in zip(runs, own, strict=False):
            made.extend(run)
            made.extend(self.element(child, begun.context))
        made.extend(runs[-1])
        return made

    def element(self, old: ET.Element, context: Context) -> list[ET.Element]:
        content = self._still.get(old)
        if content is None:
            return self._text(old, context) if tag_of(old) == "text" else super().element(old, context)
        before, made_now = self._count.total, False

        def make() -> _Part:
            nonlocal made_now
            made_now = True
            made = super(KeepingResolver, self).element(old, context)
            return _Part(tuple(made), self._count.total - before, sum(map(_characters, [old, *made])))

        part = self._kept.elements.get((self.frame, len(self.open), context, content), make)
        if not made_now:
            self._count(part.elements)
        if len(self.open) == 1:
            self.shared.update(part.made)
        return list(part.made)

    def _text(self, old: ET.Element, context: Context) -> list[ET.Element]:
        """Return a text, of which all but the words is kept."""
        key = self.frame, len(self.open), context, tuple(old.attrib.items())
        shell = self._kept.shells.get(key, lambda: _Shell(self._shell(old, context), _characters(old))).shell
        if shell is None or self.texts.has_places(old, old.attrib):
            return super().element(old, context)
        self.drawing.count(1)
        return self.texts.filled(shell, old)

    def _shell(self, old: ET.Element, context: Context) -> TextShell | None:
        """Return a text without its words; None if it is not seen, or seen through or clipped as a whole."""
        given = self.drawing.properties(old)
        if len(self.open) > MAX_DEPTH or not OF_A_WHOLE.isdisjoint(given) or not is_chosen(old):
            return None
        inner = enter(context, given, old, self.drawing, self.paints)
        return self.texts.begun(old, self.plain(old, given, inner), inner)


class _KeepingTexts(Texts):
    """Rewrites texts, with what elements in them were before."""

    def __init__(
        self, drawing: Artboard, paints: Paints, make: Make, frame: DrawingFrame, shells: BoundedCache[_Shell]
    ) -> None:
        super().__init__(drawing, paints, make)
        self._frame, self._shells = frame, shells

    def within(self, old: ET.Element, around: str, context: Context, opacity: float) -> TextShell | None:
        key = self._frame, around, context, opacity, old.tag, tuple(old.attrib.items())
        return self._shells.get(key, lambda: self._made(old, around, context, opacity)).shell

    def _made(self, old: ET.Element, around: str, context: Context, opacity: float) -> _Shell:
        return _Shell(super().within(old, around, context, opacity), _characters(old))
