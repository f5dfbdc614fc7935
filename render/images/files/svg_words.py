"""The vocabulary of SVG: elements that are drawn or refused, references, lengths, path data."""

from __future__ import annotations

import re
from collections.abc import Mapping

_DRAWN = frozenset(
    "svg g defs symbol use path rect circle ellipse line polyline polygon linearGradient radialGradient stop clipPath"
    " mask pattern marker title desc metadata style filter feBlend feColorMatrix feComponentTransfer feComposite"
    " feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feOffset".split()
)
_PNG = "export it as a PNG of 300 dpi or more at its printed size"
_TEXT = "convert the text to paths (in Inkscape: Path, Object to Path), and save it again"
_HINTS = {
    **dict.fromkeys(("text", "tspan", "textPath", "tref", "font", "glyph", "altGlyph"), _TEXT),
    **dict.fromkeys(("image", "feImage"), f"draw it as shapes, or {_PNG}"),
    **dict.fromkeys(("script", "handler"), "remove it"),
    **dict.fromkeys(("animate", "animateMotion", "animateTransform", "set"), "remove it: a card does not move"),
}
_UNEVEN = frozenset("pattern filter mask marker".split())
_CSS = re.compile(r"filter|mask|marker|\\|/\*", re.IGNORECASE)
_LOCAL = re.compile(r"url\(\s*['\"]?\s*(?!#)", re.IGNORECASE)  # a reference that does not begin with `#`
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_NUMBERS = re.compile(_NUMBER)
_LENGTH = re.compile(rf"\s*({_NUMBER})\s*(px|pt|pc|mm|cm|in|)\s*")
_PX = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}  # CSS 2.1, 4.3.2
_STEP = re.compile(rf"[\s,]*(?:([MmLlHhVvCcSsQqTtAaZz])|({_NUMBER}))")
# Numbers that each letter of path data takes (SVG 1.1, 8.3).
_TAKES = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "z": 0}
# All of path data at once, which most are. Arcs are left to the steps: their flags need no space behind them.
_ONE = r"[ \t\r\n,]*+[-+]?+(?:[0-9]++\.?+[0-9]*+|\.[0-9]++)(?:[eE][-+]?+[0-9]++)?+"
_WHOLE_PATH = re.compile(
    rf"[ \t\r\n,]*+[Mm](?:{_ONE}{_ONE})++"
    rf"(?:[ \t\r\n,]*+(?:[MmLlTt](?:{_ONE}{_ONE})++|[HhVv](?:{_ONE})++"
    rf"|[Cc](?:(?:{_ONE}){{6}})++|[SsQq](?:(?:{_ONE}){{4}})++|[Zz]))*+"
    r"[ \t\r\n,]*+"
)
# Flags of an arc need no space behind them, so `1 0 0110` is legal.
_ARC = re.compile(rf"[\s,]*{_NUMBER}[\s,]*{_NUMBER}[\s,]*{_NUMBER}[\s,]*[01][\s,]*[01][\s,]*{_NUMBER}[\s,]*{_NUMBER}")


def refused_element(word: str) -> tuple[str, str] | None:
    """Return the words about an element that is not drawn, and the hint; None if it is drawn."""
    if word in _DRAWN:
        return None
    hint = _HINTS.get(word, f"remove it, or {_PNG}")
    return f"`<{word}>`, which is not drawn", hint


def is_uneven(word: str, attributes: Mapping[str, str]) -> bool:
    """Whether time or memory for an element may grow faster than its pixels, as with tiles, filters and masks.

    Dashes are lengths of the drawing itself: it has as many with few pixels.
    """
    return word in _UNEVEN or "filter" in attributes or is_uneven_css(attributes.get("style", ""))


def is_uneven_css(text: str) -> bool:
    """Whether a style, or a style sheet, may ask for anything of that kind; what is escaped or commented may."""
    return _CSS.search(text) is not None


def refused_reference(key: str, value: str) -> tuple[str, str] | None:
    """Return the words about an attribute that names something outside the file, and the hint; None if it does not."""
    shown = value if len(value) <= 60 else f"{value[:57]}..."
    if key == "href" and value and not value.startswith("#"):
        return f"`href` to `{shown}`, and no other file is read", "let it name an id such as `#leaf`"
    if "url(" in value.lower() and _LOCAL.search(value):
        return f"`{key}` with `{shown}`, and no other file is read", "let it name an id such as `#leaf`"
    return None


def parse_svg_numbers(text: str) -> list[float]:
    """Return the numbers of a list; [] if it holds anything else."""
    found = _NUMBERS.findall(text)
    left = _NUMBERS.sub("", text)
    return [float(each) for each in found] if not left.strip(" ,\t\r\n") else []


def parse_svg_length(text: str) -> float | None:
    """Return a length in CSS px (1/96 in); None if it is no length, or a percentage."""
    match = _LENGTH.fullmatch(text)
    return float(match[1]) * _PX[match[2]] if match else None


def check_path(data: str) -> str:
    """Return what is wrong with path data, in words; "" if all of it can be drawn."""
    return "" if _WHOLE_PATH.fullmatch(data) else _fault_in_path(data)


def _fault_in_path(data: str) -> str:
    """Return the first fault of path data, step by step."""
    at, letter, count = 0, "", 0
    while at < len(data):
        if letter in ("A", "a") and (arc := _ARC.match(data, at)):
            at, count = arc.end(), 7
            continue
        step = _STEP.match(data, at)
        if step is None:
            rest = data[at:].lstrip(" \t\r\n,")
            return f"`d` of `<path>` has `{rest[:12]}` where a number is due" if rest else _ended(letter, count)
        if step[1]:
            if wrong := _ended(letter, count):
                return wrong
            if not letter and step[1] not in "Mm":
                return f"`d` of `<path>` begins with `{step[1]}`, and not with `M`"
            letter, count = step[1], 0
        else:
            if letter in ("A", "a"):
                return f"`d` of `<path>` has `{data[at : at + 12].strip()}` where the seven numbers of an arc are due"
            if not letter or letter in "Zz":
                return f"`d` of `<path>` has `{step[2]}` where a letter is due"
            count += 1
        at = step.end()
    return _ended(letter, count)


def _ended(letter: str, count: int) -> str:
    """Return what is wrong with the count of numbers behind a letter of path data."""
    takes = _TAKES.get(letter.lower(), 0)
    if takes and (count == 0 or count % takes):
        return f"`d` of `<path>` has {count} numbers behind `{letter}`, which takes {takes} at a time"
    return ""
