"""Text elements: what `<text>` and `<tspan>` of a template say, as paragraphs, lines and boxes for `text` to set."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from math import inf

from render import text
from render.breaking import Paragraph, Style, Styled
from render.diag import listed
from render.look import Look, WrongValue, box_of, coordinate, extent, inherit, length
from render.scene import TextRun
from render.template import named


def paragraphs(element: ET.Element, look: Look) -> Iterator[Paragraph]:
    """Yield the paragraphs of a text: each `<tspan display="block">` is one, and so is what stands between them."""
    collected: list[Styled] = []
    for words, within, starts in _stretches(element, look):
        if starts and any(words.strip() for words, _ in collected):
            yield tuple(collected)
        if starts:
            collected = []
        if words:
            if within.fill is None:
                raise WrongValue("fill", "is `none`, and text must have a colour")
            collected.append((words, Style(within.face(), within.fill)))
    if any(words.strip() for words, _ in collected):
        yield tuple(collected)


def fitted(
    element: ET.Element, said: tuple[Paragraph, ...], look: Look
) -> tuple[TextRun, ...] | text.TooLong | text.TooMuch:
    """Set a text: in its box if it has a height, else on one line."""
    if element.get("height") is not None:
        return text.fit_box(said, _box(element, look))
    return text.fit_line(tuple(styled for paragraph in said for styled in paragraph), _line(element, look))


def _stretches(element: ET.Element, look: Look) -> Iterator[tuple[str, Look, bool]]:
    """Yield words, their look, and whether a paragraph starts with them."""
    yield element.text or "", look, False
    for child in element:
        block = _is_block(child)
        try:
            inner = inherit(look, tuple(child.attrib.items()))
        except WrongValue as error:
            raise WrongValue(error.attribute, str(error), error.element or named(child)) from None
        if block:
            yield "", look, True
        yield from _stretches(child, inner)
        yield child.tail or "", look, block


def _is_block(element: ET.Element) -> bool:
    value = element.get("display", "inline")
    if value not in ("inline", "block"):
        raise WrongValue("display", f"expected `inline` or `block`, found `{value}`")
    return value == "block"


def _align(element: ET.Element, choices: tuple[str, ...]) -> str:
    value = element.get("text-anchor", "start")
    if value not in choices:
        raise WrongValue("text-anchor", f"expected {listed(choices)}, found `{value}`")
    return value


def _line(element: ET.Element, look: Look) -> text.TextLine:
    return text.TextLine(
        coordinate(element, "x"),
        coordinate(element, "y"),
        _align(element, ("start", "middle", "end")),
        look.size,
        extent(element, "width") if "width" in element.attrib else inf,
        length("min-stretch", element.get("min-stretch", "1"), above=0.0),
        _smallest(element, look),
    )


def _smallest(element: ET.Element, look: Look) -> float:
    smallest = length("min-size", element.get("min-size", str(look.size)), above=0.0)
    if smallest > look.size:
        raise WrongValue("min-size", f"is {smallest:g}, larger than the font-size, {look.size:g}")
    return smallest


def _box(element: ET.Element, look: Look) -> text.TextBox:
    room = box_of(element)
    leading, tighter = _leadings(element, look)
    return text.TextBox(
        room,
        _align(element, ("start", "middle", "end", "justify")),
        look.size,
        _smallest(element, look),
        length("size-step", element.get("size-step", "0.05"), least=0.001),
        leading,
        length("max-space-growth", element.get("max-space-growth", "1000"), least=0.0),
        tighter,
    )


def _leadings(element: ET.Element, look: Look) -> tuple[text.Leading, tuple[text.Leading, ...]]:
    """Return the leading, and those to which a text may close up: first its paragraphs, then its lines as well."""
    value = element.get("leading", "normal")
    factor = None if value == "normal" else length("leading", value, least=0.6)
    usual = text.Leading(
        factor,
        length("line-gap", element.get("line-gap", "0"), least=-_smallest(element, look) / 2),
        length("paragraph-gap", element.get("paragraph-gap", "1"), least=0.0),
    )
    if "min-leading" not in element.attrib and "min-paragraph-gap" not in element.attrib:
        return usual, ()
    closer = replace(
        usual, paragraph=length("min-paragraph-gap", element.get("min-paragraph-gap", str(usual.paragraph)), least=0.0)
    )
    if "min-leading" not in element.attrib:
        return usual, (closer,)
    return usual, (
        closer,
        replace(closer, factor=length("min-leading", element.attrib["min-leading"], least=0.6), gap=0.0),
    )
