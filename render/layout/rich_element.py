"""Rich text elements: what `<icon>`, `<br>`, `<rule>` and `<tspan font-size>` make of a text, and icons."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from render.base.findings import Diagnostic, Refused, quoted
from render.base.geometry import Affine, Rect
from render.layout.drawable import Work
from render.layout.style import Attributes, Style, WrongFace, WrongValue, inherit, read_box, read_extent, wrong_word
from render.layout.svg.subset import element_name, tag_of
from render.layout.templates.rendering import Filled, fill_in
from render.layout.templates.template import Template, part_template
from render.layout.text_element import is_block, text_style
from render.scene.items import Color, Item, Outline, Path
from render.scene.outlines import move_outlines
from render.text.line_breaking import ICON, InlineIcon, Styled
from render.text.line_setting import PlacedIcon
from render.text.rich.rich_blocks import PlacedRule, RichParagraphs, RichRule, TextBlock

ICON_HEIGHT = 0.9  # em: a little taller than capitals, so that a disc looks as large as they do
MIN_SCALE, MAX_SCALE = 0.25, 4.0  # of the size of the text
MAX_ICON_WIDTH = 40.0  # em: wider ones are no icons
MAX_OPTIONAL = 100  # parts of a text that are printed only where they fit
MAX_KEPT_PLACES = 128  # of an icon on faces, where what it draws is kept: the costs of a set take some dozens
MAX_KEPT_ICONS = 4096  # drawings of icons kept for a set; with the values of numbers, a set has some dozens
_RULE_WIDTH = 0.05  # of the size: as thick as a thin stroke of a letter


FindIcon = Callable[[ET.Element, Color], InlineIcon]
"""Returns an icon that an element shows, for words of a color around it; may raise WrongValue or Refused."""


def rich_paragraphs(element: ET.Element, look: Style, find: FindIcon) -> RichParagraphs:
    """Return what a text holds. WrongValue names the element inside it whose value is wrong."""
    reader = _Reader(look, find, element.get("text-anchor", "start"))
    reader.read(element, look)
    reader.close()
    return RichParagraphs.of(reader.blocks)


class _Reader:
    """Reads the elements of one text into blocks."""

    def __init__(self, look: Style, find: FindIcon, anchor: str) -> None:
        self._look, self._find = look, find
        self._anchor = {"start": 0.0, "end": 1.0}.get(anchor, 0.5)
        self.blocks: list[TextBlock] = []
        self._words: list[tuple[Styled, int]] = []
        self._follows = False
        self._optional = 0

    def read(self, element: ET.Element, look: Style, optional: int = 0) -> None:
        self._add(element.text or "", look, optional)
        for child in element:
            try:
                self._child(tag_of(child), child, look, optional)
            except WrongValue as error:
                error.element = error.element or element_name(child)
                raise
            self._add(child.tail or "", look, optional)

    def close(self, *, follows: bool = False) -> None:
        """End the open block; the next one follows at once, or after a gap."""
        if any(text.strip() for (text, _), _ in self._words):
            self.blocks.append(TextBlock(tuple(self._words), self._follows))
            self._follows = follows
        else:
            self._follows = self._follows or (follows and bool(self.blocks))
        self._words = []

    def _child(self, tag: str, child: ET.Element, look: Style, optional: int) -> None:
        match tag:
            case "br":
                self.close(follows=True)
            case "rule":
                self.close()
                self.blocks.append(TextBlock(rule=self._rule(child, look)))
                self._follows = False
            case "icon":
                style = text_style(look)
                style = style._replace(icon=self._find(child, style.fill), scale=self._scale(look))
                self._words.append(((ICON, style), optional))
            case _:
                self._tspan(child, look, optional)

    def _tspan(self, child: ET.Element, look: Style, optional: int) -> None:
        inner = inherit(look, _absolute(child.attrib, look))
        value = child.get("optional", "false")
        if value not in ("true", "false"):
            raise wrong_word("optional", value, ("true", "false"))
        if value == "true" and not optional:
            if self._optional == MAX_OPTIONAL:
                raise WrongValue("optional", f"is said of more than {MAX_OPTIONAL} parts of a text")
            self._optional += 1
            optional = self._optional
        block = is_block(child)
        if block:
            self.close()
            self._follows = False
        self.read(child, inner, optional)
        if block:
            self.close()
            self._follows = False

    def _add(self, text: str, look: Style, optional: int) -> None:
        if text:
            try:
                style, scale = text_style(look), self._scale(look)
            except WrongValue as error:
                if error.attribute != "font-family" or look == self._look:
                    raise
                raise WrongFace(f"{error}; {quoted(text.strip())} asks for it") from None
            self._words.append(((text, style if scale == 1.0 else style._replace(scale=scale)), optional))

    def _scale(self, look: Style) -> float:
        scale = look.size / self._look.size
        if scale != 1.0 and look.pixel:
            raise WrongValue("font-size", "cannot change in a text with `pixel`")
        if not MIN_SCALE <= scale <= MAX_SCALE:
            least, most = MIN_SCALE * self._look.size, MAX_SCALE * self._look.size
            raise WrongValue("font-size", f"expected {least:g} to {most:g}, a quarter to four times that of the text")
        return scale

    def _rule(self, child: ET.Element, look: Style) -> RichRule:
        plain = look._replace(stroke=look.fill, stroke_width=_RULE_WIDTH * look.size, dashes=(), cap="butt")
        own = tuple((name, value) for name, value in child.attrib.items() if name != "width")
        stroke = inherit(plain, own).line(1.0)
        if stroke is None:
            raise WrongValue("stroke", "is `none`, or the line has no width")
        width = child.get("width", "100%")
        share = _percent("width", width)
        if not 0 < share <= 1:
            raise WrongValue("width", f"expected `1%` to `100%`, found `{width}`")
        return RichRule(stroke, share, self._anchor)


def _percent(attribute: str, value: str) -> float:
    try:
        return float(value.removesuffix("%")) / 100 if value.endswith("%") else float("nan")
    except ValueError:
        raise WrongValue(attribute, f"expected a percentage such as `80%`, found `{value}`") from None


def _absolute(given: Mapping[str, str], look: Style) -> Attributes:
    """Return attributes with a size in per cent, of the size around (CSS 2.1, 15.7), as a length."""
    size = given.get("font-size", "")
    if not size.endswith("%"):
        return tuple(given.items())
    length = f"{_percent('font-size', size) * look.size:.6f}"
    return tuple((name, length if name == "font-size" else value) for name, value in given.items())


# --- icons ----------------------------------------------------------------------------------------------------------


class DrawnIcon(NamedTuple):
    """What an icon draws at a place of a face, what drawing it takes, and what it holds of what is counted."""

    items: tuple[Item, ...]
    works: tuple[Work, ...]
    spent: tuple[tuple[str, float], ...]


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
    stroke = replace(
        placed.rule.stroke,
        width=placed.rule.stroke.width * space.growth,
        dashes=tuple(dash * space.growth for dash in placed.rule.stroke.dashes),
    )
    outline = Outline((placed.x, placed.y), ((placed.x + placed.width, placed.y),), False)
    return Path(move_outlines((outline,), space), stroke=stroke)


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
        found = _drawing(template, key)
        if len(known) >= MAX_KEPT_ICONS:
            known.clear()
        known[key] = found
    # A template depends on the files of all icons that it showed.
    template.templates.note_asked(key.href, f"{template.name}.svg")
    return found


def _drawing(template: Template, key: _IconKey) -> IconDrawing:
    if not key.href.endswith(".svg"):
        raise WrongValue("href", f"expected the name of an SVG file, found `{key.href}`")
    shown = {"value": key.value, "words": key.words, "color": "#" + bytes(key.color).hex()}
    return icon_drawing(part_template(template, key.href), shown)


def icon_drawing(part: Template, shown: Mapping[str, str]) -> IconDrawing:
    """Return the drawing of the file of an icon, which sees `value`, `words` and `color`; Refused."""
    filled = fill_in(part, shown)
    try:
        return IconDrawing(part, filled, _view(filled.root))
    except WrongValue as error:
        message = f"template `{part.name}`: `{error.attribute}` of `<svg>`: {error}"
        hint = "give `<svg>` a `viewBox`, or `width` and `height`: an icon is as wide as they say, by its height"
        raise Refused([Diagnostic("T007", message, hint).at(filled.place(filled.root, error.attribute))]) from None


def _view(root: ET.Element) -> Rect:
    """Return the part of the plane that an icon shows: its `viewBox`, or its size if it has none."""
    value = root.get("viewBox")
    if value is None:
        return Rect(0.0, 0.0, read_extent(root.attrib, "width"), read_extent(root.attrib, "height"))
    return read_box("viewBox", value)
