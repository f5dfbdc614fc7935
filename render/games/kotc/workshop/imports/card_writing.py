"""Values of a card as YAML, as a person would write them."""

from __future__ import annotations

from collections.abc import Mapping

from render.games.kotc.workshop.imports.imported import ORDER, Value
from render.source.scalars.scalar_writing import write_anywhere, write_scalar


def new_card(values: Mapping[str, Value], remarks: Mapping[str, str]) -> str:
    """Return a card file with these values, and remarks about some of them as comments."""
    lines = []
    for key in in_order(values):
        first, *others = entry(key, values[key])
        lines += [f"{first}  # {remarks[key]}" if key in remarks else first, *others]
    return "".join(f"{line}\n" for line in lines)


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
        return f"{key}: {write_anywhere(value) or write_scalar(value)}"
    return f"{key}: {{{', '.join(flow_entry(name, words) for name, words in value.items())}}}"
