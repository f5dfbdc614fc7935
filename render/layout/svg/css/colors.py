"""Colors as CSS writes them: names, hexadecimal, rgb(), rgba(), hsl(), hsla()."""

from __future__ import annotations

import colorsys
import re
from typing import NamedTuple

from render.base.caches import cached
from render.base.findings import did_you_mean


class Tint(NamedTuple):
    """A color in sRGB, 0 to 255, and how much it hides of what is beneath: 1 all, 0 nothing."""

    color: tuple[int, int, int]
    opacity: float = 1.0

    @property
    def words(self) -> str:
        """The color as `#rrggbb`, without its opacity."""
        return "#{:02x}{:02x}{:02x}".format(*self.color)


_HEX = re.compile(r"#(?:([0-9a-f]{3,4})|([0-9a-f]{6})|([0-9a-f]{8}))")
_CALL = re.compile(r"(rgba?|hsla?)\(\s*([^()]{1,100}?)\s*\)")
_PART = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%|deg|grad|rad|turn)?")
_DEGREES = {"": 1.0, "deg": 1.0, "grad": 0.9, "rad": 57.29577951308232, "turn": 360.0}


@cached(1024)
def read_tint(value: str) -> Tint | None:
    """Return the color that CSS Color 4 gives these words; None if they are no color."""
    words = value.strip().lower()
    if words == "transparent":
        return Tint((0, 0, 0), 0.0)
    if words in NAMED:
        return _of_digits(NAMED[words])
    if match := _HEX.fullmatch(words):
        short = match[1] and "".join(digit * 2 for digit in match[1])
        return _of_digits(short or match[2] or match[3])
    if match := _CALL.fullmatch(words):
        return _of_call(match[1], match[2])
    return None


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
    return did_you_mean(words.strip(), NAMED) if words.strip().isalpha() else ""


def _of_digits(digits: str) -> Tint:
    red, green, blue, *others = bytes.fromhex(digits)
    return Tint((red, green, blue), others[0] / 255 if others else 1.0)


def _of_call(name: str, inside: str) -> Tint | None:
    written = [_PART.fullmatch(word) for word in re.split(r"\s*[,/]\s*|\s+", inside)]
    parts = [(float(match[1]), match[2] or "") for match in written if match]
    if len(parts) != len(written) or len(parts) not in (3, 4):
        return None
    opacity = min(max(parts[3][0] / (100 if parts[3][1] == "%" else 1), 0.0), 1.0) if len(parts) == 4 else 1.0
    if name.startswith("rgb"):
        red, green, blue = (_channel(number * 255 / 100 if unit == "%" else number) for number, unit in parts[:3])
        return Tint((red, green, blue), opacity) if {unit for _, unit in parts[:3]} <= {"", "%"} else None
    (hue, turn), (saturation, _), (lightness, _) = parts[:3]
    if turn not in _DEGREES:
        return None
    share = hue * _DEGREES[turn] / 360 % 1.0, min(max(lightness / 100, 0.0), 1.0), min(max(saturation / 100, 0.0), 1.0)
    red, green, blue = (_channel(255 * part) for part in colorsys.hls_to_rgb(*share))
    return Tint((red, green, blue), opacity)


def _channel(value: float) -> int:
    return min(max(int(value + 0.5), 0), 255)


# CSS Color 4, 6.1.
NAMED = dict(
    pair.split(":")
    for pair in """
    aliceblue:f0f8ff antiquewhite:faebd7 aqua:00ffff aquamarine:7fffd4 azure:f0ffff beige:f5f5dc bisque:ffe4c4
    black:000000 blanchedalmond:ffebcd blue:0000ff blueviolet:8a2be2 brown:a52a2a burlywood:deb887 cadetblue:5f9ea0
    chartreuse:7fff00 chocolate:d2691e coral:ff7f50 cornflowerblue:6495ed cornsilk:fff8dc crimson:dc143c cyan:00ffff
    darkblue:00008b darkcyan:008b8b darkgoldenrod:b8860b darkgray:a9a9a9 darkgreen:006400 darkgrey:a9a9a9
    darkkhaki:bdb76b darkmagenta:8b008b darkolivegreen:556b2f darkorange:ff8c00 darkorchid:9932cc darkred:8b0000
    darksalmon:e9967a darkseagreen:8fbc8f darkslateblue:483d8b darkslategray:2f4f4f darkslategrey:2f4f4f
    darkturquoise:00ced1 darkviolet:9400d3 deeppink:ff1493 deepskyblue:00bfff dimgray:696969 dimgrey:696969
    dodgerblue:1e90ff firebrick:b22222 floralwhite:fffaf0 forestgreen:228b22 fuchsia:ff00ff gainsboro:dcdcdc
    ghostwhite:f8f8ff gold:ffd700 goldenrod:daa520 gray:808080 green:008000 greenyellow:adff2f grey:808080
    honeydew:f0fff0 hotpink:ff69b4 indianred:cd5c5c indigo:4b0082 ivory:fffff0 khaki:f0e68c lavender:e6e6fa
    lavenderblush:fff0f5 lawngreen:7cfc00 lemonchiffon:fffacd lightblue:add8e6 lightcoral:f08080 lightcyan:e0ffff
    lightgoldenrodyellow:fafad2 lightgray:d3d3d3 lightgreen:90ee90 lightgrey:d3d3d3 lightpink:ffb6c1
    lightsalmon:ffa07a lightseagreen:20b2aa lightskyblue:87cefa lightslategray:778899 lightslategrey:778899
    lightsteelblue:b0c4de lightyellow:ffffe0 lime:00ff00 limegreen:32cd32 linen:faf0e6 magenta:ff00ff maroon:800000
    mediumaquamarine:66cdaa mediumblue:0000cd mediumorchid:ba55d3 mediumpurple:9370db mediumseagreen:3cb371
    mediumslateblue:7b68ee mediumspringgreen:00fa9a mediumturquoise:48d1cc mediumvioletred:c71585
    midnightblue:191970 mintcream:f5fffa mistyrose:ffe4e1 moccasin:ffe4b5 navajowhite:ffdead navy:000080
    oldlace:fdf5e6 olive:808000 olivedrab:6b8e23 orange:ffa500 orangered:ff4500 orchid:da70d6 palegoldenrod:eee8aa
    palegreen:98fb98 paleturquoise:afeeee palevioletred:db7093 papayawhip:ffefd5 peachpuff:ffdab9 peru:cd853f
    pink:ffc0cb plum:dda0dd powderblue:b0e0e6 purple:800080 rebeccapurple:663399 red:ff0000 rosybrown:bc8f8f
    royalblue:4169e1 saddlebrown:8b4513 salmon:fa8072 sandybrown:f4a460 seagreen:2e8b57 seashell:fff5ee
    sienna:a0522d silver:c0c0c0 skyblue:87ceeb slateblue:6a5acd slategray:708090 slategrey:708090 snow:fffafa
    springgreen:00ff7f steelblue:4682b4 tan:d2b48c teal:008080 thistle:d8bfd8 tomato:ff6347 turquoise:40e0d0
    violet:ee82ee wheat:f5deb3 white:ffffff whitesmoke:f5f5f5 yellow:ffff00 yellowgreen:9acd32
    """.split()
)
