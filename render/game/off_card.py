"""What templates draw wholly off the card, on every card that draws it: most likely its numbers are wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial

from render.base.findings import Diagnostic, Refused, Severity, Span
from render.base.geometry import Rect, Size
from render.game.cards import NO_BACK, GameSet, is_picture
from render.game.side_layout import SetLayouter
from render.layout.lay_out import Doubts, DrawnElement, lay_out_elements
from render.layout.template_walk import Pictures
from render.layout.templates.template import Template
from render.scene.items import Scene

_TRIED = 8  # sides of a template on which such elements are looked for; all others only tell what is seen after all


def off_card(card_set: GameSet) -> Iterator[Diagnostic]:
    """Yield a warning for each element of the set's own templates that no card shows though it draws it."""
    look = _Look()
    layouter = SetLayouter(card_set, look.lay_out)
    sides: dict[str, list[Callable[[], Scene]]] = {}
    for card in card_set.cards:
        for face, name in enumerate(card.own_templates):
            sides.setdefault(name, []).append(partial(layouter.side, card, face))
        if not card.has_own_back and card.back != NO_BACK and not is_picture(card.back):
            sides.setdefault(card.back, [partial(layouter.laid_out_back, card)])
    for name, some in sides.items():
        for element in look.at(some):
            where = _where(element.box, look.size)
            message = f"template `{name}`: `{element.name}` lies wholly off the card, {where}: nobody sees it"
            hint = f"move it onto the card, which is {look.size}, or remove it"
            yield Diagnostic("T017", message, hint, Severity.WARNING).at(element.place)


def _where(box: Rect, card: Size) -> str:
    """Return on which side of a card a box lies, and how far away."""
    sides = {
        "below it": box.y - card.height,
        "above it": -box.bottom,
        "to the right of it": box.x - card.width,
        "to the left of it": -box.right,
    }
    side = max(sides, key=lambda each: sides[each])
    return f"{sides[side]:.0f} mm {side}"


class _Look:
    """Looks for elements off the card, as what lays out sides."""

    def __init__(self) -> None:
        self.size = Size(0.0, 0.0)  # of the face that was laid out last, in mm
        self._for_those_in_sight = False
        self._off: Mapping[Span, DrawnElement] = {}
        self._on: frozenset[Span] = frozenset()

    def at(self, sides: Sequence[Callable[[], Scene]]) -> Sequence[DrawnElement]:
        """Return the elements that these sides of one template draw, and none of them shows."""
        found: dict[Span, DrawnElement] = {}
        self._for_those_in_sight = False
        for _ in self._laid_out(sides[:: -(-len(sides) // _TRIED)]):
            found |= self._off
        self._for_those_in_sight = True
        for _ in self._laid_out(sides if found else ()):
            found = {place: each for place, each in found.items() if place not in self._on}
        return [*found.values()]

    def _laid_out(self, sides: Sequence[Callable[[], Scene]]) -> Iterator[Scene]:
        for side in sides:
            with suppress(Refused):  # which is told as an error
                yield side()

    def lay_out(
        self, template: Template, values: Mapping[str, object], pictures: Pictures, doubts: Doubts = None
    ) -> Scene:
        """Lay out a face as `SetLayouter` asks for it, and remember what lies off it."""
        del doubts  # told as warnings already
        scene, off, self._on = lay_out_elements(template, values, pictures, in_sight=self._for_those_in_sight)
        self.size = scene.size
        self._off = {each.place: each for each in off}
        return scene
