"""A value as YAML, as a person would write it."""

from __future__ import annotations

import json
import re

from render.source.scalars.scalar_ranges import ScalarStyle

# What YAML takes as it is in block style: it begins with a letter or digit, and nothing in it ends it.
_PLAIN = re.compile(r"[^\W_](?:[^\n\t]*[^\s:])?|-[0-9]+(?:\.[0-9]+)?")
_NOT_PLAIN = re.compile(r":\s|\s#|\s\s")
_ENDS_IN_BRACES = re.compile(r"[,\[\]{}]")


def write_scalar(value: str) -> str:
    """Return a value in one line for a file without braces: as it is if YAML takes it so, else in quotes."""
    if _PLAIN.fullmatch(value) and not _NOT_PLAIN.search(value):
        return value
    return json.dumps(value, ensure_ascii=False)


# What other readers of YAML take for something else than words (YAML 1.1 and 1.2): truth, nothing, numbers, dates.
_NO_WORDS = re.compile(
    r"true|false|yes|no|on|off|y|n|null|0x[0-9a-f_]+|0o[0-7_]+|[-+]?[0-9][0-9_,.:e+-]*(?:t.*|\s.*[0-9:]{5}.*)?",
    re.IGNORECASE,
)
# Characters that stand for themselves in no YAML, or that a reader takes for the end of a line (YAML 1.2, 5.1 and 5.4).
_HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def write_words(value: str) -> str:
    """Return words in one line as `write_scalar` does, and in quotes what any reader of YAML takes otherwise."""
    if not _HIDDEN.search(value) and not _NO_WORDS.fullmatch(value):
        return write_scalar(value)
    return _HIDDEN.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=False))


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
