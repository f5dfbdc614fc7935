"""Tables of keys: what may stand in a mapping, said once for its reader, its JSON Schema and the reference.

A row has a key, how its value is read, what editors may write there, and the cells of the reference. Reading a mapping by
its table notes keys that it lacks, that it does not know, and values of another type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping
from enum import Enum
from itertools import groupby
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from render.source import shapes
from render.source.fields import Fields
from render.source.nodes import Scalar, Sequence
from render.source.scalar_values import ScalarStyle
from render.source.shapes import KeyRow, Shape
from render.text.characters import ANY_FONT

Read = Callable[[Fields, str, Any], Any]
"""Reads the value of a key that is given; the last is what its mapping stands in, for values that depend on it."""


Misplaced = Callable[[str], tuple[str, str, str] | None]
"""Says message and hint of a key that is known elsewhere, and the key that is right here, or ""."""


class Value(Struct, frozen=True):
    """What a key may have: its schema, and its reader; None for one that is read when the other keys are known."""

    shape: Shape | Callable[[Any], Shape]
    read: Read | None = None


class Key(Struct, frozen=True):
    """A row of a table. `words`, `takes`, `usual` and `where` are cells of the reference, in Markdown.

    `default` is what a mapping without it has; one that is `needed` is noted if it is not there, with `example` and
    `hint`. `attribute` is the name of what is read, if it is another. `aliases` are other names by which it may be given.
    """

    name: str
    value: Value
    words: str = ""
    takes: str = ""
    usual: str = ""
    where: str = ""
    default: Any = None
    needed: bool = False
    example: str = ""
    hint: str = ""
    attribute: str = ""
    aliases: tuple[str, ...] = ()

    def given_in(self, fields: Fields) -> list[str]:
        """Return by which of its names a mapping gives it."""
        names = (self.name, *self.aliases) if self.aliases else (self.name,)
        return [name for name in names if name in fields.values]


class KeyTable:
    """The keys of a mapping, in the order of the reference, and their `names`.

    `also` is what their schema says of them together.
    """

    def __init__(self, *keys: Key, also: Shape = shapes.ANYTHING) -> None:
        self.keys, self.also = keys, also
        self.names = tuple(key.name for key in keys)
        self._aliases = tuple(alias for key in keys for alias in key.aliases)

    def __add__(self, other: KeyTable) -> KeyTable:
        return KeyTable(*self.keys, *other.keys, also={**self.also, **other.also})

    @property
    def every_name(self) -> tuple[str, ...]:
        """The names of its keys, and their other names."""
        return (*self.names, *self._aliases)

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of what is read."""
        return tuple(key.attribute or key.name for key in self.keys if key.value.read is not None)

    @property
    def texts(self) -> tuple[str, ...]:
        """The keys whose values are texts in one line."""
        return tuple(key.name for key in self.keys if key.value in (LINE, FULL_LINE, NAME))

    def without(self, names: Container[str]) -> KeyTable:
        """Return the table without these keys."""
        return KeyTable(*(key for key in self.keys if key.name not in names))

    def with_value(self, name: str, value: Value) -> KeyTable:
        """Return the table with another value of a key, if it has that."""
        return KeyTable(*(replace(key, value=value) if key.name == name else key for key in self.keys))

    def needing(self, names: Container[str]) -> KeyTable:
        """Return the table, of which these keys must be given, too."""
        return KeyTable(*(replace(key, needed=True) if key.name in names else key for key in self.keys))

    def reading(self, names: Container[str]) -> KeyTable:
        """Return the table, of which only these keys are read; the others may be given, too."""
        unread = (key if key.name in names else replace(key, value=Value(key.value.shape)) for key in self.keys)
        return KeyTable(*unread)

    def __getitem__(self, name: str) -> Key:
        return next(key for key in self.keys if key.name == name)

    def read(
        self,
        fields: Fields,
        around: Any = None,
        misplaced: Misplaced = lambda _: None,
        above: Mapping[str, Any] = MappingProxyType({}),
    ) -> dict[str, Any]:
        """Return what a mapping has by the attributes of its keys, in their order; what is wrong with it is noted.

        `misplaced` is as in `Fields.check_keys`. What is in `above` need not be given, and is the default, then.
        """
        fields.check_keys((*self.names, *(alias for alias in self._aliases if alias in fields.values)), misplaced)
        values = {}
        for key in self.keys:
            attribute = key.attribute or key.name
            if key.value.read is None:
                continue
            if names := key.given_in(fields):
                values[attribute] = _read(key, names, fields, around)
                continue
            if key.needed and attribute not in above:
                fields.missing(key.name, key.example, key.hint)
            values[attribute] = above.get(attribute, key.default)
        return values

    def given(self, fields: Fields, around: Any = None) -> dict[str, Any]:
        """Return what a mapping gives of these keys, by their attributes; others, and those it lacks, are left alone."""
        named = ((key, key.given_in(fields)) for key in self.keys if key.value.read)
        return {key.attribute or key.name: _read(key, names, fields, around) for key, names in named if names}

    @property
    def rows(self) -> list[KeyRow]:
        """The rows of the reference: neighbors of which it says the same are one."""
        rows = []
        for _, keys in groupby((key for key in self.keys if key.words), lambda key: (key.words, key.takes, key.usual)):
            first, *others = keys
            cell = cell_of(key.name for key in (first, *others))
            usual = "*required*" if first.needed and not first.usual else first.usual
            rows.append(KeyRow(cell, first.words, first.takes, usual, first.where))
        return rows

    @property
    def shape(self) -> Shape:
        """The schema of the mapping."""
        return self.shape_in(None)

    def shape_in(self, around: Any) -> Shape:
        """Return the schema of the mapping, of which each value has what the reference says of it.

        `around` is for values whose schema depends on what the mapping stands in.
        """
        # An alias may stand in place of a key, which a schema would have to list one by one.
        needed = (key.name for key in self.keys if key.needed and not key.aliases)
        return {**self.also, **shapes.mapping(self.properties_in(around), needed)}

    def properties_in(self, around: Any = None) -> dict[str, Shape]:
        """Return the schemas of the values by their keys."""
        of_values = {
            name: key.value.shape(around) if callable(key.value.shape) else key.value.shape
            for key in self.keys
            for name in (key.name, *key.aliases)
        }
        return shapes.described(of_values, self.rows)


def _read(key: Key, names: list[str], fields: Fields, around: Any) -> Any:
    """Return the value of a key that a mapping gives by these of its names."""
    for second in names[1:]:
        message = f"`{second}` is another name of `{key.name}`, which is given as `{names[0]}`"
        fields.note("022", message, fields.place(second), "remove one of the two", second)
    assert key.value.read
    return key.value.read(fields, names[0], around)


# --- values ---------------------------------------------------------------------------------------------------------

LINE = Value(shapes.LINE, lambda fields, key, _: fields.text(key))
FULL_LINE = Value(shapes.FULL_LINE, lambda fields, key, _: fields.words(key))
NAME = Value(shapes.FULL_LINE, lambda fields, key, _: replace(fields, fonts=ANY_FONT).words(key))
"""A name in letters of any script: that no bundled font has them is of no concern."""

WORD = Value(shapes.WORD, lambda fields, key, _: fields.words(key))


def truth(*, default: bool) -> Value:
    """Return `true` or `false`."""
    return Value(shapes.truth(default=default), lambda fields, key, _: fields.truth(key, default=default))


def word(known: Iterable[str], default: str) -> Value:
    """Return one of some words."""
    words = tuple(known)
    return Value(shapes.word(words, default), lambda fields, key, _: fields.word(key, words, default))


def choice(default: Enum) -> Value:
    """Return a member of the default's enumeration, by its value."""
    words = [each.value for each in type(default)]
    return Value(shapes.word(words, default.value), lambda fields, key, _: fields.choice(key, default))


def whole(least: int, most: int, or_word: str = "") -> Value:
    """Return a whole number, or a word in its place, which is read as None."""
    return Value(
        shapes.whole(least, most, or_word), lambda fields, key, _: fields.whole(key, least, most, or_word=or_word)
    )


WORDS_SHAPE = shapes.either(shapes.WORD, shapes.listing(shapes.WORD, 1))


def words(example: str) -> Value:
    """Return a list of words, without those that stand there before."""
    return Value(
        WORDS_SHAPE,
        lambda fields, key, _: tuple(dict.fromkeys(each.value for each in words_of(fields, key, example))),
    )


def words_of(fields: Fields, key: str, example: str) -> list[Scalar]:
    """Return the words of a list; one may be written without brackets."""
    node = fields.values.get(key)
    if node is None:
        return []
    items = node.items if isinstance(node, Sequence) else (node,)
    found = [item for item in items if isinstance(item, Scalar) and item.value.strip()]
    if len(found) < len(items) or not found:
        fields.expected(key, "a list of words", f"write for example `{key}: {example}`")
        return []
    if found == [node] and found[0].style is ScalarStyle.PLAIN and "," in found[0].value:
        fields.expected(key, "a list of words", f"write `{key}: [{found[0].value}]`", instead=f"[{found[0].value}]")
        return []
    return found


def cell_of(words: Iterable[str]) -> str:
    """Return words as a cell of the reference has them, in backticks."""
    return ", ".join(f"`{word}`" for word in words)


def named_in(cell: str) -> tuple[str, ...]:
    """Return the words that a cell of the reference has in backticks."""
    return tuple(re.findall(r"`(\w+)`", cell))
