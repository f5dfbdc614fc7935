"""The markup of text layers: words with elements around some of them that change their look (Pango's markup)."""

from __future__ import annotations

import html
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

_PIECE = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z_]\w*)(?P<attributes>[^<>]*?)(?P<empty>/?)>|(?P<words>[^<]+)")
_ATTRIBUTE = re.compile(r"""\s*([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_COLORS = ("foreground", "fgcolor", "color")  # three names of one attribute
# The named colors that stand for a red; GIMP itself writes figures.
_NAMED = {"black": "#000000", "red": "#ff0000", "darkred": "#8b0000", "dark red": "#8b0000", "maroon": "#b03060"}


@dataclass(frozen=True, slots=True)
class StyledStretch:
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
    color = next((_color(attributes[key]) for key in _COLORS if key in attributes), "")
    others = {key: value for key, value in attributes.items() if key not in _COLORS}
    if name != "span":
        others[name] = "yes"  # `<b>`, `<i>` and the like are elements without attributes
    return [StyledStretch(start, end, color, others)]


def _color(written: str) -> str:
    """Return a color as `#rrggbb`; as it is written if it is another name."""
    digits = written.removeprefix("#").lower()
    if written.startswith("#") and len(digits) % 3 == 0 and re.fullmatch("[0-9a-f]{3,12}", digits):
        size = len(digits) // 3
        return "#" + "".join((digits[i * size : (i + 1) * size] * 2)[:2] for i in range(3))
    return _NAMED.get(written.lower(), written.lower())
