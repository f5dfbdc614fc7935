"""Drawings rewritten as `resolving` does, where most of them are the same on every card.

What parts became is kept by their content. Of a drawing whose text is that of an earlier one but for its texts and
pictures, no more than these is read.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from render.base.caches import BoundedCache
from render.layout.svg.drawing import SVG, XLINK_HREF, Artboard, Context, Mistake, Subset, is_chosen, tag_of
from render.layout.svg.paints import Paints, enter
from render.layout.svg.properties import UNDRAWN
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


class KeptDrawing(NamedTuple):
    """The root of a drawing in plain elements, and those within it that other cards have as well.

    `elements` is how many the file has.
    """

    root: ET.Element
    shared: AbstractSet[ET.Element]
    elements: int = 0


class _Known(NamedTuple):
    """What the text around the texts and pictures of drawings became: `runs` before, between and behind these.

    Without runs, such drawings cannot be known by their text. `shared` is what is not drawn where it stands, `kept` the
    elements of the runs; `elements` are in the file, `drawn` are counted as they are drawn.
    """

    frame: DrawingFrame
    shared: Sequence[ET.Element]
    runs: tuple[tuple[ET.Element, ...], ...]
    kept: frozenset[ET.Element]
    elements: int
    drawn: int
    characters: int


class KeptDrawings:
    """What drawings and their parts became, of those used last; `subset` and `inside` are as in `resolve`."""

    def __init__(self, subset: Subset, inside: Subset) -> None:
        self._subset, self._inside = subset, inside
        self._frames = BoundedCache[DrawingFrame](MAX_KEPT, lambda frame: frame.characters)
        self._known = BoundedCache[_Known](MAX_KEPT, lambda known: known.characters)
        self.parts = KeptParts()

    def resolve(self, root: ET.Element, count: Callable[[int], None], text: str = "") -> KeptDrawing | None:
        """Return a drawing in plain elements; None if anything is wrong or odd, of which `resolve` says what and where.

        `count` is as there. Given its text, too, `resolve_text` may know the next such drawing by it.
        """
        try:
            survey = DrawingSurvey(root)
            looked_up, shared = survey.looked_up()
            frame = self._frames.get(looked_up, lambda: DrawingFrame(root, shared))
            # Of a drawn element and another with one id, the order decides which is meant.
            if not frame.ids.isdisjoint(survey.drawn):
                return None
            drawing = ExactArtboard(root, self._subset, self._inside, count)
            resolver = KeepingResolver(drawing, frame, survey.still, self.parts)
            made = resolver.root(root)
            if text and not survey.copies:
                self._remember(text, root, resolver, shared)
        except OddDrawingError:
            return None
        return KeptDrawing(made, resolver.shared)

    def resolve_text(self, text: str, count: Callable[[int], None]) -> KeptDrawing | None:
        """Return what `resolve` gives for the text of a drawing, of which no more is read than its texts and pictures.

        None if there was no drawing yet that has all else in common with it, and if anything is odd.
        """
        try:
            head, still, of_card = _divided(text)
            known = self._known.get((head, still), _unknown)
            if not known.runs:
                return None
            root = ET.fromstring(f"{head}{''.join(of_card)}</svg>".encode())
            own = [*root]
            elements = _own_elements(root, known.frame)
            if len(own) != len(of_card) or deeper_than(MAX_DEPTH, root) is not None:
                return None
            root.extend(known.shared)
            drawing = ExactArtboard(root, self._subset, self._inside, count)
            resolver = KeepingResolver(drawing, known.frame, {}, self.parts)
            made = resolver.joined(root, own, known.runs, known.drawn)
            return KeptDrawing(made, known.kept, known.elements + elements)
        except (OddDrawingError, ET.ParseError, ValueError):
            return None

    def _remember(self, text: str, root: ET.Element, resolver: KeepingResolver, shared: Sequence[ET.Element]) -> None:
        """Remember what a drawing became by all of its text but texts and pictures."""
        try:
            head, still, _ = _divided(text)
        except OddDrawingError:
            return

        def learnt() -> _Known:
            runs = _runs(head, still, root, resolver)
            own = sum(1 for child in root if child.tag in OF_A_CARD for _ in child.iter())
            elements = sum(1 for _ in root.iter()) - own
            kept = frozenset(made for run in runs for each in run for made in each.made)
            drawn = sum(each.drawn for run in runs for each in run)
            made = tuple(tuple(made for each in run for made in each.made) for run in runs)
            characters = len(text) + ELEMENT_CHARACTERS * elements
            return _Known(resolver.frame, shared, made, kept, elements=elements, drawn=drawn, characters=characters)

        self._known.get((head, still), learnt)


def _runs(head: str, still: Sequence[str], root: ET.Element, resolver: KeepingResolver) -> Sequence[Sequence[RootPart]]:
    """Return what each stretch of text became; nothing if texts or pictures stand elsewhere than in the root.

    Nor if something is said of the root as a whole, or other elements could look up what is in a text.
    """
    try:
        counts = [len(ET.fromstring(f"{head}{each}</svg>".encode())) for each in still]
    except (ET.ParseError, ValueError):
        return ()
    own = [child for child in root if child.tag in OF_A_CARD]
    looked_up = any(each.tag in LOOKED_UP for child in own for each in child.iter())
    wrapped = not OF_A_WHOLE.isdisjoint(resolver.begun(root).given)
    if looked_up or wrapped or len(own) != len(still) - 1 or sum(counts) + len(own) != len(root):
        return ()
    starts = [sum(counts[:number]) + number for number in range(len(counts))]
    runs = [resolver.of_root[start : start + count] for start, count in zip(starts, counts, strict=True)]
    return runs if all(each.is_still for run in runs for each in run) else ()


_HEAD = re.compile(r"\s*<svg\b[^<>]*>")
_TEXTS = re.compile(r"(<text\b[^<>]*>.*?</text>|<image\b[^<>]*/>)", re.DOTALL)


def _divided(text: str) -> tuple[str, tuple[str, ...], list[str]]:
    """Return the start of the root, what stands between texts and pictures, and these; OddDrawingError.

    Where this divides wrongly, as within a comment, a piece is not well-formed by itself.
    """
    head = _HEAD.match(text)
    end = text.rstrip()
    if head is None or not end.endswith("</svg>"):
        raise OddDrawingError
    pieces = _TEXTS.split(end[head.end() : -len("</svg>")])
    return head[0], tuple(pieces[::2]), pieces[1::2]


def _unknown() -> _Known:
    """Make nothing of a drawing of which nothing is known: only a whole drawing teaches it; OddDrawingError."""
    raise OddDrawingError


def _own_elements(root: ET.Element, frame: DrawingFrame) -> int:
    """Return how many elements are in the texts and pictures of a card; OddDrawingError if others look them up."""
    number = -1
    for each in root.iter():
        number += 1
        if each.tag in LOOKED_UP or (number and each.get("id") in frame.ids):
            raise OddDrawingError
    return number
