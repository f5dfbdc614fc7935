"""Text layers: the words of a layer, their colors, and how large they are set.

GIMP keeps the text of a layer in an attachment `gimp-text-layer`: a list of `(name value ...)`, with the words as
`text`, or as `markup` (Pango's) where some of them have a look of their own.
"""

from __future__ import annotations

import html
import math
import re
import struct
from collections.abc import Container, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from render.base.patterns import regex
from render.images.xcf.reading import BrokenXcf, XcfImage, XcfLayer

PARASITE = "gimp-text-layer"
_POINTS_PER_INCH = 72
_MAX_SIZE = 100_000  # px

Value: TypeAlias = "str | _Words | list[Value]"


class TextLayer(Struct, frozen=True, kw_only=True):
    """What a text layer says. `size` is in pixels of the image, None if it is not given.

    `spacing` is what is added between letters, `leading` between lines, `indent` before paragraphs, in pixels.
    `justify` is `left`, `right`, `center` or `fill`, or "" if it is not given.

    `styles` are the stretches of the text with a look of their own; `color` is that of the others, as `#rrggbb`. A
    font, size or spacing that all letters have by their stretches counts as that of the layer.
    """

    text: str
    styles: tuple[StyledStretch, ...]
    font: str
    size: float | None
    spacing: float
    leading: float
    indent: float
    justify: str
    color: str
    box: tuple[float, float] | None


def read_text_layer(image: XcfImage, layer: XcfLayer) -> TextLayer | None:
    """Return the text of a layer; None if it is no text layer. BrokenXcf if its attachment cannot be read."""
    attached = layer.parasites.get(PARASITE)
    if attached is None:
        return None
    said = _entries(attached, layer.offset)
    text, styles = _words(said, layer.offset)
    whole = {key: value for key in _OF_LAYERS if (value := of_all(text, styles, key))}
    justify = said.get("justify", [])
    return TextLayer(
        text=text,
        styles=without(styles, whole),
        font=whole.get("font") or _font(said.get("font", [])),
        size=_pango(whole.get("size", ""), image.resolution[1] / _POINTS_PER_INCH) or _size(said, image.resolution[1]),
        spacing=_pango(whole.get("letter_spacing", "")) or _number(said.get("letter-spacing", [])) or 0.0,
        leading=_number(said.get("line-spacing", [])) or 0.0,
        indent=_number(said.get("indent", [])) or 0.0,
        justify=justify[0] if justify and isinstance(justify[0], str) else "",
        color=_color(said.get("color", [])),
        box=_box(said),
    )


# Attributes of a whole text; a `rise` of all letters moves none of them.
_OF_LAYERS = ("font", "size", "letter_spacing", "rise")
_PANGO_UNITS = 1024


def _pango(written: str, scale: float = 1.0) -> float | None:
    """Return a figure of Pango's markup, in 1024ths; None for other words, and for what no text has."""
    figure = float(written) / _PANGO_UNITS * scale if _PANGO_FIGURE.fullmatch(written) else None
    return figure if figure is None or abs(figure) < _MAX_SIZE else None


_PANGO_FIGURE = regex("-?[0-9]{1,9}")


def _words(said: dict[str, list[Value]], offset: int) -> tuple[str, tuple[StyledStretch, ...]]:
    markup = _first(said.get("markup", []))
    if markup:
        try:
            return read_markup(markup)
        except ValueError as error:
            raise BrokenXcf("X007", f"has a text layer with markup that cannot be read: {error}", offset) from None
    return _first(said.get("text", [])), ()


def _first(values: list[Value]) -> str:
    return values[0].words if values and isinstance(values[0], _Words) else ""


def _size(said: dict[str, list[Value]], resolution: float) -> float | None:
    size = _number(said.get("font-size", []))
    unit = said.get("font-size-unit", [])
    name = unit[0] if unit and isinstance(unit[0], str) else _first(unit) or "pixels"
    per_inch = next((count for start, count in _PER_INCH.items() if name.startswith(start)), None)
    if size is None or not 0 < size < _MAX_SIZE:
        return None
    return size if per_inch is None else size * resolution / per_inch


_PER_INCH = {"point": _POINTS_PER_INCH, "pica": 6, "inch": 1, "millimeter": 25.4, "mm": 25.4}  # others are pixels


def _number(values: list[Value]) -> float | None:
    try:
        return float(values[0]) if values and isinstance(values[0], str) else None
    except ValueError:
        return None


def _box(said: dict[str, list[Value]]) -> tuple[float, float] | None:
    width, height = _number(said.get("box-width", [])), _number(said.get("box-height", []))
    return (width, height) if width is not None and height is not None else None


def _font(values: list[Value]) -> str:
    """Return the name of a font: a text up to GIMP 2.10, then an object with its full name."""
    names = {
        each[0]: _first(each[1:]) for each in values if isinstance(each, list) and each and isinstance(each[0], str)
    }
    return names.get("fullname") or names.get("name") or names.get("family") or _first(values)


def _color(values: list[Value]) -> str:
    """Return a color as `#rrggbb`: three numbers from 0 to 1, or, in GIMP 3, a format and bytes; black if unclear."""
    inner = values[0] if values and isinstance(values[0], list) else []
    match inner:
        case ["color-rgb" | "color-rgba", str(red), str(green), str(blue), *_]:
            given = [_number([each]) for each in (red, green, blue)]
            return _hexadecimal([min(max(each or 0, 0), 1) * 255 for each in given])
        case ["color", _Words(words=kind), str(), _Words(data=data), *_] if kind.endswith("u8") and len(data) >= 3:
            return _hexadecimal([float(each) for each in data[:3]])
        case ["color", _Words(words=kind), str(), _Words(data=data), *_] if kind.endswith("float") and len(data) >= 12:
            fractions = [each if math.isfinite(each) else 0 for each in struct.unpack("<3f", data[:12])]
            return _hexadecimal([min(max(each, 0), 1) * 255 for each in fractions])
    return "#000000"


def _hexadecimal(levels: list[float]) -> str:
    return "#" + "".join(f"{round(level):02x}" for level in levels)


# --- lists ----------------------------------------------------------------------------------------------------------


class _Words(Struct, frozen=True):
    """A quoted text: its bytes, and as words."""

    data: bytes

    @property
    def words(self) -> str:
        return self.data.decode("utf-8", "replace")


_TOKEN = regex(
    rb"""\s+|\#[^\n]*|(?P<open>\()|(?P<close>\))|"(?P<words>(?:[^"\\]|\\.)*)"|(?P<word>[^\s()"]+)""", re.DOTALL
)
_ESCAPE = regex(rb"\\([0-7]{1,3}|.)", re.DOTALL)
_ESCAPED = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"b": b"\b", b"f": b"\f", b"v": b"\v"}


def _entries(attached: bytes, offset: int) -> dict[str, list[Value]]:
    """Return the values of each entry by its name."""
    entries = _lists(attached.rstrip(b"\0"), offset)
    return {each[0]: each[1:] for each in entries if isinstance(each, list) and each and isinstance(each[0], str)}


def _lists(data: bytes, offset: int) -> list[Value]:
    """Return what is written as lists in round brackets."""
    open_lists: list[list[Value]] = [[]]
    at = 0
    while at < len(data):
        token = _TOKEN.match(data, at)
        if token is None:
            raise BrokenXcf("X007", "has a text layer that cannot be read", offset)
        at = token.end()
        match token.lastgroup:
            case "open":
                inner: list[Value] = []
                open_lists[-1].append(inner)
                open_lists.append(inner)
            case "close":
                open_lists.pop()
            case "words":
                open_lists[-1].append(_Words(_ESCAPE.sub(_unescaped, token["words"])))
            case "word":
                open_lists[-1].append(token["word"].decode("utf-8", "replace"))
        if not open_lists:
            raise BrokenXcf("X007", "has a text layer whose brackets do not match", offset)
    if len(open_lists) != 1:
        raise BrokenXcf("X007", "has a text layer that ends too early", offset)
    return open_lists[0]


def _unescaped(match: re.Match[bytes]) -> bytes:
    code = match[1]
    if code[:1] in b"01234567":
        return bytes([int(code, 8) & 255])
    return _ESCAPED.get(code, code)


# --- markup ----------------------------------------------------------------------------------------------------------

_PIECE = regex(r"<(?P<close>/?)(?P<name>[A-Za-z_]\w*)(?P<attributes>[^<>]*?)(?P<empty>/?)>|(?P<words>[^<]+)")
_ATTRIBUTE = regex(r"""\s*([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_COLORS = ("foreground", "fgcolor", "color")  # three names of one attribute
# The named colors that stand for a red; GIMP itself writes figures.
_NAMED = {"black": "#000000", "red": "#ff0000", "darkred": "#8b0000", "dark red": "#8b0000", "maroon": "#b03060"}


class StyledStretch(Struct, frozen=True):
    """Characters of a text with a look of their own.

    `color` is `#rrggbb`, the name of a color that is not known, or "" for that of the text; `others` are the other
    attributes.
    """

    start: int
    end: int
    color: str
    others: Mapping[str, str]


def read_markup(markup: str) -> tuple[str, tuple[StyledStretch, ...]]:
    """Return the words of a markup, and the stretches with a look of their own, those within others after them.

    ValueError says what is wrong with the markup.
    """
    words: list[str] = []
    found: list[StyledStretch] = []
    open_elements: list[tuple[str, int, Mapping[str, str]]] = []
    at = length = 0
    while at < len(markup):
        piece = _PIECE.match(markup, at)
        if piece is None:
            raise ValueError("a `<` begins no element")
        at = piece.end()
        if piece["words"] is not None:
            words.append(html.unescape(piece["words"]))
            length += len(words[-1])
        elif piece["close"]:
            if not open_elements or open_elements[-1][0] != piece["name"]:
                raise ValueError(f"`</{piece['name'][:20]}>` closes nothing")
            found += _stretch(*open_elements.pop(), length)
        elif not piece["empty"]:
            open_elements.append((piece["name"], length, _attributes(piece["attributes"])))
    if open_elements:
        raise ValueError(f"`<{open_elements[-1][0][:20]}>` is not closed")
    found.sort(key=lambda each: (each.start, -each.end))
    return "".join(words), tuple(found)


def of_all(text: str, styles: Sequence[StyledStretch], key: str) -> str:
    """Return the value that an attribute has for every letter of a text; "" if there is none, or several."""
    values = [""] * len(text)
    for each in styles:
        if key in each.others:
            values[each.start : each.end] = [each.others[key]] * (each.end - each.start)
    found = {value for char, value in zip(text, values, strict=True) if not char.isspace()}
    return found.pop() if len(found) == 1 else ""


def without(styles: Sequence[StyledStretch], keys: Container[str]) -> tuple[StyledStretch, ...]:
    """Return stretches without some of their attributes."""
    kept = ({key: value for key, value in each.others.items() if key not in keys} for each in styles)
    return tuple(replace(each, others=others) for each, others in zip(styles, kept, strict=True))


def _attributes(written: str) -> dict[str, str]:
    return {name: html.unescape(first or second) for name, first, second in _ATTRIBUTE.findall(written)}


def _stretch(name: str, start: int, attributes: Mapping[str, str], end: int) -> list[StyledStretch]:
    """Return the stretch of an element; nothing for the one around all, or for one without words."""
    if name == "markup" or start == end:
        return []
    color = next((_as_hexadecimal(attributes[key]) for key in _COLORS if key in attributes), "")
    others = {key: value for key, value in attributes.items() if key not in _COLORS}
    if name != "span":
        others[name] = "yes"  # `<b>`, `<i>` and the like are elements without attributes
    return [StyledStretch(start, end, color, others)]


def _as_hexadecimal(written: str) -> str:
    """Return a color as `#rrggbb`; as it is written if it is another name."""
    digits = written.removeprefix("#").lower()
    if written.startswith("#") and len(digits) % 3 == 0 and re.fullmatch("[0-9a-f]{3,12}", digits):
        size = len(digits) // 3
        return "#" + "".join((digits[i * size : (i + 1) * size] * 2)[:2] for i in range(3))
    return _NAMED.get(written.lower(), written.lower())
