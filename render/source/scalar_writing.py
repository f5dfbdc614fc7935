"""A value as YAML, as a person would write it."""

from __future__ import annotations

import json
import re

from render.source.scalar_ranges import ScalarStyle

# What YAML takes as it is in block style: it begins with a letter or digit, and nothing in it ends it.
_PLAIN = re.compile(r"[^\W_](?:[^\n\t]*[^\s:])?|-[0-9]+(?:\.[0-9]+)?")
_NOT_PLAIN = re.compile(r":\s|\s#|\s\s")
_ENDS_IN_BRACES = re.compile(r"[,\[\]{}]")


def write_scalar(value: str) -> str:
    """Return a value in one line for a file without braces: as it is if YAML takes it so, else in quotes."""
    if _PLAIN.fullmatch(value) and not _NOT_PLAIN.search(value):
        return value
    return json.dumps(value, ensure_ascii=False)


def write_anywhere(value: str) -> str:
    """Return a value in one line that may stand in braces and brackets, too; "" for ""."""
    if not value or not _ENDS_IN_BRACES.search(value):
        return value and write_scalar(value)
    return json.dumps(value, ensure_ascii=False)


def escape_within(words: str, style: ScalarStyle) -> str:
    """Return words as they stand within a value of that style; in a style without quotes, as they are."""
    match style:
        case ScalarStyle.SINGLE:
            return words.replace("'", "''")
        case ScalarStyle.DOUBLE:
            return words.replace("\\", "\\\\").replace('"', '\\"')
    return words


def write_within(words: str, style: ScalarStyle) -> str:
    """Return words as they stand within a value of that style; "" if they could end it."""
    ends = _NOT_PLAIN.search(f"{words} ") or _ENDS_IN_BRACES.search(words) or words.startswith("#")
    if "\n" in words or (ends and style is ScalarStyle.PLAIN):
        return ""
    return escape_within(words, style)
