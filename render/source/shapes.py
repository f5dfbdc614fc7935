"""JSON Schemas (2020-12) of values: one function for each way in which `fields` reads a value.

Editors check YAML 1.2 by its types: `9` is a number, `true` a truth value, `9-9` a text, and what is empty is null.
`Fields` reads all of them as texts. So a text may be any of these here, while a number must be one, which a number in
quotes is not. Only keywords that draft 7 has, too, are used, and `$defs`: editors know these best.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from msgspec import Struct

from render.base.patterns import regex

Shape: TypeAlias = Mapping[str, object]
"""A JSON Schema, or a part of one."""

ANYTHING: Shape = {}
TEXT: Shape = {"type": ["string", "number", "boolean", "null"]}
"""What is read as a text of several lines; nothing is an empty text."""

WORD: Shape = {"type": ["string", "number", "boolean"], "minLength": 1}
"""What is read as one word, such as an id, and cannot be empty."""

_NO_BREAK = "a line break is not allowed here: write the text in one line, or below `>-`"
LINE: Shape = {**TEXT, "pattern": r"^[^\n]*\s*$", "patternErrorMessage": _NO_BREAK}
"""What is read as a text in one line."""

FULL_TEXT: Shape = {**TEXT, "pattern": r"\S"}
"""A text of several lines that must not be empty."""

FULL_LINE: Shape = {**TEXT, "pattern": r"^[^\n]*\S\s*$"}
"""A text in one line that must not be empty."""


def whole(least: int, most: int, or_word: str = "") -> Shape:
    """Return the schema of a whole number, or of a word in its place."""
    return _or_word({"type": "integer", "minimum": least, "maximum": most}, or_word)


def number(least: float, most: float, or_word: str = "") -> Shape:
    """Return the schema of a number that need not be whole, or of a word in its place."""
    return _or_word({"type": "number", "minimum": least, "maximum": most}, or_word)


def _or_word(figure: Shape, word: str) -> Shape:
    return {"anyOf": [figure, {"const": word}]} if word else figure


def word(known: Iterable[str], default: str = "") -> Shape:
    """Return the schema of a word that is one of the known ones."""
    return {"enum": list(known), **({"default": default} if default else {})}


def truth(*, default: bool) -> Shape:
    """Return the schema of `true` or `false`, which may be in quotes."""
    return {
        "type": ["boolean", "string"],
        "pattern": "^(true|false)$",
        "patternErrorMessage": "expected `true` or `false`",
        "default": default,
    }


def matching(pattern: str, expected: str) -> Shape:
    """Return the schema of a text of a pattern, which must be one of JavaScript, too; `expected` says it in words."""
    return {"type": "string", "pattern": pattern, "patternErrorMessage": f"expected {expected}"}


def listing(items: Shape, least: int = 0) -> Shape:
    """Return the schema of a list with at least so many items."""
    return {"type": "array", "items": items, **({"minItems": least} if least else {})}


def mapping(properties: Mapping[str, Shape], required: Iterable[str] = ()) -> Shape:
    """Return the schema of keys and values without any other key."""
    needed = sorted(required)
    whole_shape: dict[str, object] = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return {**whole_shape, "required": needed} if needed else whole_shape


def named(names: Shape, values: Shape) -> Shape:
    """Return the schema of keys and values whose keys are names that the author chooses."""
    return {"type": "object", "propertyNames": names, "additionalProperties": values}


def either(*shapes: Shape) -> Shape:
    """Return the schema of what one of these allows."""
    return {"anyOf": list(shapes)}


# --- what the reference says of keys ---------------------------------------------------------------------------------

_LINK = regex(r"\[([^]]*)\]\([^)]*\)")


class KeyRow(Struct, frozen=True):
    """A row of a table of keys in the reference: the cell with the keys, the words about them, their value and default.

    `where` is the cell on where keys may stand. Cells are Markdown, as in the reference. Descriptions of schemas are made of them, and a test compares both.
    """

    cell: str
    words: str
    value: str = ""
    default: str = ""
    where: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that the row is about."""
        return tuple(re.findall(r"`(\w+)`", self.cell))

    def description(self, shape: Shape) -> str:
        """Return what the row says of a value of that schema, for an editor, which lists an enumeration itself."""
        parts = [self.words] if "enum" in shape or not self.value else [self.words, f"Value: {self.value}"]
        # Required keys are marked as such by the schema.
        if self.default and not self.default.startswith(("*", "none")):
            parts.append(f"Default: {self.default}")
        return " ".join(f"{each[0].upper()}{each[1:]}." for each in map(without_links, parts))


def without_links(markdown: str) -> str:
    """Return the words of a cell of a table with the texts of its links."""
    return _LINK.sub(r"\1", markdown).replace(r"\|", "|").removesuffix(".")


def described(shapes: Mapping[str, Shape], rows: Iterable[KeyRow]) -> dict[str, Shape]:
    """Return the schemas of keys, each with what its row says."""
    of_key = {key: row for row in rows for key in row.keys}
    return {
        key: {**shape, "description": of_key[key].description(shape)} if key in of_key else shape
        for key, shape in shapes.items()
    }
