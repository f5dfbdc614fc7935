"""Schemas of files as an editor asks them: which keys a mapping may have here, what a value may be, what a key is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

Part: TypeAlias = Mapping[str, Any]
"""A part of a JSON Schema."""

Written: TypeAlias = Mapping[str, str]
"""The values of a mapping that are written in one line, by their keys."""

_NUMBER = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,9})?")
_DEEPEST = 30  # references within references


class SchemaWalk:
    """A schema, from which parts are asked by the keys that lead there. Nothing of it is checked here."""

    def __init__(self, root: Part) -> None:
        self._root = root

    def keys(self, path: Sequence[str], values: Written) -> dict[str, Part]:
        """Return what each key of the mapping at a path may be, if it has these values."""
        found: dict[str, Part] = {}
        for part in self._at(path, values):
            found |= {key: each for key, each in self._keys(part, values, 0).items() if key not in found}
        return found

    def described(self, path: Sequence[str], values: Written) -> str:
        """Return what the last key of a path is; "" if that is not known."""
        shape = self.keys(path[:-1], values).get(path[-1]) if path else None
        return str(shape.get("description", "")) if shape else ""

    def words(self, path: Sequence[str], values: Written, *, item: bool = False) -> list[str]:
        """Return the words that the last key of a path may have as its value, or in a list as an item."""
        # A mapping may be one of several, such as a card of one of the kinds: what any of them allows may stand there.
        around = self._at(path[:-1], values) if path else []
        shapes = [self._keys(part, values, 0).get(path[-1]) for part in around]
        parts = [form for shape in shapes if shape is not None for form in self._forms(shape, 0)]
        if item:
            parts = [form for part in parts if "items" in part for form in self._forms(part["items"], 0)]
        return list(dict.fromkeys(word for part in parts for word in _words(part)))

    # --- the way ----------------------------------------------------------------------------------------------------

    def _at(self, path: Sequence[str], values: Written) -> list[Part]:
        """Return the parts that the mapping at a path may be; values count for the last one alone."""
        parts = [*self._forms(self._root, 0)]
        for key in path:
            known = values if key == path[-1] else {}
            inner = [self._keys(part, known, 0).get(key) or _of_any_name(part) for part in self._mappings(parts)]
            parts = [form for part in inner if part is not None for form in self._forms(part, 0)]
        return self._mappings(parts)

    def _mappings(self, parts: Sequence[Part]) -> list[Part]:
        """Return the parts that are mappings, those of lists' items with them."""
        items = [form for part in parts if "items" in part for form in self._forms(part["items"], 0)]
        return [part for part in (*parts, *items) if {"properties", "additionalProperties"} & part.keys()]

    def _forms(self, part: Part, depth: int) -> Iterator[Part]:
        """Yield a part and what it may be instead, references followed."""
        if depth > _DEEPEST or not isinstance(part, Mapping):
            return
        if "$ref" in part:
            yield from self._forms({**self._referred(part["$ref"]), **_without(part, "$ref")}, depth + 1)
            return
        yield part
        for each in (*part.get("anyOf", ()), *part.get("oneOf", ())):
            yield from self._forms(each, depth + 1)

    def _referred(self, reference: str) -> Part:
        found: Any = self._root
        for name in reference.removeprefix("#/").split("/"):
            found = found.get(name, {}) if isinstance(found, Mapping) else {}
        return found if isinstance(found, Mapping) else {}

    def _keys(self, part: Part, values: Written, depth: int) -> dict[str, Part]:
        """Return the keys of a mapping, narrowed to those that it may have with these values."""
        found: dict[str, Part] = {}
        for each in self._applying(part, values, depth):
            own = {key: shape for key, shape in each.get("properties", {}).items() if shape is not False}
            if each.get("additionalProperties") is False and each is not part:
                found = {key: shape for key, shape in found.items() if key in own}
            for key, shape in own.items():
                known = {} if shape is True else self._whole(shape)
                found[key] = {**found.get(key, {}), **known}
        return found

    def _whole(self, part: Part) -> Part:
        return {**self._referred(part["$ref"]), **_without(part, "$ref")} if "$ref" in part else part

    def _applying(self, part: Part, values: Written, depth: int) -> Iterator[Part]:
        """Yield a part, and the parts that hold besides it for these values."""
        if depth > _DEEPEST:
            return
        part = self._whole(part)
        yield part
        for each in part.get("allOf", ()):
            yield from self._applying(each, values, depth + 1)
        if "if" in part:
            branch = part.get("then" if self._holds(part["if"], values, depth + 1) else "else")
            if isinstance(branch, Mapping):
                yield from self._applying(branch, values, depth + 1)

    def _holds(self, condition: Any, values: Written, depth: int) -> bool:
        """Return whether what a condition says of a mapping is so."""
        if isinstance(condition, bool) or depth > _DEEPEST:
            return bool(condition)
        condition = self._whole(condition)
        if not all(key in values for key in condition.get("required", ())):
            return False
        if any(
            key in values and not _fits(values[key], shape) for key, shape in condition.get("properties", {}).items()
        ):
            return False
        if "anyOf" in condition and not any(self._holds(each, values, depth + 1) for each in condition["anyOf"]):
            return False
        if "not" in condition and self._holds(condition["not"], values, depth + 1):
            return False
        if "if" in condition:
            return self._holds(
                condition.get("then" if self._holds(condition["if"], values, depth + 1) else "else", True),
                values,
                depth + 1,
            )
        return True


def _without(part: Part, key: str) -> dict[str, Any]:
    return {name: each for name, each in part.items() if name != key}


def _of_any_name(part: Part) -> Part | None:
    """Return what keys may be whose names the author chooses; None if there are no such keys."""
    shape = part.get("additionalProperties")
    return shape if isinstance(shape, Mapping) else None


def _words(part: Part) -> Iterator[str]:
    for value in (*part.get("enum", ()), *((part["const"],) if "const" in part else ())):
        yield str(value).lower() if isinstance(value, bool) else str(value)
    if part.get("pattern") == "^(true|false)$":
        yield from ("true", "false")


def _fits(value: str, shape: Any) -> bool:
    """Return whether a value may be what a schema says of it: a word of a list, a number within bounds."""
    if not isinstance(shape, Mapping):
        return bool(shape)
    if "enum" in shape and value not in map(str, shape["enum"]):
        return False
    number = float(value) if _NUMBER.fullmatch(value) else None
    if shape.get("type") == "integer" and (number is None or not number.is_integer()):
        return False
    return number is None or shape.get("minimum", number) <= number <= shape.get("maximum", number)
