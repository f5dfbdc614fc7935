"""Layout: a template filled with a card's values becomes a scene.

Everything is decided here: line breaks, sizes, glyph positions, the place of the picture. The scene is complete.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from msgspec import Struct

from render.base.findings import Diagnostic, Refused, Span
from render.base.geometry import Affine, Rect, Size
from render.layout.bounds import around, may_show, of_item
from render.layout.drawable import EVERYWHERE, Undrawable
from render.layout.style import Style
from render.layout.svg.subset import element_name, tag_of
from render.layout.template_walk import Pictures, TemplateWalk
from render.layout.templates.rendering import Overspent, fill_in, overspent_finding
from render.layout.templates.template import Template
from render.scene.items import Item, Scene, TextRun

Doubts = list[Diagnostic] | None


def lay_out(template: Template, values: Mapping[str, object], pictures: Pictures, doubts: Doubts = None) -> Scene:
    """Return the scene of a face; Refused with everything that is wrong with the template or does not fit.

    A text that does not fit is a finding whose `field` is its element's `id`: by convention the card's key. Warnings
    are added to `doubts`.
    """
    return _walked(TemplateWalk(template, pictures), values, doubts)


def validate(template: Template, values: Mapping[str, object], pictures: Pictures, doubts: Doubts = None) -> Scene:
    """Check as `lay_out` does, but set no text that fits: that finds all mistakes, and the places of pictures."""
    return _walked(TemplateWalk(template, pictures, sets_words=False), values, doubts)


class FacePart(Struct, frozen=True):
    """What an element of a template with an `id` drew: by convention, the id is the key of the card that it shows.

    Pictures mostly have none: their digests tell which they are. A text has at least one run for each of its lines.
    `place` looks up where the element stands.
    """

    id: str
    items: tuple[Item, ...]
    place: Callable[[], Span]


def lay_out_parts(template: Template, values: Mapping[str, object], pictures: Pictures) -> tuple[Scene, list[FacePart]]:
    """Return a face, and the texts and pictures on it, each with its id; Refused as in `lay_out`."""
    walk = _Noting(template, pictures)
    scene, parts = _walked(walk, values), list[FacePart]()
    for element, items in walk.drawn:
        tag = tag_of(element)
        shown = tuple(item for item in items if tag == "image" or (tag == "text" and isinstance(item, TextRun)))
        if shown:
            parts.append(FacePart(element.get("id", ""), shown, partial(walk.filled.place, element)))
    return scene, parts


_ICON = 10.0  # mm: the height of an icon by itself


def lay_out_icon(template: Template, shown: Mapping[str, str], pictures: Pictures) -> Scene:
    """Return what an icon draws by itself: the scene is what its `viewBox` shows; Refused.

    `shown` are `value`, `words` and `color`. Other than on a face, what lies outside of the `viewBox` counts, too.
    """
    from render.layout.icons import icon_drawing

    walk = TemplateWalk(template, pictures)
    drawing = icon_drawing(template, shown)
    size = Size(_ICON * drawing.view.width / drawing.view.height, _ICON)
    walk.window = size.rect
    try:
        items = walk.drawn_icon(drawing, drawing.place((0.0, 0.0, size.width, size.height)))
    except (Overspent, Undrawable) as error:
        problem = Diagnostic("T011", f"template `{template.name}`: {error}")
        raise Refused([problem.at(Span(file=template.file))]) from None
    if walk.findings:
        raise Refused(walk.findings)
    return Scene(size, items)


def _walked(walk: TemplateWalk, values: Mapping[str, object], doubts: Doubts = None) -> Scene:
    try:
        walk.filled = fill_in(walk.template, values)
        scene = walk.face()
        if walk.rewrites():
            scene = walk.face()
    except Overspent as error:
        raise Refused([overspent_finding(error, walk.template)]) from None
    if walk.findings:
        raise Refused(walk.findings)
    if doubts is not None:
        doubts += walk.doubts
    return scene


class DrawnElement(Struct, frozen=True):
    """An element of a template as a face draws it: what messages call it, its place, and the box around it, in mm."""

    name: str
    place: Span
    box: Rect


def lay_out_elements(
    template: Template, values: Mapping[str, object], pictures: Pictures, *, in_sight: bool
) -> tuple[Scene, list[DrawnElement], frozenset[Span]]:
    """Return a scene, the elements that lie wholly off its face, and the places of those that do not; Refused.

    The places are left out if nothing lies off, unless those `in_sight` are asked for. Of what lies in a group that
    is wholly off, the group is meant. Off is what lies beyond all bleed; of lines without width, L010 is told.
    """
    walk = _Noting(template, pictures)
    scene, place = _walked(walk, values), walk.filled.place
    on: list[ET.Element] = []
    off: list[DrawnElement] = []
    within: set[ET.Element] = set()  # elements that are off
    for element, items in walk.drawn:
        is_line = tag_of(element) == "text" and "width" not in element.attrib
        if any(may_show(item, walk.window) for item in items):
            on.append(element)
        elif element not in within and not is_line and any(may_show(item, EVERYWHERE) for item in items):
            off.append(DrawnElement(element_name(element), place(element), around(map(of_item, items))))
            within.update(element.iter())
    return scene, off, frozenset(map(place, on)) if off or in_sight else frozenset()


class _Noting(TemplateWalk):
    """A walk that notes which element drew what: groups before what is in them."""

    def begin(self) -> None:
        super().begin()
        self.drawn: list[tuple[ET.Element, tuple[Item, ...]]] = []

    def _within(self, elements: Iterable[ET.Element], space: Affine, look: Style) -> Iterator[Item]:
        for child in elements:
            number = len(self.drawn)
            items = tuple(super()._within((child,), space, look))
            if not self.boxes:
                self.drawn.insert(number, (child, items))
            yield from items
