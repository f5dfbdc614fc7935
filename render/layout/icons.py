"""Icons in texts: their drawings, filled in once for a set, and what they draw at their places."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from typing import NamedTuple

from render.base.findings import Diagnostic, Refused
from render.base.geometry import Affine, Rect
from render.layout.drawable import Work
from render.layout.style import WrongValue, read_box, read_extent
from render.layout.templates.rendering import Filled, fill_in
from render.layout.templates.template import Template, part_template
from render.layout.text_element import MAX_SCALE, MIN_SCALE
from render.scene.items import Color, Item, Outline, Path
from render.scene.outlines import move_outlines
from render.text.fitting import PlacedRule
from render.text.line_breaking import InlineIcon
from render.text.line_setting import PlacedIcon

ICON_HEIGHT = 0.9  # em: a little taller than capitals, so that a disc looks as large as they do
MAX_ICON_WIDTH = 40.0  # em: wider ones are no icons
MAX_KEPT_PLACES = 128  # of an icon on faces, where what it draws is kept: the costs of a set take some dozens
MAX_KEPT_ICONS = 4096  # drawings of icons kept for a set; with the values of numbers, a set has some dozens


DrawnIcon = tuple[tuple[Item, ...], tuple[Work, ...], Mapping[str, float]]
"""What an icon draws at a place of a face, what drawing it takes, and what it holds of what is counted."""


class IconDrawing:
    """The file of an icon, filled in: the template that it is, what it gave, and which part of the plane it shows.

    `drawn` keeps what it draws, by all that this depends on: costs stand at the same places of many cards.
    """

    __slots__ = ("drawn", "filled", "template", "view")

    def __init__(self, template: Template, filled: Filled, view: Rect) -> None:
        self.template, self.filled, self.view = template, filled, view
        self.drawn: dict[object, DrawnIcon] = {}

    def keep(self, where: object, drawn: DrawnIcon) -> None:
        """Keep what the icon draws somewhere."""
        if len(self.drawn) >= MAX_KEPT_PLACES:
            self.drawn.clear()
        self.drawn[where] = drawn

    def place(self, box: tuple[float, float, float, float]) -> Affine:
        """Return the map that puts the drawing into a box: left, top, width and height."""
        x, y, width, height = box
        view = self.view
        across, down = width / view.width, height / view.height
        return Affine(across, 0.0, 0.0, down, x - across * view.x, y - down * view.y)


class _IconKey(NamedTuple):
    """What decides what an icon looks like: its file, the number that it shows, and the color of the words around."""

    href: str
    value: str
    color: Color
    words: str


def read_icon(element: ET.Element, template: Template, color: Color) -> InlineIcon:
    """Return an icon as it stands in a line of a template, in words of a color; WrongValue, Refused."""
    height = _em(element.attrib["height"]) if "height" in element.attrib else ICON_HEIGHT
    name, words = (element.get("href", ""), element.get("value", "")), element.get("words", "")
    drawing = _find(template, _IconKey(*name, color, words))
    width = height * drawing.view.width / drawing.view.height
    if not width <= MAX_ICON_WIDTH:
        raise WrongValue("href", f"names an icon that is {width / height:.0f} times as wide as high")
    return InlineIcon(name, words, width, height)


def drawing_of(placed: PlacedIcon, template: Template) -> IconDrawing:
    """Return the drawing of an icon that was read before."""
    return _find(template, _IconKey(*placed.icon.name, placed.style.fill, placed.icon.words))


def drawn_rule(placed: PlacedRule, space: Affine) -> Path:
    """Return a rule as drawn on the card."""
    outline = Outline((placed.x, placed.y), ((placed.x + placed.width, placed.y),), False)
    return Path(move_outlines((outline,), space), stroke=placed.rule.stroke.scaled(space.growth))


def _em(value: str) -> float:
    try:
        height = float(value.removesuffix("em")) if value.endswith("em") else 0.0
    except ValueError:
        height = 0.0
    if not MIN_SCALE <= height <= MAX_SCALE:
        raise WrongValue("height", f"expected `{MIN_SCALE:g}em` to `{MAX_SCALE:g}em`, found `{value}`")
    return height


def _find(template: Template, key: _IconKey) -> IconDrawing:
    """Return the drawing of an icon that a template shows, filled in once for a set; Refused, WrongValue."""
    known: dict[object, IconDrawing] = template.templates.parts
    found = known.get(key)
    if found is None:
        if not key.href.endswith(".svg"):
            raise WrongValue("href", f"expected the name of an SVG file, found `{key.href}`")
        shown = {"value": key.value, "words": key.words, "color": "#" + bytes(key.color).hex()}
        found = icon_drawing(part_template(template, key.href), shown)
        if len(known) >= MAX_KEPT_ICONS:
            known.clear()
        known[key] = found
    # A template depends on the files of all icons that it showed.
    template.templates.note_asked(key.href, f"{template.name}.svg")
    return found


def icon_drawing(part: Template, shown: Mapping[str, str]) -> IconDrawing:
    """Return the drawing of the file of an icon, which sees `value`, `words` and `color`; Refused.

    It shows its `viewBox`, or its size if it has none.
    """
    filled = fill_in(part, shown)
    given = filled.root.attrib
    try:
        if "viewBox" in given:
            return IconDrawing(part, filled, read_box("viewBox", given["viewBox"]))
        return IconDrawing(part, filled, Rect(0.0, 0.0, read_extent(given, "width"), read_extent(given, "height")))
    except WrongValue as error:
        message = f"template `{part.name}`: `{error.attribute}` of `<svg>`: {error}"
        hint = "give `<svg>` a `viewBox`, or `width` and `height`: an icon is as wide as they say, by its height"
        raise Refused([Diagnostic("T007", message, hint).at(filled.place(filled.root, error.attribute))]) from None
