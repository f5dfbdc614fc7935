"""What to say of a value of an option that is none of those it may have; click's own words speak of Python's types."""

from __future__ import annotations

import re
from pathlib import Path

import click

from render.base.findings import listed, quoted
from render.cli.terminal.nearest import mistyped_word, nearest_beside

_NO_NUMBER = re.compile(r"'(?P<value>.*)' is not a valid (?:integer|float)(?: range)?\.", re.DOTALL)
_OUTSIDE = re.compile(r"(?P<value>\S+) is not in the range \S+\.")
_NO_CHOICE = re.compile(r"'(?P<value>.*)' is not (?:one of )?'[^']*'(?:, '[^']*')*\.", re.DOTALL)
_NOTHING_THERE = re.compile(r"(?:Path|File|Directory) '(?P<value>.*)' does not exist\.", re.DOTALL)
_COMMA = re.compile(r"(?P<whole>[0-9]{1,4}),(?P<part>[0-9]{1,3})(?: ?mm)?")
_RANGE = re.compile(r"\b(\d+)<=x<=(\d+)\b")


def ranges_in_words(help_text: str) -> str:
    """Return the help of a command with `1 to 999` for click's `1<=x<=999`."""
    return _RANGE.sub(r"\1 to \2", help_text)


def in_plain_words(message: str, wanted: object) -> str:
    """Return what is wrong with a value, given click's words and the type that is `wanted`.

    That is what is expected, what was found, and where possible what to write.
    """
    if isinstance(wanted, click.IntRange | click.FloatRange):
        number = _NO_NUMBER.fullmatch(message) or _OUTSIDE.fullmatch(message)
        if number:
            return _unexpected(_bounds(wanted), number["value"].removesuffix(".0"))
    if isinstance(wanted, click.Choice) and (word := _NO_CHOICE.fullmatch(message)):
        return _unexpected(listed([str(each) for each in wanted.choices], "or"), word["value"], wanted.choices)
    if isinstance(wanted, click.Path) and (path := _NOTHING_THERE.fullmatch(message)):
        return f"`{path['value']}` does not exist{nearest_beside(Path(path['value']))}"
    return message


def _bounds(wanted: click.IntRange | click.FloatRange) -> str:
    kind = "a whole number" if isinstance(wanted, click.IntRange) else "a number"
    bounds = f"from {wanted.min or 0:g}"
    return f"{kind} {bounds} to {wanted.max:g}" if wanted.max is not None else f"{kind} {bounds} on"


def _unexpected(wanted: str, found: str, known: object = ()) -> str:
    near = mistyped_word(found.lower(), [str(each) for each in known]) if isinstance(known, tuple | list) else ""
    hint = f": did you mean `{near}`?" if near else decimal_point(found)
    return f"expected {wanted}, found {quoted(found)}{hint}"


def decimal_point(found: str) -> str:
    """Return what to write for a number with a decimal comma, behind what is wrong with it; "" for anything else."""
    comma = _COMMA.fullmatch(found)
    return f": write `{comma['whole']}.{comma['part']}`, with a point" if comma else ""
