"""Where in a file somebody types, by its lines alone: half a key is no YAML, but completions are wanted just there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_DASHES = re.compile(r"[ ]*(?:-(?:[ ]+|$))*")
_KEY = re.compile(r"""(?P<quote>["']?)(?P<key>[\w.\-/ ]+?)(?P=quote)[ \t]*:(?:[ \t]+(?P<value>.*))?$""")
_BLOCK = re.compile(r"[|>][-+0-9]*[ \t]*(?:#.*)?")
_MAX_LINES = 2000  # above and below: more lines of one card nobody reads
_PIECE = re.compile(r"[\w.\-/]*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class TypingPlace:
    """A place in a file.

    `path` are the keys around it, the outermost first; with `in_value`, the last one is that whose value is written.
    `values` are the values in one line of the mapping that it is in, by their keys. `typed` is what stands between the
    start of the key or value and the place, and begins at the character `start` of the line. `in_list` says that an
    item of a list is written, as the last part of the path's value. `quote` is the quote that the value began with.
    """

    path: tuple[str, ...]
    typed: str
    start: int
    in_value: bool = False
    values: Mapping[str, str] = field(default_factory=dict)
    in_list: bool = False
    quote: str = ""
    block: bool = False


def cursor_at(lines: list[str], line: int, column: int) -> TypingPlace:
    """Return where in lines the character `column` of a line is, both from 0."""
    if not 0 <= line < len(lines):
        lines, line = [*lines, ""], len(lines)
    text = lines[line][:column]
    text = text.removeprefix("\ufeff") if line == 0 else text
    return _in_long_value(lines, line, text) or _on_line(lines, line, text)


# --- the line itself ------------------------------------------------------------------------------------------------


def _on_line(lines: list[str], line: int, text: str) -> TypingPlace:
    dashes = _DASHES.match(text)
    column = dashes.end() if dashes else 0
    words = text[column:]
    in_item = "-" in text[:column]
    outer = tuple(_path(lines, line, column, in_item=in_item))
    values = dict(_siblings(lines, line, column))
    inside = _in_braces(words)
    if inside is not None:
        return _flow(text, column, outer, values, inside)
    pair = _KEY.match(words)
    if pair and (pair["value"] is not None or words[pair.end("key") :].strip("\"' \t").endswith(":")):
        value = pair["value"] or ""
        return _value(text, (*outer, pair["key"]), value, values)
    typed = words.lstrip("\"'")
    begin = len(text) - len(typed)
    return TypingPlace(path=outer, typed=typed, start=begin, values=values, in_list=in_item and bool(outer))


def _value(text: str, path: tuple[str, ...], value: str, values: Mapping[str, str]) -> TypingPlace:
    quote = value[:1] if value[:1] in ("'", '"') else ""
    typed = value[len(quote) :]
    begin = len(text) - len(typed)
    return TypingPlace(path=path, typed=typed, start=begin, in_value=True, values=values, quote=quote)


def _flow(
    text: str, column: int, outer: tuple[str, ...], values: Mapping[str, str], inside: tuple[list[str], str, int]
) -> TypingPlace:
    """Return the place within braces or brackets that are not closed: `{kind: mi`, `outputs: [png, sh`."""
    keys, opened, begun = inside
    words = text[column + begun :]
    last = words.rfind(",") + 1
    piece = words[last:]
    stripped = piece.lstrip()
    # The braces may be those of a whole card, and then what is in them are the card's values.
    before = {
        pair["key"]: _plain(pair["value"] or "")
        for each in words[:last].split(",")
        if (pair := _KEY.match(each.strip()))
    }
    path = (*outer, *keys)
    pair = _KEY.match(stripped) if opened == "{" else None
    if pair and (pair["value"] is not None or stripped.rstrip().endswith(":")):
        return _value(text, (*path, pair["key"]), pair["value"] or "", before if opened == "{" else values)
    typed = stripped.lstrip("\"'")
    begin = len(text) - len(typed)
    own = before if opened == "{" else values
    return TypingPlace(path=path, typed=typed, start=begin, values=own, in_list=opened == "[")


def _in_braces(words: str) -> tuple[list[str], str, int] | None:
    """Return the keys before the brackets that are open at the end, the last of these, and where it ends."""
    opened: list[tuple[str, int, str]] = []
    quote, begun = "", 0
    for number, char in enumerate(words):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and (not words[begun:number].strip() or words[:number].rstrip()[-1:] in ":,{["):
            quote = char
        elif char in "{[" and (not words[begun:number].strip() or words[:number].rstrip().endswith(":")):
            key = _KEY.match(words[begun:number].strip())
            opened.append((char, number + 1, key["key"] if key else ""))
            begun = number + 1
        elif char in "]}" and opened:
            opened.pop()
        elif char == "," and opened:
            begun = number + 1
    return ([key for _, _, key in opened if key], opened[-1][0], opened[-1][1]) if opened else None


# --- the lines around it --------------------------------------------------------------------------------------------


def _in_long_value(lines: list[str], line: int, text: str) -> TypingPlace | None:
    """Return the place within a value of several lines; None if it is in none."""
    indent = len(text) - len(text.lstrip(" "))
    if not text.strip():
        indent = len(text)
    for above in range(line - 1, max(-1, line - _MAX_LINES), -1):
        words = lines[above]
        if not words.strip():
            continue
        depth = len(words) - len(words.lstrip(" "))
        if depth >= indent:
            continue
        dashes = _DASHES.match(words)
        column = dashes.end() if dashes else 0
        pair = _KEY.match(words[column:])
        if pair is None:
            indent = min(indent, depth)  # a line of the same long value, perhaps
            continue
        value = (pair["value"] or "").strip()
        if column >= indent and not _BLOCK.fullmatch(value):
            return None
        return _continued(lines, above, text, column, pair)
    return None


def _continued(lines: list[str], above: int, text: str, column: int, pair: re.Match[str]) -> TypingPlace | None:
    """Return the place within the value that begins in the line `above`; None if it ends there."""
    value = (pair["value"] or "").strip()
    quote = value[:1] if value[:1] in ("'", '"') else ""
    is_open = quote and not re.search(rf"(?<!\\){quote}\s*(?:#.*)?$", value[1:])
    if not value or value[0] in "[{" or not (_BLOCK.fullmatch(value) or is_open):
        return None
    outer = tuple(_path(lines, above, column, in_item="-" in lines[above][:column]))
    words = text.lstrip(" ")
    values = dict(_siblings(lines, above, column))
    return TypingPlace(
        path=(*outer, pair["key"]),
        typed=words,
        start=len(text) - len(words),
        in_value=True,
        values=values,
        quote=quote,
        block=not quote,
    )


def _path(lines: list[str], line: int, column: int, *, in_item: bool) -> Iterator[str]:
    """Yield the keys around a line whose words begin in a column, the outermost first."""
    found: list[str] = []
    dash = lines[line].find("-") if in_item else column
    least = min(dash, column)
    same_allowed = in_item
    for above in range(line - 1, max(-1, line - _MAX_LINES), -1):
        words = lines[above]
        dashes = _DASHES.match(words)
        begin = dashes.end() if dashes else 0
        if not words[begin:].strip() or words[begin:].startswith("#"):
            continue
        has_dash = "-" in words[:begin]
        first = words.find("-") if has_dash else begin
        pair = _KEY.match(words[begin:])
        # A list may begin in the column of its key.
        is_parent = begin < least or (same_allowed and begin == least and not has_dash)
        if pair and is_parent and not (pair["value"] or "").split("#")[0].strip():
            found.append(pair["key"])
            least, same_allowed = first, has_dash
        elif has_dash and first < least:
            least, same_allowed = first, True
        if least == 0 and not same_allowed:
            break
    return iter(found[::-1])


def _siblings(lines: list[str], line: int, column: int) -> Iterator[tuple[str, str]]:
    """Yield the keys and values in one line of the mapping whose keys stand in a column, around a line."""
    for step in (-1, 1):
        at = line if step < 0 else line + 1
        while 0 <= at < len(lines) and abs(at - line) < _MAX_LINES:
            words = lines[at]
            dashes = _DASHES.match(words)
            begin = dashes.end() if dashes else 0
            starts_item = "-" in words[:begin]
            if words[begin:].strip():
                if begin < column or (step > 0 and starts_item and begin <= column):
                    break
                if begin == column and at != line and (pair := _KEY.match(words[begin:])):
                    yield pair["key"], _plain(pair["value"] or "")
                if begin == column and starts_item and step < 0:
                    break
            at += step


def _plain(value: str) -> str:
    """Return a value in one line without its quotes and its comment."""
    value = value.strip()
    if value[:1] in ("'", '"'):
        return value[1:].partition(value[0])[0]
    return re.split(r"\s#", value)[0].rstrip(" ,}]")
