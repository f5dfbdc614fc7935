"""What options of sheets take for values: how each kind is read, written, and told to editors as a JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from enum import Enum
from functools import partial
from math import inf
from unicodedata import normalize

from msgspec import Struct
from msgspec.structs import replace

from render.base.geometry import MM_PER_UNIT, Size, parse_length
from render.base.patterns import regex
from render.base.sizes import CARDS, PAPERS
from render.source import shapes
from render.source.shapes import Shape

MAX_MARGIN = 100.0  # mm: beyond, no card is left on any paper
_LONGEST_DATE, _LONGEST_NAME = 40, 60

AUTO = "auto"  # the program works the value out
ORIGINAL = "original"  # no limit
SWITCH = "true|false"  # values of options that are on or off
_NAMES = {size: name for name, size in (*PAPERS.items(), *CARDS.items())}


class Values(Struct, frozen=True):
    """The values of an option: their reader, which raises ValueError that says what was expected, and their forms.

    Forms are words as they are written, and placeholders in capitals, such as `MM`, to which the schemas belong.
    """

    read: Callable[[str], object]
    forms: str
    shapes: tuple[Shape, ...] = ()


def written(value: object) -> str:
    """Return an option's value as a set and the command line write it; its reader gives the same value."""
    match value:
        case None:
            return AUTO
        case float() if value == inf:
            return ORIGINAL
        case bool():
            return str(value).lower()
        case Enum():
            return str(value.value)
        case Size():
            return _NAMES.get(value) or written((value.width, value.height))
        case tuple():
            return "x".join(written(each) for each in value)
    return str(value).removesuffix(".0")  # `5.0` is written `5`


_COMMA = regex(r"(?P<whole>[0-9]{1,3}),(?P<part>[0-9]{1,3})(?= ?(?:mm)?$)")


def _unexpected(wanted: str, text: str) -> ValueError:
    from render.base.findings import quoted

    point = _COMMA.sub(r"\g<whole>.\g<part>", text)
    hint = f": write {quoted(point)}, with a point" if point != text else ""
    return ValueError(f"expected {wanted}, found {quoted(text) if text.strip() else 'nothing'}{hint}")


# --- words ----------------------------------------------------------------------------------------------------------


def words(meanings: Mapping[str, object] | type[Enum], also: Mapping[str, str] | None = None) -> Values:
    """Return values that are words with these meanings; `also` has other words for some of them."""
    known = {str(member.value): member for member in meanings} if isinstance(meanings, type) else meanings
    others = also or {}
    *first, last = (f"`{word}`" for word in known)

    def read(text: str) -> object:
        word = others.get(text, text)
        if word not in known:
            raise _unexpected(f"{', '.join(first)} or {last}", text)
        return known[word]

    return Values(read, "|".join(known))


TRUTH = words({"true": True, "false": False})


def or_auto(values: Values) -> Values:
    """Return values in whose place `auto` may stand, which is None."""
    return replace(
        values, read=lambda text: None if text == AUTO else values.read(text), forms=f"{values.forms}|{AUTO}"
    )


def _read_bleed_source(text: str) -> str:
    """Return the source of bleed. The message quotes the color, since `#` begins a comment in YAML and in a shell."""
    if text in ("auto", "template", "mirror", "stretch") or re.fullmatch("#[0-9a-fA-F]{6}", text):
        return text.lower()
    error = _unexpected("`auto`, `template`, `mirror`, `stretch` or a color in quotes such as `'#800000'`", text)
    if text.startswith("#"):
        from render.layout.svg.css import why_no_color

        error = ValueError(f"{error}: {why_no_color(text)}")
    raise error


BLEED_SOURCE = Values(
    _read_bleed_source,
    "auto|template|mirror|stretch|#RRGGBB",
    (shapes.matching("^#[0-9a-fA-F]{6}$", "a color in quotes such as `'#800000'`"),),
)


def _read_date(text: str) -> str:
    date = normalize("NFC", text)  # as texts of sets are
    if len(date) > _LONGEST_DATE or not date.isprintable():
        raise _unexpected(f"at most {_LONGEST_DATE} characters in one line", text)
    from render.text.characters import flaws

    for flaw in flaws(date, "S", lines=False):
        raise ValueError(f"expected a line that can be printed: {flaw.message}")
    return date


DATE = Values(_read_date, "TEXT", (shapes.LINE,))

_IN_COMMANDS = regex(r"[\"'`$\\%!]")  # characters that shells interpret even in quotes


def clean_name(text: str) -> str:
    """Return a printer's name as it is stored, without needless space; ValueError if it is not allowed."""
    from render.base.findings import quoted

    name = normalize("NFC", " ".join(text.split()))
    if not name:
        raise ValueError("a printer needs a name, such as `Living room`")
    if len(name) > _LONGEST_NAME:
        raise ValueError(f"a printer's name has at most {_LONGEST_NAME} characters, and {quoted(name)} has {len(name)}")
    wrong = next((char for char in name if not char.isprintable() or _IN_COMMANDS.match(char)), None)
    if wrong is not None or name.startswith("-"):
        raise ValueError(f"a printer's name has no {quoted(wrong or '-')} {'in it' if wrong else 'at its start'}")
    return name


def _read_printer(text: str) -> str:
    """Return a printer's name; "" for none. Whether it is calibrated here is asked when sheets are made."""
    if text.strip() in ("", "none"):
        return ""
    try:
        return clean_name(text)
    except ValueError as error:
        raise ValueError(f"expected the name of a printer: {error}") from None


_NAME: Shape = {  # as `clean_name` has it
    **shapes.TEXT,
    "pattern": r"""^\s*([^\s"'`$\\%!-][^"'`$\\%!]*)?$""",
    "patternErrorMessage": "expected the name of a printer",
    "minimum": 0,
}
PRINTER = Values(_read_printer, "NAME|none", (_NAME,))


# --- lengths and numbers --------------------------------------------------------------------------------------------


def _any_case(words: str) -> str:
    """Return a pattern for these words in large and small letters; JavaScript's patterns have no switch for it."""
    return "".join(f"[{letter}{letter.upper()}]" if letter.isalpha() else letter for letter in words)


_UNITS = "|".join(_any_case(unit) for unit in MM_PER_UNIT if unit)
_LENGTH = rf"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*({_UNITS})?\s*"
_CROSS = r"[xX×]"


def _read_length(text: str, least: float, most: float) -> float:
    with suppress(ValueError):
        length = parse_length(text)
        if least <= length <= most:
            return length
    raise _unexpected(f"{least:g} to {most:g} mm", text)


def _length_shapes(least: float, most: float) -> tuple[Shape, ...]:
    return shapes.number(least, most), shapes.matching(f"^{_LENGTH}$", "a length such as `3`, `3mm` or `0.1in`")


def length(least: float, most: float) -> Values:
    """Return values that are lengths in mm."""
    return Values(partial(_read_length, least=least, most=most), "MM", _length_shapes(least, most))


def size(read: Callable[[str], Size], named: Mapping[str, Size]) -> Values:
    """Return values that are sizes, by name or in mm."""
    names = "|".join(_any_case(name) for name in named)
    pattern = rf"^(\s*({names})\s*|{_LENGTH}{_CROSS}{_LENGTH})$"
    shape = shapes.matching(pattern, "a size by its name, or one such as `63x88`")
    return Values(read, "|".join((*named, "WxH")), (shape,))


def _read_grid(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"\s*([1-9][0-9]?)\s*[x×]\s*([1-9][0-9]?)\s*", text.lower())
    if match is None:
        raise _unexpected("columns x rows, such as `3x3`, or `auto`", text)
    return int(match[1]), int(match[2])


_GRID = shapes.matching(rf"^\s*[1-9][0-9]?\s*{_CROSS}\s*[1-9][0-9]?\s*$", "columns x rows, such as `3x3`")
GRID = or_auto(Values(_read_grid, "CxR", (_GRID,)))


def _read_gutter(text: str) -> tuple[float, float]:
    across, cross, down = text.lower().replace("×", "x").partition("x")
    try:
        return _read_length(across, 0, MAX_MARGIN), _read_length(down if cross else across, 0, MAX_MARGIN)
    except ValueError:
        raise _unexpected(f"0 to {MAX_MARGIN:g} mm, two such lengths as `2x3`, or `auto`", text) from None


_TWO_LENGTHS = shapes.matching(f"^{_LENGTH}{_CROSS}{_LENGTH}$", "two lengths such as `2x3`")
GUTTER = or_auto(Values(_read_gutter, "MM|WxH", (*_length_shapes(0, MAX_MARGIN), _TWO_LENGTHS)))


def _whole(least: int, most: int, text: str, otherwise: str = "") -> int:
    if re.fullmatch("[0-9]{1,4}", text) and least <= int(text) <= most:
        return int(text)
    raise _unexpected(f"a whole number from {least} to {most}{otherwise}", text)


def count(most: int) -> Values:
    """Return values that are whole numbers from 0."""
    return Values(lambda text: _whole(0, most, text), "N", _whole_shapes(0, most))


def _whole_shapes(least: int, most: int) -> tuple[Shape, ...]:
    digits = f"^[0-9]{{{len(str(least))},{len(str(most))}}}$"
    return shapes.whole(least, most), shapes.matching(digits, "a whole number")


def dpi(least: int, most: int) -> Values:
    """Return values that are dots per inch, or `original`, which is without limit."""

    def read(text: str) -> float:
        return inf if text == ORIGINAL else float(_whole(least, most, text, f", or `{ORIGINAL}`"))

    return Values(read, f"N|{ORIGINAL}", _whole_shapes(least, most))
