"""JSON Schemas of the options of sheets, made of the forms that each option gives its values (`option_table`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from render.base.geometry import MM_PER_UNIT
from render.sheets.option_table import AUTO, OPTIONS, SWITCH, Option
from render.source import shapes
from render.source.shapes import Shape


def option_shapes() -> dict[str, Shape]:
    """Return the schema of each option by its key, with the help that the command line has for it."""
    return {option.key: {**_of_option(option), "description": option.help} for option in OPTIONS}


def _of_option(option: Option) -> Shape:
    if option.values == SWITCH:
        return shapes.truth(default=option.default == "true")
    placeholders = [value for value in option.values.split("|") if value not in option.words]
    words = [shapes.word(option.words)] if option.words else []
    forms = [*words, *(shape for value in placeholders for shape in _FORMS[value](option))]
    shape = forms[0] if len(forms) == 1 else shapes.either(*forms)
    return {**shape, "default": _typed(option)} if option.default else shape


def _typed(option: Option) -> object:
    """Return the default as YAML has it: a number is one."""
    if option.default in option.words:
        return option.default
    number = float(option.default)
    return int(number) if number.is_integer() else number


# --- forms of values -------------------------------------------------------------------------------------------------


def _any_case(words: str) -> str:
    """Return a pattern for these words in large and small letters; JavaScript's patterns have no switch for it."""
    return "".join(f"[{each}{each.upper()}]" if each.isalpha() else each for each in words)


_UNITS = "|".join(_any_case(unit) for unit in MM_PER_UNIT if unit)
_LENGTH = rf"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*({_UNITS})?\s*"
_CROSS = r"[xX×]"


def _millimeters(option: Option) -> list[Shape]:
    least, most = option.bounds
    return [shapes.number(least, most), shapes.matching(f"^{_LENGTH}$", "a length such as `3`, `3mm` or `0.1in`")]


def _size(option: Option) -> list[Shape]:
    lengths = rf"{_LENGTH}{_CROSS}{_LENGTH}"
    if option.words == (AUTO,):
        return [shapes.matching(f"^{lengths}$", "two lengths such as `2x3`")]
    named = "|".join(_any_case(name) for name in option.words)
    return [shapes.matching(rf"^(\s*({named})\s*|{lengths})$", "a size by its name, or one such as `63x88`")]


def _grid(_: Option) -> list[Shape]:
    return [shapes.matching(rf"^\s*[1-9][0-9]?\s*{_CROSS}\s*[1-9][0-9]?\s*$", "columns x rows, such as `3x3`")]


def _count(option: Option) -> list[Shape]:
    least, most = map(int, option.bounds)
    digits = f"^[0-9]{{{len(str(least))},{len(str(most))}}}$"
    return [shapes.whole(least, most), shapes.matching(digits, "a whole number")]


def _color(_: Option) -> list[Shape]:
    return [shapes.matching("^#[0-9a-fA-F]{6}$", "a color in quotes such as `'#800000'`")]


def _text(_: Option) -> list[Shape]:
    return [shapes.LINE]


def _name(_: Option) -> list[Shape]:
    # As `printer_names` has it: nothing that a shell interprets, and no dash at the start.
    pattern = r"^\s*([^\s\"'`$\\%!-][^\"'`$\\%!]*)?$"
    return [{**shapes.TEXT, "pattern": pattern, "patternErrorMessage": "expected the name of a printer", "minimum": 0}]


_FORMS: Mapping[str, Callable[[Option], list[Shape]]] = {
    "MM": _millimeters,
    "WxH": _size,
    "CxR": _grid,
    "N": _count,
    "#RRGGBB": _color,
    "NAME": _name,
    "TEXT": _text,
}
