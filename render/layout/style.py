"""Presentation attributes: the fill, stroke and font that an SVG element sets or inherits, as exact values."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from render.base.caches import cached
from render.base.findings import did_you_mean, listed, nearest_word, quoted
from render.base.geometry import IDENTITY, Affine, Rect, Size, parse_length
from render.base.patterns import regex
from render.images import inspect
from render.layout import drawable
from render.layout.svg.properties import WORDS, is_line_first
from render.scene.items import Color, Stroke
from render.scene.outlines import parse_numbers
from render.text import fonts
from render.text.font_book import NO_FONTS, FontBook
from render.text.font_roles import FontStyle, UnknownFontError
from render.text.line_breaking import LetterShadow

if TYPE_CHECKING:
    from render.layout.svg.paints import GradientRule

Attributes = tuple[tuple[str, str], ...]

_HEX = regex(r"#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_FINEST = 0.05  # mm: a dash with its gap; no printer shows finer ones
_NAMED: dict[str, Color | None] = {"none": None, "black": (0, 0, 0), "white": (255, 255, 255)}
# CSS Fonts 4, 2.2.1: the names of weights are those of OpenType, and `normal` and `bold`.
_WEIGHTS = {
    "normal": 400.0, "bold": 700.0, "light": 300.0, "thin": 100.0, "extra-light": 200.0, "regular": 400.0,
    "medium": 500.0, "semi-bold": 600.0, "extra-bold": 800.0, "black": 900.0,
}  # fmt: skip
# CSS Fonts 4, 2.3, in per cent of the normal width.
_STRETCHES = {
    "normal": 100.0, "condensed": 75.0, "expanded": 125.0, "ultra-condensed": 50.0, "extra-condensed": 62.5,
    "semi-condensed": 87.5, "semi-expanded": 112.5, "extra-expanded": 150.0, "ultra-expanded": 200.0,
}  # fmt: skip
_BOLD = 600.0  # the weight from which the bold face of a bundled family is used
_CONDENSED = 90.0  # per cent: the width up to which its condensed face is


class WrongValue(ValueError):
    """The value of an attribute is not one that SVG, or the subset of it, allows.

    `attribute` is its name. `element`, as a message names it, is set if it is not the element being drawn.
    """

    def __init__(self, attribute: str, message: str, element: str = "", hint: str = "") -> None:
        self.attribute = attribute
        self.element = element
        self.hint = hint
        super().__init__(message)


_MEANT = {
    "center": "middle", "centre": "middle", "centered": "middle", "left": "start", "right": "end", "justified": "justify",
    "even-odd": "evenodd", "non-zero": "nonzero", "flat": "butt", "sharp": "miter", "start": "top", "end": "bottom",
    "yes": "true", "no": "false",
}  # fmt: skip
"""Words of CSS and of other programs, and what some attributes of SVG call the same."""


Choice = TypeVar("Choice")


def read_choice(attribute: str, value: str, choices: Mapping[str, Choice]) -> Choice:
    """Return what one of the words that an attribute may have stands for; WrongValue for any other."""
    if value in choices:
        return choices[value]
    meant = _MEANT.get(value.strip().lower(), "")
    near = meant if meant in choices else nearest_word(value.strip(), tuple(choices))
    hint = f"did you mean `{near}`?" if near else ""
    raise WrongValue(attribute, f"expected {listed(tuple(choices))}, found `{value}`", hint=hint)


class WrongFace(WrongValue):
    """Words within a text ask for a face that its font has not: `***both***`, where there is no bold italic."""

    def __init__(self, message: str) -> None:
        super().__init__("font-family", message)


class Style(Struct, frozen=True):
    """The inherited presentation.

    Lengths in mm of the user space. Defaults are SVG's, those of the font are our own.
    """

    # SVG 1.1, 11.3 and 11.4: black fill, no line, width 1, butt caps, miter joins with limit 4.
    fill: Color | GradientRule | None = (0, 0, 0)
    even_odd: bool = False
    stroke: Color | GradientRule | None = None
    stroke_width: float = 1.0
    cap: str = "butt"
    join: str = "miter"
    miter_limit: float = 4.0
    dashes: tuple[float, ...] = ()
    line_first: bool = False  # of letters; shapes of which this is asked are two by then
    family: str = fonts.SANS
    size: float = 3.0  # mm: 8.5 pt
    italic: bool = False
    weight: float = 400.0  # as in CSS Fonts 4: 400 is normal, 700 bold
    stretch: float = 100.0  # per cent of the normal width; 75 is condensed
    pixel: float = 0.0  # mm: letters advance by whole pixels; 0: by any width
    spacing: float = 0.0  # mm behind every letter
    word_spacing: float = 0.0  # mm added to every space
    kerning: fonts.Features = ()
    ligatures: fonts.Features = ()
    caps: fonts.Features = ()
    numerals: fonts.Features = ()
    features: fonts.Features = ()
    shadows: tuple[LetterShadow, ...] = ()  # lengths in mm, not yet in em
    book: FontBook = NO_FONTS  # the fonts of the set and its game

    def line(self, growth: float) -> Stroke | None:
        """Return the stroke in a space enlarged `growth` times; None if there is none."""
        # SVG 1.1, 11.4: a line of width 0 is not painted.
        if self.stroke is None or self.stroke_width <= 0:
            return None
        dashes = tuple(dash * growth for dash in self.dashes)
        return Stroke(
            color=self.stroke if isinstance(self.stroke, tuple) else (0, 0, 0),  # a gradient needs the shape
            width=self.stroke_width * growth,
            cap=self.cap,
            join=self.join,
            miter_limit=self.miter_limit,
            dashes=dashes,
        )

    def face(self) -> str:
        """Return the name of the face, or chain; WrongValue if none has this family and style, FontFault."""
        bold, condensed = self.weight >= _BOLD, self.stretch <= _CONDENSED
        name = fonts.choose(self.family, italic=self.italic, bold=bold, condensed=condensed)
        if name is not None and not self.book.role(self.family):
            return name
        families = _families(self.family)
        unknown: UnknownFontError | None = None
        try:
            if families and self.book:
                return self.book.chain(families, FontStyle(self.weight, self.stretch, self.italic))
        except UnknownFontError as error:
            unknown = error
        if found := self._next_family(families):
            return found
        if unknown is not None:
            raise WrongValue("font-family", str(unknown))
        first = families[0] if families else self.family
        if first in fonts.NAMES:
            asked = {"condensed": condensed, "bold": bold, "oblique": self.italic}
            face = " ".join(word for word, wanted in asked.items() if wanted)
            hint = f"there are {listed(fonts.NAMES, 'and')}"
            raise WrongValue("font-family", f"the font `{first}` has no {face} face", hint=hint)
        there = f"the fonts are {listed(fonts.NAMES, 'and')}; put any other into the folder `fonts`"
        hint = did_you_mean(first, fonts.NAMES) or there
        raise WrongValue("font-family", f"there is no font {quoted(first)}", hint=hint)

    def _next_family(self, families: tuple[str, ...]) -> str | None:
        """Return the face of the first family of a list that there is, as drawing programs write it; None if none is.

        Illustrator writes the names of faces, such as `DejaVuSans-Bold`.
        """
        first, *others = families or ("",)
        if first.replace("-", "") in (faces := {name.replace(" ", ""): name for name in fonts.FILES}):
            return faces[first.replace("-", "")]
        if first in ("sans-serif", fonts.SANS) and self.family != fonts.SANS:
            return replace(self, family=fonts.SANS).face()
        try:
            return replace(self, family=",".join(others)).face() if others else None
        except WrongValue:
            return None


@cached(4096)
def inherit(look: Style, attributes: Attributes) -> Style:
    """Return the style of an element inside one with the style `look`; WrongValue for a value that is not allowed."""
    changed: dict[str, object] = {}
    for name, value in attributes:
        # Other attributes are no part of the style; their names have been checked against the subset.
        if name in _READERS:
            field, read = _READERS[name]
            changed[field] = read(name, value)
    return replace(look, **changed) if changed else look


def _families(value: str) -> tuple[str, ...]:
    """Return the names of a list of families as CSS writes it."""
    return tuple(name for part in value.split(",") if (name := part.strip().strip("'\"").strip()))


def _by_name(attribute: str, value: str, *, names: Mapping[str, float], least: int, most: int, unit: str) -> float:
    """Return the number of a name, or the number itself with its unit."""
    if value in names:
        return names[value]
    with suppress(ValueError):
        if value.endswith(unit) and least <= (number := float(value.removesuffix(unit))) <= most:
            return number
    usual = ", ".join(f"`{name}`" for name in [*names][:3])
    expected = f"expected {usual} and so on, or {least:g}{unit} to {most:g}{unit}"
    raise WrongValue(attribute, f"{expected}, found `{value}`")


def color(attribute: str, value: str | GradientRule) -> Color | GradientRule | None:
    """Return the color of `#rgb`, `#rrggbb`, `black` or `white`; None for `none`. A gradient stays what it is."""
    if not isinstance(value, str):
        return value
    if value in _NAMED:
        return _NAMED[value]
    match = _HEX.fullmatch(value)
    if match is None:
        from render.layout.svg.css import why_no_color

        expected = f"expected a color such as `#808080`, `black`, `white` or `none`, found `{value}`"
        raise WrongValue(attribute, expected, hint=why_no_color(value))
    # `#abc` is short for `#aabbcc` (CSS).
    digits = match[1] if len(match[1]) == 6 else "".join(digit * 2 for digit in match[1])
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


@cached(4096)
def read_length(attribute: str, value: str, *, least: float | None = None, above: float | None = None) -> float:
    """Return a length in mm of the user space, checked against the bounds."""
    try:
        result = parse_length(value)
    except ValueError as error:
        raise WrongValue(attribute, str(error)) from None
    if (least is not None and result < least) or (above is not None and result <= above):
        bound = f"at least {least:g}" if least is not None else f"above {above:g}"
        raise WrongValue(attribute, f"expected a length of {bound}, found `{value}`")
    return result


def box_of(given: Mapping[str, str]) -> Rect:
    """Return the box of x, y, width and height."""
    x, y = (read_length(name, given.get(name, "0")) for name in ("x", "y"))
    return Rect(x, y, read_extent(given, "width"), read_extent(given, "height"))


def read_extent(given: Mapping[str, str], name: str) -> float:
    """Return a width or height in mm; WrongValue if it is not given."""
    if name not in given:
        raise WrongValue(name, "is missing")
    return read_length(name, given[name], above=0.0)


def _dashes(attribute: str, value: str) -> tuple[float, ...]:
    if value == "none":
        return ()
    try:
        dashes = tuple(parse_numbers(value))
    except ValueError as error:
        raise WrongValue(attribute, str(error)) from None
    if not dashes or any(dash < 0 for dash in dashes) or sum(dashes) < _FINEST:
        raise WrongValue(attribute, f"expected dashes and gaps of at least {_FINEST} mm, found `{value}`")
    return dashes if len(dashes) % 2 == 0 else dashes * 2  # SVG 1.1, 11.4: an odd list is repeated


# CSS Fonts 4, 6: the OpenType features behind the words of `font-variant-...`.
_LIGATURES = {
    "none": "-liga -clig -dlig -hlig -calt", "common-ligatures": "liga clig", "no-common-ligatures": "-liga -clig",
    "discretionary-ligatures": "dlig", "no-discretionary-ligatures": "-dlig", "historical-ligatures": "hlig",
    "no-historical-ligatures": "-hlig", "contextual": "calt", "no-contextual": "-calt",
}  # fmt: skip
_CAPS = {
    "small-caps": "smcp", "all-small-caps": "smcp c2sc", "petite-caps": "pcap", "all-petite-caps": "pcap c2pc",
    "unicase": "unic", "titling-caps": "titl",
}  # fmt: skip
_NUMERALS = {
    "lining-nums": "lnum", "oldstyle-nums": "onum", "proportional-nums": "pnum", "tabular-nums": "tnum",
    "diagonal-fractions": "frac", "stacked-fractions": "afrc", "ordinal": "ordn", "slashed-zero": "zero",
}  # fmt: skip
_ALWAYS_THERE = frozenset(("kern", "liga", "clig", "calt"))  # which fonts apply by themselves, if they have them
_FEATURE = regex(r"""\s*(["'])([\x20-\x7e]{4})\1(?:\s+(on|off|\d{1,4}))?\s*""")


def _features(attribute: str, value: str, *, words: Mapping[str, str]) -> fonts.Features:
    """Return the features behind the words of a property; what a font does by itself is not asked of it."""
    if value in ("normal", "auto") and value not in words:
        return ()
    tags = [tag for word in value.split() for tag in read_choice(attribute, word, words).split()]
    return tuple((tag.removeprefix("-"), int(tag[0] != "-")) for tag in tags if tag not in _ALWAYS_THERE)


def _feature_settings(attribute: str, value: str) -> fonts.Features:
    if value == "normal":
        return ()
    found = [_FEATURE.fullmatch(part) for part in value.split(",")]
    settings = [(each[2], {"on": 1, "off": 0}.get(each[3] or "on", each[3])) for each in found if each]
    if len(settings) < len(found):
        raise WrongValue(attribute, f"expected tags such as `'ss01', 'kern' off`, found `{value}`")
    return tuple((tag, int(number)) for tag, number in settings)


def _shadows(attribute: str, value: str) -> tuple[LetterShadow, ...]:
    """Return the shadows of `dx dy blur color`, one behind the other with commas (CSS Text Decoration 3, 4)."""
    from render.layout.svg.css import read_tint

    if value == "none":
        return ()
    shadows: list[LetterShadow] = []
    for part in re.split(r",(?![^(]*\))", value):
        words = re.findall(r"[^\s(]+(?:\([^)]*\))?", part)
        lengths = [word for word in words if word[-1].isdigit() and word[0] != "#"]
        colors = [tint for word in words if word not in lengths and (tint := read_tint(word))]
        if (
            len(lengths) not in (2, 3)
            or len(colors) != 1
            or len(words) != len(lengths) + 1
            or len(shadows) == MAX_SHADOWS
        ):
            expected = (
                f"expected at most {MAX_SHADOWS} shadows such as `0.3 0.3 0.8 #000000`: right, down, blur and color"
            )
            raise WrongValue(attribute, f"{expected}, found `{value}`")
        dx, dy, blur = (read_length(attribute, each) for each in (*lengths, "0")[:3])
        if blur < 0:
            raise WrongValue(attribute, f"a blur is at least 0, found `{value}`")
        shadows.append(LetterShadow(colors[0].color, dx, dy, blur, colors[0].opacity))
    return tuple(shadows)


MAX_SHADOWS = 4  # of one text


def _one_of(words: str) -> Callable[[str, str], object]:
    return partial(read_choice, choices={word: word for word in words.split()})


_READERS: dict[str, tuple[str, Callable[[str, str], object]]] = {
    "fill": ("fill", color),
    "stroke": ("stroke", color),
    "fill-rule": ("even_odd", partial(read_choice, choices={"nonzero": False, "evenodd": True})),
    "stroke-linecap": ("cap", _one_of("butt round square")),
    "stroke-linejoin": ("join", _one_of("miter round bevel")),
    "stroke-width": ("stroke_width", partial(read_length, least=0.0)),
    "stroke-miterlimit": ("miter_limit", partial(read_length, least=1.0)),  # SVG 1.1, 11.4: one below 1 is an error
    "stroke-dasharray": ("dashes", _dashes),
    "paint-order": (
        "line_first",
        partial(read_choice, choices={each: is_line_first(each) for each in WORDS["paint-order"]}),
    ),
    "font-family": ("family", lambda _, value: value),
    "font-style": ("italic", partial(read_choice, choices={"normal": False, "italic": True, "oblique": True})),
    "font-weight": ("weight", partial(_by_name, names=_WEIGHTS, least=1, most=1000, unit="")),
    "font-stretch": ("stretch", partial(_by_name, names=_STRETCHES, least=50, most=200, unit="%")),
    "font-size": ("size", partial(read_length, above=0.0)),
    "pixel": ("pixel", partial(read_length, least=0.0)),
    "letter-spacing": ("spacing", lambda name, value: read_length(name, "0" if value == "normal" else value)),
    "word-spacing": ("word_spacing", lambda name, value: read_length(name, "0" if value == "normal" else value)),
    "font-kerning": ("kerning", partial(_features, words={"normal": "kern", "none": "-kern"})),
    "font-variant-ligatures": ("ligatures", partial(_features, words=_LIGATURES)),
    "font-variant-caps": ("caps", partial(_features, words=_CAPS)),
    "font-variant-numeric": ("numerals", partial(_features, words=_NUMERALS)),
    "font-feature-settings": ("features", _feature_settings),
    "text-shadow": ("shadows", _shadows),
}
"""What sets which field of a style, and how its value is read."""


def read_fit(element: ET.Element) -> inspect.Fit:
    """Return how an element fills its box; WrongValue."""
    try:
        return inspect.parse_fit(element.get("preserveAspectRatio", "xMidYMid meet"))
    except ValueError as error:
        raise WrongValue("preserveAspectRatio", str(error)) from None


def read_box(attribute: str, value: str) -> Rect:
    """Return the box of `x y width height`, bare numbers; WrongValue for anything else."""
    try:
        x, y, width, height = parse_numbers(value)
    except ValueError:
        raise WrongValue(attribute, f"expected four numbers, found `{value}`") from None
    if width <= 0 or height <= 0:
        raise WrongValue(attribute, f"expected a width and a height above 0, found `{value}`")
    return Rect(x, y, width, height)


def view_of(element: ET.Element, box: Rect) -> Affine:
    """Return the map from the `viewBox` of an element to its box (SVG 1.1, 7.7)."""
    value = element.get("viewBox")
    if value is None:
        return IDENTITY
    seen = read_box("viewBox", value)
    placed = inspect.place(Size(seen.width, seen.height), box, read_fit(element))
    # Of the whole viewBox: with `slice`, `place` gives only the part inside the box.
    full_width, full_height = placed.box.width / placed.crop.width, placed.box.height / placed.crop.height
    left, top = placed.box.x - placed.crop.x * full_width, placed.box.y - placed.crop.y * full_height
    by = Affine.scale(full_width / seen.width, full_height / seen.height)
    return drawable.check_space(Affine.move(left, top) @ by @ Affine.move(-seen.x, -seen.y))
