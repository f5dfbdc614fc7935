"""A drawing while it is read: its elements by id, the properties that each has by its style sheets, its mistakes."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from render.base.findings import Diagnostic, did_you_mean, listed
from render.base.patterns import regex
from render.layout.svg.css import (
    FONT_SIZES,
    Declaration,
    StyleError,
    StyleRule,
    Units,
    declarations,
    read_sheet,
    read_tint,
    split_length,
)
from render.layout.svg.properties import (
    DRAWN,
    INHERITED,
    INSTEAD,
    LAYING_OUT,
    OF_OTHERS,
    WORDS,
    changes_nothing,
    is_foreign,
)
from render.layout.svg.subset import SUBSET, SVG, element_name, tag_of

MAX_ENTITIES = 50  # Illustrator writes ten
MAX_CHARACTERS = 200_000  # that names may stand for in one drawing, all together

# An entity that stands for plain words only: no other entity, nothing of another file.
_ENTITY = r"""<!ENTITY\s+([\w.:-]+)\s+("[^"&%<]{0,200}"|'[^'&%<]{0,200}')\s*>"""
_DOCUMENT_TYPE = regex(r"""<!DOCTYPE\s+svg\b(?:[^\[<>"']|"[^"<>]*"|'[^'<>]*')*(?:\[(?P<inside>[^\]]*)\]\s*)?>""")


def wrong_document_type(text: str) -> str:
    """Return what is wrong with the document type of a drawing; "" if it is harmless."""
    found = _DOCUMENT_TYPE.search(text)
    if found is None or text.count("<!DOCTYPE") > 1:
        return "which is not that of an SVG file"
    inside = found["inside"] or ""
    entities = re.findall(_ENTITY, inside)
    if re.sub(_ENTITY, "", inside).strip() or text.count("<!ENTITY") != len(entities):
        return "in which names stand for more than words"
    if len(entities) > MAX_ENTITIES:
        return f"with {len(entities)} names, and at most {MAX_ENTITIES} are read"
    if sum(text.count(f"&{name};") * len(words) for name, words in entities) > MAX_CHARACTERS:
        return f"whose names stand for more than {MAX_CHARACTERS:,} characters"
    return ""


XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
SPACE = "{http://www.w3.org/XML/1998/namespace}space"

LENGTHS = frozenset("x y width height rx ry r cx cy x1 y1 x2 y2".split())
MAX_MISTAKES = 100
SHEETS = ("style", f"{SVG}style")
_LONGEST = 60  # characters of a name or a value in a message

_READ = DRAWN | LAYING_OUT
_USUAL_WORDS = {"display": ("none", "inline"), "paint-order": ("normal", "stroke")}
_KEYWORDS = {"font-size": FONT_SIZES, "letter-spacing": ("normal",), "word-spacing": ("normal",)}
_LENGTHS = frozenset(("font-size", "letter-spacing", "word-spacing", "stroke-width", "stroke-dashoffset"))

_LINK = regex(r"""url\(\s*["']?#([^"')]+)["']?\s*\)\s*(.*)""", re.DOTALL)


Mistake = tuple[Diagnostic, tuple[ET.Element, str, str]]
"""What is wrong with an element of a drawing, with an attribute or property of it, or at some words in it."""


Paint = tuple[Any, float]
"""`#rrggbb`, `none`, or a gradient (`paints.GradientRule`); and how much of what is beneath it hides."""


class Context(NamedTuple):
    """What an element inherits of those around it, as far as the reading of the drawing needs it."""

    units: Units = Units()
    color: str = "#000000"
    fill: Paint = ("#000000", 1.0)
    stroke: Paint = ("none", 1.0)
    fill_opacity: float = 1.0
    stroke_opacity: float = 1.0
    visible: bool = True
    preserve: bool = False
    anchor: str = ""
    direction: str = ""
    clip_rule: str = "nonzero"
    dashes: str = "none"
    dash_start: str = "0"
    cap: str = "butt"
    paint_order: str = "normal"
    layout: tuple[tuple[str, str], ...] = ()  # `LAYING_OUT`


class Artboard:
    """Finds elements and their properties, and collects mistakes.

    `count` is told of each that is drawn. `origins` tells which element of the file each new one stands for.
    """

    def __init__(self, root: ET.Element, count: Callable[[int], None]) -> None:
        self._count = count
        self.counted = 0
        self.mistakes: list[Mistake] = []
        self.origins: dict[ET.Element, ET.Element] = {}
        self.ids: dict[str, ET.Element] = {}
        self._read: dict[ET.Element, dict[str, str]] = {}
        self._rules: dict[str, list[tuple[int, StyleRule]]] = {}
        self._rules_read = 0
        for element in root.iter():
            name = element.get("id")
            if name:
                self.ids.setdefault(name, element)
            if element.tag in SHEETS:
                self._add_sheet(element)

    def count(self, elements: int) -> None:
        """Count elements that are drawn."""
        self.counted += elements
        self._count(elements)

    def new(self, tag: str, given: Mapping[str, Any], old: ET.Element) -> ET.Element:
        """Return a plain element that stands for one of the file; a gradient or a clip is the value of its attribute."""
        made = ET.Element(tag, dict(given))
        self.origins[made] = old
        return made

    def layer(
        self, inside: list[ET.Element], old: ET.Element, opacity: float, look: Mapping[str, Any] | None = None
    ) -> list[ET.Element]:
        """Return plain elements, within a layer if they are seen through or have a look; nothing if they are not seen."""
        if not inside or opacity <= 0:
            return []
        if opacity >= 1 and not look:
            return inside
        layer = self.new("layer", {**(look or {}), **({"opacity": f"{opacity:.6g}"} if opacity < 1 else {})}, old)
        layer.extend(inside)
        return [layer]

    def _add_sheet(self, element: ET.Element) -> None:
        if element.get("media", "all").strip() not in ("all", "print", ""):
            self.wrong(element, "media", "a card is printed: expected `all` or `print`")
        try:
            rules = read_sheet("".join(element.itertext()))
        except StyleError as error:
            self._of_css(element, error)
            return
        for rule in rules:
            key = f"#{rule.id}" if rule.id else f".{min(rule.classes)}" if rule.classes else rule.tag
            self._rules_read += 1
            self._rules.setdefault(key, []).append((self._rules_read, rule))

    def _of_css(self, element: ET.Element, error: StyleError, attribute: str = "") -> None:
        name = f"`{attribute}` of `{element_name(element)}`" if attribute else f"`{element_name(element)}`"
        self.note("T007", f"{name}: {error}", error.hint, element, attribute, error.words)

    # --- mistakes -----

    def note(
        self, code: str, message: str, hint: str, element: ET.Element, attribute: str = "", words: str = ""
    ) -> None:
        """Note a mistake, unless there are many already."""
        mistake = Diagnostic(code, message, hint), (element, attribute, words)
        if len(self.mistakes) < MAX_MISTAKES and mistake not in self.mistakes[-5:]:
            self.mistakes.append(mistake)

    def wrong(self, element: ET.Element, attribute: str, message: str, hint: str = "") -> None:
        """Note that the value of an attribute or property is not drawn."""
        self.note("T007", f"`{attribute}` of `{element_name(element)}`: {message}", hint, element, attribute)

    def odd(self, element: ET.Element, attribute: str, value: str, expected: str, hint: str = "") -> None:
        """Note that the value of an attribute or property is not as expected."""
        self.wrong(element, attribute, f"expected {expected}, found `{value[:_LONGEST]}`", hint)

    def refuse(self, element: ET.Element, message: str, hint: str = "") -> None:
        """Note that an element is not drawn."""
        self.note("T005", message, hint, element)

    # --- properties -----

    def properties(self, element: ET.Element) -> dict[str, str]:
        """Return attributes and properties of an element: a style sheet goes before attributes, `style` before both.

        What changes nothing is left out, and what is not drawn is noted as a mistake.
        """
        if element in self._read:
            return self._read[element]
        tag = tag_of(element)
        known = SUBSET.get(tag, frozenset()) | OF_OTHERS.get(tag, frozenset()) or None
        given: dict[str, str] = {}
        for name, value in element.attrib.items():
            if name in _READ or known is None or name in known:
                given[name] = value
            elif not is_foreign(name) and not changes_nothing(name, value):
                self.not_drawn(element, name, value)
        if known is not None and "href" in known and XLINK_HREF in element.attrib:
            given.setdefault("href", element.attrib[XLINK_HREF])
        declared = (*self._by_rules(element, tag), *self._by_style(element))
        # What is important goes before all else (CSS 2.1, 6.4.2).
        for name, value, _ in sorted(declared, key=lambda each: each[2]):
            if name in _READ:
                given[name] = value
            elif not changes_nothing(name, value):
                self.not_drawn(element, name, value)
        given = {name: value for name, value in given.items() if value != "inherit" or name not in INHERITED}
        self._check_values(element, given)
        self._read[element] = given
        return given

    def _check_values(self, element: ET.Element, given: Mapping[str, str]) -> None:
        """Note values that mean nothing, also where their property draws nothing."""
        own = SUBSET.get(tag_of(element), frozenset())
        for name, value in given.items():
            if name in WORDS:
                if value not in WORDS[name] and name not in own:  # which the walk through the template checks
                    self.odd(element, name, value, listed(_USUAL_WORDS.get(name, WORDS[name])))
            elif name == "color":
                if value.lower() != "currentcolor" and read_tint(value) is None:
                    self.odd(element, name, value, "a color such as `#808080` or `teal`")
            elif name in _LENGTHS and value not in _KEYWORDS.get(name, ()):
                length = Units().measure(value, name)
                if length is None:
                    self.odd(element, name, value, "a length such as 3, 3mm, 8pt or 2.5in")
                elif name == "font-size" and length <= 0:
                    self.odd(element, name, value, "a length of above 0")

    def _by_style(self, element: ET.Element) -> tuple[Declaration, ...]:
        try:
            return declarations(element.get("style", ""))
        except StyleError as error:
            self._of_css(element, error, "style")
            return ()

    def _by_rules(self, element: ET.Element, tag: str) -> list[Declaration]:
        if not self._rules:
            return []
        classes, name = frozenset(element.get("class", "").split()), element.get("id", "")
        keys = ["", tag, *(f".{each}" for each in classes), f"#{name}"]
        near = [each for key in keys for each in self._rules.get(key, ()) if each[1].fits(tag, name, classes)]
        # Of rules as exact as each other, the later one wins.
        near.sort(key=lambda each: (each[1].rank, each[0]))
        return [pair for _, rule in near for pair in rule.declarations]

    def share(self, element: ET.Element, name: str, given: Mapping[str, str], usual: str = "1") -> float:
        """Return a share such as an opacity, 0 to 1; the usual one if it is not given."""
        number, unit = split_length(given.get(name, usual)) or (1.0, "none")
        if unit not in ("", "%"):
            self.odd(element, name, given[name], "a number from 0 to 1")
            return 1.0
        return min(max(number / 100 if unit else number, 0.0), 1.0)

    def not_drawn(self, element: ET.Element, name: str, value: str) -> None:
        """Note that an attribute or a property with this value is not drawn."""
        tag, short = tag_of(element), name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"
        if name in INSTEAD:
            message = f"`{short}` of `{element_name(element)}`: `{value[:_LONGEST]}` is not drawn"
            self.note("T007", message, INSTEAD[name], element, name)
            return
        kind = "attribute" if name in element.attrib else "property"
        message = f"`{element_name(element)}` has the {kind} `{short}`, which is not in the subset"
        known = sorted({*DRAWN, *SUBSET.get(tag, ()), *OF_OTHERS.get(tag, ())})
        self.note("T006", message, did_you_mean(name, known), element, name)

    # --- links -----

    def linked(self, value: str) -> tuple[ET.Element | None, str, str]:
        """Return the element that `url(#name)` names, the name, and what is behind it; ("" if it is no link)."""
        match = _LINK.fullmatch(value.strip())
        if match is None:
            return None, "", ""
        return self.ids.get(match[1].strip()), match[1].strip(), match[2].strip()


def geometry(given: Mapping[str, str], units: Units) -> dict[str, str]:
    """Return the attributes that give a shape its outlines, in plain numbers."""
    plain = {name: units.plain(value, name) for name, value in given.items() if name in LENGTHS}
    return plain | {name: given[name] for name in ("d", "points") if name in given}


def is_chosen(element: ET.Element) -> bool:
    """Return whether an element is drawn by what it asks for (SVG 1.1, 5.8): nothing that other programs add."""
    if tag_of(element).startswith("{"):
        return False
    language = element.get("systemLanguage")
    return not element.get("requiredExtensions") and (language is None or "en" in language)
