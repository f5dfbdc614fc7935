"""CSS as drawing programs write it: style sheets, colors and lengths. No element.

Of two declarations, that with the more exact selector wins, and then the later one (CSS 2.1, 6.4). Selectors are
compound ones, such as `.st0`, `#sky`, `rect` and `text.name`; anything else is a mistake.

A bare length in a template is in mm. A file of a drawing program has a `viewBox`, in whose units bare lengths are, and
those in `px` (CSS Values 4, 6.2: a px is what a user unit is). Lengths in mm, cm, in, pt and pc are as long on the card
as they say.
"""

from __future__ import annotations

import colorsys
import re
from math import hypot, sqrt

from msgspec import Struct
from PIL.ImageColor import colormap, getrgb

from render.base.caches import cached
from render.base.findings import did_you_mean
from render.base.geometry import MM_PER_INCH
from render.base.patterns import regex

Declaration = tuple[str, str, bool]
"""A property in small letters, its value, and whether it is important."""

MAX_RULES = 2000  # of a drawing; Illustrator writes one for each look

_COMMENT = regex(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_SELECTOR = regex(r"(?P<tag>\*|[A-Za-z][\w-]*)?(?P<parts>(?:[.#][\w-]+)*)")
_OF_SELECTOR = regex(r"([.#])([\w-]+)")
_DECLARATION = regex(r"""(?:[^;"'()]|"[^"]*"|'[^']*'|\((?:[^()"']|"[^"]*"|'[^']*')*\))+""")
_IMPORTANT = regex(r"\s*!\s*important\s*$", re.IGNORECASE)


class StyleError(ValueError):
    """CSS that is not read; `words` are those at fault, as they are written, and `hint` what to do."""

    def __init__(self, message: str, words: str, hint: str = "") -> None:
        super().__init__(message)
        self.words, self.hint = words, hint


class StyleRule(Struct, frozen=True):
    """What elements are given: those with this tag ("" for any), id ("" for any) and classes."""

    tag: str
    id: str
    classes: frozenset[str]
    declarations: tuple[Declaration, ...]

    @property
    def rank(self) -> tuple[int, int, int]:
        """How exact its selector is (CSS 2.1, 6.4.3)."""
        return bool(self.id), len(self.classes), bool(self.tag)

    def fits(self, tag: str, name: str, classes: frozenset[str]) -> bool:
        """Return whether the rule is for such an element."""
        return self.tag in ("", tag) and self.id in ("", name) and self.classes <= classes


@cached(4096)
def declarations(text: str) -> tuple[Declaration, ...]:
    """Return the properties of a `style` attribute, in order; StyleError for what is no declaration."""
    given: list[Declaration] = []
    for words in map(str.strip, _DECLARATION.findall(_COMMENT.sub(" ", text))):
        name, colon, value = words.partition(":")
        if words and (not colon or not value.strip()):
            raise StyleError(f"expected `property: value`, found `{words[:60]}`", words)
        if words:
            plain = _IMPORTANT.sub("", value)
            given.append((name.strip().lower(), plain.strip(), plain != value))
    return tuple(given)


@cached(64)
def read_sheet(text: str) -> tuple[StyleRule, ...]:
    """Return the rules of a `<style>`, in order; StyleError for what is not read."""
    rules: list[StyleRule] = []
    rest = _COMMENT.sub(" ", text).strip()
    while rest:
        selectors, brace, behind = rest.partition("{")
        if rest.startswith("@"):
            raise StyleError(f"`{rest.split()[0]}` is not read", rest.split()[0], "remove it; fonts are of the set")
        inside, end, rest = behind.partition("}")
        if not brace or not end:
            raise StyleError("a rule is written `.name { fill: red }`", selectors.strip()[:60])
        given = declarations(inside)
        rules += (_rule(selector.strip(), given) for selector in selectors.split(","))
        rest = rest.strip()
    if len(rules) > MAX_RULES:
        raise StyleError(f"has {len(rules)} rules, and at most {MAX_RULES} are read", "")
    return tuple(rules)


def _rule(selector: str, given: tuple[Declaration, ...]) -> StyleRule:
    match = _SELECTOR.fullmatch(selector)
    if not match or not selector:
        hint = "selectors are a class, an id, an element, or these together: `.st0`, `#sky`, `rect`, `text.name`"
        raise StyleError(f"the selector `{selector[:60]}` is not read", selector, hint)
    parts = _OF_SELECTOR.findall(match["parts"])
    classes = frozenset(name for sign, name in parts if sign == ".")
    tag, names = match["tag"] or "", [name for sign, name in parts if sign == "#"]
    return StyleRule("" if tag == "*" else tag, names[-1] if names else "", classes, given)


class Tint(Struct, frozen=True):
    """A color in sRGB, 0 to 255, and how much it hides of what is beneath: 1 all, 0 nothing."""

    color: tuple[int, int, int]
    opacity: float = 1.0

    @property
    def words(self) -> str:
        """The color as `#rrggbb`, without its opacity."""
        return "#{:02x}{:02x}{:02x}".format(*self.color)


_HEX = regex(r"#(?:([0-9a-f]{3,4})|([0-9a-f]{6}|[0-9a-f]{8}))")
_CALL = regex(r"(rgb|hsl)a?\(\s*([^()]{1,100}?)\s*\)")
_OF_CALL = regex(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%|deg|grad|rad|turn)?")
_DEGREES = {"": 1.0, "deg": 1.0, "grad": 0.9, "rad": 57.29577951308232, "turn": 360.0}


@cached(1024)
def read_tint(value: str) -> Tint | None:
    """Return the color that CSS Color 4 gives these words; None if they are no color."""
    words = value.strip().lower()
    if words == "transparent":
        return Tint((0, 0, 0), 0.0)
    if words in colormap:  # the names of CSS Color 4, 6.1
        return Tint(getrgb(words)[:3])
    if match := _HEX.fullmatch(words):
        red, green, blue, *others = bytes.fromhex(match[2] or "".join(digit * 2 for digit in match[1]))
        return Tint((red, green, blue), others[0] / 255 if others else 1.0)
    match = _CALL.fullmatch(words)
    return _of_call(match[1], match[2]) if match else None


def why_no_color(words: str) -> str:
    """Return why words are no color, for the hint of a message, with the name of a color that may be meant."""
    digits = words.strip().removeprefix("#")
    odd = next((char for char in digits if char not in "0123456789abcdefABCDEF"), "")
    if words.strip().startswith("#"):
        if odd:
            return f"`{odd}` is no digit of a color: these are 0-9 and a-f"
        return f"a color has 3 or 6 digits behind the `#`, and this one {len(digits)}"
    if digits and not odd and len(digits) in (3, 6):
        return f'write `"#{digits}"`, with a `#`'
    return did_you_mean(words.strip(), colormap) if words.strip().isalpha() else ""


def _of_call(model: str, inside: str) -> Tint | None:
    written = [_OF_CALL.fullmatch(word) for word in re.split(r"\s*[,/]\s*|\s+", inside)]
    parts = [(float(match[1]), match[2] or "") for match in written if match]
    if len(parts) != len(written) or len(parts) not in (3, 4):
        return None
    (hue, turn), (saturation, _), (lightness, _) = parts[:3]
    if model == "rgb":
        channels = [number * 255 / 100 if unit == "%" else number for number, unit in parts[:3]]
        is_color = {unit for _, unit in parts[:3]} <= {"", "%"}
    else:
        shares = [min(max(number / 100, 0.0), 1.0) for number in (lightness, saturation)]
        channels = [255 * part for part in colorsys.hls_to_rgb(hue * _DEGREES.get(turn, 0.0) / 360 % 1.0, *shares)]
        is_color = turn in _DEGREES
    red, green, blue = (int(min(max(0.0, channel), 255.0) + 0.5) for channel in channels)
    opacity = min(max(parts[3][0] / (100 if parts[3][1] == "%" else 1), 0.0), 1.0) if len(parts) == 4 else 1.0
    return Tint((red, green, blue), opacity) if is_color else None


PX = MM_PER_INCH / 96  # mm (CSS Values 4, 6.2)

_LENGTH = regex(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([A-Za-z]+|%)?\s*")
_MM = {"mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, "pt": MM_PER_INCH / 72, "pc": MM_PER_INCH / 6, "q": 0.25}
# CSS Fonts 4, 2.5, in sizes of `medium`, which is the size that text here has by itself.
FONT_SIZES = {
    "xx-small": 0.6, "x-small": 0.75, "small": 8 / 9, "medium": 1.0, "large": 1.2, "x-large": 1.5, "xx-large": 2.0,
}  # fmt: skip
USUAL_SIZE = 3.0  # mm
_ACROSS = frozenset("x width cx x1 x2 fx rx dx".split())
_DOWN = frozenset("y height cy y1 y2 fy ry dy".split())


@cached(4096)
def split_length(value: str) -> tuple[float, str] | None:
    """Return the number and the unit of a length, in small letters; None if it is none."""
    match = _LENGTH.fullmatch(value)
    return (float(match[1]), (match[2] or "").lower()) if match else None


class Units(Struct, frozen=True):
    """What lengths are measured in: how many units a mm and a px are, the viewport that `%` is of, the size of letters."""

    per_mm: float = 1.0
    per_px: float = PX
    width: float = 0.0
    height: float = 0.0
    font_size: float = USUAL_SIZE

    def measure(self, value: str, name: str) -> float | None:
        """Return a length in units of the drawing; None if it is none. The attribute tells what a `%` is a part of."""
        number, unit = split_length(value) or (0.0, "none")
        match unit:
            case "":
                return number
            case "px":
                return number * self.per_px
            case "%":
                return number / 100 * self._whole(name)
            case "em" | "rem":
                return number * self.font_size
            case "ex":
                return number * self.font_size / 2  # CSS Values 4, 6.1.1, where the x of a font is not known
            case _:
                return number * _MM[unit] * self.per_mm if unit in _MM else None

    def plain(self, value: str, name: str) -> str:
        """Return a length as a number of units; as it is if it is one already, or no length at all."""
        parts = split_length(value)
        number = self.measure(value, name) if parts and parts[1] else None
        return value if number is None else plain_number(number)

    def _whole(self, name: str) -> float:
        """Return the whole of which a `%` in the attribute is a part (SVG 1.1, 7.10)."""
        if name == "font-size":
            return self.font_size
        if name in _ACROSS or name in _DOWN:
            return self.width if name in _ACROSS else self.height
        return hypot(self.width, self.height) / sqrt(2)


def plain_number(value: float) -> str:
    """Return a number as a template writes it, to a millionth."""
    return f"{value:.9g}" if abs(value) >= 1e-9 else "0"


def view_box(value: str | None) -> tuple[float, ...] | None:
    """Return the four numbers of a `viewBox`; None if they are no such numbers."""
    try:
        numbers = tuple(map(float, (value or "").replace(",", " ").split()))
    except ValueError:
        return None
    return numbers if len(numbers) == 4 and numbers[2] > 0 and numbers[3] > 0 else None
