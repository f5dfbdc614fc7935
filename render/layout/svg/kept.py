"""Drawings rewritten as `resolving` does, where most of them are the same on every card.

What parts became is kept by their content. Of a drawing whose text is that of an earlier one but for its texts and
pictures, no more than these is read.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from render.base.caches import BoundedCache
from render.layout.svg.drawing import Subset
from render.layout.svg.kept_parts import (
    ELEMENT_CHARACTERS,
    LOOKED_UP,
    MAX_KEPT,
    OF_A_CARD,
    OF_A_WHOLE,
    DrawingFrame,
    DrawingSurvey,
    ExactArtboard,
    KeepingResolver,
    KeptParts,
    OddDrawingError,
    RootPart,
)
from render.layout.svg.resolving import MAX_DEPTH, deeper_than


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
