"""Values as YAML, written as a person would: words in quotes where YAML needs it, a text of several lines below `|`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from collections.abc import Mapping as MappingOf
from typing import NamedTuple, TypeAlias

from render.source.nodes import Mapping, Node, Scalar, Sequence
from render.source.scalar_values import ScalarStyle, write_anywhere, write_scalar, write_words

Value: TypeAlias = "Node | str | int | tuple[Value, ...] | MappingOf[str, Value]"
"""What is to be written: nodes, of which only the values and the styles of scalars count, or values of Python."""


def plain(value: str) -> Scalar:
    """Return a value that is written without quotes if YAML takes it so: a number, or a word of the program."""
    return Scalar(value, ScalarStyle.PLAIN, 0, 0)


class Block(str):
    """A text that is written in lines below `|`, one line too."""

    __slots__ = ()


class Written(NamedTuple):
    """A value behind a key or a dash: the words beside it, and the lines below, indented from the key or the dash."""

    beside: str
    below: list[str]


def write_mapping(value: Mapping | MappingOf[str, Value]) -> list[str]:
    """Return the lines of a mapping, without line ends."""
    lines: list[str] = []
    for key, each in pairs_of(value):
        beside, below = write_value(each)
        lines += [f"{write_words(key)}:{f' {beside}' if beside else ''}", *below]
    return lines


def write_value(value: Value) -> Written:
    """Return a value as it is written behind a key: a text of several lines below `|`, words in quotes where needed."""
    match value:
        case Scalar() | str() | int():
            return _written_scalar(value)
        case Mapping() | MappingOf() if pairs := pairs_of(value):
            return Written("", _indented(write_mapping(dict(pairs))))
        case Sequence(items) if items:
            return Written("", _indented(line for item in items for line in write_item(item)))
        case (Mapping() | MappingOf(), *_):
            return Written("", _indented(line for item in value for line in write_item(item)))
    return Written(write_in_line(value), [])


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" if line else "" for line in lines]


def write_item(value: Value) -> list[str]:
    """Return the lines of an item of a list, the first behind a dash."""
    match value:
        case Mapping() | MappingOf() if pairs := pairs_of(value):
            first, *others = write_mapping(dict(pairs))
            return [f"- {first}", *_indented(others)]
        case Scalar() | str() | int():
            return [f"- {_in_one_line(value)}"]
    return [f"- {write_in_line(value)}"]


def write_in_line(value: Value) -> str:
    """Return a value in one line that may stand in braces and brackets."""
    match value:
        case Scalar(words, ScalarStyle.PLAIN):
            return write_anywhere(words) or '""'
        case Scalar(words) | Block(words):
            return json.dumps(words, ensure_ascii=False)
        case str() | int():
            return write_anywhere(as_words(value)) or '""'
        case Mapping() | MappingOf():
            return f"{{{', '.join(f'{write_anywhere(key)}: {write_in_line(each)}' for key, each in pairs_of(value))}}}"
    return f"[{', '.join(map(write_in_line, items_of(value)))}]"


def _written_scalar(value: Scalar | str | int) -> Written:
    words = value.value if isinstance(value, Scalar) else as_words(value)
    rows = words.rstrip("\n").split("\n")
    is_text = isinstance(value, Block) and not rows[0].startswith((" ", "\t"))
    if is_text or (len(rows) > 1 and all(row and row == row.strip() and row.isprintable() for row in rows)):
        return Written("|", _indented(rows))
    return Written(_in_one_line(value), [])


def _in_one_line(value: Scalar | str | int) -> str:
    match value:
        case Scalar(words, ScalarStyle.PLAIN):
            return write_scalar(words)
        case Scalar(words) | str(words):
            return write_words(words)
    return write_scalar(as_words(value))


# --- what a value consists of ------------------------------------------------------------------------------------------


def as_words(value: str | int) -> str:
    """Return a value of Python as YAML says it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def pairs_of(value: Mapping | MappingOf[str, Value]) -> list[tuple[str, Value]]:
    """Return the keys of a mapping with their values."""
    return [(key.value, each) for key, each in value.entries] if isinstance(value, Mapping) else [*value.items()]


def items_of(value: Sequence | tuple[Value, ...]) -> tuple[Value, ...]:
    """Return what a list holds."""
    return value.items if isinstance(value, Sequence) else value
