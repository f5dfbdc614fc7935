"""Text elements: `<text>` and `<tspan>` of a template as paragraphs, lines and boxes for `text` to set."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import inf

from render.base.caches import cached
from render.base.findings import listed
from render.layout.style import (
    Attributes,
    Style,
    WrongValue,
    box_of,
    inherit,
    read_coordinate,
    read_extent,
    read_length,
)
from render.layout.templates.rendering import element_name
from render.text import fitting
from render.text.line_breaking import Paragraph, Styled, TextStyle

MIN_PIXELS, MAX_PIXELS = 6, 600  # in the size of letters that advance by whole pixels
MAX_SPACING = 2  # times the size
MAX_SIZES = 1000  # that a text may be tried at; built-in templates try 43 at most


def paragraphs(element: ET.Element, look: Style) -> tuple[Paragraph, ...]:
    """Return the paragraphs of a text: each `<tspan display="block">`, and each stretch between them."""
    return tuple(_paragraphs(element, look)) if len(element) else _plain(element.text or "", look)


@cached(1024)
def _plain(text: str, look: Style) -> tuple[Paragraph, ...]:
    """Return the paragraph of a text without child elements; cached, since most are the same on many cards."""
    paragraph = ((text, _style(look)),) if text else ()
    return (paragraph,) if text.strip() else ()


def _paragraphs(element: ET.Element, look: Style) -> Iterator[Paragraph]:
    collected: list[Styled] = []
    for text, within, starts in _stretches(element, look):
        # White space between two blocks, as a template indents them, is no paragraph.
        if starts and any(text.strip() for text, _ in collected):
            yield tuple(collected)
        if starts:
            collected = []
        if text:
            collected.append((text, _style(within)))
    if any(text.strip() for text, _ in collected):
        yield tuple(collected)


@cached(1024)
def _style(look: Style) -> TextStyle:
    if look.fill is None or isinstance(look.fill, str):
        raise WrongValue("fill", "is `none`, and text must have a color")
    spacing = look.spacing / look.size
    if not -0.5 <= spacing <= MAX_SPACING:
        raise WrongValue("letter-spacing", f"expected -0.5 to {MAX_SPACING} of the font-size, {look.size:g}")
    return TextStyle(look.face(), look.fill, look.size / look.pixel if look.pixel else 0.0, spacing)


Room = fitting.TextBox | fitting.TextLine


def fit_text(paragraphs: tuple[Paragraph, ...], where: Room) -> fitting.Fitted | fitting.TooLong | fitting.TooMuch:
    """Fit a text: into its box if it has a height, else on one line."""
    if isinstance(where, fitting.TextBox):
        return fitting.fit_box(paragraphs, where)
    # A line has no room for a second paragraph: they follow each other on it.
    return fitting.fit_line(tuple(styled for paragraph in paragraphs for styled in paragraph), where)


@cached(1024)
def room(attributes: Attributes, look: Style) -> Room:
    """Return the room of a text by its attributes; cached, since a template's texts have the same on every card."""
    given = dict(attributes)
    return _box(given, look) if "height" in given else _line(given, look)


def _stretches(element: ET.Element, look: Style) -> Iterator[tuple[str, Style, bool]]:
    """Yield text, its style, and whether a paragraph starts with it."""
    yield element.text or "", look, False
    for child in element:
        block = _is_block(child)
        try:
            inner = inherit(look, tuple(child.attrib.items()))
        except WrongValue as error:
            # The caller knows the `<text>` only, and the value may be that of a `<tspan>` deep inside it.
            raise WrongValue(error.attribute, str(error), error.element or element_name(child)) from None
        if block:
            yield "", look, True
        yield from _stretches(child, inner)
        # ElementTree keeps the words behind a child as the child's `tail`; behind a block they begin a paragraph.
        yield child.tail or "", look, block


def _is_block(element: ET.Element) -> bool:
    value = element.get("display", "inline")
    if value not in ("inline", "block"):
        raise WrongValue("display", f"expected `inline` or `block`, found `{value}`")
    return value == "block"


def _align(given: Mapping[str, str], choices: tuple[str, ...]) -> str:
    value = given.get("text-anchor", "start")
    if value not in choices:
        raise WrongValue("text-anchor", f"expected {listed(choices)}, found `{value}`")
    return value


def _line(given: Mapping[str, str], look: Style) -> fitting.TextLine:
    return fitting.TextLine(
        read_coordinate(given, "x"),
        read_coordinate(given, "y"),
        align=_align(given, ("start", "middle", "end")),
        size=look.size,
        width=read_extent(given, "width") if "width" in given else inf,
        narrowest=read_length("min-stretch", given.get("min-stretch", "1"), least=0.01),
        smallest=_smallest(given, look),
        pixel=_pixel(look),
    )


def _pixel(look: Style) -> float:
    if look.pixel and not MIN_PIXELS <= look.size / look.pixel <= MAX_PIXELS:
        raise WrongValue("pixel", f"expected {MIN_PIXELS} to {MAX_PIXELS} in the font-size, {look.size:g}")
    return look.pixel


def _smallest(given: Mapping[str, str], look: Style) -> float:
    smallest = read_length("min-size", given.get("min-size", str(look.size)), above=0.0)
    if smallest > look.size:
        raise WrongValue("min-size", f"is {smallest:g}, larger than the font-size, {look.size:g}")
    return smallest


def _box(given: Mapping[str, str], look: Style) -> fitting.TextBox:
    leading, tighter = _leadings(given, look)
    if _pixel(look) and _smallest(given, look) != look.size:
        raise WrongValue("pixel", "is for text of one size, without `min-size`")
    return fitting.TextBox(
        room=box_of(given),
        align=_align(given, ("start", "middle", "end", "justify")),
        largest=look.size,
        smallest=_smallest(given, look),
        step=_step(given, look),
        leading=leading,
        max_growth=read_length("max-space-growth", given.get("max-space-growth", "1000"), least=0.0),
        tighter=tighter,
    )


def _step(given: Mapping[str, str], look: Style) -> float:
    step = read_length("size-step", given.get("size-step", "0.05"), least=0.001)
    if (look.size - _smallest(given, look)) / step > MAX_SIZES:
        raise WrongValue(
            "size-step", f"gives more than {MAX_SIZES} sizes from {_smallest(given, look):g} to {look.size:g}"
        )
    return step


def _leadings(given: Mapping[str, str], look: Style) -> tuple[fitting.Leading, tuple[fitting.Leading, ...]]:
    """Return the leading, and those to which a text may close up: its paragraphs first, then its lines as well."""
    value = given.get("leading", "normal")
    factor = None if value in ("normal", "nearest") else read_length("leading", value, least=0.6)
    usual = fitting.Leading(
        factor,
        read_length("line-gap", given.get("line-gap", "0"), least=-_smallest(given, look) / 2),
        read_length("paragraph-gap", given.get("paragraph-gap", "1"), least=0.0),
        to_nearest=value == "nearest",
    )
    if "min-leading" not in given and "min-paragraph-gap" not in given:
        return usual, ()
    closer = replace(
        usual,
        paragraph=read_length("min-paragraph-gap", given.get("min-paragraph-gap", str(usual.paragraph)), least=0.0),
    )
    if "min-leading" not in given:
        return usual, (closer,)
    return usual, (
        closer,
        replace(closer, factor=read_length("min-leading", given["min-leading"], least=0.6), gap=0.0),
    )
