"""Values of a card as YAML, as a person would write them."""

from __future__ import annotations

import json
from collections.abc import Mapping

from render.games.kotc.imports.imported import ORDER, Value
from render.source.scalars.scalar_writing import write_scalar


def new_card(values: Mapping[str, Value]) -> str:
    """Return a card file with these values."""
    return "".join(f"{line}\n" for key in in_order(values) for line in entry(key, values[key]))


def in_order(values: Mapping[str, Value]) -> list[str]:
    """Return the keys in the order in which they are written."""
    return sorted(values, key=ORDER.index)


def entry(key: str, value: Value) -> list[str]:
    """Return the lines of a key with its value, without indent."""
    if not isinstance(value, str):
        if set(value) == {"file"}:
            return [f"{key}: {write_scalar(value['file'])}"]
        return [f"{key}:", *(f"  {inner}: {write_scalar(words)}" for inner, words in value.items())]
    if key == "text":
        return [f"{key}: |", *(f"  {line}" for line in value.split("\n"))]
    return [f"{key}: {write_scalar(value)}"]


def flow_entry(key: str, value: Value) -> str:
    """Return a key with its value in one line, as they stand in braces."""
    if isinstance(value, str):
        return f"{key}: {json.dumps(value, ensure_ascii=False)}"
    inner = ", ".join(f"{name}: {json.dumps(words, ensure_ascii=False)}" for name, words in value.items())
    return f"{key}: {{{inner}}}"
